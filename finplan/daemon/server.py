"""The HTTP server: aiohttp's, but what aiohttp would answer in its own text is an envelope.

aiohttp's parser frames the requests on a connection; what it does not say of a body is found out here.
"""

import asyncio
import socket
from collections.abc import Sequence
from typing import Any, cast

from aiohttp import HttpVersion10, HttpVersion11, StreamReader, web
from aiohttp.http import HttpProcessingError, RawRequestMessage
from aiohttp.http_exceptions import BadStatusLine, ContentEncodingError

from finplan.daemon.errors import MalformedBody, RequestTimeout, UnreadCoding, answer_to
from finplan.daemon.logs import AccessLog, access_log
from finplan.daemon.middleware import add_headers
from finplan.daemon.rate_limit import LIMITING, Limiting

Parsed = tuple[Sequence[tuple[RawRequestMessage, StreamReader]], bool, bytes]

_HTTP_VERSIONS = (HttpVersion10, HttpVersion11)

_OF_A_BODY_CUT_SHORT = "deflate"
"""All that aiohttp says of a deflated body that ends too early, by the same error."""


class Framing:
    """aiohttp's parser of one connection, and the body that arrives on it.

    Where framing breaks in the middle of a body, aiohttp's parser tells the connection only, and
    whoever reads the body would wait for ever: here the body is told too.
    """

    __slots__ = ("_body", "_parser")

    def __init__(self, parser: Any) -> None:
        self._parser = parser
        self._body: StreamReader | None = None

    def __getattr__(self, name: str) -> Any:
        """Whatever else aiohttp asks of its parser."""
        return getattr(self._parser, name)

    def feed_data(self, data: bytes) -> Parsed:
        """The requests that begin in these bytes. Raises HttpProcessingError for what is not HTTP."""
        try:
            parsed: Parsed = self._parser.feed_data(data)
        except HttpProcessingError as error:
            self.break_off(web.RequestPayloadError(str(error)))
            raise
        for message, body in parsed[0]:
            if message.version not in _HTTP_VERSIONS:
                raise BadStatusLine("", f"HTTP/{message.version} is not supported. Use HTTP/1.1.")
            self._body = body
        return parsed

    @property
    def is_within_a_body(self) -> bool:
        """Whether the rest of a body is to come."""
        body = self._body
        return body is not None and not body.is_eof() and body.exception() is None

    def break_off(self, error: BaseException) -> None:
        """Let whoever reads the body that is arriving fail with `error`."""
        if self.is_within_a_body:
            assert self._body is not None
            self._body.set_exception(error)


def names_an_unread_coding(error: BaseException | None) -> bool:
    """Whether a request was refused for a Content-Encoding that aiohttp knows but cannot unpack."""
    return isinstance(error, ContentEncodingError) and error.message != _OF_A_BODY_CUT_SHORT


KEEP_ALIVE = 75.0
"""How long an idle connection is kept, in seconds."""

PATIENCE = 75.0
"""How long a client may be silent in the middle of a body, in seconds."""


class EnvelopeProtocol(web.RequestHandler):
    """One connection. Malformed HTTP never reaches the application, so it is answered here."""

    __slots__ = ("_framing", "_heard", "_limiting", "_patience", "_silence")

    def __init__(
        self, manager: web.Server, limiting: Limiting, patience: float, **manners: Any
    ) -> None:
        super().__init__(manager, **manners)
        self._limiting = limiting
        self._framing = Framing(self._parser)
        self._parser = cast("Any", self._framing)
        self._patience = patience
        self._heard = 0.0
        self._silence: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Parse what came; as long as the rest of a body is to come, the next bytes are awaited."""
        super().data_received(data)
        if self._framing.is_within_a_body:
            self._heard = self._loop.time()
            if self._silence is None:
                self._silence = self._loop.call_later(self._patience, self._look_for_silence)

    def _look_for_silence(self) -> None:
        self._silence = None
        if not self._framing.is_within_a_body:
            return
        now = self._loop.time()
        if self._reading_paused or self._buffer_paused:
            # It is the daemon that does not listen.
            self._heard = now
        due = self._heard + self._patience
        if now < due:
            self._silence = self._loop.call_at(due, self._look_for_silence)
        else:
            self._framing.break_off(RequestTimeout(self._patience))

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forget the connection."""
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        super().connection_lost(exc)

    async def shutdown(self, timeout: float | None = 15.0) -> None:  # noqa: ASYNC109 - aiohttp's.
        """Close the connection; a request that runs is waited for, but not one that has yet to come.

        From here on aiohttp reads nothing more, so the rest of a body could not come.
        """
        self._framing.break_off(asyncio.CancelledError())
        await super().shutdown(timeout)

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Log a failure of the daemon; a body that breaks while aiohttp drains it is none."""
        if not isinstance(kw.get("exc_info"), web.RequestPayloadError | RequestTimeout):
            super().log_exception(*args, **kw)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - aiohttp's signature; it quotes the request.
    ) -> web.StreamResponse:
        """Answer what went wrong outside the application, and close the connection."""
        if request.writer.output_size > 0:
            raise ConnectionResetError("The response had already begun and was cut off.")
        if names_an_unread_coding(exc):
            error: Exception = UnreadCoding()
        elif status < 500:
            error = MalformedBody("This is not an HTTP request, or its headers are too large.")
        else:
            error = exc if isinstance(exc, Exception) else TimeoutError()
        answer = answer_to(error, request)
        add_headers(answer)
        self._limiting.add_stranger(request, answer)
        answer.force_close()
        return answer

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send the answer; one that aiohttp raised past the application becomes an envelope.

        Behind a broken body nobody knows where the next request would begin.
        """
        if isinstance(resp, web.HTTPException):
            resp = answer_to(resp, request)
        if request.content.exception() is not None:
            resp.force_close()
        return await super().finish_response(request, resp, start_time)


class EnvelopeSite(web.BaseSite):
    """A listening socket whose connections speak `EnvelopeProtocol`."""

    __slots__ = ("_limiting", "_patience", "_socket")

    def __init__(
        self, runner: web.BaseRunner, bound: socket.socket, limiting: Limiting, patience: float
    ) -> None:
        super().__init__(runner)
        self._socket = bound
        self._limiting = limiting
        self._patience = patience

    @property
    def name(self) -> str:
        """Where it listens."""
        host, port = self._socket.getsockname()
        return f"http://{host}:{port}"

    async def start(self) -> None:
        """Begin to accept connections."""
        await super().start()
        loop = asyncio.get_running_loop()
        server = self._runner.server
        assert server is not None

        def connection() -> EnvelopeProtocol:
            return EnvelopeProtocol(
                server,
                self._limiting,
                self._patience,
                loop=loop,
                keepalive_timeout=KEEP_ALIVE,
                access_log=access_log,
                access_log_class=AccessLog,
            )

        self._server = await loop.create_server(connection, sock=self._socket)


async def serve(
    app: web.Application, bound: socket.socket, grace: float, patience: float = PATIENCE
) -> web.AppRunner:
    """Serve an application on a bound socket; `cleanup` gives running requests `grace` seconds.

    A client that is silent for `patience` seconds in the middle of a body is given up.
    """
    runner = web.AppRunner(app, shutdown_timeout=grace)
    await runner.setup()
    await EnvelopeSite(runner, bound, app[LIMITING], patience).start()
    return runner
