"""Whatever is sent to the daemon is answered within the envelope, and holds up nobody else meanwhile."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import httpx
import pytest

from tests.daemon.running import RunningDaemon, running_daemon
from tests.loop_steps import watching_the_loop

MOST = 1_000_000
"""Nearly as many bytes as a body of JSON may have."""


def _keys(size: int) -> bytes:
    return b"{" + b",".join(b'"k%d":0' % each for each in range(size // 10)) + b"}"


BODIES: Mapping[str, bytes] = {
    "empty lists": b"[" + b"[]," * (MOST // 3) + b"[]]",
    "lists within lists": b"[" * MOST,
    "objects within objects": b'{"a":' * (MOST // 5),
    "many keys": _keys(MOST),
    "one key many times": b"{" + b'"name":"x",' * (MOST // 11) + b'"name":"x"}',
    "a long number": b'{"amount":' + b"9" * MOST + b"}",
    "a huge exponent": b'{"amount":1e999999999,"balance":-1e999999999}',
    "a long text": b'{"name":"' + b"x" * MOST + b'"}',
    "a text that does not end": b'{"name":"' + b'\\"' * (MOST // 2),
    "a list of rules, each odd": b'{"rules":[' + b"{}," * 6_000 + b"{}]}",
    "a long list of numbers": b'{"rules":[' + b"0," * (MOST // 2 - 20) + b"0]}",
    "a long list of objects": b'{"rules":[' + b"{}," * (MOST // 3 - 20) + b"{}]}",
    "half a surrogate pair": b'{"name":"\\ud83d"}',
    "bytes that are not UTF-8": b'{"name":"\xff\xfe"}',
    "NaN": b'{"amount":NaN}',
}
PLACES = (
    ("POST", "/api/v1/accounts"),
    ("PATCH", "/api/v1/settings"),
    ("PATCH", "/api/v1/accounts/acc_1"),
    ("PUT", "/api/v1/categories/rules/batch"),
    ("POST", "/api/v1/plan/what-if"),
    ("POST", "/a2a"),
    ("POST", "/mcp"),
    ("POST", "/mcp/docs"),
    ("POST", "/ask"),
    ("POST", "/auth/oauth2/register"),
    ("POST", "/agent/identity"),
)


@pytest.fixture
async def daemon(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    async with running_daemon(tmp_path, empty_store) as running:
        yield running


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize(("method", "path"), PLACES)
async def test_no_body_holds_up_the_loop(
    daemon: RunningDaemon, method: str, path: str, name: str
) -> None:
    """It is refused, in few words, and what reads it takes few steps at once."""
    headers = {"Content-Type": "application/json", "A2A-Version": "1.0"}
    headers["Accept"] = "application/json, text/event-stream"
    with watching_the_loop() as watch:
        answer = await daemon.http.request(method, path, content=BODIES[name], headers=headers)
    assert answer.status_code < 500, answer.text[:300]
    assert len(answer.content) < 100_000
    watch.must_be_free()


async def test_no_form_of_many_parts_holds_up_the_loop(daemon: RunningDaemon) -> None:
    """Parts that have all arrived are read in turns, and more than a form may have are refused."""
    part = b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n'
    with watching_the_loop() as watch:
        answer = await daemon.http.post(
            "/api/v1/imports",
            content=part * 20_000,
            headers={"Content-Type": "multipart/form-data; boundary=b"},
        )
    assert answer.status_code == httpx.codes.BAD_REQUEST
    watch.must_be_free()


async def test_no_body_in_small_chunks_holds_up_the_loop(daemon: RunningDaemon) -> None:
    """A body of JSON that comes a byte at a time is refused once it is too long."""

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(40_000):
            yield b" "

    with watching_the_loop() as watch:
        answer = await daemon.http.patch(
            "/api/v1/settings", content=chunks(), headers={"Content-Type": "application/json"}
        )
    assert answer.status_code == httpx.codes.BAD_REQUEST
    watch.must_be_free()


@pytest.mark.parametrize("token", ["." * 7_000, "e30." * 1_500, f"{'A' * 3_000}.{'A' * 3_000}.A"])
async def test_no_token_holds_up_the_loop(daemon: RunningDaemon, token: str) -> None:
    """One that is no token is a 401 like any other."""
    daemon.http.cookies.clear()
    headers = {"Authorization": f"Bearer {token}"}
    with watching_the_loop() as watch:
        answer = await daemon.http.get("/api/v1/me", headers=headers)
    assert answer.status_code == httpx.codes.UNAUTHORIZED
    watch.must_be_free()
