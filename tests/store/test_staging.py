"""The stage: what many equal rows take, counted in the steps of SQLite's own machine."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from finplan.store.staging import Stage

STEPS_AT_ONCE = 1000


def arranging(folder: Path, rows: int, patch: pytest.MonkeyPatch) -> int:
    """Count the steps that SQLite takes to arrange so many equal rows, in thousands."""
    counted = [0]

    def count() -> int:
        counted[0] += 1
        return 0

    def connect(path: Path, **how: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = usual(path, **how)
        connection.set_progress_handler(count, STEPS_AT_ONCE)
        return connection

    usual: Any = sqlite3.connect
    patch.setattr(sqlite3, "connect", connect)
    stage = Stage(folder / f"{rows}.db")
    try:
        stage.add([(0, 0, 20260304, -150, "Shop", 0, 0)] * rows)
        stage.finish()
    finally:
        stage.close()
        patch.undo()
    return counted[0]


def test_equal_rows_take_steps_that_grow_with_their_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of one row again and again is arranged as soon as any other."""
    few, many = (arranging(tmp_path, rows, monkeypatch) for rows in (1000, 4000))

    assert many < 6 * few


def test_equal_rows_are_numbered_in_their_order(tmp_path: Path) -> None:
    """Rows that differ in nothing have the numbers 0, 1, 2 and so on; others have 0."""
    stage = Stage(tmp_path / "stage.db")
    row = (0, 0, 20260304, -150, "Shop", 0, 0)
    stage.add([row, (0, 0, 20260304, -150, "Cafe", 0, 0), row, row])
    stage.finish()
    stage.close()

    with sqlite3.connect(tmp_path / "stage.db") as database:
        found = database.execute("SELECT ordinal FROM arranged ORDER BY seq").fetchall()
    assert found == [(0,), (0,), (1,), (2,)]
