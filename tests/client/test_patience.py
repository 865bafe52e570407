"""Waiting out the rate limit: nothing that was refused as too much is lost, and a long wait is told."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from finplan import __version__
from finplan.client import client as wire, connect as connecting
from finplan.client.client import AsyncDaemonClient, Client
from finplan.client.connect import Ready
from finplan.client.failures import CallFailed, pause_before_again, say_nothing
from finplan.daemon.rate_limit import Limiting, Windows
from finplan.model.base import Nothing, Wire
from finplan.operation import AnyOperation, Download, Operation, StreamedFile, Upload, UploadedFile
from finplan.service.context import Context
from finplan.settings import load_settings
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP

LIMIT = 3
SIZE = 300_000


class Number(Wire):
    number: int


NOTE = Operation(MADE_UP, "note", "POST", "/note", Number, Number, "write", "Note a number.")
SEND = Operation(MADE_UP, "send", "POST", "/boxes", Nothing, Number, "write", "Send.", Upload())
FETCH = Operation(
    MADE_UP, "fetch", "GET", "/file", Nothing, StreamedFile, "read", "A file.",
    Download(media_types=("text/plain",)),
)  # fmt: skip


def figures_in(said: str) -> list[str]:
    return re.findall(r"\d+", said)


@dataclass
class World:
    """A daemon's clock, which moves while its client waits, and what both have done."""

    now: float = 1000.0
    waited: list[float] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    noted: list[int] = field(default_factory=list)
    received: list[bytes] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    sent_before_waiting: list[int] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.sent_before_waiting.append(sum(self.sent))
        self.now += seconds

    async def pass_by(self, seconds: float) -> None:
        self.wait(seconds)

    async def perform(
        self,
        _context: Context,
        operation: AnyOperation,
        ask: Wire,
        *files: tuple[UploadedFile, ...],
    ) -> Any:
        if operation is SEND:
            (sent,) = files
            self.received += [file.path.read_bytes() for file in sent]
            return Number(number=len(sent))
        if operation is FETCH:
            return StreamedFile("a.txt", "text/plain", _pieces())
        assert isinstance(ask, Number)
        self.noted.append(ask.number)
        return ask


async def _pieces() -> AsyncGenerator[bytes, None]:
    yield b"all "
    yield b"of it"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World()
    monkeypatch.setattr(wire, "sleep", world.wait)
    monkeypatch.setattr(wire, "pass_by", world.pass_by)
    return world


@pytest.fixture
async def daemon(tmp_path: Path, empty_store: Path, world: World) -> AsyncIterator[RunningDaemon]:
    """A daemon that lets three requests a minute through."""
    async with running_daemon(
        tmp_path,
        empty_store,
        operations=(NOTE, SEND, FETCH),
        perform=world.perform,
        limiting=Limiting(LIMIT, windows=Windows(world)),
    ) as running:
        yield running


async def test_all_that_is_asked_is_done_once(daemon: RunningDaemon, world: World) -> None:
    """Seven changes at three a minute wait twice, are all done in order, and none is done again."""

    def ask() -> list[Number]:
        with Client(daemon.base_url, daemon.token, world.said.append) as client:
            return [client.call(NOTE, Number(number=number)) for number in range(7)]

    answers = await asyncio.to_thread(ask)

    assert [answer.number for answer in answers] == world.noted == list(range(7))
    assert world.waited == [60, 60]
    assert [figures_in(said) for said in world.said] == [["3", "60"]] * 2


async def test_async_code_waits_as_well(daemon: RunningDaemon, world: World) -> None:
    """The client for async code waits, tells and loses nothing, as that for plain code."""
    async with AsyncDaemonClient(daemon.base_url, daemon.token, world.said.append) as client:
        for number in range(5):
            await client.call(NOTE, Number(number=number))

    assert world.noted == list(range(5))
    assert (world.waited, len(world.said)) == ([60], 1)


