"""Invites: added, listed, used and taken back."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update

from finplan.store.tables.tables import invite as table


def add_invite(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add an invite."""
    connection.execute(insert(table).values(**values))


def list_invites(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """Whom a person has invited, the newest first."""
    query = select(table).where(table.c.owner_no == owner).order_by(table.c.no.desc())
    return connection.execute(query).mappings().all()


def list_open_named(connection: Connection) -> Sequence[RowMapping]:
    """The invites for an address that nobody has joined by, whoever made them, the oldest first."""
    query = select(table).where(table.c.email.is_not(None), table.c.used_at.is_(None))
    return connection.execute(query.order_by(table.c.no)).mappings().all()


def find_invite(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's invite by its id."""
    query = select(table).where(table.c.owner_no == owner, table.c.id == public_id)
    return connection.execute(query).mappings().first()


def invite_of_hash(connection: Connection, digest: str, now: int) -> RowMapping | None:
    """The invite with a hash, None where it was used, is over or was taken back."""
    query = select(table).where(
        table.c.hash == digest, table.c.used_at.is_(None), table.c.expires_at > now
    )
    return connection.execute(query).mappings().first()


def use_invite(connection: Connection, no: int, now: int) -> None:
    """Say that somebody has joined by an invite."""
    connection.execute(update(table).where(table.c.no == no).values(used_at=now))


def remove_invite(connection: Connection, no: int) -> None:
    """Take an invite back."""
    connection.execute(delete(table).where(table.c.no == no))
