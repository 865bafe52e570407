"""Whether a delivery is ours and whole, as a receiver finds out by the secret and by a key."""

import base64
import binascii
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from finplan.webhooks.signing import HOLDS_FOR, REQUEST_TAG, secret_signature

COVERED = (
    "@method",
    "@authority",
    "@target-uri",
    "content-digest",
    "webhook-id",
    "webhook-timestamp",
)
"""What the signature by a key has to cover, so that nothing that counts can be another."""

_KEY_NAME = re.compile(r';keyid="([^"]{1,200})"')
_SECONDS = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class ReceivedDelivery:
    """A request as it arrived at a URL; `headers` are found by their names in any case."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    method: str = "POST"


@dataclass(frozen=True, slots=True)
class CheckedDelivery:
    """A delivery that arrived, and why it fails by the secret and by a key: None where it holds."""

    id: str
    body: bytes
    fault_of_secret: str | None
    fault_of_key: str | None

    @property
    def verified(self) -> bool:
        """Whether both signatures hold."""
        return self.fault_of_secret is None and self.fault_of_key is None


def fault_by_secret(received: ReceivedDelivery, secret: bytes, seconds: int) -> str | None:
    """Why a delivery does not verify by the secret at an instant, None where it does."""
    headers = received.headers
    delivery, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    given = headers.get("webhook-signature", "").split()
    if not (delivery and sent and given):
        return "It has no signature with the secret."
    if not _SECONDS.fullmatch(sent) or abs(seconds - int(sent)) > HOLDS_FOR:
        return "Its time is not within five minutes of now."
    expected = secret_signature(secret, delivery, int(sent), received.body).encode()
    if not any(hmac.compare_digest(each.encode(), expected) for each in given):
        return "It was signed with another secret, or something of it was changed."
    return None


def key_name(received: ReceivedDelivery) -> str | None:
    """The name of the key that a delivery says it is signed by."""
    found = _KEY_NAME.search(received.headers.get("signature-input", ""))
    return None if found is None else found[1]


def fault_by_key(received: ReceivedDelivery, published: Mapping[str, str]) -> str | None:
    """Why a delivery does not verify by the published keys, None where it does.

    `published` has the public half of each key, as the `x` of its JWK, by the key's name.
    """
    # The library is needed by receivers alone.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from http_message_signatures import (
        HTTPMessageSignaturesException,
        HTTPMessageVerifier,
        MappingKeyResolver,
        algorithms,
    )

    name = key_name(received)
    if name is None:
        return "It has no signature by a key."
    if name not in published:
        return "The key that it names is not in the published directory."
    x = published[name]
    try:
        key: Any = Ed25519PublicKey.from_public_bytes(
            base64.urlsafe_b64decode(x + "=" * (-len(x) % 4))
        )
        HTTPMessageVerifier(
            signature_algorithm=algorithms.ED25519,
            key_resolver=MappingKeyResolver(public_keys={name: key}, private_keys={}),
        ).verify(
            received,
            max_age=timedelta(seconds=HOLDS_FOR),
            expect_tag=REQUEST_TAG,
            require_components=COVERED,
            body=received.body,
        )
    except (HTTPMessageSignaturesException, ValueError, binascii.Error):
        return "Its signature by the published key does not fit: something of it was changed."
    return None
