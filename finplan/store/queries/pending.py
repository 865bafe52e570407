"""Pending rows that imports brought: those of the staged files, and those that the store holds."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import many


class StagedPending(NamedTuple):
    """A pending row of a staged file; `payee` is its local number there.

    `beside` is how many booked rows of equal day and amount the file itself has.
    """

    file: int
    account: int
    day: int
    amount: int
    raw: str
    external_id: str | None
    payee: int
    beside: int


class StoredPending(NamedTuple):
    """A pending row of the store, or one that was set aside as the copy of a booked one."""

    import_no: int
    payee: int
    day: int
    amount: int
    raw: str
    external_id: str | None


_STAGED_ROWS = """
SELECT file, accounts.no, day, amount, raw, external_id, payee, (
    SELECT count(*) FROM staged.arranged AS beside
    WHERE beside.account = arrived.account AND beside.file = arrived.file
      AND beside.day = arrived.day AND beside.amount = arrived.amount
)
FROM staged.arrived JOIN staged.accounts ON accounts.account = arrived.account
WHERE pending = 1 ORDER BY seq
"""

_STORED_ROWS = """
SELECT import_no, payee_no, day, amount, raw, external_id FROM pending
WHERE account_no = ? AND import_no IS NOT NULL
UNION ALL
SELECT import_no, payee_no, day, amount, raw, external_id FROM set_aside
WHERE account_no = ? AND import_no IS NOT NULL AND pending = 1
"""
_FORGET = (
    "DELETE FROM pending WHERE account_no = ? AND import_no IS NOT NULL",
    "DELETE FROM set_aside WHERE account_no = ? AND import_no IS NOT NULL AND pending = 1",
)


def staged_pending(connection: Connection) -> list[StagedPending]:
    """The pending rows of the staged files, in their order; the accounts must have their numbers."""
    return [StagedPending(*row) for row in connection.exec_driver_sql(_STAGED_ROWS)]


def stored_pending(connection: Connection, account: int) -> list[StoredPending]:
    """An account's pending rows that imports brought, those that are set aside too."""
    rows = connection.exec_driver_sql(_STORED_ROWS, (account, account))
    return [StoredPending(*row) for row in rows]


def count_booked(
    connection: Connection, account: int, days: Iterable[int]
) -> dict[tuple[int, int], int]:
    """How many rows of equal day and amount an account has on some days, copies set aside too."""
    wanted = ",".join(map(str, sorted(set(days))))
    rows = connection.exec_driver_sql(
        "SELECT day, amount, count(*) FROM ("
        f" SELECT day, amount FROM tx WHERE account_no = ? AND day IN ({wanted})"
        " UNION ALL"
        f" SELECT day, amount FROM set_aside WHERE account_no = ? AND day IN ({wanted})"
        " AND pending = 0) AS rows_booked GROUP BY day, amount",
        (account, account),
    )
    return {(day, amount): count for day, amount, count in rows}


def replace_pending(
    connection: Connection, owner: int, account: int, rows: Iterable[StoredPending]
) -> None:
    """Let these be all the pending rows of an account that imports brought."""
    for forget in _FORGET:
        connection.exec_driver_sql(forget, (account,))
    many(
        connection,
        "INSERT INTO pending (owner_no, account_no, import_no, payee_no, day, amount, raw, external_id)"
        f" VALUES ({owner:d}, {account:d}, ?, ?, ?, ?, ?, ?)",
        [tuple(row) for row in rows],
    )
