"""Work that goes on when the request that began it is over."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

Make = Callable[[], Awaitable[None]]


class Background:
    """Tasks of one process, one at a time for each name; what they have done is for rows to tell."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._wanted: dict[str, Make] = {}
        self._stirred = asyncio.Event()

    def ensure(self, name: str, make: Make) -> None:
        """See to it that some work is done from its beginning, after this call, once at least."""
        self._wanted[name] = make
        if name not in self._tasks:
            self._tasks[name] = asyncio.create_task(self._run(name))

    def stir(self) -> None:
        """Wake all who wait for news."""
        self._stirred.set()
        self._stirred = asyncio.Event()

    def news(self) -> asyncio.Event:
        """What is set with the next news; ask for it before looking, so that none is missed."""
        return self._stirred

    async def end(self) -> None:
        """Give all work up, and wait until it has ended."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, name: str) -> None:
        try:
            # What is wanted while it is done is done again, since it may have come too late for it.
            while (make := self._wanted.pop(name, None)) is not None:
                try:
                    await make()
                except Exception:
                    log.exception("Work in the background failed: %s.", name)
        finally:
            del self._tasks[name]
            self.stir()
