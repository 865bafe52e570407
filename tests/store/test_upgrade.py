"""A store of an earlier release opens in this one with every row that it had."""

import json
import sqlite3
from pathlib import Path

import pytest

from finplan.service.people import email_key
from finplan.store.folding import fold_others
from finplan.store.migrate import HEAD, revision
from finplan.store.store import Store
from finplan.store.tables.tables import METADATA
from tests.store.kept import content, lasting, make_at, make_first, revisions

REVISIONS = revisions()

BEFORE_FILING = "0023"
"""The last revision whose rows do not say what they are filed under."""

BEFORE_FOLDING = "0026"
"""The last revision whose rows keep no folded text."""

MANY = 10_050
"""Rows that are more than are folded at once."""

_BUT_ITS_NUMBER = (
    "owner_no, account_no, payee_no, day + no, amount, raw, NULL, ordinal, source, counts, peer_no,"
    " transfer_no, import_no, code"
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("earlier", REVISIONS)
def test_a_store_of_each_release_keeps_its_rows(tmp_path: Path, earlier: str) -> None:
    """Whatever is not derived has the same rows after the upgrade; a copy from before it is kept."""
    path = tmp_path / "finplan.db"
    columns = make_at(path, earlier)
    before = content(path, columns)
    lasts = content(path, lasting(columns))
    assert {len(rows) for rows in before.values()} == {2}

    Store.open(path, tmp_path / "backups").close()

    assert revision(path) == HEAD
    assert content(path, lasting(columns)) == lasts
    copies = list((tmp_path / "backups").glob("*.db"))
    assert [revision(copy) for copy in copies] == [earlier] * (earlier != HEAD)
    assert all(content(copy, columns) == before for copy in copies)


@pytest.mark.thorough
def test_every_table_has_rows_to_lose(tmp_path: Path) -> None:
    """The rows that are kept are of all tables, and fill every column that may be empty but a few."""
    columns = make_at(tmp_path / "finplan.db", HEAD)
    empty = {
        (table, columns[table][place])
        for table, rows in content(tmp_path / "finplan.db", columns).items()
        for place, values in enumerate(zip(*rows, strict=True))
        if set(values) == {None}
    }

    assert set(columns) == set(METADATA.tables)
    assert empty == {("import_batch", "before")}


def test_an_upgraded_store_is_sound(tmp_path: Path) -> None:
    """No reference of a row hangs in the air, and the file is whole."""
    path = tmp_path / "finplan.db"
    make_first(path)
    Store.open(path, tmp_path / "backups").close()

    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()


def test_what_was_answered_before_was_for_everything(tmp_path: Path) -> None:
    """Rules of earlier releases are for both directions, and answers for no single row."""
    path = tmp_path / "finplan.db"
    make_first(path)
    Store.open(path, tmp_path / "backups").close()

    with sqlite3.connect(path) as database:
        assert database.execute("SELECT direction FROM rule").fetchall() == [("both",)] * 2
        answers = database.execute("SELECT word_no, each FROM task_answer").fetchall()
        assert answers == [(None, 0)] * 2
    database.close()


def test_rows_are_filed_as_the_words_on_them_say(tmp_path: Path) -> None:
    """A row with a category of its own is under it, one in parts apart, and a note files nothing."""
    path = tmp_path / "finplan.db"
    make_at(path, BEFORE_FILING)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE word_part SET word_no = 2, place = no")
        database.execute("UPDATE single_word SET category = NULL WHERE no = 2")
        for no, category in ((3, None), (4, "pets")):
            database.execute(f"INSERT INTO tx SELECT {no}, {_BUT_ITS_NUMBER} FROM tx WHERE no = 1")
            database.execute(
                "INSERT INTO single_word (no, id, owner_no, row_no, tx_no, category, said_at, note)"
                " VALUES (?, ?, 1, 1, ?, ?, 0, 'hers')",
                (no, f"word_{no}", no if category is None else None, category),
            )
    database.close()

    Store.open(path, tmp_path / "backups").close()

    with sqlite3.connect(path) as database:
        filed = dict(database.execute("SELECT no, filed FROM tx").fetchall())
        (first,) = database.execute("SELECT category FROM single_word WHERE no = 1").fetchone()
        assert filed == {1: first, 2: "", 3: None, 4: None}
    database.close()


@pytest.mark.thorough
def test_texts_are_folded_where_the_database_does_not_fold_them(tmp_path: Path) -> None:
    """However many rows there are, each of other letters than ASCII is found from then on."""
    path = tmp_path / "finplan.db"
    make_at(path, BEFORE_FOLDING)
    columns = _BUT_ITS_NUMBER.replace("day + no", "day").replace("raw", "text")
    names = _BUT_ITS_NUMBER.replace("day + no", "day").replace("NULL", "external_id")
    with sqlite3.connect(path) as database:
        database.execute(
            "WITH more (no, text) AS (SELECT 100, 'CAF\u00c9 100' UNION ALL SELECT no + 1,"
            " CASE no % 50 WHEN 0 THEN 'Cafe ' ELSE 'CAF\u00c9 ' END || (no + 1) FROM more"
            f" WHERE no < {MANY + 99}) INSERT INTO tx (no, {names})"
            f" SELECT more.no, {columns} FROM more JOIN tx ON tx.no = 1"
        )
    database.close()

    Store.open(path, tmp_path / "backups").close()

    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT raw, folded FROM tx WHERE no >= 100 ORDER BY no").fetchall()
    database.close()
    assert len(rows) == MANY
    assert {folded is None for _, folded in rows} == {True, False}
    assert [folded for _, folded in rows] == [fold_others(raw) for raw, _ in rows]


def test_people_are_known_by_their_address_however_it_is_written(tmp_path: Path) -> None:
    """Who was there before people signed in is found by the address as it is compared from now on."""
    path = tmp_path / "finplan.db"
    make_first(path)
    with sqlite3.connect(path) as database:
        for no, email in ((1, "\u00c9lodie@Example.ORG"), (2, " \uff21da@localhost")):
            database.execute("UPDATE person SET email = ? WHERE no = ?", (email, no))
    database.close()

    Store.open(path, tmp_path / "backups").close()

    with sqlite3.connect(path) as database:
        people = database.execute("SELECT email, email_key FROM person ORDER BY no").fetchall()
    database.close()
    assert [key for _, key in people] == ["\u00e9lodie@example.org", "ada@localhost"]
    assert [key for _, key in people] == [email_key(email) for email, _ in people]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("provider", "since", "before", "intervals"),
    [
        ("manual", 20260101, None, [(0, 20260101, 20260131, 1, 1)]),
        ("demo", None, None, [(0, 20260131, 20260131, 0, 1)]),
        (
            "manual",
            20260101,
            {"accounts": {"acc_1": {"since": 20260105, "until": 20260120}, "acc_9": {}}},
            [(1, 20260105, 20260120, 1, 1)],
        ),
        (
            "demo",
            20260101,
            {"accounts": {"acc_1": {"since": 20260105, "until": 20260120}}},
            [(0, 20260101, 20260131, 1, 1), (1, 20260105, 20260120, 1, 1)],
        ),
        (
            "manual",
            20260101,
            {"accounts": {"acc_1": {"since": None, "until": None}}},
            [(0, 20260101, 20260131, 1, 1)],
        ),
    ],
)
def test_what_accounts_were_covered_for_is_kept(
    tmp_path: Path,
    provider: str,
    since: int | None,
    before: object,
    intervals: list[tuple[int, ...]],
) -> None:
    """Each import keeps its own days, so that undo takes them back, and a bank the days it had."""
    path = tmp_path / "finplan.db"
    make_first(path)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE connection SET provider = ?", (provider,))
        database.execute("UPDATE account SET covered_since = ?", (since,))
        told = None if before is None else json.dumps(before)
        database.execute("UPDATE import_batch SET before = ?", (told,))
    database.close()

    Store.open(path, tmp_path / "backups").close()

    with sqlite3.connect(path) as database:
        found = database.execute(
            "SELECT import_no, since, until, since_stated, until_stated FROM coverage"
            " WHERE account_no = 1 ORDER BY 1"
        ).fetchall()
    database.close()
    assert found == intervals
