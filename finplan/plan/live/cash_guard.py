"""The cash guard: what checking can spare before payday, whatever the averages say.

A smoothed allowance does not see that rent falls due before pay comes. The guard does: cash, less what
is pending, less the charges still to be paid from cash, less the card bills due by then.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from finplan.plan.ledger.amounts import about_one_dollar
from finplan.plan.ledger.classes import category_of
from finplan.plan.ledger.days import add_months, date_of, month_length
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, Ledger, Row
from finplan.plan.ledger.roles import role_of
from finplan.plan.live.period import Period
from finplan.plan.live.upcoming import ExpectedCharge
from finplan.plan.sections.cards import CardUse
from finplan.plan.sections.debt import owed_card
from finplan.plan.sections.waterfall import minimum_due

_OVERDUE = 10
"""Days after which an expected payment that has not come is not waited for."""


@dataclass(frozen=True, slots=True)
class CashGuard:
    """Cash, and what is to be paid from it before the period ends; None where cash is not known.

    `pending` are the pending outflows, `charges` the recurring charges still to come, `card_bills` the
    bills of the cards, less card payments that are pending.
    """

    cash: int | None
    pending: int
    charges: int
    card_bills: int

    @property
    def left(self) -> int | None:
        """What may be spent until the period ends without running out of cash; below 0 is short."""
        if self.cash is None:
            return None
        return self.cash - self.pending - self.charges - self.card_bills


def cash_guard(
    ledger: Ledger,
    cash: int | None,
    pending: Iterable[Row],
    upcoming: Iterable[ExpectedCharge],
    cards: Sequence[CardUse],
    period: Period,
    today: date,
) -> CashGuard:
    """What cash must still pay before the period ends.

    `cash` is what liquid accounts hold, None where that is not known. The live view gives the `pending`
    rows; a plan gives none, since it rests on posted rows alone.
    """
    pays_cash = _cash_accounts(ledger)
    waiting = [row for row in pending if row[ACCOUNT] in pays_cash]
    due = sum(
        each.charge.amount
        for each in upcoming
        if each.day < period.end and each.charge.account in pays_cash
    )
    floor = 25 * about_one_dollar(ledger.settings.currency)
    bills = sum(card_bill(card, period.end, today, floor) for card in cards)
    paying = sum(pending_out(row) for row in waiting if category_of(ledger, row) == "card_payment")
    return CashGuard(
        cash=cash,
        pending=sum(map(pending_out, waiting)),
        charges=due,
        # A card payment that is pending has left cash already: its bill must not take it again.
        card_bills=max(0, bills - paying),
    )


def pending_spending(ledger: Ledger) -> int:
    """What pending rows will have taken from cash; a card payment takes as much from what is owed."""
    pays_cash = _cash_accounts(ledger)
    return sum(
        pending_out(row)
        for row in ledger.pending
        if row[ACCOUNT] in pays_cash and category_of(ledger, row) != "card_payment"
    )


def _cash_accounts(ledger: Ledger) -> set[int]:
    return {
        number
        for number, account in ledger.accounts.items()
        if not account.hidden and role_of(account, ledger.settings.currency) == "cash"
    }


def pending_out(row: Row) -> int:
    """What a pending row takes out, positive; 0 for money in, which may yet be called back."""
    return max(0, -row[AMOUNT])


def card_bill(card: CardUse, end: date, today: date, floor: int) -> int:
    """What a card takes from cash before a day: the statement of one paid in full, else the minimum.

    `floor` is the least that a minimum is. A card whose habit is only assumed, and one without a payment
    seen, says nothing of when and how much, unless it revolves: then its minimum is due.
    """
    if not card.owed:
        return 0
    due = _next_payment(card, today)
    if card.in_full:
        if due is None or due >= end or card.lag is None:
            return 0
        return _statement(card, due, today)
    return minimum_due(owed_card(card), floor) if due is None or due < end else 0


def _next_payment(card: CardUse, today: date) -> date | None:
    """A month after the last payment, today when that is overdue, None when no rhythm is seen."""
    if not card.payments:
        return None
    last = date.fromordinal(card.payments[-1][0])
    month = add_months(last.year * 100 + last.month, 1)
    due = date_of(month * 100 + min(last.day, month_length(month)))
    if due >= today:
        return due
    return today if due >= today - timedelta(_OVERDUE) else None


def _statement(card: CardUse, due: date, today: date) -> int:
    """What the statement behind a payment says, less what has been paid since."""
    assert card.lag is not None
    day = min(due.toordinal() - card.lag, today.toordinal())
    paid_since = sum(amount for paid_on, amount in card.payments if paid_on > day)
    return max(0, min(card.owed, card.history.on(day) - paid_since))
