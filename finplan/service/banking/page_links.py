"""Linking at a page of a bank's: begun, looked at until something came of it, and put in its place.

A link is a row. Whoever looks at the page holds the row for a while, so that one of several clients,
daemons and runs of the schedule asks the bank, and one that dies keeps nobody from asking again. What
a look came to is noted with the link, in words that go on from there.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from functools import partial
from shlex import quote
from typing import Any, TypeVar

from sqlalchemy import Connection as Database, RowMapping

from finplan.banks.base import Access, PageAggregator, PageDone, PageLeft, PageWanted
from finplan.model import errors
from finplan.model.base import shared_fields
from finplan.model.connection import (
    BANK_NAMES,
    BankLink,
    BankLinkId,
    BankLinkRequest,
    ConnectionRecord,
    Institution,
)
from finplan.operation import Made
from finplan.service.banking.access import former_secret, seal_access, taking_the_place
from finplan.service.banking.connections import (
    find_record,
    find_row,
    may_link,
    place_access,
    refuse_another_bank,
)
from finplan.service.banking.sync import sync
from finplan.service.context import GUESTS_REACH_THE_DEMO, Context
from finplan.service.ids import new_id
from finplan.store.queries import connections, people
from finplan.store.sealing import CannotOpen, Sealer, about_link


def connection_of_link(database: Database, row: RowMapping) -> RowMapping | None:
    """The connection that a link renews, or that came of it."""
    if row["connection_no"] is None:
        return None
    connection = connections.connection_of_number(database, row["connection_no"])
    if connection is None:
        raise errors.NotFound(
            "The bank that you wanted to reconnect has been unlinked. Link it as a new bank."
        )
    return connection


def finished_link(database: Database, owner: int, link_id: str) -> ConnectionRecord | None:
    """What a link has become, None where it failed.

    Raises Conflict where it is open, so that somebody else holds it: who was asked twice, or a process
    that has died and cannot say whether the token was spent.
    """
    row = find_link(database, owner, link_id)
    if row["status"] == "linked":
        return _record_of_linked(database, row)
    if not row["is_over"]:
        raise errors.Conflict(
            "finplan is already linking with this address. `finplan connections list` shows"
            " whether the bank is linked. If the bank is not linked after a few minutes, begin"
            f" again: `finplan connect {row['bank']}`."
        )
    return None


def _record_of_linked(database: Database, link: RowMapping) -> ConnectionRecord:
    linked = connection_of_link(database, link)
    assert linked is not None, "A linked page has its connection."
    return find_record(database, link["owner_no"], linked["id"])


def find_link(database: Database, owner: int, link_id: str) -> RowMapping:
    """A person's link by its id. Raises NotFound."""
    row = connections.find_link(database, owner, link_id)
    if row is None:
        raise errors.NotFound(
            f"No link {link_id!r}: it ended long ago, or its bank was unlinked. `finplan"
            " connections list` shows your banks."
        )
    return row


def told_link(database: Database, owner: int, link_id: str) -> BankLink:
    """A link as its person is told of it. Raises NotFound."""
    row = find_link(database, owner, link_id)
    connection = None
    if row["status"] == "linked":
        connection = _record_of_linked(database, row).connection
    return BankLink.of(row, connection=connection)


UNASKED = 60_000
"""How often a page is looked at that no client asks for, in ms."""

LINGERS = 30 * 60_000
"""How long a page is looked at once it is closed, in ms: who has begun there may still finish."""


async def note_failure(context: Context, row: RowMapping, error: errors.Fault) -> str:
    """Note why a look failed, and answer how that is told; what a new page alone mends ends the link."""
    text = await as_of_its_bank(context, row, error.message)
    values: dict[str, Any] = {"error": text}
    is_persons = isinstance(error, errors.BankProviderError) and error.failure == "login_required"
    if is_persons or isinstance(error, errors.Conflict | errors.NotFound | errors.BadRequest):
        values |= {"status": "failed", "is_over": 1}
    await note_look(context, row, values)
    return text


