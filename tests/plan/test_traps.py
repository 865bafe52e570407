"""What trips planners up: each trap is walked into with a whole plan, and nothing gives way."""

from datetime import date, timedelta

from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import build_plan
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.wealth import wealth
from tests.plan.households import Household, every, household, monthly
from tests.plan.typical import TODAY, YEAR, kinds, live, plan_of


def salaried(last: date = TODAY, since: str = "2025-01-01") -> Household:
    """Monthly pay, rent and weekly food up to a day."""
    start = date.fromisoformat(since)
    home = household().checking(balance=20_000_00, covered=(start, last))
    home.credits(
        [d for d in monthly("2023-01-28", 60) if start <= d <= last], "CITY", 4_000_00, "wages"
    )
    home.charges(
        [d for d in monthly("2023-01-01", 60) if start <= d <= last], "LANDLORD", 1_500_00, "rent"
    )
    food = [d for d in every("2023-01-04", 7, 260) if start <= d <= last]
    return home.charges(food, "SAFEWAY", 100_00, "groceries")


def test_a_refund_larger_than_the_months_spending() -> None:
    """The month, the category and the allowance go below zero; every total still adds up."""
    home = salaried().charge("2025-03-03", "AIRLINE", 900_00, "travel")
    home.credit("2026-01-08", "AIRLINE", 6_000_00, "travel")
    plan = plan_of(home)
    snapshot = live(home)
    assert snapshot.allowance.breakdown.spent == -6_000_00
    assert snapshot.allowance.spent_today == 0
    assert snapshot.allowance.daily > live(salaried()).allowance.daily
    # In February the refund lies in the window.
    later = date(2026, 2, 10)
    refunded = build_plan(
        salaried(later).credit("2026-01-08", "AIRLINE", 6_000_00, "travel").ledger(), later
    )
    travel = {entry.category: entry for entry in refunded.categories}["travel"]
    assert (travel.total, travel.share_of_spend) == (-6_000_00, 0)
    assert sum(entry.monthly for entry in refunded.categories) == refunded.monthly.total_spend
    assert refunded.monthly.discretionary == -500_00
    assert plan.monthly.surplus == plan.monthly.income - plan.monthly.total_spend


def test_an_overpaid_card() -> None:
    """What is owed is nothing, the credit lowers the debt, and no payment or card advice follows."""
    home = salaried().card("visa", balance=-80_00, credit_limit=1_000_00, covered=YEAR)
    plan = plan_of(home)
    assert (plan.debt.total, plan.debt.strategy, plan.debt.monthly_payment) == (0, "none", 0)
    assert (plan.debt.cards[0].balance, plan.debt.cards[0].utilization) == (-80_00, 0)
    assert plan.snapshot.credit_card_debt == -80_00
    assert plan.snapshot.net_worth == 20_080_00
    assert wealth(home.ledger(), TODAY).balances.available == 20_000_00
    assert not kinds(plan) & {"pay_card_in_full", "pay_down_card", "lower_utilization"}


