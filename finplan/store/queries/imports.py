"""Imports: one is running, committed, cancelled or undone."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update

from finplan.store.tables.tables import import_batch as table


def start_import(connection: Connection, values: Mapping[str, Any]) -> int:
    """Note that an import runs; answers its number."""
    query = insert(table).values(status="running", **values).returning(table.c.no)
    return int(connection.execute(query).scalar_one())


def forget_import(connection: Connection, no: int) -> None:
    """Forget an import that was never committed."""
    connection.execute(delete(table).where(table.c.no == no))


def find_import(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's import by its id."""
    query = select(table).where(table.c.owner_no == owner, table.c.id == public_id)
    return connection.execute(query).mappings().first()


def report_of(connection: Connection, no: int) -> str | None:
    """The report of an import as JSON, None where it has none."""
    query = select(table.c.report).where(table.c.no == no)
    return connection.execute(query).scalar_one_or_none()


def list_imports(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's imports that were committed, newest first."""
    query = (
        select(table)
        .where(table.c.owner_no == owner, table.c.committed_at.is_not(None))
        .order_by(table.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def change_status(
    connection: Connection,
    no: int,
    before: str,
    after: str,
    values: Mapping[str, Any] | None = None,
) -> bool:
    """Move an import from one status to the next; answers whether it was in the first."""
    query = (
        update(table)
        .where(table.c.no == no, table.c.status == before)
        .values(status=after, **(values or {}))
    )
    return connection.execute(query).rowcount == 1


def end_abandoned(connection: Connection) -> None:
    """At start-up nothing runs: what a crash left running was never committed."""
    connection.execute(update(table).where(table.c.status == "running").values(status="cancelled"))


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
    rows = connection.exec_driver_sql(
        "SELECT payee_no FROM tx WHERE import_no = ?"
        " UNION SELECT payee_no FROM pending WHERE import_no = ?"
        " UNION SELECT payee_no FROM set_aside WHERE import_no = ? ORDER BY payee_no",
        (no, no, no),
    )
    return [row[0] for row in rows]


def remove_rows(connection: Connection, no: int) -> None:
    """Delete an import's rows: posted ones, pending ones, and those that were set aside."""
    for rows in ("tx", "pending", "set_aside"):
        connection.exec_driver_sql(f"DELETE FROM {rows} WHERE import_no = ?", (no,))


def is_running(connection: Connection, no: int) -> bool:
    """Whether an import still runs, that is, whether nobody cancelled it."""
    query = select(table.c.status).where(table.c.no == no)
    return bool(connection.execute(query).scalar_one() == "running")


def undo_records(connection: Connection, owner: int) -> dict[int, str]:
    """What undoing each of a person's imports that stand needs, by number, the oldest first."""
    query = (
        select(table.c.no, table.c.before)
        .where(
            table.c.owner_no == owner,
            table.c.status == "committed",
            table.c.before.is_not(None),
        )
        .order_by(table.c.no)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def replace_undo_record(connection: Connection, no: int, before: str) -> None:
    """Let undoing an import go by another record, as JSON."""
    connection.execute(update(table).where(table.c.no == no).values(before=before))