async def as_of_its_bank(context: Context, row: RowMapping, text: str) -> str:
    """What is told of a link; where it was to renew a connection, its command renews that one."""
    former = await context.store.read(lambda d: connection_of_link(d, row))
    if former is None:
        return text
    begin = f"`finplan connect {row['bank']}"
    renewing = f"{begin} --reconnect {quote(former['institution_name'])}`"
    return text.replace(f"{begin}`", renewing).replace(f"{begin} --reconnect NAME`", renewing)


async def note_look(context: Context, row: RowMapping, values: dict[str, Any]) -> None:
    """Note what a look came to, and give the link back; a page that is closed for long is over."""
    now = context.milliseconds()
    noted = {"busy_until": 0, "next_look_at": now + UNASKED, **values}
    if now >= row["expires_at"]:
        noted["status"] = "failed"
        noted["is_over"] = int(now >= row["expires_at"] + LINGERS or values.get("is_over", 0))
        noted["error"] = values.get("error") or await as_of_its_bank(
            context,
            row,
            "You did not finish on the bank's page in time, so no bank was linked. Begin again:"
            f" `finplan connect {row['bank']}`.",
        )
    await context.store.write(
        lambda d: connections.note_look_at_link(d, row["no"], row["busy_until"], noted)
    )


Told = TypeVar("Told")

PAUSE = 2_000
"""How long a bank is not asked again about a page, in ms, however often a client asks for the link."""

HELD = 5 * 60_000
"""For how long one process holds a link that it looks at, in ms: longer than all its requests take."""

KEPT = 24 * 3_600_000
"""How long a link that is over is told of, in ms."""


async def begin_link(context: Context, ask: BankLinkRequest) -> Made[BankLink]:
    """Open a page at which the person signs in, at a bank that is new or that is to be reconnected.

    Raises UnsupportedProvider, NotFound, Conflict beside the demo household, and BankProviderError.
    """
    if context.caller.guest:
        raise errors.Forbidden(GUESTS_REACH_THE_DEMO)
    aggregator = _page_of(context, ask.bank)
    owner = context.caller.owner
    may = partial(may_link, owner=owner, bank=ask.bank, reconnect=ask.reconnect)
    # What may refuse the link is asked before a page is opened.
    former, person = await context.store.read(lambda d: (may(d), people.get_person(d, owner)))
    sealer = await context.sealer()
    target = ask.institution or _institution_of(former)
    opened = await aggregator.begin(
        PageWanted(
            person["id"],
            None if target is None else target.name,
            None if target is None else target.id,
            await former_secret(context, former),
        )
    )
    link_id = new_id("lnk")

    def add(database: Database) -> Made[BankLink]:
        present, now = may(database), context.milliseconds()
        institution = ask.institution
        values = {
            "id": link_id,
            "owner_no": owner,
            "bank": ask.bank,
            "url": opened.url,
            "ticket": sealer.seal(opened.ticket.encode(), about_link(link_id)),
            "state": opened.state,
            "institution_name": institution and institution.name,
            "institution_id": institution and institution.id,
            "connection_no": None if present is None else present["no"],
            "status": "pending",
            "created_at": now,
            "expires_at": opened.expires_at,
            "next_look_at": now + UNASKED,
        }
        connections.add_link(database, values)
        return Made(told_link(database, owner, link_id), new=True)

    return await context.commit(add)


async def show_link(context: Context, ask: BankLinkId) -> BankLink:
    """What came of a page; the bank is asked, unless it was just now. Raises NotFound."""
    owner = context.caller.owner
    row = await context.store.read(lambda d: find_link(d, owner, ask.id))
    now = context.milliseconds()
    may_look = context.store.damage is None and not row["is_over"]
    if may_look and not now - PAUSE < row["asked_at"] <= now:
        await look_at_link(context, ask.id)
    return await context.store.read(lambda d: told_link(d, owner, ask.id))


