"""The range of the days ahead: nothing beyond what was seen or is expected is drawn."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from finplan.model.money import LARGEST_AMOUNT
from finplan.model.snapshot import FURTHEST_DAY_AHEAD, Forecast
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import build_plan
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.forecast import USUAL_NAME, forecast
from finplan.plan.live.outcomes import ranges
from finplan.plan.live.schedule import CashStep
from finplan.plan.live.usual import CardPace, UsualDays
from finplan.plan.live.view import live_view
from tests.plan.households import household, monthly
from tests.plan.strategies import TODAY
from tests.plan.test_forecast import ahead, items, paid
from tests.plan.typical import YEAR

NOTHING_USUAL = UsualDays([day % 7 for day in range(28)], [0] * 28, [0] * 28)


def of_ledger(ledger: Ledger) -> Forecast:
    books = keep_books(ledger, TODAY)
    live = live_view(ledger, books, build_plan(ledger, TODAY), TODAY)
    return forecast(ledger, books, live, FURTHEST_DAY_AHEAD)


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
        assert 0 <= evening.high - evening.expected <= times * now // 2
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
    days = [TODAY + timedelta(place) for place in range(FURTHEST_DAY_AHEAD + 1)]
    due = [CashStep(TODAY, f"PAYER {place}", 100, "income") for place in range(100)]
    last = ranges([100 * 100] * len(days), due, NOTHING_USUAL, {}, days)[-1]
    assert last.low < 100 * 100 <= last.high


def test_the_last_day_of_february_is_a_day_like_any() -> None:
    """Bills of the 31st fall on it in a leap year, too, and each evening has its range."""
    today = date(2028, 2, 1)
    home = household().checking(balance=5_000_00, covered=(date(2027, 1, 1), today))
    home.charges(monthly("2027-01-31", 13), "LANDLORD", 900_00, "rent")
    found = ahead(home, today=today)
    moved = [day.date for day in found.days for item in day.items if item.name == "LANDLORD"]
    assert moved == [date(2028, 2, 29), date(2028, 3, 31)]
    assert all(day.low is not None for day in found.days)


def saturdays_alone(weekdays: Sequence[int]) -> UsualDays:
    """The days of who spends 70 each Saturday and nothing else."""
    spent = [-70_00 if day == 5 else 0 for day in weekdays]
    return UsualDays(weekdays, spent, [0] * len(weekdays))


@pytest.mark.parametrize("first", range(7))
@pytest.mark.parametrize(
    "stretches", [(28,), (31,), (59,), (90,), (365,), (31, 31), (28, 30, 31), (6, 31), (31, 90)]
)
def test_what_is_usual_on_a_weekday_is_drawn_on_that_weekday(
    first: int, stretches: tuple[int, ...]
) -> None:
    """Who spends the same each Saturday strays on no evening, whatever holes there are."""
    weekdays = [
        (first + 10 * hole + day) % 7 for hole, days in enumerate(stretches) for day in range(days)
    ]
    days = [TODAY + timedelta(place) for place in range(61)]
    spent = [-70_00 * sum(day.weekday() == 5 for day in days[1 : place + 1]) for place in range(61)]
    evenings = ranges(spent, [], saturdays_alone(weekdays), {}, days)
    assert [(each.low, each.high) for each in evenings] == [(each, each) for each in spent]


def test_days_that_are_no_week_are_usual_all_the_same() -> None:
    """Statements of three days here and there tell what is spent, and nothing hangs on the rest."""
    days = [TODAY + timedelta(place) for place in range(61)]
    for weekdays in ([0, 1, 2] * 10, [5, 6, 0] * 10, [4] * 30):
        last = ranges([0] * len(days), [], saturdays_alone(weekdays), {}, days)[-1]
        assert last.low <= 0 <= last.high


@pytest.mark.parametrize(
    ("bills", "strays"), [([200, 600], False), ([200, 400, 600], True), ([400, 400, 400], False)]
)
def test_three_payments_show_how_far_they_stray(bills: list[int], strays: bool) -> None:
    """Two show nothing, and three alike that the next is like them, but for what nobody foresees."""
    days = [TODAY + timedelta(place) for place in range(61)]
    bill = CashStep(days[9], "visa", -400, "later bill", card=1)
    last = ranges([-400] * 61, [bill], NOTHING_USUAL, {1: CardPace([], bills)}, days)[-1]
    assert (last.high - last.low > 200) == strays


def test_paths_stray_around_what_is_expected() -> None:
    """Where the middle goes has no say in how far cash strays from it, nor has cash at the start."""
    days = [TODAY + timedelta(place) for place in range(61)]
    usual = saturdays_alone([0, 1, 2, 3, 4, 5, 6] * 8)
    uneven = UsualDays(
        usual.weekdays, [day * (place % 3) for place, day in enumerate(usual.days)], [0] * 56
    )
    due = [CashStep(days[9], "RENT", -400_00, "charge")]
    one = ranges([0] * 61, due, uneven, {}, days)
    other = ranges([0, *range(100, 6_100, 100)], due, uneven, {}, days)
    assert [each.high - each.low for each in one] == [each.high - each.low for each in other]


def test_a_share_below_zero_is_that_of_the_paths() -> None:
    """Nobody is sure of nothing where as much may come as go, and of all far below."""
    days = [TODAY + timedelta(place) for place in range(61)]
    weekdays = [0, 1, 2, 3, 4, 5, 6] * 8
    uneven = UsualDays(
        weekdays, [100_00 if place // 7 % 2 else -100_00 for place in range(56)], [0] * 56
    )
    middles = {
        amount: ranges([amount] * 61, [], uneven, {}, days)[-1] for amount in (-(10**8), 0, 10**8)
    }
    assert (middles[-(10**8)].below_zero, middles[10**8].below_zero) == (1.0, 0.0)
    near = ranges([250_00] * 61, [], uneven, {}, days)
    shares = [each.below_zero for each in near]
    assert shares == sorted(shares)
    assert shares[1] == 0 < shares[-1] < 1


def test_what_is_paid_to_a_card_is_not_usual_too() -> None:
    """Its payments are foreseen by themselves, so that usual spending is food on Saturdays alone."""
    home = paid(9_000_00).card("visa", balance=400_00, covered=YEAR)
    home.charges(monthly("2025-01-02", 13), "BISTRO", 400_00, "dining")
    for day in monthly("2025-01-15", 12):
        home.transfer(day, "checking", "visa", 400_00, category="card_payment")
    usual = items(ahead(home), USUAL_NAME)
    assert {(day.weekday(), amount) for day, amount in usual} == {(5, -70_00)}
