"""Signed messages: requests that count for their origin, and the published directory of our keys.

Only a whole, fresh signature of a known origin's key counts for that origin.
"""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from http_message_signatures import (
    HTTPMessageSignaturesException,
    HTTPMessageSigner,
    HTTPMessageVerifier,
    MappingKeyResolver,
    algorithms,
)

from finplan.daemon.auth.signatures import FRESH, MOST_SIGNATURES, UsedSignatures, signers
from finplan.daemon.rate_limit import Limiting
from finplan.daemon.startup import LateSealer
from finplan.model.errors import SecretsUnreachable, Unauthorized
from finplan.service.webhooks.message_keys import MessageKeys
from finplan.store.sealing import Sealer
from finplan.webhooks.signing import DIRECTORY_PATH, DIRECTORY_TAG, DIRECTORY_TYPE, thumbprint
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon, running_daemon

SITE = "https://money.example"
ORIGIN = "https://agent.example"
LIMIT = 5
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(32))
AGENT = '"signature-agent";key="sig1"'
COVERED = ("@method", "@authority", "@path", AGENT)


@dataclass
class Message:
    """A request to sign."""

    method: str = "GET"
    url: str = f"{SITE}/api/v1/me"
    headers: dict[str, str] = field(default_factory=dict)


def x_of(key: Ed25519PrivateKey) -> str:
    return base64.urlsafe_b64encode(key.public_key().public_bytes_raw()).rstrip(b"=").decode()


def signed(
    *,
    key: Ed25519PrivateKey = KEY,
    agent: str = f'sig1="{ORIGIN}"',
    covered: tuple[str, ...] = COVERED,
    tag: str = "web-bot-auth",
    age: timedelta = timedelta(0),
    life: timedelta | None = timedelta(minutes=5),
    method: str = "GET",
    url: str = f"{SITE}/api/v1/me",
    nonce: str | None = None,
) -> dict[str, str]:
    """The headers of a signed request."""
    name = thumbprint(x_of(key))
    signer = HTTPMessageSigner(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(public_keys={}, private_keys={name: key}),
    )
    message = Message(method, url, {"Signature-Agent": agent})
    created = datetime.now(UTC) - age
    signer.sign(
        message,
        key_id=name,
        created=created,
        expires=None if life is None else created + life,
        nonce=nonce,
        label="sig1",
        tag=tag,
        covered_component_ids=covered,
    )
    return message.headers


def since(ago: timedelta, most: int = MOST_SIGNATURES) -> UsedSignatures:
    """What a daemon remembers that was started some time ago."""
    instants = iter([(datetime.now(UTC) - ago).timestamp()])
    return UsedSignatures(lambda: next(instants, None) or datetime.now(UTC).timestamp(), most)


