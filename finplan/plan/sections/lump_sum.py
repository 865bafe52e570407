"""What of the cash at hand pays a dear card at once, beside what is paid on it each month.

A card that costs ten percent or more a year is dearer than any cash is worth that is spare. What stays
is a reserve, the rare bills of the next months, and what the days ahead may need on nine of ten paths.
Source: plan-semantics, C37.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from finplan.plan.ledger.books import Books
from finplan.plan.sections.debt import PayoffPlan, dear_cards
from finplan.plan.sections.emergency import FundTarget, main_source
from finplan.plan.sections.monthly import PlannedMonth
from finplan.plan.sections.spending import rare_bills
from finplan.plan.sections.stopped_income import stopped_sources

BILLS_AHEAD = 90
"""Rare bills that are due within so many days are kept."""

LOW_AHEAD = 60
"""The days within which cash is not to be lowered below what it may need."""

_SAFE_MONTHS = 3


@dataclass(frozen=True, slots=True)
class LumpSum:
    """A lump sum and what bounds it, minor units; an `amount` of 0 advises none.

    `owed` is on cards that are dear, `pending` leaves cash soon, `reserve` stays, as do `bills`. `guard`
    is what cash can spare until the period ends, and `lowest` the least that it may be on an evening of
    sixty days, None where neither had to be asked.
    """

    owed: int
    cash: int
    pending: int
    reserve: int
    bills: int
    guard: int
    lowest: int | None = None

    @property
    def amount(self) -> int:
        """What can be paid at once."""
        if self.lowest is None:
            return 0
        return max(0, min(self.beside_days_ahead, self.lowest))

    @property
    def beside_days_ahead(self) -> int:
        """The same if nothing were known of the days ahead; 0 at least."""
        free = self.cash - self.pending - self.reserve - self.bills
        return max(0, min(self.owed, free, self.guard))


def lump_sum(
    books: Books,
    planned: PlannedMonth,
    payoff: PayoffPlan,
    target: FundTarget,
    *,
    cash: int,
    pending: int,
    guard: int,
    today: date,
) -> LumpSum | None:
    """The lump sum before the days ahead are asked; None where no dear card is paid down.

    `guard` is without what is pending.
    """
    owed = sum(card.owed for card in dear_cards(payoff.revolving))
    if payoff.strategy != "paydown" or owed <= 0 or target.base <= 0:
        return None
    bills = rare_bills(books, today + timedelta(BILLS_AHEAD))
    return LumpSum(
        owed=owed,
        cash=cash,
        pending=pending,
        reserve=max(target.floor, reserve_months(books, planned) * target.base),
        bills=sum(bill.amount for _, bill in bills),
        guard=guard - pending,
    )


def reserve_months(books: Books, planned: PlannedMonth) -> int:
    """How many months of needs stay in cash: more where income falls short, stopped or is irregular."""
    main = main_source(books)
    is_safe = main is not None and main.cadence != "irregular"
    if planned.surplus >= 0 and is_safe and not stopped_sources(books, planned):
        return 1
    return _SAFE_MONTHS
