"""What may happen to an answer on its way, and the script of when it does."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Protocol

from aiohttp import web

from tests.patience import LONG_ENOUGH

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
        assert request.transport is not None
        request.transport.abort()
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
        assert request.transport is not None
        request.transport.close()
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
