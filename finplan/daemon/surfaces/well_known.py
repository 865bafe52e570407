"""What a program reads before it has a credential: cards of the servers here, catalogs, and keys.

Cards and catalogs say where each surface of a site is, and how it is entered; anybody may ask, pages of
any origin too, and may keep them. No card tells what a server can do for a person; that is asked of the
server, with a credential. The directory of the keys that messages are signed with is itself signed by
each of them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256
from typing import Any, Final

from aiohttp import hdrs, web

from finplan import __version__
from finplan.daemon import middleware
from finplan.daemon.startup import LateSealer
from finplan.daemon.surfaces.a2a import card
from finplan.daemon.surfaces.authorization_server import PROTECTED
from finplan.daemon.surfaces.mcp.mount import DOCS, PRODUCT
from finplan.daemon.surfaces.negotiation import has_already, weak
from finplan.daemon.surfaces.openapi.published import DESCRIPTION_PATH, DOCS_PATH
from finplan.daemon.surfaces.rest.routes import CURRENT_VERSION, root_of
from finplan.model.errors import SecretsUnreachable
from finplan.service.webhooks.message_keys import Directory, MessageKeys
from finplan.webhooks.signing import DIRECTORY_PATH, authority_of, directory_headers

CatalogDocument = Mapping[str, Any]

API_CATALOG: Final = "/.well-known/api-catalog"
AI_CATALOG: Final = "/.well-known/ai-catalog.json"
SERVER_CARD: Final = "/.well-known/mcp/server-card.json"

LINKSET_TYPE: Final = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
AI_CATALOG_TYPE: Final = "application/ai-catalog+json"
SERVER_CARD_TYPE: Final = "application/mcp-server-card+json"

_KEY_HEADER: Final[Mapping[str, Any]] = {
    "name": "x-api-key",
    "description": "An API key, if you do not use OAuth.",
    "isRequired": False,
    "isSecret": True,
}
_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"


@dataclass(frozen=True, slots=True)
class McpServer:
    """A server of MCP on the site: what it is called and for, what kinds of things it offers.

    One that `is_open` wants no credential.
    """

    path: str
    name: str
    title: str
    description: str
    offers: tuple[str, ...]
    is_open: bool = False

    @property
    def card_path(self) -> str:
        """Where its card is, beside the server itself."""
        return f"{self.path}/server-card"


MCP_SERVERS: Final = (
    McpServer(
        PRODUCT,
        "finplan/finplan",
        "finplan",
        "Your own finances: exact spending, the plan, open tasks. Needs OAuth or an API key.",
        ("tools", "resources", "prompts"),
    ),
    McpServer(
        DOCS,
        "finplan/finplan-docs",
        "finplan's handbook",
        "How to use finplan: search and read its handbook. No credential needed.",
        ("tools", "resources"),
        is_open=True,
    ),
)
"""The first is the one that the well-known card is of."""


def server_card(server: McpServer, site_url: str) -> CatalogDocument:
    """The card of a server of MCP (SEP-2127), with what readers of its older form look for."""
    endpoint = f"{site_url}{server.path}"
    remote = {"type": "streamable-http", "url": endpoint}
    return {
        "$schema": _SCHEMA,
        "name": server.name,
        "version": __version__,
        "title": server.title,
        "description": server.description,
        "websiteUrl": f"{site_url}{DOCS_PATH}",
        "remotes": [remote if server.is_open else {**remote, "headers": [_KEY_HEADER]}],
        "serverInfo": {"name": server.name.partition("/")[2], "version": __version__},
        "transport": {"type": "streamable-http", "endpoint": endpoint},
        "capabilities": {each: {} for each in server.offers},
        "authentication": (
            {"required": False}
            if server.is_open
            else {"required": True, "schemes": ["oauth2", "apiKey"]}
        ),
    }


def ai_catalog(site_url: str) -> CatalogDocument:
    """Which cards of servers for agents the site has (AI Catalog 1.0)."""
    return {
        "specVersion": "1.0",
        "host": {"displayName": "finplan", "documentationUrl": f"{site_url}{DOCS_PATH}"},
        "entries": [
            {
                "identifier": f"urn:air:{server.name.replace('/', ':mcp:')}",
                "displayName": server.title,
                "description": server.description,
                "type": SERVER_CARD_TYPE,
                "url": f"{site_url}{server.card_path}",
                "version": __version__,
            }
            for server in MCP_SERVERS
        ]
        + [
            {
                "identifier": "urn:air:finplan:a2a:finplan",
                "displayName": "finplan",
                "description": card.DESCRIPTION,
                "type": "application/a2a-agent-card+json",
                "url": f"{site_url}{card.AGENT_CARD}",
                "version": __version__,
            }
        ],
    }


def api_catalog(site_url: str) -> CatalogDocument:
    """The interfaces of the site, each with its description and documentation (RFC 9727)."""
    rest = f"{site_url}{root_of(CURRENT_VERSION)}"
    servers = [f"{site_url}{path}" for path in (*(each.path for each in MCP_SERVERS), card.A2A)]
    return {
        "linkset": [
            {
                "anchor": f"{site_url}{API_CATALOG}",
                "item": [{"href": each} for each in (rest, *servers)],
            },
            {
                "anchor": rest,
                "service-desc": [
                    {
                        "href": f"{site_url}{DESCRIPTION_PATH}",
                        "type": "application/openapi+json",
                    }
                ],
                "service-doc": [{"href": f"{site_url}{DOCS_PATH}", "type": "text/html"}],
                "service-meta": [_metadata(site_url, f"/api/{CURRENT_VERSION}")],
                "status": [{"href": f"{site_url}/health", "type": "application/json"}],
            },
            *(_linked_server(site_url, server) for server in MCP_SERVERS),
            {
                "anchor": f"{site_url}{card.A2A}",
                "service-desc": [
                    {"href": f"{site_url}{card.AGENT_CARD}", "type": card.AGENT_CARD_TYPE}
                ],
                "service-meta": [_metadata(site_url, card.A2A)],
            },
        ]
    }


def _linked_server(site_url: str, server: McpServer) -> CatalogDocument:
    described = {"href": f"{site_url}{server.card_path}", "type": SERVER_CARD_TYPE}
    entered = {} if server.is_open else {"service-meta": [_metadata(site_url, server.path)]}
    return {"anchor": f"{site_url}{server.path}", "service-desc": [described], **entered}


def _metadata(site_url: str, path: str) -> CatalogDocument:
    """Where it is told who lets a program into a part of the site."""
    return {"href": f"{site_url}{PROTECTED}{path}", "type": "application/json"}


CATALOGS_KEPT: Final = "public, max-age=3600"

_CATALOG_LINK = f'<{API_CATALOG}>; rel="api-catalog"; type="application/linkset+json"'
_LINKS = (
    _CATALOG_LINK,
    f'<{DESCRIPTION_PATH}>; rel="service-desc"; type="application/openapi+json"',
    f'<{DOCS_PATH}>; rel="service-doc"; type="text/html"',
)
_LEADS_ON = frozenset({"/", DOCS_PATH})


def add_catalogs(router: web.UrlDispatcher, site_url: str, since: datetime) -> None:
    """Add the cards and catalogs of a site, which are as they are since the daemon began."""
    published = [
        (API_CATALOG, LINKSET_TYPE, api_catalog(site_url)),
        (AI_CATALOG, AI_CATALOG_TYPE, ai_catalog(site_url)),
        (card.AGENT_CARD, card.AGENT_CARD_TYPE, card.agent_card(site_url)),
        (SERVER_CARD, SERVER_CARD_TYPE, server_card(MCP_SERVERS[0], site_url)),
        *(
            (server.card_path, SERVER_CARD_TYPE, server_card(server, site_url))
            for server in MCP_SERVERS
        ),
    ]
    for path, kind, document in published:
        _publish(router, path, kind, document, format_datetime(since, usegmt=True))


async def tell_of_catalogs(request: web.Request, response: web.StreamResponse) -> None:
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
    kept = {hdrs.CACHE_CONTROL: CATALOGS_KEPT, hdrs.ETAG: weak(tag), hdrs.LAST_MODIFIED: changed}

    async def send(request: web.Request) -> web.StreamResponse:
        if has_already(request, tag):
            return web.Response(status=304, headers=kept)
        return web.Response(body=content, headers={**kept, hdrs.CONTENT_TYPE: kind})

    middleware.add_for_any_origin(router, path, send, hdrs.METH_GET)


KEYS_KEPT = "public, max-age=86400"


@dataclass(frozen=True, slots=True)
class KeyDirectory:
    """What the directory is made of; `site_url` tells whether it is asked for by https."""

    keys: MessageKeys
    sealer: LateSealer
    now: Callable[[], datetime]
    site_url: str

    async def send(self, request: web.Request) -> web.StreamResponse:
        """Answer the directory, signed for who asks; unsigned where the data key is out of reach."""
        now = int(self.now().timestamp() * 1000)
        try:
            found = await self.keys.directory(await self.sealer(), now)
        except SecretsUnreachable:
            found = Directory(await self.keys.published(), ())
        scheme = self.site_url.partition(":")[0]
        authority = authority_of(f"{scheme}://{request.host}")
        tag = sha256(found.body).hexdigest()[:32]
        headers = {
            **directory_headers(found.body, found.keys, authority, now),
            # Without a key nothing is worth keeping: the next one who asks may find one.
            hdrs.CACHE_CONTROL: KEYS_KEPT if found.keys else "no-store",
            hdrs.ETAG: weak(tag),
        }
        if has_already(request, tag):
            kept = {name: headers[name] for name in (hdrs.CACHE_CONTROL, hdrs.ETAG)}
            return web.Response(status=304, headers=kept)
        return web.Response(body=found.body, headers=headers)


def add_key_directory(router: web.UrlDispatcher, directory: KeyDirectory) -> None:
    """Add the directory's route, which any page may ask."""
    middleware.add_for_any_origin(router, DIRECTORY_PATH, directory.send, hdrs.METH_GET)
