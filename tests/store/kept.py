"""A store of the first released schema with a row in every table, as a person may still have one."""

import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config

import finplan.store
from finplan.store.engine import make_engine

FIRST = "0001"

ROWS: dict[str, dict[str, object]] = {
    "person": {"no": 1, "id": "usr_ada", "email": "ada@localhost", "name": "Ada", "created_at": 1},
    "connection": {"no": 1, "id": "con_1", "owner_no": 1, "provider": "manual", "status": "ok"},
    "account": {
        "no": 1,
        "id": "acc_1",
        "owner_no": 1,
        "connection_no": 1,
        "external_id": "chk",
        "covered_since": 20260101,
        "covered_until": 20260131,
    },
    "balance_record": {"account_no": 1, "day": 20260131, "import_no": 1, "balance": 184_025},
    "payee": {"no": 1, "owner_no": 1, "key": "grocer", "name": "Grocer", "raw": "GROCER 12"},
    "import_batch": {"no": 1, "id": "imp_1", "owner_no": 1, "status": "committed"},
    "tx": {
        "no": 1,
        "owner_no": 1,
        "account_no": 1,
        "payee_no": 1,
        "day": 20260102,
        "amount": -2000,
    },
    "pending": {"no": 1, "owner_no": 1, "account_no": 1, "payee_no": 1, "day": 20260103},
    "transfer": {"no": 1, "id": "trf_1", "owner_no": 1, "out_no": 1, "in_no": 1, "counts": 0},
    "rule": {"no": 1, "id": "rul_1", "owner_no": 1, "payee_no": 1, "category": "groceries"},
    "task_answer": {"no": 1, "owner_no": 1, "task_id": "tsk_1", "body": "{}", "answered_at": 1},
    "plan": {"no": 1, "owner_no": 1, "created_at": 1, "body": "{}"},
    "allowance_change": {"no": 1, "id": "chg_1", "owner_no": 1, "at": 1, "before": 1, "after": 2},
    "sighting": {"import_no": 1, "tx_no": 1},
}
"""What is told of each row; whatever else its table requires is filled with nothings."""

DERIVED = frozenset({"allowance_change"})
"""Tables of what follows from the others, which a later release may work out otherwise."""

MOVED = {"account": {"covered_since", "covered_until"}}
"""Columns whose content a later release keeps in a table of its own."""

Columns = dict[str, list[str]]
"""The columns of each table."""


def make_first(path: Path) -> Columns:
    """Make a store as the first release left it, by its revision alone; answers its columns."""
    engine = make_engine(path, begin="BEGIN IMMEDIATE", size=1)
    config = Config()
    folder = Path(finplan.store.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, FIRST)
    engine.dispose()
    columns: Columns = {}
    with sqlite3.connect(path) as database:
        for table, told in ROWS.items():
            described = database.execute(f"PRAGMA table_info({table})").fetchall()
            columns[table] = [name for _, name, *_ in described]
            row = {**_nothings(described), **told}
            marks = ", ".join("?" for _ in row)
            database.execute(
                f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values())
            )
    database.close()
    return columns


def content(path: Path, columns: Columns) -> dict[str, list[tuple[object, ...]]]:
    """Every row of some tables, in some of their columns."""
    with sqlite3.connect(path) as database:
        read = {
            table: database.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
            for table, names in columns.items()
        }
    database.close()
    return read


def _nothings(described: list[tuple[int, str, str, int, str | None, int]]) -> dict[str, object]:
    """A value for each column that must have one."""
    return {
        name: "" if "CHAR" in kind or kind == "TEXT" else 0
        for _, name, kind, required, default, _ in described
        if required and default is None
    }
