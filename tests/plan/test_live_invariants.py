"""What must hold of the live view and of wealth, whatever the household: the lists of the semantics."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from finplan.model.plan import Plan
from finplan.model.snapshot import Snapshot
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from finplan.plan.detect.cadence import expected_days
from finplan.plan.ledger.days import Interval, day_of
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.live.expected import what_is_expected
from finplan.plan.live.schedule import expected_repayments
from finplan.plan.live.view import live_view
from finplan.plan.sections.monthly import take_means
from finplan.plan.sections.wealth import wealth
from tests.plan.households import Household, household
from tests.plan.strategies import ODD, OUT, TODAY, households

many = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def view(home: Household, plan: Plan, ago: int = 0) -> Snapshot:
    ledger, day = home.ledger(), TODAY - timedelta(ago)
    return live_snapshot(ledger, keep_books(ledger, day), plan, day)


def spare(home: Household, plan: Plan) -> int:
    """What cash can spare before the period ends."""
    ledger = home.ledger()
    left = live_view(ledger, keep_books(ledger, TODAY), plan, TODAY).guard.left
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
    plan = build_plan(home.ledger(), TODAY)
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
        for running in (keep_books(home.ledger(), day).running,)
    ]
    assume(figures[0] == figures[1])
    now, then = view(home, plan, ago + 1), view(home, plan, ago)
    left = (now.allowance.breakdown.days_left, then.allowance.breakdown.days_left)
    if now.allowance.payday == then.allowance.payday and left[0] == left[1] + 1:
        assert now.allowance.breakdown == then.allowance.breakdown.model_copy(
            update={
                "days_left": left[0],
                "upcoming": now.allowance.breakdown.upcoming,
            }
        )
        assert then.allowance.daily >= now.allowance.daily


@many
@given(households(), st.sampled_from([*OUT, *ODD]), st.integers(1, 900_00))
@example(household().checking(balance=0).savings(balance=2).card("visa", balance=1), "rent", 1)
def test_posting_a_pending_charge_changes_nothing(
    home: Household, category: str, amount: int
) -> None:
    """A charge counts the same while it waits and once posted, on a day that the data cover.

    What is planned with may change once it is posted, where it is a bill at a new price.
    """
    held = home.accounts["checking"]
    home.accounts["checking"] = replace(held, coverage=(Interval(day_of(TODAY), day_of(TODAY)),))
    plan = build_plan(home.ledger(), TODAY)
    running = keep_books(home.ledger(), TODAY).running.by_category
    home.waiting.clear()
    home.on("checking").charge(TODAY, "kiosk", amount, category, pending=True)
    waiting = view(home, plan).allowance
    home.waiting.clear()
    home.charge(TODAY, "kiosk", amount, category)
    now = keep_books(home.ledger(), TODAY).running
    assume(now.by_category == running and not now.one_offs)
    posted = view(moved(home, "checking", -amount), plan).allowance
    assert posted == waiting


@many
@given(households(), st.integers(1, 900_00))
def test_paying_a_linked_card_changes_no_part_of_the_allowance(
    home: Household, amount: int
) -> None:
    """A card payment is no spending: neither the breakdown nor the share of a day moves."""
    if "visa" not in home.accounts:
        home.card("visa", balance=0)
    plan = build_plan(home.ledger(), TODAY)
    before = view(home, plan).allowance
    covered = keep_books(home.ledger(), TODAY).window.data_end
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
    plan = build_plan(home.ledger(), TODAY)
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
    plan = build_plan(home.ledger(), TODAY)
    waiting = spare(home.charge(TODAY, "LANDLORD", 200_00, "rent", pending=True), plan)
    home.waiting.clear()
    posted = spare(moved(home.charge(TODAY, "LANDLORD", 200_00), "checking", -200_00), plan)
    assert waiting == posted == 300_00 - 25_00


def planned(home: Household) -> int:
    """Planned income by its definition: the person's figure, else what running sources bring.

    A short history without any leaves what was observed.
    """
    books = keep_books(home.ledger(), TODAY)
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
    plan = build_plan(home.ledger(), TODAY)
    assert sum(item.target for item in plan.budget) == max(0, planned(home))
    assert sum(round(item.target_share * 10_000) for item in plan.budget) == 10_000
    assert sum(item.current for item in plan.budget) == plan.monthly.income
    assert plan.monthly.daily_allowance >= 0


@many
@given(households(), st.none() | st.integers(0, 9_000_00))
def test_who_lives_on_savings_may_spend_what_income_leaves(
    home: Household, own: int | None
) -> None:
    """Income below essentials, or below spending without pay: nothing saved, the unknown kept whole."""
    home.own_income = own
    ledger = home.ledger()
    books = keep_books(ledger, TODAY)
    found = assess(ledger, books, TODAY)
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
    assert live.guard.left == min(
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
    plan = build_plan(home.ledger(), TODAY)
    home.charge(TODAY, "kiosk", spent, "dining", pending=True)
    ledger = home.ledger()
    live = live_view(ledger, keep_books(ledger, TODAY), plan, TODAY)
    snapshot = view(home, plan)
    again = snapshot.spendable_from
    if snapshot.allowance.today > 0:
        assert again is None
    elif again is not None:
        assert TODAY < again <= live.period.end
    if again == TODAY + timedelta(1) < live.period.end and (live.guard.left or 0) > 0:
        # Tomorrow the same plan and rows do give a share.
        assert view(home, plan, -1).allowance.daily > 0
