"""The record of what lets people in, for them to read: who came in, what was given and taken back.

Each event is written in the transaction of what it tells of. Its words hold no secret.
"""

from sqlalchemy import Connection

from finplan.model.credential import AuditEvent, AuditKind, AuditQuery
from finplan.service.context import Caller, Context
from finplan.service.ids import new_id
from finplan.store.queries import credentials as table
from finplan.store.queries import people


async def list_audit(context: Context, ask: AuditQuery) -> tuple[AuditEvent, ...]:
    """What happened to the person's credentials, the newest first."""
    owner = context.caller.owner
    rows = await context.store.read(
        lambda c: table.list_audit_events(c, owner, ask.limit, ask.before)
    )
    return tuple(
        AuditEvent(
            id=row["id"],
            at=row["at"],
            kind=row["kind"],
            credential=row["credential"],
            address=row["address"],
            text=row["text"],
        )
        for row in rows
    )


def who_left(email: str) -> str:
    """What the owner of the machine is told of somebody who deleted their account."""
    return f"{email} deleted their account, with everything of theirs."


def note(connection: Connection, caller: Caller, kind: AuditKind, text: str, now: int) -> None:
    """Record what a caller did, or what was done in their name."""
    table.add_audit_event(
        connection,
        {
            "id": new_id("aud"),
            "owner_no": caller.owner,
            "at": now,
            "kind": kind,
            "credential": caller.credential or None,
            "address": caller.address,
            "text": text,
        },
    )


def note_for_the_owner(
    connection: Connection, kind: AuditKind, text: str, address: str | None, now: int
) -> None:
    """Record what nobody's account did, for who owns the machine."""
    owner = people.only_person(connection)
    if owner is not None:
        note(connection, Caller(owner["no"], frozenset(), "session", "", address), kind, text, now)
