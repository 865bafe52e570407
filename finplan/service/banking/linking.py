"""Linking a bank: the demo household, an institution of statement files, or one behind an aggregator."""

from collections.abc import Mapping
from functools import partial

from sqlalchemy import Connection as Database

from finplan.banks.base import PageAggregator
from finplan.model.connection import (
    PROVIDERS,
    UNNAMED_INSTITUTION,
    ConnectionRecord,
    LinkRequest,
    Provider,
    Reconnection,
)
from finplan.model.errors import BadRequest, Forbidden, UnsupportedProvider
from finplan.operation import Made
from finplan.service.banking.access import (
    aggregator_for,
    former_secret,
    seal_access,
    taking_the_place,
)
from finplan.service.banking.connections import (
    add_connection,
    demo_beside,
    find_record,
    find_row,
    may_link,
    place_access,
    refuse_another_bank,
)
from finplan.service.banking.page_links import finish_with_token
from finplan.service.banking.sync import Finish, sync
from finplan.service.context import GUESTS_REACH_THE_DEMO, Context
from finplan.service.ids import new_id
from finplan.store.queries import connections, people

NAMES: Mapping[Provider, str] = {"demo": "Demo household", "manual": UNNAMED_INSTITUTION}
"""Connection names by provider, for requests that name no institution."""

_NO_SIGN_IN: Mapping[Provider, str] = {
    "demo": ("The demo household does not need to be reconnected. Omit `reconnect`, or send null."),
    "manual": (
        "Statement files do not need to be reconnected. Omit `reconnect` or send null; add newer "
        "files with"
        " `finplan import FILE`."
    ),
}


async def link_connection(context: Context, ask: LinkRequest) -> Made[ConnectionRecord]:
    """Link a bank, and sync it at once; linking `demo` twice gives the same connection.

    `demo` and `manual` do not use `publicToken`. With `reconnect` a new access takes the place of that
    of an aggregator's connection, which is synced then. Raises UnsupportedProvider, BadRequest for
    `reconnect` where there is no sign-in, Conflict where demo and real data would share a store, and
    BankProviderError where an aggregator does not take the token.
    """
    provider = next((name for name in PROVIDERS if name == ask.provider), None)
    if provider is None:
        raise UnsupportedProvider(
            f"Unknown provider {ask.provider!r}. Choose one of: {', '.join(sorted(PROVIDERS))}."
        )
    if context.caller.guest and provider != "demo":
        raise Forbidden(GUESTS_REACH_THE_DEMO)
    if provider == "aggregator":
        return await _link_aggregator(context, ask)
    if ask.reconnect is not None:
        raise BadRequest(_NO_SIGN_IN[provider])
    owner = context.caller.owner

    def link(database: Database) -> Made[ConnectionRecord]:
        present = demo_beside(database, owner, provider)
        if present is not None:
            return Made(find_record(database, owner, present), new=False)
        connection_id = new_id("con")
        add_connection(database, context, connection_id, provider, ask.institution, NAMES[provider])
        return Made(find_record(database, owner, connection_id), new=True)

    outcome = await context.commit(link, final=False)
    if not outcome.new:
        return outcome
    return await _sync_linked(context, outcome)


async def link_demo_once(context: Context) -> bool:
    """Link the demo household for a person who has never had any data; answers whether it was linked.

    A person who unlinked it does not get it back.
    """
    owner = context.caller.owner

    def is_untouched(database: Database) -> bool:
        has_events = people.get_person(database, owner)["event_no"] > 0
        return not has_events and not connections.list_connections(database, owner)

    if not await context.store.read(is_untouched):
        return False
    await link_connection(context, LinkRequest(provider="demo"))
    return True


async def _link_aggregator(context: Context, ask: LinkRequest) -> Made[ConnectionRecord]:
    """Link what a person's token reaches, or put it in the place of a former access."""
    owner = context.caller.owner
    if ask.public_token is None:
        if ask.reconnect is not None:
            return await _go_on(context, ask.reconnect)
        raise BadRequest(
            "`publicToken` is missing. Give the token from your provider, such as a SimpleFIN"
            " setup token; `finplan connect simplefin` says where to get one."
        )
    match = aggregator_for(context.aggregators, ask.public_token)
    if match is None:
        raise UnsupportedProvider(
            "This is not a setup token. A SimpleFIN token is one long word of letters and digits:"
            " copy all of it."
        )
    bank, aggregator = match
    if isinstance(aggregator, PageAggregator):
        state = aggregator.state_of(ask.public_token)
        if state is not None:
            outcome = await finish_with_token(context, bank, aggregator, state, ask.public_token)
            return await _sync_linked(context, outcome)
    # What may refuse the link is asked first: a token is good for one exchange.
    may = partial(may_link, owner=owner, bank=bank, reconnect=ask.reconnect)
    former = await context.store.read(may)
    connection_id = new_id("con") if former is None else former["id"]
    sealer = await context.sealer()
    before = await former_secret(context, former)
    access = await aggregator.exchange(ask.public_token)
    await refuse_another_bank(aggregator, former, access)

    def link(database: Database) -> Made[ConnectionRecord]:
        may(database)
        place_access(
            database,
            context,
            connection_id,
            former,
            bank,
            aggregator,
            access,
            seal_access(sealer, connection_id, access.secret),
            ask.institution,
            is_same=access.secret == before,
        )
        return Made(find_record(database, owner, connection_id), new=former is None)

    async with taking_the_place(aggregator, access.secret, before):
        outcome = await context.commit(link, final=False)
    return await _sync_linked(context, outcome)


async def _go_on(context: Context, reconnect: Reconnection) -> Made[ConnectionRecord]:
    """Sync a connection whose access was renewed in its place, so that there is nothing to exchange."""
    owner = context.caller.owner
    row = await context.store.read(lambda d: find_row(d, owner, reconnect.connection_id))
    if not isinstance(context.aggregators.get(row["bank"] or ""), PageAggregator):
        raise BadRequest(
            f"{row['institution_name']} needs a new token. Give it as `publicToken`; `finplan"
            " connect simplefin` says where to get one."
        )
    record = await context.store.read(lambda d: find_record(d, owner, row["id"]))
    return await _sync_linked(context, Made(record, new=False))


async def _sync_linked(context: Context, outcome: Made[ConnectionRecord]) -> Made[ConnectionRecord]:
    owner, linked = context.caller.owner, outcome.answer.connection.id

    def finish_link(database: Database, finish: Finish) -> Made[ConnectionRecord]:
        finish(database)
        return Made(find_record(database, owner, linked), new=outcome.new)

    return await sync(
        context, linked, lambda last: context.commit(partial(finish_link, finish=last))
    )
