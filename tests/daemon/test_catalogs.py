"""Cards and catalogs: what a program finds before it has a credential, over a real socket."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.daemon.mcp.connected import new_key
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon, running_daemon
from tests.patience import LONG_ENOUGH

API_CATALOG = "/.well-known/api-catalog"
AI_CATALOG = "/.well-known/ai-catalog.json"
AGENT_CARD = "/.well-known/agent-card.json"
CARDS = ("/.well-known/mcp/server-card.json", "/mcp/server-card")
DOCS_CARD = "/mcp/docs/server-card"
TYPES = {
    API_CATALOG: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    AI_CATALOG: "application/ai-catalog+json",
    **dict.fromkeys((*CARDS, DOCS_CARD), "application/mcp-server-card+json"),
    AGENT_CARD: "application/json",
}
IN_CATALOG = {
    "urn:air:finplan:mcp:finplan": ("/mcp/server-card", "application/mcp-server-card+json"),
    "urn:air:finplan:mcp:finplan-docs": (DOCS_CARD, "application/mcp-server-card+json"),
    "urn:air:finplan:a2a:finplan": (AGENT_CARD, "application/a2a-agent-card+json"),
}
"""Each entry of the catalog for agents: where its card is, and what kind of card that is."""


@pytest.fixture
async def site(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    async with running_daemon(tmp_path, empty_store) as running:
        yield running


@pytest.fixture
async def http(site: RunningDaemon) -> AsyncIterator[httpx.AsyncClient]:
    """A program without any credential."""
    async with stranger(site) as client:
        yield client


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", TYPES)
async def test_anybody_may_ask_and_keep_it(http: httpx.AsyncClient, path: str) -> None:
    """Each is of its media type, open to pages of any origin, and asked again by its tag."""
    page = {"Origin": "https://inspector.example"}
    answer = await http.get(path, headers=page)
    again = await http.get(path, headers={**page, "If-None-Match": answer.headers["etag"]})
    other = await http.get(path, headers={**page, "If-None-Match": 'W/"another"'})
    head = await http.head(path, headers=page)
    before = await http.options(path, headers={**page, "Access-Control-Request-Method": "GET"})

    assert (answer.status_code, answer.headers["content-type"]) == (200, TYPES[path])
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert answer.headers["last-modified"] == "Wed, 18 Mar 2026 12:00:00 GMT"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "ETag" in answer.headers["access-control-expose-headers"]
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == answer.headers["etag"]
    assert (other.status_code, other.content) == (200, answer.content)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == answer.headers["etag"]
    assert before.headers["access-control-allow-methods"] == "GET"


async def test_the_card_says_where_the_server_is(
    site: RunningDaemon, http: httpx.AsyncClient
) -> None:
    """One document for readers of either form, and no word of what the server holds."""
    cards = [(await http.get(path)).json() for path in CARDS]
    card = cards[0]

    assert cards[1] == card
    assert card["$schema"].endswith("/v1/server-card.schema.json")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", card["name"])
    assert 1 <= len(card["description"]) <= 100
    (remote,) = card["remotes"]
    assert (remote["type"], remote["url"]) == ("streamable-http", f"{site.base_url}/mcp")
    assert remote["headers"][0]["isSecret"] is True
    assert card["transport"] == {"type": "streamable-http", "endpoint": f"{site.base_url}/mcp"}
    assert card["serverInfo"] == {"name": "finplan", "version": card["version"]}
    assert card["authentication"]["required"] is True
    assert not {"tools", "resources", "prompts"} & set(card)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/docs"])
async def test_a_card_says_what_its_server_says(
    site: RunningDaemon, http: httpx.AsyncClient, path: str
) -> None:
    """Name, version and kinds of things are those that the server tells whoever enters."""
    card = (await http.get(f"{path}/server-card")).json()
    key = {"x-api-key": (await new_key(site, "service:read"))["key"]} if path == "/mcp" else {}
    async with (
        httpx2.AsyncClient(headers=key, timeout=LONG_ENOUGH, trust_env=False) as reached,
        Client(streamable_http_client(f"{site.base_url}{path}", http_client=reached)) as client,
    ):
        told = client.server_info
        offers = client.server_capabilities.model_dump(exclude_none=True)
    assert told is not None
    assert card["serverInfo"] == {"name": told.name, "version": told.version}
    assert card["title"] == told.title
    assert set(card["capabilities"]) == set(offers) & {"tools", "resources", "prompts"}
    assert card["transport"]["endpoint"] == f"{site.base_url}{path}"


async def test_the_handbook_is_open(http: httpx.AsyncClient) -> None:
    """The card of the handbook's server asks for no credential."""
    card = (await http.get(DOCS_CARD)).json()
    assert card["authentication"] == {"required": False}
    assert set(card["remotes"][0]) == {"type", "url"}
    assert 1 <= len(card["description"]) <= 100
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", card["name"])


