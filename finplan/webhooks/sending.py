"""One attempt: a letter is signed and posted to the vetted address, and nothing of the answer is kept.

Names are resolved for each connection, and what they resolve to is vetted then and connected to, so
that a name cannot lead elsewhere a moment later. No redirect is followed and no proxy asked.
"""

import asyncio
import errno
import os
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address
from pathlib import Path

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from finplan import __version__
from finplan.bounded_connections import AnsweredTooMuch, BoundedConnector
from finplan.model.errors import Fault
from finplan.webhooks import targets
from finplan.webhooks.courier import Letter
from finplan.webhooks.listener import LISTENS_AT, Listener, read_listener, trust_alone
from finplan.webhooks.retries import Attempt, read_retry_after
from finplan.webhooks.signing import MessageKey, requested_url, signed_headers

TIMEOUT = 20.0
"""How long an attempt may take, in seconds."""

CONNECTS_WITHIN = 10.0
RECEIVED_AT_MOST = 64 * 1024
"""How much may arrive in answer to one request before its connection is closed, in bytes."""

READ_AT_MOST = 16 * 1024
"""How much of an answer is read, in bytes; a connection with more to come is closed."""

READ_WITHIN = 2.0
"""How long is waited for what follows the status of an answer, in seconds."""

LOOKED_UP_WITHIN = 10.0
"""How long the look-up of a name may take, in seconds."""

LONGEST_ERROR = 200
_ANY_PORT = 9

# A look-up holds its thread for as long as the system likes, so it takes none that others wait for.
_LOOK_UPS = ThreadPoolExecutor(32, "look-up")

LookUpHost = Callable[[str, int], Awaitable[Sequence[str]]]
"""Answers the addresses of a host. Raises OSError."""

KeyOf = Callable[[int], Awaitable[MessageKey]]
"""The key that signs at an instant. Raises Fault."""


async def look_up_host(host: str, port: int) -> Sequence[str]:
    """Ask the system for the addresses of a host. Raises OSError."""
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_LOOK_UPS, ask)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_own_address(address: str) -> bool:
    """Whether an address is of an interface of this machine, now.

    The system says by which address it would reach another one; its own it reaches by itself. Nothing
    is sent.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((address, _ANY_PORT))
            source: str = asking.getsockname()[0]
    except OSError:
        # It cannot be reached at all.
        return False
    return ip_address(source) == ip_address(address)


@dataclass(frozen=True, slots=True)
class Vetting:
    """Says where deliveries may go, by the rules of `targets` and what the owner allows.

    `listener` is the file that names the one of `finplan webhooks listen`.
    """

    private: targets.PrivateTargets
    look_up: LookUpHost = look_up_host
    listener: Path | None = None
    is_own: Callable[[str], bool] = is_own_address

    async def check_url(self, url: str) -> None:
        """Raise RefusedTarget, with a sentence, unless deliveries may be sent to a URL now."""
        target = targets.read_target(url)
        if self.listener_at(url) is None:
            await self.addresses(target.host, target.port)

    def listener_at(self, url: str) -> Listener | None:
        """The listener of this machine whose very URL this is, None for any other."""
        if self.listener is None or not url.startswith(LISTENS_AT):
            return None
        found = read_listener(self.listener)
        return found if found is not None and found.url == url else None

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        """The vetted addresses of a host. Raises RefusedTarget."""
        if targets.literal_address(host) is not None:
            addresses: Sequence[str] = [host]
        else:
            try:
                async with asyncio.timeout(LOOKED_UP_WITHIN):
                    addresses = await self.look_up(host, port)
            except TimeoutError:
                raise targets.RefusedTarget(
                    f"Looking up {host} took longer than {LOOKED_UP_WITHIN:.0f} seconds. Check that"
                    " this machine is online, then try again."
                ) from None
            except (OSError, UnicodeError):
                raise targets.RefusedTarget(
                    f"{host} does not resolve to an address. Check the name."
                ) from None
        targets.vet(host, addresses, self.private, list(filter(self.is_own, addresses)))
        return addresses


class VettingResolver(AbstractResolver):
    """Resolves names for the client, to vetted addresses alone. Raises RefusedTarget."""

    def __init__(self, vetting: Vetting) -> None:
        self._vetting = vetting

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002  # The base class names it.
    ) -> list[ResolveResult]:
        """The vetted addresses of a host."""
        addresses = await self._vetting.addresses(host, port)
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        """Nothing is kept open."""


@dataclass(slots=True)
class Sender:
    """Sends letters, signed for a site; `authorities` is a file of certificates trusted besides."""

    site_url: str
    key_of: KeyOf
    vetting: Vetting
    authorities: Path | None = None
    _session: aiohttp.ClientSession | None = field(default=None, init=False)
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def send(self, letter: Letter, now: int) -> Attempt:
        """Send a letter; whatever goes wrong is told as the attempt's outcome."""
        if not letter.secrets:
            return Attempt(
                None,
                "The webhook's signing secret cannot be decrypted: the data key has changed. Make"
                " a new secret with `finplan webhooks rotate`.",
            )
        try:
            async with asyncio.timeout(TIMEOUT) as limit:
                return await self._post(letter, now, limit)
        except aiohttp.ConnectionTimeoutError:
            return Attempt(None, f"No connection within {CONNECTS_WITHIN:.0f} seconds.")
        except TimeoutError:
            return Attempt(None, f"No answer within {TIMEOUT:.0f} seconds.")
        except (targets.RefusedTarget, Fault, OSError, aiohttp.ClientError, ValueError) as error:
            return Attempt(None, _describe_error(error))

    async def close(self) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()

    async def _post(self, letter: Letter, now: int, limit: asyncio.Timeout) -> Attempt:
        target = targets.read_target(letter.url)
        listener = self.vetting.listener_at(letter.url)
        # The client asks no resolver for what is an address already.
        if listener is None and targets.literal_address(target.host) is not None:
            await self.vetting.addresses(target.host, target.port)
        url = requested_url(letter.url)
        headers = signed_headers(
            delivery=letter.id,
            body=letter.body,
            url=url,
            secrets=letter.secrets,
            key=await self.key_of(now),
            site_url=self.site_url,
            now=now,
        )
        session = await self._open()
        async with session.post(
            URL(url, encoded=True),
            data=letter.body,
            headers=headers,
            allow_redirects=False,
            ssl=True if listener is None else trust_alone(listener.certificate),
        ) as answer:
            # The status has come in time and decides; what follows it is read for the connection's sake.
            limit.reschedule(None)
            await _read_a_little(answer)
            return _attempt(answer, now)

    async def _open(self) -> aiohttp.ClientSession:
        async with self._opening:
            if self._session is None:
                # To read whom the system trusts takes too long for the loop.
                context = await asyncio.to_thread(_trust, self.authorities)
                self._session = aiohttp.ClientSession(
                    connector=BoundedConnector(
                        RECEIVED_AT_MOST,
                        limit=0,
                        ssl=context,
                        resolver=VettingResolver(self.vetting),
                        use_dns_cache=False,
                    ),
                    cookie_jar=aiohttp.DummyCookieJar(),
                    timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECTS_WITHIN),
                    headers={"User-Agent": f"finplan/{__version__}", "Accept": "*/*"},
                    skip_auto_headers=("Accept-Encoding",),
                    auto_decompress=False,
                    trust_env=False,
                )
        return self._session


