"""The middleware that asks every request for a credential, except where none is needed."""

from collections.abc import Awaitable, Callable, Sequence

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from finplan.model.errors import Unauthorized
from finplan.service.context import Caller

CALLER = web.RequestKey("caller", Caller)
"""Whom the request speaks for, for the surfaces behind."""

LOOK_AGAIN: web.RequestKey[Callable[[web.Request], Awaitable[Caller]]] = web.RequestKey(
    "look_again"
)
"""Looks at the request's credential once more, since it may have ended while the body came."""

CallerOf = Callable[[web.Request], Awaitable[Caller | None]]
"""Whom a kind of credential speaks for; None when a request shows none of that kind."""

_OPEN = "_finplan_is_open"
_FOR_VISITORS = "_finplan_is_for_visitors"


def is_open(handler: Handler) -> Handler:
    """Mark a route's handler as one that anybody may ask, or that asks for a credential itself."""
    setattr(handler, _OPEN, True)
    return handler


def for_visitors(handler: Handler) -> Handler:
    """Mark the handler of a page, which a browser may ask for with a session that holds or without."""
    setattr(handler, _FOR_VISITORS, True)
    return handler


def asking_for_a_credential(kinds: Sequence[CallerOf], visitor_of: CallerOf) -> Middleware:
    """Each request carries its caller on from here; an unknown path is told as such to anybody.

    The first kind of credential that is shown is the one that counts: a cookie, which browsers send by
    themselves, makes up for no wrong key. `visitor_of` answers whose session the visitor of a page has.
    """

    @web.middleware
    async def ask(request: web.Request, handler: Handler) -> web.StreamResponse:
        matched = request.match_info
        if matched.http_exception is not None or hasattr(matched.handler, _OPEN):
            return await handler(request)
        if hasattr(matched.handler, _FOR_VISITORS):
            visitor = await visitor_of(request)
            if visitor is not None:
                request[CALLER] = visitor
        else:
            request[CALLER] = await _caller(request)
            request[LOOK_AGAIN] = _caller
        return await handler(request)

    async def _caller(request: web.Request) -> Caller:
        for caller_of in kinds:
            caller = await caller_of(request)
            if caller is not None:
                return caller
        raise Unauthorized("This needs a credential, and the request carries none.")

    return ask
