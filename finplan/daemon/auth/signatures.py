"""Requests signed with HTTP message signatures (RFC 9421), as Web Bot Auth uses them.

A signature is no credential: it only says which origin's automation sends the request, so that its
requests are counted for that origin. Which origins are known, and by which Ed25519 keys, is a setting;
nothing is fetched, and a signature that does not verify counts for nothing.
"""

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from aiohttp import hdrs, web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import (
    HTTPMessageSignaturesException,
    HTTPMessageVerifier,
    MappingKeyResolver,
    VerifyResult,
    algorithms,
)
from multidict import CIMultiDictProxy

from finplan.webhooks.signing import thumbprint

TAG = "web-bot-auth"
LONGEST_LIFE = timedelta(hours=24)
"""How long a signature may hold, by the draft of Web Bot Auth."""

MOST_LETTERS = 4096
"""How long the three headers of a signature may be together; more is not looked at."""

_HEADERS = ("Signature", "Signature-Input", "Signature-Agent")
_PLACES = ('"@authority"', '"@target-uri"')


@dataclass(frozen=True, slots=True)
class _Message:
    """A request as the signer saw it."""

    method: str
    url: str
    headers: CIMultiDictProxy[str]


def signers(keys: Iterable[tuple[str, str]], site_url: str) -> Callable[[web.Request], str | None]:
    """A function that answers the origin whose signature a request carries, None without a valid one.

    `keys` are pairs of an origin and one of its public keys, as the `x` of its JWK.
    """
    owners = {thumbprint(x): (origin, _public(x)) for origin, x in keys}
    verifier = HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(
            public_keys={name: key for name, (_, key) in owners.items()}, private_keys={}
        ),
    )
    site = urlsplit(site_url)

    def signer_of(request: web.Request) -> str | None:
        given = [request.headers.get(name, "") for name in _HEADERS]
        if not all(given) or sum(map(len, given)) > MOST_LETTERS:
            return None
        host = request.headers.get(hdrs.HOST, "")
        scheme = site.scheme if host.lower() == site.netloc.lower() else "http"
        message = _Message(request.method, f"{scheme}://{host}{request.raw_path}", request.headers)
        try:
            found = verifier.verify(message, max_age=LONGEST_LIFE, expect_tag=TAG)
        except (HTTPMessageSignaturesException, ValueError):
            return None
        return next((origin for each in found if (origin := _origin(each, owners))), None)

    return signer_of


def _public(x: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(x + "=" * (-len(x) % 4)))


def _origin(found: VerifyResult, owners: dict[str, tuple[str, Ed25519PublicKey]]) -> str | None:
    """The origin that a verified signature names, if the key is that origin's and all is covered."""
    covered, told = found.covered_components, found.parameters
    created, expires = told.get("created"), told.get("expires")
    if not (isinstance(created, int) and isinstance(expires, int)):
        return None
    if expires - created > LONGEST_LIFE.total_seconds():
        return None
    if not any(place in covered for place in _PLACES):
        return None
    # The header is a dictionary with a member for the label; older signers send one bare string.
    named = covered.get(f'"signature-agent";key="{found.label}"', covered.get('"signature-agent"'))
    origin, _ = owners[str(told["keyid"])]
    return origin if named == f'"{origin}"' else None
