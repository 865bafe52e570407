"""Work that several ask for at once, done once for all of them.

Work that has not begun will see all that has changed so far, so whoever asks meanwhile joins it. Work
that runs may have read before a change, so one more is done after it, however many wait for that.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")

Work = Callable[[], Awaitable[Answer]]


class Joined(Generic[Answer]):
    """Work of some names, each name's done one after another."""

    def __init__(self) -> None:
        self._running: dict[Hashable, asyncio.Task[Answer]] = {}
        self._waiting: dict[Hashable, asyncio.Task[Answer]] = {}

    async def done(
        self, name: Hashable, work: Work[Answer], at_once: Work[Answer] | None = None
    ) -> Answer:
        """What work comes to that begins after this call; answers or raises what it does.

        `at_once` is done instead when nothing of the name runs.
        """
        task = self._waiting.get(name)
        if task is None:
            running = self._running.get(name)
            if running is None:
                task = asyncio.create_task(self._run(name, at_once or work))
                self._running[name] = task
            else:
                task = asyncio.create_task(self._run_after(name, running, work))
                self._waiting[name] = task
            task.add_done_callback(_look_at)
        # One who gives up must not take the answer away from the others.
        return await asyncio.shield(task)

    def running(self, name: Hashable) -> asyncio.Task[Answer] | None:
        """The work of a name that runs now."""
        return self._running.get(name)

    async def _run(self, name: Hashable, work: Work[Answer]) -> Answer:
        try:
            return await work()
        finally:
            del self._running[name]

    async def _run_after(
        self, name: Hashable, running: asyncio.Task[Answer], work: Work[Answer]
    ) -> Answer:
        await asyncio.wait([running])
        self._running[name] = self._waiting.pop(name)
        return await self._run(name, work)


def _look_at(done: asyncio.Task[Answer]) -> None:
    # A failure that nobody waits for any more is not reported as forgotten.
    if not done.cancelled():
        done.exception()
