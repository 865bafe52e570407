"""Staging: parsed rows wait in a scratch database beside the store, until one short transaction.

A scratch file keeps memory flat however large the import is, and lets SQL arrange the rows: equal rows
of one file are told apart by an ordinal, and the rows come out in the order of the store's indexes.
Its accounts and payees have local numbers, which `intake` maps to the store's.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

StagedRow = tuple[int, int, int, int, str, str | None, int, int]
"""File, account, day, amount, raw, external id or None, payee, and 1 when pending."""

_SCHEMA = """
CREATE TABLE arrived (
    seq INTEGER PRIMARY KEY, file INTEGER, account INTEGER, day INTEGER, amount INTEGER,
    raw TEXT, external_id TEXT, payee INTEGER, pending INTEGER
);
CREATE TABLE accounts (account INTEGER PRIMARY KEY, no INTEGER, counted INTEGER);
CREATE TABLE payees (payee INTEGER PRIMARY KEY, no INTEGER);
"""

_ARRANGE = """
CREATE TABLE arranged AS
SELECT file, account, day, amount, raw, external_id, payee,
       row_number() OVER (
           PARTITION BY account, day, amount, coalesce(external_id, raw), file ORDER BY seq
       ) - 1 AS ordinal
FROM arrived WHERE pending = 0
ORDER BY account, day, amount
"""


class Stage:
    """One import's scratch database."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch(mode=0o600)
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # The file lives for one import, so nothing of it need survive a crash.
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.executescript(_SCHEMA)
        self._database.execute("BEGIN")

    def add(self, rows: Sequence[StagedRow]) -> None:
        """Take some rows, in the order of their file."""
        self._database.executemany(
            "INSERT INTO arrived (file, account, day, amount, raw, external_id, payee, pending)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )

    def finish(self) -> None:
        """Arrange what has arrived; the file is then ready to be attached to the store."""
        self._database.execute(_ARRANGE)
        self._database.execute("COMMIT")
        self._database.close()

    def discard(self) -> None:
        """Close and delete the file, whatever state it is in."""
        self._database.close()
        self.path.unlink(missing_ok=True)
