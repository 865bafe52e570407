"""The live view: both subtractions are exact, and a day without spending never makes one poorer.

Who is told that nothing is safe to spend is told when something is again; each group has its line.
"""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from finplan.categorise.catalogue import BUILT_IN, GROUP_LABELS, Category
from finplan.model.plan import Plan
from finplan.model.snapshot import Breakdown, MoneyGroup, PeriodCash, Snapshot
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import build_plan
from finplan.plan.live.allowance import live_snapshot
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash
from tests.plan.strategies import households
from tests.plan.typical import live, plan_of
from tests.present import present
from tests.says import says

many = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def view(home: Household, plan: Plan | None = None, today: date = TODAY) -> Snapshot:
    ledger = home.ledger()
    plan = plan or build_plan(ledger, today)
    return live_snapshot(ledger, keep_books(ledger, today), plan, today)


@pytest.mark.thorough
@many
@given(households())
def test_both_subtractions_are_exact(home: Household) -> None:
    """What is available and remaining is what is left, and the day's share is its part of the days."""
    snapshot = view(home)
    allowance, parts = snapshot.allowance, snapshot.allowance.breakdown
    assert parts.available == (parts.income - parts.bills - parts.groceries - parts.transportation)
    assert parts.remaining == parts.available - parts.spent
    assert min(parts.bills, parts.groceries, parts.transportation, parts.upcoming) >= 0
    assert parts.days_left >= 1
    assert allowance.spent_today >= 0
    waits = snapshot.period.unanswered > 0 and snapshot.period.guard is not None
    waits = waits and parts.remaining + allowance.spent_today <= 0
    free = (snapshot.period.guard or 0) if waits else parts.remaining
    left = max(0, free + allowance.spent_today)
    assert allowance.daily == left // parts.days_left
    assert allowance.today <= allowance.daily - allowance.spent_today
    assert allowance.payday is None or allowance.payday > TODAY


@many
@given(households())
def test_today_never_exceeds_the_cash_at_hand(home: Household) -> None:
    """The guard binds: cash less pending outflows and what is due from it."""
    snapshot = view(home)
    pending = sum(-row[3] for row in home.ledger().pending if row[3] < 0 and row[1] == 1)
    assert snapshot.allowance.today <= snapshot.balances.cash - pending


@pytest.mark.thorough
@many
@given(households())
def test_groups_hold_all_spending_of_the_plan(home: Household) -> None:
    """Σ groups.monthly = totalSpend; Σ left is of what is planned with; categories add up; one line."""
    plan = plan_of(home)
    groups = view(home, plan).groups
    assert sum(group.monthly for group in groups) == plan.monthly.total_spend
    running = home.books(TODAY).running.spend
    gone = sum(group.spent + group.upcoming for group in groups)
    assert sum(group.left for group in groups) == running - gone
    for group in groups:
        assert sum(each.monthly for each in group.categories) == group.monthly
        assert sum(each.spent for each in group.categories) == group.spent
    assert len({group.key for group in groups}) == len(groups)
    assert sum(round(group.share * 10_000) for group in groups) in {0, 10_000}


@pytest.mark.thorough
@many
@given(households())
def test_upcoming_lies_in_the_next_thirty_days(home: Household) -> None:
    """Each expected charge lies in [today, today + 30], ascending, and costs something."""
    days = [each.date for each in view(home).upcoming]
    assert days == sorted(days)
    assert all(TODAY <= day <= TODAY + timedelta(30) for day in days)
    assert all(each.amount > 0 for each in view(home).upcoming)


@many
@given(households())
def test_a_day_without_spending_never_makes_one_poorer(home: Household) -> None:
    """Nothing spent today: tomorrow's daily is at least today's, in the same period and plan."""
    plan = plan_of(home)
    now, then = view(home, plan).allowance, view(home, plan, TODAY + timedelta(1)).allowance
    same_period = (
        now.payday == then.payday and now.breakdown.days_left == then.breakdown.days_left + 1
    )
    running = [
        (figures.income, dict(figures.by_category))
        for day in (TODAY, TODAY + timedelta(1))
        for figures in (home.books(day).running,)
    ]
    unspent = now.spent_today == 0 and now.breakdown.spent == then.breakdown.spent
    if same_period and unspent and running[0] == running[1]:
        assert then.daily >= now.daily


