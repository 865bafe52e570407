"""The cards and catalogs as values: where each surface of a site is, and how it is entered.

No card tells what a server can do for a person; that is asked of the server, with a credential.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from finplan import __version__
from finplan.daemon.surfaces.a2a.card import A2A, AGENT_CARD, AGENT_CARD_TYPE, DESCRIPTION
from finplan.daemon.surfaces.mcp.mount import DOCS, PRODUCT
from finplan.daemon.surfaces.oauth.discovery import PROTECTED
from finplan.daemon.surfaces.openapi.published import DESCRIPTION_PATH, DOCS_PATH
from finplan.daemon.surfaces.versions import CURRENT, root_of

CatalogDocument = Mapping[str, Any]

API_CATALOG: Final = "/.well-known/api-catalog"
AI_CATALOG: Final = "/.well-known/ai-catalog.json"
SERVER_CARD: Final = "/.well-known/mcp/server-card.json"

LINKSET_TYPE: Final = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
AI_CATALOG_TYPE: Final = "application/ai-catalog+json"
SERVER_CARD_TYPE: Final = "application/mcp-server-card+json"

_KEY_HEADER: Final[Mapping[str, Any]] = {
    "name": "x-api-key",
    "description": "An API key, where no OAuth is used.",
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
        "Your own finances: exact spending, the plan, open questions. Needs OAuth or an API key.",
        ("tools", "resources", "prompts"),
    ),
    McpServer(
        DOCS,
        "finplan/finplan-docs",
        "finplan's handbook",
        "How to use finplan: its handbook, searched and read. Needs no credential.",
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
                "description": DESCRIPTION,
                "type": "application/a2a-agent-card+json",
                "url": f"{site_url}{AGENT_CARD}",
                "version": __version__,
            }
        ],
    }


def api_catalog(site_url: str) -> CatalogDocument:
    """The interfaces of the site, each with its description and documentation (RFC 9727)."""
    rest = f"{site_url}{root_of(CURRENT)}"
    servers = [f"{site_url}{path}" for path in (*(each.path for each in MCP_SERVERS), A2A)]
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
                "service-meta": [_metadata(site_url, f"/api/{CURRENT}")],
                "status": [{"href": f"{site_url}/health", "type": "application/json"}],
            },
            *(_linked_server(site_url, server) for server in MCP_SERVERS),
            {
                "anchor": f"{site_url}{A2A}",
                "service-desc": [{"href": f"{site_url}{AGENT_CARD}", "type": AGENT_CARD_TYPE}],
                "service-meta": [_metadata(site_url, A2A)],
            },
        ]
    }


def _linked_server(site_url: str, server: McpServer) -> CatalogDocument:
    card = {"href": f"{site_url}{server.card_path}", "type": SERVER_CARD_TYPE}
    entered = {} if server.is_open else {"service-meta": [_metadata(site_url, server.path)]}
    return {"anchor": f"{site_url}{server.path}", "service-desc": [card], **entered}


def _metadata(site_url: str, path: str) -> CatalogDocument:
    """Where it is told who lets a program into a part of the site."""
    return {"href": f"{site_url}{PROTECTED}{path}", "type": "application/json"}
