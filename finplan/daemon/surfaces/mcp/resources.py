"""What the product server offers for reading, and telling clients that it has changed.

These are the plan, the categories, the handbook's pages, and views. Clients are told, by the way of each
era of the protocol, that plan or categories may have changed, not how: whoever wants to know reads
again. Each client has a task of its own, which looks whether the person's data are what they were,
whoever changed them. So one that reads slowly holds up nobody, and all that changes meanwhile is one
change to it.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import anyio
from mcp import types
from mcp.server import Server
from mcp.server.apps import client_supports_apps
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError
from pydantic import TypeAdapter

from finplan.daemon.surfaces.mcp import apps
from finplan.daemon.surfaces.mcp.docs_server import (
    MARKDOWN,
    handbook_resources,
    page_resource,
    text_resource,
)
from finplan.daemon.surfaces.mcp.tools.plans import describe_plan
from finplan.daemon.surfaces.mcp.tools.tool import TableRows
from finplan.daemon.surfaces.mcp.tools.wording import for_agents
from finplan.daemon.surfaces.mcp.transport import caller_of
from finplan.model.base import Nothing
from finplan.model.category import CategoryChoice
from finplan.model.errors import Fault
from finplan.model.snapshot import PlanView
from finplan.operation import AnyOperation
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.plan import VIEW_PLAN
from finplan.service.context import Caller, Context
from finplan.service.derived.books import state_of_caller
from finplan.service.dispatch import check_scope
from finplan.store.derived import State

PLAN, CATEGORIES = "finplan://plan", "finplan://categories"
ROWS: Mapping[str, AnyOperation] = {PLAN: VIEW_PLAN, CATEGORIES: LIST_CATEGORIES}
"""The resources that are of the person's data, each with the row of the table that it is read by."""
_CHOICES = TypeAdapter(tuple[CategoryChoice, ...])
JSON = "application/json"

ResourceRequest = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of a site, read for who `context_of` makes a context of."""

    site_url: str
    context_of: Callable[[Caller], Context]
    rows: TableRows

    async def list(
        self, request: ResourceRequest, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """All of them; the views for clients that show such."""
        plan = types.Resource(
            uri=PLAN,
            name="plan",
            title="Your plan",
            description="The current plan, like get_plan. Subscribe for changes.",
            mime_type=JSON,
        )
        choices = types.Resource(
            uri=CATEGORIES,
            name="categories",
            title="Your categories",
            description="All categories: id, name and budget line. Subscribe for changes.",
            mime_type=JSON,
        )
        pages = await handbook_resources(self.site_url)
        shown = apps.resources() if client_supports_apps(request) else []
        return types.ListResourcesResult(
            resources=[
                plan,
                choices,
                *shown,
                *(page_resource(uri, page) for uri, page in pages.items()),
            ]
        )

    async def read(
        self, request: ResourceRequest, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """One of them. Raises MCPError where there is none, or nothing to plan with."""
        uri = str(params.uri)
        if uri in ROWS:
            context = self.context_of(caller_of(request))
            with _told_to_clients():
                found = await self.rows.ask(context, ROWS[uri], Nothing())
            return text_resource(uri, JSON, _IN_JSON[uri](found))
        if uri in apps.VIEWED:
            return types.ReadResourceResult(contents=[apps.contents(uri)])
        page = (await handbook_resources(self.site_url)).get(uri)
        if page is None:
            raise MCPError(types.INVALID_PARAMS, "Unknown resource. List them with resources/list.")
        return text_resource(uri, MARKDOWN, page.markdown)

    async def has(self, uri: str) -> bool:
        """Whether there is one of this name."""
        if uri in ROWS or uri in apps.VIEWED:
            return True
        return uri in await handbook_resources(self.site_url)


def _plan_as_json(view: PlanView) -> str:
    return describe_plan(view, ()).model_dump_json(by_alias=True)


def _choices_as_json(choices: tuple[CategoryChoice, ...]) -> str:
    return _CHOICES.dump_json(choices, by_alias=True).decode()


_IN_JSON: Mapping[str, Callable[[Any], str]] = {PLAN: _plan_as_json, CATEGORIES: _choices_as_json}


@contextmanager
def _told_to_clients() -> Iterator[None]:
    """A fault as the protocol tells it. Raises MCPError."""
    try:
        yield
    except Fault as fault:
        raise MCPError(types.INVALID_PARAMS, for_agents(fault.message)) from fault


LOOKED_EVERY = 1.0
"""How often it is looked whether the data are others, for each who listens, in seconds."""

MOST_LISTENING = 20
"""How many streams of the newer era one person's clients may listen on at once."""

