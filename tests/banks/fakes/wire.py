"""What the fake banks share: a server over TLS that remembers requests and may misbehave.

What may happen to an answer on its way, and the script of when it does.
"""

import asyncio
import json
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from fnmatch import fnmatchcase
from typing import Any, Protocol, TypeVar

from aiohttp import web

from tests.banks.fakes.world import World
from tests.patience import LONG_ENOUGH
from tests.present import present
from tests.webhooks.receiver import Authority

Proceed = Callable[[], Awaitable[web.Response]]


class Fault(Protocol):
    """It takes a request, may let the bank proceed with it, and answers."""

    async def answer(self, request: web.Request, proceed: Proceed, /) -> web.StreamResponse: ...


@dataclass(frozen=True)
class Answered:
    """This is answered, and the bank never heard of the request."""

    status: int
    body: str
    kind: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()

    async def answer(self, _request: web.Request, _proceed: Proceed, /) -> web.StreamResponse:
        return web.Response(
            status=self.status, text=self.body, content_type=self.kind, headers=dict(self.headers)
        )


NOT_JSON = Answered(200, "<!doctype html><title>Just a moment...</title>", "text/html")
BAD_GATEWAY = Answered(502, "<html><h1>502 Bad Gateway</h1></html>", "text/html")


@dataclass(frozen=True)
class Cut:
    """The connection ends without an answer; `after` says that the bank did what it was asked."""

    after: bool = False

    async def answer(self, request: web.Request, proceed: Proceed, /) -> web.StreamResponse:
        if self.after:
            await proceed()
        present(request.transport).abort()
        return web.Response()


@dataclass(frozen=True)
class Truncated:
    """The connection ends in the middle of the answer, whose length was promised."""

    async def answer(self, request: web.Request, proceed: Proceed, /) -> web.StreamResponse:
        whole = await proceed()
        body = whole.body
        assert isinstance(body, bytes)
        cut = web.StreamResponse(status=whole.status)
        cut.content_type = whole.content_type
        cut.content_length = len(body)
        await cut.prepare(request)
        await cut.write(body[: len(body) // 2])
        present(request.transport).close()
        return cut


@dataclass(frozen=True)
class HalfJson:
    """The answer is whole for HTTP, and its JSON ends in the middle."""

    async def answer(self, _request: web.Request, proceed: Proceed, /) -> web.StreamResponse:
        whole = await proceed()
        body = whole.body
        assert isinstance(body, bytes)
        return web.Response(
            status=whole.status, body=body[: len(body) // 2], content_type=whole.content_type
        )


@dataclass(frozen=True)
class Slow:
    """The bank has the answer and gives it when the test lets it go; `arrived` may be awaited."""

    got: threading.Event = field(default_factory=threading.Event)
    let: threading.Event = field(default_factory=threading.Event)

    async def answer(self, _request: web.Request, proceed: Proceed, /) -> web.StreamResponse:
        whole = await proceed()
        self.got.set()
        await asyncio.to_thread(self.let.wait, LONG_ENOUGH)
        return whole

    async def arrived(self) -> None:
        """Wait until the request is there."""
        assert await asyncio.to_thread(self.got.wait, LONG_ENOUGH), "no such request came"

    def go(self) -> None:
        """Let the answer go."""
        self.let.set()


@dataclass(frozen=True)
class Meanwhile:
    """Something happens in the world just before the bank answers."""

    happens: Callable[[], object]

    async def answer(self, _request: web.Request, proceed: Proceed, /) -> web.StreamResponse:
        self.happens()
        return await proceed()


@dataclass(frozen=True)
class Changed:
    """The bank's answer with its JSON changed by the test."""

    change: Callable[[Any], Any]

    async def answer(self, _request: web.Request, proceed: Proceed, /) -> web.StreamResponse:
        whole = await proceed()
        assert isinstance(whole.body, bytes)
        return web.json_response(self.change(json.loads(whole.body)), status=whole.status)


@dataclass
class Turn:
    """A fault that strikes some of the requests of a route, counted from when it was said."""

    fault: Fault
    route: str
    nth: int
    times: int | None
    met: int = 0

    def strikes(self, path: str) -> bool:
        """Whether it is this request's turn; each call is one request."""
        if not fnmatchcase(path, self.route):
            return False
        self.met += 1
        return self.nth <= self.met and (self.times is None or self.met < self.nth + self.times)


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
    await web.TCPSite(runner, HOST, bank.port, ssl_context=context).start()
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
