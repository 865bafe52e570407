"""The rate limit: each answer of any kind tells how it stands, and too much is refused.

Windows by themselves: what is counted, when it is forgotten, and that it can never fill the memory.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from hypothesis import given, strategies as st

from finplan.daemon.rate_limit import WINDOW, Limiting, Quota, Windows
from finplan.model.errors import ErrorEnvelope
from tests.daemon.running import RunningDaemon, running_daemon


@dataclass
class Clock:
    """A clock that the test moves."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_request_after_the_limit_has_exceeded_it() -> None:
    """Exactly `limit` requests fit; what is left goes down to zero and no further."""
    windows = Windows(Clock())

    seen = [windows.count("a", 3) for _ in range(5)]

    assert [quota.remaining for quota in seen] == [2, 1, 0, 0, 0]
    assert [quota.exceeded for quota in seen] == [False, False, False, True, True]


def test_a_window_begins_with_its_first_request() -> None:
    """It ends a minute later whatever was asked meanwhile, and then everything is open again."""
    clock = Clock()
    windows = Windows(clock)

    assert windows.count("a", 1) == Quota(1, 0, 60)
    clock.now += 59.5
    assert windows.count("a", 1) == Quota(1, 0, 1, exceeded=True)
    clock.now += 0.5
    assert windows.count("a", 1) == Quota(1, 0, 60)


def test_each_name_has_its_own_window() -> None:
    """One who asks too much takes nothing from another."""
    windows = Windows(Clock())
    for _ in range(9):
        windows.count("greedy", 2)

    assert not windows.count("modest", 2).exceeded


def test_what_is_taken_back_was_never_counted() -> None:
    """One count of the key goes, down to none; another key, and one that was never seen, keep theirs."""
    windows = Windows(Clock())
    for key in ("a", "a", "b"):
        windows.count(key, 5)
    windows.take_back("a")
    windows.take_back("nobody")

    assert windows.look("a", 5).remaining == 4
    for _ in range(3):
        windows.take_back("a")
    assert [windows.look(key, 5).remaining for key in ("a", "b", "nobody")] == [5, 4, 5]


def test_what_the_shared_window_counted_stays() -> None:
    """Whoever shares a window takes nothing back of what others did in it."""
    windows = Windows(Clock(), most=0)
    windows.count("a", 1)
    windows.take_back("a")

    assert windows.count("a", 1).exceeded


def test_a_window_may_be_longer() -> None:
    """Of another length it ends then, and says so; the shared window, too."""
    clock = Clock()
    windows = Windows(clock, most=1, length=900)

    assert windows.look("a", 1) == Quota(1, 1, 900)
    assert windows.count("a", 1) == Quota(1, 0, 900)
    assert windows.count("b", 1).reset == 900
    clock.now += 899
    assert windows.count("a", 1).exceeded
    assert windows.count("b", 1).exceeded
    clock.now += 1
    assert not windows.count("b", 1).exceeded
    assert not windows.count("a", 1).exceeded


def test_looking_counts_nothing() -> None:
    """A look tells what is left, of a window that was opened and of one that was not."""
    clock = Clock()
    windows = Windows(clock)
    windows.count("a", 5)
    clock.now += 20

    assert windows.look("a", 5) == windows.look("a", 5) == Quota(5, 4, 40)
    assert windows.look("b", 5) == Quota(5, 5, 60)