@pytest.fixture
async def reached(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon behind a public name that knows one origin by one key."""
    limiting = Limiting(LIMIT, signers([(ORIGIN, x_of(KEY))], SITE, since(timedelta(hours=1))))
    async with running_daemon(tmp_path, empty_store, site_url=SITE, limiting=limiting) as running:
        running.http.headers["host"] = "money.example"
        yield running


async def counts_for_the_origin(
    daemon: RunningDaemon,
    headers: Mapping[str, str] | list[tuple[bytes, bytes]],
    path: str = "/api/v1/me",
) -> bool:
    """Whether the first request with some headers is the first of a window, or the session's second."""
    plain = await daemon.http.get("/api/v1/me")
    response = await daemon.http.get(path, headers=headers)
    assert (plain.status_code, response.status_code) == (200, 200)
    left = [int(each.headers["ratelimit-remaining"]) for each in (plain, response)]
    assert left in ([LIMIT - 1, LIMIT - 1], [LIMIT - 1, LIMIT - 2])
    return left[0] == left[1]


async def test_a_signed_request_counts_for_its_origin(reached: RunningDaemon) -> None:
    """Its origin has one window, whatever credential or none comes with the signature."""
    for number in range(LIMIT - 1):
        await reached.http.get("/api/v1/me", headers=signed(nonce=str(number)))
    reached.http.cookies.clear()
    nowhere = await reached.http.get(
        "/api/v1/nowhere", headers=signed(url=f"{SITE}/api/v1/nowhere")
    )
    refused = await reached.http.get("/api/v1/me", headers=signed(nonce="last"))

    assert (nowhere.status_code, nowhere.headers["ratelimit-remaining"]) == (404, "0")
    assert refused.status_code == 429


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"covered": ("@method", "@target-uri", AGENT)},
        {"covered": (*COVERED, "@query")},
        {"agent": f'"{ORIGIN}"', "covered": ("@method", "@authority", "@path", "signature-agent")},
        {"age": timedelta(minutes=4)},
        {"agent": f'sig2="https://b.example", sig1="{ORIGIN}"'},
        {"life": timedelta(hours=24)},
    ],
)
async def test_whole_signatures_count(reached: RunningDaemon, headers: dict[str, object]) -> None:
    """The address may be covered in either form, more may be, and an older header is read."""
    assert await counts_for_the_origin(reached, signed(**headers))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "headers",
    [
        {"key": STRANGER},
        {"agent": 'sig1="https://evil.example"'},
        {"agent": f'sig2="{ORIGIN}"', "covered": (*COVERED[:-1], '"signature-agent";key="sig2"')},
        {"covered": COVERED[:-1]},
        {"covered": ("@method", AGENT)},
        {"covered": ("@method", "@authority", AGENT)},
        {"covered": ("@method", "@path", AGENT)},
        {"covered": ("@authority", "@path", AGENT)},
        {"covered": ("@target-uri", AGENT)},
        {"method": "POST"},
        {"life": timedelta(hours=24), "age": timedelta(minutes=6)},
        {"tag": "something-else"},
        {"age": timedelta(minutes=10)},
        {"age": -timedelta(minutes=10)},
        {"life": None},
        {"life": timedelta(hours=25)},
        {"url": "https://other.example/api/v1/me"},
        {"url": f"{SITE}/api/v1/you"},
        {"url": f"{SITE}/api/v1/you", "covered": ("@method", "@target-uri", AGENT)},
    ],
)
async def test_less_counts_for_nothing(reached: RunningDaemon, headers: dict[str, object]) -> None:
    """Another key, origin, purpose, time or place leaves the request to its credential."""
    given = signed(**headers)  # type: ignore[arg-type]

    assert not await counts_for_the_origin(reached, given)


@pytest.mark.parametrize("name", ["Signature", "Signature-Input", "Signature-Agent"])
@pytest.mark.parametrize("value", ["", "x", "sig1=:AAAA:", "sig1=()", "sig1=", "é", "a" * 5000])
async def test_broken_ones_count_for_nothing(reached: RunningDaemon, name: str, value: str) -> None:
    """Headers that cannot be read are no error: they only say nothing."""
    given = {**signed(), name: value}

    sent = [(key.encode(), text.encode()) for key, text in given.items()]

    assert not await counts_for_the_origin(reached, sent)


@pytest.mark.parametrize(
    "covered", [("@method", "@target-uri", AGENT), (*COVERED, "@query")], ids=["target", "parts"]
)
async def test_a_signature_fits_its_query(reached: RunningDaemon, covered: tuple[str, ...]) -> None:
    """What is asked for by a query is signed, too, or the signature counts for nothing."""
    page = "/api/v1/transactions?limit=1"

    assert await counts_for_the_origin(reached, signed(url=SITE + page, covered=covered), page)
    answers = [
        await reached.http.get(page, headers=signed(url=url, covered=parts))
        for url, parts in ((SITE + page + "0", covered), (SITE + page, COVERED))
    ]
    left = [int(each.headers["ratelimit-remaining"]) for each in answers]
    assert left == [LIMIT - 2, LIMIT - 3]


async def test_a_signed_request_that_comes_again_is_refused(reached: RunningDaemon) -> None:
    """It is answered 401 and counts for whoever sent it, whatever its label is."""
    bare = (*COVERED[:-1], "signature-agent")
    given = signed(nonce="one", agent=f'"{ORIGIN}"', covered=bare)
    renamed = {
        name: text.replace("sig1=(", "other=(").replace("sig1=:", "other=:")
        for name, text in given.items()
    }

    first = await reached.http.get("/api/v1/me", headers=given)
    again = await reached.http.get("/api/v1/me", headers=given)
    third = await reached.http.get("/api/v1/me", headers=renamed)
    other = await reached.http.get("/api/v1/me", headers=signed(nonce="two"))
    healthy = await reached.http.get("/health", headers=given)

    assert [each.status_code for each in (first, again, third, other, healthy)] == [
        *(200, 401, 401, 200, 200)
    ]
    assert "signature for each request" in again.json()["message"]
    left = [int(each.headers["ratelimit-remaining"]) for each in (first, other, again, third)]
    assert left == [LIMIT - 1, LIMIT - 2, LIMIT - 1, LIMIT - 2]