async def look_at_links_due(context: Context) -> int:
    """Look at the pages that no client has asked for in a while; answers how many."""
    now = context.milliseconds()
    due = await context.store.read(
        lambda d: connections.links_due(d, context.caller.owner, now, now + UNASKED)
    )
    for link_id in due:
        await look_at_link(context, link_id)
    return len(due)


async def look_at_link(context: Context, link_id: str) -> None:
    """Ask the bank what came of a page, unless somebody else does, and link what did."""
    row = await _hold(context, link_id, PAUSE)
    if row is None:
        return
    aggregator = context.aggregators.get(row["bank"])
    if not isinstance(aggregator, PageAggregator):
        await note_look(context, row, {"error": _not_set_up(row["bank"])})
        return
    try:
        outcome = await _look(context, row, aggregator)
        if isinstance(outcome, PageDone):
            placed = await _place(context, row, aggregator, outcome)
    except errors.Fault as error:
        await note_failure(context, row, error)
        return
    if isinstance(outcome, PageDone):
        # Who unlinks it at once wants no sync of it.
        with suppress(errors.Conflict):
            await sync(context, placed.answer.connection.id, context.store.write)
    elif outcome is None:
        await note_look(context, row, {"status": "pending", "error": None})
    else:
        text = await as_of_its_bank(context, row, outcome.message)
        await note_look(context, row, {"status": "failed", "error": text})


async def finish_with_token(
    context: Context, bank: str, aggregator: PageAggregator, state: str, public_token: str
) -> Made[ConnectionRecord]:
    """Finish the link whose page led to a token that the person brings along; its sync is still to come.

    Of a link that is finished already it answers the connection. Raises BadRequest for a token of no
    page that this person has opened, Conflict while it is being finished, and BankProviderError.
    """
    owner = context.caller.owner
    if context.caller.guest:
        raise errors.Forbidden(
            "An unclaimed agent cannot link banks. Ask the person you act for to claim you: POST"
            " /agent/identity/claim."
        )
    link_id = await context.store.read(
        lambda d: connections.find_link_by_state(d, owner, bank, state)
    )
    row = None if link_id is None else await _hold(context, link_id, 0)
    if row is None and link_id is not None:
        linked = await context.store.read(lambda d: finished_link(d, owner, link_id))
        if linked is not None:
            return Made(linked, new=False)
    if row is None:
        raise errors.BadRequest(
            f"This address is not from the {aggregator.title} page that you opened here. Begin"
            f" again: `finplan connect {bank}`."
        )
    try:
        return await _place(context, row, aggregator, PageDone(public_token), answer=True)
    except errors.BankProviderError as error:
        text = await note_failure(context, row, error)
        raise errors.BankProviderError(
            text, error.provider, error.failure, lasting=error.lasting
        ) from None
    except errors.Fault as error:
        await note_failure(context, row, error)
        raise


async def _place(
    context: Context,
    row: RowMapping,
    aggregator: PageAggregator,
    done: PageDone,
    *,
    answer: bool = False,
) -> Made[ConnectionRecord]:
    """Let a link be linked: exchange what the page gave, if anything, and put it in its place.

    `answer` says that the connection is what the operation answers.
    """
    owner = context.caller.owner
    former = await context.store.read(lambda d: connection_of_link(d, row))
    connection_id = new_id("con") if former is None else former["id"]
    sealer = await context.sealer()
    access, before = None, None
    if done.public_token is not None:
        before = await former_secret(context, former)
        got = await _in_time(aggregator, aggregator.exchange(done.public_token))
        access = Access(
            got.secret,
            got.institution or done.institution,
            got.institution_id or done.institution_id,
        )
        await refuse_another_bank(aggregator, former, access)

    further = None if done.further is None else _further(context, row, sealer, done.further)

    def place(database: Database) -> Made[ConnectionRecord]:
        link = find_link(database, owner, row["id"])
        if link["status"] == "linked":
            # Who held it before slept for so long that somebody else went on with it.
            return Made(_record_of_linked(database, link), new=False)
        if access is not None:
            may_link(database, owner, row["bank"], None)
            place_access(
                database,
                context,
                connection_id,
                former,
                row["bank"],
                aggregator,
                access,
                seal_access(sealer, connection_id, access.secret),
                _institution_of(row),
                is_same=access.secret == before,
            )
        record = find_record(database, owner, connection_id)
        placed = find_row(database, owner, connection_id)
        values = {"connection_no": placed["no"], "status": "linked", "error": None, "is_over": 1}
        connections.change_link(database, row["no"], {**values, "busy_until": 0})
        if further is not None:
            connections.add_link(database, further)
        return Made(record, new=former is None)

    secret = None if access is None else access.secret
    async with taking_the_place(aggregator, secret, before):
        return await (context.commit(place, final=False) if answer else context.store.write(place))


