"""A process's cache of derived state: what follows from a person's data, for one generation and day.

It holds nothing that must survive: the daemon has one, and each worker. Whoever asks reads the
generation from the store first, so that what another process has written makes all that is kept of the
person stale at once.
"""

from collections import OrderedDict
from collections.abc import Hashable
from datetime import date
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, event

ROOM = 16 * 2**20
"""About how many bytes are kept; what was not asked for the longest goes first."""

_BESIDES = 2048
"""About what an entry takes besides its value, in bytes."""

_INFO = "derived"


class State(NamedTuple):
    """Whose data, in which generation, on which day where the person lives.

    What is kept of one question is of one count of generations: all of them, or those of data alone.
    """

    owner: int
    generation: int
    today: date


class _Kept(NamedTuple):
    state: State
    value: Any
    size: int


class DerivedCache:
    """Values by person and question, each of one state; threads may share it.

    A value is never changed once it is kept, and `None` is no value.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._taken = 0
        self._kept: OrderedDict[tuple[int, Hashable], _Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, state: State, question: Hashable) -> Any:
        """What is kept of a question in just this state, else None.

        What is kept of an older one goes at once: it would take its room beside what is worked out now.
        """
        key = state.owner, question
        with self._lock:
            entry = self._kept.get(key)
            if entry is not None and entry.state.generation < state.generation:
                self._drop(key)
            if entry is None or entry.state != state:
                return None
            self._kept.move_to_end(key)
            return entry.value

    def put(self, state: State, question: Hashable, value: Any, size: int) -> None:
        """Keep a value of so many bytes instead of that of an older state.

        One that would take half of the room is not kept, and a newer generation's is not replaced.
        """
        key = state.owner, question
        size += _BESIDES
        with self._lock:
            former = self._kept.get(key)
            if former is not None and former.state.generation > state.generation:
                return
            self._drop(key)
            if size <= self._room // 2:
                self._kept[key] = _Kept(state, value, size)
                self._taken += size
            while self.bytes_used > self._room:
                self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Forget everything: when somebody was deleted, and for a time when nothing is asked."""
        with self._lock:
            self._kept.clear()
            self._taken = 0

    @property
    def bytes_used(self) -> int:
        """About how many bytes are taken."""
        return self._taken

    def _drop(self, key: tuple[int, Hashable]) -> None:
        entry = self._kept.pop(key, None)
        if entry is not None:
            self._taken -= entry.size


def share(cache: DerivedCache, engine: Engine) -> None:
    """Let what runs on an engine's connections find the cache."""

    def give(_connection: object, record: Any) -> None:
        record.info[_INFO] = cache

    event.listen(engine, "connect", give)


def cache_of(connection: Connection) -> DerivedCache:
    """The cache that a connection's work may use.

    It is an empty one for what shares none, and for a writer: what a change has seen may never come to
    be.
    """
    cache: DerivedCache | None = connection.info.get(_INFO)
    return DerivedCache() if cache is None else cache
