"""Leaving: a person is deleted with everything of theirs, and every credential ends.

The person who owns the machine is followed by a fresh one in the same transaction, so that the daemon
has an owner at any moment. The fresh one gets a number that nobody has had: work of the former owner
that still runs then fails when it writes, instead of bringing rows back.
"""

import asyncio
import logging
from typing import Any

from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.errors import Conflict, StorageFull, StoreDamaged
from finplan.model.user import DeletedPerson
from finplan.service.banking.access import accesses_of, end_quietly
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.credentials.invites import withdraw_for
from finplan.service.people import email_key, local_user_name, new_owner, shown_user
from finplan.store.backup import remove_backups, remove_copy
from finplan.store.queries import authorization
from finplan.store.queries import people as table

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
    people = await context.store.read(table.list_people)
    accesses = await accesses_of(context)
    await _must_be_whole(context)
    backups = await asyncio.to_thread(remove_backups, context.store.backups)

    def leave(connection: Connection) -> DeletedPerson:
        gone = _what_goes(connection, owner, backups)
        first, number = table.only_person(connection), table.lowest_number(connection)
        table.remove_person(connection, owner)
        # What others keep of the person lets nobody in under that address, and names it no longer.
        withdraw_for(connection, gone.user.email)
        authorization.end_attempts_for(connection, email_key(gone.user.email))
        if first is not None and first["no"] == owner:
            table.add_person(connection, {"no": number, **_next_owner(connection, context)})
        else:
            said = audit.who_left(gone.user.email)
            address, now = context.caller.address, context.milliseconds()
            audit.note_for_the_owner(connection, "person.left", said, address, now)
        return gone

    gone = await context.commit(leave)
    await context.end_credentials(owner)
    # Some banks' aggregators ask a price for as long as they are not told; nobody is kept by them.
    await asyncio.gather(*(end_quietly(*each) for each in accesses))
    # A copy may have been made, or begun, while the rows were still there.
    made_since = await asyncio.to_thread(remove_backups, context.store.backups)
    backups = (*backups, *made_since)
    try:
        await context.store.compact()
        if backups and len(people) > 1:
            copy = context.store.backups / COPY_WITHOUT
            await asyncio.to_thread(context.store.back_up, copy)
    except StorageFull:
        log.warning("The disk is full: what was deleted is still to be overwritten in the file.")
    except StoreDamaged as fault:
        log.warning("No backup was made after the deletion. %s", fault.message)
    except Conflict as conflict:
        # Somebody else may leave as well, who makes the copy without either.
        log.info("No backup was made after the deletion. %s", conflict.message)
    return gone.model_copy(update={"backups": backups})


async def _must_be_whole(context: Context) -> None:
    """Raise StoreDamaged before any backup is removed, since those may be all that can be restored."""
    copy = context.store.backups / COPY_WITHOUT
    try:
        await asyncio.to_thread(context.store.back_up, copy)
    except (StorageFull, Conflict):
        # Neither says that the store is damaged, and on a full disk leaving makes room.
        return
    finally:
        await asyncio.to_thread(remove_copy, copy)


async def must_be_there(context: Context) -> None:
    """Raise Unauthorized when the caller was deleted since the request began."""
    await context.store.read(lambda c: table.get_person(c, context.caller.owner))


def _next_owner(connection: Connection, context: Context) -> dict[str, Any]:
    """Who owns the machine now; an address that somebody else signs in by is only shown."""
    fresh = new_owner(local_user_name(), context.milliseconds())
    taken = table.person_of_email(connection, fresh["email_key"]) is not None
    return fresh | {"email_key": None} if taken else fresh


def _what_goes(connection: Connection, owner: int, backups: tuple[str, ...]) -> DeletedPerson:
    user = shown_user(table.get_person(connection, owner))
    rows = table.count_rows(connection, owner)
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
