"""Telling clients that the plan or the categories have changed, by the way of each era of the protocol.

They are told that they may have, not how: whoever wants to know reads again. Each has a task of its own,
which looks whether the person's data are what they were, whoever changed them. So a client that reads
slowly holds up nobody, and all that changes meanwhile is one change to it.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp import types
from mcp.server import Server
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError

from finplan.daemon.surfaces.mcp.resources import ROWS, Resources
from finplan.daemon.surfaces.mcp.rows import state_of_caller
from finplan.daemon.surfaces.mcp.tools.ways import for_agents
from finplan.daemon.surfaces.mcp.transport import caller_of
from finplan.model.errors import Fault
from finplan.service.context import Caller, Context
from finplan.service.dispatch import check_scope
from finplan.store.derived import State

LOOKED_EVERY = 1.0
"""How often it is looked whether the data are others, for each who listens, in seconds."""

MOST_LISTENING = 20
"""How many streams of the newer era one person's clients may listen on at once."""

_BACKLOG = 4
"""After how many changes that a client did not read its stream ends; it listens again and reads."""

_TELLING, _TOLD = "finplan.telling", "finplan.told"
"""What a session keeps: the task that tells it, and the resources that it is told of."""

ListeningRequest = ServerRequestContext[Any, Any]
TellChange = Callable[[], Awaitable[None]]

log = logging.getLogger(__name__)


class ResourceNews:
    """Who listens for changes of their resources; what they listen on ends with the server."""

    def __init__(self, context_of: Callable[[Caller], Context], resources: Resources) -> None:
        self._context_of = context_of
        self._resources = resources
        self._streams: set[ListenHandler] = set()
        self._listening: Counter[int] = Counter()

    @asynccontextmanager
    async def lifespan(self, _server: Server[Any]) -> AsyncIterator[None]:
        """As long as the server is there: then each stream says that it ends."""
        yield
        for stream in self._streams:
            stream.close()

    async def listen(
        self, request: ListeningRequest, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Tell on the stream that answers the request, until it is let go of (since 2026-07-28)."""
        asked = _that_change(params)
        kept = asked.notifications.resource_subscriptions or ()
        context = self._context_of(caller_of(request))
        _check_scope(context, kept)
        owner = context.caller.owner
        if self._listening[owner] >= MOST_LISTENING:
            why = f"{MOST_LISTENING} clients listen already; let one of them end, and try again."
            raise MCPError(types.INTERNAL_ERROR, why)
        state = await state_of_caller(context)
        bus = InMemorySubscriptionBus()
        stream = ListenHandler(bus, max_buffered_events=_BACKLOG * len(ROWS))

        async def changed() -> None:
            for uri in kept:
                await bus.publish(ResourceUpdated(uri))

        telling = asyncio.create_task(_tell_changes(context, state, changed))
        # Where it is not looked any more, nobody is left to believe that nothing changes.
        telling.add_done_callback(lambda _: stream.close())
        self._streams.add(stream)
        self._listening[owner] += 1
        try:
            return await stream(request, asked)
        finally:
            telling.cancel()
            self._streams.discard(stream)
            self._listening[owner] -= 1

    async def subscribe(
        self, request: ListeningRequest, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Tell on the stream of a session, for as long as that is open (up to 2025-11-25)."""
        uri = str(params.uri)
        if not await self._resources.has(uri):
            raise MCPError(types.INVALID_PARAMS, "There is no such resource; list them.")
        # Pages and views are what they are while the daemon runs.
        if uri in ROWS:
            context = self._context_of(caller_of(request))
            _check_scope(context, (uri,))
            await _begin_telling(request, context, uri)
        return types.EmptyResult()

    async def unsubscribe(
        self, request: ListeningRequest, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Tell no more of a resource."""
        connection = _connection(request)
        told = _told(connection)
        told.discard(str(params.uri))
        if not told:
            _stop_telling(connection)
        return types.EmptyResult()


def _check_scope(context: Context, uris: Iterable[str]) -> None:
    """Whoever may not read a resource is not told of its changes either. Raises MCPError."""
    try:
        for uri in uris:
            check_scope(context.caller, ROWS[uri])
    except Fault as fault:
        raise MCPError(types.INVALID_PARAMS, for_agents(fault.message)) from fault


async def _begin_telling(request: ListeningRequest, context: Context, uri: str) -> None:
    connection = _connection(request)
    told = _told(connection)
    told.add(uri)
    if _is_told(connection):
        return
    state = await state_of_caller(context)

    async def changed() -> None:
        for each in sorted(told):
            await request.session.send_resource_updated(each)

    _stop_telling(connection)
    connection.state[_TELLING] = asyncio.create_task(_tell_changes(context, state, changed))


async def _tell_changes(context: Context, state: State, changed: TellChange) -> None:
    """Say of each look that finds another state than the one before."""
    try:
        while True:
            await asyncio.sleep(LOOKED_EVERY)
            found = await state_of_caller(context)
            if found != state:
                state = found
                await changed()
    except (anyio.ClosedResourceError, anyio.BrokenResourceError):
        # Whoever listened has left.
        return
    except Fault as fault:
        log.info("a client is told of changes no more: %s", fault.message)
    except Exception:
        log.exception("a client is told of changes no more")


def _that_change(
    params: types.SubscriptionsListenRequestParams,
) -> types.SubscriptionsListenRequestParams:
    """What is asked, as far as it ever changes; that is what the client is told it listens for."""
    asked = params.notifications.resource_subscriptions or []
    kept = [uri for uri in dict.fromkeys(asked) if uri in ROWS]
    return params.model_copy(
        update={"notifications": types.SubscriptionFilter(resource_subscriptions=kept or None)}
    )


def _connection(request: ListeningRequest) -> Connection:
    # The SDK hands its low-level servers the place for what ends with a session by no other name.
    return request.session._connection  # noqa: SLF001


def _told(connection: Connection) -> set[str]:
    """The resources that a session is told of, for as long as it lasts."""
    if _TOLD not in connection.state:
        connection.state[_TOLD] = set()
        connection.exit_stack.callback(_stop_telling, connection)
    told: set[str] = connection.state[_TOLD]
    return told


def _is_told(connection: Connection) -> bool:
    telling: asyncio.Task[None] | None = connection.state.get(_TELLING)
    return telling is not None and not telling.done()


def _stop_telling(connection: Connection) -> None:
    telling: asyncio.Task[None] | None = connection.state.pop(_TELLING, None)
    if telling is not None:
        telling.cancel()
