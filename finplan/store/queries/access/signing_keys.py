"""The keys that the daemon signs with."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select

from finplan.store.tables.tables import signing_key as table


def add_key(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a key."""
    connection.execute(insert(table).values(**values))


def list_keys(connection: Connection, algorithms: Sequence[str]) -> Sequence[RowMapping]:
    """Every key of some algorithms that something may still be signed with, the newest first."""
    query = select(table).where(table.c.algorithm.in_(algorithms)).order_by(table.c.no.desc())
    return connection.execute(query).mappings().all()


def sweep(connection: Connection, before: int) -> None:
    """Forget the keys that were made before an instant."""
    connection.execute(delete(table).where(table.c.created_at < before))
