"""The cash guard: what checking can spare before payday, whatever the averages say.

A smoothed allowance does not see that rent falls due before pay comes. The guard does: cash, less what
is pending, less the charges still to be paid from cash, less the card bills due by then.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from finplan.model.snapshot import Upcoming
from finplan.plan.ledger.classes import category_of
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, Ledger, RecordedBalance, Row
from finplan.plan.ledger.roles import role_of
from finplan.plan.live.card_dues import card_bill, next_payment
from finplan.plan.live.expected import Expected
from finplan.plan.live.period import Period
from finplan.plan.sections.cards import CardUse


@dataclass(frozen=True, slots=True)
class CashGuard:
    """Cash, and what is to be paid from it before the period ends; None where cash is not known.

    `pending` are the pending outflows, `charges` the recurring charges still to come, `minimums` those
    of cards that revolve, `card_bills` the bills of cards that are paid in full. A card payment that is
    pending is in neither of the last two.
    """

    cash: int | None
    pending: int
    charges: int
    minimums: int
    card_bills: int

    @property
    def left(self) -> int | None:
        """What may be spent until the period ends without running out of cash; below 0 is short."""
        if self.cash is None:
            return None
        return self.cash - self.pending - self.charges - self.minimums - self.card_bills


def cash_guard(
    ledger: Ledger,
    cash: int | None,
    pending: Iterable[Row],
    expected: Expected,
    cards: Sequence[CardUse],
    period: Period,
    today: date,
) -> CashGuard:
    """What cash must still pay before the period ends.

    `cash` is what liquid accounts hold, None where that is not known. The live view gives the `pending`
    rows; a plan gives none, since it rests on posted rows alone.
    """
    pays_cash = cash_accounts(ledger)
    waiting = [row for row in pending if row[ACCOUNT] in pays_cash]
    charges = sum(
        each.amount
        for each in expected.charges
        if each.day < period.end and each.charge.account in pays_cash
    )
    minimums = sum(each.amount for each in expected.minimums if each.day < period.end)
    bills = sum(
        card_bill(card, stated_balances(ledger, card.number), period.end, today) for card in cards
    )
    # A card payment that is pending has left cash already: what is due must not take it again.
    paying = sum(pending_out(row) for row in waiting if category_of(ledger, row) == "card_payment")
    paying_bills = min(bills, paying)
    return CashGuard(
        cash=cash,
        pending=sum(map(pending_out, waiting)),
        charges=charges,
        minimums=max(0, minimums - (paying - paying_bills)),
        card_bills=bills - paying_bills,
    )


def card_bills_due(
    ledger: Ledger, cards: Iterable[CardUse], today: date, until: date
) -> list[Upcoming]:
    """The bills of cards that are paid in full, each on its day from today to `until`, by day."""
    found = []
    for card in cards:
        paid_on = next_payment(card, today)
        if paid_on is not None and paid_on <= until:
            stated, after = stated_balances(ledger, card.number), paid_on + timedelta(1)
            bill = card_bill(card, stated, after, today)
            if bill:
                found.append(Upcoming(date=paid_on, name=card.account.name, amount=bill))
    return sorted(found, key=lambda each: (each.date, each.name, each.amount))


def stated_balances(ledger: Ledger, card: int) -> list[RecordedBalance]:
    """The balances of a card, by its number, that its statements state."""
    return [each for each in ledger.recorded if each.account == card and each.stated]


def pending_spending(ledger: Ledger) -> int:
    """What pending rows will have taken from cash; a card payment takes as much from what is owed."""
    pays_cash = cash_accounts(ledger)
    return sum(
        pending_out(row)
        for row in ledger.pending
        if row[ACCOUNT] in pays_cash and category_of(ledger, row) != "card_payment"
    )


def cash_accounts(ledger: Ledger) -> set[int]:
    """The numbers of the accounts that are not hidden and whose money is at hand."""
    return {
        number
        for number, account in ledger.accounts.items()
        if not account.hidden and role_of(account, ledger.settings.currency) == "cash"
    }


def pending_out(row: Row) -> int:
    """What a pending row takes out, positive; 0 for money in, which may yet be called back."""
    return max(0, -row[AMOUNT])
