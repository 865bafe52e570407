"""Imports: one is running, committed, cancelled or undone; and what they are known by later.

Pending rows that imports brought are those of the staged files, and those that the store holds.
Header profiles are the answers that people gave to how tables of text are read.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, select, update

from finplan.store.engine import many
from finplan.store.queries.rows import (
    add,
    add_all,
    change,
    every,
    fetch,
    find,
    grouped,
    is_there,
    remove,
)
from finplan.store.tables.tables import csv_answer, import_batch


def start_import(connection: Connection, values: Mapping[str, Any]) -> int:
    """Note that an import runs; answers its number."""
    return add(connection, import_batch, {"status": "running", **values})


def forget_import(connection: Connection, no: int) -> None:
    """Forget an import that was never committed."""
    remove(connection, import_batch, no=no)


def find_import(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's import by its id."""
    return find(connection, import_batch, owner_no=owner, id=public_id)


def report_of(connection: Connection, no: int) -> str | None:
    """The report of an import as JSON, None where it has none."""
    query = select(import_batch.c.report).where(import_batch.c.no == no)
    return connection.execute(query).scalar_one_or_none()


def list_imports(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's imports that were committed, newest first."""
    query = (
        select(import_batch)
        .where(import_batch.c.owner_no == owner, import_batch.c.committed_at.is_not(None))
        .order_by(import_batch.c.no.desc())
    )
    return every(connection, query)


def change_status(
    connection: Connection,
    no: int,
    before: str,
    after: str,
    values: Mapping[str, Any] | None = None,
) -> bool:
    """Move an import from one status to the next; answers whether it was in the first."""
    query = update(import_batch).filter_by(no=no, status=before)
    return connection.execute(query.values(status=after, **(values or {}))).rowcount == 1


def record_commit(connection: Connection, no: int, now: int, report: str, before: str) -> None:
    """Keep the report of a committed import and what undoing it needs, both as JSON; `now` is in ms."""
    values = {"committed_at": now, "report": report, "before": before}
    change_status(connection, no, "committed", "committed", values)


def end_abandoned(connection: Connection) -> None:
    """At start-up nothing runs: what a crash left running was never committed."""
    running = update(import_batch).filter_by(status="running")
    connection.execute(running.values(status="cancelled"))


def reassign_shared_rows(connection: Connection, no: int) -> None:
    """Let rows of an import that another one saw too be those of the other one."""
    connection.exec_driver_sql(
        "UPDATE tx SET import_no = (SELECT min(import_no) FROM sighting WHERE tx_no = tx.no)"
        " WHERE import_no = ? AND no IN (SELECT tx_no FROM sighting)",
        (no,),
    )
    connection.exec_driver_sql(
        "DELETE FROM sighting WHERE import_no = ? OR EXISTS"
        " (SELECT 1 FROM tx WHERE tx.no = sighting.tx_no AND tx.import_no = sighting.import_no)",
        (no,),
    )


def paired_rows(connection: Connection, no: int) -> list[int]:
    """The numbers of an import's rows that are one side of a transfer."""
    query = "SELECT no FROM tx WHERE import_no = ? AND transfer_no IS NOT NULL"
    return [row[0] for row in connection.exec_driver_sql(query, (no,))]


def payees_of_import(connection: Connection, no: int) -> list[int]:
    """The numbers of the payees that an import's rows name: posted ones, pending ones, and set aside."""
    query = (
        "SELECT payee_no FROM tx WHERE import_no = ?"
        " UNION SELECT payee_no FROM pending WHERE import_no = ?"
        " UNION SELECT payee_no FROM set_aside WHERE import_no = ? ORDER BY payee_no"
    )
    return [no for (no,) in fetch(connection, query, (no, no, no))]


def remove_rows(connection: Connection, no: int) -> None:
    """Delete an import's rows: posted ones, pending ones, and those that were set aside."""
    for rows in ("tx", "pending", "set_aside"):
        connection.exec_driver_sql(f"DELETE FROM {rows} WHERE import_no = ?", (no,))


def is_running(connection: Connection, no: int) -> bool:
    """Whether an import still runs, that is, whether nobody cancelled it."""
    return is_there(connection, import_batch, no=no, status="running")


def undo_records(connection: Connection, owner: int) -> dict[int, str]:
    """What undoing each of a person's imports that stand needs, by number, the oldest first."""
    query = select(import_batch.c.no, import_batch.c.before).filter_by(
        owner_no=owner, status="committed"
    )
    recorded = query.where(import_batch.c.before.is_not(None)).order_by(import_batch.c.no)
    return {row[0]: row[1] for row in connection.execute(recorded)}


def replace_undo_record(connection: Connection, no: int, before: str) -> None:
    """Let undoing an import go by another record, as JSON."""
    change(connection, import_batch, no, before=before)


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
_FORGET_PENDING = (
    "DELETE FROM pending WHERE account_no = ? AND import_no IS NOT NULL",
    "DELETE FROM set_aside WHERE account_no = ? AND import_no IS NOT NULL AND pending = 1",
)


def staged_pending(connection: Connection) -> list[StagedPending]:
    """The pending rows of the staged files, in their order; the accounts must have their numbers."""
    return [StagedPending(*row) for row in connection.exec_driver_sql(_STAGED_ROWS)]


def stored_pending(connection: Connection, account: int) -> list[StoredPending]:
    """An account's pending rows that imports brought, those that are set aside too."""
    return [StoredPending(*row) for row in fetch(connection, _STORED_ROWS, (account, account))]


def count_booked(
    connection: Connection, account: int, days: Iterable[int]
) -> dict[tuple[int, int], int]:
    """How many rows of equal day and amount an account has on some days, copies set aside too."""
    listed = ",".join(map(str, sorted(set(days))))
    query = (
        "SELECT day, amount, count(*) FROM ("
        f" SELECT day, amount FROM tx WHERE account_no = ? AND day IN ({listed})"
        " UNION ALL"
        f" SELECT day, amount FROM set_aside WHERE account_no = ? AND day IN ({listed})"
        " AND pending = 0) AS rows_booked GROUP BY day, amount"
    )
    return {
        (day, amount): count for day, amount, count in fetch(connection, query, (account, account))
    }


def replace_pending(
    connection: Connection, owner: int, account: int, rows: Iterable[StoredPending]
) -> None:
    """Let these be all the pending rows of an account that imports brought."""
    for forget in _FORGET_PENDING:
        connection.exec_driver_sql(forget, (account,))
    many(
        connection,
        "INSERT INTO pending (owner_no, account_no, import_no, payee_no, day, amount, raw, external_id)"
        f" VALUES ({owner:d}, {account:d}, ?, ?, ?, ?, ?, ?)",
        [tuple(row) for row in rows],
    )


OF_ACCOUNT = "account:"
"""What the signature of a row begins with that tells no header, but an external id of an account."""

OF_LAYOUT = "layout:"
"""What the signature of a row begins with that tells where files of a layout went, said or not."""

OF_WAY = "way:"
"""What the signature of a row begins with that tells which way an account's amounts of a layout went."""

OF_ONE_ACCOUNT = (OF_LAYOUT, OF_WAY)
"""What the signature of a row begins with that answers nothing for all files with a header."""


def add_answers(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep the answers that a person gave in an import, a row for each header."""
    add_all(connection, csv_answer, rows)


def list_answers(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's answers, oldest first."""
    query = select(csv_answer).where(csv_answer.c.owner_no == owner).order_by(csv_answer.c.no)
    return every(connection, query)


def accounts_by_header(connection: Connection, owner: int) -> dict[str, set[int]]:
    """The accounts noted for each signature: of a header, a layout or an external id of an account.

    For a header a person named them; for a layout, whose signature begins with `OF_LAYOUT`, its files
    went there, said or not.
    """
    query = select(csv_answer.c.signature, csv_answer.c.account_no).where(
        csv_answer.c.owner_no == owner, csv_answer.c.account_no.is_not(None)
    )
    noted = grouped((signature, no) for signature, no in connection.execute(query))
    return {signature: set(numbers) for signature, numbers in noted.items()}


def accounts_by_layout(connection: Connection, owner: int) -> dict[str, set[int]]:
    """The accounts that files of a layout went to, whether a person named them or not."""
    accounts: dict[str, set[int]] = {}
    for signature, numbers in accounts_by_header(connection, owner).items():
        if signature.startswith((OF_ACCOUNT, OF_WAY)):
            continue
        accounts.setdefault(signature.removeprefix(OF_LAYOUT), set()).update(numbers)
    return accounts


def ways_by_layout(connection: Connection, owner: int) -> dict[tuple[str, int], str]:
    """Which way amounts went by an answer in the newest file of a layout, by layout and account."""
    query = (
        select(csv_answer.c.signature, csv_answer.c.account_no, csv_answer.c.direction)
        .where(
            csv_answer.c.owner_no == owner,
            csv_answer.c.account_no.is_not(None),
            csv_answer.c.direction.is_not(None),
            csv_answer.c.signature.startswith(OF_WAY, autoescape=True),
        )
        .order_by(csv_answer.c.no)
    )
    return {
        (signature.removeprefix(OF_WAY), account): way
        for signature, account, way in connection.execute(query)
    }


def learned_names(connection: Connection, owner: int) -> dict[int, set[str]]:
    """The external ids that a person said are an account's too, by its number."""
    query = select(csv_answer.c.header, csv_answer.c.account_no).where(
        csv_answer.c.owner_no == owner,
        csv_answer.c.account_no.is_not(None),
        csv_answer.c.signature.startswith(OF_ACCOUNT, autoescape=True),
    )
    names = grouped((no, external_id) for external_id, no in connection.execute(query))
    return {no: set(ids) for no, ids in names.items()}


def remove_answers(connection: Connection, import_no: int) -> None:
    """Delete the answers given in an import."""
    remove(connection, csv_answer, import_no=import_no)


def forget_header(connection: Connection, owner: int, signature: str) -> None:
    """Delete a person's answers for files with a header, given by its signature."""
    remove(connection, csv_answer, owner_no=owner, signature=signature)