def test_no_flood_of_keys_fills_the_memory() -> None:
    """Beyond the bound newcomers share one window; who was there first keeps theirs."""
    clock = Clock()
    windows = Windows(clock, most=10)
    windows.count("first", 2)

    newcomers = [windows.count(f"k{number}", 2) for number in range(1000)]

    assert len(windows._open) == 10
    assert newcomers[-1].exceeded
    assert not windows.count("first", 2).exceeded
    clock.now += WINDOW
    assert not windows.count("k999", 2).exceeded
    assert len(windows._open) == 1


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 30)), max_size=60))
def test_no_key_ever_gets_more_than_its_limit_in_a_window(steps: list[tuple[str, float]]) -> None:
    """Between two openings of a key's window at most `limit` requests pass, and all ends are near."""
    clock = Clock()
    windows = Windows(clock)
    passed: dict[str, list[float]] = {}
    for key, pause in steps:
        clock.now += pause
        quota = windows.count(key, 2)
        assert 1 <= quota.reset <= WINDOW
        if quota.remaining == 1:
            passed[key] = []
        if not quota.exceeded:
            passed[key].append(clock.now)
            assert len(passed[key]) <= 2


LIMIT = 3


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def limited(tmp_path: Path, empty_store: Path, clock: Clock) -> AsyncIterator[RunningDaemon]:
    """A daemon that lets three requests a minute through, of each credential."""
    limiting = Limiting(LIMIT, windows=Windows(clock))
    async with running_daemon(tmp_path, empty_store, limiting=limiting) as running:
        yield running


def standing(response: httpx.Response) -> tuple[int, int, int]:
    """Limit, remaining and reset, as the three headers tell them."""
    names = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
    limit, remaining, reset = (int(response.headers[name]) for name in names)
    return limit, remaining, reset


def head_of(answer: bytes) -> httpx.Headers:
    lines = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return httpx.Headers([(line.split(": ", 1)[0], line.split(": ", 1)[1]) for line in lines])


async def test_too_much_is_refused(limited: RunningDaemon, clock: Clock) -> None:
    """The request after the limit is a 429 whose Retry-After is the reset; then all is well again."""
    limited.http.cookies.clear()
    for left in (2, 1, 0):
        response = await limited.http.get("/api/v1/nowhere")
        assert (response.status_code, standing(response)) == (404, (LIMIT, left, 60))
    clock.now += 20.5

    refused = await limited.http.get("/api/v1/nowhere")

    assert refused.status_code == 429
    content = ErrorEnvelope.model_validate_json(refused.content)
    assert (content.code, content.status, content.defined) == ("TOO_MANY_REQUESTS", 429, True)
    assert standing(refused) == (LIMIT, 0, 40)
    assert refused.headers["retry-after"] == "40"
    clock.now += 40
    assert (await limited.http.get("/api/v1/nowhere")).status_code == 404


async def test_an_answer_tells_it_once(limited: RunningDaemon) -> None:
    """No header is given twice, and Retry-After belongs to a refusal alone."""
    response = await limited.http.get("/api/v1/me")

    for name in ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"):
        assert len(response.headers.get_list(name)) == 1
    assert "retry-after" not in response.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/me", 200),
        ("HEAD", "/api/v1/me", 200),
        ("GET", "/api/v1/nowhere", 404),
        ("GET", "/", 401),
        ("GET", "/nowhere", 404),
        ("DELETE", "/api/v1/plan", 405),
        ("GET", "/api/v1/spending?x=1", 400),
        ("GET", "/api/v1/accounts/acc_1", 404),
        ("POST", "/api/v1/plan", 500),
        ("POST", "/api/v1/imports", 415),
        ("GET", "/api/v1/export?format=csv", 200),
        ("GET", "/health", 200),
    ],
)
async def test_every_answer_tells_it(
    limited: RunningDaemon, method: str, path: str, status: int
) -> None:
    """Successes, failures, downloads and the daemon's health all carry the three headers."""
    response = await limited.http.request(method, path)

    assert response.status_code == status
    _, remaining, reset = standing(response)
    assert remaining >= 0
    assert 1 <= reset <= 60


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"cookie": "finplan_session=guessed"}, 401),
    ],
)
async def test_refusals_before_the_credential_count_for_the_address(
    limited: RunningDaemon, headers: dict[str, str], status: int
) -> None:
    """Whoever guesses credentials or names is slowed down, and told so."""
    limited.http.cookies.clear()
    seen = [await limited.http.get("/api/v1/me", headers=headers) for _ in range(LIMIT + 2)]

    assert [response.status_code for response in seen] == [*[status] * LIMIT, 429, 429]
    assert [standing(response)[1] for response in seen] == [2, 1, 0, 0, 0]


