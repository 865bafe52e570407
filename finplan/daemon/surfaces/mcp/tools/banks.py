"""The tools about bank connections."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool, ToolReply
from finplan.daemon.surfaces.mcp.tools.wording import write_text
from finplan.model import connection as connections
from finplan.model.base import Nothing, Timestamp, Whole, Wire
from finplan.model.errors import BadRequest
from finplan.operation import Made
from finplan.operations import bank as rows
from finplan.views import banks as views


class ConnectionTold(Wire):
    """A bank that is linked; `lastSyncedAt` is null before the first success."""

    id: str
    provider: connections.Provider
    institution_name: str
    status: connections.ConnectionStatus
    error: str | None
    last_synced_at: Timestamp | None


class ConnectionsTold(Wire):
    """The banks that are linked."""

    connections: tuple[ConnectionTold, ...]


async def list_connections(call: Call, _ask: Nothing) -> ToolReply[ConnectionsTold]:
    """The banks that are linked, and how each fares."""
    records: tuple[connections.ConnectionRecord, ...] = await call.ask(rows.LIST_CONNECTIONS)
    listed = ConnectionsTold(connections=tuple(map(_make_record, records)))
    return ToolReply(listed, write_text(views.brief(records, await call.how())))


def _make_record(record: connections.ConnectionRecord) -> ConnectionTold:
    return ConnectionTold.of(record.connection, last_synced_at=record.last_synced_at)


class NewLink(Wire):
    """A bank to link."""

    provider: Annotated[str, Field(max_length=40, description="demo, manual or aggregator.")] = (
        "aggregator"
    )
    institution: Annotated[
        str | None, Field(min_length=1, max_length=200, description="Bank name; DE/NAME in Europe.")
    ] = None
    public_token: Annotated[
        str | None,
        Field(max_length=4_000, description="Setup token or final address, from the person."),
    ] = None
    bank: Annotated[
        str | None, Field(max_length=40, description="plaid or enablebanking; opens a page.")
    ] = None
    reconnect: Annotated[
        str | None, Field(max_length=200, description="Id or name of the bank to reconnect.")
    ] = None
    link: Annotated[
        str | None, Field(max_length=40, description="Id of an open page, to get the result.")
    ] = None


def _where(institution: str | None) -> connections.Institution | None:
    """The institution of a page, whose country stands before a slash where one is needed."""
    country, _, name = (institution or "").rpartition("/")
    if not name.strip():
        return None
    return connections.Institution(id=institution if country else None, name=name)


class PageTold(Wire):
    """A page at which the person signs in; ask for it again while it is pending."""

    id: str
    bank: connections.BankName
    url: str
    status: connections.LinkStatus
    error: str | None


class LinkTold(Wire):
    """The bank that is linked, or the page at which it will be."""

    connection: ConnectionTold | None
    page: PageTold | None


async def link_connection(call: Call, ask: NewLink) -> ToolReply[LinkTold]:
    """Link a bank, open the page of one, or ask what came of it.

    Raises BadRequest, NotFound, UnsupportedProvider, Conflict, BankProviderError.
    """
    if ask.link is not None:
        return await _page(
            call, await call.ask(rows.SHOW_LINK, connections.BankLinkId(id=ask.link))
        )
    of = None if ask.reconnect is None else await _build_reconnection(call, ask.reconnect)
    if ask.bank is not None and ask.public_token is None:
        page = connections.BankLinkRequest(
            bank=ask.bank, reconnect=of, institution=_where(ask.institution)
        )
        begun: Made[connections.BankLink] = await call.ask(rows.BEGIN_LINK, page)
        return await _page(call, begun.answer)
    wanted = connections.LinkRequest(
        provider=ask.provider,
        public_token=ask.public_token,
        institution=None
        if ask.institution is None
        else connections.Institution(name=ask.institution),
        reconnect=of,
    )
    made: Made[connections.ConnectionRecord] = await call.ask(rows.LINK_CONNECTION, wanted)
    return _linked(made.answer)


async def _build_reconnection(call: Call, word: str) -> connections.Reconnection:
    links = await _links(call)
    return connections.Reconnection(connection_id=_find_bank(links, word))


async def _page(call: Call, link: connections.BankLink) -> ToolReply[LinkTold]:
    page = PageTold.of(link)
    if link.connection is None:
        return ToolReply(LinkTold(connection=None, page=page), write_text(views.brief_page(link)))
    linked = connections.ConnectionId(id=link.connection.id)
    return _linked(await call.ask(rows.SHOW_CONNECTION, linked), page)


def _linked(
    record: connections.ConnectionRecord, page: PageTold | None = None
) -> ToolReply[LinkTold]:
    linked = LinkTold(connection=_make_record(record), page=page)
    return ToolReply(linked, write_text(views.brief_link(record.connection)))


class SyncQuestion(Wire):
    """Which bank to fetch from."""

    id: Annotated[str | None, Field(description="Id or name. Default: all banks.")] = None


class BankSynced(Wire):
    """What one bank brought; `complete` is false while it has more history."""

    connection_id: str
    provider: connections.Provider
    institution_name: str
    ok: bool
    added: Whole
    modified: Whole
    removed: Whole
    complete: bool
    error: str | None


class SyncTold(Wire):
    """What each bank brought."""

    reports: tuple[BankSynced, ...]


async def sync_connections(call: Call, ask: SyncQuestion) -> ToolReply[SyncTold]:
    """Fetch what is new; what fails at one bank is told in its report.

    Raises BadRequest with those that there are for no bank, or where several are called so.
    """
    links = await _links(call)
    if ask.id is None:
        reports: Sequence[connections.SyncReport] = await call.ask(rows.SYNC_ALL)
    else:
        found = connections.ConnectionId(id=_find_bank(links, ask.id))
        reports = [await call.ask(rows.SYNC_CONNECTION, found)]
    # A bank that was linked after they were listed is told of by the next sync.
    known = [(each, links[each.connection_id]) for each in reports if each.connection_id in links]
    synced = tuple(
        BankSynced.of(report, provider=link.provider, institution_name=link.institution_name)
        for report, link in known
    )
    return ToolReply(SyncTold(reports=synced), write_text(views.brief_syncs(known)))


async def _links(call: Call) -> dict[str, connections.Connection]:
    records: tuple[connections.ConnectionRecord, ...] = await call.ask(rows.LIST_CONNECTIONS)
    return {each.connection.id: each.connection for each in records}


def _find_bank(links: Mapping[str, connections.Connection], word: str) -> str:
    if word in links:
        return word
    names = {key: link.institution_name for key, link in links.items()}
    wanted = " ".join(word.casefold().split())
    called = [key for key, name in names.items() if " ".join(name.casefold().split()) == wanted]
    if len(called) == 1:
        return called[0]
    meant = called or list(names)
    those = ", ".join(f"{names[key]!r} ({key})" for key in meant)
    if called:
        raise BadRequest(f"Several banks are called {word!r}. Use one of these ids: {those}.")
    there = f"Use one of {those}." if names else "No banks yet. Link one: `finplan connect`."
    raise BadRequest(f"Unknown bank {word!r}. {there}")


CONNECTIONS = Tool(
    "list_connections",
    "List banks",
    "The linked banks, with status and last sync.",
    (rows.LIST_CONNECTIONS,),
    "reads",
    list_connections,
)
LINK = Tool(
    "link_connection",
    "Link a bank",
    "Link a bank; demo is a fictional household to try.",
    (
        rows.LINK_CONNECTION,
        rows.BEGIN_LINK,
        rows.SHOW_LINK,
        rows.SHOW_CONNECTION,
        rows.LIST_CONNECTIONS,
    ),
    "adds",
    link_connection,
    reaches_a_bank=True,
)
SYNC = Tool(
    "sync_connections",
    "Sync banks",
    "Get new transactions from one bank, or from all.",
    (rows.SYNC_ALL, rows.SYNC_CONNECTION, rows.LIST_CONNECTIONS),
    "adds",
    sync_connections,
    reaches_a_bank=True,
)
