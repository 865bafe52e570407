"""Linking banks, syncing them, and unlinking them."""

from contextlib import suppress
from functools import partial

from sqlalchemy import Connection as Database
from sqlalchemy import RowMapping

from finplan.model.base import Nothing
from finplan.model.connection import (
    ConnectionId,
    ConnectionRecord,
    LinkRequest,
    SyncReport,
)
from finplan.model.errors import BadRequest, Conflict, Forbidden, NotFound, UnsupportedProvider
from finplan.operation import Made
from finplan.service.banking.records import connection_of
from finplan.service.banking.rhythm import next_try
from finplan.service.banking.sync import Finish, sync
from finplan.service.context import Context
from finplan.service.ids import new_id
from finplan.service.ledger.categorisation import categorise_payees
from finplan.service.ledger.counting import recount_accounts
from finplan.service.ledger.transfer_matching import match_rows
from finplan.store.queries import connections as table
from finplan.store.queries import payees, people

DEMO_INSTITUTION = "Demo household"


async def list_connections(context: Context, _ask: Nothing) -> tuple[ConnectionRecord, ...]:
    """The linked banks, oldest first."""
    owner = context.caller.owner

    def read(database: Database) -> tuple[ConnectionRecord, ...]:
        user = people.get_person(database, owner)["id"]
        return tuple(_record(row, user) for row in table.list_connections(database, owner))

    return await context.store.read(read)


async def show_connection(context: Context, ask: ConnectionId) -> ConnectionRecord:
    """One linked bank."""
    return await context.store.read(lambda d: _find_record(d, context.caller.owner, ask.id))


async def link_connection(context: Context, ask: LinkRequest) -> Made[ConnectionRecord]:
    """Link a bank, and sync it at once; linking `demo` twice gives the same connection.

    Raises UnsupportedProvider, and Conflict where demo and real data would share a store.
    """
    if ask.provider not in context.banks:
        raise UnsupportedProvider(
            f"There is no provider {ask.provider!r}. Known are {', '.join(sorted(context.banks))}."
        )
    if ask.provider == "manual" and ask.institution is None:
        raise BadRequest("Name the institution of a manual connection: `institution.name`.")
    if context.caller.guest and ask.provider != "demo":
        raise Forbidden(
            "An agent that nobody has claimed reaches the demo household alone. Have your person claim"
            " you: POST /agent/identity/claim."
        )
    owner = context.caller.owner

    def link(database: Database) -> Made[ConnectionRecord]:
        connection_id, new = _link(database, context, ask)
        return Made(_find_record(database, owner, connection_id), new)

    made = await context.commit(link, final=False)
    linked = made.answer.connection.id

    def finish_link(database: Database, finish: Finish) -> Made[ConnectionRecord]:
        finish(database)
        return Made(_find_record(database, owner, linked), new=True)

    if not made.new:
        return made
    return await sync(
        context, linked, lambda last: context.commit(partial(finish_link, finish=last))
    )


async def unlink_connection(context: Context, ask: ConnectionId) -> ConnectionRecord:
    """Unlink a bank and delete its accounts and transactions; rules stay."""
    owner = context.caller.owner

    def unlink(database: Database) -> ConnectionRecord:
        record = _find_record(database, owner, ask.id)
        row = _find(database, owner, ask.id)
        unpaired = table.unpair_rows_of(database, row["no"])
        table.remove_connection(database, row["no"])
        recount_accounts(database, owner)
        payees.remove_unused(database, owner, payees.numbers_of(database, owner).values())
        categorise_payees(database, owner, None)
        categorise_payees(database, owner, match_rows(database, owner, unpaired))
        people.raise_generation(database, owner)
        return record

    return await context.commit(unlink, event=True)


async def sync_connection(context: Context, ask: ConnectionId) -> SyncReport:
    """Fetch what is new at one bank. Raises Conflict when it is unlinked meanwhile."""
    await context.store.read(lambda d: _find(d, context.caller.owner, ask.id))
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


def _link(database: Database, context: Context, ask: LinkRequest) -> tuple[str, bool]:
    owner = context.caller.owner
    present = table.list_connections(database, owner)
    for row in present:
        if ask.provider == "demo" and row["provider"] == "demo":
            return row["id"], False
        if "demo" in {ask.provider, row["provider"]}:
            raise Conflict(
                "The demo household never shares a store with real data. Use another profile:"
                " `finplan --demo …` for the demo, `finplan --profile NAME …` for your own."
            )
    institution = DEMO_INSTITUTION if ask.institution is None else ask.institution.name
    connection_id, now = new_id("con"), context.milliseconds()
    values = {
        "id": connection_id,
        "owner_no": owner,
        "provider": ask.provider,
        "institution_name": institution,
        "institution_id": None if ask.institution is None else ask.institution.id,
        "status": "ok",
        "failures": 0,
        "created_at": now,
        # Who links a bank syncs it at once; should that die, it is tried again by itself.
        "next_try_at": next_try(connection_id, ask.provider, now, failures=1),
    }
    table.add_connection(database, values)
    people.raise_generation(database, owner)
    return connection_id, True


def _find(database: Database, owner: int, connection_id: str) -> RowMapping:
    row = table.find_connection(database, owner, connection_id)
    if row is None:
        raise NotFound(
            f"There is no connection {connection_id}. `finplan connections list` shows them."
        )
    return row


def _find_record(database: Database, owner: int, connection_id: str) -> ConnectionRecord:
    user = people.get_person(database, owner)["id"]
    return _record(_find(database, owner, connection_id), user)


def _record(row: RowMapping, user_id: str) -> ConnectionRecord:
    return ConnectionRecord(
        connection=connection_of(row, user_id),
        sync_cursor=row["cursor"] or None,
        last_synced_at=row["last_synced_at"],
    )
