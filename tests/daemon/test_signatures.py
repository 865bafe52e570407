"""Signed requests: only a whole, fresh signature of a known origin's key counts for that origin."""

import base64
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from http_message_signatures import HTTPMessageSigner, MappingKeyResolver, algorithms

from finplan.daemon.auth.signatures import signers
from finplan.daemon.middleware.limiting import Limiting
from finplan.webhooks.signing import thumbprint
from tests.daemon.running import RunningDaemon, running_daemon

SITE = "https://money.example"
ORIGIN = "https://agent.example"
LIMIT = 5
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(32))
COVERED = ("@authority", '"signature-agent";key="sig1"')


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
    url: str = f"{SITE}/api/v1/me",
) -> dict[str, str]:
    """The headers of a signed request."""
    name = thumbprint(x_of(key))
    signer = HTTPMessageSigner(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(public_keys={}, private_keys={name: key}),
    )
    message = Message(url=url, headers={"Signature-Agent": agent})
    created = datetime.now(UTC) - age
    signer.sign(
        message,
        key_id=name,
        created=created,
        expires=None if life is None else created + life,
        label="sig1",
        tag=tag,
        covered_component_ids=covered,
    )
    return message.headers


@pytest.fixture
async def reached(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon behind a public name that knows one origin by one key."""
    limiting = Limiting(LIMIT, signers([(ORIGIN, x_of(KEY))], SITE))
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


def test_the_thumbprint_is_the_published_one() -> None:
    """The Ed25519 test key of RFC 9421, B.1.4, has the name that Web Bot Auth's vectors give it."""
    x = "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"

    assert thumbprint(x) == "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"


async def test_a_signed_request_counts_for_its_origin(reached: RunningDaemon) -> None:
    """Its origin has one window, whatever credential or none comes with the signature."""
    for _ in range(LIMIT - 1):
        await reached.http.get("/api/v1/me", headers=signed())
    reached.http.cookies.clear()
    nowhere = await reached.http.get(
        "/api/v1/nowhere", headers=signed(url=f"{SITE}/api/v1/nowhere")
    )
    refused = await reached.http.get("/api/v1/me", headers=signed())

    assert (nowhere.status_code, nowhere.headers["ratelimit-remaining"]) == (404, "0")
    assert refused.status_code == 429


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"covered": ("@target-uri", '"signature-agent";key="sig1"')},
        {"covered": ("@method", *COVERED, "@path", "@query")},
        {"agent": f'"{ORIGIN}"', "covered": ("@authority", "signature-agent")},
        {"agent": f'sig2="https://b.example", sig1="{ORIGIN}"'},
        {"life": timedelta(hours=24)},
    ],
)
async def test_whole_signatures_count(reached: RunningDaemon, headers: dict[str, object]) -> None:
    """Either place may be covered, more may be, and the older form of the header is read."""
    assert await counts_for_the_origin(reached, signed(**headers))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "headers",
    [
        {"key": STRANGER},
        {"agent": 'sig1="https://evil.example"'},
        {"agent": f'sig2="{ORIGIN}"', "covered": ("@authority", '"signature-agent";key="sig2"')},
        {"covered": ("@authority",)},
        {"covered": ("@method", '"signature-agent";key="sig1"')},
        {"tag": "something-else"},
        {"age": timedelta(minutes=10)},
        {"age": -timedelta(minutes=10)},
        {"life": None},
        {"life": timedelta(hours=25)},
        {"url": "https://other.example/api/v1/me"},
        {"url": "http://money.example/api/v1/you", "covered": ("@target-uri", COVERED[1])},
    ],
)
async def test_anything_less_counts_for_nothing(
    reached: RunningDaemon, headers: dict[str, object]
) -> None:
    """Another key, origin, purpose, time or place leaves the request to its credential."""
    given = signed(**headers)  # type: ignore[arg-type]

    assert not await counts_for_the_origin(reached, given)


@pytest.mark.parametrize("name", ["Signature", "Signature-Input", "Signature-Agent"])
@pytest.mark.parametrize("value", ["", "x", "sig1=:AAAA:", "sig1=()", "sig1=", "é", "a" * 5000])
async def test_broken_headers_count_for_nothing(
    reached: RunningDaemon, name: str, value: str
) -> None:
    """Headers that cannot be read are no error: they only say nothing."""
    given = {**signed(), name: value}

    sent = [(key.encode(), text.encode()) for key, text in given.items()]

    assert not await counts_for_the_origin(reached, sent)


async def test_a_replayed_head_of_another_request_counts_for_nothing(
    reached: RunningDaemon,
) -> None:
    """A signature that covers the target holds for that target alone."""
    given = signed(covered=("@target-uri", COVERED[1]))

    assert not await counts_for_the_origin(reached, given, "/api/v1/settings")
