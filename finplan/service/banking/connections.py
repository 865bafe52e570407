"""Connections to banks: added, or given another access; listed, synced and unlinked.

When a link ends, what statement files brought stays, as accounts of statement files, with words and
rules; what the bank alone brought goes, unless the person wants to keep it all.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection as Database, RowMapping

from finplan.banks.base import Access, Aggregator
from finplan.model import connection as connections
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, BankProviderError, Conflict, NotFound
from finplan.plan.ledger.days import date_of
from finplan.service.banking.access import end_access, end_quietly, values_of_access
from finplan.service.banking.sync import Finish, connection_of, next_try, sync
from finplan.service.context import Context
from finplan.service.derived.household import newest_recorded
from finplan.service.ids import new_id
from finplan.service.ledger.categorisation import categorise_payees
from finplan.service.ledger.reconciliation import reconcile_after_removal
from finplan.service.ledger.transfer_matching import match_rows, recount_accounts, unpair_rows
from finplan.service.verdicts.account_duplicates import settle
from finplan.store.queries import (
    accounts,
    connections as table,
    imports,
    payees,
    people,
    syncs,
    transfers,
)
from finplan.store.queries.duplicates import relinked_of_connections, relinked_pairs


def must_be_linked(row: RowMapping) -> None:
    """Raises Conflict for statement files and the demo household, of which nothing can be kept apart."""
    if row["provider"] == "manual":
        raise Conflict(
            f"{row['institution_name']} holds imported statement files and is not a linked bank."
            " To remove an import, run `finplan imports undo`."
        )
    if row["provider"] == "demo":
        raise Conflict(
            "You cannot keep the demo household's data after unlinking. Unlink it without `keep`."
        )


def effect_of_unlinking(
    connection: Database, row: RowMapping, record: connections.ConnectionRecord
) -> connections.UnlinkEffect:
    """What of a connection would go when it is unlinked, and what would stay."""
    own = _accounts_of(connection, row)
    stays = _accounts_of_files(connection, row)
    by_bank = table.rows_of_the_bank(connection, row["no"])
    by_files = table.rows_of_files(connection, row["no"])
    if row["provider"] == "manual":
        stays, by_bank, by_files = set(), [*by_bank, *by_files], []
    return connections.UnlinkEffect(
        record=record,
        accounts_gone=tuple(account["name"] for account in own if account["no"] not in stays),
        rows_gone=_span(by_bank),
        accounts_kept=tuple(account["name"] for account in own if account["no"] in stays),
        rows_kept=_span(by_files),
    )


def _span(counted: Iterable[table.CountedRows]) -> connections.RowSpan:
    counts = list(counted)
    return connections.RowSpan(
        count=sum(count.rows for count in counts),
        since=date_of(min(count.first for count in counts)) if counts else None,
        until=date_of(max(count.last for count in counts)) if counts else None,
    )


def end_connection(connection: Database, row: RowMapping, now: int, *, keep: bool) -> None:
    """End a connection; with `keep` all of its accounts go on as those of statement files."""
    owner = row["owner_no"]
    own = _accounts_of(connection, row)
    listed = {pair.listed for pair in relinked_pairs(connection, owner)}
    stays = set[int]()
    if row["provider"] == "aggregator":
        stays = {account["no"] for account in own} if keep else _accounts_of_files(connection, row)
    staying = [account for account in own if account["no"] in stays]
    alone = list[int]()
    for account in staying if not keep else ():
        alone += _make_manual(connection, owner, account)
    _move_to_files(connection, row, staying, now)
    alone += table.unpair_rows_of(connection, row["no"])
    table.remove_connection(connection, row["no"])
    settle(connection, owner, listed)
    recount_accounts(connection, owner)
    touched = payees.numbers_of(connection, owner).values()
    payees.remove_unused(connection, owner, touched)
    categorise_payees(connection, owner, None)
    there = sorted(transfers.rows(connection, set(alone)))
    categorise_payees(connection, owner, match_rows(connection, owner, there))
    if stays:
        reconcile_after_removal(connection, owner, [], [])


def _accounts_of_files(connection: Database, row: RowMapping) -> set[int]:
    """The accounts of a connection that files, also without a row, or the person themselves tell of."""
    numbers = {rows.account for rows in table.rows_of_files(connection, row["no"])}
    ids = {
        public_id
        for before in imports.undo_records(connection, row["owner_no"]).values()
        for public_id in json.loads(before).get("accounts", {})
    }
    return numbers | {
        account["no"]
        for account in _accounts_of(connection, row)
        if account["id"] in ids or account["own"]
    }


def _accounts_of(connection: Database, row: RowMapping) -> list[RowMapping]:
    listed = accounts.list_accounts(connection, row["owner_no"])
    return [account for account in listed if account["connection_no"] == row["no"]]


def _make_manual(connection: Database, owner: int, account: RowMapping) -> list[int]:
    """Take away what the bank alone brought; answers rows that lost their pair."""
    no = account["no"]
    table.give_back_to_files(connection, no)
    gone = table.numbers_of_the_bank(connection, no)
    alone = list(unpair_rows(connection, owner, gone))
    syncs.remove_posted(connection, gone)
    own_balance = "balance" in account["kept"].split()
    table.forget_bank_facts(connection, no, balances=not own_balance)
    if not own_balance:
        accounts.change_account(connection, no, newest_recorded(connection, no))
    return alone


def _move_to_files(
    connection: Database, row: RowMapping, stay: Iterable[RowMapping], now: int
) -> None:
    """Let accounts be those of statement files of their institution."""
    places: dict[str, int] = {
        linked["institution_name"]: linked["no"]
        for linked in table.list_connections(connection, row["owner_no"])
        if linked["provider"] == "manual"
    }
    synced = _imported_at(connection, row["owner_no"])
    for account in stay:
        institution = account["institution_name"]
        if institution not in places:
            places[institution] = table.add_connection_of_files(
                connection, row["owner_no"], new_id("con"), institution, now, None
            )
        values = {"connection_no": places[institution], "institution": None}
        accounts.change_account(connection, account["no"], values)
        stamp = synced.get(account["id"], row["last_synced_at"])
        table.change_connection(connection, places[institution], {"last_synced_at": stamp})


def _imported_at(connection: Database, owner: int) -> Mapping[str, int]:
    """When each account was imported last, by its id."""
    times: dict[str, int] = {}
    for batch in imports.list_imports(connection, owner):
        if batch["status"] == "committed":
            for public_id in json.loads(batch["before"]).get("accounts", {}):
                times[public_id] = max(batch["committed_at"], times.get(public_id, 0))
    return times


async def list_connections(
    context: Context, _ask: Nothing
) -> tuple[connections.ConnectionRecord, ...]:
    """The linked banks, oldest first."""
    owner = context.caller.owner

    def read(database: Database) -> tuple[connections.ConnectionRecord, ...]:
        user = people.get_person(database, owner)["id"]
        return tuple(_record(row, user) for row in table.list_connections(database, owner))

    return await context.store.read(read)


async def list_connection_states(
    context: Context, _ask: Nothing
) -> tuple[connections.ConnectionState, ...]:
    """The linked banks, oldest first, with when their consents end and what is asked of them."""
    owner = context.caller.owner

    def read(database: Database) -> tuple[connections.ConnectionState, ...]:
        person = people.get_person(database, owner)
        unsure = relinked_of_connections(database, owner)
        zone, today = ZoneInfo(person["time_zone"]), context.today(person["time_zone"])
        return tuple(
            connections.ConnectionState.of(
                row,
                record=_record(row, person["id"]),
                access_ending=connections.access_ends_soon(row["access_ends_at"], today, zone),
                unsure_accounts=unsure.get(row["no"], 0),
            )
            for row in table.list_connections(database, owner)
        )

    return await context.store.read(read)


async def show_connection(
    context: Context, ask: connections.ConnectionId
) -> connections.ConnectionRecord:
    """One linked bank."""
    return await context.store.read(lambda d: find_record(d, context.caller.owner, ask.id))


async def show_unlinking(
    context: Context, ask: connections.ConnectionId
) -> connections.UnlinkEffect:
    """What of a bank would go when it is unlinked, and what would stay. Raises NotFound."""
    owner = context.caller.owner

    def read(database: Database) -> connections.UnlinkEffect:
        row = find_row(database, owner, ask.id)
        return effect_of_unlinking(database, row, find_record(database, owner, ask.id))

    return await context.store.read(read)


async def unlink_connection(
    context: Context, ask: connections.Unlinking
) -> connections.ConnectionRecord:
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

    def unlink(database: Database) -> connections.ConnectionRecord:
        record = find_record(database, owner, ask.id)
        end_connection(database, find_row(database, owner, ask.id), now, keep=ask.keep)
        people.raise_generation(database, owner)
        return record

    return await context.commit(unlink, event=True)


async def sync_connection(
    context: Context, ask: connections.ConnectionId
) -> connections.SyncReport:
    """Fetch what is new at one bank. Raises Conflict when it is unlinked meanwhile."""
    await context.store.read(lambda d: find_row(d, context.caller.owner, ask.id))
    return await sync(context, ask.id, context.commit)


async def sync_all(context: Context, _ask: Nothing) -> tuple[connections.SyncReport, ...]:
    """Fetch what is new at every bank; one that fails does not keep the others from it."""
    rows = await context.store.read(lambda d: table.list_connections(d, context.caller.owner))
    ids = [row["id"] for row in rows]
    if not ids:
        return ()
    others: list[connections.SyncReport] = []
    for connection_id in ids[:-1]:
        # What is unlinked meanwhile keeps no other bank from being synced.
        with suppress(Conflict):
            others.append(await sync(context, connection_id, context.store.write))

    def settle(database: Database, finish: Finish) -> tuple[connections.SyncReport, ...]:
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
            f"No connection {connection_id!r}. `finplan connections list` shows your connections."
        )
    return row


def find_record(database: Database, owner: int, connection_id: str) -> connections.ConnectionRecord:
    """A person's connection by its id. Raises NotFound."""
    user = people.get_person(database, owner)["id"]
    return _record(find_row(database, owner, connection_id), user)


