"""Who pays whom: an account into which another one pays exactly what is owed is a card, or savings."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from finplan.plan.ledger.days import ORDINAL, day_of_ordinal
from finplan.service.imports.import_run import ImportRun
from finplan.statements.kinds import LIKELY
from finplan.statements.statement import KindClue
from finplan.store.queries.payments import (
    AccountRows,
    Moved,
    count_spent,
    newest_received,
    paid_out,
)

_LATEST = 60
"""How many of the newest payments are compared: years of a card's, a month of a shop's account."""

DAYS = 3
"""How far apart a payment may leave one account and come into the other."""

LEAST = 2
"""How many payments are no chance, if they are not of one size."""

_ROUND = 10_00
"""What people move is mostly a multiple of this; what a card bills hardly ever is."""


class Payer(NamedTuple):
    """An account that may pay another one, and how a person knows it."""

    side: AccountRows
    name: str
    currency: str


def payers_of(run: ImportRun, stored: Sequence[Any]) -> list[Payer]:
    """The accounts that may pay others: bank accounts of the files, and those of the store."""
    with_rows = {local for file in run.staged.files for local in file.accounts}
    own = [
        Payer(AccountRows(local, is_staged=True), account.name, account.currency)
        for local, account in enumerate(run.accounts)
        if account.kind == "depository" and local in with_rows
    ]
    there = [
        Payer(AccountRows(row["no"], is_staged=False), row["name"], row["currency"])
        for row in stored
        if row["kind"] == "depository" and not row["hidden"]
    ]
    return own + there


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
    if len(received) < LEAST:
        return None
    since = day_of_ordinal(ORDINAL[received[-1][0]] - DAYS)
    until = day_of_ordinal(ORDINAL[received[0][0]] + DAYS)
    sizes = [amount for _, amount in received]
    for payer in payers:
        left = paid_out(connection, payer.side, sizes, since, until)
        paid = [amount for _, amount in match_paid(received, left)]
        if len(set(paid)) >= LEAST and 2 * len(paid) > len(received):
            return payer.name, paid, len(received)
    return None


def match_paid(received: Sequence[Moved], left: Sequence[Moved]) -> list[Moved]:
    """The rows that came in of which each has one of its own that left just then."""
    waiting = list(left)
    found = []
    for day, amount in received:
        near = [
            each
            for each in waiting
            if each[1] == amount and abs(ORDINAL[each[0]] - ORDINAL[day]) <= DAYS
        ]
        if near:
            waiting.remove(near[0])
            found.append((day, amount))
    return found
