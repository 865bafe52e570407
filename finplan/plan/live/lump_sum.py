"""What of the cash at hand pays a dear card at once, beside what is paid on it each month.

A card that costs ten percent or more a year is dearer than any cash is worth that is spare. What stays
is a reserve, the rare bills of the next months, and what the days ahead may need on nine of ten paths.
Source: plan-semantics, C37.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import ACCOUNT, Ledger
from finplan.plan.live.expected import Period
from finplan.plan.live.forecast import CashOutlook
from finplan.plan.live.schedule import cash_accounts, pending_payments
from finplan.plan.live.view import cash_guard
from finplan.plan.sections.debt import CardUse, PayoffPlan, dear_cards
from finplan.plan.sections.emergency import FundTarget, main_source
from finplan.plan.sections.monthly import PlannedMonth
from finplan.plan.sections.spending import rare_bills, stopped_sources

BILLS_AHEAD = 90
"""Rare bills that are due within so many days are kept."""

LOW_AHEAD = 60
"""The days within which cash is not to be lowered below what it may need."""

_SAFE_MONTHS = 3


@dataclass(frozen=True, slots=True)
class LumpSum:
    """A lump sum and what bounds it, minor units; an `amount` of 0 advises none.

    `owed` is on dear cards, less what is on its way to them. `pending` has left cash; `reserve` and
    `bills` stay. `guard` is what cash can spare until the period ends, and `lowest` the least that it
    may be on an evening of sixty days; each is None where it is not known. `least` is worth advice.
    """

    owed: int
    cash: int
    pending: int
    reserve: int
    bills: int
    guard: int | None
    lowest: int | None
    least: int

    @property
    def spare(self) -> int:
        """What neither the reserve nor rare bills hold; it may be below zero."""
        return self.cash - self.pending - self.reserve - self.bills

    @property
    def amount(self) -> int:
        """What can be paid at once; nothing below `least`, unless that clears the cards."""
        if self.guard is None or self.lowest is None:
            return 0
        amount = max(0, min(self.owed, self.spare, self.guard, self.lowest))
        return amount if amount >= min(self.least, self.owed) else 0


def lump_sum(
    ledger: Ledger,
    books: Books,
    planned: PlannedMonth,
    payoff: PayoffPlan,
    target: FundTarget,
    outlook: CashOutlook,
    period: Period,
    least: int,
) -> LumpSum:
    """The lump sum of a household that pays cards down; `outlook` knows what is pending."""
    schedule = outlook.schedule
    dear = dear_cards(payoff.revolving)
    return LumpSum(
        owed=max(0, sum(card.owed for card in dear) - _on_its_way(ledger, books, dear)),
        cash=schedule.cash or 0,
        pending=schedule.pending,
        reserve=max(target.floor, reserve_months(books, planned) * target.base),
        bills=rare_bills_ahead(books, schedule.today),
        guard=cash_guard(schedule, period).free,
        lowest=outlook.lowest(LOW_AHEAD) if outlook.has_ranges else None,
        least=least,
    )


def rare_bills_ahead(books: Books, today: date) -> int:
    """What the rare bills and planned payments of the next months are together, minor units."""
    until = today + timedelta(BILLS_AHEAD)
    planned = sum(
        followed.money.amount * len(followed.ahead(today, until))
        for followed in books.planned
        if not followed.money.incoming
    )
    return planned + sum(bill.amount for _, bill in rare_bills(books, until))


def _on_its_way(ledger: Ledger, books: Books, cards: Iterable[CardUse]) -> int:
    """What pending payments pay these cards, or a card that nobody knows."""
    numbers = {None, *(card.number for card in cards)}
    pays_cash = cash_accounts(ledger)
    waiting = [row for row in ledger.pending if row[ACCOUNT] in pays_cash]
    sent = pending_payments(ledger, books, waiting)
    return sum(payment.amount for payment in sent if payment.card in numbers)


def reserve_months(books: Books, planned: PlannedMonth) -> int:
    """How many months of needs stay in cash: more where income falls short, stopped or is irregular."""
    main = main_source(books)
    is_safe = main is not None and main.cadence != "irregular"
    if planned.surplus >= 0 and is_safe and not stopped_sources(books, planned):
        return 1
    return _SAFE_MONTHS
