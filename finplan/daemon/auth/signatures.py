"""Requests signed with HTTP message signatures (RFC 9421), as Web Bot Auth uses them.

A signature is no credential: it only says which origin's automation sends the request, so that its
requests are counted for that origin. Which origins are known, and by which Ed25519 keys, is a setting;
nothing is fetched, and a signature that does not verify counts for nothing. One that verifies is good
once: whoever has seen a request cannot use up what its origin may ask.
"""

import base64
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
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

from finplan.model.errors import Unauthorized
from finplan.webhooks.signing import thumbprint

TAG = "web-bot-auth"
LONGEST_LIFE = timedelta(hours=24)
"""How long a signature may hold, by the draft of Web Bot Auth."""

FRESH = timedelta(minutes=5)
"""How old a signature may be, so that few of them have to be remembered."""

MOST_SIGNATURES = 20_000
"""How many used signatures are remembered; further ones count for nothing."""

MOST_LETTERS = 4096
"""How long the three headers of a signature may be together; more is not looked at."""

_HEADERS = ("Signature", "Signature-Input", "Signature-Agent")


@dataclass(frozen=True, slots=True)
class _Message:
    """A request as the signer saw it."""

    method: str
    url: str
    headers: CIMultiDictProxy[str]


@dataclass(slots=True)
class UsedSignatures:
    """The signatures that were used lately, in memory of a bounded size.

    What was used before a restart is forgotten, so one that was made before it counts as used.
    """

    clock: Callable[[], float] = time.time
    most: int = MOST_SIGNATURES
    _began: float = field(init=False)
    _until: OrderedDict[bytes, float] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        # Signers tell whole seconds.
        self._began = self.clock() // 1

    def use(self, covered: Mapping[str, str], created: int) -> bool:
        """Use a signature of what it covers; answers False when too many are remembered.

        Raises Unauthorized for one that may have been used.
        """
        now = self.clock()
        while self._until and next(iter(self._until.values())) <= now:
            self._until.popitem(last=False)
        name = hashlib.sha256("\n".join(f"{k}: {v}" for k, v in covered.items()).encode()).digest()
        if name in self._until or created < self._began:
            raise Unauthorized(
                "This signature was used before, or was made before the background service started."
                " Create a new signature for each request. To send identical requests within one "
                "second, add a `nonce`."
            )
        if len(self._until) >= self.most:
            return False
        # Clocks may differ by some seconds, in which it would verify once more.
        self._until[name] = created + 2 * FRESH.total_seconds()
        return True


def signers(
    keys: Iterable[tuple[str, str]], site_url: str, used: UsedSignatures | None = None
) -> Callable[[web.Request], str | None]:
    """A function that answers the origin whose signature a request carries, None without a valid one.

    `keys` are pairs of an origin and one of its public keys, as the `x` of its JWK. The function raises
    Unauthorized for a signature that comes again.
    """
    remembered = used or UsedSignatures()
    owners = {thumbprint(x): (origin, _public(x)) for origin, x in keys}
    verifier = HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(
            public_keys={name: key for name, (_, key) in owners.items()}, private_keys={}
        ),
    )
    site = urlsplit(site_url)

    def signer_of(request: web.Request) -> str | None:
        values = [request.headers.get(name, "") for name in _HEADERS]
        if not all(values) or sum(map(len, values)) > MOST_LETTERS:
            return None
        host = request.headers.get(hdrs.HOST, "")
        scheme = site.scheme if host.lower() == site.netloc.lower() else "http"
        message = _Message(request.method, f"{scheme}://{host}{request.raw_path}", request.headers)
        try:
            results = verifier.verify(message, max_age=FRESH, expect_tag=TAG)
        except (HTTPMessageSignaturesException, ValueError):
            return None
        for result in results:
            origin = _origin(result, owners, "?" in request.raw_path)
            if origin and remembered.use(
                result.covered_components, int(result.parameters["created"])
            ):
                return origin
        return None

    return signer_of


def _public(x: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(x + "=" * (-len(x) % 4)))


def _origin(
    result: VerifyResult, owners: dict[str, tuple[str, Ed25519PublicKey]], has_query: bool
) -> str | None:
    """The origin that a verified signature names, if the key is that origin's and all is covered."""
    covered, parameters = result.covered_components, result.parameters
    created, expires = parameters.get("created"), parameters.get("expires")
    if not (isinstance(created, int) and isinstance(expires, int)):
        return None
    if expires - created > LONGEST_LIFE.total_seconds():
        return None
    if not _covers_request(covered, has_query):
        return None
    # The header is a dictionary with a member for the label; older signers send one bare string.
    agent = covered.get(f'"signature-agent";key="{result.label}"', covered.get('"signature-agent"'))
    origin, _ = owners[str(parameters["keyid"])]
    return origin if agent == f'"{origin}"' else None


def _covers_request(covered: Mapping[str, str], has_query: bool) -> bool:
    """Whether method and whole address are signed, so that the signature fits no other request."""
    address = {'"@authority"', '"@path"', *(('"@query"',) if has_query else ())}
    return '"@method"' in covered and ('"@target-uri"' in covered or address <= covered.keys())
