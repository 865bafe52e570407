"""What cards that are not linked are paid a month: one figure, wherever it is said.

Source: plan-semantics, C20 and section 12.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from finplan.model.money import half_even
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, PAYEE, PEER, Row
from finplan.plan.ledger.lookup import rows_of

UNLINKED_CARD = "unlinked_card"

_RECENT_DAYS = 90
_RECENT_MONTHS = 3


@dataclass(frozen=True, slots=True)
class UnlinkedCard:
    """A card that is paid and not linked: the numbers of its payees, and minor units a month."""

    payees: tuple[int, ...]
    monthly: int


def unlinked_cards_paid(books: Books) -> list[UnlinkedCard]:
    """The cards that are paid regularly, or twice in the last ninety days, dearest month first.

    A regular payment's month is that of its series, as bills hold it; else it is a third of what the
    ninety days paid.
    """
    cards = [
        UnlinkedCard(charge.payees, charge.monthly)
        for charge in books.charges
        if charge.category == UNLINKED_CARD and charge.active
    ]
    regular = {payee for card in cards for payee in card.payees}
    for payee, rows in recent_payments(books).items():
        if payee not in regular:
            total = -sum(row[AMOUNT] for row in rows)
            cards.append(UnlinkedCard((payee,), half_even(total, _RECENT_MONTHS)))
    return sorted(cards, key=lambda card: (-card.monthly, card.payees))


def monthly_paid_to(payee: int, cards: Sequence[UnlinkedCard]) -> int:
    """What all the cards of a payee are paid a month."""
    return sum(card.monthly for card in cards if payee in card.payees)


def recent_payments(books: Books) -> dict[int, list[Row]]:
    """The payments of the last ninety days that arrived nowhere, of payees that have two such."""
    end = books.window.data_end
    since = day_of(end - timedelta(days=_RECENT_DAYS - 1))
    found: dict[int, list[Row]] = {}
    for row in rows_of(books, {UNLINKED_CARD}, since, day_of(end)):
        if not row[PEER] and row[AMOUNT] < 0:
            found.setdefault(row[PAYEE], []).append(row)
    return {payee: rows for payee, rows in found.items() if len(rows) >= 2}
