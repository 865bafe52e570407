"""A program finds out by itself how it is let in, wherever it looks first (RFC 9728, RFC 8414)."""

import re
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest

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
from tests.daemon.oauth.visitor import ASSERTION_GRANT, REGISTER, TOKEN, program, use
from tests.daemon.running import RunningDaemon

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
async def test_the_server_is_described_wherever_clients_look(
    site: RunningDaemon, http: httpx.AsyncClient, path: str
) -> None:
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
async def test_a_resource_says_who_lets_in(
    site: RunningDaemon, http: httpx.AsyncClient, part: str
) -> None:
    """Its own address, the issuer, and scopes without `offline_access`, which is no resource's."""
    told = (await http.get(f"{PROTECTED}{part}")).json()

    assert told["resource"] == f"{site.base_url}{part}"
    assert told["authorization_servers"] == [f"{site.base_url}/auth"]
    assert told["scopes_supported"] == ["service:read", "service:write"]
    assert told["bearer_methods_supported"] == ["header"]


async def test_a_token_may_be_asked_for_whatever_is_described(
    site: RunningDaemon, http: httpx.AsyncClient
) -> None:
    """Each resource that a document names is one that tokens are given for."""
    agent = (await http.post("/agent/identity", json={"type": "anonymous"})).json()
    for path in PROTECTED_PATHS:
        resource = (await http.get(path)).json()["resource"]
        form = {
            "grant_type": ASSERTION_GRANT,
            "assertion": agent["identity_assertion"],
            "resource": resource,
        }
        assert (await http.post(TOKEN, data=form)).status_code == 200, resource


async def test_what_is_not_there_is_told_in_json(http: httpx.AsyncClient) -> None:
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
async def test_pages_of_any_origin_may_ask(http: httpx.AsyncClient, method: str, path: str) -> None:
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
async def test_a_page_is_no_agent(http: httpx.AsyncClient, path: str) -> None:
    """A page of another origin cannot use up what the agents of this machine may ask."""
    answer = await http.post(path, json={}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/auth/oauth2/authorize", "/claim", "/api/v1/me"])
async def test_what_reads_a_cookie_answers_no_other_origin(
    ada: httpx.AsyncClient, path: str
) -> None:
    """Consent, claims and the interface are refused to pages of other origins."""
    answer = await ada.get(path, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


async def test_a_refusal_says_how_to_be_let_in(
    site: RunningDaemon, http: httpx.AsyncClient
) -> None:
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


async def test_agents_are_told_in_words(site: RunningDaemon, http: httpx.AsyncClient) -> None:
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


async def test_endpoints_take_what_their_rfc_says(http: httpx.AsyncClient) -> None:
    """A form for tokens and revocation, JSON for the rest; a large body is refused, not read."""
    reader = await program(http)
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
async def test_a_hostile_form_is_an_error_of_the_rfc(
    http: httpx.AsyncClient, form: list[tuple[str, str]]
) -> None:
    """Whatever is sent, the answer is one of RFC 6749's, and never the daemon stumbling."""
    answer = await http.post(
        TOKEN,
        content=urlencode(form),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code == 400
    assert answer.json()["error"] in ("invalid_request", "unsupported_grant_type")


async def test_an_agent_reads_how_often_it_may_ask(
    site: RunningDaemon, http: httpx.AsyncClient
) -> None:
    """The numbers are those that are counted by; what a refusal looks like is told, too."""
    told = (await http.get("/auth.md")).text

    assert not re.search(r"\{[a-z_]+\}", told)
    for line in (
        f"/agent/identity` | {INTRODUCTIONS} an hour from one address, {ALL_INTRODUCTIONS} from all",
        f"/agent/identity/claim` | {CLAIMS} an hour from one address",
        f"/register` | {REGISTRATIONS} an hour from one address, {ALL_REGISTRATIONS} from all",
        f"for the claim | every {POLL_EACH // 1000} seconds",
        f"else | {GUESTS_LIMIT} a minute until you are claimed",
        f"was entered wrongly {TRIES} times",
        "`Retry-After` in seconds",
        "`401 invalid_claim_token`",
        "`error=access_denied`",
    ):
        assert line in told


def test_the_handbook_tells_the_same_limits() -> None:
    """What people read of the limits of programs is what is counted by."""
    told = (Path(finplan.__file__).parent / "docs" / "programs.md").read_text()
    for line in (
        f"registering | {REGISTRATIONS} times an hour from one address, {ALL_REGISTRATIONS} from all",
        f"account | {INTRODUCTIONS} times an hour from one address, {ALL_INTRODUCTIONS} from all",
        f"asking to be claimed | {CLAIMS} times an hour from one address",
        f"was claimed | every {POLL_EACH // 1000} seconds",
        f"(`rate_limit`), {GUESTS_LIMIT} for an agent that nobody has claimed",
    ):
        assert line in told
