"""Rows that something else has written: each is named, and no value is told."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from finplan.service.strange_rows import strange_rows_in


@pytest.fixture
def store(tmp_path: Path, household_store: Path) -> Path:
    return Path(shutil.copy(household_store, tmp_path / "finplan.db"))


def change(store: Path, statement: str) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(statement)


@pytest.mark.thorough
def test_what_finplan_writes_is_not_strange(store: Path) -> None:
    """A household with its accounts and answers is read through, and the file is left as it was."""
    before = store.read_bytes()

    assert strange_rows_in(store) == []
    assert store.read_bytes() == before


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE person SET currency = 'x1'", "row 1 of the table person (currency: "),
        ("UPDATE person SET target_months = 'x1'", "row 1 of the table person (target_months: "),
        ("UPDATE person SET name = x'7831'", "row 1 of the table person (name: "),
        ("UPDATE person SET time_zone = 'x1'", "row 1 of the table person (unknown value)"),
        ("UPDATE account SET kind = 'x1' WHERE no = 2", "row 2 of the table account (kind: "),
        (
            "UPDATE account SET balance = 'x1' WHERE no = 1",
            "row 1 of the table account (unknown value)",
        ),
        (
            "INSERT INTO task_answer (owner_no, task_id, body, answered_at) VALUES (1, 't', '{', 1)",
            "row 1 of the table task_answer (Invalid JSON",
        ),
    ],
)
def test_a_row_that_cannot_be_read_is_named(store: Path, statement: str, told: str) -> None:
    """Its table, its number and what is wrong are told; the value itself may be anybody's secret."""
    change(store, statement)
    (row,) = strange_rows_in(store)

    assert row.startswith(told)
    assert "x1" not in row