_BACKLOG = 4
"""After how many changes that a client did not read its stream ends; it listens again and reads."""

_TELLING, _TOLD = "finplan.telling", "finplan.told"
"""What a session keeps: the task that tells it, and the resources that it is told of."""

TellChange = Callable[[], Awaitable[None]]

log = logging.getLogger(__name__)


class ResourceNews:
    """Who listens for changes of their resources; what they listen on ends with the server."""

    def __init__(self, resources: Resources) -> None:
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
        self, request: ResourceRequest, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Tell on the stream that answers the request, until it is let go of (since 2026-07-28)."""
        asked = _that_change(params)
        kept = asked.notifications.resource_subscriptions or ()
        context = self._resources.context_of(caller_of(request))
        _check_scope(context, kept)
        owner = context.caller.owner
        if self._listening[owner] >= MOST_LISTENING:
            why = f"{MOST_LISTENING} clients are already subscribed. Close one of them, then try again."
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
        self, request: ResourceRequest, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Tell on the stream of a session, for as long as that is open (up to 2025-11-25)."""
        uri = str(params.uri)
        if not await self._resources.has(uri):
            raise MCPError(types.INVALID_PARAMS, "Unknown resource. List them with resources/list.")
        # Pages and views are what they are while the daemon runs.
        if uri in ROWS:
            context = self._resources.context_of(caller_of(request))
            _check_scope(context, (uri,))
            await _begin_telling(request, context, uri)
        return types.EmptyResult()

    async def unsubscribe(
        self, request: ResourceRequest, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Tell no more of a resource."""
        connection = _connection(request)
        told = _watched_resources(connection)
        told.discard(str(params.uri))
        if not told:
            _stop_telling(connection)
        return types.EmptyResult()


def _check_scope(context: Context, uris: Iterable[str]) -> None:
    """Whoever may not read a resource is not told of its changes either. Raises MCPError."""
    with _told_to_clients():
        for uri in uris:
            check_scope(context.caller, ROWS[uri])


async def _begin_telling(request: ResourceRequest, context: Context, uri: str) -> None:
    connection = _connection(request)
    told = _watched_resources(connection)
    told.add(uri)
    if _is_watching(connection):
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
        log.info("changes are no longer sent to a client: %s", fault.message)
    except Exception:
        log.exception("changes are no longer sent to a client")


def _that_change(
    params: types.SubscriptionsListenRequestParams,
) -> types.SubscriptionsListenRequestParams:
    """What is asked, as far as it ever changes; that is what the client is told it listens for."""
    asked = params.notifications.resource_subscriptions or []
    kept = [uri for uri in dict.fromkeys(asked) if uri in ROWS]
    return params.model_copy(
        update={"notifications": types.SubscriptionFilter(resource_subscriptions=kept or None)}
    )


def _connection(request: ResourceRequest) -> Connection:
    # The SDK hands its low-level servers the place for what ends with a session by no other name.
    return request.session._connection  # noqa: SLF001


def _watched_resources(connection: Connection) -> set[str]:
    """The resources that a session is told of, for as long as it lasts."""
    if _TOLD not in connection.state:
        connection.state[_TOLD] = set()
        connection.exit_stack.callback(_stop_telling, connection)
    told: set[str] = connection.state[_TOLD]
    return told


def _is_watching(connection: Connection) -> bool:
    telling: asyncio.Task[None] | None = connection.state.get(_TELLING)
    return telling is not None and not telling.done()


def _stop_telling(connection: Connection) -> None:
    telling: asyncio.Task[None] | None = connection.state.pop(_TELLING, None)
    if telling is not None:
        telling.cancel()
