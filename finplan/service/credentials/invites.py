"""Invites: the owner of the machine lets somebody have an account of their own on it.

An invite's link does nothing but let one person join, once, before its time is over.
"""

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.credential import CreatedInvite, Invite, InviteId, JoinedPerson, NewInvite
from finplan.model.errors import Conflict, Forbidden, NotFound, Unauthorized
from finplan.operation import Made
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.credentials.tokens import digest, new_token
from finplan.service.ids import new_id
from finplan.service.people import email_key
from finplan.store.queries import credentials as table
from finplan.store.queries import people

PREFIX = "fpi_"
OVER = "This invite was used already, was taken back, or is over. Ask who sent it for another one."
_DAY = 24 * 60 * 60 * 1000


async def list_people(context: Context, _ask: Nothing) -> tuple[JoinedPerson, ...]:
    """Who has an account here: everybody for the owner of the machine, for others they themselves."""
    me = context.caller.owner
    rows = await context.store.read(people.list_people)
    owner = rows[0]["no"]
    return tuple(
        JoinedPerson(
            id=row["id"],
            email=row["email"],
            name=row["name"],
            created_at=row["created_at"],
            owner=row["no"] == owner,
            you=row["no"] == me,
        )
        for row in rows
        if me in (owner, row["no"])
    )


async def list_invites(context: Context, _ask: Nothing) -> tuple[Invite, ...]:
    """Whom the person has invited, the newest first."""
    rows = await context.store.read(lambda c: table.list_invites(c, context.caller.owner))
    return tuple(_shown(row) for row in rows)


async def create_invite(context: Context, ask: NewInvite) -> Made[CreatedInvite]:
    """Invite somebody; the link is in this answer and nowhere else. Raises Forbidden, Conflict.

    An address has one open invite: a newer one takes the place of those before.
    """
    owner, now, token = context.caller.owner, context.milliseconds(), new_token(PREFIX)

    def create(connection: Connection) -> Made[CreatedInvite]:
        _must_be_owner(connection, owner)
        if ask.email is not None and people.person_of_email(connection, email_key(ask.email)):
            raise Conflict(f"{ask.email} has an account here already.")
        if ask.email is not None and withdraw_for(connection, ask.email):
            said = f"Took the former invite of {ask.email} back, since a newer one takes its place."
            audit.note(connection, context.caller, "invite.revoked", said, now)
        values = {
            "id": new_id("inv"),
            "email": ask.email,
            "created_at": now,
            "expires_at": now + ask.days * _DAY,
        }
        table.add_invite(connection, {**values, "owner_no": owner, "hash": digest(token)})
        whom = ask.email or "whoever has the link"
        audit.note(connection, context.caller, "invite.created", f"Invited {whom}.", now)
        row = table.find_invite(connection, owner, str(values["id"]))
        assert row is not None, "It was added just now."
        shown = _shown(row).model_dump(by_alias=False)
        return Made(CreatedInvite(url=f"{context.site_url}/join?invite={token}", **shown), new=True)

    return await context.commit(create)


async def revoke_invite(context: Context, ask: InviteId) -> Invite:
    """Take an invite back: its link lets nobody in from now on; one that was used is only forgotten."""
    owner, now = context.caller.owner, context.milliseconds()

    def revoke(connection: Connection) -> Invite:
        row = table.find_invite(connection, owner, ask.id)
        if row is None:
            raise NotFound(f"There is no invite {ask.id}. `finplan invites list` shows them.")
        table.remove_invite(connection, row["no"])
        whom = row["email"] or "whoever has the link"
        used = row["used_at"] is not None
        said = f"Forgot the used invite of {whom}." if used else f"Took the invite of {whom} back."
        audit.note(connection, context.caller, "invite.revoked", said, now)
        return _shown(row)

    return await context.commit(revoke)


def withdraw_for(connection: Connection, email: str) -> int:
    """Take the invites for an address back by which nobody has joined, and answer how many."""
    key = email_key(email)
    rows = [row for row in table.list_open_named(connection) if email_key(row["email"]) == key]
    for row in rows:
        table.remove_invite(connection, row["no"])
    return len(rows)


def take_invite(connection: Connection, token: str | None, email: str, now: int) -> int | None:
    """Use an invite up for an address, and answer who sent it; None where there is none.

    Raises Unauthorized for one that lets nobody in, Forbidden for one of another address.
    """
    if token is None:
        return None
    row = table.invite_of_hash(connection, digest(token), now)
    if row is None:
        raise Unauthorized(OVER)
    if row["email"] is not None and email_key(row["email"]) != email_key(email):
        raise Forbidden(f"This invite is for {row['email']} alone.")
    table.use_invite(connection, row["no"], now)
    return int(row["owner_no"])


def _must_be_owner(connection: Connection, person: int) -> None:
    first = people.only_person(connection)
    if first is None or first["no"] != person:
        raise Forbidden("Only the owner of this machine invites others. Ask them to.")


def _shown(row: RowMapping) -> Invite:
    return Invite(
        id=row["id"],
        email=row["email"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        used_at=row["used_at"],
    )
