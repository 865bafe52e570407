"""A program finds out by itself how it is let in, wherever it looks first (RFC 9728, RFC 8414).

Cards and catalogs are what it finds before it has a credential.
"""

import re
from pathlib import Path
from urllib.parse import urlencode

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import finplan
from finplan.daemon.rate_limit import GUESTS_LIMIT
from finplan.daemon.surfaces.authorization_server import (
    ALL_INTRODUCTIONS,
    ALL_REGISTRATIONS,
    CLAIMS,
    INTRODUCTIONS,
    PROTECTED_PATHS,
    REGISTRATIONS,
)
from finplan.service.authorization.agents import POLL_EACH, TRIES
from tests.daemon.mcp.connected import new_key
from tests.daemon.oauth.visitor import REGISTER, TOKEN, Agent, Http, Program, use
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

SERVER_PATHS = (
    "/.well-known/oauth-authorization-server/auth",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration/auth",
    "/.well-known/openid-configuration",
    "/auth/.well-known/oauth-authorization-server",
    "/auth/.well-known/openid-configuration",
)
PROTECTED = "/.well-known/oauth-protected-resource"


@pytest.mark.parametrize("path", SERVER_PATHS)
async def test_the_server_describes_itself(site: RunningDaemon, http: Http, path: str) -> None:
    """The same document everywhere, with all that RFC 8414, OpenID, MCP and agents ask for."""
    answer = await http.get(path)

    told = answer.json()
    issuer = f"{site.base_url}/auth"
    assert told["issuer"] == issuer
    for name in ("authorization", "token", "registration", "revocation"):
        assert told[f"{name}_endpoint"].startswith(f"{issuer}/oauth2/")
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["response_types_supported"] == ["code"]
    assert told["authorization_response_iss_parameter_supported"] is True
    assert "none" in told["token_endpoint_auth_methods_supported"]
    assert "offline_access" in told["scopes_supported"]
    assert told["subject_types_supported"] == ["public"]
    assert told["id_token_signing_alg_values_supported"] == ["RS256"]
    assert told["jwks_uri"] == f"{issuer}/oauth2/jwks"
    assert told["agent_auth"] == {
        "skill": f"{site.base_url}/auth.md",
        "identity_endpoint": f"{site.base_url}/agent/identity",
        "claim_endpoint": f"{site.base_url}/agent/identity/claim",
        "identity_types_supported": ["anonymous"],
    }
    assert answer.headers["cache-control"] == "public, max-age=300"


@pytest.mark.parametrize("part", ["", "/mcp", "/api", "/api/v1"])
async def test_a_resource_says_who_lets_in(site: RunningDaemon, http: Http, part: str) -> None:
    """Its own address, the issuer, and scopes without `offline_access`, which is no resource's."""
    told = (await http.get(f"{PROTECTED}{part}")).json()

    assert told["resource"] == f"{site.base_url}{part}"
    assert told["authorization_servers"] == [f"{site.base_url}/auth"]
    assert told["scopes_supported"] == ["service:read", "service:write"]
    assert told["bearer_methods_supported"] == ["header"]


async def test_a_token_may_be_asked_for_whatever_is_described(agent: Agent, http: Http) -> None:
    """Each resource that a document names is one that tokens are given for."""
    for path in PROTECTED_PATHS:
        resource = (await http.get(path)).json()["resource"]
        assert (await agent.exchange(resource=resource)).status_code == 200, resource


