"""Engines: how a connection to the store's file is set up, and the dialect's own statements.

Everything that only SQLite says stands here, in `backup.py`, `staging.py` and `store.py`. Where
damage has reached what SQLite's driver says of it, that is told as damage: Python cannot decode
such a message and raises UnicodeDecodeError, which nobody expects of a database.
"""

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    LargeBinary,
    and_,
    cast,
    create_engine,
    event,
    func,
    literal,
    literal_column,
    or_,
)
from sqlalchemy.pool import QueuePool
from sqlalchemy.sql import ColumnElement

from finplan.store.folding import fold_others, holds
from finplan.store.offload import WORKERS, WorkerPool

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


PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "busy_timeout = 5000",
    "temp_store = FILE",
    "cache_size = -32000",
    "journal_size_limit = 67108864",
    "wal_autocheckpoint = 0",
)
"""How every connection of the store is set up; benchmarks read them too. `StoreFile.note` moves the log
into the store once the sums of its pages are on the disk; SQLite by itself would do so before."""


_HOLDS = "finplan_holds"
_FOLD_OTHERS = "finplan_fold_others"

# Most texts are ASCII, and to ask Python of each would take an import three times as long for it.
FOLDED = f"CASE WHEN length(raw) <> length(CAST(raw AS BLOB)) THEN {_FOLD_OTHERS}(raw) END"
"""What a row keeps beside its `raw` text, to be looked for by: `folding.fold_others` of it."""


def make_engine(path: Path, begin: str, size: int, workers: WorkerPool | None = None) -> Engine:
    """An engine whose transactions begin as told; pysqlite on its own sends no BEGIN for a SELECT.

    What its transactions do elsewhere is done by `workers`.
    """
    engine = create_engine(
        # The parts of a URL, since a folder's name may hold what parts them: "?", "%" and "#".
        URL.create("sqlite", database=str(path.absolute())),
        poolclass=QueuePool,
        pool_size=size,
        max_overflow=0,
        # What is written to the log must name no one's merchants or amounts.
        hide_parameters=True,
        connect_args={
            "check_same_thread": False,
            "isolation_level": None,
            "factory": StoreConnection,
        },
        execution_options={WORKERS: workers},
    )

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        connection.create_function(_HOLDS, 2, holds, deterministic=True)
        connection.create_function(_FOLD_OTHERS, 1, fold_others, deterministic=True)

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def reading_engine(path: Path, size: int, workers: WorkerPool | None = None) -> Engine:
    """An engine whose connections refuse to write."""
    engine = make_engine(path, begin="BEGIN", size=size, workers=workers)
    event.listen(engine, "connect", _refuse_writes)
    return engine


def _refuse_writes(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA query_only = ON")


def holds_word(column: ColumnElement[str], term: str) -> ColumnElement[bool]:
    """Whether a folded word stands in a column's text, whatever its case and accents.

    SQLite by itself is several times quicker and folds ASCII alone, so it is asked first, and the rest
    of a text that has other letters too.
    """
    return holds_bound(column, literal(term), literal(pattern_of(term)), plain=term.isascii())


def holds_bound(
    column: ColumnElement[str],
    term: ColumnElement[str],
    pattern: ColumnElement[str],
    *,
    plain: bool,
) -> ColumnElement[bool]:
    """The same of a word and its pattern that may be told later; `plain` is one of ASCII."""
    folded = getattr(func, _HOLDS)(column, term) == 1
    has_others = func.length(column) != func.length(cast(column, LargeBinary))
    if not plain:
        return and_(has_others, folded)
    return or_(column.like(pattern, escape="\\"), and_(has_others, folded))


def pattern_of(term: str) -> str:
    """The pattern of LIKE for a text in which a word stands; none of its signs is a wildcard."""
    return "%" + re.sub(r"([%_\\])", r"\\\1", term) + "%"


def by_no_index(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column by which rows are told apart and never looked up.

    To read all rows in the order in which they lie is quicker than to find most of them by an index.
    """
    return literal_column(f"+{column}", column.type)


def many(connection: Connection, statement: str, rows: list[tuple[Any, ...]]) -> None:
    """Run one statement with `?` marks for many rows; nothing happens without rows."""
    if rows:
        connection.exec_driver_sql(statement, rows)


def let_references_wait(connection: Connection) -> None:
    """Look at whether references hang in the air only when this transaction ends."""
    connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")


def driver_of(connection: Connection) -> sqlite3.Connection:
    """The connection of SQLite's own driver beneath one of SQLAlchemy's."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver
