"""How deliveries are signed: by Standard Webhooks with a secret, and by RFC 9421 with a key.

The first says to who knows the secret that a delivery is ours and whole; the second says so to
anybody who has read the published directory of our keys. A receiver verifies either.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SCHEME = "v1"
"""What a signature with the secret begins with."""

DIRECTORY_PATH = "/.well-known/http-message-signatures-directory"
DIRECTORY_TYPE = "application/http-message-signatures-directory+json"
DIRECTORY_TAG = "http-message-signatures-directory"
REQUEST_TAG = "web-bot-auth"
"""The tag that the directory's keys are registered for."""

LABEL = "sig1"
HOLDS_FOR = 5 * 60
"""How long a signature of a delivery holds, in seconds; receivers of the other one allow as much."""

DIRECTORY_HOLDS_FOR = 24 * 60 * 60
_USUAL = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class MessageKey:
    """A private key of the service, with the name that its public half has in the directory."""

    kid: str
    private: "Ed25519PrivateKey" = field(repr=False)


def secret_signature(secret: bytes, delivery: str, seconds: int, body: bytes) -> str:
    """What Standard Webhooks signs a delivery with, by one secret."""
    signed = f"{delivery}.{seconds}.".encode() + body
    mac = hmac.new(secret, signed, hashlib.sha256).digest()
    return f"{SCHEME},{base64.b64encode(mac).decode()}"


def signed_headers(
    *,
    delivery: str,
    body: bytes,
    url: str,
    secrets: Sequence[bytes],
    key: MessageKey,
    site_url: str,
    now: int,
) -> dict[str, str]:
    """The headers of one attempt at an instant in milliseconds, signed both ways.

    Every one of the `secrets` signs it, so that a receiver may change from one to the next.
    """
    seconds = now // 1000
    sent = {
        "Content-Type": "application/json",
        "Content-Digest": content_digest(body),
        "webhook-id": delivery,
        "webhook-timestamp": str(seconds),
    }
    covered = {
        '"@method"': "POST",
        '"@authority"': authority_of(url),
        '"@target-uri"': url,
        **{f'"{name.lower()}"': value for name, value in sent.items()},
        f'"signature-agent";key="{LABEL}"': f'"{site_url}"',
    }
    told, signature = sign_message(
        key, covered, _signature_params(key, seconds, HOLDS_FOR, REQUEST_TAG)
    )
    return {
        **sent,
        "webhook-signature": " ".join(
            secret_signature(secret, delivery, seconds, body) for secret in secrets
        ),
        "Signature-Agent": f'{LABEL}="{site_url}"',
        "Signature-Input": f"{LABEL}={told}",
        "Signature": f"{LABEL}={signature}",
    }


def directory_headers(
    body: bytes, keys: Sequence[MessageKey], authority: str, now: int
) -> dict[str, str]:
    """The headers that the directory of keys is answered with to who asked `authority`, once per key.

    Without a key that can sign, it is answered unsigned.
    """
    headers = {"Content-Type": DIRECTORY_TYPE, "Content-Digest": content_digest(body)}
    covered = {'"@authority";req': authority, '"content-digest"': headers["Content-Digest"]}
    signed = [
        sign_message(
            key, covered, _signature_params(key, now // 1000, DIRECTORY_HOLDS_FOR, DIRECTORY_TAG)
        )
        for key in keys
    ]
    if signed:
        labelled = [(f"sig{place}", *each) for place, each in enumerate(signed, 1)]
        headers["Signature-Input"] = ", ".join(f"{label}={told}" for label, told, _ in labelled)
        headers["Signature"] = ", ".join(f"{label}={proof}" for label, _, proof in labelled)
    return headers


def sign_message(
    key: MessageKey, covered: Mapping[str, str], told: Mapping[str, int | str]
) -> tuple[str, str]:
    """Sign what is covered, by the identifier of each component (RFC 9421, 2.5).

    Answers what the signature tells of itself, and the signature, each as a member of its header.
    """
    parameters = "".join(
        f";{name}={value}" if isinstance(value, int) else f';{name}="{value}"'
        for name, value in told.items()
    )
    inner = f"({' '.join(covered)}){parameters}"
    lines = [f"{component}: {value}" for component, value in covered.items()]
    base = "\n".join([*lines, f'"@signature-params": {inner}'])
    proof = base64.b64encode(key.private.sign(base.encode("ascii"))).decode()
    return inner, f":{proof}:"


def content_digest(body: bytes) -> str:
    """The Content-Digest of a body (RFC 9530)."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


def public_jwk(x: bytes) -> dict[str, str]:
    """A public key of 32 bytes as it stands in the directory, under the name that it is known by."""
    text = base64.urlsafe_b64encode(x).rstrip(b"=").decode()
    return {"kty": "OKP", "crv": "Ed25519", "kid": thumbprint(text), "x": text, "use": "sig"}


def thumbprint(x: str) -> str:
    """The name of a public key: the thumbprint of its JWK (RFC 7638)."""
    members = {"crv": "Ed25519", "kty": "OKP", "x": x}
    canonical = json.dumps(members, separators=(",", ":"), sort_keys=True).encode()
    return base64.urlsafe_b64encode(hashlib.sha256(canonical).digest()).rstrip(b"=").decode()


def requested_url(url: str) -> str:
    """A URL as it is asked for: the host in lower case, no port where it is the usual one, a path."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme.lower(), authority_of(url), parts.path or "/", parts.query, ""))


def authority_of(url: str) -> str:
    """The host that a URL is of, in lower case, and its port where that is not the usual one."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    shown = f"[{host}]" if ":" in host else host
    return shown if parts.port in {None, _USUAL[parts.scheme.lower()]} else f"{shown}:{parts.port}"


def _signature_params(
    key: MessageKey, seconds: int, holds_for: int, tag: str
) -> Mapping[str, int | str]:
    return {"created": seconds, "expires": seconds + holds_for, "keyid": key.kid, "tag": tag}


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
        return "The signature made with the secret is missing."
    if not _SECONDS.fullmatch(sent) or abs(seconds - int(sent)) > HOLDS_FOR:
        return "The signature's time differs from the current time by more than five minutes."
    expected = secret_signature(secret, delivery, int(sent), received.body).encode()
    if not any(hmac.compare_digest(each.encode(), expected) for each in given):
        return "The message was signed with another secret, or was changed."
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
        return "The signature made with a key is missing."
    if name not in published:
        return "The signature's key is not in the published directory."
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
        return "The signature does not match the published key: the message was changed."
    return None