@pytest.mark.thorough
@many
@given(households(), st.integers(1, 500_00))
def test_moving_own_money_changes_no_part_of_the_allowance(home: Household, amount: int) -> None:
    """A transfer between own accounts, on a day that the data cover, touches no field."""
    if "savings" not in home.accounts:
        home.savings().on("checking")
    plan = plan_of(home)
    before = view(home, plan).allowance
    covered = home.books(TODAY).window.data_end
    home.transfer(covered, "checking", "savings", amount)
    after = view(home, plan).allowance
    assert after.breakdown == before.breakdown
    assert (after.daily, after.spent_today) == (before.daily, before.spent_today)


def salaried() -> Household:
    """Monthly pay on the 28th, rent on the 1st, a subscription on the 12th, food and dining."""
    return (
        with_cash(3_000_00)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
        .rents(1_500_00)
        .charges(monthly("2025-01-12", 12), "STREAMFLIX", 20_00, "subscriptions")
        .charges(every("2025-01-04", 7, 53), "SAFEWAY", 100_00, "groceries")
        .charges(every("2025-01-05", 5, 70), "BISTRO", [31_00, 58_00, 47_00], "dining")
    )


def test_a_period_runs_from_payday_to_payday() -> None:
    """Paid on the 28th: the period ends on the next 28th, 18 days from the 10th."""
    allowance = view(salaried()).allowance
    assert allowance.payday == date(2026, 1, 28)
    assert allowance.breakdown.days_left == 18


def test_the_breakdown_of_a_known_household() -> None:
    """Each figure by hand: monthly × 31 days × 12 / 365, and what is left spread over 18 days."""
    # A month: 4,000 in; rent 1,500, groceries 433.33, dining 263.25, subscription 20. The fund lacks
    # 8,600. Of the capacity of 1,783.42 half of what wants lie below the guide's 1,200 stays free, so
    # that 1,325.04 is set aside: bills are 1,500 + 20 + 1,325.04.
    allowance = view(salaried().charge("2026-01-09", "BISTRO", 60_00)).allowance
    assert allowance.breakdown == Breakdown(
        income=4_076_71,
        bills=2_899_60,
        groceries=441_64,
        transportation=0,
        available=735_47,
        spent=60_00,
        upcoming=20_00,
        remaining=675_47,
        days_left=18,
    )
    assert (allowance.daily, allowance.today, allowance.spent_today) == (37_52, 37_52, 0)


def test_what_a_period_asks_of_cash_in_a_known_household() -> None:
    """Each figure by hand: what is set aside, what cash can spare, what food still takes."""
    # Of a month's 1,325.04 × 31 × 12 / 365. Cash is 3,000.00, and 20.00 is due before payday.
    # Groceries usually take 441.64 in these 31 days, and 100.00 has been spent on them.
    period = view(salaried()).period
    assert period == PeriodCash(
        since=date(2025, 12, 28), set_aside=1_350_45, guard=2_980_00, needs=341_64
    )


@many
@given(households())
def test_what_is_set_aside_is_a_part_of_the_bills(home: Household) -> None:
    """It is never below zero nor more than the bills that hold it; what needs still take neither."""
    snapshot = view(home)
    period, parts = snapshot.period, snapshot.allowance.breakdown
    assert 0 <= period.set_aside <= parts.bills
    assert 0 <= period.needs <= parts.groceries + parts.transportation
    assert period.guard is None or snapshot.allowance.today <= period.guard


def test_no_more_is_set_aside_than_the_bills_that_hold_it() -> None:
    """Where refunds make the other bills negative, all that is left of bills is set aside."""
    snapshot = view(salaried().credit("2025-06-01", "LANDLORD", 20_000_00, "rent"))
    assert snapshot.period.set_aside == snapshot.allowance.breakdown.bills > 0


def test_where_a_balance_of_cash_is_not_known_nothing_is_spared() -> None:
    """The guard of cash that nobody told is null, and so lowers no figure."""
    home = salaried()
    plan = plan_of(home)
    home.accounts["checking"] = replace(home.accounts["checking"], balance=None)
    snapshot = view(home, plan)
    assert snapshot.period.guard is None
    assert snapshot.allowance.today == snapshot.allowance.daily


