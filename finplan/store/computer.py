"""The one thread that computes: what waits for it is worked out on one snapshot of the data.

What is worked out of a whole ledger begins with the same household and the same plan, and those are kept
for one generation of the data. While a person changes their data again and again, each of many who look
would find another generation; on one snapshot, all share what the first of them has worked out.
"""

from collections import deque
from collections.abc import Callable

from sqlalchemy import Connection, Engine

from finplan.store.offload import Answer, Work
from finplan.store.store_file import StoreFile
from finplan.store.work_queue import Waiting, WorkQueue, in_transaction


class Computer:
    """Works things out with one connection; two would do no more of it, and hold up whoever writes."""

    def __init__(self, engine: Engine, file: StoreFile) -> None:
        self._engine = engine
        self._file = file
        self._queue = WorkQueue("store-compute", engine, self._compute_waiting)

    async def compute(self, work: Work[Answer]) -> Answer:
        """Run a function that only reads; its snapshot of the data is no older than this call.

        Raises what the function raises, StorageFull, StoreLost and StoreDamaged.
        """
        return await self._queue.ask(work)

    async def alone(self, work: Callable[[Engine], Answer]) -> Answer:
        """Do something with the engine while nothing is worked out."""
        return await self._queue.alone(work)

    def close(self) -> None:
        """Finish what is waiting and close the connection."""
        self._queue.close()

    def _compute_waiting(self) -> None:
        # Whoever asks from now on may know of changes that this snapshot does not have.
        taken = (self._queue.next() for _ in range(len(self._queue)))
        waiting = deque(asked for asked in taken if asked is not None)
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

    def _do(self, asked: Waiting, connection: Connection) -> None:
        try:
            with self._file.telling():
                answer = asked.work(connection)
        except BaseException as error:  # noqa: BLE001 - raised where the answer is awaited.
            asked.answer.set_exception(error)
            # Else the error would hold this frame, and so itself and all that the work has seen.
            del asked
        else:
            asked.answer.set_result(answer)
