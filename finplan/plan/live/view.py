"""What the live view is worked out from: the plan's pace, the rows and balances of now.

Cash ahead is what it is known to be at the end of each day to come, with expected pay and with
bills.

A smoothed allowance does not see that rent falls due before pay comes. The cash guard does: it is
where cash is lowest before payday, by what is known to come in and to be paid, without usual
spending. The guard ends with the period. Whether the next pay carries what falls due after it is
seen in cash ahead.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from finplan.model.money import half_even
from finplan.model.plan import Plan, PlanSnapshot
from finplan.model.snapshot import Draw
from finplan.plan.ledger.books import Books, rows_in_window
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, Ledger
from finplan.plan.live.expected import AHEAD, Expected, Period, period_of, what_is_expected
from finplan.plan.live.pace import (
    Pace,
    PeriodSpending,
    PlannedNow,
    draw_of,
    group_of,
    line_of,
    pace_of,
    planned_now,
    spent_in_period,
)
from finplan.plan.live.schedule import (
    CashSchedule,
    CashStep,
    LowPoint,
    StepKind,
    cash_accounts,
    cash_schedule,
    lowest_of,
    pending_spending,
)
from finplan.plan.sections.debt import CardUse, card_uses
from finplan.plan.sections.emergency import kept_in_cash
from finplan.plan.sections.monthly import per_month
from finplan.plan.sections.spending import running_charges
from finplan.plan.sections.wealth import knows_cash, take_snapshot


@dataclass(frozen=True, slots=True)
class CashGuard:
    """Cash, and what comes in and is to be paid until its lowest day before the period ends.

    `cash` is None where it is not known. `pending` are the pending outflows, `charges` the recurring
    charges, `minimums` those of cards that revolve, `card_bills` the bills of cards that are paid in
    full; `pay` is what comes in first. `planned` are planned payments less planned money in. `lowest` is
    that day, the earliest of several.
    """

    cash: int | None
    pending: int
    pay: int
    charges: int
    minimums: int
    card_bills: int
    planned: int
    lowest: date

    @property
    def free(self) -> int | None:
        """What may be spent until the period ends without running out of cash; below 0 is short."""
        if self.cash is None:
            return None
        due = self.charges + self.minimums + self.card_bills + self.planned
        return self.cash - self.pending + self.pay - due


def cash_guard(schedule: CashSchedule, period: Period) -> CashGuard:
    """The lowest point of a schedule before a period ends, and what makes it so."""
    low = schedule.lowest(schedule.today, period.end - timedelta(1)).day
    sums: Counter[StepKind] = Counter()
    for step in schedule.steps:
        if step.day <= low:
            sums[step.kind] += step.amount
    return CashGuard(
        cash=schedule.cash,
        pending=schedule.pending,
        pay=sums["income"],
        charges=-sums["charge"],
        minimums=-sums["minimum"],
        card_bills=-sums["card bill"],
        planned=-sums["planned"],
        lowest=low,
    )


_USUAL_NEEDS = frozenset({"groceries", "transportation"})
"""The needs that are paid for every few days, without a bill."""


@dataclass(frozen=True, slots=True)
class CashAhead:
    """The `schedule` of what is known, and usual needs a month.

    `usual` is what groceries and transport take from cash beside the bills; minor units.
    """

    schedule: CashSchedule
    usual: int

    def lowest_in_use(self, since: date, until: date, set_aside: int) -> LowPoint:
        """Where cash is lowest if usual needs are met from tomorrow, and a sum put aside from `since`.

        That is a sum a month. Both are taken evenly, a part each day.
        """
        today = self.schedule.today

        def spent_by(day: date) -> int:
            each_day = self.usual * (day - today).days + set_aside * (day - since).days
            return half_even(12 * each_day, 365)

        return lowest_of(
            LowPoint(point.day, point.cash - spent_by(point.day))
            for point in self.schedule.evenings(since, until)
        )

    def bills(self, since: date, until: date) -> Sequence[CashStep]:
        """What is to be paid between two days, both counted, the largest first."""
        due = [
            step for step in self.schedule.steps if step.amount < 0 and since <= step.day <= until
        ]
        return sorted(due, key=lambda step: (step.amount, step.day, step.name))


def usual_needs(ledger: Ledger, books: Books) -> int:
    """What groceries and transport take from cash a month beside recurring charges, minor units."""
    pays_cash, catalogue = cash_accounts(ledger), ledger.catalogue
    needs = {
        category
        for category in books.categories
        if group_of(catalogue, category) in _USUAL_NEEDS
        and line_of(catalogue, category) == "essential"
    }
    spent = -sum(row[AMOUNT] for row in rows_in_window(books, needs) if row[ACCOUNT] in pays_cash)
    billed = sum(
        charge.monthly
        for charge in running_charges(books)
        if charge.category in needs and charge.account in pays_cash
    )
    return max(0, per_month(spent, books.window.months) - billed)


@dataclass(frozen=True, slots=True)
class LiveView:
    """What the live view is worked out from: the plan's pace, and the rows and balances of now.

    `schedule` is what is known to come in and to be paid until the next period ends, thirty days at
    least. `cash_needs` is what groceries and transport take from cash a month, minor units.
    """

    plan: Plan
    today: date
    balances: PlanSnapshot
    period: Period
    cards: tuple[CardUse, ...]
    expected: Expected
    schedule: CashSchedule
    guard: CashGuard
    pace: Pace
    draw: Draw | None
    spent: PeriodSpending
    cash_needs: int
    planned_now: PlannedNow


def live_view(ledger: Ledger, books: Books, plan: Plan, today: date) -> LiveView:
    """Look at a household on a day; `plan` is the latest plan, which may be older than today."""
    balances = take_snapshot(ledger)
    period = period_of(books.sources, today)
    cash = balances.liquid_cash
    cards = card_uses(
        ledger, books, spare=cash - pending_spending(ledger) - _kept_from_cards(plan, books)
    )
    expected = what_is_expected(ledger, books, cards, ledger.pending, period, today)
    until = max(period_of(books.sources, period.end).end, today + timedelta(AHEAD))
    known_cash = cash if knows_cash(ledger) else None
    schedule = cash_schedule(ledger, books, cards, known_cash, ledger.pending, period, today, until)
    pace = pace_of(plan, ledger, books)
    return LiveView(
        plan=plan,
        today=today,
        balances=balances,
        period=period,
        cards=cards,
        expected=expected,
        schedule=schedule,
        guard=cash_guard(schedule, period),
        pace=pace,
        draw=draw_of(ledger, books, pace, today),
        spent=spent_in_period(ledger, books, plan, period, today),
        cash_needs=usual_needs(ledger, books),
        planned_now=planned_now(books, period, today),
    )


def _kept_from_cards(plan: Plan, books: Books) -> int:
    """The cash that no card is paid from, by the plan's own figures: posting a charge moves none."""
    fund = plan.emergency_fund
    base = books.running.essentials
    if fund.target_months:
        base = fund.target_amount // fund.target_months
    return kept_in_cash(base, sum(item.target for item in plan.budget))
