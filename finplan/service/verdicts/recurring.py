"""What comes again as the person sees it: every series found, and the last word on each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Literal, NamedTuple, get_args

from sqlalchemy import Connection

from finplan.model import recurring
from finplan.model.errors import NotFound
from finplan.plan.bookkeeping import keep_books
from finplan.plan.detect.series import AsOf
from finplan.plan.detect.verdicts import JudgedSeries, apply_verdicts, regularity
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import Ledger, SeriesVerdict
from finplan.service.context import Asker, Context
from finplan.service.derived.books import Household, household_of
from finplan.service.ids import derived_id
from finplan.service.ledger.categorisation import compute_inferred
from finplan.service.lookup import must_be_known
from finplan.store.queries import people, verdicts


class _Seen(NamedTuple):
    """A series under its id."""

    id: str
    kind: recurring.SeriesKind
    payee_key: str
    series: Series
    status: recurring.SeriesStatus


async def list_recurring(
    context: Context, query: recurring.RecurringQuery
) -> tuple[recurring.RecurringSeries, ...]:
    """The recurring charges and regular income, going on and over: dearest month first."""
    must_be_known("kind", "series", query.kind, get_args(recurring.SeriesKind))
    must_be_known("status", "series", query.status, get_args(recurring.SeriesStatus))

    return await compute_inferred(context, partial(_listed, asker=context.asker, query=query))


async def decide_recurring(
    context: Context, ask: recurring.RecurringVerdict
) -> recurring.RecurringSeries:
    """Confirm a series, dismiss it from the plan, or take that back.

    It is remembered by its payee and one of its amounts, so that a price step does not lose it.
    """
    asker, owner = context.asker, context.caller.owner
    verdict, series = await compute_inferred(context, partial(_judged, asker=asker, ask=ask))

    def decide(connection: Connection) -> recurring.RecurringSeries:
        if verdict is None:
            verdicts.drop_series_verdict(connection, owner, ask.id)
        else:
            values = {**asdict(verdict), "decided_at": asker.milliseconds()}
            verdicts.save_series_verdict(connection, owner, values)
        people.raise_generation(connection, owner, rows=False)
        return series

    return await context.commit(decide, event=True)


def _listed(
    connection: Connection, asker: Asker, query: recurring.RecurringQuery
) -> tuple[recurring.RecurringSeries, ...]:
    household = _unjudged(household_of(connection, asker))
    return tuple(
        _wire(each, household.ledger)
        for each in _all(household)
        if (not query.kind or each.kind in query.kind)
        and (not query.status or each.status in query.status)
        and query.active in (None, each.series.active)
    )


def _judged(
    connection: Connection, asker: Asker, ask: recurring.RecurringVerdict
) -> tuple[SeriesVerdict | None, recurring.RecurringSeries]:
    """The verdict on a series, None for none of the person's, and the series as it stands with it."""
    household = _unjudged(household_of(connection, asker))
    seen = next((each for each in _all(household) if each.id == ask.id), None)
    if seen is None:
        raise NotFound(f"Nothing recurring is called {ask.id}. `finplan recurring` lists all.")
    verdict = None if ask.verdict == "auto" else _verdict(seen, ask.verdict)
    others = [each for each in household.ledger.verdicts if each.id != ask.id]
    ledger = replace(household.ledger, verdicts=others if verdict is None else [*others, verdict])
    after = _all(household._replace(ledger=ledger))
    return verdict, _wire(next((each for each in after if each.id == ask.id), seen), ledger)


def _verdict(seen: _Seen, verdict: Literal["confirm", "dismiss"]) -> SeriesVerdict:
    series = seen.series
    assert series.cadence != "irregular"
    assert series.interval_days is not None
    day, amount = series.recent[-1]
    return SeriesVerdict(
        id=seen.id,
        kind=seen.kind,
        payee_key=seen.payee_key,
        amount=amount,
        day=day_of(day),
        cadence=series.cadence,
        interval_days=series.interval_days,
        verdict=verdict,
    )


def _unjudged(household: Household) -> Household:
    """A household with books that know of no verdict, since a dismissed series is in no others."""
    ledger, _, today = household
    if not ledger.verdicts:
        return household
    return household._replace(books=keep_books(replace(ledger, verdicts=()), today))


def _all(household: Household) -> list[_Seen]:
    """Every series of unjudged books with its verdict, those that were dismissed among them."""
    ledger, books, today = household
    as_of = AsOf(books.window, today)
    found: dict[recurring.SeriesKind, Sequence[Series]] = {
        "charge": books.charges,
        "income": [source for source in books.sources if source.cadence != "irregular"],
    }
    seen = [
        each
        for kind, series in found.items()
        for each in _named(apply_verdicts(series, kind, ledger, books.sheets, as_of), kind, ledger)
    ]
    return sorted(seen, key=lambda each: (-each.series.monthly, each.series.name, each.id))


def _named(
    judged: Sequence[JudgedSeries], kind: recurring.SeriesKind, ledger: Ledger
) -> list[_Seen]:
    """Series under ids: that of the verdict on it, else by payee and place among the payee's series."""
    taken = {each.verdict.id for each in judged if each.verdict is not None}
    places = Counter[str]()
    named = []
    for each in sorted(judged, key=lambda one: (one.series.first_date, one.series.amount)):
        key = ledger.payees[each.series.payees[0]].key
        if each.verdict is not None and each.named:
            series_id = each.verdict.id
        else:
            while (series_id := derived_id("ser", kind, key, places[key])) in taken:
                places[key] += 1
        places[key] += 1
        taken.add(series_id)
        named.append(_Seen(series_id, kind, key, each.series, _status(each.verdict)))
    return named


def _status(verdict: SeriesVerdict | None) -> recurring.SeriesStatus:
    if verdict is None:
        return "detected"
    return "confirmed" if verdict.verdict == "confirm" else "dismissed"


def _wire(seen: _Seen, ledger: Ledger) -> recurring.RecurringSeries:
    series = seen.series
    assert series.cadence != "irregular"
    assert series.interval_days is not None
    step = None
    if series.price_before is not None and series.price_changed is not None:
        step = recurring.PriceStep(before=series.price_before, changed_on=series.price_changed)
    return recurring.RecurringSeries.of(
        series,
        id=seen.id,
        kind=seen.kind,
        status=seen.status,
        name=series.title,
        payee_key=seen.payee_key,
        count=series.count_all,
        price_step=step,
        why=f"{regularity(series, ledger.settings.currency)}.",
    )
