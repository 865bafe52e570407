"""When something is safe to spend again, for who is told that nothing is."""

from dataclasses import replace
from datetime import date, timedelta

from finplan.model.plan import Plan
from finplan.model.snapshot import Snapshot
from tests.plan.households import Household, household, monthly
from tests.plan.typical import YEAR, live, plan_of

TODAY = date(2026, 1, 10)
PAYDAY = date(2026, 1, 28)


def paid(balance: int = 3_000_00) -> Household:
    """Pay of 4,000 on the 28th, rent of 1,500 on the 1st, no goal for the fund: 1,700 are free."""
    return (
        household(target_months=0)
        .checking(balance=balance, covered=YEAR)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_500_00, "rent")
    )


def shown(home: Household, plan: Plan | None = None, today: date = TODAY) -> Snapshot:
    return live(home, today, plan)


def test_who_has_something_to_spend_waits_for_no_day() -> None:
    """Something is safe to spend: there is no day to tell."""
    snapshot = shown(paid())
    assert snapshot.allowance.today > 0
    assert snapshot.spendable_from is None


def test_after_a_day_over_its_share_tomorrow_has_one() -> None:
    """Today's share is overspent, the period's money is not."""
    plan = plan_of(paid())
    snapshot = shown(paid().charge(TODAY, "CAFE", 160_00, "dining"), plan)
    assert snapshot.allowance.today < 0 < snapshot.allowance.breakdown.remaining
    assert snapshot.spendable_from == TODAY + timedelta(1)


def test_a_period_whose_money_is_spent_waits_for_payday() -> None:
    """No day of the period has a share, so the next period has the first."""
    plan = plan_of(paid())
    snapshot = shown(paid().charges([TODAY, TODAY], "CAFE", 1_250_00, "dining"), plan)
    assert snapshot.allowance.breakdown.remaining < 0
    assert snapshot.spendable_from == PAYDAY


def test_a_figure_of_nothing_has_a_day_too() -> None:
    """With nothing spent today and nothing left of the period, 0 is told with the day that has more."""
    plan = plan_of(paid())
    snapshot = shown(paid().charges(["2026-01-09"] * 2, "CAFE", 1_250_00, "dining"), plan)
    assert snapshot.allowance.today == 0
    assert snapshot.spendable_from == PAYDAY


def test_what_is_left_on_the_last_day_is_for_that_day() -> None:
    """On the day before payday no later day of the period is left to spend on."""
    plan, day = plan_of(paid()), date(2026, 1, 27)
    home = paid().charges([day, day], "CAFE", 1_000_00, "dining")
    snapshot = shown(home, plan, day)
    assert snapshot.allowance.breakdown.days_left == 1
    assert snapshot.allowance.today < 0
    assert snapshot.spendable_from == PAYDAY


def test_short_cash_waits_for_pay_that_carries_what_follows() -> None:
    """100 short before payday; the pay of 4,000 then carries the next month's bills."""
    home = paid(balance=50_00).charges(monthly("2025-01-20", 12), "POWER", 150_00, "utilities")
    snapshot = shown(home)
    assert snapshot.allowance.today == -100_00
    assert snapshot.spendable_from == PAYDAY


def test_pay_that_does_not_carry_what_follows_brings_nothing() -> None:
    """A debt so deep that the next pay leaves nothing: no day is promised."""
    rent_and_power = 1_500_00 + 150_00
    for balance, again in (
        (-4_000_00 + 150_00 + rent_and_power + 1, PAYDAY),
        (-4_000_00 + 150_00 + rent_and_power, None),
    ):
        home = paid(balance).charges(monthly("2025-01-20", 12), "POWER", 150_00, "utilities")
        assert shown(home).spendable_from == again


def test_other_pay_before_payday_brings_it_sooner() -> None:
    """A second earner's pay on the 15th lifts cash over what is due, and that day is told."""
    home = paid(balance=50_00).charges(monthly("2025-01-12", 12), "POWER", 150_00, "utilities")
    home.credits(monthly("2025-01-15", 12), "LIBRARY", 900_00, "wages")
    assert shown(home).allowance.today == -100_00
    assert shown(home).spendable_from == date(2026, 1, 15)


