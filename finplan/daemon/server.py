"""The HTTP server: aiohttp's, but what aiohttp would answer in its own text is an envelope."""

import asyncio
import socket
from typing import Any

from aiohttp import web

from finplan.daemon.logs import AccessLog, access_log
from finplan.daemon.middleware.limiting import LIMITING, Limiting
from finplan.daemon.middleware.version import add_version
from finplan.daemon.surfaces.errors import MalformedBody, answer_to

KEEP_ALIVE = 75.0
"""How long an idle connection is kept, in seconds."""


class EnvelopeProtocol(web.RequestHandler):
    """One connection. Malformed HTTP never reaches the application, so it is answered here."""

    __slots__ = ("_limiting",)

    def __init__(self, manager: web.Server, limiting: Limiting, **manners: Any) -> None:
        super().__init__(manager, **manners)
        self._limiting = limiting

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - aiohttp's signature; it quotes the request.
    ) -> web.StreamResponse:
        """Answer what went wrong outside the application, and close the connection."""
        if request.writer.output_size > 0:
            raise ConnectionResetError("The answer had begun, so nothing more can be said.")
        if status < 500:
            error: Exception = MalformedBody("This is not HTTP, or its headers are too large.")
        else:
            error = exc if isinstance(exc, Exception) else TimeoutError()
        answer = answer_to(error, request)
        add_version(answer)
        self._limiting.add_stranger(request, answer)
        answer.force_close()
        return answer

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send the answer; one that aiohttp raised past the application becomes an envelope."""
        if isinstance(resp, web.HTTPException):
            resp = answer_to(resp, request)
        return await super().finish_response(request, resp, start_time)


class EnvelopeSite(web.BaseSite):
    """A listening socket whose connections speak `EnvelopeProtocol`."""

    __slots__ = ("_limiting", "_socket")

    def __init__(self, runner: web.BaseRunner, bound: socket.socket, limiting: Limiting) -> None:
        super().__init__(runner)
        self._socket = bound
        self._limiting = limiting

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
                loop=loop,
                keepalive_timeout=KEEP_ALIVE,
                access_log=access_log,
                access_log_class=AccessLog,
            )

        self._server = await loop.create_server(connection, sock=self._socket)


async def serve(app: web.Application, bound: socket.socket, grace: float) -> web.AppRunner:
    """Serve an application on a bound socket; `cleanup` gives running requests `grace` seconds."""
    runner = web.AppRunner(app, shutdown_timeout=grace)
    await runner.setup()
    await EnvelopeSite(runner, bound, app[LIMITING]).start()
    return runner
