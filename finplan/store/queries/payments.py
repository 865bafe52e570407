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
