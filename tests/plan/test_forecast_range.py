"""The range of the days ahead: nothing beyond what was seen or is expected is drawn."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from finplan.model.forecast import FURTHEST, Forecast
from finplan.model.money import LARGEST_AMOUNT
from finplan.plan.build import build_plan
from finplan.plan.detect.bookkeeping import keep_books
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.forecast import forecast
from finplan.plan.live.outcomes import ranges
from finplan.plan.live.schedule import CashStep
from finplan.plan.live.usual import UsualDays
from finplan.plan.live.view import live_view
from tests.plan.households import household, monthly
from tests.plan.strategies import TODAY
from tests.plan.test_forecast import ahead, paid
from tests.plan.typical import YEAR

NOTHING_USUAL = UsualDays([day % 7 for day in range(28)], [0] * 28, [0] * 28)


def of_ledger(ledger: Ledger) -> Forecast:
    books = keep_books(ledger, TODAY)
    live = live_view(ledger, books, build_plan(ledger, TODAY), TODAY)
    return forecast(ledger, books, live, FURTHEST)


@pytest.mark.parametrize(
    ("before", "now"), [(300_00, 3_000_00), (20_00, 3_000_00), (1, LARGEST_AMOUNT)]
)
def test_pay_that_has_risen_is_no_multiple_of_itself(before: int, now: int) -> None:
    """Who went from a few hours to full time is paid about what came lately, or what came before."""
    home = household().checking(balance=0, covered=YEAR)
    lately = [now, now - now // 50, now - now // 25, now - now // 50, now]
    first = [before + place * (before // 30 + 1) for place in range(7)]
    home.credits(monthly("2025-01-28", 12), "SHIFTS", [*first, *lately], "wages")
    days = ahead(home).days
    payday = days[20]
    assert payday.expected >= now - now // 25
    for evening, times in ((payday, 1), (days[-1], 2)):
        assert evening.low is not None
        assert evening.high is not None
        assert 0 <= evening.high - evening.expected <= times * now // 5
        assert evening.expected - evening.low <= 2 * times * now


def test_a_card_that_is_used_more_takes_no_multiple_of_its_bill() -> None:
    """Seven payments of 50 and five of 1,500: the next is of the size of these, not thirty times it."""
    home = household().checking(balance=9_000_00, covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "JOB", 3_000_00, "wages")
    bills = [50_00] * 7 + [1_500_00] * 5
    home.card("visa", balance=1_500_00, covered=YEAR)
    home.charges(monthly("2025-01-08", 12), "BISTRO", bills, "dining")
    for day, bill in zip(monthly("2025-01-20", 12), bills, strict=True):
        home.transfer(day, "checking", "visa", bill, category="card_payment")
    for evening in ahead(home).days:
        assert evening.low is not None
        assert evening.low > evening.expected - 5_000_00


def test_what_a_card_is_called_has_no_say() -> None:
    """Two cards of one name stray by their own payments each, as two of different names do."""
    home = paid(9_000_00)
    bills: dict[str, Sequence[int]] = {
        "card a": [400_00] * 12,
        "card b": [100_00, 900_00, 400_00] * 4,
    }
    for name, amounts in bills.items():
        home.card(name, balance=400_00, covered=YEAR)
        home.charges(monthly("2025-01-08", 12), f"SHOP {name}", amounts, "dining")
        for day, amount in zip(monthly("2025-02-05", 12), amounts, strict=True):
            home.transfer(day, "checking", name, amount, category="card_payment")
    ledger = home.ledger()
    alike = {
        number: replace(account, name="card a") if account.name == "card b" else account
        for number, account in ledger.accounts.items()
    }
    one, other = of_ledger(ledger), of_ledger(replace(ledger, accounts=alike))
    assert [(day.low, day.high) for day in one.days] == [(day.low, day.high) for day in other.days]


def test_what_does_not_come_is_on_no_day() -> None:
    """Of a hundred payments due today one or another never comes, however far is looked."""
    days = [TODAY + timedelta(place) for place in range(FURTHEST + 1)]
    due = [CashStep(TODAY, f"PAYER {place}", 100, "income") for place in range(100)]
    last = ranges(0, due, NOTHING_USUAL, {}, days)[-1]
    assert last.low < last.high == 100 * 100


def test_the_last_day_of_february_is_a_day_like_any() -> None:
    """Bills of the 31st fall on it in a leap year, too, and each evening has its range."""
    today = date(2028, 2, 1)
    home = household().checking(balance=5_000_00, covered=(date(2027, 1, 1), today))
    home.charges(monthly("2027-01-31", 13), "LANDLORD", 900_00, "rent")
    found = ahead(home, today=today)
    moved = [day.date for day in found.days for item in day.items if item.name == "LANDLORD"]
    assert moved == [date(2028, 2, 29), date(2028, 3, 31)]
    assert all(day.low is not None for day in found.days)
