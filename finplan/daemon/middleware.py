"""What every request passes on its way in, and what every answer carries on its way out.

At the door only requests meant for this daemon pass, and from no foreign page: a page in the person's
browser can make any name point at 127.0.0.1 (DNS rebinding), and can send requests across origins; the
Host and Origin headers, which it cannot forge, give both away. Then a credential is asked for, except
where none is needed. Whatever goes wrong behind becomes an envelope, or a page for a browser, and a
refused request is told how to be let in. What pages of any origin may ask reads no cookie (CORS).
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import urlsplit

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from finplan import __version__
from finplan.client.request import VERSION_HEADER
from finplan.daemon.auth.sessions import is_private_host
from finplan.daemon.errors import MalformedBody, answer_to, envelope
from finplan.model import errors, installation
from finplan.service.context import Caller
from finplan.store.store import Store

_USUAL_PORTS = {"http": 80, "https": 443}


_FOR_ANY_ORIGIN = "_finplan_is_for_any_origin"


def for_any_origin(handler: Handler) -> Handler:
    """Mark a route's handler as one that pages of any origin may ask: it reads no cookie."""
    setattr(handler, _FOR_ANY_ORIGIN, True)
    return handler


def is_for_any_origin(handler: Handler) -> bool:
    """Whether a route's handler is marked so."""
    return hasattr(handler, _FOR_ANY_ORIGIN)


def at_the_door(site_url: str, port: int, *, private_hosts: bool) -> Middleware:
    """A request whose Host is not ours is refused with 421, one with a foreign Origin with 403.

    What listens on the same port of `[::1]`, where the daemon does not, is another program. With
    `private_hosts` there is none, so that a name under `.localhost` leads here and nowhere else.
    """
    origins = frozenset(
        origin
        for host in ("127.0.0.1", "localhost")
        for origin in _spellings(f"http://{host}:{port}")
    ) | _spellings(site_url)
    hosts = frozenset(urlsplit(origin).netloc for origin in origins)

    def is_ours(host: str) -> bool:
        is_private = private_hosts and is_private_host(host) and host.endswith(f":{port}")
        return is_private or host.lower() in hosts

    def may_ask(origin: str, host: str) -> bool:
        # A browser's private host is of no use to a page of another one.
        is_own = is_private_host(host) and origin == f"http://{host}"
        return is_own or origin in origins

    @web.middleware
    async def look(request: web.Request, handler: Handler) -> web.StreamResponse:
        hosts = request.headers.getall(hdrs.HOST, [])
        if not request.raw_path.startswith("/"):
            # The request line names a host too, and then it is the one that counts.
            hosts.append(request.url.authority)
        if not hosts or not all(map(is_ours, hosts)):
            raise errors.MisdirectedRequest(
                f"The request is for another host. Use the address of this service: {site_url}."
            )
        if is_for_any_origin(request.match_info.handler):
            return await handler(request)
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is not None and not may_ask(origin.lower(), hosts[-1].lower()):
            raise errors.Forbidden(
                "A page from another origin cannot use finplan. Open finplan's own pages."
            )
        return await handler(request)

    return look


def _spellings(origin: str) -> frozenset[str]:
    parts = urlsplit(origin.lower())
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = parts.port or _USUAL_PORTS[parts.scheme]
    spelled = f"{parts.scheme}://{host}:{port}"
    if port != _USUAL_PORTS[parts.scheme]:
        return frozenset({spelled})
    return frozenset({spelled, f"{parts.scheme}://{host}"})


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
        raise errors.Unauthorized("This request needs a credential. Send an API key or sign in.")

    return ask


METADATA = "/.well-known/oauth-protected-resource"
_PARTS_OF_THE_SITE = ("/mcp", "/a2a")
"""What a token may be for alone, and what it has its metadata at."""


def challenge_of(fault: Exception, path: str, site_url: str) -> str | None:
    """The header's value for a fault at a path; None where no credential would help."""
    if not isinstance(fault, errors.Fault) or not isinstance(
        fault, (errors.Unauthorized, errors.Forbidden)
    ):
        return None
    part = path.rstrip("/") if path.rstrip("/") in _PARTS_OF_THE_SITE else ""
    metadata = f'resource_metadata="{site_url}{METADATA}{part}"'
    if isinstance(fault, errors.InsufficientScope):
        return f'Bearer error="insufficient_scope", scope="{fault.scope}", {metadata}'
    if isinstance(fault, errors.InvalidToken):
        return f'Bearer {metadata}, error="invalid_token"'
    if isinstance(fault, errors.Unauthorized):
        return f"Bearer {metadata}"
    return None


_UNREADABLE = MalformedBody("The body does not match the headers of the request.")