def test_a_month_without_income() -> None:
    """An unpaid month lowers the average and what the source gives a month; nobody says it stopped."""
    home = salaried()
    home.rows = [row for row in home.rows if not (row[3] > 0 and row[2] // 100 == 202507)]
    plan = plan_of(home)
    (source,) = plan.income_sources
    assert plan.monthly.income == round(11 * 4_000_00 / 12)
    assert (source.cadence, source.active, source.monthly) == ("monthly", True, 3_666_67)
    assert source.next_date == date(2026, 1, 28)
    assert "income_stopped" not in kinds(plan)
    assert not any("stopped" in note or "left out" in note for note in plan.notes)


def test_a_single_month_of_history() -> None:
    """One full month: averages of it, the goal is assumed, and no trend or budget is advised."""
    home = salaried(since="2025-12-01")
    plan = plan_of(home)
    assert (plan.window.months, plan.window.since) == (1, date(2025, 12, 1))
    assert plan.monthly.income == 4_000_00
    assert plan.monthly.total_spend == 1_500_00 + 5 * 100_00
    assert plan.emergency_fund.target_months == 6
    assert any("assumed" in note for note in plan.notes)
    assert kinds(plan) <= {"cover_cash_gap", "connect_account", "answer_questions"}
    assert live(home).allowance.breakdown.days_left >= 1


def test_no_transactions_at_all() -> None:
    """An account without rows: zeros and a sentence, in the plan, the live view and wealth."""
    home = household().checking(balance=700_00)
    plan = plan_of(home)
    snapshot = live(home)
    assert plan.window.months == plan.window.transaction_count == 0
    assert plan.monthly.model_dump() == dict.fromkeys(plan.monthly.model_dump(), 0)
    assert (plan.categories, plan.income_sources, plan.recurring, plan.actions) == ((), (), (), ())
    assert plan.emergency_fund.months_to_target is None
    assert plan.notes[0].startswith("There are no transactions yet")
    assert (snapshot.allowance.daily, snapshot.allowance.today) == (0, 0)
    assert snapshot.balances.cash == 700_00
    assert [point.net_worth for point in wealth(home.ledger(), TODAY).history] == [700_00]
    nothing = plan_of(household())
    assert nothing.window.account_count == 0
    assert live(household()).upcoming == ()


def test_thirty_accounts() -> None:
    """Each is counted once, whatever its role; none limits what the others know."""
    home = salaried()
    for number in range(10):
        home.savings(f"savings {number}", balance=1_00)
        home.card(f"card {number}", balance=10_00)
        home.brokerage(f"fund {number}", balance=100_00)
    home.accounts.pop("fund 9")
    plan = plan_of(home)
    assert plan.window.account_count == len(plan.snapshot.accounts) == 30
    assert (plan.window.months, plan.monthly) == (12, plan_of(salaried()).monthly)
    assert plan.snapshot.liquid_cash == 20_000_00 + 10 * 1_00
    assert plan.snapshot.credit_card_debt == plan.debt.total == 10 * 10_00
    assert plan.snapshot.investments == 9 * 100_00
    assert len(plan.actions) <= 7
    assert wealth(home.ledger(), TODAY).history[-1].net_worth == plan.snapshot.net_worth


def test_a_leap_day() -> None:
    """February ends on the 29th: the window, the wealth and what is next all know it."""
    day = date(2024, 2, 29)
    home = salaried(day, since="2023-01-01")
    home.charges(monthly("2023-01-31", 13), "INSURER", 90_00, "insurance")
    home.charges(["2023-02-28"], "YEARLY", 120_00, "subscriptions")
    on_the_day = build_plan(home.ledger(), day)
    insurer = {each.name: each for each in on_the_day.recurring}["INSURER"]
    assert insurer.next_date == day
    assert on_the_day.window.until == date(2024, 1, 31)
    snapshot = live_snapshot(home.ledger(), keep_books(home.ledger(), day), on_the_day, day)
    due = [(each.name, each.likely) for each in snapshot.upcoming if each.date == day]
    # What came once on 28 February of the year before was due a day ago.
    assert due == [("INSURER", False), ("YEARLY", True)]
    home.charge(day, "INSURER", 90_00)
    next_day = day + timedelta(1)
    after = build_plan(home.ledger(), next_day)
    assert after.window.until == day
    assert after.window.days == 366
    assert {each.name: each for each in after.recurring}["INSURER"].next_date == date(2024, 3, 31)
    points = [point.date for point in wealth(home.ledger(), date(2024, 3, 10)).history]
    assert day in points


def test_a_salary_that_moves_from_the_31st_to_the_28th() -> None:
    """One source before and after, still monthly, and the next payday is where it moved to."""
    home = household().checking(balance=9_000_00, covered=("2025-01-01", TODAY))
    home.credits(monthly("2025-01-31", 7), "CITY SCHOOL", 3_000_00, "wages")
    home.credits(monthly("2025-08-28", 5), "CITY SCHOOL", 3_000_00)
    home.charges(monthly("2025-01-01", 13), "LANDLORD", 1_500_00, "rent")
    plan = plan_of(home)
    (source,) = plan.income_sources
    assert (source.cadence, source.count, source.active) == ("monthly", 12, True)
    assert (source.monthly, plan.monthly.income) == (3_000_00, 3_000_00)
    assert source.next_date is not None
    assert abs((source.next_date - date(2026, 1, 28)).days) <= 3
    assert live(home).allowance.payday == source.next_date


def test_a_cancelled_subscription_leaves_the_plan() -> None:
    """Once it stays away it is no longer recurring or upcoming; what it cost stays in the averages."""
    home = salaried().charges(monthly("2025-01-12", 8), "STREAMFLIX", 20_00, "subscriptions")
    home.charges(monthly("2025-01-13", 12), "CLOUD", 5_00, "subscriptions")
    plan = plan_of(home)
    names = {each.name for each in plan.recurring}
    assert "CLOUD" in names
    assert "STREAMFLIX" not in names
    assert "STREAMFLIX" not in {each.name for each in live(home).upcoming}
    subscriptions = {entry.category: entry for entry in plan.categories}["subscriptions"]
    assert subscriptions.total == 8 * 20_00 + 12 * 5_00
    # A month after its last charge it was still expected.
    earlier = date(2025, 9, 10)
    before = build_plan(
        salaried(earlier)
        .charges(monthly("2025-01-12", 8), "STREAMFLIX", 20_00, "subscriptions")
        .ledger(),
        earlier,
    )
    assert "STREAMFLIX" in {each.name for each in before.recurring}
