"""API keys: found by their hash, listed, used and revoked."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, insert, select, update

from finplan.store.look_up import LookUp
from finplan.store.tables.tables import api_key as table


def add_key(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a key."""
    connection.execute(insert(table).values(**values))


def list_keys(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's keys, newest first; those that were revoked come last."""
    query = (
        select(table)
        .where(table.c.owner_no == owner)
        .order_by(table.c.revoked_at.is_not(None), table.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def find_key(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's key by its id."""
    query = select(table).where(table.c.owner_no == owner, table.c.id == public_id)
    return connection.execute(query).mappings().first()


def is_held(connection: Connection, no: int) -> bool:
    """Whether there is a key of a number that was not revoked."""
    query = select(table.c.no).where(table.c.no == no, table.c.revoked_at.is_(None))
    return connection.execute(query).first() is not None


def revoke_key(connection: Connection, no: int, now: int) -> None:
    """Revoke a key; one that was revoked already keeps the instant of the first time."""
    query = update(table).where(table.c.no == no, table.c.revoked_at.is_(None))
    connection.execute(query.values(revoked_at=now))


class StoredKey(NamedTuple):
    """What decides whether a key lets somebody in, and as whom."""

    no: int
    owner: int
    scopes: str
    last_used_at: int | None
    revoked_at: int | None
    expires_at: int | None


KEY_OF_HASH = LookUp(
    "SELECT no, owner_no, scopes, last_used_at, revoked_at, expires_at FROM api_key WHERE hash = ?",
    StoredKey,
)
"""The key with a hash."""


def note_use(connection: Connection, no: int, now: int, before: int) -> None:
    """Note when a key was used, unless a use since `before` is noted already."""
    query = update(table).where(
        table.c.no == no, (table.c.last_used_at.is_(None)) | (table.c.last_used_at <= before)
    )
    connection.execute(query.values(last_used_at=now))