async def test_of_equal_requests_at_once_one_is_answered(reached: RunningDaemon) -> None:
    """No two get through with one signature."""
    given = signed()

    both = await asyncio.gather(*(reached.http.get("/api/v1/me", headers=given) for _ in range(2)))

    assert sorted(each.status_code for each in both) == [200, 401]


async def test_a_restart_makes_no_signature_good_again(tmp_path: Path, empty_store: Path) -> None:
    """What was signed before the daemon was started may have been used, so it is refused."""
    given = signed(age=timedelta(seconds=2))
    limiting = Limiting(LIMIT, signers([(ORIGIN, x_of(KEY))], SITE))
    async with running_daemon(tmp_path, empty_store, site_url=SITE, limiting=limiting) as running:
        running.http.headers["host"] = "money.example"
        answer = await running.http.get("/api/v1/me", headers=given)

    assert answer.status_code == 401


def test_used_signatures_are_remembered_while_they_hold() -> None:
    """Each until it would verify no more; of more than there is room for, none is used."""
    instant = [1_000.0]
    used = UsedSignatures(lambda: instant[0], most=2)
    first, second, third = ({"@path": f'"/{number}"'} for number in range(3))

    assert [used.use(each, 1_000) for each in (first, second, third)] == [True, True, False]
    for each in (first, second):
        with pytest.raises(Unauthorized):
            used.use(each, 1_000)
    instant[0] += FRESH.total_seconds() + 5
    with pytest.raises(Unauthorized):
        used.use(first, 1_000)
    instant[0] += FRESH.total_seconds()
    assert used.use(third, int(instant[0]))


@dataclass
class Asked:
    """The request that a directory answers."""

    url: str
    method: str = "GET"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Answered:
    """The directory as a verifier reads it."""

    request: Asked
    headers: dict[str, str]
    status_code: int = 200

    @property
    def url(self) -> str:
        return self.request.url


def verify(url: str, answer: httpx.Response, body: bytes) -> None:
    """Verify the directory by the keys that stand in it. Raises HTTPMessageSignaturesException."""
    public = {
        each["kid"]: Ed25519PublicKey.from_public_bytes(
            base64.urlsafe_b64decode(each["x"] + "=" * (-len(each["x"]) % 4))
        )
        for each in json.loads(answer.content)["keys"]
    }
    verifier = HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(public_keys=public, private_keys={}),
    )
    found = verifier.verify(
        Answered(Asked(url), dict(answer.headers)),
        expect_tag=DIRECTORY_TAG,
        body=body,
        max_age=timedelta(days=1),
    )
    assert [each.parameters["keyid"] for each in found] == list(public)


async def asked(daemon: RunningDaemon, **headers: str) -> httpx.Response:
    """Ask for it without any credential."""
    async with stranger(daemon) as http:
        return await http.get(DIRECTORY_PATH, headers=headers)


async def test_anybody_reads_and_verifies_it(tmp_path: Path, empty_store: Path) -> None:
    """Its keys are named by their thumbprints, and each signs it for the host that was asked."""
    async with running_daemon(tmp_path, empty_store, clock=lambda: datetime.now(UTC)) as daemon:
        answer = await asked(daemon, Origin="https://elsewhere.example")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == DIRECTORY_TYPE
        assert answer.headers["cache-control"] == "public, max-age=86400"
        assert answer.headers["access-control-allow-origin"] == "*"
        (key,) = answer.json()["keys"]
        assert (key["kty"], key["crv"], key["use"]) == ("OKP", "Ed25519", "sig")
        assert key["kid"] == thumbprint(key["x"])
        url = f"{daemon.base_url}{DIRECTORY_PATH}"
        verify(url, answer, answer.content)
        for other, body in (
            (f"http://mallory.example{DIRECTORY_PATH}", answer.content),
            (url, answer.content.replace(b"sig", b"enc")),
        ):
            with pytest.raises(HTTPMessageSignaturesException):
                verify(other, answer, body)
        again = await asked(daemon, **{"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert (await asked(daemon)).content == answer.content


async def test_without_the_data_key_nothing_is_signed(tmp_path: Path, empty_store: Path) -> None:
    """What was published stays readable, and nobody keeps an answer without keys that sign."""

    def locked() -> bytes:
        raise SecretsUnreachable("locked")

    sealer = LateSealer(locked)
    async with running_daemon(tmp_path, empty_store, sealer=sealer) as daemon:
        kid = (await MessageKeys(daemon.store).signing_key(Sealer(bytes(32)), 0)).kid
        answer = await asked(daemon)
        assert [each["kid"] for each in answer.json()["keys"]] == [kid]
        assert "signature" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
