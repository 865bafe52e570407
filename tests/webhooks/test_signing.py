"""Deliveries are signed twice, and who did not write this code verifies both."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from http_message_signatures import (
    HTTPMessageSignaturesException,
    HTTPMessageVerifier,
    MappingKeyResolver,
    VerifyResult,
    algorithms,
)
from standardwebhooks import Webhook, WebhookVerificationError

from finplan.webhooks.signing import (
    DIRECTORY_PATH,
    DIRECTORY_TAG,
    REQUEST_TAG,
    MessageKey,
    authority_of,
    directory_headers,
    public_jwk,
    requested_url,
    secret_signature,
    sign_message,
    signed_headers,
)

SECRET = bytes(range(32))
FORMER = bytes(reversed(range(32)))
URL = "https://hooks.example.com/finplan?way=1"
BODY = b'{"type":"webhook.test","timestamp":"2026-03-18T12:00:00Z","data":{"webhookId":"whk_1"}}'
RFC_KEY = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----
"""
"""The private half of RFC 9421's `test-key-ed25519` (B.1.4)."""


@dataclass(frozen=True)
class Request:
    """What a receiver hands to the verifier."""

    url: str
    headers: dict[str, str]
    method: str = "POST"


@dataclass(frozen=True)
class Response:
    """An answer with the request that it is to."""

    request: Request
    headers: dict[str, str]
    status_code: int = 200

    @property
    def url(self) -> str:
        return self.request.url


def rfc_key() -> Ed25519PrivateKey:
    key = load_pem_private_key(RFC_KEY, None)
    assert isinstance(key, Ed25519PrivateKey)
    return key


def key_of(private: Ed25519PrivateKey) -> MessageKey:
    return MessageKey(public_jwk(private.public_key().public_bytes_raw())["kid"], private)


KEY = key_of(Ed25519PrivateKey.from_private_bytes(bytes(32)))
OTHER_KEY = key_of(Ed25519PrivateKey.from_private_bytes(bytes(31) + b"1"))


def now() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)


def signed(at: int, secrets: tuple[bytes, ...] = (SECRET,)) -> dict[str, str]:
    return signed_headers(
        delivery="dlv_1",
        body=BODY,
        url=URL,
        secrets=secrets,
        key=KEY,
        site_url="http://127.0.0.1:8460",
        now=at,
    )


def by_secret(headers: dict[str, str], body: bytes, secret: bytes = SECRET) -> None:
    Webhook("whsec_" + base64.b64encode(secret).decode()).verify(body.decode(), headers)


def by_key(
    headers: dict[str, str], body: bytes, url: str = URL, key: MessageKey = KEY
) -> VerifyResult:
    verifier = HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(
            public_keys={KEY.kid: key.private.public_key()}, private_keys={}
        ),
    )
    (found,) = verifier.verify(
        Request(url, headers),
        max_age=timedelta(minutes=5),
        expect_tag=REQUEST_TAG,
        require_components=("@method", "@authority", "@target-uri", "content-digest"),
        body=body,
    )
    return found