def _further(context: Context, row: RowMapping, sealer: Sealer, ticket: str) -> dict[str, Any]:
    """A link for the next sign-in at the same page: the schedule looks for it while the page is open.

    A person may sign in at a second bank there, which would be paid for otherwise and known to nobody.
    """
    link_id, now = new_id("lnk"), context.milliseconds()
    return {
        **shared_fields(row, ("owner_no", "bank", "url", "expires_at")),
        "id": link_id,
        "ticket": sealer.seal(ticket.encode(), about_link(link_id)),
        "status": "pending",
        "created_at": now,
        # What was signed in at already is linked at the next look.
        "next_look_at": now,
    }


async def _hold(context: Context, link_id: str, pause: int) -> RowMapping | None:
    """The link, held for this process; None where another looks at it, or where it is over."""
    owner, now = context.caller.owner, context.milliseconds()

    def hold(database: Database) -> RowMapping | None:
        row = connections.find_link(database, owner, link_id)
        if row is None or not connections.hold_link(database, row["no"], now, pause, now + HELD):
            return None
        return connections.find_link(database, owner, link_id)

    return await context.store.write(hold)


async def _look(
    context: Context, row: RowMapping, aggregator: PageAggregator
) -> PageDone | PageLeft | None:
    try:
        ticket = (await context.sealer()).open(row["ticket"], about_link(row["id"])).decode()
    except CannotOpen:
        raise errors.BankProviderError(
            "This link was started with another data key and cannot be finished. Begin again:"
            f" `finplan connect {row['bank']}`.",
            "aggregator",
            "login_required",
        ) from None
    return await _in_time(aggregator, aggregator.look(ticket))


async def _in_time(aggregator: PageAggregator, answer: Awaitable[Told]) -> Told:
    """What an aggregator answers, well before the link is given up by who holds it."""
    try:
        async with asyncio.timeout(HELD / 3000):
            return await answer
    except TimeoutError:
        raise errors.BankProviderError(
            f"{aggregator.title} did not answer in time. finplan asks again later.",
            "aggregator",
            "provider_error",
        ) from None


def _page_of(context: Context, bank: str) -> PageAggregator:
    """The bank that is linked at a page. Raises UnsupportedProvider, and BadRequest for any other."""
    if bank not in BANK_NAMES:
        names = ", ".join(BANK_NAMES)
        raise errors.UnsupportedProvider(f"Unknown bank {bank!r}. Choose one of: {names}.")
    if bank not in context.aggregators:
        raise errors.UnsupportedProvider(_not_set_up(bank))
    aggregator = context.aggregators[bank]
    if not isinstance(aggregator, PageAggregator):
        raise errors.BadRequest(
            f"{aggregator.title} links with a token, not on a page. Give the token as"
            f" `publicToken` to POST /connections; `finplan connect {bank}` says where to get one."
        )
    return aggregator


def _not_set_up(bank: str) -> str:
    return (
        f"finplan is not set up for {bank}: your own keys are missing. `finplan connect {bank}`"
        " says which keys you need, where to get them and where to put them."
    )


def _institution_of(row: RowMapping | None) -> Institution | None:
    """The institution that a connection or a link names, None where it names none."""
    if row is None or row["institution_name"] is None:
        return None
    return Institution(id=row["institution_id"], name=row["institution_name"])
