"""Google as OpenID Connect knows it: where it lets people sign in, and whom it says to be there.

What is asked of it is bounded in time and size, and no redirect is followed. What it has published is
asked for again after an hour, and its keys when a token names one that is not among them. All who wait
share one try, and one that failed holds for half a minute: else each visitor would wait anew.
"""

import asyncio
import base64
import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

import aiohttp

from finplan.bounded_connections import BoundedConnector
from finplan.daemon.auth.id_tokens import ExpectedToken, NotIdentified, UnknownKey, read_identity
from finplan.model.errors import GoogleUnreachable
from finplan.service.credentials.google import GoogleIdentity
from finplan.setting_values import is_encrypted_or_here

TIMEOUT = 10.0
"""How long one request to Google may take, in seconds."""

LARGEST_ANSWER = 256 * 1024
KNOWN_FOR = 3600.0
"""How long what Google has published is taken to hold, in seconds."""

FAILED_FOR = 30.0
"""How long nobody asks again what Google has published once it could not be read, in seconds."""

_DISCOVERY = "/.well-known/openid-configuration"
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@dataclass(frozen=True, slots=True)
class GoogleRequest:
    """One request to sign in, as Google is told of it; `verifier` is told when it has answered."""

    redirect_uri: str
    state: str
    nonce: str
    verifier: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Published:
    """Where Google does what, by which algorithms it signs, and its keys."""

    endpoints: Mapping[str, str]
    algorithms: Sequence[str]
    names_itself: bool
    keys: Sequence[Mapping[str, Any]]
    at: float


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why what Google has published could not be read, and when."""

    message: str
    at: float


@dataclass(slots=True)
class GoogleSignIn:
    """Asks an issuer who is there, as one client of it."""

    issuer: str
    client_id: str
    secret: str = field(repr=False)
    clock: Callable[[], float] = time.monotonic
    _known: _Published | None = None
    _failed: _Failure | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def way(self, asking: GoogleRequest) -> str:
        """Where a browser signs in. Raises GoogleUnreachable."""
        published = await self._published()
        told = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": asking.redirect_uri,
            "scope": "openid email profile",
            "state": asking.state,
            "nonce": asking.nonce,
            "code_challenge": _challenge(asking.verifier),
            "code_challenge_method": "S256",
            # Several people may use this browser, and the one whom Google saw last is not always meant.
            "prompt": "select_account",
        }
        endpoint = published.endpoints["authorization_endpoint"]
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(told)}"

    async def check_issuer(self, said: str | None) -> None:
        """Refuse an answer of another issuer (RFC 9207). Raises NotIdentified, GoogleUnreachable."""
        if said is None and (await self._published()).names_itself:
            raise NotIdentified("The answer does not say that Google gave it. Begin again.")
        if said is not None and said != self.issuer:
            raise NotIdentified("Somebody else than Google gave this answer. Begin again.")

    async def identify(self, code: str, asking: GoogleRequest, now: int) -> GoogleIdentity:
        """Whom Google says to be there. Raises NotIdentified, GoogleUnreachable."""
        published = await self._published()
        token = await self._exchange(published, code, asking)
        expected = ExpectedToken(self.issuer, self.client_id, asking.nonce, now)
        try:
            return read_identity(token, published.keys, published.algorithms, expected)
        except UnknownKey:
            # Keys are changed now and then; once is enough to see that.
            published = await self._published(anew=published)
        try:
            return read_identity(token, published.keys, published.algorithms, expected)
        except UnknownKey as unknown:
            raise NotIdentified(
                "What Google said is signed by a key that it has not published. Begin again."
            ) from unknown

    async def _exchange(self, published: _Published, code: str, asking: GoogleRequest) -> str:
        told = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": asking.redirect_uri,
            "client_id": self.client_id,
            "client_secret": self.secret,
            "code_verifier": asking.verifier,
        }
        status, answer = await self._ask("POST", published.endpoints["token_endpoint"], told)
        token = answer.get("id_token")
        if status in {400, 401, 403}:
            # `invalid_client` is for who set this up, and nobody who signs in can mend it.
            if answer.get("error") == "invalid_client":
                raise GoogleUnreachable(
                    "Google does not know this finplan, or its secret is another one. Whoever owns the"
                    " machine looks after `google_client_id` and the secret beside it."
                )
            raise NotIdentified(
                "Google does not take this answer: it was used already, is over, or is not of this"
                " browser. Begin again."
            )
        if status != 200 or not isinstance(token, str):
            raise _strange()
        return token

    async def _published(self, anew: _Published | None = None) -> _Published:
        """What Google has published; `anew` is what turned out to be out of date."""
        async with self._turn:
            known, failed, now = self._known, self._failed, self.clock()
            if known is not None and known is not anew and now - known.at < KNOWN_FOR:
                return known
            if failed is not None and now - failed.at < FAILED_FOR:
                raise GoogleUnreachable(failed.message)
            try:
                self._known = await self._read_published(now)
            except GoogleUnreachable as failure:
                self._failed = _Failure(failure.message, self.clock())
                raise
            return self._known

    async def _read_published(self, now: float) -> _Published:
        status, told = await self._ask("GET", f"{self.issuer}{_DISCOVERY}")
        endpoints = {name: told.get(name) for name in _ENDPOINTS}
        whole = status == 200 and told.get("issuer") == self.issuer
        if not whole or not all(self._may_be_asked(each) for each in endpoints.values()):
            raise _strange()
        places = {name: str(each) for name, each in endpoints.items()}
        status, answer = await self._ask("GET", places["jwks_uri"])
        keys = answer.get("keys")
        if status != 200 or not isinstance(keys, list):
            raise _strange()
        algorithms = told.get("id_token_signing_alg_values_supported")
        return _Published(
            places,
            [str(each) for each in algorithms] if isinstance(algorithms, list) else ["RS256"],
            told.get("authorization_response_iss_parameter_supported") is True,
            [key for key in keys if isinstance(key, dict)],
            now,
        )

    def _may_be_asked(self, url: object) -> bool:
        # An issuer that is reached in clear is one of this machine, and so is then whatever it names.
        if not isinstance(url, str) or not is_encrypted_or_here(url):
            return False
        return urlsplit(url).scheme == "https" or not self.issuer.startswith("https://")

    async def _ask(
        self, method: str, url: str, form: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, Any]]:
        timeout = aiohttp.ClientTimeout(total=TIMEOUT)
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        try:
            async with (
                aiohttp.ClientSession(
                    connector=BoundedConnector(2 * LARGEST_ANSWER),
                    timeout=timeout,
                    auto_decompress=False,
                ) as session,
                session.request(
                    method, url, data=form, headers=headers, allow_redirects=False
                ) as answer,
            ):
                return answer.status, _read(await _bounded(answer))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise GoogleUnreachable(
                "Google cannot be reached from the machine that finplan runs on. Try again in a while,"
                " or sign in with your password."
            ) from error


def _challenge(verifier: str) -> str:
    """What PKCE tells ahead of a verifier, by its method S256 (RFC 7636)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


async def _bounded(answer: aiohttp.ClientResponse) -> bytes:
    read = bytearray()
    async for some in answer.content.iter_any():
        read += some
        if len(read) > LARGEST_ANSWER:
            raise _strange()
    return bytes(read)


def _read(body: bytes) -> Mapping[str, Any]:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        # A failure may be told as a page; its status says enough.
        return {}
    return told if isinstance(told, dict) else {}


def _strange() -> GoogleUnreachable:
    return GoogleUnreachable(
        "Google answered in a way that cannot be understood. Try again in a while, or sign in with your"
        " password."
    )
