"""Work that waits for the one thread which may do it, in the order of asking."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine

from finplan.store.offload import Answer, Work


class Waiting(NamedTuple):
    """A piece of work, and its answer, which somebody waits for."""

    work: Work[Any]
    answer: Future[Any]


class WorkQueue:
    """One thread, its engine, and the work that waits for both.

    `do_waiting` runs in the thread once for each piece that is asked for, takes as many as it likes by
    `next` and sees to the answer of each; it finds none where an earlier run took them all.
    """

    def __init__(self, name: str, engine: Engine, do_waiting: Callable[[], None]) -> None:
        self._engine = engine
        self._do_waiting = do_waiting
        self._thread = ThreadPoolExecutor(1, name)
        self._waiting: deque[Waiting] = deque()

    async def ask(self, work: Work[Answer]) -> Answer:
        """Let a piece of work be done; its answer. Raises what is set as its error."""
        asked = Waiting(partial(carried, work), Future())
        self._waiting.append(asked)
        self._thread.submit(self._do_waiting)
        try:
            answer: Answer = await asyncio.wrap_future(asked.answer)
        finally:
            # Else an error would hold this frame, and so itself and all that its work has seen.
            del asked
        return answer

    def next(self) -> Waiting | None:
        """The piece that has waited the longest; nothing is done for who hung up before it began."""
        while self._waiting:
            asked = self._waiting.popleft()
            if asked.answer.set_running_or_notify_cancel():
                return asked
        return None

    def __len__(self) -> int:
        """How many pieces wait."""
        return len(self._waiting)

    async def alone(self, work: Callable[[Engine], Answer]) -> Answer:
        """Do something with the engine while no piece of work is done."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, carried, work, self._engine)

    def close(self) -> None:
        """Finish what waits and close the engine's connections."""
        self._thread.shutdown()
        self._engine.dispose()


def carried(do: Callable[..., Answer], *given: Any) -> Answer:
    """Do something in a thread for who awaits it; a StopIteration becomes a RuntimeError.

    No future of asyncio carries a StopIteration: whoever awaits one would wait for ever.
    """
    try:
        return do(*given)
    except StopIteration as error:
        raise RuntimeError("What was asked for had ended: StopIteration.") from error


def in_transaction(connection: Connection) -> bool:
    """Whether a transaction is open; where the disk fails, SQLite may have undone it by itself."""
    driver: Any = connection.connection.driver_connection
    return bool(driver.in_transaction)