def test_the_vector_of_standard_webhooks() -> None:
    """The signature of the specification's own example."""
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    made = secret_signature(
        secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_vector_of_the_rfc() -> None:
    """RFC 9421, B.2.6, byte for byte: a request signed with Ed25519."""
    covered = {
        '"date"': "Tue, 20 Apr 2021 02:07:55 GMT",
        '"@method"': "POST",
        '"@path"': "/foo",
        '"@authority"': "example.com",
        '"content-type"': "application/json",
        '"content-length"': "18",
    }
    told, signature = sign_message(
        MessageKey("test-key-ed25519", rfc_key()),
        covered,
        {"created": 1618884473, "keyid": "test-key-ed25519"},
    )
    assert told == (
        '("date" "@method" "@path" "@authority" "content-type" "content-length")'
        ';created=1618884473;keyid="test-key-ed25519"'
    )
    assert signature == (
        ":wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:"
    )


def test_a_key_is_known_by_its_thumbprint() -> None:
    """The thumbprint of RFC 9421's key, as the draft of Web Bot Auth tells it."""
    jwk = public_jwk(rfc_key().public_key().public_bytes_raw())
    assert jwk["kid"] == "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"
    assert jwk["x"] == "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"


def test_others_verify_a_delivery() -> None:
    """The packages of Standard Webhooks and of message signatures both say that it is ours."""
    headers = signed(now())
    by_secret(headers, BODY)
    found = by_key(headers, BODY)
    covered = list(found.covered_components)
    assert '"webhook-id"' in covered
    assert '"webhook-timestamp"' in covered
    assert found.covered_components['"signature-agent";key="sig1"'] == '"http://127.0.0.1:8460"'
    assert int(found.parameters["expires"]) - int(found.parameters["created"]) == 300


def test_both_secrets_sign_while_they_change() -> None:
    """A receiver that knows the former secret, or only the new one, verifies it as well."""
    headers = signed(now(), (SECRET, FORMER))
    by_secret(headers, BODY, SECRET)
    by_secret(headers, BODY, FORMER)


Tamper = Callable[[dict[str, str]], dict[str, str]]


@pytest.mark.parametrize(
    "name", ["webhook-id", "webhook-timestamp", "Content-Type", "Content-Digest", "Signature-Agent"]
)
def test_no_header_can_be_changed(name: str) -> None:
    """The signature by the key covers each header that says something."""
    headers = signed(now())
    changed = {
        "webhook-id": "dlv_2",
        "webhook-timestamp": str(now() // 1000 + 1),
        "Content-Type": "text/plain",
        "Content-Digest": signed_headers(
            delivery="dlv_1",
            body=b"{}",
            url=URL,
            secrets=(),
            key=KEY,
            site_url="http://127.0.0.1:8460",
            now=now(),
        )["Content-Digest"],
        "Signature-Agent": 'sig1="https://mallory.example"',
    }
    with pytest.raises(HTTPMessageSignaturesException):
        by_key({**headers, name: changed[name]}, BODY)
    if name.startswith("webhook-"):
        with pytest.raises(WebhookVerificationError):
            by_secret({**headers, name: changed[name]}, BODY)


def test_neither_body_nor_key_nor_place_nor_time_can_be_another() -> None:
    """Another body, secret, key or URL, and what is older than five minutes, verifies by neither."""
    headers, body = signed(now()), BODY.replace(b"whk_1", b"whk_2")
    with pytest.raises(WebhookVerificationError):
        by_secret(headers, body)
    with pytest.raises(HTTPMessageSignaturesException):
        by_key(headers, body)
    with pytest.raises(WebhookVerificationError):
        by_secret(headers, BODY, FORMER)
    with pytest.raises(HTTPMessageSignaturesException):
        by_key(headers, BODY, key=OTHER_KEY)
    with pytest.raises(HTTPMessageSignaturesException):
        by_key(headers, BODY, url="https://mallory.example/finplan?way=1")
    old = signed(now() - 6 * 60_000)
    with pytest.raises(WebhookVerificationError):
        by_secret(old, BODY)
    with pytest.raises(HTTPMessageSignaturesException):
        by_key(old, BODY)


def test_each_key_signs_the_directory() -> None:
    """The directory is signed once by each key, for who asked it, and for nobody else."""
    keys = (KEY, OTHER_KEY)
    body = json.dumps({"keys": []}).encode()
    headers = directory_headers(body, keys, "plan.example:8460", now())
    asked = Request(f"https://plan.example:8460{DIRECTORY_PATH}", {}, "GET")
    verifier = HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(
            public_keys={each.kid: each.private.public_key() for each in keys}, private_keys={}
        ),
    )
    found = verifier.verify(
        Response(asked, headers),
        expect_tag=DIRECTORY_TAG,
        body=body,
        max_age=timedelta(days=1),
    )
    assert [each.parameters["keyid"] for each in found] == [KEY.kid, OTHER_KEY.kid]
    elsewhere = replace(asked, url=f"https://mallory.example{DIRECTORY_PATH}")
    with pytest.raises(HTTPMessageSignaturesException):
        verifier.verify(Response(elsewhere, headers), expect_tag=DIRECTORY_TAG, body=body)
    unsigned = directory_headers(body, (), "plan.example:8460", now())
    assert sorted(unsigned) == ["Content-Digest", "Content-Type"]


@pytest.mark.parametrize(
    ("url", "requested", "authority"),
    [
        ("https://Hooks.Example.com", "https://hooks.example.com/", "hooks.example.com"),
        ("https://a.example:443/x?y=%2F", "https://a.example/x?y=%2F", "a.example"),
        ("https://a.example:8443/", "https://a.example:8443/", "a.example:8443"),
        ("https://[2600::1]:443/a", "https://[2600::1]/a", "[2600::1]"),
        ("http://127.0.0.1:80", "http://127.0.0.1/", "127.0.0.1"),
        ("http://127.0.0.1:443", "http://127.0.0.1:443/", "127.0.0.1:443"),
    ],
)
def test_what_is_signed_is_what_is_sent(url: str, requested: str, authority: str) -> None:
    """The URL that is asked for has the host in lower case, no usual port and a path."""
    assert requested_url(url) == requested
    assert authority_of(url) == authority
