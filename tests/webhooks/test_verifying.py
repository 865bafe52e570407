"""What a receiver says of a delivery: who did not sign it, and what was changed, is told apart."""

import base64
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from finplan.webhooks.signing import (
    REQUEST_TAG,
    MessageKey,
    ReceivedDelivery,
    content_digest,
    fault_by_key,
    fault_by_secret,
    key_name,
    public_jwk,
    sign_message,
    signed_headers,
)

SECRET = bytes(range(32))
FORMER = bytes(32)
URL = "https://127.0.0.1:40123/abc"
BODY = b'{"type":"webhook.test"}'
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(32))
JWK = public_jwk(PRIVATE.public_key().public_bytes_raw())
KEY = MessageKey(JWK["kid"], PRIVATE)
PUBLISHED = {JWK["kid"]: JWK["x"]}

Change = Callable[[ReceivedDelivery], ReceivedDelivery]


def now() -> int:
    return int(datetime.now(UTC).timestamp())


def delivery(ago: int = 0, secrets: tuple[bytes, ...] = (SECRET,)) -> ReceivedDelivery:
    headers = signed_headers(
        delivery="dlv_1",
        body=BODY,
        url=URL,
        secrets=secrets,
        key=KEY,
        site_url="http://127.0.0.1:8460",
        now=(now() - ago) * 1000,
    )
    return ReceivedDelivery(URL, {name.lower(): each for name, each in headers.items()}, BODY)


def header(name: str, value: str) -> Change:
    return lambda each: replace(each, headers={**each.headers, name: value})


def a_second_later(each: ReceivedDelivery) -> ReceivedDelivery:
    later = str(int(each.headers["webhook-timestamp"]) + 1)
    return header("webhook-timestamp", later)(each)


def without(name: str) -> Change:
    return lambda each: replace(
        each, headers={key: value for key, value in each.headers.items() if key != name}
    )


def body(content: bytes) -> Change:
    return lambda each: replace(each, body=content)


def test_what_is_ours_verifies_both_ways() -> None:
    """Also while two secrets sign, whichever of them the receiver knows."""
    assert fault_by_secret(delivery(), SECRET, now()) is None
    assert fault_by_key(delivery(), PUBLISHED) is None
    for known in (SECRET, FORMER):
        assert fault_by_secret(delivery(secrets=(SECRET, FORMER)), known, now()) is None


CHANGES: tuple[tuple[str, Change, str | None, str | None], ...] = (
    ("body", body(BODY + b" "), "changed", "changed"),
    ("id", header("webhook-id", "dlv_2"), "changed", "changed"),
    ("time", a_second_later, "changed", "changed"),
    ("odd time", header("webhook-timestamp", "1²"), "not within five minutes", "changed"),
    ("no id", without("webhook-id"), "no signature", "changed"),
    ("no time", without("webhook-timestamp"), "no signature", "changed"),
    ("no signature", without("webhook-signature"), "no signature", None),
    ("odd signature", header("webhook-signature", "v1,é"), "changed", None),
    ("no input", without("signature-input"), None, "no signature by a key"),
    ("no proof", without("signature"), None, "changed"),
    ("no digest", without("content-digest"), None, "changed"),
    ("other digest", header("content-digest", content_digest(b"")), None, "changed"),
    ("other agent", header("signature-agent", 'sig1="http://evil.example"'), None, "changed"),
    ("other place", lambda each: replace(each, url=URL + "/more"), None, "changed"),
    ("other method", lambda each: replace(each, method="PUT"), None, "changed"),
)


@pytest.mark.parametrize(
    ("change", "by_secret", "by_key"),
    [each[1:] for each in CHANGES],
    ids=[each[0] for each in CHANGES],
)
def test_each_change_is_seen(change: Change, by_secret: str | None, by_key: str | None) -> None:
    """By the signature that covers what was changed, in a sentence that says what is wrong."""
    changed = change(delivery())
    found = fault_by_secret(changed, SECRET, now()), fault_by_key(changed, PUBLISHED)
    for fault, expected in zip(found, (by_secret, by_key), strict=True):
        if expected is None:
            assert fault is None
        else:
            assert fault is not None
            assert expected in fault


def test_another_secret_or_key_is_not_ours() -> None:
    """What somebody signs who has neither verifies by neither."""
    fault = fault_by_secret(delivery(), FORMER, now())
    assert fault == "It was signed with another secret, or something of it was changed."
    other = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32).public_key().public_bytes_raw()
    x = base64.urlsafe_b64encode(other).rstrip(b"=").decode()
    fault = fault_by_key(delivery(), {KEY.kid: x})
    assert fault is not None
    assert "does not fit" in fault
    assert (
        fault_by_key(delivery(), {}) == "The key that it names is not in the published directory."
    )


def test_five_minutes_are_the_limit() -> None:
    """Before and after, to the second; and a key's signature that has ended holds no more."""
    sent = delivery()
    at = int(sent.headers["webhook-timestamp"])
    for seconds, holds in ((300, True), (301, False), (-300, True), (-301, False)):
        fault = fault_by_secret(sent, SECRET, at + seconds)
        assert (fault is None) == holds
    assert fault_by_key(delivery(400), PUBLISHED) is not None
    assert fault_by_key(delivery(200), PUBLISHED) is None


def signed_anew(*, left_out: str = "", **told: int | str) -> ReceivedDelivery:
    """A delivery that our key signed, but otherwise than ours are."""
    good = delivery()
    covered = {
        "@method": "POST",
        "@authority": "127.0.0.1:40123",
        "@target-uri": URL,
        "content-digest": good.headers["content-digest"],
        "webhook-id": "dlv_1",
        "webhook-timestamp": good.headers["webhook-timestamp"],
    }
    parts = {f'"{name}"': value for name, value in covered.items() if name != left_out}
    usual: dict[str, int | str] = {
        "created": now(),
        "expires": now() + 300,
        "keyid": KEY.kid,
        "tag": REQUEST_TAG,
    }
    head, proof = sign_message(KEY, parts, usual | told)
    proofs = {"signature-input": f"sig1={head}", "signature": f"sig1={proof}"}
    return replace(good, headers={**good.headers, **proofs})


@pytest.mark.parametrize(
    "left_out",
    ["@method", "@authority", "@target-uri", "content-digest", "webhook-id", "webhook-timestamp"],
)
def test_a_signature_that_covers_too_little_does_not_count(left_out: str) -> None:
    """Though the key made it: what it leaves out could be anything."""
    assert fault_by_key(signed_anew(), PUBLISHED) is None
    assert fault_by_key(signed_anew(left_out=left_out), PUBLISHED) is not None


def test_a_signature_for_another_purpose_does_not_count() -> None:
    """One of the directory, say; nor one that says of itself that it holds for longer than others."""
    assert fault_by_key(signed_anew(tag="http-message-signatures-directory"), PUBLISHED) is not None
    assert fault_by_key(signed_anew(created=now() - 200, expires=now() + 9999), PUBLISHED) is None
    assert (
        fault_by_key(signed_anew(created=now() - 400, expires=now() + 9999), PUBLISHED) is not None
    )


def test_the_key_is_known_by_its_name() -> None:
    """The name stands in what the signature says of itself."""
    assert key_name(delivery()) == KEY.kid
    assert key_name(ReceivedDelivery(URL, {}, BODY)) is None
