"""Rows that a file holds and an account has otherwise: what an earlier reading made of the same row."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import many

_MOST_COMPARED = 500
"""New rows of an account of the files that are compared with stored ones."""

_MOST_FOUND = 20_000
"""Stored rows of their days that they are compared with at most."""


class ReadRow(NamedTuple):
    """A row of a file that the store has not; `aside` is what it prints beside its text."""

    day: int
    amount: int
    raw: str
    aside: str
    external_id: str | None


class EarlierRow(NamedTuple):
    """A row that an earlier import brought and that no row of the files is."""

    no: int
    day: int
    amount: int
    raw: str
    external_id: str | None
    import_no: int


_TURNED = "(day / 10000 * 10000 + day % 100 * 100 + day / 100 % 100)"
"""A day whose month and day of the month change places."""

_READ = f"""
SELECT day, amount, raw, aside, external_id FROM staged.arranged
WHERE account = ? AND seq NOT IN (SELECT row FROM staged.matched)
  AND (day BETWEEN ? AND ? OR {_TURNED} BETWEEN ? AND ?)
ORDER BY seq LIMIT {_MOST_COMPARED}
"""
_EARLIER = f"""
SELECT no, day, amount, raw, external_id, import_no FROM tx
WHERE account_no = ? AND import_no IS NOT NULL
  AND day IN (
      SELECT day FROM staged.arranged
      WHERE account = ? AND seq NOT IN (SELECT row FROM staged.matched)
      UNION
      SELECT {_TURNED} FROM staged.arranged
      WHERE account = ? AND seq NOT IN (SELECT row FROM staged.matched)
  )
  AND no NOT IN (SELECT tx_no FROM staged.matched WHERE tx_no IS NOT NULL)
ORDER BY day, no LIMIT {_MOST_FOUND}
"""


def earlier_rows(connection: Connection, local: int, account: int) -> list[EarlierRow]:
    """Rows of an account of the store, of days on which the files have rows for it that are new.

    `local` is the number of the account in the files. Days are compared as they are and with day and
    month changed round.
    """
    found = connection.exec_driver_sql(_EARLIER, (account, local, local))
    return [EarlierRow(*row) for row in found]


def read_rows(connection: Connection, local: int, first: int, last: int) -> list[ReadRow]:
    """New rows of an account of the files within some days, be it with day and month changed round."""
    found = connection.exec_driver_sql(_READ, (local, first, last, first, last))
    return [
        ReadRow(day, amount, raw, aside or "", external_id)
        for day, amount, raw, aside, external_id in found
    ]


def count_known(connection: Connection, local: int) -> int:
    """How many booked rows of an account of the files the store has already."""
    return int(
        connection.exec_driver_sql(
            "SELECT count(*) FROM staged.matched JOIN staged.arranged ON seq = row"
            " WHERE account = ?",
            (local,),
        ).scalar_one()
    )


def mark_misread(connection: Connection, found: Mapping[int, str]) -> None:
    """Note how imports, by number, read their files wrongly."""
    many(
        connection,
        "UPDATE import_batch SET misread = ? WHERE no = ?",
        [(how, number) for number, how in found.items()],
    )
