"""Look-ups of one row by an index, quicker than their way to a thread and back would be.

Each request with a credential begins with one. It is made in the thread that asks, on a connection of
its own that only reads and waits for nobody; whatever does not go as it should is done anew by a reading
thread, which can tell what is wrong.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection

from finplan.store.driver import connect
from finplan.store.store_file import StoreFile

Found = TypeVar("Found")

_PRAGMAS = ("query_only = ON", "busy_timeout = 0", "cache_size = -512")


@dataclass(frozen=True, slots=True)
class LookUp(Generic[Found]):
    """A statement that finds one row at most, and what is made of its columns."""

    statement: str
    shape: Callable[..., Found]

    def find(self, connection: Connection, *parameters: Any) -> Found | None:
        """What is found in a transaction."""
        row = connection.exec_driver_sql(self.statement, parameters).first()
        return None if row is None else self.shape(*row)


class LookUps:
    """The connection that look-ups are made on; it is opened for the first of them."""

    def __init__(self, path: Path, file: StoreFile) -> None:
        self._path = path
        self._file = file
        self._connection: sqlite3.Connection | None = None

    def find(self, look_up: LookUp[Found], parameters: tuple[Any, ...]) -> Found | None:
        """What is found, as of now. Raises StoreLost, and sqlite3.Error for whatever else is wrong."""
        self._file.check()
        if self._connection is None:
            self._connection = _opened(self._path)
        row = self._connection.execute(look_up.statement, parameters).fetchone()
        return None if row is None else look_up.shape(*row)

    def close(self) -> None:
        """Close the connection; the next look-up opens another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _opened(path: Path) -> sqlite3.Connection:
    connection = connect(path, isolation_level=None, check_same_thread=False)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection
