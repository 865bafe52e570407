"""Holding the log of a store: what it has is then not moved into the file by closing connections.

SQLite moves it with the last connection that is closed, unless that one only reads. So a file that turns
out to be damaged stays as it is, and so does its log.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path

from finplan.store.driver import connect
from finplan.store.migrate import revision


class LogHold:
    """A connection to the store's file that only reads; the last one to be closed, if it is damaged."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def begin(self) -> None:
        """Hold the log, once there is one; for a new file call it again. Raises sqlite3.DatabaseError.

        A file that cannot be opened is not held.
        """
        with suppress(sqlite3.OperationalError):
            if self._connection is None:
                location = f"{self._path.absolute().as_uri()}?mode=ro"
                self._connection = connect(
                    location, uri=True, isolation_level=None, check_same_thread=False
                )
            # A connection counts as one of the file's from its first look on.
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()

    def end(self) -> None:
        """Let go of the log; whatever it has stays there, if no other connection is open."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def give_up(self) -> None:
        """Let go of the log and have it moved into the file, if no other connection is open."""
        self.end()
        with suppress(sqlite3.Error):
            revision(self._path)
