"""A new store is made at once, and is what all revisions together make."""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command

from finplan.model.errors import StorageFull
from finplan.store import migrate
from finplan.store.migrate import HEAD, NEWEST, make_newest, revision
from finplan.store.store import Store
from tests.store.kept import make_empty

OF_THE_FILE = (
    "user_version",
    "application_id",
    "page_size",
    "encoding",
    "auto_vacuum",
    "journal_mode",
)
"""What a file says of itself besides its tables."""


def schema(path: Path) -> list[tuple[str, str, str, str | None]]:
    """Tables and indexes in the order in which they were made, to the letter."""
    with closing(sqlite3.connect(path)) as database:
        return list(database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every table with its rows."""
    with closing(sqlite3.connect(path)) as database:
        return {
            name: list(database.execute(f'SELECT * FROM "{name}"'))
            for kind, name, *_ in schema(path)
            if kind == "table"
        }


def settings(path: Path) -> dict[str, object]:
    """What a file says of itself."""
    with closing(sqlite3.connect(path)) as database:
        return {name: database.execute(f"PRAGMA {name}").fetchone()[0] for name in OF_THE_FILE}


def written(made: Iterable[tuple[str, str, str, str | None]]) -> str:
    """The statements that make a schema; what SQLite makes by itself comes with the tables."""
    statements = [sql for _, name, _, sql in made if sql and not name.startswith("sqlite_")]
    newest = f"INSERT INTO alembic_version VALUES ('{HEAD}')"
    return ";\n".join((*statements, newest)) + "\n"


def test_a_new_store_is_what_all_revisions_make(tmp_path: Path) -> None:
    """To the letter, in the same order, with the same rows; `GOLDEN=write pytest …` writes it anew."""
    by_revisions, at_once = tmp_path / "revisions.db", tmp_path / "once.db"
    make_empty(by_revisions, HEAD)
    if os.environ.get("GOLDEN") == "write":
        NEWEST.write_text(written(schema(by_revisions)), encoding="utf-8")

    assert make_newest(at_once)

    assert schema(at_once) == schema(by_revisions)
    assert rows(at_once) == rows(by_revisions)
    assert settings(at_once) == settings(by_revisions)


def test_a_new_store_is_made_without_revisions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever opens a file that is not there, or has nothing in it, waits for none of them."""

    def never(*_told: object) -> None:
        raise AssertionError

    monkeypatch.setattr(command, "upgrade", never)
    Store.open(tmp_path / "finplan.db", tmp_path / "backups", upgrade=never).close()

    assert revision(tmp_path / "finplan.db") == HEAD
    assert not (tmp_path / "backups").exists()


def test_what_is_there_is_left_to_revisions(tmp_path: Path) -> None:
    """A file in which anything stands is not touched, be it of an older store or of a stranger."""
    strange, whole = tmp_path / "strange.db", tmp_path / "whole.db"
    with closing(sqlite3.connect(strange)) as database:
        database.execute("CREATE VIEW anything AS SELECT 1")
    make_empty(whole, "0001")
    before = schema(strange), schema(whole)

    assert not make_newest(strange)
    assert not make_newest(whole)
    assert (schema(strange), schema(whole)) == before


def test_a_new_store_is_made_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is full in the middle of it leaves an empty file, which the next start makes whole."""
    full = tmp_path / "full.sql"
    statements = (
        "PRAGMA cache_size = 10",
        "CREATE TABLE large AS SELECT zeroblob(1000000) AS bytes",
        "PRAGMA max_page_count = 1",
        "CREATE TABLE larger AS SELECT zeroblob(1000000) AS bytes",
    )
    full.write_text(";\n".join(statements))
    path = tmp_path / "new" / "finplan.db"
    path.parent.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "NEWEST", full)
        with pytest.raises(StorageFull):
            Store.open(path, tmp_path / "backups")
    assert [each.name for each in path.parent.iterdir()] == ["finplan.db"]
    assert schema(path) == []

    Store.open(path, tmp_path / "backups").close()
    assert revision(path) == HEAD
