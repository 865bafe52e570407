"""The one thread that writes: changes that wait for it share a transaction, each whole or not at all.

A commit waits for the disk, and then for its turn to run again, which takes longer than most changes do.
So a change that comes while others wait is committed with them. Nobody is answered before the commit.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine

from finplan.store.disk_full import telling_when_full
from finplan.store.offload import Answer, Work
from finplan.store.work_queue import Waiting, WorkQueue

LONGEST = 0.05
"""After so many seconds no other change joins a transaction, so that nobody waits for long."""


class _Done(NamedTuple):
    """What a change came to, which is told after the commit."""

    asked: Waiting
    answer: Any
    error: BaseException | None = None

    def tell(self) -> None:
        if self.error is None:
            self.asked.answer.set_result(self.answer)
        else:
            self.asked.answer.set_exception(self.error)


class Writer:
    """Writes with one connection, in the order of asking."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue = WorkQueue("store-write", engine, self._write_waiting)

    async def write(self, work: Work[Answer]) -> Answer:
        """Run a function that writes: all that it did is on the disk when it is answered, or nothing.

        Raises StorageFull when the disk is full.
        """
        return await self._queue.ask(work)

    async def alone(self, work: Callable[[Engine], Answer]) -> Answer:
        """Do something with the engine while nothing is written."""
        return await self._queue.alone(work)

    def close(self) -> None:
        """Finish what is waiting and close the connection."""
        self._queue.close()

    def _write_waiting(self) -> None:
        first = self._queue.next()
        if first is None:
            return
        begun, done = [first], list[_Done]()
        try:
            with telling_when_full(), self._engine.connect() as connection, connection.begin():
                end = monotonic() + LONGEST
                done.append(_Done(first, first.work(connection)))
                while monotonic() < end and (asked := self._queue.next()) is not None:
                    begun.append(asked)
                    done.append(_join(asked, connection))
        except BaseException as error:  # noqa: BLE001 - raised to each whose change is not on the disk.
            done = [_Done(each, None, error) for each in begun]
        for each in done:
            each.tell()


def _join(asked: Waiting, connection: Connection) -> _Done:
    """Do one more change; one that fails leaves the transaction as it was before it."""
    connection.exec_driver_sql("SAVEPOINT change")
    try:
        with telling_when_full():
            answer = asked.work(connection)
    except BaseException as error:
        if not _in_transaction(connection):
            # A full disk may have undone the whole transaction, and with it those before this one.
            raise
        connection.exec_driver_sql("ROLLBACK TO change")
        connection.exec_driver_sql("RELEASE change")
        return _Done(asked, None, error)
    connection.exec_driver_sql("RELEASE change")
    return _Done(asked, answer)


def _in_transaction(connection: Connection) -> bool:
    driver: Any = connection.connection.driver_connection
    return bool(driver.in_transaction)