def test_a_subscription_is_a_bill_and_not_spent_twice() -> None:
    """What recurs is smoothed into bills: neither its posting nor its pending day counts as spent."""
    home = salaried()
    plan = plan_of(home)
    before = view(home, plan)
    assert date(2026, 1, 12) in {each.date for each in before.upcoming}
    day = date(2026, 1, 12)
    quiet = view(home, plan, day)
    pending = view(salaried().charge(day, "STREAMFLIX", 20_00, pending=True), plan, day)
    posted = view(salaried().charge(day, "STREAMFLIX", 20_00, "subscriptions"), plan, day)
    assert pending.allowance.breakdown.spent == quiet.allowance.breakdown.spent
    assert posted.allowance.breakdown == pending.allowance.breakdown
    assert posted.upcoming == pending.upcoming
    assert day not in {each.date for each in posted.upcoming}


def test_posting_a_pending_row_changes_nothing() -> None:
    """A coffee counts the same on the day it is pending and on the day it is posted."""
    plan = plan_of(salaried())
    pending = view(salaried().charge(TODAY, "CAFE", 5_00, "dining", pending=True), plan)
    posted = view(salaried().charge(TODAY, "CAFE", 5_00, "dining"), plan)
    assert pending.allowance.breakdown == posted.allowance.breakdown
    assert pending.allowance.daily == posted.allowance.daily
    assert pending.allowance.spent_today == posted.allowance.spent_today >= 5_00


def test_a_pending_row_is_filed_as_it_will_be_posted() -> None:
    """A rule for one exact amount holds for the pending row, too: it is the rent, not shopping."""
    plan = plan_of(salaried())
    home = salaried().payee("BAZAAR", "shopping", by_amount={600_00: "rent"})
    home.charge(TODAY, "BAZAAR", 600_00, pending=True)
    home.charge(TODAY, "BAZAAR", 40_00, pending=True)
    before = view(salaried(), plan).allowance
    assert view(home, plan).allowance.breakdown.spent == before.breakdown.spent + 40_00


def test_pending_rows_count_in_their_own_period_only() -> None:
    """Dated before the period, or after today, a pending row is not this period's spending so far."""
    plan = plan_of(salaried())
    home = salaried().charge("2025-12-27", "CAFE", 5_00, "dining", pending=True)
    home.charge(TODAY + timedelta(1), "CAFE", 7_00, pending=True)
    home.charge("2025-12-28", "CAFE", 9_00, pending=True)
    before = view(salaried(), plan).allowance.breakdown
    assert view(home, plan).allowance.breakdown.spent == before.spent + 9_00


def test_a_pending_refund_never_counts() -> None:
    """A refund lowers spending once it is posted, not before."""
    plan = plan_of(salaried())
    home = salaried().credit("2026-01-08", "BOOTS", 90_00, "shopping", pending=True)
    assert view(home, plan).allowance == view(salaried(), plan).allowance


def test_pending_income_never_counts() -> None:
    """Pay that is pending may yet be called back."""
    plan = plan_of(salaried())
    home = salaried().credit(TODAY, "CITY SCHOOL", 4_000_00, pending=True)
    assert view(home, plan).allowance == view(salaried(), plan).allowance


def test_a_refund_only_day_has_no_spending() -> None:
    """A refund today lowers what is spent in the period; spentToday is 0, not negative."""
    plan = plan_of(salaried())
    # Both days lie in one period, and nothing else is spent on the second.
    day = date(2026, 1, 7)
    before = view(salaried(), plan, day).allowance
    after = view(salaried().credit(day, "BOOTS", 35_00, "shopping"), plan, day).allowance
    assert before.spent_today == after.spent_today == 0
    assert after.breakdown.spent == before.breakdown.spent - 35_00


def test_groceries_beyond_their_mean_lower_what_is_free() -> None:
    """Food over its share of the period takes from what is available, not from what is spent."""
    plan = plan_of(salaried())
    before = view(salaried(), plan).allowance.breakdown
    home = salaried().charge("2026-01-08", "SAFEWAY", 900_00, "groceries")
    after = view(home, plan).allowance.breakdown
    assert after.groceries > before.groceries
    # One weekly shop of 100 lies in the period, too.
    assert after.groceries == 900_00 + 100_00
    assert after.spent == before.spent
    assert view(home, plan).period.needs == 0


def test_a_refund_of_food_leaves_no_more_than_its_mean_to_come() -> None:
    """Groceries that came back are no need of the days ahead beyond what these usually take."""
    plan = plan_of(salaried())
    snapshot = view(salaried().credit("2026-01-08", "SAFEWAY", 900_00, "groceries"), plan)
    assert snapshot.period.needs == snapshot.allowance.breakdown.groceries == 441_64


