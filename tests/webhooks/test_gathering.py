"""What the courier hears of in a moment is taken up and reported by one transaction."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from finplan.webhooks import courier as room
from finplan.webhooks.courier import Courier, Exchange, Letter, TriedLetter
from finplan.webhooks.retries import Attempt
from tests.patience import LONG_ENOUGH


class CountingBook:
    """A book without letters that counts how often it is asked for them."""

    def __init__(self) -> None:
        self.rounds = 0

    async def exchange(
        self,
        outcomes: Sequence[TriedLetter],
        unsent: Sequence[Letter],
        room_of: Callable[[int], int],
        now: int,
    ) -> Exchange:
        """Nothing is due."""
        del outcomes, unsent, room_of, now
        self.rounds += 1
        return Exchange((), None)

    async def still(self, letter: Letter) -> bool:
        """Nothing was handed out."""
        raise NotImplementedError(letter)


async def _send_nothing(letter: Letter, now: int) -> Attempt:
    raise NotImplementedError(letter, now)


@pytest.mark.parametrize(("gathered_for", "rounds"), [(0.0, 4), (LONG_ENOUGH, 1)])
async def test_news_that_come_together_are_one_round(
    monkeypatch: pytest.MonkeyPatch, gathered_for: float, rounds: int
) -> None:
    """As long as news gathers, no transaction begins; what came before it is taken up at once."""
    monkeypatch.setattr(room, "GATHERED_FOR", gathered_for)
    book = CountingBook()
    courier = Courier(book, _send_nothing)
    running = asyncio.create_task(courier.run())
    seen = list[int]()
    for _ in range(3):
        for _turn in range(20):
            await asyncio.sleep(0)
        seen.append(book.rounds)
        courier.stir()
    for _turn in range(20):
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert (seen[0], book.rounds) == (1, rounds)
