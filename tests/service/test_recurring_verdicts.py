"""Verdicts on series: dismissed ones leave the plan at once, confirmed ones stay in it."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, NotFound
from finplan.model.plan import Plan
from finplan.model.recurring import RecurringQuery, RecurringSeries, RecurringVerdict
from finplan.model.snapshot import Snapshot
from finplan.model.statement import ImportId
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.plans import build_plan
from finplan.service.planning.views import show_snapshot
from finplan.service.verdicts.recurring import decide_recurring, list_recurring
from finplan.store.queries import verdicts
from tests.service.own_money import csv, second_person

Import = Callable[..., Awaitable[Any]]

MONTHS = range(1, 12)
PAY = [f"2026-{month:02d}-01,ACME PAYROLL,3000.00" for month in MONTHS]
GROCER = [
    f"2026-{month:02d}-{day:02d},CORNER GROCER,-{(month * 37 + day * 13) % 90 + 4}.{day:02d}"
    for month in MONTHS
    for day in ((month * 7) % 9 + 1, (month * 5) % 13 + 11, (month * 11) % 5 + 24)
]
"""Visits on no fixed day, and never the same amount."""


def _monthly(text: str, amount: str, day: int = 14, months: range = MONTHS) -> list[str]:
    return [f"2026-{month:02d}-{day:02d},{text},-{amount}" for month in months]


async def _all(context: Context, **query: Any) -> dict[str, RecurringSeries]:
    found = await list_recurring(context, RecurringQuery(**query))
    return {each.name: each for each in found}


async def _say(context: Context, series: RecurringSeries, verdict: Any) -> RecurringSeries:
    return await decide_recurring(context, RecurringVerdict(id=series.id, verdict=verdict))


async def _plan(context: Context) -> Plan:
    return (await build_plan(context, Nothing())).plan


async def _snapshot(context: Context) -> Snapshot:
    return await show_snapshot(context, Nothing())


@pytest.fixture
async def household(context: Context, import_texts: Import) -> Context:
    """Eleven months of pay, groceries, and one subscription of 9.99 on the 14th."""
    await import_texts({"checking.csv": csv(*PAY, *GROCER, *_monthly("NETFLIX.COM", "9.99"))})
    return context


async def test_a_series_says_what_it_is_and_why(household: Context) -> None:
    """Charges and income are listed with their dates and a sentence of evidence."""
    found = await _all(household)
    series, pay = found["Netflix"], found["Acme"]

    assert (series.kind, series.status, series.cadence) == ("charge", "detected", "monthly")
    assert (series.amount, series.count, series.active) == (9_99, 11, True)
    assert (str(series.last_date), str(series.next_date)) == ("2026-11-14", "2026-12-14")
    assert series.why == "11 of 11 on the 14th, $9.99."
    assert (pay.kind, pay.amount) == ("income", 3000_00)
    assert set(await _all(household, kind=("income",))) == {"Acme"}


async def test_a_dismissed_charge_leaves_the_plan_at_once(household: Context) -> None:
    """Not among the recurring charges, not upcoming, and no bill of the allowance; taken back, it is."""
    before, live = await _plan(household), await _snapshot(household)
    assert [item.name for item in before.recurring] == ["Netflix"]
    assert [item.name for item in live.upcoming] == ["Netflix"]
    series = (await _all(household))["Netflix"]

    assert (await _say(household, series, "dismiss")).status == "dismissed"
    after, later = await _plan(household), await _snapshot(household)
    assert after.recurring == ()
    assert later.upcoming == ()
    assert later.allowance.breakdown.bills < live.allowance.breakdown.bills
    assert (await _all(household))["Netflix"].status == "dismissed"
    assert set(await _all(household, status=("dismissed",))) == {"Netflix"}

    assert await _say(household, series, "auto") == series
    assert (await _plan(household)).recurring == before.recurring


async def test_a_verdict_outlives_a_price_step_and_an_import(
    household: Context, import_texts: Import
) -> None:
    """The series has the same id after a price step, and what was said of it holds."""
    series = (await _all(household))["Netflix"]
    await _say(household, series, "dismiss")
    stepped = [f"2026-{month:02d}-14,NETFLIX.COM,-11.99" for month in (12,)]
    later = [f"2027-{month:02d}-14,NETFLIX.COM,-11.99" for month in range(1, 4)]
    report = await import_texts({"checking.csv": csv(*stepped, *later)}, account="checking")

    again = (await _all(household))["Netflix"]
    assert (again.id, again.status) == (series.id, "dismissed")
    await undo_import(household, ImportId(id=report.id))
    assert (await _all(household))["Netflix"].status == "dismissed"
    assert (await _plan(household)).recurring == ()


async def test_two_subscriptions_at_one_payee_are_two(
    context: Context, import_texts: Import
) -> None:
    """Dismissing one leaves the other, and each keeps its id."""
    rows = [*PAY, *_monthly("NETFLIX.COM", "9.99"), *_monthly("NETFLIX.COM", "24.99", day=3)]
    await import_texts({"checking.csv": csv(*rows)})
    found = {each.amount: each for each in await list_recurring(context, RecurringQuery())}
    assert {9_99, 24_99} <= set(found)
    await _say(context, found[9_99], "dismiss")

    after = {each.amount: each for each in await list_recurring(context, RecurringQuery())}
    assert (after[9_99].id, after[9_99].status) == (found[9_99].id, "dismissed")
    assert after[24_99] == found[24_99]
    assert [item.amount for item in (await _plan(context)).recurring] == [24_99]


async def test_a_confirmed_series_stays_when_detection_loses_it(
    context: Context, import_texts: Import
) -> None:
    """Fewer charges than a detector needs are enough once the person has said what they are."""
    first = await import_texts(
        {"checking.csv": csv(*PAY, *_monthly("RIVERBEND CHOIR", "31.50", 14, range(2, 10)))}
    )
    series = (await _all(context))["Riverbend Choir"]
    confirmed = await _say(context, series, "confirm")
    assert confirmed.status == "confirmed"
    await undo_import(context, ImportId(id=first.id))
    few = [f"2026-{month:02d}-14,RIVERBEND CHOIR,-31.50" for month in (10, 11)]
    await import_texts({"checking.csv": csv(*PAY, *few)})

    after = (await _all(context))["Riverbend Choir"]
    assert (after.id, after.status, after.cadence) == (series.id, "confirmed", "monthly")
    assert [item.name for item in (await _plan(context)).recurring] == ["Riverbend Choir"]
    await _say(context, after, "auto")
    assert (await _plan(context)).recurring == ()


async def test_dismissed_income_is_no_rhythm_but_money_still(household: Context) -> None:
    """What it paid stays income; only the payday is not counted on any more."""
    before = await _plan(household)
    pay = (await _all(household))["Acme"]
    await _say(household, pay, "dismiss")
    after = await _plan(household)

    assert [source.cadence for source in before.income_sources] == ["monthly"]
    assert [source.cadence for source in after.income_sources] == ["irregular"]
    assert after.monthly.income == before.monthly.income
    assert sum(source.total for source in after.income_sources) == sum(
        source.total for source in before.income_sources
    )
    assert (await _snapshot(household)).allowance.payday is None


async def test_people_never_see_each_others_series(household: Context) -> None:
    """Another person of the same store lists none of them and cannot decide them."""
    series = (await _all(household))["Netflix"]
    other = await second_person(household)

    assert await _all(other) == {}
    with pytest.raises(NotFound, match="finplan recurring"):
        await _say(other, series, "dismiss")

    await _say(household, series, "dismiss")
    reads = [partial(verdicts.series_verdicts, owner=owner) for owner in (1, 2)]
    kept = [await household.store.read(read) for read in reads]
    assert [len(each) for each in kept] == [1, 0]


async def test_a_question_that_cannot_be_is_explained(context: Context) -> None:
    """The answer names what is known."""
    with pytest.raises(BadRequest, match="Known are detected, confirmed, dismissed"):
        await _all(context, status=("new",))
    with pytest.raises(BadRequest, match="Known are charge, income"):
        await _all(context, kind=("bill",))
