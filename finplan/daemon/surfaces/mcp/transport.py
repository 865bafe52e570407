"""Streamable HTTP: the SDK's session manager behind the bridge, with our own credentials in front.

One address serves both eras of the protocol: requests of 2026-07-28 stand alone, older clients open a
session, which only the credential that opened it may use.
"""

import asyncio
import logging
from collections.abc import Container
from dataclasses import replace
from typing import Any

from aiohttp import web
from mcp.server import Server
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, AuthorizationContext
from mcp.server.auth.provider import AccessToken
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from finplan.daemon.middleware import CALLER, LOOK_AGAIN
from finplan.daemon.surfaces.asgi import answer_by
from finplan.daemon.surfaces.mcp.direct_calls import CALL, answer_call, read_call
from finplan.model.errors import BadRequest, TooManyRequests
from finplan.service.context import Caller

log = logging.getLogger(__name__)

LARGEST_BODY = 1024 * 1024
"""Bytes, as many as aiohttp reads: no question of a tool is near it."""

MOST_SESSIONS = 200
"""How many sessions of older clients are open at once; those that are idle end by themselves."""

MOST_OF_A_PERSON = 50
"""How many of them are of one person's clients, so that no person's keep another's out."""

MOST_OF_A_GUEST = 5
"""How many are of an agent that nobody has claimed."""

_GUEST = "guest "

NARROWED = "finplan-scopes"
"""The header by which whoever asks gives up what they could do: `read` leaves reading."""

_CALLER_IN_SCOPE = "finplan.caller"


def caller_of(request: ServerRequestContext[Any, Any]) -> Caller:
    """Whose credential a request of the protocol came with, to a server that asks for one."""
    assert request.request is not None, "every request comes over HTTP"
    caller: Caller = request.request.scope[_CALLER_IN_SCOPE]
    return caller


class _Sessions(StreamableHTTPSessionManager):
    """The sessions of older clients, of which nobody has more than their share."""

    def _admit_session(
        self, requestor: AuthorizationContext | None
    ) -> StreamableHTTPServerTransport | None:
        # Here alone no other session is let in between the count and the session.
        whose = None if requestor is None else requestor["subject"]
        if whose is not None:
            most = MOST_OF_A_GUEST if whose.startswith(_GUEST) else MOST_OF_A_PERSON
            if sum(each["subject"] == whose for each in self._session_owners.values()) >= most:
                raise TooManyRequests(
                    f"Your agents have {most} open MCP sessions, the most allowed. Close unused ones, or"
                    " wait: idle sessions close after half an hour."
                )
        return super()._admit_session(requestor)


class Transport:
    """A protocol server, answering over HTTP; it begins when it is first asked.

    One that is `stateless` opens no sessions, so that strangers cannot take them all. A call of one of
    the tools that are `told_at_once` has nothing to tell on the way, and is answered in one piece.
    """

    def __init__(
        self,
        server: Server[Any],
        *,
        stateless: bool = False,
        told_at_once: Container[str] = (),
    ) -> None:
        # Nobody collects the traces that it would make of each call.
        server.middleware.clear()
        self._manager: StreamableHTTPSessionManager = _Sessions(
            server,
            stateless=stateless,
            max_sessions=None if stateless else MOST_SESSIONS,
            max_request_body_size=LARGEST_BODY,
        )
        self._server = server
        self._told_at_once = told_at_once
        self._manager_at_once = StreamableHTTPSessionManager(
            server, stateless=True, json_response=True, max_request_body_size=LARGEST_BODY
        )
        self._running: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._end = asyncio.Event()

    async def answer(self, request: web.Request, *, is_checked: bool) -> web.StreamResponse:
        """Answer one request, for the caller whose credential it shows, or for anybody.

        The credential was checked when the head came. Unless it `is_checked` still, as nothing was
        waited for since, it is checked again once the body is there.
        """
        body = await request.read()
        caller = _narrowed(request.get(CALLER), request)
        look_again = request.get(LOOK_AGAIN)

        async def check_on() -> None:
            if look_again is not None:
                await look_again(request)

        if not is_checked:
            await check_on()
        await self._begin()
        state = {} if caller is None else {"user": _user(caller), _CALLER_IN_SCOPE: caller}
        manager = self._manager
        if self._is_told_at_once(request):
            call = read_call(request, body)
            if call is not None:
                try:
                    return await answer_call(self._server, call, state)
                except Exception:
                    # The SDK words errors, and to ask a tool that only reads once more changes nothing.
                    log.info("A call failed, and the SDK answers it.", exc_info=True)
            manager = self._manager_at_once
        return await answer_by(manager.handle_request, request, body, state, check_on)

    async def close(self) -> None:
        """End every session."""
        self._end.set()
        if self._running is not None:
            await self._running

    def _is_told_at_once(self, request: web.Request) -> bool:
        # The newer era names what is called in headers, which the SDK compares with the body. In the
        # older one a stream is what sessions go on by.
        asked = request.headers
        return (
            asked.get("mcp-protocol-version") in MODERN_PROTOCOL_VERSIONS
            and asked.get("mcp-method") == CALL
            and asked.get("mcp-name") in self._told_at_once
        )

    async def _begin(self) -> None:
        if self._ready.is_set() and not self._end.is_set():
            return
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        ready = asyncio.ensure_future(self._ready.wait())
        await asyncio.wait({ready, self._running}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()

    async def _run(self) -> None:
        # The manager's scopes have to be left by the task that entered them.
        async with self._manager.run(), self._manager_at_once.run():
            self._ready.set()
            await self._end.wait()


def _narrowed(caller: Caller | None, request: web.Request) -> Caller | None:
    """The caller with no more than they ask for: whoever starts an agent may give up writing.

    Raises BadRequest for any other word, by which they would believe to have given something up.
    """
    asked = request.headers.get(NARROWED)
    if caller is None or asked is None:
        return caller
    if asked != "read":
        raise BadRequest(f"The header `{NARROWED}` must be `read` or absent. Nothing was done.")
    return replace(
        caller, scopes=caller.scopes & {"read"}, credential=f"{caller.credential}, reading"
    )


def _user(caller: Caller) -> AuthenticatedUser:
    """Whom a session belongs to: one credential of one person."""
    return AuthenticatedUser(
        AccessToken(
            token="",
            client_id=caller.credential,
            scopes=sorted(caller.scopes),
            subject=f"{_GUEST if caller.guest else ''}{caller.owner}",
        )
    )
