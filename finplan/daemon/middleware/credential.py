"""The middleware that asks every request for a credential, except where none is needed."""

from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from finplan.service.context import Caller

CALLER = web.RequestKey("caller", Caller)
"""Whom the request speaks for, for the surfaces behind."""

OPEN_PATHS = frozenset({"/health", "/api/openapi.json", "/api/docs"})
"""What anybody on this machine may ask."""


def asking_for_a_credential(
    caller_of_key: Callable[[web.Request], Awaitable[Caller | None]],
    caller_of_session: Callable[[web.Request], Caller],
) -> Middleware:
    """Each request carries its caller on from here; an unknown path is told as such to anybody.

    A key that is shown is the one credential that counts: a cookie, which browsers send by themselves,
    makes up for no wrong key.
    """

    @web.middleware
    async def ask(request: web.Request, handler: Handler) -> web.StreamResponse:
        known = request.match_info.http_exception is None
        if known and request.path not in OPEN_PATHS:
            request[CALLER] = await caller_of_key(request) or caller_of_session(request)
        return await handler(request)

    return ask
