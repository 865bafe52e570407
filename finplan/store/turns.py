"""Turns at something that few can have at once, shared evenly among those who ask for it."""

from asyncio import Future, get_running_loop
from collections import deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class Turns:
    """So many `places`; whoever asks for many turns waits for their own, not others for theirs.

    Each that asks has a queue of its own, and the queues are served one after the other.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._queues: dict[Hashable, deque[Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, whose: Hashable) -> AsyncIterator[None]:
        """Wait for a turn, which ends with the block."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(whose)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, whose: Hashable) -> None:
        called = get_running_loop().create_future()
        self._queues.setdefault(whose, deque()).append(called)
        try:
            await called
        except BaseException:
            # Who was called and left before they could come gives the turn to the next.
            if not called.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._queues:
            whose = next(iter(self._queues))
            queue = self._queues.pop(whose)
            called = queue.popleft()
            if queue:
                # Behind all others: their next turn comes before this one's.
                self._queues[whose] = queue
            if not called.done():
                called.set_result(None)
                return
        self._free += 1
