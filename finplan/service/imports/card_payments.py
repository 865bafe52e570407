"""Who pays whom: an account into which another one pays exactly what is owed is a card, or savings."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.plan.ledger.days import ORDINAL, day_of_ordinal
from finplan.statements.kinds.conclusion import LIKELY
from finplan.statements.statement import KindClue
from finplan.store.queries.payments import AccountRows, count_spent, newest_received, paid_out

_LATEST = 60
"""How many of the newest payments are compared: years of a card's, a month of a shop's account."""

_DAYS = 3
_LEAST = 2
_ROUND = 10_00
"""What people move is mostly a multiple of this; what a card bills hardly ever is."""


class Payer(NamedTuple):
    """An account that may pay another one, and how a person knows it."""

    side: AccountRows
    name: str


def clues_of_payers(
    connection: Connection, side: AccountRows, payers: Iterable[Payer]
) -> Iterator[KindClue]:
    """What it says of an account's kind that most of what came in last left another one just then.

    Amounts that are no round sums are what a card billed, if more is spent from it than comes in. Where
    nothing is spent, the money was put aside.
    """
    payments = pays_exactly(connection, side, payers)
    if payments is None:
        return
    payer, amounts, received = payments
    spent = count_spent(connection, side)
    if not spent:
        yield KindClue(
            ("savings",),
            LIKELY,
            f"{payer} pays into it and nothing is spent from it",
            by_direction=True,
        )
    elif spent > received and 2 * sum(each % _ROUND != 0 for each in amounts) > len(amounts):
        yield KindClue(
            ("credit",), LIKELY, f"{payer} pays exactly what comes in", by_direction=True
        )


def pays_exactly(
    connection: Connection, side: AccountRows, payers: Iterable[Payer]
) -> tuple[str, list[int], int] | None:
    """The name of a payer of most of what came in last, the amounts it paid, and how many came in.

    An amount is paid when it left the payer up to three days before or after it came in; at least two
    have to be, and of more than one size.
    """
    received = newest_received(connection, side, _LATEST)
    if len(received) < _LEAST:
        return None
    since = day_of_ordinal(ORDINAL[received[-1][0]] - _DAYS)
    until = day_of_ordinal(ORDINAL[received[0][0]] + _DAYS)
    sizes = [amount for _, amount in received]
    for payer in payers:
        left = paid_out(connection, payer.side, sizes, since, until)
        paid = []
        for day, amount in received:
            near = [
                each
                for each in left
                if each[1] == amount and abs(ORDINAL[each[0]] - ORDINAL[day]) <= _DAYS
            ]
            if near:
                left.remove(near[0])
                paid.append(amount)
        if len(set(paid)) >= _LEAST and 2 * len(paid) > len(received):
            return payer.name, paid, len(received)
    return None
