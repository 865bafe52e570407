"""Where cards and catalogs are found: anybody may ask, pages of any origin too, and may keep them."""

import json
from hashlib import sha256
from typing import Final

from aiohttp import hdrs, web

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


def add_routes(router: web.UrlDispatcher, site_url: str) -> None:
    """Add the cards and catalogs of a site."""
    _publish(router, API_CATALOG, LINKSET_TYPE, api_catalog(site_url))
    _publish(router, AI_CATALOG, AI_CATALOG_TYPE, ai_catalog(site_url))
    _publish(router, SERVER_CARD, SERVER_CARD_TYPE, server_card(MCP_SERVERS[0], site_url))
    for server in MCP_SERVERS:
        _publish(router, server.card_path, SERVER_CARD_TYPE, server_card(server, site_url))


async def tell(request: web.Request, response: web.StreamResponse) -> None:
    """The signal by which the first page, the documentation and the catalog lead to the interfaces."""
    if request.path in _LEADS_ON:
        response.headers.extend((hdrs.LINK, link) for link in _LINKS)
    elif request.path == API_CATALOG:
        response.headers.add(hdrs.LINK, _CATALOG_LINK)


def _publish(router: web.UrlDispatcher, path: str, kind: str, document: CatalogDocument) -> None:
    content = json.dumps(document, ensure_ascii=False).encode()
    tag = sha256(content).hexdigest()[:32]
    kept = {hdrs.CACHE_CONTROL: KEPT, hdrs.ETAG: weak(tag)}

    async def send(request: web.Request) -> web.StreamResponse:
        if has_already(request, tag):
            return web.Response(status=304, headers=kept)
        return web.Response(body=content, headers={**kept, hdrs.CONTENT_TYPE: kind})

    cross_origin.add(router, path, send, hdrs.METH_GET)
