"""Downloads: a file comes piece by piece, whole or recognisably broken."""

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from finplan.client.client import Client
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.client.request import SESSION_COOKIE
from finplan.daemon.surfaces.rest.answers import PIECES_WAITING
from finplan.model.base import Nothing, Wire
from finplan.model.errors import NotFound
from finplan.operation import AnyOperation, Download, Operation, StreamedFile
from finplan.service.context import Context
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP
from tests.patience import LONG_ENOUGH

TEXT = Download(media_types=("text/plain",))
WHOLE, BROKEN, REFUSED, ENDLESS = (
    Operation(MADE_UP, name, "GET", f"/{name}", Nothing, StreamedFile, "read", "A file.", TEXT)
    for name in ("whole", "broken", "refused", "endless")
)
ROWS: tuple[AnyOperation, ...] = (WHOLE, BROKEN, REFUSED, ENDLESS)
PIECES = (b"one;", "zwölf;".encode(), b"x" * 200_000)


class Maker:
    """Makes the files, and remembers how many pieces of the endless one were asked for."""

    def __init__(self) -> None:
        self.made = 0
        self.is_closed = asyncio.Event()

    async def perform(self, _context: Context, operation: AnyOperation, _ask: Wire) -> Any:
        if operation is REFUSED:
            raise NotFound("There is nothing to be had.")
        return StreamedFile("money.csv", "text/csv", self._pieces(operation))

    async def _pieces(self, operation: AnyOperation) -> AsyncGenerator[bytes, None]:
        try:
            for piece in PIECES:
                yield piece
            if operation is BROKEN:
                raise RuntimeError("The disk is gone.")
            while operation is ENDLESS:
                self.made += 1
                yield b"x" * 65536
        finally:
            self.is_closed.set()


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
async def files(tmp_path: Path, empty_store: Path, maker: Maker) -> AsyncIterator[RunningDaemon]:
    running = running_daemon(tmp_path, empty_store, operations=ROWS, perform=maker.perform)
    async with running as daemon:
        yield daemon


@pytest.fixture
def client(files: RunningDaemon) -> Iterator[Client]:
    with closing(Client(files.base_url, files.token)) as opened:
        yield opened


async def test_a_file_comes_whole_as_an_attachment(files: RunningDaemon, client: Client) -> None:
    """Its bytes, its name and its kind are those that the performer gave; HEAD gives no bytes."""
    answer = await files.http.get("/api/v1/whole")
    got: list[bytes] = []
    await asyncio.to_thread(client.download, WHOLE, Nothing(), got.append)
    head = await files.http.head("/api/v1/whole")

    assert answer.content == b"".join(got) == b"".join(PIECES)
    for each in (answer, head):
        assert each.headers["content-type"] == "text/csv; charset=utf-8"
        assert each.headers["content-disposition"] == 'attachment; filename="money.csv"'
    assert head.content == b""


async def test_a_file_that_cannot_be_finished_is_broken(
    files: RunningDaemon, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """A receiver knows that it has not got all, the log says why, and the daemon goes on."""
    with pytest.raises(DaemonUnreachable):
        await asyncio.to_thread(client.download, BROKEN, Nothing(), lambda _: None)

    assert "money.csv could not be finished" in caplog.text
    assert (await files.http.get("/api/v1/whole")).status_code == 200


async def test_a_question_is_refused_before_the_file_begins(
    files: RunningDaemon, client: Client
) -> None:
    """What is wrong with the question comes as an envelope, as for any other row."""
    with pytest.raises(CallFailed, match="nothing to be had"):
        await asyncio.to_thread(client.download, REFUSED, Nothing(), lambda _: None)
    answer = await files.http.get("/api/v1/whole?nonsense=1")
    assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")


async def test_a_file_is_made_no_faster_than_it_is_taken(
    files: RunningDaemon, maker: Maker
) -> None:
    """Memory stays flat: whoever takes nothing is made little, and whoever leaves ends the making."""
    async with files.http.stream("GET", "/api/v1/endless") as response:
        taken = 0
        async for piece in response.aiter_raw():
            taken += len(piece)
            if taken > 20_000_000:
                break
        assert maker.made * 65536 < taken + 20_000_000
    await asyncio.wait_for(maker.is_closed.wait(), LONG_ENOUGH)


async def test_little_is_made_for_who_takes_nothing(files: RunningDaemon, maker: Maker) -> None:
    """A hundred of them would otherwise have megabytes made each before anybody else's next piece."""
    idle = socket.socket()
    idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    await asyncio.to_thread(idle.connect, ("127.0.0.1", files.port))
    idle.sendall(
        f"GET /api/v1/endless HTTP/1.1\r\nHost: 127.0.0.1:{files.port}\r\n"
        f"Cookie: {SESSION_COOKIE}={files.token}\r\n\r\n".encode()
    )
    made = [-1]
    while made[-1] != made[0] or made[-1] < 1:
        # As long as the system takes what is made, some of it is made beside each of these.
        made = [maker.made]
        for _ in range(20):
            await files.http.get("/api/v1/whole")
            made.append(maker.made)
    idle.close()

    assert made[-1] * 65536 < 6 * PIECES_WAITING
