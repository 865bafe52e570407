"""The record of what lets people in: written once, read, and forgotten after a year."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select

from finplan.store.queries.access.sweeping import forget
from finplan.store.tables.tables import audit_event as table

KEPT_FOR = 365 * 24 * 60 * 60 * 1000
"""How long an event is kept, in milliseconds."""


def add_event(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add an event."""
    connection.execute(insert(table).values(**values))


def list_events(
    connection: Connection, owner: int, limit: int, before: int | None
) -> Sequence[RowMapping]:
    """The newest events of a person, before an instant where one is given."""
    query = select(table).where(table.c.owner_no == owner)
    if before is not None:
        query = query.where(table.c.at < before)
    query = query.order_by(table.c.at.desc(), table.c.no.desc()).limit(limit)
    return connection.execute(query).mappings().all()


def has_event(connection: Connection, owner: int, kind: str, text: str) -> bool:
    """Whether a person has been told just this."""
    same = (table.c.owner_no == owner, table.c.kind == kind, table.c.text == text)
    return connection.execute(select(table.c.no).where(*same).limit(1)).first() is not None


def sweep(connection: Connection, now: int) -> bool:
    """Forget a batch of what was more than a year ago; answers whether more may be."""
    return forget(connection, table, table.c.at <= now - KEPT_FOR)
