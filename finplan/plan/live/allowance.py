"""The live view: what is safe to spend, today and a day until payday.

Averages come from the latest plan and stay as they are until the next one; balances, spending and
what is to come are counted from the rows of now. Bills are smoothed over the period, so that the half
of the month that holds the rent is no poorer than the other; the cash guard watches the timing.
"""

from datetime import date, timedelta

from finplan.model.money import half_even
from finplan.model.plan import Plan
from finplan.model.snapshot import (
    Allowance,
    Breakdown,
    DueSoon,
    Gaps,
    PeriodCash,
    Snapshot,
    SnapshotBalances,
    SnapshotIncome,
    SnapshotWindow,
    Tally,
    Upcoming,
)
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import AMOUNT, Ledger
from finplan.plan.live.at_hand import pending_out
from finplan.plan.live.freshness import connections_behind, oldest_sync
from finplan.plan.live.groups import money_groups
from finplan.plan.live.period import Period
from finplan.plan.live.recovery import spendable_from
from finplan.plan.live.spent import due_this_month, spent_this_month
from finplan.plan.live.view import LiveView, live_view
from finplan.plan.sections.missing_accounts import missing_accounts
from finplan.plan.sections.monthly import take_means

_SOON = 30
"""How many days are told together."""


def live_snapshot(ledger: Ledger, books: Books, plan: Plan, today: date) -> Snapshot:
    """The live view of a household on a day; `books` are the ledger's on that day.

    `plan` is the latest plan, which may be older than today. What moved the allowance since it was last
    shown is not known here, so `change` is null.
    """
    live = live_view(ledger, books, plan, today)
    balances, found = live.balances, allowance(live)
    return Snapshot(
        allowance=found,
        period=period_cash(live, found.breakdown),
        due=due_soon(live),
        balances=SnapshotBalances(
            cash=balances.liquid_cash,
            card_debt=balances.credit_card_debt,
            loans=balances.other_debt,
            net_worth=balances.net_worth,
        ),
        upcoming=live.expected.listed(),
        groups=money_groups(
            plan,
            ledger.catalogue,
            books.running.by_category,
            spent_this_month(books, today),
            due_this_month(live.expected.charges, today),
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
        spendable_from=spendable_from(books, live, found),
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
    spare, free = live.guard.left, remaining
    if pace.unanswered and spare is not None and remaining + spent_today <= 0:
        # Nobody knows that nothing is left, so that what bills leave of cash is shared out.
        free = spare
    daily = max(0, free + spent_today) // days_left
    share = daily - spent_today
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
            upcoming=live.expected.before(period.end),
            remaining=remaining,
            days_left=days_left,
        ),
    )


def period_cash(live: LiveView, parts: Breakdown) -> PeriodCash:
    """What of the period's bills is set aside, what cash can spare, and what needs usually still take.

    Groceries and transportation beyond their means leave nothing of these for the days to come. What of
    them is bought by card takes no cash before the card's bill, which the guard holds.
    """
    spent = live.spent
    needs = (
        parts.groceries
        - max(0, spent.groceries)
        + parts.transportation
        - max(0, spent.transportation)
    )
    return PeriodCash(
        since=live.period.start,
        set_aside=min(parts.bills, _of_period(live.pace.set_aside, live.period)),
        guard=live.guard.left,
        needs=min(needs, _of_period(live.cash_needs, live.period)),
        unanswered=live.pace.unanswered,
    )


def due_soon(live: LiveView) -> DueSoon:
    """What is due in thirty days, of which today is the first, so that no day of a month comes twice.

    Bills of cards stand apart, and so does what is paid back. A bill whose payment is pending has left
    cash already.
    """
    until = live.today + timedelta(_SOON - 1)
    steps = [each for each in live.schedule.steps if each.day <= until]
    return DueSoon(
        until=until,
        total=live.expected.before(until + timedelta(1)),
        card_bills=tuple(
            Upcoming(date=each.day, name=each.name, amount=-each.amount)
            for each in steps
            if each.kind == "card bill"
        ),
        repayments=tuple(
            Upcoming(date=each.day, name=each.name, amount=each.amount)
            for each in steps
            if each.kind == "income" and each.source is None
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
