"""A person's browser and a program that wants in, over the real socket."""

import base64
import hashlib
import re
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

CALLBACK = "http://127.0.0.1/callback"
AUTHORIZE, TOKEN, REGISTER, REVOKE = (
    f"/auth/oauth2/{name}" for name in ("authorize", "token", "register", "revoke")
)
ASSERTION_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
CLAIM_GRANT = "urn:example:agent-auth:grant-type:claim"
ADA = "ada@localhost"
WORKING_SCOPE = "service:read service:write offline_access"

Http = httpx.AsyncClient
"""Who talks HTTP with the daemon: a browser, or a program."""

_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


@asynccontextmanager
async def stranger(daemon: RunningDaemon) -> AsyncIterator[Http]:
    """A program without any credential."""
    async with httpx.AsyncClient(
        base_url=daemon.base_url, trust_env=False, verify=False, timeout=LONG_ENOUGH
    ) as http:
        yield http


@asynccontextmanager
async def browser(daemon: RunningDaemon) -> AsyncIterator[Http]:
    """A browser that is signed in as the owner, by a link."""
    async with stranger(daemon) as http:
        http.headers.update({"Accept": "text/html", "Sec-Fetch-Site": "same-origin"})
        made = await daemon.http.post("/api/v1/sessions/link", json={})
        opened = await http.get(made.json()["url"], headers={"Sec-Fetch-Site": "none"})
        assert opened.status_code == 303, opened.text
        yield http


def hidden_fields(page: str) -> dict[str, str]:
    """The hidden fields of a page's last form."""
    form = page[page.rindex("<form") :]
    return {name: unescape(value) for name, value in _FIELD.findall(form)}


@dataclass
class Program:
    """A program with its registration and the secrets of one try to be let in."""

    http: Http
    client: Mapping[str, Any]
    redirect_uri: str = "http://127.0.0.1:4711/callback"
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def asking(self, **changes: str | None) -> dict[str, str]:
        """The query that brings a person along; a parameter that is None is left out."""
        query: dict[str, str | None] = {
            "response_type": "code",
            "client_id": self.client["client_id"],
            "redirect_uri": self.redirect_uri,
            "scope": WORKING_SCOPE,
            "state": "as/it&is",
            "code_challenge": self.challenge,
            "code_challenge_method": "S256",
            **changes,
        }
        return {name: value for name, value in query.items() if value is not None}

    async def let_in(self, person: Http, **changes: str | None) -> dict[str, str]:
        """Have a person allow it; answers the parameters of the redirect."""
        return answered(await decide(person, self.asking(**changes), "allow"))

    async def exchange(self, code: str, **changes: str | None) -> httpx.Response:
        """Exchange a code."""
        return await self.token(
            grant_type="authorization_code",
            code=code,
            redirect_uri=self.redirect_uri,
            code_verifier=self.verifier,
            **changes,
        )

    async def refresh(self, token: str, **changes: str | None) -> httpx.Response:
        """Exchange a refresh token."""
        return await self.token(grant_type="refresh_token", refresh_token=token, **changes)

    async def token(self, **form: str | None) -> httpx.Response:
        """Ask the token endpoint."""
        sent = {"client_id": self.client["client_id"], **form}
        return await self.http.post(
            TOKEN, data={name: value for name, value in sent.items() if value is not None}
        )

    async def tokens(self, person: Http, **changes: str | None) -> dict[str, Any]:
        """Be let in, and get the tokens."""
        got = await self.exchange((await self.let_in(person, **changes))["code"])
        assert got.status_code == 200, got.text
        return dict(got.json())

    async def use(self, token: str, path: str = "/api/v1/me") -> httpx.Response:
        """Show an access token."""
        return await use(self.http, token, path)


async def program(http: Http, **said: Any) -> Program:
    """Register a program, a public one unless it says otherwise."""
    metadata = {
        "client_name": "Ledger Reader",
        "redirect_uris": [CALLBACK],
        "token_endpoint_auth_method": "none",
        **said,
    }
    made = await http.post(REGISTER, json=metadata)
    assert made.status_code == 201, made.text
    return Program(http, made.json())


@dataclass
class Agent:
    """An agent that came without an account, and what it was told."""

    http: Http
    told: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.told["registration_id"])

    async def exchange(self, assertion: str | None = None, **more: str) -> httpx.Response:
        """Exchange the assertion that it was told, or another one."""
        said = assertion or self.told["identity_assertion"]
        form = {"grant_type": ASSERTION_GRANT, "assertion": said, **more}
        return await self.http.post(TOKEN, data=form)

    async def token(self) -> str:
        """An access token for its assertion."""
        return str((await self.exchange()).json()["access_token"])

    async def claim(self, email: str = ADA) -> httpx.Response:
        """Ask to be claimed by who has an address."""
        body = {"claim_token": self.told["claim_token"], "email": email}
        return await self.http.post("/agent/identity/claim", json=body)

    async def ask(self, email: str = ADA) -> Mapping[str, Any]:
        """Ask for a code to show the person."""
        answer = await self.claim(email)
        assert answer.status_code == 200, answer.text
        return dict(answer.json()["claim_attempt"])

    async def poll(self, **more: str) -> httpx.Response:
        """Ask whether the person has claimed it."""
        form = {"grant_type": CLAIM_GRANT, "claim_token": self.told["claim_token"], **more}
        return await self.http.post(TOKEN, data=form)

    async def be_claimed(self, person: Http) -> None:
        """Ask for a code, and have the person enter it."""
        attempt = await self.ask()
        await entered(person, attempt["verification_uri"], attempt["user_code"])


async def introduced(http: Http) -> Agent:
    """Come as an agent."""
    answer = await http.post("/agent/identity", json={"type": "anonymous"})
    assert answer.status_code == 200, answer.text
    return Agent(http, answer.json())


async def entered(person: Http, page: str, code: str, decision: str = "claim") -> httpx.Response:
    """Open the page of a claim and enter a code."""
    shown = await person.get(page)
    assert shown.status_code == 200, shown.text
    fields = hidden_fields(shown.text)
    return await person.post("/claim", data={**fields, "code": code, "do": decision})


async def decide(person: Http, query: Mapping[str, str], decision: str) -> httpx.Response:
    """Open the page of consent, and send its form."""
    page = await person.get(AUTHORIZE, params=dict(query))
    assert page.status_code == 200, (page.status_code, page.headers.get("location"), page.text)
    return await person.post(AUTHORIZE, data={**hidden_fields(page.text), "do": decision})


def answered(response: httpx.Response) -> dict[str, str]:
    """The parameters with which a browser is sent back to a program."""
    assert response.status_code == 303, response.text
    query = parse_qs(urlsplit(response.headers["location"]).query)
    return {name: values[0] for name, values in query.items()}


def led_nowhere(response: httpx.Response) -> bool:
    """Whether a page tells that a program cannot be let in, and the browser is not sent to it."""
    told = "This app cannot connect" in response.text
    return (response.status_code, "location" in response.headers, told) == (400, False, True)


def bearing(token: str) -> dict[str, str]:
    """The header that shows an access token."""
    return {"Authorization": f"Bearer {token}"}


async def use(http: Http, token: str, path: str = "/api/v1/me") -> httpx.Response:
    """Show an access token."""
    return await http.get(path, headers=bearing(token))
