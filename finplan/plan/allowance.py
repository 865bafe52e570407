"""The live view: what is safe to spend, today and a day until payday.

Averages come from the latest plan and stay as they are until the next one; balances, spending and
what is to come are counted from the rows of now. Bills are smoothed over the period, so that the half
of the month that holds the rent is no poorer than the other; the cash guard watches the timing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from finplan.model.money import half_even
from finplan.model.plan import Plan
from finplan.model.snapshot import (
    Allowance,
    Breakdown,
    Change,
    Draw,
    Gaps,
    Snapshot,
    SnapshotBalances,
    SnapshotIncome,
    SnapshotWindow,
    Tally,
    Upcoming,
)
from finplan.plan.books import Books
from finplan.plan.cadence import occurrences
from finplan.plan.cards import card_uses
from finplan.plan.days import date_of, day_of, last_day
from finplan.plan.freshness import behind, oldest_sync
from finplan.plan.groups import group_of, line_of, money_groups
from finplan.plan.guard import cash_guard, pending_out
from finplan.plan.ledger import Ledger, Row
from finplan.plan.lookup import between, pending_category, rows_of
from finplan.plan.missing import missing_accounts
from finplan.plan.monthly import per_month, planned_income, take_means
from finplan.plan.period import Period, period_of
from finplan.plan.snapshot import take_snapshot
from finplan.plan.upcoming import Expected, SeriesRows, end_of_view, expected_charges


def live_snapshot(
    ledger: Ledger, books: Books, plan: Plan, today: date, change: Change | None = None
) -> Snapshot:
    """The live view of a household on a day; `books` are the ledger's on that day.

    `plan` is the latest plan, which may be older than today. `change` is the last event that moved
    the daily allowance, which only the store knows; one that moved nothing is left out.
    """
    balances = take_snapshot(ledger)
    period = period_of(books.sources, today)
    upcoming = expected_charges(books.charges, ledger.pending, today, end_of_view(today))
    spare = balances.liquid_cash - max(0, plan.monthly.essentials)
    cards = card_uses(ledger, books, spare)
    guard = cash_guard(ledger, balances.liquid_cash, upcoming, cards, period, today)
    draw = _draw(ledger, books, plan, today)
    return Snapshot(
        allowance=_allowance(ledger, books, plan, period, upcoming, guard, draw, today),
        balances=SnapshotBalances(
            cash=balances.liquid_cash,
            card_debt=balances.credit_card_debt,
            loans=balances.other_debt,
            net_worth=balances.net_worth,
        ),
        upcoming=tuple(
            Upcoming(date=each.day, name=each.charge.name, amount=each.charge.amount)
            for each in upcoming
        ),
        groups=money_groups(
            plan,
            ledger.catalogue,
            _spent_this_month(books, today),
            _due_this_month(upcoming, today),
        ),
        window=SnapshotWindow(
            since=plan.window.since, until=plan.window.until, months=plan.window.months
        ),
        plan_date=plan.generated_on,
        synced_at=oldest_sync(ledger),
        income=SnapshotIncome(
            source="detected" if ledger.monthly_income is None else "manual", draw=draw
        ),
        change=change if change is not None and change.before != change.after else None,
        gaps=_gaps(ledger, books, today),
    )


def _allowance(
    ledger: Ledger,
    books: Books,
    plan: Plan,
    period: Period,
    upcoming: Iterable[Expected],
    guard: int,
    draw: Draw | None,
    today: date,
) -> Allowance:
    spent = _spent_in_period(ledger, books, plan, period, today)
    means = _PlanMeans.of(plan, ledger, books)
    income = _of_period(_income(ledger, plan, means, draw), period)
    groceries = max(_of_period(means.groceries, period), spent.groceries, 0)
    transportation = max(_of_period(means.transportation, period), spent.transportation, 0)
    bills = max(0, _of_period(means.bills, period))
    available = income - bills - groceries - transportation
    remaining = available - spent.free
    days_left = (period.end - today).days
    spent_today = max(0, spent.today)
    daily = max(0, remaining + spent_today) // days_left
    return Allowance(
        today=min(daily - spent_today, guard),
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
            upcoming=sum(each.charge.amount for each in upcoming if each.day < period.end),
            remaining=remaining,
            days_left=days_left,
        ),
    )


def _of_period(monthly: int, period: Period) -> int:
    """A monthly figure for the length of the period, half-even."""
    exact = monthly * period.months
    return half_even(exact.numerator, exact.denominator)


@dataclass(frozen=True, slots=True)
class _PlanMeans:
    """What a plan says a month takes before anything is free to spend."""

    planned: int
    groceries: int
    transportation: int
    bills: int

    @classmethod
    def of(cls, plan: Plan, ledger: Ledger, books: Books) -> "_PlanMeans":
        groups = {"groceries": 0, "transportation": 0}
        for entry in plan.categories:
            group = group_of(ledger.catalogue, entry.category)
            if entry.line == "essential" and group in groups:
                groups[group] += entry.monthly
        lines = {entry.category: entry.line for entry in plan.categories}
        recurring_wants = sum(
            item.monthly
            for item in plan.recurring
            if line_of(ledger.catalogue, item.category, lines.get(item.category)) == "discretionary"
        )
        planned = planned_income(plan.monthly.income, plan.window.months, plan.income_sources)
        other_essentials = plan.monthly.essentials - sum(groups.values())
        return cls(
            planned=planned,
            groceries=groups["groceries"],
            transportation=groups["transportation"],
            bills=other_essentials + recurring_wants + _set_aside(plan, ledger, books, planned),
        )


def _set_aside(plan: Plan, ledger: Ledger, books: Books, planned: int) -> int:
    """What goes to the fund and the cards each month, or what the budget saves.

    Under `paydown` the interest is in essentials already, so it is not set aside a second time.
    """
    contribution = plan.emergency_fund.monthly_contribution
    if plan.debt.strategy == "paydown":
        interest = _card_interest(plan, ledger, books)
        return max(0, contribution + plan.debt.monthly_payment - interest)
    capacity = max(0, planned - plan.monthly.total_spend)
    return max(contribution, min(plan.budget[2].target, capacity))


def _card_interest(plan: Plan, ledger: Ledger, books: Books) -> int:
    since, until = day_of(plan.window.since), day_of(plan.window.until)
    charged = -sum(
        row[3]
        for row in rows_of(books, {"interest_fees"}, since, until)
        if ledger.accounts[row[1]].kind == "credit"
    )
    months = Fraction(plan.window.months).limit_denominator(100)
    return max(0, per_month(charged, months))


def _income(ledger: Ledger, plan: Plan, means: _PlanMeans, draw: Draw | None) -> int:
    """The month's income: the person's own figure, else the budget to be drawn, else the planned."""
    if ledger.monthly_income is not None:
        return ledger.monthly_income
    return means.planned if draw is None else draw.budget


def _draw(ledger: Ledger, books: Books, plan: Plan, today: date) -> Draw | None:
    """What this month takes from cash, where income does not carry the budget; it is never income."""
    budget = plan.monthly.essentials + plan.budget[1].target
    manual = ledger.monthly_income
    planned = planned_income(plan.monthly.income, plan.window.months, plan.income_sources)
    if (planned if manual is None else manual) >= budget:
        return None
    income = _income_this_month(ledger, books, today) if manual is None else manual
    return Draw(month=f"{today:%Y-%m}", budget=budget, income=income, draw=max(0, budget - income))


def _income_this_month(ledger: Ledger, books: Books, today: date) -> int:
    """What has come in this month and what is still expected of regular sources."""
    month = today.year * 100 + today.month
    received = sum(
        row[3]
        for sheet in books.sheets
        if sheet.flow == "income"
        for row in between(sheet, month * 100 + 1, day_of(today))
    )
    expected = sum(
        source.amount * len(occurrences(source, today, date_of(last_day(month))))
        for source in books.sources
        if source.active
    )
    return received + expected


@dataclass(slots=True)
class _Spent:
    """The period so far: free spending, the part of it dated today, and two essential groups."""

    free: int = 0
    today: int = 0
    groceries: int = 0
    transportation: int = 0


def _spent_in_period(
    ledger: Ledger, books: Books, plan: Plan, period: Period, today: date
) -> _Spent:
    """Spending of the period, pending outflows included: what was bought today is rarely posted."""
    spent = _Spent()
    catalogue = ledger.catalogue
    for category, row, in_series in _period_rows(ledger, books, plan, period, today):
        group = group_of(catalogue, category)
        if catalogue[category].line == "essential":
            spent.groceries -= row[3] * (group == "groceries")
            spent.transportation -= row[3] * (group == "transportation")
        elif not in_series:
            spent.free -= row[3]
            spent.today -= row[3] * (row[2] == day_of(today))
    return spent


def _period_rows(
    ledger: Ledger, books: Books, plan: Plan, period: Period, today: date
) -> Iterator[tuple[str, Row, bool]]:
    """The spending rows of the period, their category, and whether the plan's bills hold them."""
    smoothed = {(item.name, item.category) for item in plan.recurring}
    series = SeriesRows(each for each in books.charges if (each.name, each.category) in smoothed)
    since, until = day_of(period.start), day_of(today)
    for sheet in books.sheets:
        if sheet.flow == "spending":
            for row in between(sheet, since, until):
                yield sheet.category, row, series.posted(row)
    for row in ledger.pending:
        category = pending_category(ledger, row)
        outflow = pending_out(row) > 0 and ledger.catalogue.flow(category) == "spending"
        if outflow and since <= row[2] <= until:
            yield category, row, series.pending(row)