def test_fuel_beyond_its_mean_lowers_what_is_free() -> None:
    """Transportation is watched as groceries are: the mean of the period, or more if more was spent."""
    home = salaried().charges(monthly("2025-01-09", 12), "FUEL", 73_00, "transport")
    plan = plan_of(home)
    assert view(home, plan).allowance.breakdown.transportation == round(73_00 * 31 * 12 / 365)
    home.charge("2026-01-07", "FUEL", 50_00).charge("2026-01-08", "FUEL", 60_00, pending=True)
    snapshot = view(home, plan)
    assert snapshot.allowance.breakdown.transportation == 110_00
    # A shop of food of 100.00 was in the period, and fuel took all that it usually takes.
    assert snapshot.period.needs == snapshot.allowance.breakdown.groceries - 100_00


def test_the_guard_sees_the_rent_before_payday() -> None:
    """With the rent due and too little cash, today is what cash can spare, and below zero is short."""
    home = salaried()
    day = date(2025, 12, 30)
    plan = build_plan(home.ledger(), day)
    assert view(home, plan, day).allowance.today >= 0
    home.accounts["checking"] = replace(home.accounts["checking"], balance=1_400_00)
    short = view(home, plan, day)
    payday = present(short.allowance.payday)
    due = sum(each.amount for each in short.upcoming if each.date < payday)
    assert short.allowance.today == 1_400_00 - due < 0
    assert short.allowance.daily > 0
    assert short.period.guard == short.allowance.today


def test_own_income_replaces_the_detected() -> None:
    """The person's own monthly figure paces the period, and the source says so."""
    snapshot = view(salaried().monthly_income(3_650_00))
    assert snapshot.income.source == "manual"
    # 31 days from the 28th to the 28th: 3,650 × 31 × 12 / 365.
    assert snapshot.allowance.breakdown.income == 3_720_00
    assert view(salaried()).income.source == "detected"


def test_own_income_below_the_budget_is_drawn_from_savings() -> None:
    """Draw = budget - income, and the budget paces the period."""
    home = salaried().monthly_income(1_000_00)
    plan = plan_of(home)
    snapshot = view(home, plan)
    draw = present(snapshot.income.draw)
    assert draw.month == "2026-01"
    assert draw.budget == plan.monthly.essentials + plan.budget[1].target
    assert draw.draw == draw.budget - 1_000_00
    assert snapshot.allowance.breakdown.income == round(draw.budget * 31 * 12 / 365)
    assert view(salaried().monthly_income(9_000_00)).income.draw is None


def test_a_weak_month_of_uneven_income_is_told_and_changes_no_allowance() -> None:
    """Less than the budget came to who is paid without a rhythm: the draw is told, the pace stays."""
    home = with_cash(30_000_00)
    days = ["2025-02-03", "2025-03-27", "2025-04-11", "2025-07-02", "2025-08-23", "2025-11-29"]
    home.credits([*days, "2025-12-19"], "CLIENTS", 6_000_00, "self_employment")
    home.rents(1_500_00)
    plan = plan_of(home)
    weak = view(home, plan)
    strong = view(home.credit("2026-01-05", "CLIENTS", 6_000_00), plan)
    draw = present(weak.income.draw)
    aside = max(plan.emergency_fund.monthly_contribution, plan.budget[2].target)
    assert draw.budget == 1_500_00 + plan.budget[1].target + aside
    assert (draw.income, draw.draw) == (0, draw.budget)
    assert strong.income.draw is None
    assert weak.allowance.breakdown.income == strong.allowance.breakdown.income


def test_who_spends_what_a_pension_leaves_draws_nothing() -> None:
    """Without savings a pension's budget ends where the pension does: nothing is drawn or told."""
    home = household().checking(covered=("2025-01-01", TODAY))
    home.credits(monthly("2025-01-28", 12), "PENSION", 1_900_00, "pension_benefits")
    home.rents(1_600_00)
    home.charges(monthly("2025-01-09", 12), "TRAVELS", [300_00, 520_00, 480_00], "travel")
    plan = plan_of(home)
    assert plan.budget[2].target == 0
    assert view(home, plan).income.draw is None


