"""Bodies that break, stall or come in pieces: each is answered, and the connection is closed.

A client that is slow, mute, gone or hostile holds up nobody else, and is no error.
"""

import asyncio
import json
import threading
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from finplan.daemon.server import PATIENCE
from finplan.model.base import Nothing, Wire
from finplan.operation import AnyOperation, Operation
from finplan.service.context import Context
from tests.daemon.conftest import Jump
from tests.daemon.notebook import Notebook
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP
from tests.loop_steps import watching_the_loop
from tests.patience import LONG_ENOUGH

JSON = "Content-Type: application/json\r\n"
FORM = "Content-Type: multipart/form-data; boundary=x\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
WAITING = "Expect: 100-continue\r\n"
GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"
NO_WHOLE_BODY = "The body does not match the headers of the request."


@asynccontextmanager
async def connection(
    daemon: RunningDaemon,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
    try:
        yield reader, writer
    finally:
        writer.close()


def head(daemon: RunningDaemon, line: str, headers: str) -> bytes:
    return (
        f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\n"
        f"Cookie: finplan_session={daemon.token}\r\n{headers}\r\n"
    ).encode()


async def said_until_closed(reader: asyncio.StreamReader) -> tuple[bytes, dict[str, Any]]:
    """The status line and the content of the one answer, which says that it is the last."""
    answer = await asyncio.wait_for(reader.read(), LONG_ENOUGH)
    first, _, body = answer.partition(b"\r\n\r\n")
    assert b"\r\nConnection: close" in first
    return first.split(b"\r\n")[0], json.loads(body)


async def has_been_heard(daemon: RunningDaemon) -> None:
    """What was sent before is read by now: requests on another connection came and went since."""
    for _ in range(10):
        assert (await daemon.http.get("/health")).status_code == 200


# --- framing that breaks --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("PATCH /api/v1/me", JSON),
        ("POST /api/v1/plan", JSON),
        ("POST /api/v1/imports", FORM),
        ("GET /api/v1/me", JSON),
        ("DELETE /api/v1/keys/key_1", JSON),
    ],
)
async def test_framing_that_breaks_after_the_head(
    daemon: RunningDaemon, line: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A chunk without a size is told as a malformed body, also when it comes after the head."""
    async with connection(daemon) as (reader, writer):
        writer.write(head(daemon, line, kind + CHUNKED + WAITING))
        assert await reader.readuntil(b"\r\n\r\n") == GO_ON
        writer.write(b"zz\r\n{}\r\n")

        status, content = await said_until_closed(reader)

    assert status == b"HTTP/1.1 400 Bad Request"
    assert (content["code"], content["defined"]) == ("BAD_REQUEST", False)
    assert content["data"]["issues"] == [{"message": NO_WHOLE_BODY, "path": []}]
    assert caplog.text == ""


async def test_a_deflated_body_that_ends_too_early(daemon: RunningDaemon) -> None:
    """What is cut short is malformed, whether it comes with the head or after it."""
    body = zlib.compress(b"{}")[:-5]
    headers = f"{JSON}Content-Encoding: deflate\r\nContent-Length: {len(body)}\r\n"

    at_once = await daemon.say(head(daemon, "PATCH /api/v1/me", headers) + body)
    async with connection(daemon) as (reader, writer):
        writer.write(head(daemon, "PATCH /api/v1/me", headers + WAITING))
        assert await reader.readuntil(b"\r\n\r\n") == GO_ON
        writer.write(body)
        status, content = await said_until_closed(reader)

    assert at_once.split()[1] == status.split()[1] == b"400"
    assert content["data"]["issues"] == [{"message": NO_WHOLE_BODY, "path": []}]


@pytest.mark.parametrize("version", ["0.9", "1.2", "2.0", "9.9"])
async def test_a_version_that_is_not_spoken(daemon: RunningDaemon, version: str) -> None:
    """Any version but 1.0 and 1.1 is refused, and in one of these."""
    request = f"GET /health HTTP/{version}\r\nHost: 127.0.0.1:{daemon.port}\r\n\r\n"

    answer = await daemon.say(request.encode())

    assert answer.startswith((b"HTTP/1.0 400 ", b"HTTP/1.1 400 "))
    assert b'{"defined":false,"code":"BAD_REQUEST"' in answer


# --- packed bodies --------------------------------------------------------------------------------


@pytest.mark.parametrize("coding", ["br", "zstd", "BR", "gzip, gzip", "compress"])
async def test_a_coding_that_is_not_read(daemon: RunningDaemon, coding: str) -> None:
    """Every coding but gzip and deflate is refused with the names of these two."""
    response = await daemon.http.patch(
        "/api/v1/me",
        content=b"{}",
        headers={"Content-Type": "application/json", "Content-Encoding": coding},
    )

    assert response.status_code == 415
    told = response.json()
    assert "gzip or deflate" in told.pop("message")
    assert told == {"defined": True, "code": "UNSUPPORTED_MEDIA_TYPE", "status": 415}


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_a_body_that_is_not_packed_as_it_says(
    daemon: RunningDaemon, coding: str, together: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """It is malformed, and the log does not say that the daemon failed."""
    headers = f"{JSON}Content-Encoding: {coding}\r\nContent-Length: 20\r\n"
    async with connection(daemon) as (reader, writer):
        if together:
            writer.write(head(daemon, "PATCH /api/v1/me", headers))
        else:
            writer.write(head(daemon, "PATCH /api/v1/me", headers + WAITING))
            assert await reader.readuntil(b"\r\n\r\n") == GO_ON
        writer.write(b'{"name": "Ada"}     ')

        status, content = await said_until_closed(reader)

    assert status == b"HTTP/1.1 400 Bad Request"
    assert content["data"]["issues"] == [{"message": NO_WHOLE_BODY, "path": []}]
    await has_been_heard(daemon)
    assert caplog.text == ""


async def test_a_body_that_breaks_when_all_is_said(
    daemon: RunningDaemon, caplog: pytest.LogCaptureFixture
) -> None:
    """What comes of a body after the answer may break: the connection is closed, and no more."""
    headers = f"{JSON}Content-Encoding: gzip\r\nContent-Length: 2\r\n"
    async with connection(daemon) as (reader, writer):
        writer.write(head(daemon, "PATCH /api/v1/nowhere", headers))
        answer = await reader.readuntil(b"\r\n\r\n")
        writer.write(b"{}")

        await asyncio.wait_for(reader.read(), LONG_ENOUGH)

    assert answer.startswith(b"HTTP/1.1 404 ")
    await has_been_heard(daemon)
    assert caplog.text == ""


# --- silence --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "headers", "begun"),
    [
        ("PATCH /api/v1/me", f"{JSON}Content-Length: 20\r\n", b"{}"),
        ("PATCH /api/v1/me", JSON + CHUNKED, b"5\r\n{}"),
        ("POST /api/v1/imports", f"{FORM}Content-Length: 2000\r\n", b"--x\r\n"),
        ("GET /api/v1/me", "Content-Length: 20\r\n", b""),
    ],
)
async def test_a_client_that_falls_silent_is_given_up(
    daemon: RunningDaemon,
    jump: Jump,
    line: str,
    headers: str,
    begun: bytes,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """When nothing more of a body comes for the daemon's patience, that is told and the end of it."""
    async with connection(daemon) as (reader, writer):
        writer.write(head(daemon, line, headers) + begun)
        await has_been_heard(daemon)
        jump(PATIENCE)

        status, content = await said_until_closed(reader)

    assert status == b"HTTP/1.1 408 Request Timeout"
    assert f"{PATIENCE:g} seconds" in content.pop("message")
    assert content == {"defined": False, "code": "TIMEOUT", "status": 408}
    assert caplog.text == ""


@pytest.mark.thorough
async def test_a_client_that_goes_on_sending_is_heard_out(
    daemon: RunningDaemon, jump: Jump
) -> None:
    """However long a body takes, it is awaited as long as something of it comes."""
    body = b'{"name": "Ada"}'
    headers = f"{JSON}Content-Length: {len(body)}\r\nConnection: close\r\n"
    async with connection(daemon) as (reader, writer):
        writer.write(head(daemon, "PATCH /api/v1/me", headers))
        for byte in body:
            await has_been_heard(daemon)
            jump(PATIENCE * 0.8)
            await has_been_heard(daemon)
            writer.write(bytes([byte]))

        status, content = await said_until_closed(reader)

    assert status == b"HTTP/1.1 200 OK"
    assert content["name"] == "Ada"


async def test_who_is_not_listened_to_is_not_silent(
    notes: RunningDaemon, notebook: Notebook, jump: Jump
) -> None:
    """While the daemon reads nothing, since a request before is not done, no client is given up."""
    notebook.go_on.clear()
    body = b" " * 700_000 + b"{}"
    add = f"{JSON}Content-Length: {len(body)}\r\nConnection: close\r\n"
    async with connection(notes) as (reader, writer):
        writer.write(head(notes, "GET /api/v1/notes", ""))
        await notebook.begun.wait()
        writer.write(head(notes, "POST /api/v1/notes", add) + body[:650_000])
        await has_been_heard(notes)
        for _ in range(3):
            jump(PATIENCE * 0.8)
            await has_been_heard(notes)
        writer.write(body[650_000:])
        notebook.go_on.set()

        answers = await asyncio.wait_for(reader.read(), LONG_ENOUGH)

    assert answers.count(b"HTTP/1.1 ") == 2
    assert b"HTTP/1.1 201 Created" in answers


async def test_a_stopping_daemon_waits_for_no_body(
    tmp_path: Path, empty_store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A request of which a part has yet to come is not running: the daemon stops at once."""
    async with (
        asyncio.timeout(LONG_ENOUGH),
        running_daemon(tmp_path, empty_store, grace=10 * LONG_ENOUGH) as running,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(head(running, "PATCH /api/v1/me", f"{JSON}Content-Length: 20\r\n") + b"{}")
        await has_been_heard(running)

    assert await asyncio.wait_for(reader.read(), LONG_ENOUGH) == b""
    writer.close()
    assert caplog.text == ""


class Pages(Wire):
    text: str


QUICK = Operation(MADE_UP, "quick", "GET", "/quick", Nothing, Nothing, "read", "Be quick.")
LARGE = Operation(MADE_UP, "large", "GET", "/large", Nothing, Pages, "read", "Say a lot.")
LONG = Operation(MADE_UP, "long", "POST", "/long", Nothing, Nothing, "read", "Take long.")
BLOCKED = Operation(
    MADE_UP, "blocked", "POST", "/blocked", Nothing, Nothing, "read", "Block a thread."
)


class Workshop:
    """Performs the rows above; the two long ones end when the test says so."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()
        self.may_unblock = threading.Event()
        self.begun = asyncio.Event()
        self.finished = 0

    async def perform(self, _context: Context, operation: AnyOperation, _ask: Wire) -> Any:
        if operation is LARGE:
            return Pages(text="x" * 30_000_000)
        if operation is LONG:
            self.begun.set()
            await self.may_end.wait()
            self.finished += 1
        if operation is BLOCKED:
            self.begun.set()
            await asyncio.to_thread(self.may_unblock.wait)
            self.finished += 1
        return Nothing()


@pytest.fixture
async def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
async def works(
    tmp_path: Path, empty_store: Path, workshop: Workshop
) -> AsyncIterator[RunningDaemon]:
    rows = (QUICK, LARGE, LONG, BLOCKED)
    async with running_daemon(
        tmp_path, empty_store, operations=rows, perform=workshop.perform
    ) as running:
        yield running


async def quick_answers(running: RunningDaemon) -> None:
    for _ in range(20):
        response = await asyncio.wait_for(running.http.get("/api/quick"), LONG_ENOUGH)
        assert response.status_code == 200


async def test_a_reader_that_does_not_read_holds_up_nobody(works: RunningDaemon) -> None:
    """While one client leaves thirty megabytes unread, others are answered."""
    _reader, writer = await asyncio.open_connection("127.0.0.1", works.port, limit=1)
    writer.write(head(works, "GET /api/large", ""))
    await writer.drain()

    await quick_answers(works)
    writer.close()


@pytest.mark.parametrize("head", [b"", b"GET /", b"GET / HTTP/1.1\r\nHo"])
async def test_a_silent_client_holds_up_nobody(works: RunningDaemon, head: bytes) -> None:
    """Connections that send half a request, or none, cost nobody anything."""
    mute = [await asyncio.open_connection("127.0.0.1", works.port) for _ in range(50)]
    for _reader, writer in mute:
        writer.write(head)

    await quick_answers(works)
    for _reader, writer in mute:
        writer.close()


async def test_work_in_a_thread_holds_up_nobody(works: RunningDaemon, workshop: Workshop) -> None:
    """While one request waits for a thread, others are answered."""
    waiting = asyncio.create_task(works.http.post("/api/blocked"))
    await workshop.begun.wait()

    await quick_answers(works)
    workshop.may_unblock.set()
    assert (await waiting).status_code == 200


async def test_what_was_begun_is_finished_though_the_client_is_gone(
    works: RunningDaemon, workshop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    """A client that hangs up does not undo what it asked for, and the log says nothing of it."""
    _reader, writer = await asyncio.open_connection("127.0.0.1", works.port)
    writer.write(head(works, "POST /api/long", ""))
    await workshop.begun.wait()

    writer.close()
    await writer.wait_closed()
    workshop.may_end.set()
    await quick_answers(works)

    assert workshop.finished == 1
    assert caplog.text == ""


async def test_a_stop_finishes_work(tmp_path: Path, empty_store: Path, workshop: Workshop) -> None:
    """A request that runs when the daemon is told to stop gets its answer."""
    async with running_daemon(
        tmp_path, empty_store, operations=(LONG,), perform=workshop.perform, grace=LONG_ENOUGH
    ) as running:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(head(running, "POST /api/long", ""))
        await workshop.begun.wait()
        asyncio.get_running_loop().call_later(0.1, workshop.may_end.set)

    answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.1 200")


@pytest.mark.thorough
async def test_a_stop_has_an_end(tmp_path: Path, empty_store: Path, workshop: Workshop) -> None:
    """A request that does not end is given up after the grace that was set."""
    async with running_daemon(
        tmp_path, empty_store, operations=(LONG,), perform=workshop.perform
    ) as running:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(head(running, "POST /api/long", ""))
        await workshop.begun.wait()
        asker = asyncio.create_task(reader.read())

    assert await asyncio.wait_for(asker, LONG_ENOUGH) == b""
    assert workshop.finished == 0
    writer.close()


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


@pytest.mark.thorough
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


@pytest.mark.thorough
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
