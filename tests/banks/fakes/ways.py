"""What tests of the fakes share: a client that believes them, a person and a developer."""

import ssl
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

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
