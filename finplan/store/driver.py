"""SQLite's driver; where damage has reached what SQLite says of it, that is told as damage.

Python cannot decode such a message and raises UnicodeDecodeError, which nobody expects of a database.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_Told = TypeVar("_Told")


def _telling_damage(ask: Callable[_P, _Told]) -> Callable[_P, _Told]:
    def tell(*args: _P.args, **kwargs: _P.kwargs) -> _Told:
        try:
            return ask(*args, **kwargs)
        except UnicodeDecodeError as error:
            damage = sqlite3.DatabaseError("database disk image is malformed")
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            damage.sqlite_errorname = "SQLITE_CORRUPT"
            raise damage from error
        finally:
            # What was raised names this frame: a cursor in it would keep its connection from closing.
            del args, kwargs

    return tell


class StoreCursor(sqlite3.Cursor):
    """A cursor that raises sqlite3.DatabaseError for whatever SQLite says of damage."""

    execute = _telling_damage(sqlite3.Cursor.execute)
    executemany = _telling_damage(sqlite3.Cursor.executemany)
    fetchone = _telling_damage(sqlite3.Cursor.fetchone)
    fetchmany = _telling_damage(sqlite3.Cursor.fetchmany)
    fetchall = _telling_damage(sqlite3.Cursor.fetchall)


class StoreConnection(sqlite3.Connection):
    """A connection whose cursors are such."""

    def cursor(self, factory: Any = StoreCursor) -> Any:
        """A cursor of this connection."""
        return super().cursor(factory)

    def execute(self, *args: Any) -> Any:
        """A new cursor that has executed a statement."""
        return self.cursor().execute(*args)

    def executemany(self, *args: Any) -> Any:
        """A new cursor that has executed a statement for each row."""
        return self.cursor().executemany(*args)

    backup = _telling_damage(sqlite3.Connection.backup)


def connect(database: str | Path, **options: Any) -> sqlite3.Connection:
    """Open a file that may be damaged; `options` are those of `sqlite3.connect`."""
    return sqlite3.connect(database, factory=StoreConnection, **options)