def _trust(authorities: Path | None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if authorities is not None:
        try:
            context.load_verify_locations(cafile=authorities)
        except (OSError, ssl.SSLError) as error:
            raise OSError(
                f"{authorities} (the setting `webhook_ca`) is not a certificate file"
            ) from error
    return context


async def _read_a_little(answer: aiohttp.ClientResponse) -> None:
    """Read an answer to its end, so that its connection serves again; of a long one only a part.

    Whoever is cancelled meanwhile reads no more and goes on: the status is known, and to be reported.
    """
    left = READ_AT_MOST
    with suppress(TimeoutError, aiohttp.ClientError, OSError, asyncio.CancelledError):
        async with asyncio.timeout(READ_WITHIN):
            while left > 0:
                piece = await answer.content.read(left)
                if not piece:
                    return
                left -= len(piece)
    answer.close()


def _attempt(answer: aiohttp.ClientResponse, now: int) -> Attempt:
    status = answer.status
    if 200 <= status < 300:
        return Attempt(status)
    if 300 <= status < 400:
        error = f"The receiver redirected ({status}). finplan does not follow redirects."
    elif status == 410:
        error = "The receiver no longer wants deliveries (410)."
    else:
        error = f"The receiver answered {status}."
    return Attempt(status, error, read_retry_after(answer.headers.get("Retry-After"), now))


def _describe_error(error: BaseException) -> str:
    """What went wrong, as a sentence; nothing of it is the receiver's own words."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, targets.RefusedTarget | Fault):
            return str(cause)
        # The client's own error is of this kind as well, and does not have the reason.
        reason = getattr(cause, "verify_message", None)
        if isinstance(cause, ssl.SSLCertVerificationError) and reason:
            return f"The certificate is not trusted: {str(reason).rstrip('.')}."[:LONGEST_ERROR]
    if isinstance(error, aiohttp.ClientConnectorError):
        # Its own words are a program's, and name the address; those of the system name the reason.
        number = error.os_error.errno or 0
        reason = os.strerror(number).lower() if number in errno.errorcode else "refused"
        return f"Could not connect: {reason}."
    for kind, sentence in _SENTENCES.items():
        if isinstance(error, kind):
            return sentence
    if isinstance(error, OSError) and not isinstance(error, aiohttp.ClientError):
        return f"{error}."[:LONGEST_ERROR]
    return f"The request failed ({type(error).__name__})."


_SENTENCES: Mapping[type[BaseException], str] = {
    AnsweredTooMuch: "The receiver sent more than 64 KB without a status.",
    aiohttp.ServerDisconnectedError: "The receiver closed the connection without an answer.",
    aiohttp.ClientResponseError: "The answer is not valid HTTP.",
}


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
