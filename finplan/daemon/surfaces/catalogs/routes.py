"""Where cards and catalogs are found: anybody may ask, pages of any origin too, and may keep them."""

import json
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256
from typing import Final

from aiohttp import hdrs, web

from finplan.daemon.surfaces.a2a.card import AGENT_CARD, AGENT_CARD_TYPE, agent_card
from finplan.daemon.surfaces.catalogs.documents import (
    AI_CATALOG,
    AI_CATALOG_TYPE,
    API_CATALOG,
    LINKSET_TYPE,
    MCP_SERVERS,
    SERVER_CARD,
    SERVER_CARD_TYPE,
    CatalogDocument,
    ai_catalog,
    api_catalog,
    server_card,
)
from finplan.daemon.surfaces.negotiation import has_already, weak
from finplan.daemon.surfaces.oauth import cross_origin
from finplan.daemon.surfaces.openapi.published import DESCRIPTION_PATH, DOCS_PATH

KEPT: Final = "public, max-age=3600"

_CATALOG_LINK = f'<{API_CATALOG}>; rel="api-catalog"; type="application/linkset+json"'
_LINKS = (
    _CATALOG_LINK,
    f'<{DESCRIPTION_PATH}>; rel="service-desc"; type="application/openapi+json"',
    f'<{DOCS_PATH}>; rel="service-doc"; type="text/html"',
)
_LEADS_ON = frozenset({"/", DOCS_PATH})


def add_routes(router: web.UrlDispatcher, site_url: str, since: datetime) -> None:
    """Add the cards and catalogs of a site, which are as they are since the daemon began."""
    published = [
        (API_CATALOG, LINKSET_TYPE, api_catalog(site_url)),
        (AI_CATALOG, AI_CATALOG_TYPE, ai_catalog(site_url)),
        (AGENT_CARD, AGENT_CARD_TYPE, agent_card(site_url)),
        (SERVER_CARD, SERVER_CARD_TYPE, server_card(MCP_SERVERS[0], site_url)),
        *(
            (server.card_path, SERVER_CARD_TYPE, server_card(server, site_url))
            for server in MCP_SERVERS
        ),
    ]
    for path, kind, document in published:
        _publish(router, path, kind, document, format_datetime(since, usegmt=True))


async def tell(request: web.Request, response: web.StreamResponse) -> None:
    """The signal by which the first page, the documentation and the catalog lead to the interfaces."""
    if request.path in _LEADS_ON:
        response.headers.extend((hdrs.LINK, link) for link in _LINKS)
    elif request.path == API_CATALOG:
        response.headers.add(hdrs.LINK, _CATALOG_LINK)


def _publish(
    router: web.UrlDispatcher, path: str, kind: str, document: CatalogDocument, changed: str
) -> None:
    content = json.dumps(document, ensure_ascii=False).encode()
    tag = sha256(content).hexdigest()[:32]
    kept = {hdrs.CACHE_CONTROL: KEPT, hdrs.ETAG: weak(tag), hdrs.LAST_MODIFIED: changed}

    async def send(request: web.Request) -> web.StreamResponse:
        if has_already(request, tag):
            return web.Response(status=304, headers=kept)
        return web.Response(body=content, headers={**kept, hdrs.CONTENT_TYPE: kind})

    cross_origin.add(router, path, send, hdrs.METH_GET)
