"""Households 23, 24, 28 and 29 of plan-semantics, section 14: what may be spent, and of what."""

from datetime import date, timedelta

import pytest

from finplan.model import live_words
from finplan.plan.live.view import live_view
from tests.plan.households import Household, every, household, monthly
from tests.plan.typical import TODAY, YEAR, assessed, kinds, live, plan_of


def paying_a_card(*, by_debit: bool = True) -> Household:
    """Pay of 1,900 on the 28th; about 610 to a card that is not linked leave on the 11th, tomorrow."""
    home = household().checking(balance=981_00, covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "CITY SCHOOL", 1_900_00, "wages")
    home.charges(monthly("2025-01-02", 13), "LANDLORD", 700_00, "rent")
    if by_debit:
        home.charges(monthly("2025-01-11", 12), "AMEX", [590_00, 640_00, 610_00], "unlinked_card")
    return home


def guard_of(home: Household) -> int | None:
    ledger = home.ledger()
    return live_view(ledger, home.books(TODAY), plan_of(home), TODAY).guard.left


def test_23_the_bill_of_an_unlinked_card_is_not_offered() -> None:
    """981 in cash the evening before its 610 direct debit: 371 is all that may go until payday."""
    home = paying_a_card()
    snapshot = live(home)
    assert (TODAY + timedelta(1), "AMEX", 610_00) in {
        (each.date, each.name, each.amount) for each in snapshot.upcoming
    }
    assert guard_of(home) == 371_00
    assert snapshot.allowance.today <= 371_00 // snapshot.allowance.breakdown.days_left
    assert snapshot.allowance.breakdown.bills >= round((700_00 + 610_00) * 31 * 12 / 365)
    assert {each.category for each in plan_of(home).recurring} == {"rent", "unlinked_card"}


def test_23_without_the_card_the_money_is_free() -> None:
    """Nobody is told to hold money for a bill that there is not."""
    assert guard_of(paying_a_card(by_debit=False)) == 981_00


def test_23_the_bill_is_paid_once() -> None:
    """When it has left cash it is neither upcoming nor spent a second time."""
    home = paying_a_card()
    plan, day = plan_of(home), TODAY + timedelta(1)
    home.charge(day, "AMEX", 655_00)
    after = live(home, day, plan)
    assert "AMEX" not in {each.name for each in after.upcoming if each.date < date(2026, 2, 11)}
    assert after.allowance.spent_today == 0
    assert after.allowance.breakdown.spent == 0


def retired() -> Household:
    """A pension of 1,800, spending of 3,000, and a brokerage account that is sold from each quarter."""
    home = household().checking(balance=9_000_00, covered=YEAR)
    home.credits(monthly("2025-01-03", 13), "STATE PENSION", 1_800_00, "pension_benefits")
    home.charges(monthly("2025-01-05", 13), "LANDLORD", 1_400_00, "rent")
    home.charges(every("2025-01-04", 7, 53), "SAFEWAY", 92_00, "groceries")
    home.charges(every("2025-01-07", 5, 72), "BISTRO", [170_00, 230_00], "dining")
    home.brokerage(balance=600_000_00)
    for day in monthly("2025-02-10", 4, step=3):
        home.transfer(day, "brokerage", "checking", 5_000_00, category="investing")
    return home.on("checking")


def test_24_a_retiree_has_money_to_spend_each_day() -> None:
    """Positive allowance, the draw is told, and nobody is told to invest what is lived on."""
    plan, snapshot = plan_of(retired()), live(retired())
    assert plan.budget[2].label == "Drawn from savings"
    assert plan.budget[2].target < 0
    assert sum(item.target for item in plan.budget) == 1_800_00
    assert plan.monthly.daily_allowance > 0
    assert snapshot.allowance.daily > 0
    assert snapshot.allowance.today > 0
    draw = snapshot.income.draw
    assert draw is not None
    assert draw.draw == draw.budget - draw.income > 0
    assert "invest_idle_cash" not in kinds(plan)


def test_24_between_jobs_with_fifteen_months_of_cash() -> None:
    """Without income, savings for 15 of 24 months keep that part of the wants: positive and honest."""
    home = household().checking(balance=30_000_00, covered=YEAR)
    home.credits(monthly("2025-01-28", 6), "OLD JOB", 3_000_00, "wages")
    home.charges(monthly("2025-01-05", 13), "LANDLORD", 1_500_00, "rent")
    home.charges(every("2025-01-07", 5, 73), "BISTRO", [40_00, 120_00], "dining")
    found, snapshot = assessed(home), live(home)
    shortfall = found.means.total_spend
    assert found.living.runway_months == pytest.approx(30_000_00 / shortfall)
    wants = found.means.discretionary
    assert found.budget[1].target == pytest.approx(wants * 30_000_00 / shortfall / 24, abs=1)
    assert 0 < found.budget[1].target < wants
    assert snapshot.allowance.daily > 0
    assert snapshot.income.draw is not None
    assert snapshot.income.draw.income == 0


