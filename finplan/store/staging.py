"""Staging: parsed rows wait in a scratch database beside the store, until one short transaction.

A scratch file keeps memory flat however large the import is, and lets SQL arrange the rows: equal rows
of one file are told apart by an ordinal, and the rows come out in the order of the store's indexes.
`arranged` shows the booked ones. Accounts and payees have local numbers, which
`queries.staged_rows` maps to the store's.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import repeat
from pathlib import Path

from pydantic_core import to_json

StagedColumns = Mapping[str, Sequence[object]]
"""Equally long columns by name: day, amount, raw and payee; then pending, external_id, code and aside.

The last four may each be left out: no row waits then, or none has any.
"""

_SCHEMA = """
CREATE TABLE arrived (
    seq INTEGER PRIMARY KEY, file INTEGER, account INTEGER, day INTEGER, amount INTEGER,
    raw TEXT, external_id TEXT, payee INTEGER, pending INTEGER DEFAULT 0,
    code TEXT, aside TEXT, ordinal INTEGER DEFAULT 0
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

# A row's place in its run and the rows before it are its number.
_TAKE_EXPORTED = """
INSERT INTO exported (seq, place, source, ordinal, transfer, spends)
SELECT ? + key + 1, json_extract(value, '$[0]'), json_extract(value, '$[1]'),
       json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]')
FROM json_each(?)
"""
ROWS_AT_ONCE = 200
"""Rows that one statement takes: their values stay below 32,766, which SQLite takes at least."""

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


def _taking(columns: Sequence[str], rows: int) -> str:
    """The statement that takes so many rows of one file and account."""
    row = f"(?1, ?2, {', '.join('?' * len(columns))})"
    listed = ", ".join(("file", "account", *columns))
    return f"INSERT INTO arrived ({listed}) VALUES {', '.join([row] * rows)}"


class Stage:
    """One import's scratch database, which is filled and arranged, then closed."""

    def __init__(self, path: Path) -> None:
        path.touch(mode=0o600)
        self._database = sqlite3.connect(path, isolation_level=None)
        # The file lives for one import, so nothing of it need survive a crash.
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.executescript(_SCHEMA)
        self._database.execute("BEGIN")
        self._arrived = 0

    def add(
        self,
        file: int,
        account: int,
        columns: StagedColumns,
        exported: Sequence[Sequence[object]] = (),
    ) -> None:
        """Take some rows of a file's account, in the order of the file.

        `exported` has of each what an export says of it besides: its place in the file, its source and
        ordinal, its transfer and whether that is spending. It is empty for every other file.
        """
        rows, width = len(columns["day"]), len(columns)
        if exported:
            self._database.execute(_TAKE_EXPORTED, (self._arrived, to_json(exported).decode()))
        self._arrived += rows
        batched = rows - rows % ROWS_AT_ONCE
        # One statement for many rows spares what a statement takes by itself, which is half of it all.
        taking = _taking(tuple(columns), ROWS_AT_ONCE)
        for start in range(0, batched, ROWS_AT_ONCE):
            values: list[object] = [file, account, *repeat(None, width * ROWS_AT_ONCE)]
            for index, column in enumerate(columns.values(), start=2):
                values[index::width] = column[start : start + ROWS_AT_ONCE]
            self._database.execute(taking, values)
        rows_left = zip(*(column[batched:] for column in columns.values()), strict=True)
        tail = [(file, account, *row) for row in rows_left]
        self._database.executemany(_taking(tuple(columns), 1), tail)

    def finish(self) -> None:
        """Arrange what has arrived; once closed, the file is ready to be attached to the store."""
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
        self._database.close()
