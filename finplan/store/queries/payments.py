"""Payments between two accounts of a person: what comes into one, and what left another just then."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection


class AccountRows(NamedTuple):
    """One account's booked rows: those of the store by its number, or staged ones by a local number."""

    number: int
    is_staged: bool

    @property
    def rows(self) -> str:
        """The table and the condition that select them."""
        if self.is_staged:
            return f"staged.arranged WHERE account = {self.number:d}"
        return f"tx WHERE account_no = {self.number:d}"


Moved = tuple[int, int]
"""A day, YYYYMMDD, and an amount in minor units, positive."""


def newest_received(connection: Connection, side: AccountRows, limit: int) -> list[Moved]:
    """What came in last, newest first."""
    query = f"SELECT day, amount FROM {side.rows} AND amount > 0 ORDER BY day DESC LIMIT {limit:d}"
    return [(day, amount) for day, amount in connection.exec_driver_sql(query)]


def count_spent(connection: Connection, side: AccountRows) -> int:
    """How many rows went out."""
    query = f"SELECT count(*) FROM {side.rows} AND amount < 0"
    return int(connection.exec_driver_sql(query).scalar_one())


def paid_out(
    connection: Connection, side: AccountRows, amounts: Collection[int], since: int, until: int
) -> list[Moved]:
    """What of these amounts went out between two days YYYYMMDD, both counted, oldest first."""
    listed = ", ".join(f"{-amount:d}" for amount in sorted(set(amounts)))
    query = (
        f"SELECT day, -amount FROM {side.rows} AND day BETWEEN {since:d} AND {until:d}"
        f" AND amount IN ({listed}) ORDER BY day"
    )
    return [(day, amount) for day, amount in connection.exec_driver_sql(query)]


def spent(connection: Connection, side: AccountRows) -> list[Moved]:
    """What went out, oldest first."""
    query = f"SELECT day, -amount FROM {side.rows} AND amount < 0 ORDER BY day"
    return [(day, amount) for day, amount in connection.exec_driver_sql(query)]


def span_of(connection: Connection, side: AccountRows) -> tuple[int, int] | None:
    """The first and the last day, None without rows."""
    query = f"SELECT min(day), max(day) FROM {side.rows}"
    first, last = connection.exec_driver_sql(query).one()
    return None if first is None else (first, last)


def spent_by_payee(
    connection: Connection, side: AccountRows, files: Collection[int]
) -> dict[int, list[Moved]]:
    """What went out of a staged account in some files, oldest first, by the payee's local number."""
    query = (
        f"SELECT payee, day, -amount FROM {side.rows} AND amount < 0 AND file IN ({_listed(files)})"
        " ORDER BY day, seq"
    )
    found: dict[int, list[Moved]] = {}
    for payee, day, amount in connection.exec_driver_sql(query):
        found.setdefault(payee, []).append((day, amount))
    return found


def moved_by_payee_key(connection: Connection, account: int) -> dict[str, list[Moved]]:
    """What an account of the store has of each payee, by its key: what came in is positive."""
    query = (
        "SELECT payee.key, tx.day, tx.amount FROM tx JOIN payee ON payee.no = tx.payee_no"
        " WHERE tx.account_no = ? ORDER BY tx.day"
    )
    found: dict[str, list[Moved]] = {}
    for key, day, amount in connection.exec_driver_sql(query, (account,)):
        found.setdefault(key, []).append((day, amount))
    return found


def turn_in(
    connection: Connection, side: AccountRows, payee: int, files: Collection[int]
) -> dict[int, tuple[int, int]]:
    """Let what went out to a payee in some files come in: how many rows of each, and their sum."""
    chosen = f"account = {side.number:d} AND payee = {payee:d} AND amount < 0 AND pending = 0"
    chosen += f" AND file IN ({_listed(files)})"
    query = f"SELECT file, count(*), -sum(amount) FROM staged.arrived WHERE {chosen} GROUP BY file"
    found = {row[0]: (row[1], row[2]) for row in connection.exec_driver_sql(query)}
    connection.exec_driver_sql(f"UPDATE staged.arrived SET amount = -amount WHERE {chosen}")
    return found


def _listed(files: Collection[int]) -> str:
    return ", ".join(f"{each:d}" for each in files)
