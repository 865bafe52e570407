"""Rows of one account that came twice: by another file, in another format, or dated otherwise."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import many
from finplan.store.queries.staged.overlaps import common_days

_MOST_COMPARED = 2000
"""Rows of the files that are compared with another account's: the newest of the days that both cover."""


class LeftOverRow(NamedTuple):
    """A row that no equal one was found of: staged, or of the store.

    `number` is its own on its side; `source` is the kind of source that it is from, `imported` whether
    an import brought it. The day is YYYYMMDD.
    """

    number: int
    day: int
    amount: int
    raw: str
    source: str
    imported: bool


class FoundRows(NamedTuple):
    """Rows of a file that are there already: how many, how many by identity, of which amounts."""

    rows: int
    identical: int
    amounts: frozenset[int]


_FOUND = (
    " FROM staged.matched JOIN staged.arranged ON seq = row LEFT JOIN tx ON tx.no = tx_no"
    " WHERE arranged.account = ? AND arranged.file = ? AND arranged.day BETWEEN ? AND ?"
)


def compared_with_stored(
    connection: Connection, local: int, account: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Day and amount of the rows of common days: of an account of the files, and of one of the store."""
    return _compared(connection, local, "tx", "account_no", account)


def compared_with_staged(
    connection: Connection, local: int, other: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Day and amount of the rows of common days: of two accounts of the files."""
    return _compared(connection, local, "staged.arranged", "account", other)


def _compared(
    connection: Connection, local: int, rows: str, owner: str, number: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    common = common_days(connection, local, rows=rows, owner=owner, number=number)
    if common is None:
        return [], []
    since, until = common
    ours = _dated(connection, "staged.arranged", "account", local, since, until, _MOST_COMPARED)
    if len(ours) == _MOST_COMPARED:
        # The oldest of these days is cut off somewhere within, so both sides begin after it.
        since = min(ours)[0] + 1
        ours = [row for row in ours if row[0] >= since]
    return ours, _dated(connection, rows, owner, number, since, until, 2 * _MOST_COMPARED)


def _dated(
    connection: Connection, rows: str, owner: str, number: int, since: int, until: int, most: int
) -> list[tuple[int, int]]:
    found = connection.exec_driver_sql(
        f"SELECT day, amount FROM {rows} WHERE {owner} = ? AND day BETWEEN ? AND ?"
        " ORDER BY day DESC LIMIT ?",
        (number, since, until, most),
    )
    return [(day, amount) for day, amount in found]


def left_over_staged(
    connection: Connection, local: int, file: int, days: tuple[int, int]
) -> list[LeftOverRow]:
    """The booked rows of a file that are new, for an account of the files, on days within two."""
    return _left_over(connection, local, "arranged.file = ?", file, days)


def left_over_of_earlier_files(
    connection: Connection, local: int, file: int, days: tuple[int, int]
) -> list[LeftOverRow]:
    """Rows that earlier files bring for an account of the files, on days from the first to the last."""
    return _left_over(connection, local, "arranged.file < ?", file, days)


def _left_over(
    connection: Connection, local: int, of_files: str, file: int, days: tuple[int, int]
) -> list[LeftOverRow]:
    rows = connection.exec_driver_sql(
        "SELECT seq, day, amount, raw, source, 0 FROM staged.arranged"
        " JOIN staged.sources ON sources.file = arranged.file"
        f" WHERE account = ? AND {of_files} AND day BETWEEN ? AND ?"
        " AND seq NOT IN (SELECT row FROM staged.matched)",
        (local, file, *days),
    )
    return [LeftOverRow(*row) for row in rows]


def left_over_stored(
    connection: Connection, account: int, file: int, days: tuple[int, int]
) -> list[LeftOverRow]:
    """Rows of an account of the store that a file does not have, on days from the first to the last."""
    rows = connection.exec_driver_sql(
        "SELECT no, day, amount, raw, source, import_no IS NOT NULL FROM tx"
        " WHERE account_no = ? AND day BETWEEN ? AND ? AND no NOT IN"
        " (SELECT tx_no FROM staged.matched WHERE file = ? AND tx_no IS NOT NULL)",
        (account, *days, file),
    )
    return [LeftOverRow(*row) for row in rows]


def moved_by_staged(connection: Connection, local: int, after: int, until: int) -> int:
    """What an account's booked rows in the files, after one day and up to another, add up to."""
    total = connection.exec_driver_sql(
        "SELECT coalesce(sum(amount), 0) FROM staged.arranged"
        " WHERE account = ? AND day > ? AND day <= ?",
        (local, after, until),
    ).scalar_one()
    return int(total)


def span_of(connection: Connection, local: int, file: int) -> tuple[int, int] | None:
    """The first and the last day of a file's booked rows of an account of the files."""
    first, last = connection.exec_driver_sql(
        "SELECT min(day), max(day) FROM staged.arranged WHERE account = ? AND file = ?",
        (local, file),
    ).one()
    return None if first is None else (first, last)


def span_beside(
    connection: Connection, local: int, file: int, account: int | None
) -> tuple[int, int] | None:
    """The first and the last day of the rows of the store and of earlier files, of one account."""
    first, last = connection.exec_driver_sql(
        "SELECT min(first), max(last) FROM ("
        "SELECT min(day) AS first, max(day) AS last FROM staged.arranged"
        " WHERE account = ? AND file < ?"
        " UNION ALL SELECT min(day), max(day) FROM tx WHERE account_no = ?)",
        (local, file, account),
    ).one()
    return None if first is None else (first, last)


def repeated_in_batch(connection: Connection, local: int, file: int) -> list[tuple[int, int]]:
    """Day and amount of the rows of a file that an earlier file of the same import has too."""
    rows = connection.exec_driver_sql(
        "SELECT day, amount FROM staged.matched JOIN staged.arranged ON seq = row"
        " WHERE account = ? AND arranged.file = ? AND tx_no IS NULL",
        (local, file),
    )
    return [(day, amount) for day, amount in rows]


def rows_found(
    connection: Connection, local: int, file: int, days: tuple[int, int], most: int
) -> FoundRows:
    """The booked rows of a file on some days that were found already, with so many amounts at most.

    A row that was told by its words alone may come from a file of another layout.
    """
    rows, identical = connection.exec_driver_sql(
        "SELECT count(*), total(CASE WHEN tx_no IS NULL THEN NOT ambiguous"
        " ELSE coalesce(tx.external_id, tx.raw) = coalesce(arranged.external_id, arranged.raw) END)"
        f"{_FOUND}",
        (local, file, *days),
    ).one()
    amounts = connection.exec_driver_sql(
        f"SELECT DISTINCT arranged.amount{_FOUND} LIMIT ?", (local, file, *days, most)
    )
    return FoundRows(int(rows), int(identical), frozenset(amounts.scalars()))


def note_matches(
    connection: Connection, file: int, found: Iterable[tuple[LeftOverRow, LeftOverRow, bool]]
) -> None:
    """Note which staged rows of a file are others; the last says that the other one is in the store."""
    rows: Sequence[tuple[int, int, int | None, int]] = [
        (ours.number, file, theirs.number if is_stored else None, int(theirs.imported))
        for ours, theirs, is_stored in found
    ]
    many(
        connection,
        "INSERT INTO staged.matched (row, file, tx_no, ambiguous, imported) VALUES (?, ?, ?, 1, ?)",
        list(rows),
    )