DrawFault = Callable[[web.Request, web.Response, Exception], web.Response]
"""Draws a failure's envelope as a page for a browser, and answers the envelope itself to a program."""


def answering_faults(site_url: str, draw: DrawFault) -> Middleware:
    """Every failure gets an envelope as its answer; one that a credential would help says which.

    Who would rather read a page is sent what `draw` makes of it.
    """

    @web.middleware
    async def answer_faults(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            answer = await handler(request)
        except (ConnectionError, web.RequestPayloadError) as error:
            if request.transport is None or request.transport.is_closing():
                # Nobody is there to be told, and it is no failure of the daemon.
                return envelope(
                    defined=False,
                    code="CLIENT_CLOSED_REQUEST",
                    status=499,
                    message="The client closed the connection.",
                )
            fault = _UNREADABLE if isinstance(error, web.RequestPayloadError) else error
            answer = draw(request, answer_to(fault, request), fault)
        except Exception as error:  # noqa: BLE001 - All errors end here; `answer_to` logs them.
            refusal = answer_to(error, request)
            challenge = challenge_of(error, request.path, site_url)
            if challenge is not None:
                refusal.headers[hdrs.WWW_AUTHENTICATE] = challenge
            answer = draw(request, refusal, error)
        if answer.status == web.HTTPUnauthorized.status_code:
            plain = challenge_of(errors.Unauthorized(""), request.path, site_url) or ""
            answer.headers.setdefault(hdrs.WWW_AUTHENTICATE, plain)
        return answer

    return answer_faults


_TOLD_TO_BROWSERS = {
    "X-Content-Type-Options": "nosniff",
    # A page of another port is of the same site: SameSite cookies are sent along for it.
    "Cross-Origin-Resource-Policy": "same-origin",
}


def add_headers(response: web.StreamResponse) -> None:
    """Put the daemon's version on an answer, and what guards one that does not say otherwise."""
    response.headers[VERSION_HEADER] = __version__
    for name, value in _TOLD_TO_BROWSERS.items():
        response.headers.setdefault(name, value)


OnPrepare = Callable[[web.Request, web.StreamResponse], Awaitable[None]]

log = logging.getLogger(__name__)


@web.middleware
async def compare_versions(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A client of another version is noted in the log, where it explains what follows."""
    version = request.headers.get(VERSION_HEADER, __version__)
    if version != __version__:
        log.warning(
            "A client of version %.20r uses this background service of version %s.",
            version,
            __version__,
        )
    return await handler(request)


_TOLD_TO_ANY_ORIGIN = {
    hdrs.ACCESS_CONTROL_ALLOW_ORIGIN: "*",
    hdrs.ACCESS_CONTROL_EXPOSE_HEADERS: "WWW-Authenticate, RateLimit-Limit, RateLimit-Remaining,"
    " RateLimit-Reset, Retry-After, ETag, Link, Mcp-Session-Id",
}
_HEADERS_OF_ANY_ORIGIN = (
    "Authorization, Content-Type, Accept, Idempotency-Key, If-None-Match, MCP-Protocol-Version,"
    " Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID"
)
_A_DAY = "86400"

AnswerAny = Callable[[web.Request], Awaitable[web.StreamResponse]]


def add_for_any_origin(
    router: web.UrlDispatcher, path: str, answer: AnswerAny, *methods: str
) -> None:
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
                hdrs.ACCESS_CONTROL_ALLOW_HEADERS: _HEADERS_OF_ANY_ORIGIN,
                hdrs.ACCESS_CONTROL_MAX_AGE: _A_DAY,
            },
        )

    async def refuse(request: web.Request) -> web.StreamResponse:
        raise web.HTTPMethodNotAllowed(request.method, taken)

    for method in taken - {hdrs.METH_OPTIONS}:
        router.add_route(method, path, _open_for_any_origin(send))
    router.add_route(hdrs.METH_OPTIONS, path, _open_for_any_origin(allow))
    router.add_route(hdrs.METH_ANY, path, _open_for_any_origin(refuse))


def telling(store: Store) -> OnPrepare:
    """The signal by which every answer of the application says what all of them do.

    It has the daemon's version, guards, and the notice that there is. That of a route for any origin, a
    refusal too, is readable for any page.
    """

    async def tell(request: web.Request, response: web.StreamResponse) -> None:
        add_headers(response)
        if store.damage is not None:
            response.headers[installation.HEADER] = installation.STORE_DAMAGED
        if is_for_any_origin(request.match_info.handler):
            response.headers.update(_TOLD_TO_ANY_ORIGIN)

    return tell


def _open_for_any_origin(handler: Handler) -> Handler:
    return for_any_origin(is_open(handler))
