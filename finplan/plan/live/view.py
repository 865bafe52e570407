"""What the live view is worked out from: the pace of the latest plan, the rows and balances of now."""

from dataclasses import dataclass
from datetime import date, timedelta

from finplan.model.plan import Plan, PlanSnapshot
from finplan.model.snapshot import Draw
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.at_hand import pending_spending
from finplan.plan.live.cash_ahead import usual_needs
from finplan.plan.live.cash_guard import CashGuard, cash_guard
from finplan.plan.live.expected import AHEAD, Expected, what_is_expected
from finplan.plan.live.pace import Pace, draw_of, pace_of
from finplan.plan.live.period import Period, period_of
from finplan.plan.live.schedule import CashSchedule, cash_schedule
from finplan.plan.live.spent import PeriodSpending, spent_in_period
from finplan.plan.sections.debt import CardUse, card_uses
from finplan.plan.sections.emergency import kept_in_cash
from finplan.plan.sections.wealth import cash_is_known, take_snapshot


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


def live_view(ledger: Ledger, books: Books, plan: Plan, today: date) -> LiveView:
    """Look at a household on a day; `plan` is the latest plan, which may be older than today."""
    balances = take_snapshot(ledger)
    period = period_of(books.sources, today)
    cash = balances.liquid_cash
    cards = card_uses(ledger, books, spare=cash - pending_spending(ledger) - _kept(plan, books))
    expected = what_is_expected(ledger, books, cards, ledger.pending, period, today)
    until = max(period_of(books.sources, period.end).end, today + timedelta(AHEAD))
    known = cash if cash_is_known(ledger) else None
    schedule = cash_schedule(ledger, books, cards, known, ledger.pending, period, today, until)
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
    )


def _kept(plan: Plan, books: Books) -> int:
    """The cash that no card is paid from, by the plan's own figures: posting a charge moves none."""
    fund = plan.emergency_fund
    base = books.running.essentials
    if fund.target_months:
        base = fund.target_amount // fund.target_months
    return kept_in_cash(base, sum(item.target for item in plan.budget))