def test_24_who_lives_on_pay_draws_nothing() -> None:
    """The same household with pay that carries it has the ordinary split and no draw."""
    home = retired().credits(monthly("2025-01-28", 12), "CITY SCHOOL", 3_000_00, "wages")
    assert plan_of(home).budget[2].label == "Savings and extra debt payments"
    assert live(home).income.draw is None


def five_weeks() -> Household:
    """Five weeks of rows with three biweekly paydays, rent and food."""
    first = TODAY - timedelta(35)
    home = household().checking(balance=2_400_00, covered=(first, TODAY))
    home.credits(every("2025-12-10", 14, 3), "ACME", 1_000_00, "wages")
    home.charge("2026-01-02", "LANDLORD", 1_200_00, "rent")
    return home.charges(every("2025-12-08", 4, 8), "SAFEWAY", [31_00, 62_00, 47_00], "groceries")


def test_28_five_weeks_are_stated_and_not_extrapolated() -> None:
    """Three paydays in five weeks make no more a month than they came to, and nothing is due yet."""
    home = five_weeks()
    plan, snapshot = plan_of(home), live(home)
    assert 2_000_00 <= plan.monthly.income <= 3_000_00
    assert plan.monthly.income <= sum(each.total for each in plan.income_sources)
    assert sum(item.target for item in plan.budget) <= round(1_000_00 * 26 / 12)
    assert kinds(plan).isdisjoint({"trim_discretionary", "review_essentials", "price_rise"})
    assert snapshot.upcoming == ()
    assert not live_words.due_is_known(snapshot)
    assert "three months" in live_words.next_due_said(snapshot)


def test_28_three_months_tell_that_nothing_is_due() -> None:
    """With three months of rows and no rhythm among them, nothing is expected, and that is said."""
    home = household().checking(balance=2_400_00, covered=("2025-10-01", TODAY))
    home.charges(["2025-10-03", "2025-11-21", "2025-12-29"], "SHOP", 80_00, "shopping")
    snapshot = live(home)
    assert live_words.due_is_known(snapshot)
    assert live_words.next_due_said(snapshot) == "none expected"


def on_a_pension(essentials: int, cash: int) -> Household:
    """A pension of 2,400 and spending of 5,000, of which so much is essential."""
    home = household().checking(balance=cash, covered=YEAR)
    home.credits(monthly("2025-01-03", 13), "STATE PENSION", 2_400_00, "pension_benefits")
    home.charges(monthly("2025-01-05", 13), "LANDLORD", essentials, "rent")
    return home.charges(monthly("2025-01-20", 12), "TRAVELS", 5_000_00 - essentials, "travel")


@pytest.mark.parametrize("cash", [0, 3_000_00, 90_000_00, 2_000_000_00])
def test_29_a_dollar_of_rent_moves_the_allowance_by_cents(cash: int) -> None:
    """Essentials a dollar below the pension and a dollar above: the same rule, the same day."""
    below, above = (live(on_a_pension(rent, cash)).allowance for rent in (2_399_00, 2_401_00))
    assert abs(below.daily - above.daily) <= 10
    one, other = (plan_of(on_a_pension(rent, cash)) for rent in (2_399_00, 2_401_00))
    assert abs(one.budget[1].target - other.budget[1].target) <= 3_00
    assert abs(one.monthly.daily_allowance - other.monthly.daily_allowance) <= 10


def test_29_a_house_is_nothing_to_live_on() -> None:
    """Jobless with a house and 3,000 of cash: the money lasts for weeks, and it is not covered."""
    home = household().checking(balance=3_000_00, covered=YEAR)
    home.account("home", "other", "property", balance=400_000_00).on("checking")
    home.credits(monthly("2025-01-28", 6), "OLD JOB", 3_000_00, "wages")
    home.charges(monthly("2025-01-05", 13), "LANDLORD", 1_500_00, "rent")
    home.charges(monthly("2025-01-20", 12), "TRAVELS", 500_00, "travel")
    found = assessed(home)
    months = found.living.months_told
    assert months is not None
    assert 1 < months < 3
    assert found.budget[2].label == "Not covered"


def test_29_savings_for_a_quarter_are_drawn_on() -> None:
    """With cash for three months the same household draws on it."""
    home = household().checking(balance=6_000_00, covered=YEAR)
    home.credits(monthly("2025-01-28", 6), "OLD JOB", 3_000_00, "wages")
    home.charges(monthly("2025-01-05", 13), "LANDLORD", 1_500_00, "rent")
    home.charges(monthly("2025-01-20", 12), "TRAVELS", 500_00, "travel")
    assert assessed(home).budget[2].label == "Drawn from savings"


def test_29_income_that_is_not_seen_is_asked_about() -> None:
    """Where no pay arrives at all, its account may be missing: nothing is said of savings."""
    home = household().checking(balance=6_000_00, covered=YEAR)
    home.charges(monthly("2025-01-05", 13), "LANDLORD", 1_500_00, "rent")
    assert assessed(home).budget[2].label == "Not covered by income seen"
