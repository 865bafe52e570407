"""Requests to aggregators: over TLS alone, bounded in time and size, and failures in a person's words.

An address that a caller brought along is vetted as the targets of webhooks are. No redirect is followed,
since it could lead the credentials elsewhere.
"""

import asyncio
import json
import ssl
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol

import aiohttp
from aiohttp.abc import AbstractResolver

from finplan import __version__
from finplan.model.characters import visible
from finplan.model.errors import BankFailure, BankProviderError

PATIENCE = 90.0
"""How long one answer may take, in seconds: an aggregator may ask the bank itself meanwhile."""

LARGEST_ANSWER = 64 * 1024 * 1024
"""In bytes. Two years of one household's rows are a few megabytes."""

LONGEST_REMARK = 300
"""How much of what an aggregator says of a failure is shown, in characters."""

_CONNECTS_WITHIN = 15.0


class Unreadable(Exception):
    """An answer that is none; the sentence says what about it."""


class Vets(Protocol):
    """Says which addresses may be reached. Raises BankProviderError, and its resolver OSError."""

    async def check(self, url: str) -> None:
        """Raise unless a request may be sent to a URL now."""
        ...

    def resolver(self) -> AbstractResolver:
        """What finds out the addresses of a host, vetted."""
        ...


@dataclass(frozen=True, slots=True)
class BankReply:
    """What an aggregator answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    def json(self) -> Any:
        """The body as JSON, its numbers exact. Raises ValueError."""
        try:
            return json.loads(self.body, parse_float=Decimal)
        except RecursionError:
            raise ValueError("It is nested too deeply.") from None


class BankHttp:
    """Sends the requests of one aggregator, which its sentences call `title`.

    `trust` is what certificates are judged by, the system's own where it is None. `vets` is for where a
    caller says what address is asked.
    """

    def __init__(
        self, title: str, *, trust: ssl.SSLContext | None = None, vets: Vets | None = None
    ) -> None:
        self.title = title
        self._trust = trust
        self._vets = vets

    async def ask(
        self,
        method: str,
        url: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> BankReply:
        """Send one request. Raises BankProviderError where no whole answer comes."""
        if not url.startswith("https://"):
            raise self.failure(f"{self.title} gave an address without TLS, which is not asked.")
        if self._vets is not None:
            await self._vets.check(url)
        try:
            async with (
                asyncio.timeout(PATIENCE),
                await self._session() as session,
                self._sent(session, method, url, query, headers, body) as answer,
            ):
                content = await answer.content.read(LARGEST_ANSWER + 1)
                while not answer.content.at_eof() and len(content) <= LARGEST_ANSWER:
                    content += await answer.content.read(LARGEST_ANSWER + 1 - len(content))
        except TimeoutError:
            raise self.failure(
                f"{self.title} did not answer within {PATIENCE:.0f} seconds."
            ) from None
        except (aiohttp.ClientError, OSError) as error:
            raise self.failure(self._unreached(error)) from None
        if len(content) > LARGEST_ANSWER:
            raise self.failure(f"{self.title} answered more than can be read.")
        return BankReply(answer.status, answer.headers, content)

    def failure(self, message: str, failure: BankFailure = "provider_error") -> BankProviderError:
        """What is raised for a failure of this aggregator."""
        return BankProviderError(message, "aggregator", failure)

    def _sent(
        self,
        session: aiohttp.ClientSession,
        method: str,
        url: str,
        query: Sequence[tuple[str, str]],
        headers: Mapping[str, str] | None,
        body: bytes,
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        return session.request(
            method, url, params=list(query), headers=headers, data=body, allow_redirects=False
        )

    async def _session(self) -> aiohttp.ClientSession:
        if self._trust is None:
            # To read whom the system trusts takes too long for the loop.
            self._trust = await asyncio.to_thread(ssl.create_default_context)
        resolver = None if self._vets is None else self._vets.resolver()
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                ssl=self._trust, resolver=resolver, use_dns_cache=False, force_close=True
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECTS_WITHIN),
            headers={"User-Agent": f"finplan/{__version__}", "Accept": "application/json"},
            trust_env=False,
        )
        # A second request that nobody asked for would not be counted, and the client has no public way
        # to send one only; the tests of connections that are cut fail if this one ends.
        session._retry_connection = False  # noqa: SLF001
        return session

    def _unreached(self, error: Exception) -> str:
        if isinstance(error, aiohttp.ClientConnectorCertificateError):
            return f"{self.title} could not prove who it is (its certificate), so it was not asked."
        if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ClientConnectorDNSError):
            return f"{self.title} could not be reached. Look whether this machine is online."
        return f"The connection to {self.title} broke off before there was a whole answer."


def remark(said: object) -> str:
    """What an aggregator says of itself, fit to be shown: one line, without what hides, not too long."""
    text = visible(said) if isinstance(said, str) else ""
    return text if len(text) <= LONGEST_REMARK else f"{text[: LONGEST_REMARK - 1]}…"
