"""The middleware at the door: only requests meant for this daemon, and from no foreign page.

A page in the person's browser can make any name point at 127.0.0.1 (DNS rebinding), and can send
requests across origins; the Host and Origin headers, which it cannot forge, give both away.
"""

from urllib.parse import urlsplit

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from finplan.daemon.auth.private_hosts import is_private_host
from finplan.model.errors import Forbidden, MisdirectedRequest

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
        named = request.headers.getall(hdrs.HOST, [])
        if not request.raw_path.startswith("/"):
            # The request line names a host too, and then it is the one that counts.
            named.append(request.url.authority)
        if not named or not all(map(is_ours, named)):
            raise MisdirectedRequest(f"This daemon is {site_url}, and not the host that was named.")
        if is_for_any_origin(request.match_info.handler):
            return await handler(request)
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is not None and not may_ask(origin.lower(), named[-1].lower()):
            raise Forbidden("A page of another origin may not use this daemon.")
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