@pytest.mark.parametrize("plain", [True, False])
async def test_files_are_sent_again_whole(
    daemon: RunningDaemon, world: World, tmp_path: Path, *, plain: bool
) -> None:
    """Files whose upload was refused arrive whole; while it waits, nothing of them counts as sent."""
    files = [tmp_path / "a", tmp_path / "b"]
    for file in files:
        file.write_bytes(file.name.encode() * SIZE)
    await _use_up(daemon)

    if plain:
        with Client(daemon.base_url, daemon.token) as client:
            await asyncio.to_thread(client.call, SEND, Nothing(), files, world.sent.append)
    else:
        await daemon.client.call(SEND, Nothing(), files, world.sent.append)

    assert world.received == [b"a" * SIZE, b"b" * SIZE]
    assert world.waited == [60]
    assert world.sent_before_waiting == [0]
    assert sum(world.sent) == 2 * SIZE


async def test_a_download_waits_as_well(daemon: RunningDaemon, world: World) -> None:
    """A file that was refused comes whole, and once, when there is room."""
    await _use_up(daemon)
    got: list[bytes] = []

    with Client(daemon.base_url, daemon.token, world.said.append) as client:
        await asyncio.to_thread(client.download, FETCH, Nothing(), got.append)

    assert b"".join(got) == b"all of it"
    assert (world.waited, len(world.said)) == ([60], 1)


async def test_a_short_wait_is_not_told(daemon: RunningDaemon, world: World) -> None:
    """A second is not worth a word, two are."""
    await _use_up(daemon)
    world.now += 59
    with Client(daemon.base_url, daemon.token, world.said.append) as client:
        await asyncio.to_thread(client.call, NOTE, Number(number=1))
    assert (world.waited, world.said) == ([1], [])

    await _use_up(daemon, LIMIT - 1)
    world.now += 58
    with Client(daemon.base_url, daemon.token, world.said.append) as client:
        await asyncio.to_thread(client.call, NOTE, Number(number=1))
    assert (world.waited, len(world.said)) == ([1, 2], 1)


async def test_a_command_says_what_it_waits_for(
    daemon: RunningDaemon, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client of a command tells it by the same way as that the daemon was started."""
    await _use_up(daemon)
    ready = Ready(daemon.base_url, daemon.token, __version__, 1)
    monkeypatch.setattr(connecting, "probe", lambda _settings: ready)
    with connecting.connect(load_settings(environ={}), world.said.append) as client:
        await asyncio.to_thread(client.call, NOTE, Number(number=1))

    assert [figures_in(said) for said in world.said] == [["3", "60"]]


@pytest.mark.parametrize(
    ("status", "headers", "pause"),
    [
        (429, {"retry-after": "7", "ratelimit-reset": "9"}, 7),
        (429, {"ratelimit-reset": "9"}, 9),
        (429, {"retry-after": "Mon, 23 Nov 2026 07:05:00 GMT", "ratelimit-reset": "9"}, 9),
        (429, {"retry-after": "0"}, 0),
        (429, {}, None),
        (503, {"retry-after": "7"}, None),
        (200, {"ratelimit-reset": "9"}, None),
    ],
)
def test_the_daemon_says_how_long(status: int, headers: dict[str, str], pause: int | None) -> None:
    """Retry-After goes before RateLimit-Reset; without either there is nothing to wait for."""
    assert pause_before_again(status, headers, say_nothing) == pause


async def test_a_refusal_without_an_end_is_told(
    daemon: RunningDaemon, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing says when there is room, the refusal is the answer."""
    monkeypatch.setattr(wire, "pause_before_again", lambda *_: None)
    await _use_up(daemon)

    with pytest.raises(CallFailed, match="more than 3 requests"):
        await daemon.client.call(NOTE, Number(number=1))


async def _use_up(daemon: RunningDaemon, requests: int = LIMIT) -> None:
    for _ in range(requests):
        await daemon.client.call(NOTE, Number(number=0))
