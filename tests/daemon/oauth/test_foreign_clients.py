"""Clients that others have written are let in: oauth4webapi, which is strict, and that of MCP's SDK."""

import asyncio
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.daemon.oauth.visitor import Http, hidden_fields
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

pytestmark = [pytest.mark.slow, pytest.mark.judged]

SCRIPT = Path(__file__).with_name("oauth4webapi.mjs")
STEPS = [
    "resource discovery",
    "discovery oauth2",
    "discovery oidc",
    "registration",
    "authorization response",
    "code, id token and its signature",
    "userinfo",
    "refresh",
    "use",
    "revocation, and its challenge",
    "assertion grant",
    "authorization_pending",
    "claim grant",
]
"""What the script tells that it has done."""
FOLDER = Path(__file__).parents[3] / ".browser"
"""Where `make test-slow` installs what comes from npm."""


@pytest.fixture
def moment() -> list[datetime]:
    """The instant that it is for a client of others, which looks at its own clock."""
    return [datetime.now(UTC)]


@pytest.mark.skipif(
    shutil.which("node") is None or not (FOLDER / "node_modules" / "oauth4webapi").is_dir(),
    reason="oauth4webapi is not installed; `make test-slow` does that where there is node",
)
async def test_a_strict_client_is_let_in(site: RunningDaemon, ada: Http) -> None:
    """Discovery, registration, PKCE, tokens, refresh, revocation, and both ways of an agent."""
    cookie = "; ".join(f"{each.name}={each.value}" for each in ada.cookies.jar)
    process = await asyncio.create_subprocess_exec(
        *("node", str(SCRIPT), str(FOLDER), site.base_url, cookie),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    told, wrong = await process.communicate()
    assert process.returncode == 0, wrong.decode()
    assert json.loads(told) == STEPS


@pytest.mark.parametrize("path", ["/api/v1", "/mcp"])
async def test_the_client_of_mcp_is_let_in(site: RunningDaemon, ada: Http, path: str) -> None:
    """It meets a 401, finds everything by itself, registers, and comes back with a token."""
    httpx2 = pytest.importorskip("httpx2")
    from mcp import Client
    from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

    class Memory:
        """Keeps the tokens."""

        tokens: OAuthToken | None = None
        client: OAuthClientInformationFull | None = None

        async def get_tokens(self) -> OAuthToken | None:
            return self.tokens

        async def set_tokens(self, tokens: OAuthToken) -> None:
            self.tokens = tokens

        async def get_client_info(self) -> OAuthClientInformationFull | None:
            return self.client

        async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
            self.client = client_info

    sent_back: list[str] = []

    async def bring(url: str) -> None:
        page = await ada.get(url)
        fields = hidden_fields(page.text)
        answer = await ada.post("/auth/oauth2/authorize", data={**fields, "do": "allow"})
        sent_back.append(answer.headers["location"])

    async def come_back() -> AuthorizationCodeResult:
        query = parse_qs(urlsplit(sent_back[-1]).query)
        return AuthorizationCodeResult(
            code=query["code"][0], state=query["state"][0], iss=query["iss"][0]
        )

    memory = Memory()
    provider = OAuthClientProvider(
        server_url=f"{site.base_url}{path}",
        client_metadata=OAuthClientMetadata(
            client_name="MCP",
            redirect_uris=["http://127.0.0.1:3030/callback"],
            token_endpoint_auth_method="none",
        ),
        storage=memory,
        redirect_handler=bring,
        callback_handler=come_back,
    )
    async with httpx2.AsyncClient(
        auth=provider, base_url=site.base_url, timeout=LONG_ENOUGH
    ) as http:
        if path == "/mcp":
            streamed = streamable_http_client(f"{site.base_url}/mcp", http_client=http)
            async with Client(streamed) as client:
                called = await client.call_tool("list_accounts", {})
                assert called.structured_content == {"accounts": []}, called
        else:
            answer = await http.get("/api/v1/me")
            assert answer.status_code == 200, answer.text

    assert memory.tokens is not None
    assert memory.tokens.refresh_token is not None
