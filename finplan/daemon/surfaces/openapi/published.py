"""What the daemon publishes of itself: the description for programs, and the same page for people."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from finplan.daemon.middleware import is_open
from finplan.daemon.surfaces import negotiation
from finplan.operation import AnyOperation

DESCRIPTION_PATH = "/api/openapi.json"
DOCS_PATH = "/api/docs"

_COMMON = {
    hdrs.CACHE_CONTROL: "no-cache",
    hdrs.VARY: hdrs.ACCEPT_ENCODING,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@dataclass(frozen=True, slots=True)
class Publication:
    """A text as it is sent, plain and packed, with its tag."""

    plain: bytes
    packed: bytes
    tag: str
    headers: Mapping[str, str]


@dataclass(slots=True)
class _Once:
    """Makes a publication when it is first asked for, and keeps it."""

    make: Callable[[], tuple[bytes, Mapping[str, str]]]
    _made: Publication | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def get(self) -> Publication:
        async with self._lock:
            if self._made is None:
                content, headers = await asyncio.to_thread(self.make)
                tag = hashlib.sha256(content).hexdigest()[:32]
                packed = await negotiation.pack(content)
                self._made = Publication(content, packed, tag, {**_COMMON, **headers})
            return self._made


def add_routes(
    router: web.UrlDispatcher, rows: Sequence[AnyOperation], roots: Sequence[str], site_url: str
) -> None:
    """Publish the description of some rows, and the page about it; the roots of both lead to them."""

    def description() -> tuple[bytes, Mapping[str, str]]:
        # These modules are large, and most daemons are never asked.
        from finplan.daemon.surfaces.openapi.description import describe

        return describe(rows, site_url), {hdrs.CONTENT_TYPE: "application/json"}

    def page() -> tuple[bytes, Mapping[str, str]]:
        from finplan.daemon.surfaces.openapi.description import document
        from finplan.daemon.surfaces.openapi.docs import policy, render

        return render(document(rows, site_url)), {
            hdrs.CONTENT_TYPE: "text/html; charset=utf-8",
            "Content-Security-Policy": policy(),
        }

    router.add_get(DESCRIPTION_PATH, is_open(_sending(_Once(description))))
    router.add_get(DOCS_PATH, is_open(_sending(_Once(page))))
    for root in roots:
        router.add_get(root, is_open(_lead_on))


async def _lead_on(request: web.Request) -> web.StreamResponse:
    """The root of the interface holds nothing itself: it leads to what describes it (RFC 9110)."""
    described_at = DOCS_PATH if negotiation.wants_page(request) else DESCRIPTION_PATH
    return web.Response(status=303, headers={hdrs.LOCATION: described_at, hdrs.VARY: hdrs.ACCEPT})


def _sending(once: _Once) -> Handler:
    async def send(request: web.Request) -> web.StreamResponse:
        publication = await once.get()
        headers = {**publication.headers, hdrs.ETAG: negotiation.weak(publication.tag)}
        if negotiation.has_already(request, publication.tag):
            return web.Response(status=304, headers=headers)
        if not negotiation.takes_gzip(request):
            return web.Response(body=publication.plain, headers=headers)
        headers[hdrs.CONTENT_ENCODING] = "gzip"
        return web.Response(body=publication.packed, headers=headers)

    return send