async def test_every_card_is_in_the_catalog_for_agents(
    site: RunningDaemon, http: httpx.AsyncClient
) -> None:
    """Each entry leads to a card of its own kind and version."""
    catalog = (await http.get(AI_CATALOG)).json()

    assert catalog["specVersion"] == "1.0"
    assert [each["identifier"] for each in catalog["entries"]] == list(IN_CATALOG)
    for entry in catalog["entries"]:
        path, kind = IN_CATALOG[entry["identifier"]]
        assert (entry["url"], entry["type"]) == (f"{site.base_url}{path}", kind)
        card = await http.get(entry["url"])
        assert card.headers["content-type"] == TYPES[path]
        assert card.json()["version"] == entry["version"]


async def test_the_catalog_of_interfaces_leads_to_what_is_there(
    site: RunningDaemon, http: httpx.AsyncClient
) -> None:
    """Its members are the interface and those for agents, and each link is answered (RFC 9727)."""
    itself, *members = (await http.get(API_CATALOG)).json()["linkset"]

    assert itself["anchor"] == f"{site.base_url}{API_CATALOG}"
    items = [each["href"] for each in itself["item"]]
    assert items == [f"{site.base_url}{path}" for path in ("/api/v1", "/mcp", "/mcp/docs", "/a2a")]
    assert [each["anchor"] for each in members] == items
    rest, *for_agents = members
    assert set(rest) == {"anchor", "service-desc", "service-doc", "service-meta", "status"}
    for each in for_agents:
        entered = set() if each["anchor"].endswith("/docs") else {"service-meta"}
        assert set(each) == {"anchor", "service-desc"} | entered
    for member in members:
        for relation in set(member) - {"anchor"}:
            for link in member[relation]:
                found = await http.get(link["href"])
                assert found.status_code == 200, link
                if relation == "service-meta":
                    assert found.json()["resource"] == member["anchor"]


ENTERED = {
    "": 401,
    "/mcp": 401,
    "/mcp/docs": 405,
    "/a2a": 405,
    "/auth": 404,
    "/auth/oauth2/authorize": 401,
    "/auth/oauth2/token": 405,
    "/auth/oauth2/register": 405,
    "/auth/oauth2/introspect": 405,
    "/auth/oauth2/revoke": 405,
    "/auth/oauth2/userinfo": 401,
    "/agent/identity": 405,
    "/agent/identity/claim": 405,
}
"""What is entered with more than a look at it, and what it says to who only looks.

The issuer is a name (RFC 8414), under which nothing is published.
"""

TOLD = (
    "/llms.txt",
    "/auth.md",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/api/v1",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
)
"""Where else programs are told addresses."""


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", [*TYPES, *TOLD])
async def test_every_address_told_is_answered(
    site: RunningDaemon, http: httpx.AsyncClient, path: str
) -> None:
    """Somebody is at each address that a card, catalog or list tells; none runs into words."""
    told = (await http.get(path)).text
    assert not re.search(rf"{site.base_url}[^\s\"`<>)]*[.,;:](\s|$)", told), path
    addresses = set(re.findall(rf"{site.base_url}[^\s\"`<>)]*", told))
    assert addresses
    for address in sorted(addresses):
        found = await http.get(address, follow_redirects=True)
        expected = ENTERED.get(address.removeprefix(site.base_url), 200)
        assert found.status_code == expected, address


async def test_the_root_of_the_interface_leads_to_what_describes_it(
    http: httpx.AsyncClient,
) -> None:
    """A program is led to the description, a browser to the page about it; nobody's data is there."""
    for root in ("/api/v1", "/api"):
        program = await http.get(root)
        browser = await http.get(root, headers={"Accept": "text/html,*/*;q=0.8"})
        assert (program.status_code, program.headers["location"]) == (303, "/api/openapi.json")
        assert (browser.status_code, browser.headers["location"]) == (303, "/api/docs")
        assert program.headers["vary"] == "Accept"
        assert (await http.post(root, json={})).status_code == 405


async def test_answers_lead_to_the_catalog(http: httpx.AsyncClient) -> None:
    """The first page and the documentation link all three, the catalog links itself, others none."""
    for path in ("/", "/api/docs"):
        links = (await http.get(path)).headers.get_list("link")
        assert [re.findall(r'^<(.+)>; rel="(.+?)"', each)[0] for each in links] == [
            (API_CATALOG, "api-catalog"),
            ("/api/openapi.json", "service-desc"),
            ("/api/docs", "service-doc"),
        ], path
    asked = await http.head(API_CATALOG)
    assert asked.headers.get_list("link") == [
        f'<{API_CATALOG}>; rel="api-catalog"; type="application/linkset+json"'
    ]
    assert "link" not in (await http.get("/health")).headers


async def test_what_only_reads_may_be_asked(http: httpx.AsyncClient) -> None:
    """A card takes no other method, and the server beside it still asks for a credential."""
    assert (await http.post("/mcp/server-card", json={})).status_code == 405
    assert (await http.post("/mcp", json={})).status_code == 401
