"""What is on its way to cards: card payments that are pending have left cash and are not due again."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from finplan.plan.ledger.books import Books
from finplan.plan.ledger.classes import pending_outflows
from finplan.plan.ledger.ledger import AMOUNT, PAYEE, PEER, Ledger, Row
from finplan.plan.live.at_hand import pending_out


class PendingPayment(NamedTuple):
    """A card payment that is pending, minor units; `card` is None where its payee does not tell it."""

    card: int | None
    amount: int


def pending_payments(ledger: Ledger, books: Books, waiting: Sequence[Row]) -> list[PendingPayment]:
    """The card payments among pending rows, each for the one account that its payee has ever paid."""
    outflows = pending_outflows(ledger, waiting)
    rows = [row for row, category in outflows if category == "card_payment"]
    paid: dict[int, set[int]] = {row[PAYEE]: set() for row in rows}
    for sheet in books.sheets:
        if sheet.payee in paid:
            paid[sheet.payee] |= {row[PEER] for row in sheet.rows if row[PEER] and row[AMOUNT] < 0}
    return [
        PendingPayment(min(to) if len(to := paid[row[PAYEE]]) == 1 else None, pending_out(row))
        for row in rows
    ]


def shared_out(sent: Iterable[PendingPayment], asked: Mapping[int, int]) -> Mapping[int, int]:
    """What of the payments is each card's, by its number, up to what it asks for next.

    Those of a known card are its own; the others go to the cards in the order of `asked`.
    """
    left, found = dict(asked), dict.fromkeys(asked, 0)
    for payment in sorted(sent, key=lambda each: each.card is None):
        amount = payment.amount
        for card in asked if payment.card is None else {payment.card} & asked.keys():
            taken = min(amount, left[card])
            amount -= taken
            left[card] -= taken
            found[card] += taken
    return found
