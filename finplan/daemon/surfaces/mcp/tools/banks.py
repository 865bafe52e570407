"""The tools about bank connections."""

from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool
from finplan.daemon.surfaces.mcp.tools.wording import counted, lines, listed, quoted
from finplan.model.base import Nothing, Timestamp, Wire
from finplan.model.connection import (
    ConnectionId,
    ConnectionRecord,
    ConnectionStatus,
    Institution,
    LinkRequest,
    Provider,
    SyncReport,
)
from finplan.operation import Made
from finplan.operations.household import (
    LINK_CONNECTION,
    LIST_CONNECTIONS,
    SYNC_ALL,
    SYNC_CONNECTION,
)


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
    records: tuple[ConnectionRecord, ...] = await call.ask(LIST_CONNECTIONS)
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


def _say_connections(told: ConnectionsTold, _currency: str) -> str:
    return lines(
        f"{counted(len(told.connections), 'connection')}.",
        listed(f"{quoted(each.institution_name)}: {each.status}" for each in told.connections),
    )


class NewLink(Wire):
    """A bank to link."""

    provider: Annotated[str, Field(max_length=40, description="demo or manual.")]
    institution: Annotated[
        str | None, Field(min_length=1, max_length=200, description="Its name; for manual.")
    ] = None
    public_token: Annotated[
        str | None, Field(max_length=4096, description="Of the aggregator's own sign-in.")
    ] = None


async def link_connection(call: Call, ask: NewLink) -> ConnectionTold:
    """Link a bank. Raises UnsupportedProvider, Conflict, BankProviderError."""
    institution = None if ask.institution is None else Institution(name=ask.institution)
    made: Made[ConnectionRecord] = await call.ask(
        LINK_CONNECTION,
        LinkRequest(provider=ask.provider, public_token=ask.public_token, institution=institution),
    )
    return _told(made.answer)


def _say_link(told: ConnectionTold, _currency: str) -> str:
    return f"{quoted(told.institution_name)} is linked: {told.status}. Next: sync_connections."


class SyncQuestion(Wire):
    """Which bank to fetch from."""

    id: Annotated[str | None, Field(description="Left out: every bank.")] = None


class SyncTold(Wire):
    """What each bank brought."""

    reports: tuple[SyncReport, ...]


async def sync_connections(call: Call, ask: SyncQuestion) -> SyncTold:
    """Fetch what is new. Raises NotFound; what fails at one bank is told in its report."""
    if ask.id is not None:
        return SyncTold(reports=(await call.ask(SYNC_CONNECTION, ConnectionId(id=ask.id)),))
    return SyncTold(reports=tuple(await call.ask(SYNC_ALL)))


def _say_sync(told: SyncTold, _currency: str) -> str:
    return lines(
        f"{counted(len(told.reports), 'bank')} asked.",
        listed(
            f"{each.connection_id}: {counted(each.added, 'new row')}"
            if each.ok
            else f"{each.connection_id}: failed, {quoted(each.error or 'for no reason told')}"
            for each in told.reports
        ),
    )


CONNECTIONS = Tool(
    "list_connections",
    "List banks",
    "The linked banks, how each fares, and when it was last synced.",
    Nothing,
    ConnectionsTold,
    (LIST_CONNECTIONS,),
    "reads",
    list_connections,
    _say_connections,
)
LINK = Tool(
    "link_connection",
    "Link a bank",
    "Link a bank; demo is a made-up household to try things on.",
    NewLink,
    ConnectionTold,
    (LINK_CONNECTION,),
    "adds",
    link_connection,
    _say_link,
    reaches_a_bank=True,
)
SYNC = Tool(
    "sync_connections",
    "Sync banks",
    "Fetch new rows from one bank, or from all.",
    SyncQuestion,
    SyncTold,
    (SYNC_ALL, SYNC_CONNECTION),
    "adds",
    sync_connections,
    _say_sync,
    reaches_a_bank=True,
)
