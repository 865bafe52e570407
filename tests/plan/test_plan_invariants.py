"""What must hold of every plan, live view and wealth: the lists of the semantics."""

import json
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, example, given, settings, strategies as st

from finplan.model.money import half_even
from finplan.model.plan import Plan
from finplan.model.snapshot import Snapshot
from finplan.plan.advise.actions import ADVISERS, MOST
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan, plan_of as plan_of_assessment
from finplan.plan.detect.cadence import expected_days
from finplan.plan.ledger.days import Interval, day_of
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.live.expected import what_is_expected
from finplan.plan.live.schedule import expected_repayments
from finplan.plan.live.view import live_view
from finplan.plan.sections.debt import capacity_to_save
from finplan.plan.sections.monthly import take_means
from finplan.plan.sections.wealth import wealth
from tests.plan.households import TODAY, Household, household
from tests.plan.strategies import ODD, OUT, households
from tests.plan.typical import assessed, plan_of

pytestmark = pytest.mark.thorough

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
    assert "already counts it." in charges
    assert "not counted until" in credits_


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
    books = home.books(TODAY)
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
    household = assessed(home)
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
    household = assessed(home)
    debt, means, waterfall = (
        plan_of_assessment(household).debt,
        household.means,
        household.payoff.waterfall,
    )
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
    urgent = [each for each in kinds if not ADVISERS[each].times_a_year]
    assert any(urgent == sorted(urgent, key=order.index) for order in orders)
    waiting = [each for each in actions if ADVISERS[each.kind].times_a_year]
    worth = [(each.amount or 0) * ADVISERS[each.kind].times_a_year for each in waiting]
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
    books = home.books(TODAY)
    before = plan_for(home)
    home.transfer(books.window.until, "checking", "savings", amount)
    after_books, after = home.books(TODAY), plan_for(home)
    if after_books.window.months == books.window.months:
        assert after_books.saved - books.saved == amount
        assert after.monthly.model_copy(update={"saved": 0}) == before.monthly.model_copy(
            update={"saved": 0}
        )
        assert after.categories == before.categories


many = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def view(home: Household, plan: Plan, ago: int = 0) -> Snapshot:
    ledger, day = home.ledger(), TODAY - timedelta(ago)
    return live_snapshot(ledger, keep_books(ledger, day), plan, day)


def spare(home: Household, plan: Plan) -> int:
    """What cash can spare before the period ends."""
    left = live_view(home.ledger(), home.books(TODAY), plan, TODAY).guard.free
    assert left is not None
    return left


def moved(home: Household, account: str, amount: int) -> Household:
    """The household with another balance on an account."""
    held = home.accounts[account]
    home.accounts[account] = replace(held, balance=(held.balance or 0) + amount)
    return home


@many
@given(households())
def test_today_is_what_a_day_and_the_cash_allow(home: Household) -> None:
    """Safe to spend today never exceeds the day's share nor what cash can spare."""
    plan = plan_of(home)
    allowance = view(home, plan).allowance
    guard = spare(home, plan)
    assert allowance.today <= guard
    assert allowance.today <= allowance.daily - allowance.spent_today
    assert allowance.today in {guard, allowance.daily - allowance.spent_today}


@many
@given(households(), st.integers(0, 20))
def test_nothing_spent_keeps_the_next_days_share(home: Household, ago: int) -> None:
    """Without a row today or tomorrow, tomorrow's share is at least today's in the same period.

    Unless a source or a bill ends in between, whose limit of days has passed.
    """
    today, tomorrow = TODAY - timedelta(ago + 1), TODAY - timedelta(ago)
    days = {int(f"{today:%Y%m%d}"), int(f"{tomorrow:%Y%m%d}")}
    home.rows = [row for row in home.rows if row[2] not in days]
    home.waiting.clear()
    plan = build_plan(home.ledger(), today)
    figures = [
        (running.income, dict(running.by_category), running.one_offs)
        for day in (today, tomorrow)
        for running in (home.books(day).running,)
    ]
    assume(figures[0] == figures[1])
    now, then = view(home, plan, ago + 1), view(home, plan, ago)
    left = (now.allowance.breakdown.days_left, then.allowance.breakdown.days_left)
    if now.allowance.payday == then.allowance.payday and left[0] == left[1] + 1:
        assert now.allowance.breakdown == then.allowance.breakdown.model_copy(
            update={"days_left": left[0], "upcoming": now.allowance.breakdown.upcoming}
        )
        assert then.allowance.daily >= now.allowance.daily


@many
@given(households(), st.sampled_from([*OUT, *ODD]), st.integers(1, 900_00))
@example(household().checking(balance=0).savings(balance=2).card("visa", balance=1), "rent", 1)
def test_posting_a_pending_row_changes_nothing(home: Household, category: str, amount: int) -> None:
    """A charge counts the same while it waits and once posted, on a day that the data cover.

    What is planned with may change once it is posted, where it is a bill at a new price.
    """
    held = home.accounts["checking"]
    home.accounts["checking"] = replace(held, coverage=(Interval(day_of(TODAY), day_of(TODAY)),))
    plan = plan_of(home)
    running = home.books(TODAY).running.by_category
    home.waiting.clear()
    home.on("checking").charge(TODAY, "kiosk", amount, category, pending=True)
    waiting = view(home, plan).allowance
    home.waiting.clear()
    home.charge(TODAY, "kiosk", amount, category)
    now = home.books(TODAY).running
    assume(now.by_category == running and not now.one_offs)
    assert view(moved(home, "checking", -amount), plan).allowance == waiting


