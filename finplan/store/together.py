"""Readings that wait for one thread are done together, on one snapshot of the data.

Much of what is worked out of a whole ledger begins with the same books. While some readings run, others
come; each of those sees all that had changed when it was asked for. So they can share a snapshot, and
what follows from the snapshot alone is worked out once: see `memory_of`.
"""

import asyncio
from collections import deque
from collections.abc import MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, event

from finplan.store.study import Answer, Work

_MEMORY = "memory"


class _Asked(NamedTuple):
    work: Work[Any]
    answer: Future[Any]


class Together:
    """One thread and one connection, for readings that keep Python busy rather than the disk.

    Two threads would do no more of them than one, and would hold up whoever writes.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        event.listen(engine, "connect", _give_memory)
        self._thread = ThreadPoolExecutor(1, "store-together")
        self._waiting: deque[_Asked] = deque()

    async def read(self, work: Work[Answer]) -> Answer:
        """Run a function that only reads, on a snapshot that is no older than this call."""
        asked = _Asked(work, Future())
        self._waiting.append(asked)
        self._thread.submit(self._answer_waiting)
        answer: Answer = await asyncio.wrap_future(asked.answer)
        return answer

    def forget(self) -> None:
        """Close the connection while nothing runs, and forget what it remembers."""
        self._thread.submit(self._engine.dispose).result()

    def close(self) -> None:
        """Finish what is running and close the connection."""
        self._thread.shutdown()
        self._engine.dispose()

    def _answer_waiting(self) -> None:
        # Those who ask from now on may know of changes that this snapshot does not have.
        asked = [self._waiting.popleft() for _ in range(len(self._waiting))]
        # Whoever has hung up is not worked for.
        asked = [each for each in asked if each.answer.set_running_or_notify_cancel()]
        if not asked:
            return
        try:
            with self._engine.connect() as connection, connection.begin():
                for each in asked:
                    _answer(each, connection)
        except BaseException as error:  # noqa: BLE001 - raised to each who waits.
            for each in asked:
                if not each.answer.done():
                    each.answer.set_exception(error)


def memory_of(connection: Connection) -> MutableMapping[str, Any]:
    """What a connection remembers from one reading to the next; nothing, where it is not kept.

    What is put there has to say of which generation of whose data it is. A connection that writes keeps
    nothing: what it saw may never come to be.
    """
    memory: MutableMapping[str, Any] = connection.info.get(_MEMORY, {})
    return memory


def _give_memory(_connection: object, record: Any) -> None:
    record.info[_MEMORY] = {}


def _answer(asked: _Asked, connection: Connection) -> None:
    try:
        asked.answer.set_result(asked.work(connection))
    except BaseException as error:  # noqa: BLE001 - raised where the answer is awaited.
        asked.answer.set_exception(error)
