"""Who has an account on this machine: invited by its owner, and leaving with everything of theirs.

An invite's link does nothing but let one person join, once, before its time is over.

The person who owns the machine is followed by a fresh one in the same transaction, so that the daemon
has an owner at any moment. The fresh one gets a number that nobody has had: work of the former owner
that still runs then fails when it writes, instead of bringing rows back.
"""

import asyncio
import logging
from typing import Any

from sqlalchemy import Connection

from finplan.model import errors
from finplan.model.base import Nothing
from finplan.model.credential import CreatedInvite, Invite, InviteId, JoinedPerson, NewInvite
from finplan.model.user import DeletedPerson
from finplan.operation import Made
from finplan.service.banking.access import accesses_of, end_quietly
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.credentials.keys import digest, new_token
from finplan.service.credentials.sessions import Browser, begin_session
from finplan.service.ids import new_id
from finplan.service.people import (
    email_key,
    local_user_name,
    new_owner,
    owns_the_machine,
    shown_user,
)
from finplan.store.backup import remove_backups, remove_copy
from finplan.store.queries import authorization, credentials, people as people_table

INVITE_PREFIX = "fpi_"
INVITE_IS_OVER = (
    "This invite was already used or revoked, or has expired. Ask the sender for a new invite."
)
_DAY = 24 * 60 * 60 * 1000


async def list_people(context: Context, _ask: Nothing) -> tuple[JoinedPerson, ...]:
    """Who has an account here: everybody for the owner of the machine, for others they themselves."""
    me = context.caller.owner
    rows = await context.store.read(people_table.list_people)
    owner = rows[0]["no"]
    return tuple(
        JoinedPerson.of(row, owner=row["no"] == owner, you=row["no"] == me)
        for row in rows
        if me in (owner, row["no"])
    )


async def list_invites(context: Context, _ask: Nothing) -> tuple[Invite, ...]:
    """Whom the person has invited, the newest first."""
    rows = await context.store.read(lambda c: credentials.list_invites(c, context.caller.owner))
    return tuple(map(Invite.of, rows))


async def create_invite(context: Context, ask: NewInvite) -> Made[CreatedInvite]:
    """Invite somebody; the link is in this answer and nowhere else. Raises Forbidden, Conflict.

    An address has one open invite: a newer one takes the place of those before.
    """
    owner, now, token = context.caller.owner, context.milliseconds(), new_token(INVITE_PREFIX)

    def create(connection: Connection) -> Made[CreatedInvite]:
        if not owns_the_machine(connection, owner):
            raise errors.Forbidden(
                "Only the owner of this machine can invite people. Ask the owner to invite them."
            )
        if ask.email is not None and people_table.person_of_email(connection, email_key(ask.email)):
            raise errors.Conflict(f"{ask.email} already has an account here.")
        if ask.email is not None and withdraw_for(connection, ask.email):
            text = f"Replaced the earlier invite for {ask.email}."
            audit.note(connection, context.caller, "invite.revoked", text, now)
        values = {
            "id": new_id("inv"),
            "email": ask.email,
            "created_at": now,
            "expires_at": now + ask.days * _DAY,
        }
        credentials.add_invite(connection, {**values, "owner_no": owner, "hash": digest(token)})
        whom = ask.email or "anyone with the link"
        audit.note(connection, context.caller, "invite.created", f"Invited {whom}.", now)
        row = credentials.find_invite(connection, owner, str(values["id"]))
        assert row is not None, "It was added just now."
        url = f"{context.site_url}/join?invite={token}"
        return Made(CreatedInvite.of(row, url=url), new=True)

    return await context.commit(create)


async def revoke_invite(context: Context, ask: InviteId) -> Invite:
    """Take an invite back: its link lets nobody in from now on; one that was used is only forgotten."""
    owner, now = context.caller.owner, context.milliseconds()

    def revoke(connection: Connection) -> Invite:
        row = credentials.find_invite(connection, owner, ask.id)
        if row is None:
            raise errors.NotFound(
                f"No invite {ask.id}. List your invites with `finplan invites list`."
            )
        credentials.remove_invite(connection, row["no"])
        whom = row["email"] or "anyone with the link"
        used = row["used_at"] is not None
        text = f"{'Removed the used' if used else 'Revoked the'} invite for {whom}."
        audit.note(connection, context.caller, "invite.revoked", text, now)
        return Invite.of(row)

    return await context.commit(revoke)


def withdraw_for(connection: Connection, email: str) -> int:
    """Take the invites for an address back by which nobody has joined, and answer how many."""
    key = email_key(email)
    rows = [
        row for row in credentials.list_open_invites(connection) if email_key(row["email"]) == key
    ]
    for row in rows:
        credentials.remove_invite(connection, row["no"])
    return len(rows)


def take_invite(connection: Connection, token: str | None, email: str, now: int) -> int | None:
    """Use an invite up for an address, and answer who sent it; None where there is none.

    Raises Unauthorized for one that lets nobody in, Forbidden for one of another address.
    """
    if token is None:
        return None
    row = credentials.invite_of_hash(connection, digest(token), now)
    if row is None:
        raise errors.Unauthorized(INVITE_IS_OVER)
    if row["email"] is not None and email_key(row["email"]) != email_key(email):
        raise errors.Forbidden(f"This invite is only for {row['email']}. Join with that address.")
    credentials.use_invite(connection, row["no"], now)
    return int(row["owner_no"])


