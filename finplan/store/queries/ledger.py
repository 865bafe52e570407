"""What the plan is built from: a person's rows as plain tuples, in the order the plan reads them."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

LEDGER_ROWS = (
    "SELECT payee_no, account_no, day, amount, coalesce(peer_no, 0), counts FROM tx"
    " WHERE owner_no = ? AND account_no IN ({accounts}) ORDER BY payee_no, day, no"
)
"""The one big read of a plan; benchmarks time it as the floor."""

PENDING_ROWS = (
    "SELECT payee_no, account_no, day, amount, 0, 0 FROM pending"
    " WHERE owner_no = ? AND account_no IN ({accounts}) ORDER BY payee_no, day, no"
)


FEES = (
    "SELECT tx.payee_no, tx.account_no, tx.day, tx.amount, tx.peer_no, tx.counts, transfer.fee"
    " FROM transfer JOIN tx ON tx.no = transfer.out_no"
    " WHERE transfer.owner_no = ? AND transfer.fee > 0 AND tx.account_no IN ({accounts})"
)


def ledger_rows(connection: Connection, owner: int, accounts: Sequence[int]) -> list[Any]:
    """Payee, account, day, amount, peer account or 0, counts: the posted rows of some accounts.

    A row that a fee was kept of comes as two: what arrived, and the fee, which alone may count.
    """
    listed = _listed(accounts)
    rows = _tuples(connection, LEDGER_ROWS.format(accounts=listed), (owner,))
    for *row, fee in _tuples(connection, FEES.format(accounts=listed), (owner,)):
        payee, account, day, amount, peer, counts = row
        index = rows.index(tuple(row), bisect_left(rows, (payee, 0)))
        rows[index : index + 1] = [
            (payee, account, day, amount + fee, peer, 0),
            (payee, account, day, -fee, peer, counts),
        ]
    return rows


def ledger_rows_of(connection: Connection, numbers: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Some posted rows in the same shape, by their numbers; a fee is not told apart."""
    query = (
        "SELECT no, payee_no, account_no, day, amount, coalesce(peer_no, 0), counts FROM tx"
        f" WHERE no IN ({_listed(numbers)})"
    )
    return {row[0]: row[1:] for row in _tuples(connection, query, ())}


def pending_rows(connection: Connection, owner: int, accounts: Sequence[int]) -> list[Any]:
    """The pending rows of some accounts, in the same shape."""
    return _tuples(connection, PENDING_ROWS.format(accounts=_listed(accounts)), (owner,))


def ledger_payees(connection: Connection, owner: int) -> list[tuple[Any, ...]]:
    """Number, key, name, categories out and in, suggestion, confidence, alternatives."""
    return _tuples(
        connection,
        "SELECT no, key, name, category_out, category_in, suggested, confidence,"
        " alternatives FROM payee WHERE owner_no = ?",
        (owner,),
    )


def _tuples(connection: Connection, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    # SQLAlchemy wraps each row; over a whole ledger the driver's own tuples are much faster.
    cursor = connection.connection.cursor()
    try:
        cursor.execute(query, values)
        return list(cursor.fetchall())
    finally:
        cursor.close()


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(str(int(no)) for no in numbers)
