"""A courier that is stopped while the store is busy: nothing that arrived is forgotten."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from finplan.webhooks.courier import Courier, Exchange, Letter, TriedLetter
from finplan.webhooks.retries import Attempt
from tests.patience import LONG_ENOUGH
from tests.webhooks.desk import StandingClock


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
