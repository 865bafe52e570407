"""A courier that is stopped at a bad moment: nothing that arrived is forgotten."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import aiohttp
import pytest

from finplan.webhooks import sending
from finplan.webhooks.courier import AT_ONCE, Courier, Exchange, Letter, TriedLetter
from finplan.webhooks.retries import Attempt
from tests.patience import LONG_ENOUGH
from tests.webhooks.desk import StandingClock
from tests.webhooks.raw import a_letter, a_sender, replying
from tests.webhooks.receiver import Authority


@dataclass
class BusyBook:
    """A book with two letters, the second of which it hands out in the exchange that it is busy with."""

    letters: list[Letter]
    fails: bool
    busy: asyncio.Event = field(default_factory=asyncio.Event)
    free: asyncio.Event = field(default_factory=asyncio.Event)
    reported: list[str] = field(default_factory=list)
    let_go: list[str] = field(default_factory=list)

    async def exchange(
        self,
        outcomes: Sequence[TriedLetter],
        unsent: Sequence[Letter],
        room_of: Callable[[int], int],
        now: int,  # noqa: ARG002  # The book names it.
    ) -> Exchange:
        failing = False
        if outcomes and not self.busy.is_set():
            self.busy.set()
            await self.free.wait()
            failing = self.fails
        if failing:
            raise OSError("The disk is gone for a moment.")
        self.reported += [outcome.letter.id for outcome in outcomes]
        self.let_go += [letter.id for letter in unsent]
        given = self.letters[:1] if room_of(1) else []
        del self.letters[: len(given)]
        return Exchange(given, None)

    async def still(self, _letter: Letter) -> bool:
        return True


@pytest.mark.parametrize("fails", [False, True])
async def test_a_stop_reports_what_arrived_while_the_store_was_busy(fails: bool) -> None:
    """Once, though the stop falls into the report; what was claimed with it is let go, unsent."""
    clock = StandingClock()
    until = clock.now() + 60_000
    letters = [
        Letter(no, f"dlv_{no}", 1, "https://receiver.test/", b"{}", (b"k",), 0, until)
        for no in (1, 2)
    ]
    sent: list[str] = []

    async def send(letter: Letter, _now: int) -> Attempt:
        sent.append(letter.id)
        return Attempt(204)

    book = BusyBook(letters, fails)
    running = asyncio.create_task(Courier(book, send, clock).run())
    async with asyncio.timeout(LONG_ENOUGH):
        await book.busy.wait()
        running.cancel()
        asyncio.get_running_loop().call_soon(book.free.set)
        await asyncio.gather(running, return_exceptions=True)
    assert sent == book.reported == ["dlv_1"]
    assert book.let_go == ([] if fails else ["dlv_2"])


@dataclass
class PlainBook:
    """A book that hands its letters out once."""

    letters: list[Letter]
    reported: list[tuple[str, Attempt]] = field(default_factory=list)
    let_go: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)

    async def exchange(
        self,
        outcomes: Sequence[TriedLetter],
        unsent: Sequence[Letter],
        room_of: Callable[[int], int],  # noqa: ARG002  # The book names it.
        now: int,  # noqa: ARG002
    ) -> Exchange:
        self.reported += [(outcome.letter.id, outcome.attempt) for outcome in outcomes]
        self.let_go += [letter.id for letter in unsent]
        given, self.letters = self.letters, []
        return Exchange(given, None)

    async def still(self, letter: Letter) -> bool:
        self.begun.append(letter.id)
        return True


async def test_a_stop_reports_a_status_whose_body_is_still_to_come(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was answered has arrived, and is sent no second time; what waited its turn is let go."""
    clock, all_read, asked = StandingClock(held=True), asyncio.Event(), 0
    read = sending._read_a_little

    async def dawdle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
        await reader.read()

    async def tell(answer: aiohttp.ClientResponse) -> None:
        nonlocal asked
        asked += 1
        if asked == AT_ONCE:
            all_read.set()
        await read(answer)

    monkeypatch.setattr(sending, "READ_WITHIN", 10 * LONG_ENOUGH)
    monkeypatch.setattr(sending, "_read_a_little", tell)
    async with replying(authority, dawdle) as url, a_sender(authority) as sender:
        letter = a_letter(url, clock.now() + 60_000)
        letters = [replace(letter, no=no, id=f"dlv_{no}") for no in range(AT_ONCE + 2)]
        ids = [each.id for each in letters]
        book = PlainBook(letters)
        running = asyncio.create_task(Courier(book, sender.send, clock).run())
        async with asyncio.timeout(LONG_ENOUGH):
            await all_read.wait()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    assert sorted(book.reported) == [(each, Attempt(200)) for each in ids[:AT_ONCE]]
    assert (book.begun, book.let_go) == (ids[:AT_ONCE], ids[AT_ONCE:])
