"""Cash ahead: pay and bills that are known, day by day."""

from datetime import date, timedelta

import pytest

from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess
from finplan.plan.live.schedule import CashSchedule, CashStep, LowPoint
from finplan.plan.live.view import CashAhead
from tests.plan.advised import TODAY, YEAR
from tests.plan.households import Household, every, household, monthly

PAYDAY = date(2026, 1, 16)


def paid(cash: int = 500_00) -> Household:
    """Pay of 2,000 every second Friday, next on 16 January, and rent of 1,800 on the 20th."""
    return (
        household()
        .checking(balance=cash, covered=YEAR)
        .credits(every("2025-01-03", 14, 27), "ACME", 2_000_00, "wages")
        .charges(monthly("2025-01-20", 12), "LANDLORD", 1_800_00, "rent")
    )


def ahead_of(home: Household) -> CashAhead:
    ledger = home.ledger()
    found = assess(ledger, keep_books(ledger, TODAY), TODAY).ahead
    assert found is not None
    return found


def steps(home: Household, name: str) -> list[tuple[date, int]]:
    return [(each.day, each.amount) for each in ahead_of(home).schedule.steps if each.name == name]


def test_cash_is_that_of_the_end_of_each_day() -> None:
    """What comes and goes on a day is in the cash of its evening, not of the one before."""
    found = ahead_of(paid())
    assert found.lowest(TODAY, date(2026, 1, 15)) == LowPoint(TODAY, 500_00)
    assert found.lowest(PAYDAY, date(2026, 1, 19)) == LowPoint(PAYDAY, 2_500_00)
    assert found.lowest(PAYDAY, date(2026, 1, 20)) == LowPoint(date(2026, 1, 20), 700_00)
    assert found.lowest(date(2026, 1, 30), date(2026, 1, 30)).cash == 2_700_00


def test_pay_that_stopped_or_has_no_rhythm_is_not_counted_on() -> None:
    """Only active regular sources come again."""
    home = paid().credits(monthly("2025-01-11", 5), "OLD JOB", 900_00, "wages")
    home.credits(["2025-02-02", "2025-02-27", "2025-09-09"], "GIG", 300_00, "self_employment")
    assert {each.name for each in ahead_of(home).schedule.steps} == {"ACME", "LANDLORD"}


def test_minimums_come_month_by_month() -> None:
    """A card that revolves asks for its minimum again a month later, on the last day of a short one."""
    home = paid().card("visa", balance=6_000_00, apr=0.2, minimum_payment=90_00, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 90_00, "interest_fees")
    for day in monthly("2025-01-31", 12):
        home.transfer(day, "checking", "visa", 90_00, category="card_payment")
    assert steps(home, "visa minimum") == [
        (date(2026, 1, 31), -90_00),
        (date(2026, 2, 28), -90_00),
    ]


def test_the_bill_of_a_card_that_is_paid_in_full_is_due_on_its_day() -> None:
    """What its purchases came to leaves cash on the usual day, or today where that is past, once."""
    home = paid(9_000_00).card("visa", balance=600_00, covered=YEAR)
    home.charges(monthly("2025-01-12", 12), "MARKET", 600_00, "groceries")
    for day in monthly("2025-02-06", 11):
        home.transfer(day, "checking", "visa", 600_00, category="card_payment")
    assert steps(home, "visa") == [(TODAY, -600_00)]


def test_charges_on_a_card_leave_no_cash() -> None:
    """A subscription on a card is in the card's bill."""
    home = paid().card("visa", balance=0, covered=YEAR)
    home.charges(monthly("2025-01-12", 12), "STREAMFLIX", 15_00, "subscriptions")
    assert steps(home, "STREAMFLIX") == []
    home.on("checking").charges(monthly("2025-01-13", 12), "GYM", 25_00, "hobbies")
    assert steps(home, "GYM")[0] == (date(2026, 1, 13), -25_00)


def with_flatmate(*, months: int = 12, last: str = "2025-12-02") -> Household:
    """A flatmate who pays 600 of the rent back on the 2nd, so many months until the last."""
    days = sorted(monthly(last, months, -1))
    return paid().credits(days, "FLATMATE", 600_00, "rent")


def test_what_is_paid_back_every_month_comes_again() -> None:
    """Three months in turn show the fourth; two do not, nor what ended a month ago."""
    assert steps(with_flatmate(months=3), "FLATMATE") == [(date(2026, 2, 2), 600_00)]
    assert steps(with_flatmate(months=2), "FLATMATE") == []
    assert steps(with_flatmate(last="2025-11-02"), "FLATMATE") == []