def test_pay_that_comes_before_the_bill_leaves_nobody_short() -> None:
    """The second earner's pay on the 15th carries the bill of the 20th: today's 50 are safe to spend."""
    home = paid(balance=50_00).charges(monthly("2025-01-20", 12), "POWER", 150_00, "utilities")
    home.credits(monthly("2025-01-15", 12), "LIBRARY", 900_00, "wages")
    assert shown(home).allowance.today == 50_00
    assert shown(home).spendable_from is None


def test_cash_that_runs_out_again_is_not_there_to_spend() -> None:
    """Pay on the 14th lifts cash above nothing, the bill of the 20th takes it: payday is waited for."""
    home = paid(balance=50_00).charges(monthly("2025-01-12", 12), "POWER", 150_00, "utilities")
    home.credits(monthly("2025-01-14", 12), "LIBRARY", 200_00, "wages")
    home.charges(monthly("2025-01-20", 12), "WATER", 100_00, "utilities")
    assert shown(home).spendable_from == PAYDAY


def test_income_that_only_makes_up_for_it_is_not_enough() -> None:
    """Pay of exactly what is lacking leaves nothing to spend."""
    home = paid(balance=50_00).charges(monthly("2025-01-20", 12), "POWER", 150_00, "utilities")
    home.credits(monthly("2025-01-15", 12), "LIBRARY", 100_00, "wages")
    assert shown(home).spendable_from == PAYDAY


def test_without_expected_income_short_cash_stays_short() -> None:
    """Nobody pays regularly: no day is promised."""
    home = household().checking(balance=-20_00, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "POWER", 150_00, "utilities")
    snapshot = shown(home)
    assert snapshot.allowance.payday is None
    assert snapshot.allowance.today < 0
    assert snapshot.spendable_from is None


def test_a_month_that_bills_take_whole_has_no_day() -> None:
    """Planned income that needs and the fund take whole leaves no share, now or in the next period."""
    home = paid(balance=90_00).charges(monthly("2025-01-08", 13), "CLUB", 1_200_00, "hobbies")
    home.settings = home.settings.model_copy(update={"target_months": 12})
    snapshot = shown(home)
    assert snapshot.allowance.breakdown.available == 0
    assert snapshot.allowance.today == 0
    assert snapshot.spendable_from is None


def test_unknown_cash_is_not_waited_for() -> None:
    """Where no balance is told, only the share decides."""
    plan = plan_of(paid())
    home = paid().charge(TODAY, "CAFE", 160_00, "dining")
    home.accounts["checking"] = replace(home.accounts["checking"], balance=None)
    assert shown(home, plan).spendable_from == TODAY + timedelta(1)


def test_a_gap_counts_the_pay_that_comes_before_it() -> None:
    """50 and pay of 200 against 400 of bills: 150 are missing, and the sentence holds all three."""
    home = paid(balance=50_00).charges(monthly("2025-01-20", 12), "POWER", 400_00, "utilities")
    home.credits(monthly("2025-01-14", 12), "LIBRARY", 200_00, "wages")
    (gap,) = [each for each in plan_of(home).actions if each.kind == "cover_cash_gap"]
    assert gap.amount == 150_00 == -shown(home).allowance.today
    said = "You have $50 in cash, $200 comes in, and $400 of bills is to be paid from it"
    assert said in gap.detail


def test_pay_that_is_late_is_not_there_before_tomorrow() -> None:
    """Three days after payday the bill of today is paid from what cash holds."""
    today = date(2026, 1, 31)
    home = household(target_months=0).checking(balance=50_00, covered=("2025-01-01", today))
    home.credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
    home.charges(monthly("2025-01-31", 12), "POWER", 150_00, "utilities")
    assert shown(home, today=today).allowance.today == -100_00
    assert shown(home, today=today).spendable_from == today + timedelta(1)