@many
@given(households(), st.integers(1, 900_00))
def test_paying_a_linked_card_changes_no_allowance(home: Household, amount: int) -> None:
    """A card payment is no spending: neither the breakdown nor the share of a day moves."""
    if "visa" not in home.accounts:
        home.card("visa", balance=0)
    plan = plan_of(home)
    before = view(home, plan).allowance
    covered = home.books(TODAY).window.data_end
    home.transfer(covered, "checking", "visa", amount, category="card_payment")
    after = view(home, plan).allowance
    assert after.breakdown == before.breakdown
    assert (after.daily, after.spent_today) == (before.daily, before.spent_today)


@many
@given(households(), st.integers(1, 900_00), st.integers(0, 300))
def test_paying_a_linked_card_changes_no_net_worth(home: Household, amount: int, ago: int) -> None:
    """What leaves cash leaves the debt: at every common point net worth stays as it was."""
    home.card("visa", balance=0)
    before = {point.date: point.net_worth for point in wealth(home.ledger(), TODAY).history}
    home.transfer(TODAY - timedelta(ago), "checking", "visa", amount, category="card_payment")
    after = {point.date: point.net_worth for point in wealth(home.ledger(), TODAY).history}
    assert all(before[day] == after[day] for day in before.keys() & after.keys())


@many
@given(households(), st.integers(1, 900_00))
def test_what_only_shows_the_data_changes_no_figure(home: Household, amount: int) -> None:
    """A pending credit, and a dismissal, move no part of the allowance."""
    plan = plan_of(home)
    before = view(home, plan).allowance
    home.on("checking").credit(TODAY, "payer 0", amount, "wages", pending=True)
    home.dismiss("task_whatever")
    assert view(home, plan).allowance == before


@many
@given(households())
def test_gaps_count_what_is_not_known(home: Household) -> None:
    """Pending charges and charges in no category are counted with their sums."""
    ledger = home.ledger()
    books = keep_books(ledger, TODAY)
    gaps = view(home, build_plan(ledger, TODAY)).gaps
    waiting = [-row[3] for row in ledger.pending if row[3] < 0]
    assert (gaps.pending.count, gaps.pending.total) == (len(waiting), sum(waiting))
    found = books.categories.get("uncategorized")
    unknown = (found.count, found.total) if found else (0, 0)
    assert (gaps.uncategorised.count, gaps.uncategorised.total) == unknown
    assert len(set(gaps.missing)) == len(gaps.missing)


def test_whether_cash_covers_a_card_is_judged_after_what_is_pending() -> None:
    """A charge on its way out of cash decides the same for the card's bill before and after it."""
    home = household().checking(balance=500_00).card("visa", balance=500_00).on("checking")
    plan = plan_of(home)
    waiting = spare(home.charge(TODAY, "LANDLORD", 200_00, "rent", pending=True), plan)
    home.waiting.clear()
    posted = spare(moved(home.charge(TODAY, "LANDLORD", 200_00), "checking", -200_00), plan)
    assert waiting == posted == 300_00 - 25_00


def planned(home: Household) -> int:
    """Planned income by its definition: the person's figure, else what running sources bring.

    A short history without any leaves what was observed.
    """
    books = home.books(TODAY)
    if home.own_income is not None:
        return home.own_income
    if books.window.months < 3 and not any(source.running for source in books.sources):
        return take_means(books, home.catalogue).income
    return sum(monthly for _, monthly in books.running.by_source)


@many
@given(households(), st.none() | st.integers(0, 9_000_00))
def test_targets_add_up_to_planned_income(home: Household, own: int | None) -> None:
    """Σ target = max(0, planned income) and Σ targetShare = 1, whoever carries the month."""
    home.own_income = own
    plan = plan_of(home)
    assert sum(item.target for item in plan.budget) == max(0, planned(home))
    assert sum(round(item.target_share * 10_000) for item in plan.budget) == 10_000
    assert sum(item.current for item in plan.budget) == plan.monthly.income
    assert plan.monthly.daily_allowance >= 0


@many
@given(households(), st.none() | st.integers(0, 9_000_00))
def test_who_lives_on_savings_spends_what_is_left(home: Household, own: int | None) -> None:
    """Income below essentials, or below spending without pay: nothing saved, the unknown kept whole."""
    home.own_income = own
    books = home.books(TODAY)
    found = assess(home.ledger(), books, TODAY)
    month, income = found.planned, max(0, planned(home))
    works = any(
        each.active and each.category in {"wages", "self_employment"} for each in books.sources
    )
    assert income >= month.essentials or found.living.applies or month.unanswered
    assert income >= month.spend or works or found.living.applies or month.unanswered
    essentials, wants, savings = found.budget
    if not found.living.applies:
        assert min(item.target for item in found.budget) >= 0
        return
    assert essentials.target == max(0, month.essentials)
    assert wants.target >= month.unknown
    assert savings.target <= 0
    if wants.target > income - essentials.target:
        assert wants.target <= max(month.discretionary, month.unknown)


