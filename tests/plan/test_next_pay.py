"""The next pay after a bonus, a raise, a cut and a new job: two credits make a level, one may."""

from datetime import date, timedelta
from random import Random
from typing import NamedTuple

import pytest

from finplan.model.snapshot import Forecast
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import build_plan
from finplan.plan.ledger.amounts import other_income_level
from finplan.plan.ledger.books import Series
from finplan.plan.live.forecast import forecast
from finplan.plan.live.view import live_view
from tests.plan.households import household

TODAY = date(2026, 3, 20)
SHARES = {"raise": (1.03, 1.25), "cut": (0.6, 0.96), "new job": (0.7, 1.5), "bonus": (1.5, 3.5)}
SEEDS = range(20)


class Seen(NamedTuple):
    """Pay before and since, and what finplan makes of it."""

    before: int
    since: int
    running: list[Series]
    found: Forecast


def paydays(dice: Random, ago: int) -> list[date]:
    """A year of paydays of some cadence, the last so many days ago."""
    last = TODAY - timedelta(ago)
    apart = dice.choice((0, 14, 7))
    if apart:
        return [last - timedelta(apart * place) for place in range(365 // apart)][::-1]
    months = [divmod(last.year * 12 + last.month - 1 - place, 12) for place in range(13)]
    return [date(year, month + 1, min(last.day, 28)) for year, month in reversed(months)]


def seen(kind: str, seed: int, times: int) -> Seen:
    """A household of pay and food whose last `times` credits are at another level, or are bonuses."""
    dice = Random(f"{kind} {seed}")
    # New pay takes the place of what is more than five days late.
    days = paydays(dice, 6 if kind == "new job" else dice.randint(1, 6))
    before = dice.randint(900_00, 5_000_00)
    since = round(before * dice.uniform(*SHARES[kind]))
    home = household().checking(balance=dice.randint(500_00, 9_000_00), covered=(days[0], TODAY))
    home.payee("GLOBEX", into="wages", inflow_sign="pay")
    for place, day in enumerate(days, start=1):
        is_new = place > len(days) - times
        name = "GLOBEX" if is_new and kind == "new job" else "ACME"
        home.credit(day, name, since if is_new else before, "wages")
    shopping = days[0]
    while shopping < TODAY:
        home.charge(shopping, "SAFEWAY", dice.randint(20_00, 90_00), "groceries")
        shopping += timedelta(dice.randint(2, 5))
    ledger = home.ledger()
    books = keep_books(ledger, TODAY)
    live = live_view(ledger, books, build_plan(ledger, TODAY), TODAY)
    running = [source for source in books.sources if source.running]
    return Seen(before, since, running, forecast(ledger, books, live, 60))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["raise", "cut", "new job"])
def test_two_credits_make_the_level(kind: str, seed: int) -> None:
    """The one source that runs pays what came twice."""
    told = seen(kind, seed, times=2)
    assert [source.amount for source in told.running] == [told.since]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", SHARES)
def test_after_one_credit_both_levels_lie_in_the_range(kind: str, seed: int) -> None:
    """Nobody knows yet whether a raise, a bonus or a first full pay is the level."""
    told = seen(kind, seed, times=1)
    (source,) = told.running
    if kind != "new job":
        assert source.amount == told.before
    days = told.found.days
    first, pay = next(
        (place, item)
        for place, day in enumerate(days)
        for item in day.items
        if item.kind == "income"
    )
    for day in days[first : first + 6]:
        assert day.low is not None
        assert day.high is not None
        for level in (told.before, told.since):
            assert day.low <= day.expected - pay.amount + level <= day.high


def test_the_other_level_lasts_for_one_pay() -> None:
    """A bonus may come again, and is not in the range once more for each payday."""
    told = seen("bonus", 1, times=1)
    day = told.found.days[-1]
    assert day.high is not None
    pays = sum(item.kind == "income" for each in told.found.days for item in each.items)
    assert pays > 1
    assert day.high < day.expected + pays * (told.since - told.before)


@pytest.mark.parametrize(
    ("amounts", "other"),
    [
        ([100, 100, 130], 130),
        ([100, 100, 70], 70),
        ([100, 100, 100], None),
        ([100, 130, 130], None),
        ([100, 120, 140], None),
        ([100, 130], None),
        ([100], None),
    ],
    ids=str,
)
def test_the_last_credit_may_be_another_level(amounts: list[int], other: int | None) -> None:
    """Where the two before it were at one level and it is not."""
    assert other_income_level(amounts) == other