def test_a_month_of_uneven_income_that_just_carries_the_budget_draws_nothing() -> None:
    """A budget of 3,250 and 3,250 received: no draw; a unit less is one unit drawn."""
    home = with_cash(30_000_00)
    days = ["2025-02-03", "2025-03-27", "2025-04-11", "2025-07-02", "2025-08-23", "2025-11-29"]
    home.credits([*days, "2025-12-19"], "CLIENTS", 6_000_00, "self_employment")
    home.rents(1_500_00)
    plan = plan_of(home)
    short = present(view(home.credit("2026-01-05", "CLIENTS", 3_250_00 - 1), plan).income.draw)
    assert (short.budget, short.draw) == (3_250_00, 1)
    assert view(home.credit("2026-01-05", "CLIENTS", 1), plan).income.draw is None


def test_between_jobs_the_budget_is_drawn() -> None:
    """No running income: the allowance rests on the budget, the draw says what cash pays."""
    home = (
        with_cash(20_000_00)
        .credits(monthly("2025-01-28", 8), "CITY SCHOOL", 4_000_00, "wages")
        .rents(1_500_00)
    )
    snapshot = view(home)
    draw = present(snapshot.income.draw)
    assert (draw.income, draw.draw) == (0, draw.budget)
    assert snapshot.allowance.payday is None
    assert snapshot.allowance.breakdown.income == round(draw.budget * 31 * 12 / 365)


def test_the_income_of_a_month_is_what_came_and_what_is_still_expected() -> None:
    """A pension of 500 due on the 28th and a gift of 80 on the 5th make 580 of this month."""
    home = (
        with_cash(20_000_00)
        .credits(monthly("2025-01-28", 12), "PENSION", 500_00, "pension_benefits")
        .credit("2026-01-05", "AUNT", 80_00, "other_income")
        .rents(1_500_00)
    )
    draw = present(view(home).income.draw)
    assert draw.income == 580_00
    assert draw.draw == draw.budget - 580_00


def test_a_charge_is_seen_thirty_days_ahead() -> None:
    """What is due in thirty days is upcoming, what is due in thirty-one is not."""
    home = salaried().charges(monthly("2025-01-09", 13), "GYM", 30_00, "hobbies")
    home.charges(monthly("2025-01-10", 13), "YOGA", 30_00, "hobbies")
    names = {each.name for each in view(home).upcoming}
    assert "GYM" in names
    assert "YOGA" not in names


def test_paydown_sets_the_payment_aside_but_not_the_interest_twice() -> None:
    """Interest is in essentials already; what is set aside is payment and contribution beyond it."""
    home = (
        with_cash(500_00)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 3_650_00, "wages")
        .rents(1_000_00)
        .card(balance=8_000_00, apr=0.24, covered=("2025-01-01", TODAY))
        .charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 160_00, "interest_fees")
    )
    plan = plan_of(home)
    aside = plan.debt.monthly_payment + plan.emergency_fund.monthly_contribution - 160_00
    snapshot = view(home, plan)
    assert plan.debt.strategy == "paydown"
    assert snapshot.allowance.breakdown.bills == round((1_160_00 + aside) * 31 * 12 / 365)
    assert snapshot.period.set_aside == round(aside * 31 * 12 / 365)


PAYDAY = date(2026, 1, 28)