async def test_a_stranger_takes_nothing_from_a_credential(limited: RunningDaemon) -> None:
    """When an address has used its requests up, a credential from there still has its own."""
    with_session = dict(limited.http.cookies)
    limited.http.cookies.clear()
    for _ in range(LIMIT + 1):
        stranger = await limited.http.get("/api/v1/me")
    limited.http.cookies.update(with_session)

    assert stranger.status_code == 429
    assert (await limited.http.get("/api/v1/me")).status_code == 200


async def test_the_local_session_has_the_limit_of_every_credential(limited: RunningDaemon) -> None:
    """Whoever holds it has as many requests in a minute as the interface promises, and no more."""
    for _ in range(LIMIT):
        response = await limited.http.get("/api/v1/me")
    refused = await limited.http.get("/api/v1/me")

    assert standing(response) == (LIMIT, 0, 60)
    assert response.status_code == 200
    assert refused.status_code == 429


async def test_health_is_never_refused(limited: RunningDaemon) -> None:
    """Each command asks first whether the daemon is well, so asking takes nothing from anybody."""
    limited.http.cookies.clear()
    seen = [await limited.http.get("/health") for _ in range(LIMIT * 3)]

    assert {(response.status_code, standing(response)) for response in seen} == {
        (200, (LIMIT, LIMIT, 60))
    }


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"NONSENSE\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + b"x" * 20_000 + b"\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nExpect: x\r\nConnection: close\r\n\r\n",
    ],
)
async def test_noise_counts_for_its_address(limited: RunningDaemon, request_bytes: bytes) -> None:
    """Malformed HTTP, oversized headers and what aiohttp refuses carry the headers too."""
    sent = request_bytes.replace(b"{port}", str(limited.port).encode())
    first = head_of(await limited.say(sent))
    second = head_of(await limited.say(sent))

    assert first["ratelimit-limit"] == second["ratelimit-limit"] == str(LIMIT)
    assert (first["ratelimit-remaining"], second["ratelimit-remaining"]) == ("2", "1")
    assert second["ratelimit-reset"] == "60"


async def test_a_signed_request_counts_for_its_origin(tmp_path: Path, empty_store: Path) -> None:
    """Whoever signs as an origin shares that origin's window, with whatever credential."""
    limiting = Limiting(LIMIT, lambda request: request.headers.get("x-verified"))
    async with running_daemon(tmp_path, empty_store, limiting=limiting) as running:
        signed = {"x-verified": "https://agent.example"}
        for _ in range(LIMIT):
            await running.http.get("/api/v1/me", headers=signed)
        refused = await running.http.get("/api/v1/me", headers=signed)
        other = await running.http.get("/api/v1/me", headers={"x-verified": "https://b.example"})
        plain = await running.http.get("/api/v1/me")

    assert refused.status_code == 429
    assert standing(other)[1] == LIMIT - 1
    assert standing(plain) == (LIMIT, LIMIT - 1, 60)


async def test_each_key_has_its_own_window(limited: RunningDaemon) -> None:
    """A key is counted by itself: not with the session, nor with another key of the same person."""
    keys = []
    for name in ("cron", "agent"):
        made = await limited.http.post("/api/v1/keys", json={"name": name})
        assert made.status_code == 201
        keys.append({"x-api-key": made.json()["key"]})
    limited.http.cookies.clear()

    greedy = [await limited.http.get("/api/v1/me", headers=keys[0]) for _ in range(LIMIT + 1)]
    modest = await limited.http.get("/api/v1/me", headers=keys[1])

    assert [response.status_code for response in greedy] == [200] * LIMIT + [429]
    assert standing(modest) == (LIMIT, LIMIT - 1, 60)
