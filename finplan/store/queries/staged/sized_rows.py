"""Rows of one day and one size, whichever way they go, in the store and in the stage."""

from typing import NamedTuple

from sqlalchemy import Connection


class SizedRow(NamedTuple):
    """A row by what it is told apart from others of its day and size.

    `file` is the place of the file that it stands in, None for a row of the store; `aside` is what it
    prints beside its text.
    """

    file: int | None
    amount: int
    raw: str
    aside: str
    external_id: str | None


_STORED = """
SELECT amount, raw, external_id FROM {table}
WHERE account_no = ? AND day = ? AND amount IN (?, ?)
"""
_STAGED = """
SELECT file, amount, raw, coalesce(aside, ''), external_id FROM staged.arranged
WHERE account = ? AND day = ? AND amount IN (?, ?) ORDER BY seq
"""


def stored_of_size(connection: Connection, account: int, day: int, size: int) -> list[SizedRow]:
    """The rows of an account of the store, with those that the person set aside as copies."""
    values = (account, day, size, -size)
    queries = (
        _STORED.format(table="tx"),
        f"{_STORED.format(table='set_aside')} AND pending = 0",
    )
    return [
        SizedRow(None, amount, raw, "", external_id)
        for query in queries
        for amount, raw, external_id in connection.exec_driver_sql(query, values)
    ]


def staged_of_size(connection: Connection, local: int, day: int, size: int) -> list[SizedRow]:
    """The booked rows of an account of the files, given by its local number."""
    found = connection.exec_driver_sql(_STAGED, (local, day, size, -size))
    return [SizedRow(*row) for row in found]
