"""Staging: parsed rows wait in a scratch database beside the store, until one short transaction.

A scratch file keeps memory flat however large the import is, and lets SQL arrange the rows: equal rows
of one file are told apart by an ordinal, and the rows come out in the order of the store's indexes.
`arranged` shows the booked ones. Accounts and payees have local numbers, which
`queries.staged_rows` maps to the store's.
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic_core import to_json

StagedRow = tuple[int | str | None, ...]
"""File, account, day, amount, raw, payee, 1 when pending; then the external id, the bank's code and the
text aside.

The last three may each be None, and be left out from the end on.
"""

_SCHEMA = """
CREATE TABLE arrived (
    seq INTEGER PRIMARY KEY, file INTEGER, account INTEGER, day INTEGER, amount INTEGER,
    raw TEXT, external_id TEXT, payee INTEGER, pending INTEGER, code TEXT,
    aside TEXT, ordinal INTEGER DEFAULT 0
);
CREATE VIEW arranged AS
SELECT seq, file, account, day, amount, raw, external_id, payee, code, aside, ordinal
FROM arrived
WHERE pending = 0;
CREATE TABLE accounts (account INTEGER PRIMARY KEY, no INTEGER);
CREATE TABLE payees (payee INTEGER PRIMARY KEY, no INTEGER);
CREATE TABLE exported (
    seq INTEGER PRIMARY KEY, place INTEGER, source TEXT, ordinal INTEGER, transfer TEXT, spends INTEGER
);
CREATE INDEX arrived_place ON arrived (account, day, amount, pending) WHERE pending = 0;
CREATE INDEX arrived_waiting ON arrived (seq, pending) WHERE pending = 1;
"""

_COLUMNS = (
    "file",
    "account",
    "day",
    "amount",
    "raw",
    "payee",
    "pending",
    "external_id",
    "code",
    "aside",
)
# A row's place in its run and the rows before it are its number.
_TAKE_EXPORTED = """
INSERT INTO exported (seq, place, source, ordinal, transfer, spends)
SELECT ? + key + 1, json_extract(value, '$[0]'), json_extract(value, '$[1]'),
       json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]')
FROM json_each(?)
"""
_ROWS_AT_ONCE = 1000
"""Ten values of each are below 32,766, which is how many SQLite takes at least."""
_MOST_WAITING = 4
"""Runs of rows that may wait for the disk, so that memory does not grow when it is slow."""

# Few rows have an equal one, so they are looked for with the index, and only they are numbered.
_ARRANGE = (
    "CREATE TABLE repeated (seq INTEGER PRIMARY KEY, ordinal INTEGER)",
    """
    INSERT INTO repeated
    SELECT seq, row_number() OVER (
               PARTITION BY account, day, amount, coalesce(external_id, raw), file ORDER BY seq
           ) - 1 AS ordinal
    FROM arranged
    WHERE (account, day, amount) IN (
        SELECT account, day, amount FROM arranged GROUP BY account, day, amount HAVING count(*) > 1
    )
    """,
    """
    UPDATE arrived SET ordinal = (SELECT ordinal FROM repeated WHERE repeated.seq = arrived.seq)
    WHERE seq IN (SELECT seq FROM repeated WHERE ordinal > 0)
    """,
)


def _taking(rows: int, width: int) -> str:
    """The statement that takes so many rows of so many values each."""
    row = f"({', '.join('?' * width)})"
    columns = ", ".join(_COLUMNS[:width])
    return f"INSERT INTO arrived ({columns}) VALUES {', '.join([row] * rows)}"


def _run(
    call: Callable[[str, Any], sqlite3.Cursor], statement: str, values: Sequence[object]
) -> None:
    # A cursor that the other thread lets go of resets its statement, which may be at work here again.
    call(statement, values).close()


class Stage:
    """One import's scratch database, which is filled and arranged, then closed."""

    def __init__(self, path: Path) -> None:
        path.touch(mode=0o600)
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # The file lives for one import, so nothing of it need survive a crash.
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.executescript(_SCHEMA)
        self._database.execute("BEGIN")
        self._hand = ThreadPoolExecutor(1, "stage")
        self._waiting: deque[Future[None]] = deque()
        self._rows: list[StagedRow] = []
        self._arrived = 0

    def add(self, rows: Sequence[StagedRow], exported: Sequence[Sequence[object]] = ()) -> None:
        """Take some rows, in the order of their file.

        `exported` has of each what an export says of it besides: its place in the file, its source and
        ordinal, its transfer and whether that is spending. It is empty for every other file.
        """
        if exported:
            taken = (_TAKE_EXPORTED, (self._arrived, to_json(exported).decode()))
            self._submit(self._database.execute, *taken)
        self._arrived += len(rows)
        if self._rows and len(self._rows[0]) != len(rows[0]):
            self._take_rest()
        self._rows += rows
        whole = len(self._rows) - len(self._rows) % _ROWS_AT_ONCE
        for start in range(0, whole, _ROWS_AT_ONCE):
            self._take(self._rows[start : start + _ROWS_AT_ONCE])
        del self._rows[:whole]

    def _take(self, rows: Sequence[StagedRow]) -> None:
        # One statement takes them all, because SQLite works on it without holding up Python.
        statement = _taking(len(rows), len(rows[0]))
        self._submit(self._database.execute, statement, tuple(chain.from_iterable(rows)))

    def _take_rest(self) -> None:
        rows, self._rows = self._rows, []
        if rows:
            self._submit(self._database.executemany, _taking(1, len(rows[0])), rows)

    def _submit(
        self, call: Callable[[str, Any], sqlite3.Cursor], statement: str, values: Sequence[object]
    ) -> None:
        if len(self._waiting) == _MOST_WAITING:
            self._waiting.popleft().result()
        self._waiting.append(self._hand.submit(_run, call, statement, values))

    def finish(self) -> None:
        """Arrange what has arrived; once closed, the file is ready to be attached to the store."""
        self._take_rest()
        while self._waiting:
            self._waiting.popleft().result()
        for statement in _ARRANGE:
            self._database.execute(statement)
        self._database.execute("COMMIT")

    def crowded_file(self, most: int) -> tuple[int, int] | None:
        """Find a file with more than `most` booked rows of one account, day and amount; how many?

        Answers the file's place and the count, None where there is no such file. Ask once finished.
        """
        query = (
            "SELECT file, count(*) FROM repeated JOIN arrived ON arrived.seq = repeated.seq"
            " GROUP BY account, file, day, amount HAVING count(*) > ? ORDER BY 2 DESC LIMIT 1"
        )
        crowd: tuple[int, int] | None = self._database.execute(query, (most,)).fetchone()
        return crowd

    def close(self) -> None:
        """Close the file, whatever state it is in."""
        self._hand.shutdown()
        self._database.close()
