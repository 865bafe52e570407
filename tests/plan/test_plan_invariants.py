"""What must hold of every plan, whatever the household: each test is a column of the semantics."""

import json
from datetime import timedelta
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finplan.model.money import half_even
from finplan.model.plan import Plan
from finplan.plan.advise.actions import ADVISERS, MOST, WORTH_A_YEAR
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan, plan_of
from finplan.plan.sections.debt import capacity_to_save
from tests.plan.households import Household
from tests.plan.strategies import TODAY, households

every_plan = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def plan_for(home: Household) -> Plan:
    return build_plan(home.ledger(), TODAY)


@every_plan
@given(households())
def test_the_same_input_gives_the_same_bytes(home: Household) -> None:
    """A plan depends on the ledger and the day alone, and reads back as it was written."""
    body = plan_for(home).model_dump_json()
    assert plan_for(home).model_dump_json() == body
    assert Plan.model_validate_json(body).model_dump_json() == body
    assert json.loads(body)["version"] == 1


@every_plan
@given(households(), st.integers(1, 900_00))
def test_pending_rows_change_nothing_but_the_note_about_them(home: Household, amount: int) -> None:
    """A plan rests on posted rows: pending ones are counted, and named, but never used.

    What is safe to spend counts the charges among them, and the note says so.
    """
    home.waiting.clear()
    before = plan_for(home)
    home.on("checking").charge(TODAY, "kiosk", amount, "dining", pending=True)
    home.credit(TODAY, "payer 0", amount, "wages", pending=True)
    after = plan_for(home)
    assert after.model_copy(update={"notes": before.notes}) == before
    charges, credits_ = (note for note in after.notes if note not in before.notes)
    assert "in no average until posted; what is safe to spend counts it already" in charges
    assert "not counted until posted" in credits_


@every_plan
@given(households())
def test_the_window_is_what_was_averaged(home: Household) -> None:
    """The window: from ≤ to ≤ generatedOn, days count both ends, no months without transactions."""
    plan = plan_for(home)
    window = plan.window
    assert window.since <= window.until <= plan.generated_on
    assert window.days == (window.until - window.since).days + 1
    assert (window.months == 0) == (window.transaction_count == 0)
    assert window.account_count == len(plan.snapshot.accounts)


@every_plan
@given(households())
def test_net_worth_is_the_sum_of_signed_balances(home: Household) -> None:
    """Net worth = cash + investments - cards - loans = Σ signed balances of accounts with a role."""
    snapshot = plan_for(home).snapshot
    signed = [
        (each.balance or 0) * (-1 if each.role == "debt" else 1)
        for each in snapshot.accounts
        if each.role != "none"
    ]
    assert snapshot.net_worth == sum(signed)
    assert snapshot.net_worth == (
        snapshot.liquid_cash
        + snapshot.investments
        - snapshot.credit_card_debt
        - snapshot.other_debt
    )


@every_plan
@given(households())
def test_monthly_figures_add_up_to_the_last_unit(home: Household) -> None:
    """Lines add up to spending, categories to lines, surplus is income less spending."""
    plan = plan_for(home)
    monthly = plan.monthly
    assert monthly.essentials + monthly.discretionary == monthly.total_spend
    assert monthly.surplus == monthly.income - monthly.total_spend
    for line, whole in (
        ("essential", monthly.essentials),
        ("discretionary", monthly.discretionary),
    ):
        assert sum(each.monthly for each in plan.categories if each.line == line) == whole
    if monthly.income > 0:
        assert abs(monthly.savings_rate - monthly.surplus / monthly.income) <= 0.000051
    else:
        assert monthly.savings_rate == 0
    assert monthly.daily_allowance == max(0, plan.budget[1].target) * 12 // 365


@every_plan
@given(households())
def test_totals_are_those_of_the_books(home: Household) -> None:
    """Σ category totals = spending, Σ source totals = income; every mean is total / months."""
    books = keep_books(home.ledger(), TODAY)
    plan = plan_for(home)
    months = books.window.months or Fraction(1)
    assert sum(each.total for each in plan.categories) == books.spending
    assert sum(each.total for each in plan.income_sources) == books.income
    spend = books.spending * months.denominator
    income = books.income * months.denominator
    assert plan.monthly.total_spend == half_even(spend, months.numerator)
    assert plan.monthly.income == half_even(income, months.numerator)
    assert all(each.count > 0 for each in plan.categories)
    totals = [(-each.total, each.category) for each in plan.categories]
    assert totals == sorted(totals)


@every_plan
@given(households())
def test_shares_of_spending_add_up_to_one(home: Household) -> None:
    """Each share lies in 0..1; together they are exactly 1, or all 0."""
    parts = [round(each.share_of_spend * 10_000) for each in plan_for(home).categories]
    assert all(0 <= part <= 10_000 for part in parts)
    assert sum(parts) in {0, 10_000}


