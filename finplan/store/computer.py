"""The one thread that computes: what waits for it is worked out on one snapshot of the data.

What is worked out of a whole ledger begins with the same household and the same plan, and those are kept
for one generation of the data. While a person changes their data again and again, each of many who look
would find another generation; on one snapshot, all share what the first of them has worked out.
"""

from collections.abc import Callable

from sqlalchemy import Connection, Engine

from finplan.store.disk_full import telling_when_full
from finplan.store.offload import Answer, Work
from finplan.store.work_queue import Waiting, WorkQueue


class Computer:
    """Works things out with one connection; two would do no more of it, and hold up whoever writes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue = WorkQueue("store-compute", engine, self._compute_waiting)

    async def compute(self, work: Work[Answer]) -> Answer:
        """Run a function that only reads; its snapshot of the data is no older than this call.

        Raises what the function raises, and StorageFull when the disk is full.
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
        waiting = [asked for _ in range(len(self._queue)) if (asked := self._queue.next())]
        if not waiting:
            return
        try:
            with telling_when_full(), self._engine.connect() as connection, connection.begin():
                for asked in waiting:
                    _compute(asked, connection)
        except BaseException as error:  # noqa: BLE001 - raised to each who still waits.
            for asked in waiting:
                if not asked.answer.done():
                    asked.answer.set_exception(error)


def _compute(asked: Waiting, connection: Connection) -> None:
    try:
        with telling_when_full():
            answer = asked.work(connection)
    except BaseException as error:  # noqa: BLE001 - raised where the answer is awaited.
        asked.answer.set_exception(error)
    else:
        asked.answer.set_result(answer)
