"""Requests to aggregators: over TLS alone, bounded in time and size, and failures in a person's words.

An address that a caller brought along is vetted as the targets of webhooks are. No redirect is followed,
since it could lead the credentials elsewhere. What a server sends is received by a loop in a thread of
its own, and read in a process of its own unless it is small, so that no answer holds up a request.
"""

import asyncio
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Protocol

import aiohttp
from aiohttp.abc import AbstractResolver

from finplan import __version__
from finplan.banks import answer as answers
from finplan.bounded_connections import AnsweredTooMuch, BoundedConnector
from finplan.model.errors import BankFailure, BankProviderError

PATIENCE = 90.0
"""How long one answer may take, in seconds: an aggregator may ask the bank itself meanwhile."""

_CONNECTS_WITHIN = 15.0

RECEIVED_AT_MOST = 2 * answers.LARGEST_ANSWER
"""How much may arrive in answer to one request, with all that frames it, in bytes."""

_PACKED = ("gzip", "x-gzip", "deflate")


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


class ReadsApart(Protocol):
    """Does work on an answer away from the loop; the work can be pickled."""

    async def __call__(self, work: Callable[[], answers.AnswerValue], /) -> answers.AnswerValue:
        """Answer or raise what the work does. Raises TooMuch where it takes too much memory or time."""
        ...


class BankHttp:
    """Sends the requests of one aggregator, which its sentences call `title`.

    `trust` is what certificates are judged by, the system's own where it is None. `vets` is for where a
    caller says what address is asked. `apart` reads answers that are not small, in a thread where it is
    None.
    """

    def __init__(
        self,
        title: str,
        *,
        trust: ssl.SSLContext | None = None,
        vets: Vets | None = None,
        apart: ReadsApart | None = None,
    ) -> None:
        self.title = title
        self._trust = trust
        self._vets = vets
        self._apart: ReadsApart = asyncio.to_thread if apart is None else apart

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
            raise self.failure(
                f"{self.title} sent an address that is not encrypted (https), so finplan did not"
                " use it. Try again later."
            )
        reply = self._ask(method, url, query, headers, body)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(reply, _loop_of_banks()))

    def read_small(self, reply: BankReply) -> Any:
        """The JSON of an answer that cannot be long. Raises BankProviderError."""
        if not answers.is_small(reply.body):
            raise self._too_much()
        try:
            return answers.parse_answer(reply.body)
        except answers.NotJson:
            raise self._not_json() from None

    async def read(
        self, reply: BankReply, read: answers.Reader[answers.AnswerValue]
    ) -> answers.AnswerValue:
        """What a reader makes of an answer's JSON.

        Raises BankProviderError where it cannot be read, and what else the reader raises.
        """
        work = partial(answers.read_answer, reply.body, read)
        try:
            return work() if answers.is_small(reply.body) else await self._apart(work)
        except answers.TooMuch:
            raise self._too_much() from None
        except answers.NotJson:
            raise self._not_json() from None
        except answers.Unreadable as error:
            raise self.failure(
                f"finplan cannot read {self.title}'s answer: {error}. finplan tries again at the"
                " next sync."
            ) from None

    async def _ask(
        self,
        method: str,
        url: str,
        query: Sequence[tuple[str, str]],
        headers: Mapping[str, str] | None,
        body: bytes,
    ) -> BankReply:
        if self._vets is not None:
            await self._vets.check(url)
        content = bytearray()
        try:
            async with (
                asyncio.timeout(PATIENCE),
                await self._session() as session,
                session.request(
                    method,
                    url,
                    params=list(query),
                    headers=headers,
                    data=body,
                    allow_redirects=False,
                ) as answer,
            ):
                while len(content) <= answers.LARGEST_ANSWER and (
                    piece := await answer.content.readany()
                ):
                    content += piece
        except TimeoutError:
            raise self.failure(
                f"{self.title} did not answer within {PATIENCE:.0f} seconds. Try again later."
            ) from None
        except AnsweredTooMuch:
            raise self._too_much() from None
        except (aiohttp.ClientError, OSError) as error:
            raise self.failure(self._unreached(error)) from None
        return BankReply(answer.status, answer.headers, self._unpacked(answer, bytes(content)))

    def _unpacked(self, answer: aiohttp.ClientResponse, content: bytes) -> bytes:
        if len(content) > answers.LARGEST_ANSWER:
            raise self._too_much()
        if answer.headers.get("Content-Encoding", "").strip().lower() not in _PACKED:
            return content
        try:
            return answers.unpack(content)
        except answers.TooMuch:
            raise self._too_much() from None
        except answers.NotJson:
            raise self._not_json() from None

    def _not_json(self) -> BankProviderError:
        return self.failure(f"{self.title} sent an answer that is not JSON. Try again later.")

    def _too_much(self) -> BankProviderError:
        return self.failure(
            f"{self.title} sent an answer that is too large, so nothing changed. Try again later."
        )

    def failure(self, message: str, failure: BankFailure = "provider_error") -> BankProviderError:
        """What is raised for a failure of this aggregator."""
        return BankProviderError(message, "aggregator", failure)

    async def _session(self) -> aiohttp.ClientSession:
        if self._trust is None:
            # To read whom the system trusts takes too long for the loop.
            self._trust = await asyncio.to_thread(ssl.create_default_context)
        resolver = None if self._vets is None else self._vets.resolver()
        session = aiohttp.ClientSession(
            connector=BoundedConnector(
                RECEIVED_AT_MOST,
                ssl=self._trust,
                resolver=resolver,
                use_dns_cache=False,
                force_close=True,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECTS_WITHIN),
            headers={
                "User-Agent": f"finplan/{__version__}",
                "Accept": "application/json",
                "Accept-Encoding": "gzip, deflate",
            },
            auto_decompress=False,
            trust_env=False,
        )
        # A second request that nobody asked for would not be counted, and the client has no public way
        # to send one only; the tests of connections that are cut fail if this one ends.
        session._retry_connection = False  # noqa: SLF001
        return session

    def _unreached(self, error: Exception) -> str:
        if isinstance(error, aiohttp.ClientConnectorCertificateError):
            return (
                f"The certificate of {self.title} is not valid, so finplan did not connect. Check"
                " this machine's date and network."
            )
        if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ClientConnectorDNSError):
            return f"Cannot reach {self.title}. Check your internet connection."
        return f"The connection to {self.title} was interrupted. Try again."


@cache
def _loop_of_banks() -> asyncio.AbstractEventLoop:
    """A loop in a thread of its own, which ends with the process."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="banks", daemon=True).start()
    return loop
