"""Whatever lets somebody in, and the record of it: found by its hash, listed, used and ended.

Sessions of browsers and the links that begin them, API keys, and invites. What was done with them
is written once, read, and forgotten after a year.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, delete, select, update

from finplan.store.queries.rows import (
    add,
    change,
    every,
    find,
    first,
    forget_some,
    is_there,
    remove,
)
from finplan.store.store_file import LookUp
from finplan.store.tables.tables import api_key, audit_event, browser_session, invite, sign_in_link


def add_session(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a session and answer its number."""
    return add(connection, browser_session, values)


def list_sessions(connection: Connection, owner: int, now: int) -> Sequence[RowMapping]:
    """A person's sessions that have not ended, the one used last first."""
    query = (
        select(browser_session)
        .where(browser_session.c.owner_no == owner, browser_session.c.expires_at > now)
        .order_by(browser_session.c.last_used_at.desc(), browser_session.c.no.desc())
    )
    return every(connection, query)


def find_session(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's session by its id."""
    return find(connection, browser_session, owner_no=owner, id=public_id)


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


def session_created_at(connection: Connection, no: int) -> int | None:
    """When a session began; None when it has ended."""
    query = select(browser_session.c.created_at).where(browser_session.c.no == no)
    return connection.execute(query).scalar_one_or_none()


def note_session_use(connection: Connection, no: int, now: int, expires_at: int) -> None:
    """Note when a session was used, and until when it holds since."""
    query = update(browser_session).where(
        browser_session.c.no == no, browser_session.c.last_used_at < now
    )
    connection.execute(query.values(last_used_at=now, expires_at=expires_at))


def end_session(connection: Connection, no: int) -> None:
    """End a session."""
    remove(connection, browser_session, no=no)


def end_sessions(connection: Connection, owner: int, *, but: int | None) -> int:
    """End all sessions of a person but one, and every link to another; answers how many sessions."""
    remove(connection, sign_in_link, owner_no=owner)
    query = delete(browser_session).where(browser_session.c.owner_no == owner)
    if but is not None:
        query = query.where(browser_session.c.no != but)
    return connection.execute(query).rowcount


def add_sign_in_link(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a link that signs in once."""
    add(connection, sign_in_link, values)


def take_sign_in_link(connection: Connection, digest: str, now: int) -> int | None:
    """Use a link up: the number of its person, None where it was used, is over or never was."""
    query = (
        delete(sign_in_link)
        .where(sign_in_link.c.hash == digest)
        .returning(sign_in_link.c.owner_no, sign_in_link.c.expires_at)
    )
    row = connection.execute(query).first()
    return row.owner_no if row is not None and row.expires_at > now else None


def sweep_sessions(connection: Connection, now: int) -> bool:
    """Forget a batch of the sessions and links whose time is over; answers whether more may be."""
    unfinished = [
        forget_some(connection, table, table.c.expires_at <= now)
        for table in (browser_session, sign_in_link)
    ]
    return any(unfinished)


def add_key(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a key."""
    add(connection, api_key, values)


def list_keys(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's keys, newest first; those that were revoked come last."""
    query = (
        select(api_key)
        .where(api_key.c.owner_no == owner)
        .order_by(api_key.c.revoked_at.is_not(None), api_key.c.no.desc())
    )
    return every(connection, query)


def find_key(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's key by its id."""
    return find(connection, api_key, owner_no=owner, id=public_id)


def is_key_active(connection: Connection, no: int) -> bool:
    """Whether there is a key of a number that was not revoked."""
    return is_there(connection, api_key, no=no, revoked_at=None)


def revoke_key(connection: Connection, no: int, now: int) -> None:
    """Revoke a key; one that was revoked already keeps the instant of the first time."""
    query = update(api_key).where(api_key.c.no == no, api_key.c.revoked_at.is_(None))
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


def note_key_use(connection: Connection, no: int, now: int, before: int) -> None:
    """Note when a key was used, unless a use since `before` is noted already."""
    query = update(api_key).where(
        api_key.c.no == no, (api_key.c.last_used_at.is_(None)) | (api_key.c.last_used_at <= before)
    )
    connection.execute(query.values(last_used_at=now))


def add_invite(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add an invite."""
    add(connection, invite, values)


def list_invites(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """Whom a person has invited, the newest first."""
    query = select(invite).where(invite.c.owner_no == owner).order_by(invite.c.no.desc())
    return every(connection, query)


def list_open_invites(connection: Connection) -> Sequence[RowMapping]:
    """The invites for an address that nobody has joined by, whoever made them, the oldest first."""
    query = select(invite).where(invite.c.email.is_not(None), invite.c.used_at.is_(None))
    return every(connection, query.order_by(invite.c.no))


def find_invite(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's invite by its id."""
    return find(connection, invite, owner_no=owner, id=public_id)


def invite_of_hash(connection: Connection, digest: str, now: int) -> RowMapping | None:
    """The invite with a hash, None where it was used, is over or was taken back."""
    query = select(invite).where(
        invite.c.hash == digest, invite.c.used_at.is_(None), invite.c.expires_at > now
    )
    return first(connection, query)


def use_invite(connection: Connection, no: int, now: int) -> None:
    """Say that somebody has joined by an invite."""
    change(connection, invite, no, used_at=now)


def remove_invite(connection: Connection, no: int) -> None:
    """Take an invite back."""
    remove(connection, invite, no=no)


EVENTS_KEPT_FOR = 365 * 24 * 60 * 60 * 1000
"""How long an event is kept, in milliseconds."""


def add_audit_event(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add an event."""
    add(connection, audit_event, values)


def list_audit_events(
    connection: Connection, owner: int, limit: int, before: int | None
) -> Sequence[RowMapping]:
    """The newest events of a person, before an instant where one is given."""
    query = select(audit_event).where(audit_event.c.owner_no == owner)
    if before is not None:
        query = query.where(audit_event.c.at < before)
    query = query.order_by(audit_event.c.at.desc(), audit_event.c.no.desc()).limit(limit)
    return every(connection, query)


def has_audit_event(connection: Connection, owner: int, kind: str, text: str) -> bool:
    """Whether a person has been told just this."""
    return is_there(connection, audit_event, owner_no=owner, kind=kind, text=text)


def sweep_audit_events(connection: Connection, now: int) -> bool:
    """Forget a batch of what was more than a year ago; answers whether more may be."""
    return forget_some(connection, audit_event, audit_event.c.at <= now - EVENTS_KEPT_FOR)