async def test_what_is_not_there_is_told_in_json(http: Http) -> None:
    """A client reads the body of a 404 as an error, and no page."""
    answer = await http.get("/.well-known/oauth-authorization-server/elsewhere")
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("GET", path) for path in SERVER_PATHS),
        ("GET", PROTECTED),
        ("GET", "/auth.md"),
        ("GET", "/auth/oauth2/jwks"),
        ("GET", "/auth/oauth2/userinfo"),
        ("POST", "/auth/oauth2/userinfo"),
        ("POST", TOKEN),
        ("POST", REGISTER),
        ("POST", "/auth/oauth2/revoke"),
    ],
)
async def test_pages_of_any_origin_may_ask(http: Http, method: str, path: str) -> None:
    """They read no cookie, and tell a browser so; what it asks before is answered too."""
    origin = {"Origin": "https://inspector.example"}
    before = await http.options(
        path,
        headers={
            **origin,
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "mcp-protocol-version, authorization",
        },
    )
    answer = await http.request(method, path, headers=origin)

    assert before.status_code == 204
    assert before.headers["access-control-allow-origin"] == "*"
    assert method in before.headers["access-control-allow-methods"]
    assert "mcp-protocol-version" in before.headers["access-control-allow-headers"].lower()
    assert answer.status_code != 403
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "WWW-Authenticate" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize("path", ["/agent/identity", "/agent/identity/claim"])
async def test_a_page_is_no_agent(http: Http, path: str) -> None:
    """A page of another origin cannot use up what the agents of this machine may ask."""
    answer = await http.post(path, json={}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/auth/oauth2/authorize", "/claim", "/api/v1/me"])
async def test_what_reads_a_cookie_answers_no_other_origin(ada: Http, path: str) -> None:
    """Consent, claims and the interface are refused to pages of other origins."""
    answer = await ada.get(path, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


async def test_a_refusal_says_how_to_be_let_in(site: RunningDaemon, http: Http) -> None:
    """Without a credential no error is named; with a bad token, that; with too little, what lacks."""
    metadata = f'resource_metadata="{site.base_url}{PROTECTED}"'

    bare = await http.get("/api/v1/me")
    bad = await use(http, "fpa_wrong")
    key = await http.get("/api/v1/me", headers={"x-api-key": "fpk_wrong"})
    made = await site.http.post("/api/v1/keys", json={"name": "k", "scopes": ["service:read"]})
    little = await http.post("/api/v1/plan", headers={"x-api-key": made.json()["key"]}, json={})

    assert bare.headers["www-authenticate"] == f"Bearer {metadata}"
    assert bad.headers["www-authenticate"] == f'Bearer {metadata}, error="invalid_token"'
    assert key.headers["www-authenticate"] == f"Bearer {metadata}"
    assert little.status_code == 403
    assert little.headers["www-authenticate"] == (
        f'Bearer error="insufficient_scope", scope="service:write", {metadata}'
    )


async def test_agents_are_told_in_words(site: RunningDaemon, http: Http) -> None:
    """`auth.md` names every step with this site's own addresses."""
    told = await http.get("/auth.md")
    assert told.headers["content-type"].startswith("text/markdown")
    assert "{" not in told.text.replace('{"', "").replace("{site", "{site")
    for path in (
        "/agent/identity",
        "/agent/identity/claim",
        "/auth/oauth2/token",
        "/auth/oauth2/register",
    ):
        assert f"{site.base_url}{path}" in told.text


async def test_endpoints_take_what_their_rfc_says(reader: Program, http: Http) -> None:
    """A form for tokens and revocation, JSON for the rest; a large body is refused, not read."""
    as_json = await http.post(TOKEN, json={"grant_type": "authorization_code"})
    as_form = await http.post(REGISTER, data={"redirect_uris": "https://a.example"})
    large = await http.post(TOKEN, data={"grant_type": "x" * 1_100_000})
    unknown = await reader.token(grant_type="password", username="ada", password="x")

    assert (as_json.status_code, as_json.json()["error"]) == (400, "invalid_request")
    assert (as_form.status_code, as_form.json()["error"]) == (400, "invalid_request")
    assert large.status_code == 413
    assert unknown.json()["error"] == "unsupported_grant_type"
    assert (await http.get(TOKEN)).status_code == 405


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "form",
    [
        [("grant_type", "authorization_code"), ("grant_type", "refresh_token")],
        [("grant_type", "authorization_code"), ("client_id", "é"), ("code", "x")],
        [("grant_type", "authorization_code"), ("client_id", 'a"b'), ("code", "x")],
        [("grant_type", "\x00")],
        [("grant_type", 'x" \\ y')],
        [],
    ],
)
async def test_hostile_forms_are_errors_of_the_rfc(http: Http, form: list[tuple[str, str]]) -> None:
    """Whatever is sent, the answer is one of RFC 6749's, and never the daemon stumbling."""
    answer = await http.post(
        TOKEN,
        content=urlencode(form),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code == 400
    assert answer.json()["error"] in ("invalid_request", "unsupported_grant_type")


async def test_an_agent_reads_how_often_it_may_ask(http: Http) -> None:
    """The numbers are those that are counted by; what a refusal looks like is told, too."""
    told = (await http.get("/auth.md")).text

    assert not re.search(r"\{[a-z_]+\}", told)
    for line in (
        rf"/agent/identity` \| {INTRODUCTIONS} an hour.*, {ALL_INTRODUCTIONS} from all",
        rf"/agent/identity/claim` \| {CLAIMS} an hour",
        rf"/register` \| {REGISTRATIONS} an hour.*, {ALL_REGISTRATIONS} from all",
        rf"the claim \| every {POLL_EACH // 1000} seconds",
        rf"all others \| {GUESTS_LIMIT} a minute",
        f"entered wrongly {TRIES} times",
        "`Retry-After` in seconds",
        "`401 invalid_claim_token`",
        "`error=access_denied`",
    ):
        assert re.search(line, told), line


def test_the_handbook_tells_the_same_limits() -> None:
    """What people read of the limits of programs is what is counted by."""
    told = (Path(finplan.__file__).parent / "docs" / "programs.md").read_text()
    for line in (
        rf"registering an app \| {REGISTRATIONS} an hour.*, {ALL_REGISTRATIONS} from all",
        rf"guest account \| {INTRODUCTIONS} an hour.*, {ALL_INTRODUCTIONS} from all",
        rf"requesting a claim \| {CLAIMS} an hour",
        rf"the claim \| every {POLL_EACH // 1000} seconds",
        rf"\(`rate_limit`\), {GUESTS_LIMIT} for an unclaimed agent",
    ):
        assert re.search(line, told), line


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


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", TYPES)
async def test_anybody_may_ask_and_keep_it(http: Http, path: str) -> None:
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


async def test_the_card_says_where_the_server_is(site: RunningDaemon, http: Http) -> None:
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
async def test_a_card_says_what_its_server_says(site: RunningDaemon, http: Http, path: str) -> None:
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


async def test_the_handbook_is_open(http: Http) -> None:
    """The card of the handbook's server asks for no credential."""
    card = (await http.get(DOCS_CARD)).json()
    assert card["authentication"] == {"required": False}
    assert set(card["remotes"][0]) == {"type", "url"}
    assert 1 <= len(card["description"]) <= 100
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", card["name"])


async def test_every_card_is_in_the_catalog_for_agents(site: RunningDaemon, http: Http) -> None:
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


async def test_the_catalog_leads_to_interfaces(site: RunningDaemon, http: Http) -> None:
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
async def test_every_address_told_is_answered(site: RunningDaemon, http: Http, path: str) -> None:
    """Somebody is at each address that a card, catalog or list tells; none runs into words."""
    told = (await http.get(path)).text
    assert not re.search(rf"{site.base_url}[^\s\"`<>)]*[.,;:](\s|$)", told), path
    addresses = set(re.findall(rf"{site.base_url}[^\s\"`<>)]*", told))
    assert addresses
    for address in sorted(addresses):
        found = await http.get(address, follow_redirects=True)
        expected = ENTERED.get(address.removeprefix(site.base_url), 200)
        assert found.status_code == expected, address


async def test_the_root_of_the_interface_leads_to_what_describes_it(http: Http) -> None:
    """A program is led to the description, a browser to the page about it; nobody's data is there."""
    for root in ("/api/v1", "/api"):
        program = await http.get(root)
        browser = await http.get(root, headers={"Accept": "text/html,*/*;q=0.8"})
        assert (program.status_code, program.headers["location"]) == (303, "/api/openapi.json")
        assert (browser.status_code, browser.headers["location"]) == (303, "/api/docs")
        assert program.headers["vary"] == "Accept"
        assert (await http.post(root, json={})).status_code == 405


async def test_answers_lead_to_the_catalog(http: Http) -> None:
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


async def test_what_only_reads_may_be_asked(http: Http) -> None:
    """A card takes no other method, and the server beside it still asks for a credential."""
    assert (await http.post("/mcp/server-card", json={})).status_code == 405
    assert (await http.post("/mcp", json={})).status_code == 401
