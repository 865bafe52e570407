"""The bridge over which an ASGI application answers one request of the server.

The SDK of MCP is written for ASGI (https://asgi.readthedocs.io, HTTP 2.3). Behind the bridge it shares
the port, the door, the credentials and the limits of every other surface.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from aiohttp import hdrs, web

AsgiMessage = MutableMapping[str, Any]
Application = Callable[
    [AsgiMessage, Callable[[], Awaitable[AsgiMessage]], Callable[[AsgiMessage], Awaitable[None]]],
    Awaitable[None],
]
CheckOn = Callable[[], Awaitable[object]]
"""Raises where whoever reads a long answer may not read on."""

LOOKED_EVERY = 0.5
"""How often it is looked whether the client is still there while it is sent nothing, in seconds."""

CHECKED_EVERY = 15.0
"""How often it is asked whether a long answer may go on, in seconds."""


async def answer_by(
    application: Application,
    request: web.Request,
    body: bytes,
    state: Mapping[str, Any],
    check_on: CheckOn,
) -> web.StreamResponse:
    """Let an ASGI application answer a request whose body has come; `state` is put into its scope.

    An answer of one piece is answered whole; one that comes piece by piece is sent as it comes, and
    ends when `check_on` raises.
    """
    exchange = _Exchange(request, body)
    answering = asyncio.ensure_future(
        application(_scope(request, state), exchange.receive, exchange.send)
    )
    try:
        while not answering.done():
            # Most answers are there by then, and whole; waiting makes no task of its own.
            await asyncio.wait({answering}, timeout=CHECKED_EVERY)
            if exchange.is_streaming and not answering.done() and not await _may_go_on(check_on):
                return await exchange.end()
        # What went wrong in it is the server's to answer.
        answering.result()
        return await exchange.end()
    finally:
        answering.cancel()
        with suppress(asyncio.CancelledError):
            await answering


async def _may_go_on(check_on: CheckOn) -> bool:
    try:
        await check_on()
    except Exception:  # noqa: BLE001 - Whatever the reason, nothing more is told.
        return False
    return True


class _Exchange:
    """One request and its answer, as the two channels of ASGI."""

    def __init__(self, request: web.Request, body: bytes) -> None:
        self._request = request
        self._body: bytes | None = body
        self._status = 500
        self._headers: list[tuple[str, str]] = []
        self._whole: web.Response | None = None
        self._stream: web.StreamResponse | None = None

    @property
    def is_streaming(self) -> bool:
        """Whether the answer has begun to be sent."""
        return self._stream is not None

    async def receive(self) -> AsgiMessage:
        """The body, and then nothing until the client is gone."""
        body, self._body = self._body, None
        if body is not None:
            return {"type": "http.request", "body": body, "more_body": False}
        # The server tells of a client that has gone by its transport alone.
        while not self._is_gone():  # noqa: ASYNC110
            await asyncio.sleep(LOOKED_EVERY)
        return {"type": "http.disconnect"}

    async def send(self, message: AsgiMessage) -> None:
        """Take the beginning of the answer, or a piece of it."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = [
                (name.decode("latin-1"), value.decode("latin-1"))
                for name, value in message.get("headers", ())
                if name.lower() not in _OF_THE_CONNECTION
            ]
            if self._stands():
                # Its first piece may come after hours; who listens learns at once that they are heard.
                await self._write(b"", more=True)
            return
        piece, more = message.get("body", b""), message.get("more_body", False)
        if self._stream is None and not more:
            self._whole = web.Response(status=self._status, body=piece, headers=self._headers)
        else:
            await self._write(piece, more=more)

    async def end(self) -> web.StreamResponse:
        """The answer, as far as it came."""
        if self._stream is not None:
            with suppress(ConnectionError):
                await self._stream.write_eof()
            return self._stream
        return self._whole or web.Response(status=500)

    async def _write(self, piece: bytes, *, more: bool) -> None:
        # To whom is gone nothing is sent (ASGI 2.4); `receive` tells the application, which then ends.
        with suppress(ConnectionError):
            if self._stream is None:
                self._stream = web.StreamResponse(status=self._status, headers=self._headers)
                await self._stream.prepare(self._request)
            await self._stream.write(piece)
            if not more:
                await self._stream.write_eof()

    def _stands(self) -> bool:
        """Whether it is a stream of what happens, rather than the answer to a question."""
        kind = next((value for name, value in self._headers if name.lower() == "content-type"), "")
        return self._request.method == hdrs.METH_GET and kind.startswith("text/event-stream")

    def _is_gone(self) -> bool:
        transport = self._request.transport
        return transport is None or transport.is_closing()


_OF_THE_CONNECTION = frozenset({b"connection", b"content-length", b"transfer-encoding"})
"""Headers that the server writes itself, as its own connection needs them."""


def _scope(request: web.Request, state: Mapping[str, Any]) -> AsgiMessage:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": f"{request.version.major}.{request.version.minor}",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.raw_path.partition("?")[0].encode(),
        "query_string": request.query_string.encode(),
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.raw_headers],
        "client": (request.remote or "", 0),
        "server": None,
        **state,
    }
