"""Pending rows that banks brought, and which of them were posted as which rows."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import many


class WaitingRow(NamedTuple):
    """A pending row that a bank brought; `day` is YYYYMMDD, `amount` as on statements."""

    external_id: str
    payee: int
    day: int
    amount: int


class PendingClaim(NamedTuple):
    """A pending row that was posted, both by the bank's ids, and the day of the posted one."""

    pending_id: str
    posted_id: str
    day: int


def waiting_rows(connection: Connection, account: int) -> list[WaitingRow]:
    """The pending rows of an account that its bank brought, oldest first."""
    rows = connection.exec_driver_sql(
        "SELECT external_id, payee_no, day, amount FROM pending WHERE account_no = ?"
        " AND import_no IS NULL AND external_id IS NOT NULL ORDER BY day, no",
        (account,),
    )
    return [WaitingRow(*row) for row in rows]


def claims_on(connection: Connection, account: int) -> list[PendingClaim]:
    """What was claimed on an account."""
    rows = connection.exec_driver_sql(
        "SELECT pending_id, posted_id, day FROM claimed_pending WHERE account_no = ?", (account,)
    )
    return [PendingClaim(*row) for row in rows]


def note_claims(
    connection: Connection, account: int, claims: Iterable[PendingClaim], forget_before: int
) -> None:
    """Note what was claimed, and forget claims by rows of before a day: no bank tells of those again."""
    connection.exec_driver_sql(
        "DELETE FROM claimed_pending WHERE account_no = ? AND day < ?", (account, forget_before)
    )
    many(
        connection,
        "INSERT INTO claimed_pending (account_no, pending_id, posted_id, day)"
        f" VALUES ({account:d}, ?, ?, ?) ON CONFLICT (account_no, pending_id) DO NOTHING",
        [tuple(each) for each in claims],
    )
