"""What taking an import back asks of its rows, however many they are."""

import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from finplan.store.engine import make_engine
from finplan.store.queries import imports
from finplan.store.store import Store

ROWS = 20_000
POINTER = 8
"""Bytes that whatever is held of a row takes at least."""


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """A store in which import 1 has many rows of seven payees, and import 2 has three of two others."""
    path = tmp_path / "finplan.db"
    Store.open(path, tmp_path / "backups").close()
    # Rows alone, without the accounts and payees that a store looks for.
    with closing(sqlite3.connect(path)) as plain:
        plain.executemany(
            "INSERT INTO tx (no, owner_no, account_no, payee_no, day, amount, raw, ordinal, source,"
            " counts, import_no, transfer_no) VALUES (?, 1, 1, ?, 20260101, -1, '', 0, 'CSV', 1, ?, ?)",
            [
                *((no, 1 + no % 7, 1, 5 if no in (17, 19) else None) for no in range(1, ROWS + 1)),
                *((ROWS + no, 10 + no % 2, 2, 6 if no == 3 else None) for no in (1, 2, 3)),
            ],
        )
        plain.execute(
            "INSERT INTO pending (owner_no, account_no, payee_no, day, amount, raw, import_no)"
            " VALUES (1, 1, 9, 20260101, -1, '', 1)"
        )
        plain.commit()
    engine = make_engine(path, begin="BEGIN", size=1)
    with engine.connect() as opened:
        yield opened
    engine.dispose()


def test_the_payees_and_pairs_are_those_of_its_own_rows(connection: Connection) -> None:
    """Each payee once, those of pending rows too, in their order; and the rows that have a pair."""
    assert imports.payees_of_import(connection, 1) == [1, 2, 3, 4, 5, 6, 7, 9]
    assert imports.payees_of_import(connection, 2) == [10, 11]
    assert imports.paired_rows(connection, 1) == [17, 19]
    assert imports.paired_rows(connection, 2) == [ROWS + 3]


@pytest.mark.parametrize("ask", [imports.payees_of_import, imports.paired_rows])
def test_nothing_is_held_of_the_other_rows(
    connection: Connection, ask: Callable[[Connection, int], list[int]]
) -> None:
    """A daemon that has undone a large import is as large as one that has undone a small one."""
    ask(connection, 2)
    tracemalloc.start()
    try:
        ask(connection, 1)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < ROWS * POINTER
