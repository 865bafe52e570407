"""What people said of how tables of text are read."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select

from finplan.store.tables.tables import csv_answer as table


def add_answers(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep what a person said in an import, a row for each header."""
    if rows:
        connection.execute(insert(table), rows)


def list_answers(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """Everything that a person said, oldest first."""
    query = select(table).where(table.c.owner_no == owner).order_by(table.c.no)
    return connection.execute(query).mappings().all()


def accounts_said(connection: Connection, owner: int) -> dict[str, set[int]]:
    """The accounts that a person named for files with a header, by its signature."""
    query = select(table.c.signature, table.c.account_no).where(
        table.c.owner_no == owner, table.c.account_no.is_not(None)
    )
    found: dict[str, set[int]] = {}
    for signature, account_no in connection.execute(query):
        found.setdefault(signature, set()).add(account_no)
    return found


def remove_answers(connection: Connection, import_no: int) -> None:
    """Delete what was said in an import."""
    connection.execute(delete(table).where(table.c.import_no == import_no))


def forget_header(connection: Connection, owner: int, signature: str) -> None:
    """Delete everything that a person said of files with a header."""
    connection.execute(
        delete(table).where(table.c.owner_no == owner, table.c.signature == signature)
    )
