"""A store of an earlier release opens in this one with every row that it had."""

import sqlite3
from pathlib import Path

from finplan.store.migrate import HEAD, revision
from finplan.store.store import Store
from tests.store.kept import DERIVED, FIRST, ROWS, content, make_first


def test_a_store_of_the_first_release_keeps_its_rows(tmp_path: Path) -> None:
    """Whatever is not derived has the same rows after the upgrade; a copy from before it is kept."""
    path = tmp_path / "finplan.db"
    columns = make_first(path)
    before = content(path, columns)
    assert set(before) == set(ROWS)
    assert all(len(rows) == 1 for rows in before.values())

    Store.open(path, tmp_path / "backups").close()

    assert revision(path) == HEAD
    kept = {name: of for name, of in columns.items() if name not in DERIVED}
    assert content(path, kept) == {name: before[name] for name in kept}
    (copy,) = (tmp_path / "backups").iterdir()
    assert revision(copy) == FIRST
    assert content(copy, columns) == before


def test_an_upgraded_store_is_sound(tmp_path: Path) -> None:
    """No reference of a row hangs in the air, and the file is whole."""
    path = tmp_path / "finplan.db"
    make_first(path)
    Store.open(path, tmp_path / "backups").close()

    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()
