"""What pages of any origin may ask: documents and endpoints that read no cookie (CORS)."""

from collections.abc import Awaitable, Callable

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from finplan.daemon.middleware import for_any_origin, is_for_any_origin, is_open

_ANSWERED = {
    hdrs.ACCESS_CONTROL_ALLOW_ORIGIN: "*",
    hdrs.ACCESS_CONTROL_EXPOSE_HEADERS: "WWW-Authenticate, RateLimit-Limit, RateLimit-Remaining,"
    " RateLimit-Reset, Retry-After, ETag, Link, Mcp-Session-Id",
}
_HEADERS = (
    "Authorization, Content-Type, Accept, Idempotency-Key, If-None-Match, MCP-Protocol-Version,"
    " Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID"
)
_A_DAY = "86400"

AnswerAny = Callable[[web.Request], Awaitable[web.StreamResponse]]


def add(router: web.UrlDispatcher, path: str, answer: AnswerAny, *methods: str) -> None:
    """Add a route that a page of any origin may ask, and what a browser asks before it.

    A page may also read that another method is refused.
    """
    taken = {*methods, hdrs.METH_OPTIONS}
    if hdrs.METH_GET in methods:
        taken.add(hdrs.METH_HEAD)

    async def send(request: web.Request) -> web.StreamResponse:
        # A function of its own, so that the mark is of this route alone.
        return await answer(request)

    async def allow(_request: web.Request) -> web.StreamResponse:
        return web.Response(
            status=204,
            headers={
                hdrs.ACCESS_CONTROL_ALLOW_METHODS: ", ".join(methods),
                hdrs.ACCESS_CONTROL_ALLOW_HEADERS: _HEADERS,
                hdrs.ACCESS_CONTROL_MAX_AGE: _A_DAY,
            },
        )

    async def refuse(request: web.Request) -> web.StreamResponse:
        raise web.HTTPMethodNotAllowed(request.method, taken)

    for method in taken - {hdrs.METH_OPTIONS}:
        router.add_route(method, path, _open(send))
    router.add_route(hdrs.METH_OPTIONS, path, _open(allow))
    router.add_route(hdrs.METH_ANY, path, _open(refuse))


async def tell(request: web.Request, response: web.StreamResponse) -> None:
    """The signal by which every answer of such a route, a refusal too, is readable for any page."""
    if is_for_any_origin(request.match_info.handler):
        response.headers.update(_ANSWERED)


def _open(handler: Handler) -> Handler:
    return for_any_origin(is_open(handler))
