"""Work done away from the loop that answers requests: computations, waiting work, and turns.

A computation is long work on what the store holds. It reads by a ReadDoor, in as many transactions
as it likes, and never writes. It may run in a thread or in a process of its own; so it is a
function that can be pickled, and so is what it answers. Other work waits for the one thread which
may do it, in the order of asking; and turns at something that few can have at once are shared
evenly among those who ask.
"""

import asyncio
from abc import ABC, abstractmethod
from asyncio import Future as LoopFuture, get_running_loop
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, Engine

Answer = TypeVar("Answer")
Work = Callable[[Connection], Answer]


class ReadDoor:
    """The door that a computation reads the store by."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def read(self, work: Work[Answer]) -> Answer:
        """Run a function that only reads; it sees one snapshot of the data."""
        with self._engine.connect() as connection, connection.begin():
            return work(connection)


Computation = Callable[[ReadDoor], Answer]


class WorkerPool(Protocol):
    """Runs computations in other processes."""

    async def run(self, computation: Computation[Answer], *, long: bool = False) -> Answer:
        """Run a computation on the same store and answer what it answers, or raise what it raises.

        `long` ones leave a place free for others.
        """
        ...

    def apply(self, work: Callable[[], Answer]) -> Answer:
        """As `run`, in a thread that waits for it in a transaction, and of work that reads no store."""
        ...

    async def forget(self) -> None:
        """Let no process keep what it has read of the store."""
        ...


WORKERS = "finplan_workers"
"""The execution option of an engine that names the worker pool of its store, if it has any."""


def apply_elsewhere(connection: Connection, work: Callable[[], Answer]) -> Answer:
    """Do in another process what a transaction needs that reads no store; here if there is none.

    The work can be pickled, and so can what it answers.
    """
    workers: WorkerPool | None = connection.get_execution_options().get(WORKERS)
    return work() if workers is None else workers.apply(work)


def in_one_read(work: Work[Answer]) -> Computation[Answer]:
    """The computation that does a piece of work on one snapshot of the data."""
    return partial(_read_once, work=work)


def _read_once(reader: ReadDoor, work: Work[Answer]) -> Answer:
    return reader.read(work)


class Waiting(NamedTuple):
    """A piece of work, and its answer, which somebody waits for."""

    work: Work[Any]
    answer: Future[Any]


class WorkQueue(ABC):
    """One thread, its engine, and the work that waits for both."""

    def __init__(self, name: str, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, name)
        self._waiting: deque[Waiting] = deque()

    async def ask(self, work: Work[Answer]) -> Answer:
        """Let a piece of work be done; its answer. Raises what is set as its error."""
        piece = Waiting(partial(carried, work), Future())
        self._waiting.append(piece)
        self._thread.submit(self._do_waiting)
        try:
            answer: Answer = await asyncio.wrap_future(piece.answer)
        finally:
            # Else an error would hold this frame, and so itself and all that its work has seen.
            del piece
        return answer

    @abstractmethod
    def _do_waiting(self) -> None:
        """Run in the thread, once for each piece that is asked for.

        It takes as many as it likes by `next` and sees to the answer of each; it finds none where an
        earlier run took them all.
        """

    def next(self) -> Waiting | None:
        """The piece that has waited the longest; nothing is done for who hung up before it began."""
        while self._waiting:
            piece = self._waiting.popleft()
            if piece.answer.set_running_or_notify_cancel():
                return piece
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


def carried(do: Callable[..., Answer], *args: Any) -> Answer:
    """Do something in a thread for who awaits it; a StopIteration becomes a RuntimeError.

    No future of asyncio carries a StopIteration: whoever awaits one would wait for ever.
    """
    try:
        return do(*args)
    except StopIteration as error:
        raise RuntimeError("The requested work had already ended: StopIteration.") from error


def in_transaction(connection: Connection) -> bool:
    """Whether a transaction is open; where the disk fails, SQLite may have undone it by itself."""
    driver: Any = connection.connection.driver_connection
    return bool(driver.in_transaction)


class Turns:
    """So many `places`; whoever asks for many turns waits for their own, not others for theirs.

    Each that asks has a queue of its own, and the queues are served one after the other.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._queues: dict[Hashable, deque[LoopFuture[None]]] = {}

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
