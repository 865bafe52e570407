"""Applying what a bank says has changed: rows by the bank's own ids, pending rows apart."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import many
from finplan.store.folding import fold_others


class SyncedRow(NamedTuple):
    """A row from a bank, with the store's numbers of its account and payee."""

    account: int
    external_id: str
    payee: int
    day: int
    amount: int
    raw: str
    code: str | None = None


class KnownRow(NamedTuple):
    """A row that has one of a bank's ids; `no` is None for one that is set aside as another's copy."""

    account: int
    external_id: str
    day: int
    amount: int
    no: int | None


def known_rows(connection: Connection, account: int, external_ids: Iterable[str]) -> list[KnownRow]:
    """An account's posted rows that have some of a bank's ids, copies set aside too."""
    connection.exec_driver_sql("CREATE TEMP TABLE wanted (external_id TEXT)")
    many(connection, "INSERT INTO wanted VALUES (?)", [(each,) for each in external_ids])
    rows = connection.exec_driver_sql(
        "SELECT external_id, day, amount, no FROM tx WHERE account_no = ? AND external_id IS NOT NULL"
        " AND external_id IN (SELECT external_id FROM wanted)"
        " UNION ALL SELECT external_id, day, amount, NULL FROM set_aside WHERE account_no = ?"
        " AND pending = 0 AND external_id IN (SELECT external_id FROM wanted)",
        (account, account),
    ).all()
    connection.exec_driver_sql("DROP TABLE wanted")
    return [KnownRow(account, *row) for row in rows]


def insert_posted(
    connection: Connection, owner: int, rows: Iterable[SyncedRow], source: str, counted: set[int]
) -> None:
    """Insert posted rows; `counted` holds the accounts whose rows count."""
    many(
        connection,
        "INSERT INTO tx (owner_no, account_no, payee_no, day, amount, raw, external_id, ordinal,"
        " source, counts, code, folded) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)",
        [
            (
                owner,
                row.account,
                row.payee,
                row.day,
                row.amount,
                row.raw,
                row.external_id,
                source,
                int(row.account in counted),
                row.code,
                fold_others(row.raw),
            )
            for row in rows
        ],
    )


def insert_pending(connection: Connection, owner: int, rows: Iterable[SyncedRow]) -> None:
    """Insert pending rows, in place of earlier ones with the same ids."""
    listed = list(rows)
    remove_pending(connection, [(row.account, row.external_id) for row in listed])
    many(
        connection,
        "INSERT INTO pending (owner_no, account_no, payee_no, day, amount, raw, external_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (owner, row.account, row.payee, row.day, row.amount, row.raw, row.external_id)
            for row in listed
        ],
    )


def numbers_of(connection: Connection, account: int, external_ids: Iterable[str]) -> list[int]:
    """The numbers of the posted rows that have some of a bank's ids."""
    numbers: list[int] = []
    for external_id in external_ids:
        rows = connection.exec_driver_sql(
            "SELECT no FROM tx WHERE account_no = ? AND external_id = ?", (account, external_id)
        )
        numbers.extend(row[0] for row in rows)
    return numbers


def remove_posted(connection: Connection, numbers: Iterable[int]) -> None:
    """Delete posted rows by number; their pairs must have been undone."""
    many(connection, "DELETE FROM tx WHERE no = ?", [(no,) for no in numbers])


def remove_pending(connection: Connection, rows: Iterable[tuple[int, str]]) -> int:
    """Delete pending rows by account and a bank's id; answers how many there were."""
    removed = 0
    for account, external_id in rows:
        removed += connection.exec_driver_sql(
            "DELETE FROM pending WHERE account_no = ? AND external_id = ?", (account, external_id)
        ).rowcount
    return removed