def let_join(
    connection: Connection,
    person: dict[str, Any],
    invite: str | None,
    browser: Browser,
    now: int,
    *,
    how: str,
    text: str,
    taken: str,
) -> str:
    """Make an account for a new person and begin its first session; answers the cookie's value.

    `how` names the way in, `text` is what its inviter is told, `taken` says that the address has an
    account. Raises Conflict, and what `take_invite` raises.
    """
    inviter = take_invite(connection, invite, person["email"], now)
    if people_table.person_of_email(connection, person["email_key"]) is not None:
        raise errors.Conflict(taken)
    owner = people_table.add_person(connection, person)
    audit.note_for(connection, owner, "person.joined", f"Joined {how}.", browser.address, now)
    if inviter is not None:
        audit.note_for(connection, inviter, "person.joined", text, browser.address, now)
    return begin_session(connection, owner, browser, "on joining", now)


COPY_WITHOUT = "without-who-left.db"
"""What the copy is called that stays with the others when somebody has left."""

log = logging.getLogger(__name__)


async def delete_me(context: Context, _ask: Nothing) -> DeletedPerson:
    """Delete the caller with everything of theirs; answers what went.

    Copies of the store hold the same rows, so they go first, and what was made meanwhile goes after:
    whoever is told that everything is deleted must be able to rely on it. Where others stay, a copy
    without the rows takes their place.
    """
    owner = context.caller.owner
    people = await context.store.read(people_table.list_people)
    accesses = await accesses_of(context)
    await _store_must_be_whole(context)
    backups = await asyncio.to_thread(remove_backups, context.store.backups)

    def leave(connection: Connection) -> DeletedPerson:
        gone = _what_goes(connection, owner, backups)
        owned, number = owns_the_machine(connection, owner), people_table.lowest_number(connection)
        people_table.remove_person(connection, owner)
        # What others keep of the person lets nobody in under that address, and names it no longer.
        withdraw_for(connection, gone.user.email)
        authorization.end_attempts_for(connection, email_key(gone.user.email))
        if owned:
            people_table.add_person(connection, {"no": number, **_next_owner(connection, context)})
        else:
            text = audit.describe_departure(gone.user.email)
            address, now = context.caller.address, context.milliseconds()
            audit.note_for_the_owner(connection, "person.left", text, address, now)
        return gone

    gone = await context.commit(leave)
    await context.end_credentials(owner)
    # Some banks' aggregators ask a price for as long as they are not told; nobody is kept by them.
    await asyncio.gather(*(end_quietly(*access) for access in accesses))
    # A copy may have been made, or begun, while the rows were still there.
    made_since = await asyncio.to_thread(remove_backups, context.store.backups)
    backups = (*backups, *made_since)
    try:
        await context.store.compact()
        if backups and len(people) > 1:
            copy = context.store.backups / COPY_WITHOUT
            await asyncio.to_thread(context.store.back_up, copy)
    except errors.StorageFull:
        log.warning("The disk is full: what was deleted is still to be overwritten in the file.")
    except errors.StoreDamaged as fault:
        log.warning("No backup was made after the deletion. %s", fault.message)
    except errors.Conflict as conflict:
        # Somebody else may leave as well, who makes the copy without either.
        log.info("No backup was made after the deletion. %s", conflict.message)
    return gone.model_copy(update={"backups": backups})


async def _store_must_be_whole(context: Context) -> None:
    """Raise StoreDamaged before any backup is removed, since those may be all that can be restored."""
    copy = context.store.backups / COPY_WITHOUT
    try:
        await asyncio.to_thread(context.store.back_up, copy)
    except (errors.StorageFull, errors.Conflict):
        # Neither says that the store is damaged, and on a full disk leaving makes room.
        return
    finally:
        await asyncio.to_thread(remove_copy, copy)


async def must_be_there(context: Context) -> None:
    """Raise Unauthorized when the caller was deleted since the request began."""
    await context.store.read(lambda c: people_table.get_person(c, context.caller.owner))


def _next_owner(connection: Connection, context: Context) -> dict[str, Any]:
    """Who owns the machine now; an address that somebody else signs in by is only shown."""
    fresh = new_owner(local_user_name(), context.milliseconds())
    taken = people_table.person_of_email(connection, fresh["email_key"]) is not None
    return fresh | {"email_key": None} if taken else fresh


def _what_goes(connection: Connection, owner: int, backups: tuple[str, ...]) -> DeletedPerson:
    user = shown_user(people_table.get_person(connection, owner))
    rows = people_table.count_rows(connection, owner)
    return DeletedPerson(
        user=user,
        connections=rows["connection"],
        accounts=rows["account"],
        transactions=rows["tx"] + rows["pending"],
        imports=rows["import_batch"],
        plans=rows["plan"],
        rules=rows["rule"],
        answers=rows["task_answer"],
        keys=rows["api_key"],
        backups=backups,
    )
