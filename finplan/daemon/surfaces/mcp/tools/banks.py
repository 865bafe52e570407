"""The tools about bank connections."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool, with_words
from finplan.daemon.surfaces.mcp.tools.wording import counted, error_said, lines, listed, quoted
from finplan.model.base import Nothing, Timestamp, Whole, Wire
from finplan.model.connection import (
    BankLink,
    BankLinkId,
    BankLinkRequest,
    BankName,
    Connection,
    ConnectionId,
    ConnectionRecord,
    ConnectionStatus,
    Institution,
    LinkRequest,
    LinkStatus,
    Provider,
    Reconnection,
    SyncReport,
)
from finplan.model.errors import BadRequest
from finplan.operation import Made
from finplan.operations import bank as banks


class ConnectionTold(Wire):
    """A bank that is linked; `lastSyncedAt` is null before the first success."""

    id: str
    provider: Provider
    institution_name: str
    status: ConnectionStatus
    error: str | None
    last_synced_at: Timestamp | None


class ConnectionsTold(Wire):
    """The banks that are linked."""

    connections: tuple[ConnectionTold, ...]


async def list_connections(call: Call, _ask: Nothing) -> ConnectionsTold:
    """The banks that are linked, and how each fares."""
    records: tuple[ConnectionRecord, ...] = await call.ask(banks.LIST_CONNECTIONS)
    return ConnectionsTold(connections=tuple(map(_told, records)))


def _told(record: ConnectionRecord) -> ConnectionTold:
    link = record.connection
    return ConnectionTold(
        id=link.id,
        provider=link.provider,
        institution_name=link.institution_name,
        status=link.status,
        error=link.error,
        last_synced_at=record.last_synced_at,
    )


def _said(link: ConnectionTold) -> str:
    synced = (
        "never synced"
        if link.last_synced_at is None
        else f"synced {datetime.fromtimestamp(link.last_synced_at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    )
    error = f", {error_said(link.error)}" if link.error else ""
    return f"{quoted(link.institution_name)}: {link.status}, {synced}{error} [{link.id}]"


def _say_connections(told: ConnectionsTold, _currency: str) -> str:
    return lines(
        f"{counted(len(told.connections), 'connection')}.",
        listed(_said(each) for each in told.connections),
    )


class NewLink(Wire):
    """A bank to link."""

    provider: Annotated[str, Field(max_length=40, description="demo, manual or aggregator.")] = (
        "aggregator"
    )
    institution: Annotated[
        str | None, Field(min_length=1, max_length=200, description="Its name; DE/NAME in Europe.")
    ] = None
    public_token: Annotated[
        str | None,
        Field(max_length=4_000, description="Setup token, or address led to; the person gets it."),
    ] = None
    bank: Annotated[
        str | None, Field(max_length=40, description="plaid, enablebanking: opens a page.")
    ] = None
    reconnect: Annotated[
        str | None, Field(max_length=200, description="Id or name of one to sign in at again.")
    ] = None
    link: Annotated[
        str | None, Field(max_length=40, description="Id of an open page: what came of it.")
    ] = None


def _where(institution: str | None) -> Institution | None:
    """The institution of a page, whose country stands before a slash where one is needed."""
    country, _, name = (institution or "").rpartition("/")
    if not name.strip():
        return None
    return Institution(id=institution if country else None, name=name)


class PageTold(Wire):
    """A page at which the person signs in; ask for it again while it is pending."""

    id: str
    bank: BankName
    url: str
    status: LinkStatus
    error: str | None


class LinkTold(Wire):
    """The bank that is linked, or the page at which it will be."""

    connection: ConnectionTold | None
    page: PageTold | None


async def link_connection(call: Call, ask: NewLink) -> LinkTold:
    """Link a bank, open the page of one, or ask what came of it.

    Raises BadRequest, NotFound, UnsupportedProvider, Conflict, BankProviderError.
    """
    if ask.link is not None:
        return await _page(call, await call.ask(banks.SHOW_LINK, BankLinkId(id=ask.link)))
    if ask.bank is not None and ask.public_token is None:
        of = None if ask.reconnect is None else await _named(call, ask.reconnect)
        page = BankLinkRequest(bank=ask.bank, reconnect=of, institution=_where(ask.institution))
        begun: Made[BankLink] = await call.ask(banks.BEGIN_LINK, page)
        return await _page(call, begun.answer)
    institution = None if ask.institution is None else Institution(name=ask.institution)
    of = None if ask.reconnect is None else await _named(call, ask.reconnect)
    wanted = LinkRequest(
        provider=ask.provider,
        public_token=ask.public_token,
        institution=institution,
        reconnect=of,
    )
    made: Made[ConnectionRecord] = await call.ask(banks.LINK_CONNECTION, wanted)
    return LinkTold(connection=_told(made.answer), page=None)


async def _named(call: Call, word: str) -> Reconnection:
    return Reconnection(connection_id=_find_bank(await _names(call), word))


async def _page(call: Call, link: BankLink) -> LinkTold:
    page = PageTold(id=link.id, bank=link.bank, url=link.url, status=link.status, error=link.error)
    if link.connection is None:
        return LinkTold(connection=None, page=page)
    linked = ConnectionId(id=link.connection.id)
    return LinkTold(connection=_told(await call.ask(banks.SHOW_CONNECTION, linked)), page=page)


def _say_link(told: LinkTold, _currency: str) -> str:
    if told.connection is not None:
        linked = told.connection
        name = quoted(linked.institution_name)
        then = _FILLED if linked.provider == "manual" else "Next: sync_connections."
        return f"{name} is linked: {linked.status}. {then}"
    page = told.page
    assert page is not None
    if page.status == "failed":
        return f"Nothing is linked: {error_said(page.error or 'for no reason told')} [{page.id}]"
    if page.bank == "enablebanking":
        return (
            f"Have your person open {page.url} and consent there; then call link_connection with the"
            f" address that their browser is led to as publicToken, or with link {page.id} where"
            " finplan's own site showed that it is linked."
        )
    return (
        f"Have your person open {page.url} and sign in there; then call link_connection with link"
        f" {page.id}."
    )


_FILLED = (
    "No bank is asked for it: the person imports its statement files, by `finplan import FILE` or in the"
    " browser."
)


class SyncQuestion(Wire):
    """Which bank to fetch from."""

    id: Annotated[str | None, Field(description="Id or name; left out: every bank.")] = None


class BankSynced(Wire):
    """What one bank brought; `complete` is false while it has more history."""

    connection_id: str
    provider: Provider
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


async def sync_connections(call: Call, ask: SyncQuestion) -> SyncTold:
    """Fetch what is new; what fails at one bank is told in its report.

    Raises BadRequest with those that there are for no bank, or where several are called so.
    """
    records: tuple[ConnectionRecord, ...] = await call.ask(banks.LIST_CONNECTIONS)
    links = {each.connection.id: each.connection for each in records}
    names = {key: link.institution_name for key, link in links.items()}
    if ask.id is None:
        reports: Sequence[SyncReport] = await call.ask(banks.SYNC_ALL)
    else:
        found = ConnectionId(id=_find_bank(names, ask.id))
        reports = [await call.ask(banks.SYNC_CONNECTION, found)]
    # A bank that was linked after they were listed is told of by the next sync.
    known = (each for each in reports if each.connection_id in links)
    return SyncTold(reports=tuple(_brought(each, links[each.connection_id]) for each in known))


async def _names(call: Call) -> dict[str, str]:
    records: tuple[ConnectionRecord, ...] = await call.ask(banks.LIST_CONNECTIONS)
    return {each.connection.id: each.connection.institution_name for each in records}


def _find_bank(names: Mapping[str, str], word: str) -> str:
    if word in names:
        return word
    wanted = " ".join(word.casefold().split())
    called = [key for key, name in names.items() if " ".join(name.casefold().split()) == wanted]
    if len(called) == 1:
        return called[0]
    meant = called or list(names)
    those = ", ".join(f"{names[key]!r} ({key})" for key in meant)
    if called:
        raise BadRequest(f"Several banks are called {word!r}: say one of {those}.")
    there = f"There are {those}." if names else "None is linked: `finplan connect` links one."
    raise BadRequest(f"No bank is called {word!r}. {there}")


def _brought(report: SyncReport, link: Connection) -> BankSynced:
    return BankSynced(
        connection_id=link.id,
        provider=link.provider,
        institution_name=link.institution_name,
        ok=report.ok,
        added=report.added,
        modified=report.modified,
        removed=report.removed,
        complete=report.complete,
        error=report.error,
    )


def _say_sync(told: SyncTold, _currency: str) -> str:
    if not told.reports:
        return "No bank is linked that can be asked: link_connection links one."
    asked = sum(each.provider != "manual" for each in told.reports)
    return lines(
        f"{counted(asked, 'bank')} asked." if asked else "No bank was asked.",
        listed(f"{quoted(each.institution_name)}: {_outcome(each)}" for each in told.reports),
    )


def _outcome(report: BankSynced) -> str:
    if not report.ok:
        return f"failed, {error_said(report.error or 'for no reason told')}"
    changed = f", {report.modified} changed" if report.modified else ""
    gone = f", {report.removed} gone" if report.removed else ""
    more = "" if report.complete else "; it has more, sync again"
    files = "; files fill it, which the person imports" if report.provider == "manual" else ""
    return f"{counted(report.added, 'new row')}{changed}{gone}{more}{files}"


CONNECTIONS = Tool(
    "list_connections",
    "List banks",
    "The linked banks, how each fares, and when it was last synced.",
    Nothing,
    ConnectionsTold,
    (banks.LIST_CONNECTIONS,),
    "reads",
    with_words(list_connections, _say_connections),
)
LINK = Tool(
    "link_connection",
    "Link a bank",
    "Link a bank; demo is a made-up household to try things on.",
    NewLink,
    LinkTold,
    (
        banks.LINK_CONNECTION,
        banks.BEGIN_LINK,
        banks.SHOW_LINK,
        banks.SHOW_CONNECTION,
        banks.LIST_CONNECTIONS,
    ),
    "adds",
    with_words(link_connection, _say_link),
    reaches_a_bank=True,
)
SYNC = Tool(
    "sync_connections",
    "Sync banks",
    "Fetch new rows from one bank, or from all.",
    SyncQuestion,
    SyncTold,
    (banks.SYNC_ALL, banks.SYNC_CONNECTION, banks.LIST_CONNECTIONS),
    "adds",
    with_words(sync_connections, _say_sync),
    reaches_a_bank=True,
)
