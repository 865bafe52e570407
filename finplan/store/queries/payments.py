"""Payments between two accounts of a person: what comes into one, and what left another just then."""

from collections.abc import Collection, Iterable

from sqlalchemy import Connection

from finplan.store.engine import many
from finplan.store.queries.rows import fetch, grouped

PayingRows = tuple[int, bool]
"""One account's booked rows: its number, a local one where it is of the staged files, and if it is."""

Moved = tuple[int, int]
"""A day, YYYYMMDD, and an amount in minor units, positive."""


def _rows(side: PayingRows) -> str:
    """The table and the condition that select the rows of an account."""
    number, is_staged = side
    if is_staged:
        return f"staged.arranged WHERE account = {number:d}"
    return f"tx WHERE account_no = {number:d}"


def newest_received(connection: Connection, side: PayingRows, limit: int) -> list[Moved]:
    """What came in last, newest first."""
    query = (
        f"SELECT day, amount FROM {_rows(side)} AND amount > 0 ORDER BY day DESC LIMIT {limit:d}"
    )
    return fetch(connection, query)


def count_spent(connection: Connection, side: PayingRows) -> int:
    """How many rows went out."""
    query = f"SELECT count(*) FROM {_rows(side)} AND amount < 0"
    return int(connection.exec_driver_sql(query).scalar_one())


def paid_out(
    connection: Connection, side: PayingRows, amounts: Collection[int], since: int, until: int
) -> list[Moved]:
    """What of these amounts went out between two days YYYYMMDD, both counted, oldest first."""
    listed = ", ".join(f"{-amount:d}" for amount in sorted(set(amounts)))
    query = (
        f"SELECT day, -amount FROM {_rows(side)} AND day BETWEEN {since:d} AND {until:d}"
        f" AND amount IN ({listed}) ORDER BY day"
    )
    return fetch(connection, query)


def spent(connection: Connection, side: PayingRows) -> list[Moved]:
    """What went out, oldest first."""
    query = f"SELECT day, -amount FROM {_rows(side)} AND amount < 0 ORDER BY day"
    return fetch(connection, query)


def span_of(connection: Connection, side: PayingRows) -> tuple[int, int] | None:
    """The first and the last day, None without rows."""
    query = f"SELECT min(day), max(day) FROM {_rows(side)}"
    first, last = connection.exec_driver_sql(query).one()
    return None if first is None else (first, last)


def spent_by_payee(
    connection: Connection, local: int, files: Collection[int]
) -> dict[int, list[tuple[int, int, int]]]:
    """What went out of a staged account in some files, oldest first, by the payee's local number.

    Each row is its file, its day and its amount, positive.
    """
    query = (
        f"SELECT payee, file, day, -amount FROM staged.arranged WHERE account = {local:d}"
        f" AND amount < 0 AND file IN ({_listed(files)}) ORDER BY day, seq"
    )
    return grouped((row[0], row[1:]) for row in fetch(connection, query))


def moved_by_payee_key(connection: Connection, account: int) -> dict[str, list[Moved]]:
    """What an account of the store has of each payee, by its key: what came in is positive."""
    query = (
        "SELECT payee.key, tx.day, tx.amount FROM tx JOIN payee ON payee.no = tx.payee_no"
        " WHERE tx.account_no = ? ORDER BY tx.day"
    )
    return grouped((row[0], row[1:]) for row in fetch(connection, query, (account,)))


def turn_in(connection: Connection, rows: Iterable[tuple[int, int, int]]) -> None:
    """Let what went out come in, of some accounts of the files, payees and files, by local numbers."""
    many(
        connection,
        "UPDATE staged.arrived SET amount = -amount"
        " WHERE account = ? AND payee = ? AND file = ? AND amount < 0 AND pending = 0",
        list(rows),
    )


def _listed(files: Collection[int]) -> str:
    return ", ".join(f"{file:d}" for file in files)
