"""Google as OpenID Connect knows it: where it lets people sign in, and whom it says to be there.

What is asked of it is bounded in time and size, and no redirect is followed. What it has published is
asked for again after an hour, and its keys when a token names one that is not among them. All who wait
share one try, and one that failed holds for half a minute: else each visitor would wait anew. Its id
tokens are read as OpenID Connect Core 3.1.3.7 asks.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

import aiohttp

from finplan.bounded_connections import BoundedConnector
from finplan.model.errors import GoogleUnreachable, Unauthorized
from finplan.service.credentials.google import GoogleIdentity
from finplan.setting_values import is_encrypted_or_here

ALGORITHMS = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"}
)
"""Only a holder of a private key signs by these: never `none`, and never a secret that is shared."""

LEEWAY = 60
"""How far two clocks may be apart, in seconds."""

LONGEST_SUBJECT = 255


class UnknownKey(Exception):
    """A token is signed by a key that is not among those that are known."""


class NotIdentified(Unauthorized):
    """What came from an issuer does not show who is there."""

    example = "Google's answer could not be verified, so you were not signed in. Start again."


@dataclass(frozen=True, slots=True)
class ExpectedToken:
    """What an id token has to say: who issued it, for which client, in answer to what, and when."""

    issuer: str
    client_id: str
    nonce: str
    now: int


def read_identity(
    token: str,
    keys: Sequence[Mapping[str, Any]],
    algorithms: Sequence[str],
    expected: ExpectedToken,
) -> GoogleIdentity:
    """Whom an id token names. Raises UnknownKey, and NotIdentified for whatever is wrong with it."""
    claims = _signed_claims(token, keys, algorithms)
    for holds, what in (
        (_is_issuer(claims.get("iss"), expected.issuer), "the issuer is wrong"),
        (_is_for(claims, expected.client_id), "it is for another app"),
        (_is_present(claims, expected.now), "it has expired, or is not valid yet"),
        (_is_same(claims.get("nonce"), expected.nonce), "it belongs to another request"),
    ):
        if not holds:
            raise _untrusted_token(what)
    return _identity(claims)


def _signed_claims(
    token: str, keys: Sequence[Mapping[str, Any]], algorithms: Sequence[str]
) -> Mapping[str, Any]:
    from joserfc import jws, jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import import_key

    allowed = sorted(ALGORITHMS.intersection(algorithms))
    try:
        header = jws.extract_compact(token.encode()).headers()
        if header.get("alg") not in allowed:
            raise _untrusted_token("its signing method is not allowed")
        key = import_key(dict(_key_of(header.get("kid"), keys)))
        return jwt.decode(token, key, algorithms=allowed).claims
    except (JoseError, ValueError, TypeError) as error:
        raise _untrusted_token("its signature is invalid") from error


def _key_of(name: Any, keys: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The key of a name; a token that names none is of the only one that there is."""
    matches = [key for key in keys if key.get("kid") == name] if name is not None else keys
    if len(matches) != 1:
        raise UnknownKey
    return matches[0]


def _is_issuer(claim: Any, issuer: str) -> bool:
    # Google says its name with and without the scheme.
    return claim in {issuer, issuer.removeprefix("https://")}


def _is_for(claims: Mapping[str, Any], client_id: str) -> bool:
    audience, party = claims.get("aud"), claims.get("azp")
    if party is not None and party != client_id:
        return False
    if isinstance(audience, list):
        return client_id in audience and (len(audience) == 1 or party == client_id)
    return bool(audience == client_id)


def _is_present(claims: Mapping[str, Any], now: int) -> bool:
    ends, issued = claims.get("exp"), claims.get("iat")
    if not isinstance(ends, int | float) or not isinstance(issued, int | float):
        return False
    return ends > now - LEEWAY and issued <= now + LEEWAY


def _is_same(claim: Any, expected: str) -> bool:
    return isinstance(claim, str) and hmac.compare_digest(claim.encode(), expected.encode())


def _identity(claims: Mapping[str, Any]) -> GoogleIdentity:
    subject, email, name = (claims.get(key) for key in ("sub", "email", "name"))
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT:
        raise _untrusted_token("it does not say whose account it is for")
    if claims.get("email_verified") is not True or not isinstance(email, str):
        raise NotIdentified(
            "Google has not verified the e-mail address of this Google account, so you were not signed"
            " in. Verify it with Google, then start again."
        )
    return GoogleIdentity(subject, email, name if isinstance(name, str) else None)


