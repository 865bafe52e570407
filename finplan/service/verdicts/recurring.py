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
from finplan.service.lookup import check_choices
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
    check_choices("kind", "series", query.kind, get_args(recurring.SeriesKind))
    check_choices("status", "series", query.status, get_args(recurring.SeriesStatus))

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
        _wire(entry, household.ledger)
        for entry in _all(household)
        if (not query.kind or entry.kind in query.kind)
        and (not query.status or entry.status in query.status)
        and query.active in (None, entry.series.active)
    )


def _judged(
    connection: Connection, asker: Asker, ask: recurring.RecurringVerdict
) -> tuple[SeriesVerdict | None, recurring.RecurringSeries]:
    """The verdict on a series, None for none of the person's, and the series as it stands with it."""
    household = _unjudged(household_of(connection, asker))
    entry = next((entry for entry in _all(household) if entry.id == ask.id), None)
    if entry is None:
        raise NotFound(
            f"Unknown recurring payment {ask.id!r}. `finplan recurring` lists all recurring"
            " payments."
        )
    verdict = None if ask.verdict == "auto" else _verdict(entry, ask.verdict)
    others = [saved for saved in household.ledger.verdicts if saved.id != ask.id]
    ledger = replace(household.ledger, verdicts=others if verdict is None else [*others, verdict])
    after = _all(household._replace(ledger=ledger))
    return verdict, _wire(next((entry for entry in after if entry.id == ask.id), entry), ledger)


def _verdict(entry: _Seen, verdict: Literal["confirm", "dismiss"]) -> SeriesVerdict:
    series = entry.series
    assert series.cadence != "irregular"
    assert series.interval_days is not None
    day, amount = series.recent[-1]
    return SeriesVerdict(
        id=entry.id,
        kind=entry.kind,
        payee_key=entry.payee_key,
        amount=amount,
        day=day_of(day),
        cadence=series.cadence,
        interval_days=series.interval_days,
        verdict=verdict,
    )


def series_by_id(household: Household) -> dict[str, Series]:
    """The series of a household by the ids that a person knows them by."""
    return {entry.id: entry.series for entry in _all(_unjudged(household))}


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
    by_kind: dict[recurring.SeriesKind, Sequence[Series]] = {
        "charge": books.charges,
        "income": [source for source in books.sources if source.cadence != "irregular"],
    }
    entries = [
        entry
        for kind, series in by_kind.items()
        for entry in _name_series(
            apply_verdicts(series, kind, ledger, books.sheets, as_of), kind, ledger
        )
    ]
    return sorted(entries, key=lambda entry: (-entry.series.monthly, entry.series.name, entry.id))


def _name_series(
    judged: Sequence[JudgedSeries], kind: recurring.SeriesKind, ledger: Ledger
) -> list[_Seen]:
    """Series under ids: that of the verdict on it, else by payee and place among the payee's series."""
    taken = {case.verdict.id for case in judged if case.verdict is not None}
    places = Counter[str]()
    entries = []
    for case in sorted(judged, key=lambda case: (case.series.first_date, case.series.amount)):
        key = ledger.payees[case.series.payees[0]].key
        if case.verdict is not None and case.has_own_id:
            series_id = case.verdict.id
        else:
            while (series_id := derived_id("ser", kind, key, places[key])) in taken:
                places[key] += 1
        places[key] += 1
        taken.add(series_id)
        entries.append(_Seen(series_id, kind, key, case.series, _status(case.verdict)))
    return entries


def _status(verdict: SeriesVerdict | None) -> recurring.SeriesStatus:
    if verdict is None:
        return "detected"
    return "confirmed" if verdict.verdict == "confirm" else "dismissed"


def _wire(entry: _Seen, ledger: Ledger) -> recurring.RecurringSeries:
    series = entry.series
    assert series.cadence != "irregular"
    assert series.interval_days is not None
    step = None
    if series.price_before is not None and series.price_changed is not None:
        step = recurring.PriceStep(before=series.price_before, changed_on=series.price_changed)
    return recurring.RecurringSeries.of(
        series,
        id=entry.id,
        kind=entry.kind,
        status=entry.status,
        name=series.title,
        payee_key=entry.payee_key,
        count=series.count_all,
        price_step=step,
        why=f"{regularity(series, ledger.settings.currency)}.",
    )