def paid(balance: int = 3_000_00) -> Household:
    """Pay of 4,000 on the 28th, rent of 1,500 on the 1st, no goal for the fund: 1,700 are free."""
    return (
        household(target_months=0)
        .checking(balance=balance, covered=YEAR)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
        .rents(1_500_00)
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
    snapshot = shown(paid().charges([day, day], "CAFE", 1_000_00, "dining"), plan, day)
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
    home = with_cash(-20_00)
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
    """50 and pay of 200 against 400 of bills: 150 are missing, and the advice holds all three."""
    home = paid(balance=50_00).charges(monthly("2025-01-20", 12), "POWER", 400_00, "utilities")
    home.credits(monthly("2025-01-14", 12), "LIBRARY", 200_00, "wages")
    (gap,) = [each for each in plan_of(home).actions if each.kind == "cover_cash_gap"]
    assert gap.amount == 150_00 == -shown(home).allowance.today
    assert says(gap.detail, "$50 in cash,", "$200 comes in,", "$400 of bills")


def test_pay_that_is_late_is_not_there_before_tomorrow() -> None:
    """Three days after payday the bill of today is paid from what cash holds."""
    today = date(2026, 1, 31)
    home = household(target_months=0).checking(balance=50_00, covered=("2025-01-01", today))
    home.credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
    home.charges(monthly("2025-01-31", 12), "POWER", 150_00, "utilities")
    assert shown(home, today=today).allowance.today == -100_00
    assert shown(home, today=today).spendable_from == today + timedelta(1)


def groups(home: Household) -> dict[str, MoneyGroup]:
    ledger = home.ledger()
    plan = build_plan(ledger, TODAY)
    snapshot = live_snapshot(ledger, home.books(TODAY), plan, TODAY)
    return {group.key: group for group in snapshot.groups}


def housed() -> Household:
    home = household().checking(covered=YEAR).rents(1_000_00, "2025-01-05")
    home.charges(monthly("2025-01-20", 12), "HOME FEES", 200_00, "home_upkeep")
    return home.charges(monthly("2025-01-15", 12), "BISTRO", 300_00, "dining")


def test_a_group_gathers_its_categories() -> None:
    """Housing holds rent and fees: usual, spent this month, still due, left."""
    housing = groups(housed())["housing"]
    assert (housing.label, housing.line) == ("Housing", "essential")
    assert (housing.monthly, housing.spent, housing.upcoming) == (1_200_00, 1_000_00, 200_00)
    assert housing.left == 0
    assert housing.share == 0.8
    assert [each.category for each in housing.categories] == ["rent", "home_upkeep"]


def test_groups_come_dearest_first() -> None:
    """By what they usually cost a month."""
    assert list(groups(housed())) == ["housing", "dining"]


def test_over_the_usual_is_below_zero() -> None:
    """More spent than usual: left is negative, "over by"."""
    dining = groups(housed().charge("2026-01-08", "BISTRO", 700_00))["dining"]
    assert (dining.spent, dining.left) == (700_00, -400_00 - dining.upcoming)


def test_a_new_theme_of_this_month_appears() -> None:
    """A category that the window lacks is shown with a usual of 0."""
    travel = groups(housed().charge("2026-01-08", "AIRLINE", 450_00, "travel"))["travel"]
    assert (travel.monthly, travel.spent, travel.left, travel.share) == (0, 450_00, -450_00, 0)


def test_a_group_has_one_line() -> None:
    """An own wish among groceries makes a group beside them."""
    wine = Category("cat_wine", "Wine", "discretionary", "spending", "groceries", custom=True)
    home = housed().category(wine)
    home.charges(monthly("2025-01-11", 12), "SAFEWAY", 400_00, "groceries")
    home.charges(monthly("2025-01-12", 12), "WINE SHOP", 60_00, "cat_wine")
    found = groups(home)
    assert (found["groceries"].line, found["groceries"].monthly) == ("essential", 400_00)
    beside = found["groceries_discretionary"]
    assert (beside.label, beside.line) == ("Groceries, discretionary", "discretionary")
    assert [each.label for each in beside.categories] == ["Wine"]


def test_a_category_that_was_deleted_since_the_plan_keeps_its_place() -> None:
    """Its money stays in the plan's averages, under its old name and line."""
    boat = Category("cat_boat", "The boat", "essential", "spending", None, custom=True)
    with_boat = housed().category(boat)
    with_boat.charges(monthly("2025-01-12", 12), "MARINA", 60_00, "cat_boat")
    plan = plan_of(with_boat)
    snapshot = live_snapshot(housed().ledger(), housed().books(TODAY), plan, TODAY)
    other = next(
        group
        for group in snapshot.groups
        if group.line == "essential" and group.key.startswith("other")
    )
    assert [(each.label, each.monthly) for each in other.categories] == [("The boat", 60_00)]
    assert sum(group.monthly for group in snapshot.groups) == plan.monthly.total_spend


def test_an_own_category_without_a_theme_is_other() -> None:
    """Nothing is lost: what has no group is in "other"."""
    boat = Category("cat_boat", "The boat", "discretionary", "spending", None, custom=True)
    home = housed().category(boat).charges(monthly("2025-01-12", 12), "MARINA", 60_00, "cat_boat")
    assert groups(home)["other"].monthly == 60_00


def test_a_theme_of_one_category_has_its_title() -> None:
    """Who reads two names for one thing takes them for two; only a theme of several has its own."""
    members: dict[str, list[str]] = {}
    for category in BUILT_IN.values():
        if category.group is not None:
            members.setdefault(category.group, []).append(category.label)
    alone = {group: titles[0] for group, titles in members.items() if len(titles) == 1}
    assert {"dining", "giving", "health", "groceries"} <= alone.keys()
    assert {group: GROUP_LABELS[group] for group in alone} == alone