def _untrusted_token(what: str) -> NotIdentified:
    return NotIdentified(
        f"Google's answer could not be verified: {what}. You were not signed in; start again."
    )


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
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": asking.redirect_uri,
            "scope": "openid email profile",
            "state": asking.state,
            "nonce": asking.nonce,
            "code_challenge": _pkce_challenge(asking.verifier),
            "code_challenge_method": "S256",
            # Several people may use this browser, and the one whom Google saw last is not always meant.
            "prompt": "select_account",
        }
        endpoint = published.endpoints["authorization_endpoint"]
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(query)}"

    async def check_issuer(self, issuer: str | None) -> None:
        """Refuse an answer of another issuer (RFC 9207). Raises NotIdentified, GoogleUnreachable."""
        if issuer is None and (await self._published()).names_itself:
            raise NotIdentified("The answer does not say who issued it. Start again.")
        if issuer is not None and issuer != self.issuer:
            raise NotIdentified("This answer is not from Google. Start again.")

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
                "Google has not published the key that signed its answer. Start again."
            ) from unknown

    async def _exchange(self, published: _Published, code: str, asking: GoogleRequest) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": asking.redirect_uri,
            "client_id": self.client_id,
            "client_secret": self.secret,
            "code_verifier": asking.verifier,
        }
        status, answer = await self._ask("POST", published.endpoints["token_endpoint"], form)
        token = answer.get("id_token")
        if status in {400, 401, 403}:
            # `invalid_client` is for who set this up, and nobody who signs in can mend it.
            if answer.get("error") == "invalid_client":
                raise GoogleUnreachable(
                    "Google rejected this finplan's client id or secret. The owner of the machine should"
                    " check `google_client_id` and its secret file."
                )
            raise NotIdentified(
                "Google rejected this sign-in: it was already used, has expired, or began in another"
                " browser. Start again."
            )
        if status != 200 or not isinstance(token, str):
            raise _strange_answer()
        return token

    async def _published(self, anew: _Published | None = None) -> _Published:
        """What Google has published; `anew` is what turned out to be out of date."""
        async with self._turn:
            cached, failed, now = self._known, self._failed, self.clock()
            if cached is not None and cached is not anew and now - cached.at < KNOWN_FOR:
                return cached
            if failed is not None and now - failed.at < FAILED_FOR:
                raise GoogleUnreachable(failed.message)
            try:
                self._known = await self._read_published(now)
            except GoogleUnreachable as failure:
                self._failed = _Failure(failure.message, self.clock())
                raise
            return self._known

    async def _read_published(self, now: float) -> _Published:
        status, document = await self._ask("GET", f"{self.issuer}{_DISCOVERY}")
        endpoints = {name: document.get(name) for name in _ENDPOINTS}
        is_valid = status == 200 and document.get("issuer") == self.issuer
        if not is_valid or not all(self._may_ask(endpoint) for endpoint in endpoints.values()):
            raise _strange_answer()
        places = {name: str(endpoint) for name, endpoint in endpoints.items()}
        status, answer = await self._ask("GET", places["jwks_uri"])
        keys = answer.get("keys")
        if status != 200 or not isinstance(keys, list):
            raise _strange_answer()
        algorithms = document.get("id_token_signing_alg_values_supported")
        return _Published(
            places,
            [str(alg) for alg in algorithms] if isinstance(algorithms, list) else ["RS256"],
            document.get("authorization_response_iss_parameter_supported") is True,
            [key for key in keys if isinstance(key, dict)],
            now,
        )

    def _may_ask(self, url: object) -> bool:
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
                return answer.status, _read_answer(await _bounded_answer(answer))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise GoogleUnreachable(
                "The machine that runs finplan cannot reach Google. Try again later, or sign in with"
                " your password."
            ) from error


def _pkce_challenge(verifier: str) -> str:
    """What PKCE tells ahead of a verifier, by its method S256 (RFC 7636)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


async def _bounded_answer(answer: aiohttp.ClientResponse) -> bytes:
    read = bytearray()
    async for some in answer.content.iter_any():
        read += some
        if len(read) > LARGEST_ANSWER:
            raise _strange_answer()
    return bytes(read)


def _read_answer(body: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        # A failure may be told as a page; its status says enough.
        return {}
    return document if isinstance(document, dict) else {}


def _strange_answer() -> GoogleUnreachable:
    return GoogleUnreachable(
        "finplan cannot read Google's answer. Try again later, or sign in with your password."
    )
