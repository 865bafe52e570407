"""Engines: how a connection to the store's file is set up, and the dialect's own statements.

Everything that only SQLite says stands here, in `backup.py`, `staging.py` and `store.py`.
"""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from finplan.store.offload import WORKERS, WorkerPool

PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "busy_timeout = 5000",
    "temp_store = FILE",
    "cache_size = -32000",
    "journal_size_limit = 67108864",
)
"""How every connection of the store is set up; benchmarks read them too."""


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
        connect_args={"check_same_thread": False, "isolation_level": None},
        execution_options={WORKERS: workers},
    )

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

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
