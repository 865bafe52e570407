"""Stores as each revision left them, with rows in every table, as a person may still have one."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

import finplan.store
from finplan.store.engine import make_engine

FIRST = "0001"

TOLD: dict[str, dict[str, object]] = {
    "person": {"id": "usr_ada", "email": "ada@localhost", "name": "Ada"},
    "connection": {"id": "con_1", "provider": "manual", "status": "ok"},
    "account": {"id": "acc_1", "covered_since": 20260101, "covered_until": 20260131},
    "balance_record": {"day": 20260131, "balance": 184_025},
    "payee": {"key": "grocer", "name": "Grocer", "raw": "GROCER 12"},
    "import_batch": {"id": "imp_1", "status": "committed", "before": None},
    "tx": {"day": 20260102, "amount": -2000},
    "rule": {"amount": None, "category": "groceries"},
    "task_answer": {"task_id": "tsk_1", "body": "{}", "rule_no": None, "word_no": None, "each": 0},
    "coverage": {"since": 20260101, "until": 20260131},
}
"""What the first row of a table says where a later revision reads it; the rest is filled."""

SECOND: dict[str, dict[str, object]] = {
    "import_batch": {"status": "undone", "before": None},
    "connection": {"provider": "demo"},
    "account": {"covered_since": None, "covered_until": None},
}
"""The same of the second row."""

DERIVED = frozenset({"allowance_change"})
"""Tables of what follows from the others, which a later release may work out otherwise."""

MOVED = {"account": {"covered_since", "covered_until"}}
"""Columns whose content a later release keeps in a table of its own."""

Columns = dict[str, list[str]]
"""The columns of each table."""


def revisions() -> list[str]:
    """Every revision there is, from the first to the newest."""
    scripts = ScriptDirectory.from_config(_config())
    return [script.revision for script in scripts.walk_revisions()][::-1]


def make_empty(path: Path, revision: str) -> None:
    """Make a store as it was at a revision, by its revisions alone."""
    engine = make_engine(path, begin="BEGIN IMMEDIATE", size=1)
    config = _config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def make_at(path: Path, revision: str) -> Columns:
    """Make a store of a revision with two rows in every table; answers its columns.

    No column is empty but those of which it is told: a text says where it stands, a number which row it
    is of, so that a row that is moved into another column or mixed up with another one is told.
    """
    make_empty(path, revision)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA foreign_keys = ON")
        columns = {table: _columns(database, table) for table in _in_order(database)}
        for table, names in columns.items():
            types = _types(database, table)
            for no, told in ((1, TOLD), (2, SECOND)):
                row = {name: _filled(table, name, types[name], no) for name in names}
                row |= {name: value for name, value in told.get(table, {}).items() if name in row}
                marks = ", ".join("?" for _ in row)
                listed = ", ".join(f'"{name}"' for name in row)
                database.execute(
                    f'INSERT INTO "{table}" ({listed}) VALUES ({marks})', list(row.values())
                )
    database.close()
    return columns


def make_first(path: Path) -> Columns:
    """Make a store as the first release left it."""
    return make_at(path, FIRST)


def content(path: Path, columns: Columns) -> dict[str, list[tuple[object, ...]]]:
    """Every row of some tables, in some of their columns."""
    with sqlite3.connect(path) as database:
        read = {table: _rows(database, table, names) for table, names in columns.items()}
    database.close()
    return read


def lasting(columns: Columns) -> Columns:
    """Of some columns, those that every later release has in the same place."""
    return {
        table: [name for name in names if name not in MOVED.get(table, ())]
        for table, names in columns.items()
        if table not in DERIVED
    }


def claim(path: Path, revision: str) -> None:
    """Let a file say that it is of a revision, whatever else is in it."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE IF NOT EXISTS alembic_version (version_num TEXT)")
        database.execute("DELETE FROM alembic_version")
        database.execute("INSERT INTO alembic_version VALUES (?)", (revision,))


def columns_of(path: Path, table: str, *columns: str) -> list[tuple[Any, ...]]:
    """Every row of a table in some of its columns, in the order in which the rows were made."""
    with closing(sqlite3.connect(path)) as database:
        listed = ", ".join(f'"{name}"' for name in columns)
        return database.execute(f'SELECT {listed} FROM "{table}" ORDER BY rowid').fetchall()


def _config() -> Config:
    config = Config()
    folder = Path(finplan.store.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))
    return config


def _in_order(database: sqlite3.Connection) -> list[str]:
    """Every table but those of alembic and SQLite, each after those that it refers to."""
    found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    waiting = [name for (name,) in found if name not in {"alembic_version", "sqlite_sequence"}]
    placed: list[str] = []
    while waiting:
        ready = [each for each in waiting if _referred(database, each) <= {*placed, each}]
        assert ready, waiting
        placed += ready
        waiting = [each for each in waiting if each not in ready]
    return placed


def _referred(database: sqlite3.Connection, table: str) -> set[str]:
    return {row[2] for row in database.execute(f'PRAGMA foreign_key_list("{table}")')}


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]


def _types(database: sqlite3.Connection, table: str) -> dict[str, str]:
    return {row[1]: row[2] for row in database.execute(f'PRAGMA table_info("{table}")')}


def _filled(table: str, name: str, kind: str, no: int) -> object:
    """A value that no other column and no other row has; a number is that of its row."""
    if "CHAR" in kind or kind == "TEXT":
        return f"{table}.{name}.{no}"
    return f"{table}.{name}.{no}".encode() if kind == "BLOB" else no


def _rows(
    database: sqlite3.Connection, table: str, names: Iterable[str]
) -> list[tuple[object, ...]]:
    listed = ", ".join(f'"{name}"' for name in names)
    return database.execute(f'SELECT {listed} FROM "{table}" ORDER BY 1, 2').fetchall()