def _record(row: RowMapping, user_id: str) -> connections.ConnectionRecord:
    return connections.ConnectionRecord.of(
        row, connection=connection_of(row, user_id), sync_cursor=row["cursor"] or None
    )


def may_link(
    database: Database, owner: int, bank: str, reconnect: connections.Reconnection | None
) -> RowMapping | None:
    """The connection that a new access is for, None for a new one.

    Raises Conflict beside the demo household, NotFound, and BadRequest for a connection to another bank.
    """
    demo_beside(database, owner, "aggregator")
    if reconnect is None:
        return None
    row = find_row(database, owner, reconnect.connection_id)
    if row["bank"] != bank:
        by = "statement files" if row["provider"] == "manual" else row["bank"] or row["provider"]
        raise BadRequest(
            f"{row['institution_name']} is linked through {by}, but you are linking through"
            f" {bank}. Omit `reconnect` to link a separate bank."
        )
    return row


def demo_beside(database: Database, owner: int, provider: str) -> str | None:
    """The id of the demo household if that is to be linked again.

    Raises Conflict where demo and real data would share a store.
    """
    for row in table.list_connections(database, owner):
        if provider == "demo" and row["provider"] == "demo":
            return str(row["id"])
        # What a person adds to try the demo out came by no file.
        if provider == "demo" and row["by_import"] and row["last_synced_at"] is None:
            continue
        if "demo" in {provider, row["provider"]}:
            raise Conflict(
                "The demo household cannot share a store with real data. Use another profile:"
                " `finplan --demo …` for the demo, `finplan --profile NAME …` for your own."
            )
    return None