@every_plan
@given(households())
def test_dates_to_come_are_never_past(home: Household) -> None:
    """The next date is today or later; an inactive source has none; amounts are positive."""
    plan = plan_for(home)
    for charge in plan.recurring:
        assert charge.amount > 0
        assert charge.next_date >= plan.generated_on
    for source in plan.income_sources:
        if source.next_date is not None:
            assert source.active
            assert source.cadence != "irregular"
            assert source.next_date >= plan.generated_on


@every_plan
@given(households())
def test_the_emergency_fund_is_consistent(home: Household) -> None:
    """A target is months × base; full means no gap, a known base and no unknown debt."""
    household = assess(home.ledger(), keep_books(home.ledger(), TODAY), TODAY)
    fund, base, standing = household.fund, household.target.base, household.standing
    assert base >= household.planned.essentials
    assert base == household.planned.essentials or standing.provisional
    assert 0 <= household.target.reserve <= max(0, household.snapshot.liquid_cash)
    assert fund.target_amount == fund.target_months * max(0, base)
    assert fund.gap == max(0, fund.target_amount - household.target.reserve)
    assert 0 <= fund.monthly_contribution <= fund.gap
    firm = not standing.provisional and not standing.debt_unknown
    assert (fund.months_to_target == 0) == (fund.gap == 0 and base > 0 and firm)
    if base > 0:
        covered = round(fund.months_covered * 10)
        assert covered * base <= household.target.reserve * 10 < (covered + 1) * base
    else:
        assert fund.months_covered == 0
    if home.settings.target_months is None:
        assert fund.target_months in {1, 3, 6, 9}


@every_plan
@given(households())
def test_debt_is_paid_from_what_there_is(home: Household) -> None:
    """The strategy follows what is owed, and no plan gives more than capacity and interest hold."""
    household = assess(home.ledger(), keep_books(home.ledger(), TODAY), TODAY)
    debt, means, waterfall = plan_of(household).debt, household.means, household.payoff.waterfall
    contribution = household.fund.monthly_contribution
    assert debt.total == sum(max(0, card.balance) for card in debt.cards)
    assert debt.total >= household.snapshot.credit_card_debt
    assert (debt.strategy == "none") == (debt.total == 0)
    if debt.strategy == "paydown":
        most = max(waterfall.minimums, household.planned.capacity + means.card_interest)
        assert debt.monthly_payment + contribution <= most
        assert all(card.owed > 0 for card in household.payoff.revolving)
    else:
        assert debt.monthly_payment == debt.total
        known = not household.standing.cards_unknown
        assert debt.months_to_clear == ((1 if debt.total else 0) if known else None)
        assert contribution == min(household.fund.gap, capacity_to_save(household.planned))


@every_plan
@given(households())
def test_actions_are_few_numbered_and_in_the_order_of_urgency(home: Household) -> None:
    """At most seven, priorities 1..n, no amount below zero, kinds in one order.

    Where a tenth of spending is unknown, what cannot wait and what makes it known go first. What can
    wait stands by what it is worth in a year.
    """
    actions = plan_for(home).actions
    assert [each.priority for each in actions] == list(range(1, len(actions) + 1))
    assert len(actions) <= MOST
    kinds = [each.kind for each in actions]
    first = ["reconnect_bank", "cover_cash_gap", "cover_minimums"]
    asked = [["answer_questions"], ["connect_account"], ["connect_account", "answer_questions"]]
    orders = [list(ADVISERS), *([*first, *each, *ADVISERS] for each in asked)]
    urgent = [each for each in kinds if each not in WORTH_A_YEAR]
    assert any(urgent == sorted(urgent, key=order.index) for order in orders)
    waiting = [each for each in actions if each.kind in WORTH_A_YEAR]
    worth = [(each.amount or 0) * WORTH_A_YEAR[each.kind] for each in waiting]
    assert worth == sorted(worth, reverse=True)
    assert len(actions) == MOST or [each.priority for each in waiting] == list(
        range(waiting[0].priority, waiting[0].priority + len(waiting)) if waiting else ()
    )
    for each in actions:
        assert each.amount is None or each.amount >= 0
        assert each.detail.endswith(".")
        assert len(each.title) <= 80


@every_plan
@given(households())
def test_notes_are_single_sentences_said_once(home: Household) -> None:
    """Each note is said once and ends as a sentence does."""
    notes = plan_for(home).notes
    assert len(set(notes)) == len(notes)
    assert all(note.endswith((".", "?")) for note in notes)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(households(), st.integers(1, 300_00))
def test_a_transfer_to_savings_changes_nothing_but_saved(home: Household, amount: int) -> None:
    """From checking to savings: it raises saved by amount / months and leaves every other mean alone."""
    if "savings" not in home.accounts:
        home.savings().on("checking")
    home.charge(TODAY - timedelta(60), "cafe", 4_00, "dining")
    books = keep_books(home.ledger(), TODAY)
    before = plan_for(home)
    home.transfer(books.window.until, "checking", "savings", amount)
    after_books, after = keep_books(home.ledger(), TODAY), plan_for(home)
    if after_books.window.months == books.window.months:
        assert after_books.saved - books.saved == amount
        assert after.monthly.model_copy(update={"saved": 0}) == before.monthly.model_copy(
            update={"saved": 0}
        )
        assert after.categories == before.categories