@many
@given(households(), st.none() | st.integers(0, 9_000_00))
def test_what_is_drawn_is_told_and_never_income(home: Household, own: int | None) -> None:
    """A plan that draws paces the period by its budget, and the draw is what income lacks of that."""
    home.own_income = own
    ledger = home.ledger()
    plan = build_plan(ledger, TODAY)
    live = live_view(ledger, keep_books(ledger, TODAY), plan, TODAY)
    snapshot = view(home, plan)
    draw, period = snapshot.income.draw, live.period
    draws = plan.budget[2].target < 0
    if draws:
        assert draw is not None
    if draw is not None:
        assert draw.draw == max(0, draw.budget - draw.income)
        aside = live.pace.set_aside
        assert draw.budget == live.pace.essentials + plan.budget[1].target + aside
    month = draw.budget if draw is not None and draws else planned(home) + live.pace.unanswered
    assert snapshot.allowance.breakdown.income == round(month * period.months)


@many
@given(households())
def test_the_guard_is_where_known_cash_is_lowest_before_payday(home: Household) -> None:
    """The least of its evenings: cash less what is pending, and bills and cards, with pay, as they come.

    What has not come in by now is not there before tomorrow; pay of the next period counts nowhere.
    """
    ledger = home.ledger()
    plan, books = build_plan(ledger, TODAY), keep_books(ledger, TODAY)
    live = live_view(ledger, books, plan, TODAY)
    cash = {number for number, each in ledger.accounts.items() if each.kind == "depository"}
    last = live.period.end - timedelta(1)
    expected = what_is_expected(
        ledger, books, live.cards, ledger.pending, live.period, TODAY, until=last
    )
    moves = [(each.day, -each.amount) for each in expected.minimums]
    moves += [(e.day, -e.amount) for e in expected.charges if e.charge.account in cash]
    moves += [
        (max(day, TODAY + timedelta(1)), source.amount)
        for source in books.sources
        if source.active
        for day in expected_days(source, TODAY, last)
    ]
    repaid = expected_repayments(ledger, books, TODAY, last)
    moves += [(each.day, each.amount) for each in repaid]
    pending = sum(-row[3] for row in ledger.pending if row[3] < 0 and row[1] in cash)
    bills = [e for e in live.schedule.steps if e.kind == "card bill" and e.day <= last]
    moves += [(each.day, each.amount) for each in bills]
    evenings = [TODAY + timedelta(each) for each in range((last - TODAY).days + 1)]
    left = live.balances.liquid_cash - pending
    assert live.guard.free == min(
        left + sum(amount for on, amount in moves if on <= day) for day in evenings
    )
    in_full = sum(card.owed for card in live.cards if card.in_full)
    assert 0 <= live.guard.card_bills <= in_full


@many
@given(households())
def test_upcoming_is_what_is_paid_and_no_interest_of_a_card(home: Household) -> None:
    """Each upcoming item is a recurring charge or a minimum; what is before the period's end adds up."""
    ledger = home.ledger()
    plan = build_plan(ledger, TODAY)
    live = live_view(ledger, keep_books(ledger, TODAY), plan, TODAY)
    snapshot = view(home, plan)
    cards = {number for number, each in ledger.accounts.items() if each.kind == "credit"}
    on_cards = [each.charge for each in live.expected.charges if each.charge.account in cards]
    assert "interest_fees" not in {charge.category for charge in on_cards}
    revolving = [card for card in live.cards if card.owed and not card.in_full]
    assert len(live.expected.minimums) <= len(revolving)
    assert len(snapshot.upcoming) == len(live.expected.charges) + len(live.expected.minimums)
    before = sum(each.amount for each in snapshot.upcoming if each.date < live.period.end)
    assert snapshot.allowance.breakdown.upcoming == before


@many
@given(households(), st.integers(0, 4_000_00))
def test_a_day_to_spend_again_lies_ahead(home: Household, spent: int) -> None:
    """It is told only where nothing is safe to spend, after today, by the end of the period."""
    plan = plan_of(home)
    home.charge(TODAY, "kiosk", spent, "dining", pending=True)
    live = live_view(home.ledger(), home.books(TODAY), plan, TODAY)
    snapshot = view(home, plan)
    again = snapshot.spendable_from
    if snapshot.allowance.today > 0:
        assert again is None
    elif again is not None:
        assert TODAY < again <= live.period.end
    if again == TODAY + timedelta(1) < live.period.end and (live.guard.free or 0) > 0:
        # Tomorrow the same plan and rows do give a share.
        assert view(home, plan, -1).allowance.daily > 0