def _spent_this_month(books: Books, today: date) -> dict[str, int]:
    """This calendar month's posted spending by category."""
    since, until = day_of(today.replace(day=1)), day_of(today)
    spent: dict[str, int] = {}
    for sheet in books.sheets:
        if sheet.flow == "spending" and (rows := between(sheet, since, until)):
            total = -sum(row[3] for row in rows)
            spent[sheet.category] = spent.get(sheet.category, 0) + total
    return spent


def _due_this_month(upcoming: Iterable[Expected], today: date) -> dict[str, int]:
    """The recurring charges still to come this calendar month, by category."""
    due: dict[str, int] = {}
    for each in upcoming:
        if (each.day.year, each.day.month) == (today.year, today.month):
            category = each.charge.category
            due[category] = due.get(category, 0) + each.charge.amount
    return due


def _gaps(ledger: Ledger, books: Books, today: date) -> Gaps:
    """What the figures do not know: old data, missing accounts, unknown and pending charges."""
    means = take_means(books, ledger.catalogue)
    unknown = books.categories.get("uncategorized")
    return Gaps(
        behind=behind(ledger, today),
        missing=tuple(found.missing for found in missing_accounts(ledger, books, means)),
        uncategorised=Tally(
            count=unknown.count if unknown else 0, total=unknown.total if unknown else 0
        ),
        pending=pending_tally(ledger),
    )


def pending_tally(ledger: Ledger) -> Tally:
    """The pending charges, which enter no total until they are posted."""
    out = [pending_out(row) for row in ledger.pending if row[3] < 0]
    return Tally(count=len(out), total=sum(out))
