"""The one thread that writes, and the one that computes; each does together what waits for it.

Changes that wait share a transaction, each whole or not at all. A commit waits for the disk, and
then for its turn to run again, which takes longer than most changes do. So a change that comes
while others wait is committed with them. Nobody is answered before the commit; others in this
process are told that something was written which they wait for. The log of a large change is moved
into the store behind its answer.

What waits to be computed is worked out on one snapshot of the data. What is worked out of a whole
ledger begins with the same household and the same plan, and those are kept for one generation of
the data. While a person changes their data again and again, each of many who look would find
another generation; on one snapshot, all share what the first of them has worked out.
"""

import logging
import sqlite3
from asyncio import get_running_loop
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DatabaseError

from finplan.model.errors import Fault, StorageFull
from finplan.store.engine import driver_of
from finplan.store.offload import Answer, Waiting, Work, WorkQueue, carried, in_transaction
from finplan.store.store_file import StoreFile

log = logging.getLogger(__name__)

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


class Writer(WorkQueue):
    """Writes with one connection, in the order of asking; what is asked is answered once it is saved.

    All that a function did is on the disk then, or nothing. Raises StorageFull, StoreLost and
    StoreDamaged.
    """

    def __init__(self, engine: Engine, file: StoreFile) -> None:
        super().__init__("store-write", engine)
        self._file = file
        self._put_off: list[Work[object]] = []

    async def write_or_put_off(self, work: Work[object]) -> bool:
        """Run a function that writes; answers False where the disk is full.

        Then it runs at the beginning of the next change's transaction, and no change is made without it.
        """
        try:
            await self.ask(work)
        except StorageFull:
            self._put_off.append(work)
            return False
        return True

    async def write_by(
        self, run: Callable[[Engine, Work[Answer]], Answer], work: Work[Answer]
    ) -> Answer:
        """As `ask`, in a transaction of its own, which `run` opens, commits or rolls back."""
        written = get_running_loop().run_in_executor(
            self._thread, carried, partial(self._write_by, run=run, work=work), self._engine
        )
        self._thread.submit(self._move_full_log)
        return await written

    def _do_waiting(self) -> None:
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
        self._move_full_log()

    def _move_full_log(self) -> None:
        """Move a long log into the store, while nobody waits; if it fails, behind the next change."""
        if not self._file.has_full_log:
            return
        try:
            with self._file.telling(), self._engine.connect() as connection:
                self._file.move_log(driver_of(connection))
        except (Fault, DatabaseError, sqlite3.DatabaseError, OSError) as error:
            log.warning("Could not move the log into the store: %s", error)

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
        piece = self.next()
        if piece is not None:
            begun.append(piece)
        return piece is not None

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


_SIGNAL = "finplan.commit_signal"
_RAISED = "finplan.commit_signal.raised"


class CommitSignal:
    """Calls whoever listens, in the thread that writes, when a transaction that raised it commits.

    It is called as the commit begins. A listener that looks at the store has to do so by a write of its
    own, which waits for that one.
    """

    def __init__(self) -> None:
        self.listener: Callable[[], None] | None = None

    def share(self, engine: Engine) -> None:
        """Let what runs on an engine's connections raise it."""

        def give(_connection: object, record: Any) -> None:
            record.info[_SIGNAL] = self

        def tell(connection: Connection) -> None:
            if connection.info.pop(_RAISED, False) and self.listener is not None:
                self.listener()

        def forget(connection: Connection) -> None:
            connection.info.pop(_RAISED, None)

        event.listen(engine, "connect", give)
        event.listen(engine, "commit", tell)
        event.listen(engine, "rollback", forget)


def raise_on_commit(connection: Connection) -> None:
    """Let the signal of the store be called when this transaction commits."""
    connection.info[_RAISED] = True


class Computer(WorkQueue):
    """Works things out with one connection; two would do no more of it, and hold up whoever writes.

    The snapshot of the data that a function sees is no older than its being asked for. Raises what the
    function raises, StorageFull, StoreLost and StoreDamaged.
    """

    def __init__(self, engine: Engine, file: StoreFile) -> None:
        super().__init__("store-compute", engine)
        self._file = file

    def _do_waiting(self) -> None:
        # Whoever asks from now on may know of changes that this snapshot does not have.
        taken = (self.next() for _ in range(len(self)))
        waiting = deque(piece for piece in taken if piece is not None)
        try:
            # Where the disk has undone a transaction, those who still wait get another snapshot.
            while waiting:
                self._compute_on_one_snapshot(waiting)
        except BaseException as error:  # noqa: BLE001 - raised to each who still waits.
            while waiting:
                waiting.popleft().answer.set_exception(error)

    def _compute_on_one_snapshot(self, waiting: deque[Waiting]) -> None:
        self._file.check()
        with self._file.telling(), self._engine.connect() as connection, connection.begin():
            while waiting and in_transaction(connection):
                self._do(waiting.popleft(), connection)

    def _do(self, piece: Waiting, connection: Connection) -> None:
        try:
            with self._file.telling():
                answer = piece.work(connection)
        except BaseException as error:  # noqa: BLE001 - raised where the answer is awaited.
            piece.answer.set_exception(error)
            # Else the error would hold this frame, and so itself and all that the work has seen.
            del piece
        else:
            piece.answer.set_result(answer)
