"""Deliveries are signed twice, and who did not write this code verifies both.

The keys are published before they sign, and after; who did not sign a delivery, and what was
changed in it, is told apart.
"""

import asyncio
import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

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

from finplan.service.authorization.signing import SigningKeys
from finplan.service.webhooks.message_keys import MessageKeys
from finplan.store.sealing import Sealer
from finplan.store.store import Store
from finplan.webhooks import signing
from tests.present import present
from tests.webhooks.desk import SEALER, HookDesk

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


def key_of(private: Ed25519PrivateKey) -> signing.MessageKey:
    return signing.MessageKey(
        signing.public_jwk(private.public_key().public_bytes_raw())["kid"], private
    )


KEY = key_of(Ed25519PrivateKey.from_private_bytes(bytes(32)))
OTHER_KEY = key_of(Ed25519PrivateKey.from_private_bytes(bytes(31) + b"1"))


def now() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)


def signed(at: int, secrets: tuple[bytes, ...] = (SECRET,)) -> dict[str, str]:
    return signing.signed_headers(
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
    headers: dict[str, str], body: bytes, url: str = URL, key: signing.MessageKey = KEY
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
        expect_tag=signing.REQUEST_TAG,
        require_components=("@method", "@authority", "@target-uri", "content-digest"),
        body=body,
    )
    return found


