"""Linking a bank: the demo household, an institution of statement files, or one behind an aggregator."""

from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection as Database
from sqlalchemy import RowMapping

from finplan.banks.base import Access
from finplan.model.connection import PROVIDERS, ConnectionRecord, LinkRequest
from finplan.model.errors import BadRequest, Conflict, Forbidden, UnsupportedProvider
from finplan.operation import Made
from finplan.service.banking.access import aggregator_for, seal_access, values_of_access
from finplan.service.banking.connections import find_record, find_row
from finplan.service.banking.rhythm import next_try
from finplan.service.banking.sync import Finish, sync
from finplan.service.context import Context
from finplan.service.ids import new_id
from finplan.store.queries import connections as table
from finplan.store.queries import people

DEMO_INSTITUTION = "Demo household"


async def link_connection(context: Context, ask: LinkRequest) -> Made[ConnectionRecord]:
    """Link a bank, and sync it at once; linking `demo` twice gives the same connection.

    With `reconnect` a new access takes the place of that of a connection, which is synced then. Raises
    UnsupportedProvider, Conflict where demo and real data would share a store, and BankProviderError
    where an aggregator does not take the token.
    """
    if ask.provider not in PROVIDERS:
        raise UnsupportedProvider(
            f"There is no provider {ask.provider!r}. Known are {', '.join(sorted(PROVIDERS))}."
        )
    if ask.provider == "manual" and ask.institution is None:
        raise BadRequest("Name the institution of a manual connection: `institution.name`.")
    if context.caller.guest and ask.provider != "demo":
        raise Forbidden(
            "An agent that nobody has claimed reaches the demo household alone. Have your person claim"
            " you: POST /agent/identity/claim."
        )
    if ask.provider == "aggregator":
        return await _link_aggregator(context, ask)
    if ask.public_token is not None or ask.reconnect is not None:
        raise BadRequest(
            f"`publicToken` and `reconnect` are for banks behind an aggregator; {ask.provider} takes"
            " neither."
        )
    owner = context.caller.owner

    def link(database: Database) -> Made[ConnectionRecord]:
        present = _beside(database, owner, ask.provider)
        if present is not None:
            return Made(find_record(database, owner, present), new=False)
        connection_id = _add(database, context, new_id("con"), ask, DEMO_INSTITUTION)
        return Made(find_record(database, owner, connection_id), new=True)

    made = await context.commit(link, final=False)
    if not made.new:
        return made
    return await _sync_linked(context, made)


async def _link_aggregator(context: Context, ask: LinkRequest) -> Made[ConnectionRecord]:
    """Link what a person's token reaches, or put it in the place of a former access."""
    owner = context.caller.owner
    if ask.public_token is None:
        raise BadRequest(
            "Give the token that your aggregator gave you: `publicToken`, such as a setup token of"
            " SimpleFIN. `finplan connect simplefin` says where to get one."
        )
    found = aggregator_for(context.aggregators, ask.public_token)
    if found is None:
        raise UnsupportedProvider(
            "This token is written as no known aggregator's. A setup token of SimpleFIN is one long word"
            " of letters and digits: copy all of it."
        )
    bank, aggregator = found
    # What may refuse the link is asked first: a token is good for one exchange.
    former = await context.store.read(partial(_may_link, owner=owner, ask=ask, bank=bank))
    connection_id = new_id("con") if former is None else former["id"]
    sealer = await context.sealer()
    access = await aggregator.exchange(ask.public_token)

    def link(database: Database) -> Made[ConnectionRecord]:
        _may_link(database, owner, ask, bank)
        sealed = seal_access(sealer, connection_id, access.secret)
        if former is None:
            named = replace(access, institution=access.institution or aggregator.title)
            _add_aggregator(database, context, connection_id, ask, bank, named, sealed)
        else:
            row = find_row(database, owner, connection_id)
            cursor = aggregator.after_relink(row["cursor"])
            values = {**values_of_access(bank, sealed), "cursor": cursor}
            table.change_connection(database, row["no"], values)
        return Made(find_record(database, owner, connection_id), new=former is None)

    return await _sync_linked(context, await context.commit(link, final=False))


async def _sync_linked(context: Context, made: Made[ConnectionRecord]) -> Made[ConnectionRecord]:
    owner, linked = context.caller.owner, made.answer.connection.id

    def finish_link(database: Database, finish: Finish) -> Made[ConnectionRecord]:
        finish(database)
        return Made(find_record(database, owner, linked), new=made.new)

    return await sync(
        context, linked, lambda last: context.commit(partial(finish_link, finish=last))
    )


def _may_link(database: Database, owner: int, ask: LinkRequest, bank: str) -> RowMapping | None:
    """The connection that a new access is for, None for a new one.

    Raises Conflict beside the demo household, NotFound, and BadRequest for a connection to another bank.
    """
    _beside(database, owner, ask.provider)
    if ask.reconnect is None:
        return None
    row = find_row(database, owner, ask.reconnect.connection_id)
    if row["bank"] != bank:
        by = "statement files" if row["provider"] == "manual" else row["bank"]
        raise BadRequest(
            f"{row['institution_name']} is reached by {by}, and this token is one of {bank}. Link it as"
            " a bank of its own: leave `reconnect` out."
        )
    return row


def _beside(database: Database, owner: int, provider: str) -> str | None:
    """The id of the demo household if that is to be linked again.

    Raises Conflict where demo and real data would share a store.
    """
    for row in table.list_connections(database, owner):
        if provider == "demo" and row["provider"] == "demo":
            return str(row["id"])
        if "demo" in {provider, row["provider"]}:
            raise Conflict(
                "The demo household never shares a store with real data. Use another profile:"
                " `finplan --demo …` for the demo, `finplan --profile NAME …` for your own."
            )
    return None


def _add(
    database: Database,
    context: Context,
    connection_id: str,
    ask: LinkRequest,
    called: str,
    **more: Any,
) -> str:
    owner, now = context.caller.owner, context.milliseconds()
    values = {
        "id": connection_id,
        "owner_no": owner,
        "provider": ask.provider,
        "institution_name": called if ask.institution is None else ask.institution.name,
        "institution_id": None if ask.institution is None else ask.institution.id,
        "status": "ok",
        "failures": 0,
        "created_at": now,
        # Who links a bank syncs it at once; should that die, it is tried again by itself.
        "next_try_at": next_try(connection_id, ask.provider, now, failures=1),
        **more,
    }
    table.add_connection(database, values)
    people.raise_generation(database, owner)
    return connection_id


def _add_aggregator(
    database: Database,
    context: Context,
    connection_id: str,
    ask: LinkRequest,
    bank: str,
    access: Access,
    sealed: bytes,
) -> None:
    institution = access.institution or bank
    named: dict[str, Any] = {"named_by_bank": int(ask.institution is None)}
    if ask.institution is None:
        named["institution_id"] = access.institution_id
    values = {**values_of_access(bank, sealed), **named}
    _add(database, context, connection_id, ask, institution, **values)
