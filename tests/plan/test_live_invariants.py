"""What must hold of the live view and of wealth, whatever the household: the lists of the semantics."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finplan.model.plan import Plan
from finplan.model.snapshot import Snapshot
from finplan.plan.build import build_plan
from finplan.plan.detect.bookkeeping import keep_books
from finplan.plan.ledger.coverage import Interval
from finplan.plan.ledger.days import day_of
from finplan.plan.live.allowance import live_snapshot, live_view
from finplan.plan.sections.wealth import wealth
from tests.plan.households import Household, household
from tests.plan.strategies import ODD, OUT, TODAY, households

many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


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
    """Without a row today or tomorrow, tomorrow's share is at least today's in the same period."""
    today, tomorrow = TODAY - timedelta(ago + 1), TODAY - timedelta(ago)
    days = {int(f"{today:%Y%m%d}"), int(f"{tomorrow:%Y%m%d}")}
    home.rows = [row for row in home.rows if row[2] not in days]
    home.waiting.clear()
    plan = build_plan(home.ledger(), today)
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
def test_posting_a_pending_charge_changes_nothing(
    home: Household, category: str, amount: int
) -> None:
    """A charge counts the same while it waits and once it is posted, on a day that the data cover."""
    held = home.accounts["checking"]
    home.accounts["checking"] = replace(held, coverage=(Interval(day_of(TODAY), day_of(TODAY)),))
    plan = build_plan(home.ledger(), TODAY)
    home.waiting.clear()
    home.on("checking").charge(TODAY, "kiosk", amount, category, pending=True)
    waiting = view(home, plan).allowance
    home.waiting.clear()
    home.charge(TODAY, "kiosk", amount, category)
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