def add_connection(
    database: Database,
    context: Context,
    connection_id: str,
    provider: connections.Provider,
    institution: connections.Institution | None,
    called: str,
    **columns: Any,
) -> None:
    """Add a connection; it is `called` so where the person names no institution."""
    owner, now = context.caller.owner, context.milliseconds()
    values = {
        "id": connection_id,
        "owner_no": owner,
        "provider": provider,
        "institution_name": called if institution is None else institution.name,
        "institution_id": None if institution is None else institution.id,
        "status": "ok",
        "failures": 0,
        "created_at": now,
        # Who links a bank syncs it at once; should that die, it is tried again by itself.
        "next_try_at": next_try(connection_id, provider, now, failures=1),
        **columns,
    }
    table.add_connection(database, values)
    people.raise_generation(database, owner)


def place_access(
    database: Database,
    context: Context,
    connection_id: str,
    former: RowMapping | None,
    bank: str,
    aggregator: Aggregator,
    access: Access,
    sealed: bytes,
    institution: connections.Institution | None,
    *,
    is_same: bool,
) -> None:
    """Let an access be that of a new connection, or of the `former` one.

    `is_same` says that it is the access that there was, so that the next sync goes on from where it was.
    """
    if former is None:
        columns: dict[str, Any] = {"named_by_bank": int(institution is None)}
        if institution is None:
            columns["institution_id"] = access.institution_id
        values = {**values_of_access(bank, sealed), **columns}
        called = access.institution or aggregator.title
        add_connection(
            database, context, connection_id, "aggregator", institution, called, **values
        )
        return
    row = find_row(database, context.caller.owner, connection_id)
    changed = values_of_access(bank, sealed)
    if not is_same:
        changed |= {"cursor": aggregator.after_relink(row["cursor"]), "unfinished": 0}
    table.change_connection(database, row["no"], changed)


async def refuse_another_bank(
    aggregator: Aggregator, former: RowMapping | None, access: Access
) -> None:
    """End an access that is to another institution than the connection that it was to renew.

    Raises BankProviderError then.
    """
    bank_id = access.institution_id
    if former is None or not bank_id or former["institution_id"] in {None, "", bank_id}:
        return
    await end_quietly(aggregator, access.secret)
    bank = access.institution or "another bank"
    raise BankProviderError(
        f"You signed in to {bank} instead of {former['institution_name']}, so nothing changed."
        f" Begin again and sign in to {former['institution_name']}, or link {bank} as a separate"
        " bank.",
        "aggregator",
        "login_required",
    )
