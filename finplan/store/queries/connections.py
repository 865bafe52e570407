"""Bank connections."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update

from finplan.store.queries.transfers import unpair
from finplan.store.tables.tables import connection as table


def list_connections(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's connections, oldest first."""
    query = select(table).where(table.c.owner_no == owner).order_by(table.c.no)
    return connection.execute(query).mappings().all()


def find_connection(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's connection by its id."""
    query = select(table).where(table.c.owner_no == owner, table.c.id == public_id)
    return connection.execute(query).mappings().first()


def connection_of_number(connection: Connection, no: int) -> RowMapping | None:
    """A connection by its number."""
    return connection.execute(select(table).where(table.c.no == no)).mappings().first()


def add_connection(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a connection and answer its number."""
    return int(
        connection.execute(insert(table).values(**values).returning(table.c.no)).scalar_one()
    )


def change_connection(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of a connection."""
    connection.execute(update(table).where(table.c.no == no).values(**values))


def remove_connection(connection: Connection, no: int) -> None:
    """Delete a connection with its accounts and their rows."""
    connection.execute(delete(table).where(table.c.no == no))


def unpair_rows_of(connection: Connection, no: int) -> list[int]:
    """Part every pair with a row of a connection; answers the rows on other accounts."""
    theirs = (
        "SELECT tx.no FROM tx JOIN account ON account.no = tx.account_no WHERE connection_no = ?"
    )
    rows = connection.exec_driver_sql(theirs, (no,)).all()
    return unpair(connection, [row[0] for row in rows])
