"""What tests of the fakes share: a client that believes them, and who asks of them."""

import json
import ssl
from base64 import b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.banks.fakes.enable_banking import EnableBanking
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.webhooks.receiver import Authority


def trusting(authority: Authority) -> ssl.SSLContext:
    """What a client needs to believe the fakes' certificates."""
    return ssl.create_default_context(cafile=str(authority.authorities))


@asynccontextmanager
async def client_of(authority: Authority, url: str = "") -> AsyncIterator[httpx.AsyncClient]:
    """A client that believes the fakes and keeps no connection between requests."""
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=url, verify=trusting(authority), limits=limits) as made:
        yield made


class Person:
    """Who has an access URL and asks with it."""

    def __init__(self, bridge: SimplefinBridge, client: httpx.AsyncClient) -> None:
        self.bridge = bridge
        self.client = client
        self.access = ""

    async def claim(self, token: str) -> httpx.Response:
        answer = await self.client.post(b64decode(token).decode())
        if answer.status_code == 200:
            self.access = answer.text
        return answer

    async def ask(self, *parameters: tuple[str, str | int]) -> httpx.Response:
        return await self.client.get(f"{self.access}/accounts", params=list(parameters))

    async def accounts(self, *parameters: tuple[str, str | int]) -> Any:
        answer = await self.ask(*parameters)
        assert answer.status_code == 200
        return answer.json()


class Developer:
    """Who has Plaid's keys and asks with them."""

    def __init__(self, plaid: PlaidApi, client: httpx.AsyncClient) -> None:
        self.plaid = plaid
        self.client = client

    async def ask(self, path: str, **body: Any) -> tuple[int, Any]:
        keys = {"client_id": self.plaid.keys.client_id, "secret": self.plaid.keys.secret}
        answer = await self.client.post(path, json=keys | body)
        return answer.status_code, answer.json()

    async def ok(self, path: str, **body: Any) -> Any:
        status, said = await self.ask(path, **body)
        assert status == 200, said
        return said

    async def link(
        self, bank: str, *, days: int = 730, consented: tuple[str, ...] = ("liabilities",)
    ) -> str:
        """An access token of a bank, by a person who signs in at once."""
        made = await self.ok(
            "/link/token/create",
            client_name="finplan",
            language="en",
            country_codes=["US"],
            user={"client_user_id": "person"},
            products=["transactions"],
            additional_consented_products=list(consented),
            transactions={"days_requested": days},
            hosted_link={},
        )
        public = self.plaid.finish_link(made["link_token"], self.plaid.world.banks[bank])
        got = await self.ok("/item/public_token/exchange", public_token=public)
        return str(got["access_token"])


class Application:
    """Who has an application at Enable Banking and signs with its key."""

    def __init__(self, api: EnableBanking, client: httpx.AsyncClient) -> None:
        self.api = api
        self.client = client

    def token(self, *, head: dict[str, Any] | None = None, **claims: Any) -> str:
        """A signed token, with what is said otherwise than is right."""
        now = int(self.api.wall().timestamp())
        said = {"typ": "JWT", "alg": "RS256", "kid": self.api.app_id} | (head or {})
        told = {
            "iss": "enablebanking.com",
            "aud": "api.enablebanking.com",
            "iat": now,
            "exp": now + 3600,
        } | claims
        signed = f"{_part(said)}.{_part(told)}"
        key = serialization.load_pem_private_key(self.api.private_key.encode(), None)
        assert isinstance(key, rsa.RSAPrivateKey)
        signature = key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signed}.{_base64(signature)}"

    async def ask(self, method: str, path: str, **more: Any) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.token()}"} | more.pop("headers", {})
        answer = await self.client.request(method, path, headers=headers, **more)
        return answer.status_code, answer.json()

    async def ok(self, method: str, path: str, **more: Any) -> Any:
        status, said = await self.ask(method, path, **more)
        assert status == 200, said
        return said

    async def denied(self, method: str, path: str, **more: Any) -> tuple[int, str]:
        """The status and code of a refusal, which says both in its body as well."""
        status, said = await self.ask(method, path, **more)
        assert set(said) == {"message", "code", "error", "detail"}
        assert said["code"] == status
        return status, said["error"]

    async def session(self, bank: str, valid_until: str = "2026-12-01T00:00:00+00:00") -> Any:
        """A session of a bank, by a person who consents at once."""
        name, country = self.api.world.banks[bank].name, self.api.world.banks[bank].country
        asked = {
            "access": {"valid_until": valid_until},
            "aspsp": {"name": name, "country": country},
            "state": "state",
            "redirect_url": self.api.redirect_urls[0],
            "psu_type": "personal",
        }
        led = self.api.finish((await self.ok("POST", "/auth", json=asked))["url"])
        [code] = parse_qs(urlsplit(led).query)["code"]
        return await self.ok("POST", "/sessions", json={"code": code})


def _part(said: dict[str, Any]) -> str:
    return _base64(json.dumps(said).encode())


def _base64(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")
