"""What comes again as the person sees it: every series found, and the last word on each."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, get_args

from sqlalchemy import Connection

from finplan.model.errors import BadRequest, NotFound
from finplan.model.recurring import (
    PriceStep,
    RecurringQuery,
    RecurringSeries,
    RecurringVerdict,
    SeriesKind,
    SeriesStatus,
)
from finplan.plan.detect.bookkeeping import keep_books
from finplan.plan.detect.regularity import regularity
from finplan.plan.detect.series import AsOf
from finplan.plan.detect.verdicts import JudgedSeries, apply_verdicts
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import Ledger, SeriesVerdict
from finplan.service.asker import Asking
from finplan.service.context import Context
from finplan.service.derived.allowance import watched
from finplan.service.derived.standing import Standing, ledger_of, standing
from finplan.service.ids import derived_id
from finplan.store.queries import people, verdicts


class _Seen(NamedTuple):
    """A series under its id."""

    id: str
    kind: SeriesKind
    payee_key: str
    series: Series
    status: SeriesStatus


async def list_recurring(context: Context, query: RecurringQuery) -> tuple[RecurringSeries, ...]:
    """The recurring charges and regular income, going on and over: dearest month first."""
    _must_be("kind", query.kind, get_args(SeriesKind))
    _must_be("status", query.status, get_args(SeriesStatus))

    return await context.think(partial(_listed, asking=context.asking, query=query))


async def decide_recurring(context: Context, ask: RecurringVerdict) -> RecurringSeries:
    """Confirm a series, dismiss it from the plan, or take that back.

    It is remembered by its payee and one of its amounts, so that a price step does not lose it.
    """
    asking = context.asking

    def decide(connection: Connection) -> RecurringSeries:
        owner = asking.owner
        seen = _find(connection, asking, ask.id)
        if ask.verdict == "auto":
            verdicts.drop_series_verdict(connection, owner, ask.id)
        else:
            verdicts.save_series_verdict(connection, owner, _remembered(seen, ask.verdict, asking))
        people.raise_generation(connection, owner, rows=False)
        ledger, after = _all(connection, asking)
        return _wire(next((each for each in after if each.id == ask.id), seen), ledger)

    async with watched(context):
        return await context.commit(decide)


def _must_be(what: str, given: Sequence[str], known: Sequence[str]) -> None:
    for each in given:
        if each not in known:
            raise BadRequest(
                f"There is no {what} {each!r} of series. Known are {', '.join(known)}."
            )


def _listed(
    connection: Connection, asking: Asking, query: RecurringQuery
) -> tuple[RecurringSeries, ...]:
    ledger, seen = _all(connection, asking)
    return tuple(
        _wire(each, ledger)
        for each in seen
        if (not query.kind or each.kind in query.kind)
        and (not query.status or each.status in query.status)
        and query.active in (None, each.series.active)
    )


def _find(connection: Connection, asking: Asking, series_id: str) -> _Seen:
    _, seen = _all(connection, asking)
    found = next((each for each in seen if each.id == series_id), None)
    if found is None:
        raise NotFound(f"Nothing recurring is called {series_id}. `finplan recurring` lists all.")
    return found


def _remembered(seen: _Seen, verdict: str, asking: Asking) -> dict[str, object]:
    day, amount = seen.series.recent[-1]
    return {
        "id": seen.id,
        "kind": seen.kind,
        "payee_key": seen.payee_key,
        "amount": amount,
        "day": day_of(day),
        "cadence": seen.series.cadence,
        "interval_days": seen.series.interval_days,
        "verdict": verdict,
        "decided_at": asking.milliseconds(),
    }


def _all(connection: Connection, asking: Asking) -> tuple[Ledger, list[_Seen]]:
    """Every series with its verdict, those that were dismissed among them."""
    ledger, books, today = _before_verdicts(connection, asking)
    moment = AsOf(books.window, today)
    seen = [
        *_named(
            apply_verdicts(books.charges, "charge", ledger, books.sheets, moment), "charge", ledger
        ),
        *_named(
            apply_verdicts(_rhythmic(books), "income", ledger, books.sheets, moment),
            "income",
            ledger,
        ),
    ]
    return ledger, sorted(seen, key=lambda each: (-each.series.monthly, each.series.name, each.id))


def _before_verdicts(connection: Connection, asking: Asking) -> Standing:
    """How the household stands, in books that know of no verdict."""
    ledger, today = ledger_of(connection, asking)
    if not ledger.verdicts:
        return standing(connection, asking)
    return Standing(ledger, keep_books(replace(ledger, verdicts=()), today), today)


def _rhythmic(books: Books) -> list[Series]:
    return [source for source in books.sources if source.cadence != "irregular"]


def _named(judged: Sequence[JudgedSeries], kind: SeriesKind, ledger: Ledger) -> list[_Seen]:
    """Series under ids: that of the verdict on it, else by payee and place among the payee's series."""
    taken = {each.verdict.id for each in judged if each.verdict is not None}
    places: dict[str, int] = {}
    named = []
    for each in sorted(judged, key=lambda one: (one.series.first_date, one.series.amount)):
        key = ledger.payees[each.series.payees[0]].key
        if each.verdict is not None and each.named:
            series_id = each.verdict.id
            places[key] = places.get(key, 0) + 1
        else:
            series_id = derived_id("ser", kind, key, places.get(key, 0))
            while series_id in taken:
                places[key] = places.get(key, 0) + 1
                series_id = derived_id("ser", kind, key, places[key])
            places[key] = places.get(key, 0) + 1
        taken.add(series_id)
        named.append(_Seen(series_id, kind, key, each.series, _status(each.verdict)))
    return named


def _status(verdict: SeriesVerdict | None) -> SeriesStatus:
    if verdict is None:
        return "detected"
    return "confirmed" if verdict.verdict == "confirm" else "dismissed"


def _wire(seen: _Seen, ledger: Ledger) -> RecurringSeries:
    series = seen.series
    assert series.cadence != "irregular"
    assert series.interval_days is not None
    step = None
    if series.price_before is not None and series.price_changed is not None:
        step = PriceStep(before=series.price_before, changed_on=series.price_changed)
    return RecurringSeries(
        id=seen.id,
        kind=seen.kind,
        status=seen.status,
        name=series.name,
        payee_key=seen.payee_key,
        category=series.category,
        cadence=series.cadence,
        interval_days=series.interval_days,
        amount=series.amount,
        monthly=series.monthly,
        count=series.count_all,
        first_date=series.first_date,
        last_date=series.last_date,
        next_date=series.next_date,
        active=series.active,
        price_step=step,
        why=f"{regularity(series, ledger.settings.currency)}.",
    )