def test_the_vector_of_standard_webhooks() -> None:
    """The signature of the specification's own example."""
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    made = signing.secret_signature(
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
    told, signature = signing.sign_message(
        signing.MessageKey("test-key-ed25519", rfc_key()),
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
    jwk = signing.public_jwk(rfc_key().public_key().public_bytes_raw())
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
        "Content-Digest": signing.signed_headers(
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
    headers = signing.directory_headers(body, keys, "plan.example:8460", now())
    asked = Request(f"https://plan.example:8460{signing.DIRECTORY_PATH}", {}, "GET")
    verifier = HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(
            public_keys={each.kid: each.private.public_key() for each in keys}, private_keys={}
        ),
    )
    found = verifier.verify(
        Response(asked, headers),
        expect_tag=signing.DIRECTORY_TAG,
        body=body,
        max_age=timedelta(days=1),
    )
    assert [each.parameters["keyid"] for each in found] == [KEY.kid, OTHER_KEY.kid]
    elsewhere = replace(asked, url=f"https://mallory.example{signing.DIRECTORY_PATH}")
    with pytest.raises(HTTPMessageSignaturesException):
        verifier.verify(Response(elsewhere, headers), expect_tag=signing.DIRECTORY_TAG, body=body)
    unsigned = signing.directory_headers(body, (), "plan.example:8460", now())
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
    assert signing.requested_url(url) == requested
    assert signing.authority_of(url) == authority


HOUR = 60 * 60 * 1000
DAY = 24 * HOUR
BEGIN = 1_800_000_000_000
OTHER = Sealer(bytes([1]) * 32)


async def published(keys: MessageKeys, now: int, sealer: Sealer = SEALER) -> list[str]:
    """The names in the directory, which is asked for; all of it can be signed."""
    found = await keys.directory(sealer, now)
    names = [each["kid"] for each in json.loads(found.body)["keys"]]
    assert {each.kid for each in found.keys} <= set(names)
    return names


async def test_a_new_key_is_published_for_a_day_before_it_signs(desk: HookDesk) -> None:
    """Whoever kept the directory for a day knows each key that signs; the first signs at once."""
    keys = MessageKeys(desk.store)
    first = (await keys.signing_key(SEALER, BEGIN)).kid
    assert await published(keys, BEGIN) == [first]
    assert await published(keys, BEGIN + 90 * DAY - 1) == [first]
    both = await published(keys, BEGIN + 90 * DAY)
    (second,) = {*both} - {first}
    assert len(both) == 2
    assert (await keys.signing_key(SEALER, BEGIN + 91 * DAY - HOUR)).kid == first
    assert (await keys.signing_key(SEALER, BEGIN + 91 * DAY)).kid == second


async def test_a_former_key_is_published_while_its_signatures_hold(desk: HookDesk) -> None:
    """A month after it signed its last it is gone, with the key that comes then."""
    keys = MessageKeys(desk.store)
    first = (await keys.signing_key(SEALER, BEGIN)).kid
    second = next(iter({*await published(keys, BEGIN + 90 * DAY)} - {first}))
    assert first in await published(keys, BEGIN + 179 * DAY)
    last = await published(keys, BEGIN + 180 * DAY)
    assert first not in last
    assert second in last


async def test_a_clock_that_was_ahead_loses_no_key_that_signs(desk: HookDesk) -> None:
    """Whatever its age then, it stays published, and what was made then counts as made afterwards."""
    keys = MessageKeys(desk.store)
    first = (await keys.signing_key(SEALER, BEGIN)).kid
    ahead = BEGIN + 200 * DAY
    assert (await keys.signing_key(SEALER, ahead)).kid == first
    second, other = await published(keys, ahead)
    assert other == first
    right = BEGIN + HOUR
    assert (await keys.signing_key(SEALER, right)).kid == first
    assert await published(keys, right) == [second, first]
    assert (await keys.signing_key(SEALER, right + DAY - 1)).kid == first
    assert (await MessageKeys(desk.store).signing_key(SEALER, right + DAY)).kid == second
    assert await published(keys, right + 90 * DAY - 1) == [second, first]
    assert len(await published(keys, right + 90 * DAY)) == 3


async def test_a_running_daemon_looks_again_when_its_clock_is_set_right(desk: HookDesk) -> None:
    """A look from a time to come is no look of this hour."""
    keys = MessageKeys(desk.store)
    ahead = (await keys.signing_key(SEALER, BEGIN + 200 * DAY)).kid
    await desk.store.write(lambda c: c.exec_driver_sql("DELETE FROM signing_key") and None)
    assert (await keys.signing_key(SEALER, BEGIN)).kid != ahead


KEYS = "SELECT kid, algorithm, created_at FROM signing_key"
OTHERS = "SELECT DISTINCT created_at FROM signing_key WHERE algorithm = 'ES256'"
HALVES = "SELECT sealed, public FROM signing_key"


async def test_keys_for_other_things_are_not_forgotten_with_them(desk: HookDesk) -> None:
    """Each that signs sweeps its own keys alone."""
    first = (await MessageKeys(desk.store).signing_key(SEALER, BEGIN)).kid
    tokens = SigningKeys(desk.store, "http://127.0.0.1")
    await tokens.signer(SEALER, BEGIN + HOUR)
    await tokens.signer(SEALER, BEGIN + 200 * DAY)
    assert (first, "Ed25519", BEGIN) in await desk.rows(KEYS)
    for later in (2 * HOUR, 400 * DAY):
        await MessageKeys(desk.store).signing_key(SEALER, BEGIN + later)
        assert await desk.rows(OTHERS) == [(BEGIN + 200 * DAY,)]


async def test_two_daemons_make_one_key(desk: HookDesk, tmp_path: Path) -> None:
    """Whoever is first makes it, and both sign with it."""
    other = Store.open(tmp_path / "finplan.db", tmp_path / "backups")
    rooms = [MessageKeys(store) for store in (desk.store, other) for _ in range(3)]
    found = await asyncio.gather(*(each.signing_key(SEALER, BEGIN) for each in rooms))
    assert len({each.kid for each in found}) == 1
    assert len(await published(rooms[0], BEGIN)) == 1
    other.close()


async def test_without_the_former_data_key_another_one_signs(desk: HookDesk) -> None:
    """What cannot be opened stays published, and signs nothing more."""
    first = (await MessageKeys(desk.store).signing_key(SEALER, BEGIN)).kid
    keys = MessageKeys(desk.store)
    second = (await keys.signing_key(OTHER, BEGIN + HOUR)).kid
    assert second != first
    assert {*await published(keys, BEGIN + HOUR, OTHER)} == {first, second}
    assert [each.kid for each in (await keys.directory(OTHER, BEGIN + HOUR)).keys] == [second]


async def test_the_private_half_is_sealed(desk: HookDesk) -> None:
    """Neither the directory nor the store has it."""
    key = await MessageKeys(desk.store).signing_key(SEALER, BEGIN)
    private = key.private.private_bytes_raw()
    ((sealed, public),) = await desk.rows(HALVES)
    assert private not in sealed
    assert set(json.loads(public)) == {"kty", "crv", "kid", "x", "use"}


@pytest.mark.parametrize("later", [HOUR - 1, HOUR])
async def test_which_key_signs_is_looked_up_each_hour(desk: HookDesk, later: int) -> None:
    """So a busy day asks the store two dozen times."""
    keys = MessageKeys(desk.store)
    await keys.signing_key(SEALER, BEGIN)
    await desk.store.write(lambda c: c.exec_driver_sql("DELETE FROM signing_key") and None)
    await keys.signing_key(SEALER, BEGIN + later)
    assert len(await desk.rows("SELECT no FROM signing_key")) == (later == HOUR)


FORMER_SECRET = bytes(32)
LISTENER_URL = "https://127.0.0.1:40123/abc"
TEST_BODY = b'{"type":"webhook.test"}'
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(32))
JWK = signing.public_jwk(PRIVATE.public_key().public_bytes_raw())
PUBLISHED_KEY = signing.MessageKey(JWK["kid"], PRIVATE)
PUBLISHED = {JWK["kid"]: JWK["x"]}

Change = Callable[[signing.ReceivedDelivery], signing.ReceivedDelivery]


def now_in_seconds() -> int:
    return int(datetime.now(UTC).timestamp())


def delivery(ago: int = 0, secrets: tuple[bytes, ...] = (SECRET,)) -> signing.ReceivedDelivery:
    headers = signing.signed_headers(
        delivery="dlv_1",
        body=TEST_BODY,
        url=LISTENER_URL,
        secrets=secrets,
        key=PUBLISHED_KEY,
        site_url="http://127.0.0.1:8460",
        now=(now_in_seconds() - ago) * 1000,
    )
    return signing.ReceivedDelivery(
        LISTENER_URL, {name.lower(): each for name, each in headers.items()}, TEST_BODY
    )


def header(name: str, value: str) -> Change:
    return lambda each: replace(each, headers={**each.headers, name: value})


def a_second_later(each: signing.ReceivedDelivery) -> signing.ReceivedDelivery:
    return header("webhook-timestamp", str(int(each.headers["webhook-timestamp"]) + 1))(each)


def without(name: str) -> Change:
    return lambda each: replace(
        each, headers={key: value for key, value in each.headers.items() if key != name}
    )


def body(content: bytes) -> Change:
    return lambda each: replace(each, body=content)


def test_what_is_ours_verifies_both_ways() -> None:
    """Also while two secrets sign, whichever of them the receiver knows."""
    assert signing.fault_by_secret(delivery(), SECRET, now_in_seconds()) is None
    assert signing.fault_by_key(delivery(), PUBLISHED) is None
    for known in (SECRET, FORMER_SECRET):
        assert (
            signing.fault_by_secret(
                delivery(secrets=(SECRET, FORMER_SECRET)), known, now_in_seconds()
            )
            is None
        )


CHANGES: tuple[tuple[str, Change, str | None, str | None], ...] = (
    ("body", body(TEST_BODY + b" "), "changed", "changed"),
    ("id", header("webhook-id", "dlv_2"), "changed", "changed"),
    ("time", a_second_later, "changed", "changed"),
    ("odd time", header("webhook-timestamp", "1²"), "five minutes", "changed"),
    ("no id", without("webhook-id"), "secret is missing", "changed"),
    ("no time", without("webhook-timestamp"), "secret is missing", "changed"),
    ("no signature", without("webhook-signature"), "secret is missing", None),
    ("odd signature", header("webhook-signature", "v1,é"), "changed", None),
    ("no input", without("signature-input"), None, "a key is missing"),
    ("no proof", without("signature"), None, "changed"),
    ("no digest", without("content-digest"), None, "changed"),
    ("other digest", header("content-digest", signing.content_digest(b"")), None, "changed"),
    ("other agent", header("signature-agent", 'sig1="http://evil.example"'), None, "changed"),
    ("other place", lambda each: replace(each, url=LISTENER_URL + "/more"), None, "changed"),
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
    found = (
        signing.fault_by_secret(changed, SECRET, now_in_seconds()),
        signing.fault_by_key(changed, PUBLISHED),
    )
    for fault, expected in zip(found, (by_secret, by_key), strict=True):
        if expected is None:
            assert fault is None
        else:
            assert expected in present(fault)


def test_another_secret_or_key_is_not_ours() -> None:
    """What somebody signs who has neither verifies by neither."""
    fault = signing.fault_by_secret(delivery(), FORMER_SECRET, now_in_seconds())
    assert "another secret" in present(fault)
    other = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32).public_key().public_bytes_raw()
    x = base64.urlsafe_b64encode(other).rstrip(b"=").decode()
    fault = signing.fault_by_key(delivery(), {PUBLISHED_KEY.kid: x})
    assert "does not match" in present(fault)
    assert "published directory" in present(signing.fault_by_key(delivery(), {}))


def test_five_minutes_are_the_limit() -> None:
    """Before and after, to the second; and a key's signature that has ended holds no more."""
    sent = delivery()
    at = int(sent.headers["webhook-timestamp"])
    for seconds, holds in ((300, True), (301, False), (-300, True), (-301, False)):
        assert (signing.fault_by_secret(sent, SECRET, at + seconds) is None) == holds
    assert signing.fault_by_key(delivery(400), PUBLISHED) is not None
    assert signing.fault_by_key(delivery(200), PUBLISHED) is None


def signed_anew(*, left_out: str = "", **told: int | str) -> signing.ReceivedDelivery:
    """A delivery that our key signed, but otherwise than ours are."""
    good = delivery()
    covered = {
        "@method": "POST",
        "@authority": "127.0.0.1:40123",
        "@target-uri": LISTENER_URL,
        "content-digest": good.headers["content-digest"],
        "webhook-id": "dlv_1",
        "webhook-timestamp": good.headers["webhook-timestamp"],
    }
    parts = {f'"{name}"': value for name, value in covered.items() if name != left_out}
    usual: dict[str, int | str] = {
        "created": now_in_seconds(),
        "expires": now_in_seconds() + 300,
        "keyid": PUBLISHED_KEY.kid,
        "tag": signing.REQUEST_TAG,
    }
    head, proof = signing.sign_message(PUBLISHED_KEY, parts, usual | told)
    proofs = {"signature-input": f"sig1={head}", "signature": f"sig1={proof}"}
    return replace(good, headers={**good.headers, **proofs})


@pytest.mark.parametrize(
    "left_out",
    ["@method", "@authority", "@target-uri", "content-digest", "webhook-id", "webhook-timestamp"],
)
def test_a_signature_that_covers_too_little_does_not_count(left_out: str) -> None:
    """Though the key made it: what it leaves out could be anything."""
    assert signing.fault_by_key(signed_anew(), PUBLISHED) is None
    assert signing.fault_by_key(signed_anew(left_out=left_out), PUBLISHED) is not None


def test_a_signature_for_another_purpose_does_not_count() -> None:
    """One of the directory, say; nor one that says of itself that it holds for longer than others."""
    assert (
        signing.fault_by_key(signed_anew(tag="http-message-signatures-directory"), PUBLISHED)
        is not None
    )
    assert (
        signing.fault_by_key(
            signed_anew(created=now_in_seconds() - 200, expires=now_in_seconds() + 9999), PUBLISHED
        )
        is None
    )
    assert (
        signing.fault_by_key(
            signed_anew(created=now_in_seconds() - 400, expires=now_in_seconds() + 9999), PUBLISHED
        )
        is not None
    )


def test_the_key_is_known_by_its_name() -> None:
    """The name stands in what the signature says of itself."""
    assert signing.key_name(delivery()) == PUBLISHED_KEY.kid
    assert signing.key_name(signing.ReceivedDelivery(LISTENER_URL, {}, TEST_BODY)) is None
