"""The live view: what is safe to spend, today and a day until payday.

Averages come from the latest plan and stay as they are until the next one; balances, spending and
what is to come are counted from the rows of now. Bills are smoothed over the period, so that the half
of the month that holds the rent is no poorer than the other; the cash guard watches the timing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finplan.model.money import half_even
from finplan.model.plan import Plan, PlanSnapshot
from finplan.model.snapshot import (
    Allowance,
    Breakdown,
    Draw,
    Gaps,
    Snapshot,
    SnapshotBalances,
    SnapshotIncome,
    SnapshotWindow,
    Tally,
    Upcoming,
)
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import AMOUNT, Ledger
from finplan.plan.live.cash_guard import CashGuard, cash_guard, pending_out, pending_spending
from finplan.plan.live.freshness import connections_behind, oldest_sync
from finplan.plan.live.groups import money_groups
from finplan.plan.live.pace import Pace, draw_of, pace_of
from finplan.plan.live.period import Period, period_of
from finplan.plan.live.spent import (
    PeriodSpending,
    due_this_month,
    spent_in_period,
    spent_this_month,
)
from finplan.plan.live.upcoming import ExpectedCharge, expected_charges, last_day_shown
from finplan.plan.sections.cards import card_uses
from finplan.plan.sections.missing_accounts import missing_accounts
from finplan.plan.sections.monthly import take_means
from finplan.plan.sections.snapshot import cash_is_known, take_snapshot


@dataclass(frozen=True, slots=True)
class LiveView:
    """What the live view is worked out from: the plan's pace, and the rows and balances of now."""

    plan: Plan
    today: date
    balances: PlanSnapshot
    period: Period
    upcoming: Sequence[ExpectedCharge]
    guard: CashGuard
    pace: Pace
    draw: Draw | None
    spent: PeriodSpending


def live_view(ledger: Ledger, books: Books, plan: Plan, today: date) -> LiveView:
    """Look at a household on a day; `plan` is the latest plan, which may be older than today."""
    balances = take_snapshot(ledger)
    period = period_of(books.sources, today)
    upcoming = expected_charges(books.charges, ledger.pending, today, last_day_shown(today))
    cash = balances.liquid_cash
    spare = cash - pending_spending(ledger) - max(0, plan.monthly.essentials)
    cards = card_uses(ledger, books, spare)
    pace = pace_of(plan, ledger, books)
    return LiveView(
        plan=plan,
        today=today,
        balances=balances,
        period=period,
        upcoming=upcoming,
        guard=cash_guard(
            ledger,
            cash if cash_is_known(ledger) else None,
            ledger.pending,
            upcoming,
            cards,
            period,
            today,
        ),
        pace=pace,
        draw=draw_of(ledger, books, pace, today),
        spent=spent_in_period(ledger, books, plan, period, today),
    )


def live_snapshot(ledger: Ledger, books: Books, plan: Plan, today: date) -> Snapshot:
    """The live view of a household on a day; `books` are the ledger's on that day.

    `plan` is the latest plan, which may be older than today. What moved the allowance since it was last
    shown is not known here, so `change` is null.
    """
    live = live_view(ledger, books, plan, today)
    balances = live.balances
    return Snapshot(
        allowance=allowance(live),
        balances=SnapshotBalances(
            cash=balances.liquid_cash,
            card_debt=balances.credit_card_debt,
            loans=balances.other_debt,
            net_worth=balances.net_worth,
        ),
        upcoming=tuple(
            Upcoming(date=each.day, name=each.charge.name, amount=each.charge.amount)
            for each in live.upcoming
        ),
        groups=money_groups(
            plan,
            ledger.catalogue,
            spent_this_month(books, today),
            due_this_month(live.upcoming, today),
        ),
        window=SnapshotWindow(
            since=plan.window.since, until=plan.window.until, months=plan.window.months
        ),
        plan_date=plan.generated_on,
        synced_at=oldest_sync(ledger),
        income=SnapshotIncome(
            source="detected" if ledger.monthly_income is None else "manual", draw=live.draw
        ),
        change=None,
        gaps=_gaps(ledger, books, today),
    )


def allowance(live: LiveView) -> Allowance:
    """What is safe to spend; both subtractions of the breakdown are exact."""
    pace, period, spent = live.pace, live.period, live.spent
    income = _of_period(pace.income, period)
    groceries = max(_of_period(pace.groceries, period), spent.groceries, 0)
    transportation = max(_of_period(pace.transportation, period), spent.transportation, 0)
    bills = max(0, _of_period(pace.bills, period))
    available = income - bills - groceries - transportation
    remaining = available - spent.free
    days_left = (period.end - live.today).days
    spent_today = max(0, spent.today)
    daily = max(0, remaining + spent_today) // days_left
    share, spare = daily - spent_today, live.guard.left
    return Allowance(
        today=share if spare is None else min(share, spare),
        daily=daily,
        spent_today=spent_today,
        payday=period.payday,
        breakdown=Breakdown(
            income=income,
            bills=bills,
            groceries=groceries,
            transportation=transportation,
            available=available,
            spent=spent.free,
            upcoming=sum(each.charge.amount for each in live.upcoming if each.day < period.end),
            remaining=remaining,
            days_left=days_left,
        ),
    )


def _of_period(monthly: int, period: Period) -> int:
    """A monthly figure for the length of the period, half-even."""
    exact = monthly * period.months
    return half_even(exact.numerator, exact.denominator)


def _gaps(ledger: Ledger, books: Books, today: date) -> Gaps:
    """What the figures do not know: old data, missing accounts, unknown and pending charges."""
    means = take_means(books, ledger.catalogue)
    unknown = books.categories.get("uncategorized")
    return Gaps(
        behind=connections_behind(ledger, today),
        missing=tuple(found.missing for found in missing_accounts(ledger, books, means)),
        uncategorised=Tally(
            count=unknown.count if unknown else 0, total=unknown.total if unknown else 0
        ),
        pending=pending_tally(ledger),
    )


def pending_tally(ledger: Ledger) -> Tally:
    """The pending charges, which enter no total until they are posted."""
    out = [pending_out(row) for row in ledger.pending if row[AMOUNT] < 0]
    return Tally(count=len(out), total=sum(out))
