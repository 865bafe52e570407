"""What the fake banks share: a server over TLS that remembers requests and may misbehave."""

import asyncio
import json
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from aiohttp import web

from tests.banks.fakes.faults import Fault, Slow, Turn
from tests.banks.fakes.world import World
from tests.patience import LONG_ENOUGH
from tests.webhooks.receiver import Authority

HOST = "127.0.0.1"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """What the body says."""
        return json.loads(self.body)

    def all(self, name: str) -> list[str]:
        """Every value of a query's parameter, in order."""
        return [value for key, value in self.query if key == name]


class FakeBank:
    """A server of a world, with every request that it saw.

    `now` is its clock, by default noon of the world's day; only what ends by the hour looks at it.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.now: Callable[[], datetime] = lambda: datetime.combine(world.today, time(12), UTC)
        self.port = 0
        self.seen: list[Asked] = []
        self._turns: list[Turn] = []

    @property
    def url(self) -> str:
        """Where it listens, without a slash at the end."""
        return f"https://{HOST}:{self.port}"

    def routes(self) -> Iterable[web.RouteDef]:
        """What it answers."""
        raise NotImplementedError

    def misbehave(
        self, fault: Fault, route: str = "*", *, nth: int = 1, times: int | None = 1
    ) -> None:
        """Let a fault strike the nth request of a route from now, and so many; None is for ever."""
        self._turns.append(Turn(fault, route, nth, times))

    def behave(self) -> None:
        """Nothing goes wrong any more, and what is slow comes."""
        for turn in self._turns:
            if isinstance(turn.fault, Slow):
                turn.fault.go()
        self._turns.clear()

    def asked(self, route: str = "*") -> list[Asked]:
        """The requests of a route, in order."""
        return [each for each in self.seen if fnmatchcase(each.path, route)]

    def application(self) -> web.Application:
        """The bank as aiohttp serves it."""

        @web.middleware
        async def door(request: web.Request, handler: Handler) -> web.StreamResponse:
            return await self._take(request, handler)

        made = web.Application(middlewares=[door])
        made.router.add_routes(self.routes())
        return made

    async def _take(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        body = await request.read()
        query = tuple(request.query.items())
        self.seen.append(Asked(request.method, request.path, query, dict(request.headers), body))

        async def proceed() -> web.Response:
            answer = await handler(request)
            assert isinstance(answer, web.Response)
            return answer

        # Each turn counts the request, so that two faults of a route do not count past each other.
        striking = [turn.fault for turn in self._turns if turn.strikes(request.path)]
        return await (striking[0].answer(request, proceed) if striking else proceed())


B = TypeVar("B", bound=FakeBank)


@asynccontextmanager
async def serving(bank: B, authority: Authority) -> AsyncIterator[B]:
    """Serve on a free port of this machine, in the test's own loop."""
    runner = web.AppRunner(bank.application(), shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(authority.server, authority.key)
    site = web.TCPSite(runner, HOST, bank.port, ssl_context=context)
    await site.start()
    bank.port = runner.addresses[0][1]
    try:
        yield bank
    finally:
        bank.behave()
        assert runner.server is not None
        left = [each.transport for each in runner.server.connections if each.transport]
        await runner.cleanup()
        # What a client keeps open would otherwise wait for its farewell after the loop is gone.
        for transport in left:
            transport.abort()
        await asyncio.sleep(0)


@contextmanager
def hosting(bank: B, authority: Authority) -> Iterator[B]:
    """Serve in a thread of its own, for a test that is not async."""
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        try:
            async with serving(bank, authority):
                ready.set()
                await over.wait()
        finally:
            ready.set()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), name="fake bank")
    thread.start()
    try:
        assert ready.wait(LONG_ENOUGH), "the fake bank did not start"
        assert thread.is_alive(), "the fake bank could not start"
        yield bank
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(LONG_ENOUGH)
        loop.close()