def test_a_repayment_that_came_this_month_is_not_expected_twice() -> None:
    """The next one is that of the next month."""
    home = with_flatmate().credit("2026-01-02", "FLATMATE", 600_00)
    assert steps(home, "FLATMATE")[0] == (date(2026, 2, 2), 600_00)


def test_what_a_shop_gives_back_of_purchases_is_not_expected() -> None:
    """A refund each month brings nothing ahead where something is bought there, too."""
    days = sorted(monthly("2025-12-02", 4, -1))
    home = paid().credits(days, "OUTFITTER", 60_00, "shopping")
    assert steps(home, "OUTFITTER")[0] == (date(2026, 2, 2), 60_00)
    home.charge("2025-12-19", "OUTFITTER", 200_00)
    assert [amount for _, amount in steps(home, "OUTFITTER") if amount > 0] == []


def test_a_repayment_of_today_is_not_waited_for() -> None:
    """What has not come by now may not come: the next month's is the next one."""
    assert steps(with_flatmate(last="2025-12-10"), "FLATMATE")[0][0] == date(2026, 2, 10)


def test_the_least_of_three_months_is_expected_on_the_latest_day() -> None:
    """Neither the best month nor the earliest day is counted on."""
    home = paid().credits(
        ["2025-10-20", "2025-11-28", "2025-12-23"], "FLATMATE", [600_00, 550_00, 700_00], "rent"
    )
    assert steps(home, "FLATMATE")[0] == (date(2026, 1, 28), 550_00)


def test_a_refund_on_a_card_brings_no_cash() -> None:
    """What comes back to a card lowers its bill."""
    home = paid().card("visa", balance=0, covered=YEAR)
    home.credits(monthly("2025-10-20", 3), "SHOP", 50_00, "shopping")
    assert steps(home, "SHOP") == []


def test_usual_needs_are_food_and_fares_from_cash_beside_their_bills() -> None:
    """A pass at one price is a bill; what is bought on a card, and any want, is not among them."""
    home = paid().charges(every("2025-01-04", 9, 40), "SAFEWAY", [90_00, 71_00, 84_50], "groceries")
    spent = sum(-row[3] for row in home.rows if row[0] == home.payee_number("SAFEWAY"))
    home.charges(monthly("2025-01-09", 12), "METRO PASS", 60_00, "transport")
    home.charges(every("2025-01-05", 11, 30), "BISTRO", 41_00, "dining")
    home.card("visa", balance=0, covered=YEAR)
    home.charges(every("2025-01-06", 10, 30), "CARD MARKET", 41_00, "groceries")
    assert abs(ahead_of(home).usual - spent / 12) <= 1


def test_usual_needs_and_what_is_set_aside_are_taken_day_by_day() -> None:
    """365 a month are 12 a day: needs from tomorrow, the sum from its first day."""
    pay = CashStep(TODAY + timedelta(5), "PAY", 100, "income")
    plain = CashAhead(CashSchedule(TODAY, 1_000, 0, (pay,)), usual=365)
    since = TODAY + timedelta(2)
    assert plain.lowest(TODAY, TODAY + timedelta(9)) == LowPoint(TODAY, 1_000)
    assert plain.lowest_in_use(TODAY, TODAY, 365).cash == 1_000
    assert plain.lowest_in_use(since, since, 365).cash == 1_000 - 2 * 12
    assert plain.lowest_in_use(since, since + timedelta(1), 365).cash == 1_000 - 4 * 12
    assert plain.lowest_in_use(since, since + timedelta(10), 0) == LowPoint(
        TODAY + timedelta(4), 1_000 - 4 * 12
    )


@pytest.mark.parametrize("until", [19, 20])
def test_bills_are_those_of_the_days_the_largest_first(until: int) -> None:
    """Both ends are counted, and pay is no bill."""
    home = paid().charges(monthly("2025-01-16", 12), "GYM", 25_00, "hobbies")
    named = [each.name for each in ahead_of(home).bills(PAYDAY, date(2026, 1, until))]
    assert named == (["LANDLORD", "GYM"] if until == 20 else ["GYM"])


def test_nothing_is_known_ahead_of_cash_that_nobody_told() -> None:
    """Without a balance there is no cash to count from."""
    ledger = paid().savings("jar", balance=None).ledger()
    assert assess(ledger, keep_books(ledger, TODAY), TODAY).ahead is None
