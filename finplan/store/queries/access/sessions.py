"""Sessions of browsers, and the links that begin them: found by their hash, used and ended."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, delete, insert, select, update

from finplan.store.look_up import LookUp
from finplan.store.queries.access.sweeping import forget
from finplan.store.tables.tables import browser_session as table
from finplan.store.tables.tables import sign_in_link as link


def add_session(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a session and answer its number."""
    return int(
        connection.execute(insert(table).values(**values).returning(table.c.no)).scalar_one()
    )


def list_sessions(connection: Connection, owner: int, now: int) -> Sequence[RowMapping]:
    """A person's sessions that have not ended, the one used last first."""
    query = (
        select(table)
        .where(table.c.owner_no == owner, table.c.expires_at > now)
        .order_by(table.c.last_used_at.desc(), table.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def find_session(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's session by its id."""
    query = select(table).where(table.c.owner_no == owner, table.c.id == public_id)
    return connection.execute(query).mappings().first()


class StoredSession(NamedTuple):
    """What decides whether a session lets somebody in; times are in milliseconds."""

    no: int
    owner: int
    last_used_at: int
    expires_at: int


SESSION_OF_HASH = LookUp(
    "SELECT no, owner_no, last_used_at, expires_at FROM browser_session WHERE hash = ?",
    StoredSession,
)
"""The session with a hash."""


def created_at(connection: Connection, no: int) -> int | None:
    """When a session began; None when it has ended."""
    query = select(table.c.created_at).where(table.c.no == no)
    return connection.execute(query).scalar_one_or_none()


def note_session_use(connection: Connection, no: int, now: int, expires_at: int) -> None:
    """Note when a session was used, and until when it holds since."""
    query = update(table).where(table.c.no == no, table.c.last_used_at < now)
    connection.execute(query.values(last_used_at=now, expires_at=expires_at))


def end_session(connection: Connection, no: int) -> None:
    """End a session."""
    connection.execute(delete(table).where(table.c.no == no))


def end_sessions(connection: Connection, owner: int, *, but: int | None) -> int:
    """End all sessions of a person but one, and every link to another; answers how many sessions."""
    connection.execute(delete(link).where(link.c.owner_no == owner))
    query = delete(table).where(table.c.owner_no == owner)
    if but is not None:
        query = query.where(table.c.no != but)
    return connection.execute(query).rowcount


def add_link(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a link that signs in once."""
    connection.execute(insert(link).values(**values))


def take_link(connection: Connection, digest: str, now: int) -> int | None:
    """Use a link up: the number of its person, None where it was used, is over or never was."""
    query = delete(link).where(link.c.hash == digest).returning(link.c.owner_no, link.c.expires_at)
    row = connection.execute(query).first()
    return row.owner_no if row is not None and row.expires_at > now else None


def sweep(connection: Connection, now: int) -> bool:
    """Forget a batch of the sessions and links whose time is over; answers whether more may be."""
    more = [forget(connection, each, each.c.expires_at <= now) for each in (table, link)]
    return any(more)
