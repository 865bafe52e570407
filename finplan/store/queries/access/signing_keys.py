"""The keys that the daemon signs with."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update

from finplan.store.tables.tables import signing_key as table


def add_key(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a key."""
    connection.execute(insert(table).values(**values))


def list_keys(connection: Connection, algorithms: Sequence[str]) -> Sequence[RowMapping]:
    """Every key of some algorithms that something may still be signed with, the newest first."""
    query = select(table).where(table.c.algorithm.in_(algorithms)).order_by(table.c.no.desc())
    return connection.execute(query).mappings().all()


def count_from(connection: Connection, algorithms: Sequence[str], now: int) -> None:
    """Let the keys of some algorithms that were made in the future count as made now."""
    ahead = table.c.algorithm.in_(algorithms) & (table.c.created_at > now)
    connection.execute(update(table).where(ahead).values(created_at=now))


def sweep(
    connection: Connection, algorithms: Sequence[str], before: int, but: str | None = None
) -> None:
    """Forget the keys of some algorithms made before an instant, but for one of them by its name."""
    old = table.c.algorithm.in_(algorithms) & (table.c.created_at < before)
    connection.execute(delete(table).where(old, table.c.kid.is_distinct_from(but)))
