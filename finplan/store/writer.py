"""The one thread that writes: changes that wait for it share a transaction, each whole or not at all.

A commit waits for the disk, and then for its turn to run again, which takes longer than most changes do.
So a change that comes while others wait is committed with them. Nobody is answered before the commit.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine

from finplan.model.errors import StorageFull
from finplan.store.offload import Answer, Work
from finplan.store.store_file import StoreFile
from finplan.store.work_queue import Waiting, WorkQueue, in_transaction

LONGEST = 0.05
"""After so many seconds no other change joins a transaction, so that nobody waits for long."""


class _Done(NamedTuple):
    """What a change came to, which is told after the commit."""

    answer: Any
    error: BaseException | None = None

    def tell(self, answer: Future[Any]) -> None:
        if self.error is None:
            answer.set_result(self.answer)
        else:
            answer.set_exception(self.error)


class Writer:
    """Writes with one connection, in the order of asking."""

    def __init__(self, engine: Engine, file: StoreFile) -> None:
        self._engine = engine
        self._file = file
        self._queue = WorkQueue("store-write", engine, self._write_waiting)
        self._put_off: list[Work[object]] = []

    async def write(self, work: Work[Answer]) -> Answer:
        """Run a function that writes: all that it did is on the disk when it is answered, or nothing.

        Raises StorageFull, StoreLost and StoreDamaged.
        """
        return await self._queue.ask(work)

    async def write_or_put_off(self, work: Work[object]) -> bool:
        """Run a function that writes; answers False where the disk is full.

        Then it runs at the beginning of the next change's transaction, and no change is made without it.
        """
        try:
            await self.write(work)
        except StorageFull:
            self._put_off.append(work)
            return False
        return True

    async def write_by(
        self, run: Callable[[Engine, Work[Answer]], Answer], work: Work[Answer]
    ) -> Answer:
        """As `write`, in a transaction of its own, which `run` opens, commits or rolls back."""
        return await self._queue.alone(partial(self._write_by, run=run, work=work))

    async def alone(self, work: Callable[[Engine], Answer]) -> Answer:
        """Do something with the engine while nothing is written."""
        return await self._queue.alone(work)

    def close(self) -> None:
        """Finish what is waiting and close the connection."""
        self._queue.close()

    def _write_waiting(self) -> None:
        begun, done = deque[Waiting](), deque[_Done]()
        if not self._begin_next(begun):
            return
        try:
            with (
                self._file.telling(),
                self._engine.connect() as connection,
                self._file.changing(connection),
            ):
                end = monotonic() + LONGEST
                made_up_for = self._make_up(connection)
                done.append(_Done(begun[0].work(connection)))
                while monotonic() < end and self._begin_next(begun):
                    done.append(self._join(begun[-1].work, connection))
        except BaseException as error:  # noqa: BLE001 - raised to each whose change is not on the disk.
            done = deque([_Done(None, error)] * len(begun))
        else:
            del self._put_off[:made_up_for]
        # Nothing is left here: an error holds this frame, and would hold itself and all that was seen.
        while begun:
            done.popleft().tell(begun.popleft().answer)

    def _write_by(
        self, engine: Engine, run: Callable[[Engine, Work[Answer]], Answer], work: Work[Answer]
    ) -> Answer:
        made_up_for = 0

        def make_up_and_work(connection: Connection) -> Answer:
            nonlocal made_up_for
            made_up_for = self._make_up(connection)
            return work(connection)

        answer = run(engine, make_up_and_work)
        del self._put_off[:made_up_for]
        return answer

    def _make_up(self, connection: Connection) -> int:
        """Do what was put off; answers how much of it is done with once this is committed."""
        made_up_for = len(self._put_off)
        for put_off in self._put_off[:made_up_for]:
            put_off(connection)
        return made_up_for

    def _begin_next(self, begun: deque[Waiting]) -> bool:
        """Let the next change begin, if any waits."""
        asked = self._queue.next()
        if asked is not None:
            begun.append(asked)
        return asked is not None

    def _join(self, work: Work[Any], connection: Connection) -> _Done:
        """Do one more change; one that fails leaves the transaction as it was before it."""
        connection.exec_driver_sql("SAVEPOINT change")
        try:
            with self._file.telling():
                answer = work(connection)
        except BaseException as error:
            if not in_transaction(connection):
                # A full disk may have undone the whole transaction, and with it those before this one.
                raise
            connection.exec_driver_sql("ROLLBACK TO change")
            connection.exec_driver_sql("RELEASE change")
            return _Done(None, error)
        connection.exec_driver_sql("RELEASE change")
        return _Done(answer)
