"""Linking banks, syncing them, and unlinking them."""

from contextlib import suppress
from functools import partial
from zoneinfo import ZoneInfo

from sqlalchemy import Connection as Database
from sqlalchemy import RowMapping

from finplan.model.automation.consents import ends_soon
from finplan.model.base import Nothing
from finplan.model.connection import (
    ConnectionId,
    ConnectionRecord,
    ConnectionState,
    SyncReport,
    UnlinkEffect,
    Unlinking,
)
from finplan.model.errors import Conflict, NotFound
from finplan.service.banking.access import end_access
from finplan.service.banking.records import connection_of
from finplan.service.banking.sync import Finish, sync
from finplan.service.banking.unlinking import effect_of, must_be_linked, part
from finplan.service.context import Context
from finplan.store.queries import connections as table
from finplan.store.queries import people
from finplan.store.queries.duplicates import relinked_of_connections


async def list_connections(context: Context, _ask: Nothing) -> tuple[ConnectionRecord, ...]:
    """The linked banks, oldest first."""
    owner = context.caller.owner

    def read(database: Database) -> tuple[ConnectionRecord, ...]:
        user = people.get_person(database, owner)["id"]
        return tuple(_record(row, user) for row in table.list_connections(database, owner))

    return await context.store.read(read)


async def list_connection_states(context: Context, _ask: Nothing) -> tuple[ConnectionState, ...]:
    """The linked banks, oldest first, with when their consents end and what is asked of them."""
    owner = context.caller.owner

    def read(database: Database) -> tuple[ConnectionState, ...]:
        person = people.get_person(database, owner)
        unsure = relinked_of_connections(database, owner)
        zone, today = ZoneInfo(person["time_zone"]), context.today(person["time_zone"])
        return tuple(
            ConnectionState(
                record=_record(row, person["id"]),
                bank=row["bank"],
                access_ends_at=row["access_ends_at"],
                access_ending=ends_soon(row["access_ends_at"], today, zone),
                unsure_accounts=unsure.get(row["no"], 0),
                next_try_at=row["next_try_at"],
            )
            for row in table.list_connections(database, owner)
        )

    return await context.store.read(read)


async def show_connection(context: Context, ask: ConnectionId) -> ConnectionRecord:
    """One linked bank."""
    return await context.store.read(lambda d: find_record(d, context.caller.owner, ask.id))


async def show_unlinking(context: Context, ask: ConnectionId) -> UnlinkEffect:
    """What of a bank would go when it is unlinked, and what would stay. Raises NotFound."""
    owner = context.caller.owner

    def read(database: Database) -> UnlinkEffect:
        row = find_row(database, owner, ask.id)
        return effect_of(database, row, find_record(database, owner, ask.id))

    return await context.store.read(read)


async def unlink_connection(context: Context, ask: Unlinking) -> ConnectionRecord:
    """Unlink a bank; what files brought stays, what it alone brought goes, and rules stay.

    With `keep` all stays, as accounts of statement files. An aggregator is told first, since some ask a
    price for as long as they are not. Raises Conflict where there is nothing to keep, and
    BankProviderError, and unlinks nothing, where it cannot be told now.
    """
    owner = context.caller.owner
    row = await context.store.read(lambda d: find_row(d, owner, ask.id))
    if ask.keep:
        must_be_linked(row)
    await end_access(context, row)
    now = context.milliseconds()

    def unlink(database: Database) -> ConnectionRecord:
        record = find_record(database, owner, ask.id)
        part(database, find_row(database, owner, ask.id), now, keep=ask.keep)
        people.raise_generation(database, owner)
        return record

    return await context.commit(unlink, event=True)


async def sync_connection(context: Context, ask: ConnectionId) -> SyncReport:
    """Fetch what is new at one bank. Raises Conflict when it is unlinked meanwhile."""
    await context.store.read(lambda d: find_row(d, context.caller.owner, ask.id))
    return await sync(context, ask.id, context.commit)


async def sync_all(context: Context, _ask: Nothing) -> tuple[SyncReport, ...]:
    """Fetch what is new at every bank; one that fails does not keep the others from it."""
    rows = await context.store.read(lambda d: table.list_connections(d, context.caller.owner))
    ids = [row["id"] for row in rows]
    if not ids:
        return ()
    others: list[SyncReport] = []
    for each in ids[:-1]:
        # What is unlinked meanwhile keeps no other bank from being synced.
        with suppress(Conflict):
            others.append(await sync(context, each, context.store.write))

    def settle(database: Database, finish: Finish) -> tuple[SyncReport, ...]:
        return (*others, finish(database))

    try:
        return await sync(
            context, ids[-1], lambda last: context.commit(partial(settle, finish=last))
        )
    except Conflict:
        return await context.commit(lambda _: tuple(others))


def find_row(database: Database, owner: int, connection_id: str) -> RowMapping:
    """The row of a person's connection. Raises NotFound."""
    row = table.find_connection(database, owner, connection_id)
    if row is None:
        raise NotFound(
            f"There is no connection {connection_id}. `finplan connections list` shows them."
        )
    return row


def find_record(database: Database, owner: int, connection_id: str) -> ConnectionRecord:
    """A person's connection by its id. Raises NotFound."""
    user = people.get_person(database, owner)["id"]
    return _record(find_row(database, owner, connection_id), user)


def _record(row: RowMapping, user_id: str) -> ConnectionRecord:
    return ConnectionRecord(
        connection=connection_of(row, user_id),
        sync_cursor=row["cursor"] or None,
        last_synced_at=row["last_synced_at"],
    )
