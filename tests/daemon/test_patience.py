"""A client that is slow, mute or gone holds up nobody else, and is no error."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from finplan.model.base import Nothing, Wire
from finplan.operation import AnyOperation, Operation
from finplan.service.context import Context
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP
from tests.patience import LONG_ENOUGH


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


def head_of(running: RunningDaemon, line: str) -> bytes:
    return (
        f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\n"
        f"Cookie: finplan_session={running.token}\r\n"
    ).encode()


async def quick_answers(running: RunningDaemon) -> None:
    for _ in range(20):
        response = await asyncio.wait_for(running.http.get("/api/quick"), LONG_ENOUGH)
        assert response.status_code == 200


async def test_a_reader_that_does_not_read_holds_up_nobody(works: RunningDaemon) -> None:
    """While one client leaves thirty megabytes unread, others are answered."""
    _reader, writer = await asyncio.open_connection("127.0.0.1", works.port, limit=1)
    writer.write(head_of(works, "GET /api/large") + b"\r\n")
    await writer.drain()

    await quick_answers(works)
    writer.close()


@pytest.mark.parametrize("head", [b"", b"GET /", b"GET / HTTP/1.1\r\nHo"])
async def test_a_client_that_says_nothing_holds_up_nobody(
    works: RunningDaemon, head: bytes
) -> None:
    """Connections that send half a request, or none, cost nobody anything."""
    mute = [await asyncio.open_connection("127.0.0.1", works.port) for _ in range(50)]
    for _reader, writer in mute:
        writer.write(head)

    await quick_answers(works)
    for _reader, writer in mute:
        writer.close()


async def test_a_performer_in_a_thread_holds_up_nobody(
    works: RunningDaemon, workshop: Workshop
) -> None:
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
    writer.write(head_of(works, "POST /api/long") + b"\r\n")
    await workshop.begun.wait()

    writer.close()
    await writer.wait_closed()
    workshop.may_end.set()
    await quick_answers(works)

    assert workshop.finished == 1
    assert caplog.text == ""


async def test_a_stopping_daemon_finishes_what_it_is_doing(
    tmp_path: Path, empty_store: Path, workshop: Workshop
) -> None:
    """A request that runs when the daemon is told to stop gets its answer."""
    async with running_daemon(
        tmp_path, empty_store, operations=(LONG,), perform=workshop.perform, grace=LONG_ENOUGH
    ) as running:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(head_of(running, "POST /api/long") + b"\r\n")
        await workshop.begun.wait()
        asyncio.get_running_loop().call_later(0.1, workshop.may_end.set)

    answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.1 200")


async def test_a_stopping_daemon_does_not_wait_for_ever(
    tmp_path: Path, empty_store: Path, workshop: Workshop
) -> None:
    """A request that does not end is given up after the grace that was set."""
    async with running_daemon(
        tmp_path, empty_store, operations=(LONG,), perform=workshop.perform
    ) as running:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(head_of(running, "POST /api/long") + b"\r\n")
        await workshop.begun.wait()
        asker = asyncio.create_task(reader.read())

    assert await asyncio.wait_for(asker, LONG_ENOUGH) == b""
    assert workshop.finished == 0
    writer.close()
