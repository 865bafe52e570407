"""Schema changes: from revisions only, with a backup, never losing a row.

A new store is made at once, and is what all revisions together make; a released schema is never
edited; a store of an earlier release opens in this one with every row that it had, also where an
upgrade was killed at any step before.
"""

import hashlib
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

import finplan.store
from finplan.model.errors import Conflict, StorageFull, StoreDamaged
from finplan.service.people import email_key
from finplan.store.backup import back_up, remove_backups
from finplan.store.engine import make_engine
from finplan.store.folding import fold_others
from finplan.store.migrate import (
    HEAD,
    bring_up_to_date,
    make_newest,
    revision,
    upgrade_elsewhere,
)
from finplan.store.store import Store
from finplan.store.tables.tables import METADATA
from tests.damage import full_disk
from tests.patience import LONG_ENOUGH
from tests.store.kept import (
    FIRST,
    claim,
    columns_of,
    content,
    lasting,
    make_at,
    make_empty,
    make_first,
    revisions,
)


def test_the_revisions_make_the_tables(tmp_path: Path) -> None:
    """The schema made by all revisions is the schema that the tables declare."""
    path = tmp_path / "finplan.db"
    make_empty(path, HEAD)
    engine = make_engine(path, begin="BEGIN", size=1)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = compare_metadata(context, METADATA)
    engine.dispose()

    assert differences == []


def test_head_is_the_newest_revision() -> None:
    """The revision that the store knows without alembic is alembic's newest."""
    config = Config()
    folder = Path(finplan.store.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))

    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_opening_twice_migrates_once(store: Store, tmp_path: Path) -> None:
    """A store that is up to date is left alone, and no backup is made of it."""
    written = store.path.stat().st_mtime_ns

    bring_up_to_date(store.path, tmp_path / "backups")

    assert store.path.stat().st_mtime_ns == written
    assert not (tmp_path / "backups").exists()


OPENING = """
import sys; from pathlib import Path; from finplan.store.store import Store
from finplan.store.migrate import upgrade_elsewhere
Store.open(*map(Path, sys.argv[1:]), upgrade=upgrade_elsewhere).close()
print(*sys.modules)
"""


@pytest.mark.thorough
def test_revisions_are_made_in_a_process_that_ends(tmp_path: Path) -> None:
    """Who opens an older store so has the newest, and never loads what only revisions need."""
    path = tmp_path / "finplan.db"
    make_empty(path, FIRST)
    opening = [sys.executable, "-c", OPENING, str(path), str(tmp_path / "backups")]
    opened = subprocess.run(opening, capture_output=True, text=True, check=True)

    assert revision(path) == HEAD
    assert set(opened.stdout.split()).isdisjoint({"alembic", "mako"})


STRANGE = "CREATE VIEW person AS SELECT 1"


@pytest.mark.thorough
def test_what_goes_wrong_in_that_process_is_told_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that revisions do not fit is refused with the sentence that this process has for it."""
    path = tmp_path / "finplan.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute(STRANGE)
    with pytest.raises(OperationalError, match="person already exists"):
        bring_up_to_date(path, tmp_path / "backups", upgrade_elsewhere)
    assert revision(path) is None

    path.unlink()
    make_empty(path, FIRST)
    # As where the system ends the process: all is done here then.
    monkeypatch.setattr(sys, "executable", "/bin/false")
    bring_up_to_date(path, tmp_path / "backups", upgrade_elsewhere)
    assert revision(path) == HEAD


@pytest.mark.sampled(3)
@pytest.mark.parametrize("interpreter", ["", "/nonexistent/python", __file__])
def test_where_no_process_can_be_started_it_is_done_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter: str
) -> None:
    """An interpreter that was replaced since, or is none, keeps no daemon from its store."""
    path = tmp_path / "finplan.db"
    make_empty(path, FIRST)
    monkeypatch.setattr(sys, "executable", interpreter)
    bring_up_to_date(path, tmp_path / "backups", upgrade_elsewhere)
    assert revision(path) == HEAD


def test_that_process_ends_with_who_waits_for_it(tmp_path: Path) -> None:
    """Else one that nobody waits for any more would keep the next daemon from the file."""
    path = tmp_path / "finplan.db"
    command = [sys.executable, "-m", "finplan.store.migrate", str(path)]
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as database,
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as upgrading,
    ):
        database.execute("BEGIN IMMEDIATE")
        assert upgrading.stdin is not None
        upgrading.stdin.close()
        assert upgrading.wait(LONG_ENOUGH) == 1
        database.execute("ROLLBACK")
    assert revision(path) is None


def test_a_newer_store_is_refused_untouched(tmp_path: Path) -> None:
    """An older program never opens a newer program's store."""
    path = tmp_path / "finplan.db"
    claim(path, "9999")
    content = path.read_bytes()

    with pytest.raises(Conflict, match="newer version"):
        Store.open(path, tmp_path / "backups")

    assert path.read_bytes() == content


def test_a_strange_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """A file that is no store says so instead of being overwritten."""
    path = tmp_path / "finplan.db"
    path.write_text("Dear diary, " * 1000)

    with pytest.raises(StoreDamaged, match="damaged"):
        Store.open(path, tmp_path / "backups")

    assert path.read_text().startswith("Dear diary")


def test_an_older_store_is_backed_up_first(tmp_path: Path) -> None:
    """Before a migration a copy is kept, readable by its owner alone."""
    path = tmp_path / "finplan.db"
    columns = make_first(path)
    claim(path, "0000")
    before = content(path, columns)

    # No such old revision exists, so alembic refuses; the copy must have been made before that.
    with pytest.raises(Exception, match="0000"):
        bring_up_to_date(path, tmp_path / "backups")

    (copy,) = (tmp_path / "backups").glob("*.db")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert revision(copy) == "0000"
    assert content(copy, columns) == before


LARGE_TABLE = "CREATE TABLE large AS SELECT zeroblob(1000000) AS bytes"


def test_a_full_disk_leaves_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it had written is given back at once, also while what went wrong is still being told."""

    def fill_the_disk(config: Config, _revision: str) -> None:
        connection = config.attributes["connection"]
        connection.exec_driver_sql("PRAGMA cache_size = 10")
        connection.exec_driver_sql(LARGE_TABLE)
        raise full_disk()

    home = tmp_path / "home"
    home.mkdir()
    make_empty(home / "finplan.db", FIRST)
    monkeypatch.setattr(command, "upgrade", fill_the_disk)
    with pytest.raises(StorageFull) as told:
        Store.open(home / "finplan.db", tmp_path / "backups")

    assert told.value.__traceback__
    assert [path.name for path in home.iterdir()] == ["finplan.db"]


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


def described(path: Path) -> dict[tuple[str, str], object]:
    """Columns, keys and checks of each table and the statement of each index, whatever their order."""
    found: dict[tuple[str, str], object] = {}
    with closing(sqlite3.connect(path)) as database:
        for kind, name, table, sql in schema(path):
            if kind != "table":
                columns = [row[2] for row in database.execute(f'PRAGMA index_info("{name}")')]
                found[table, " ".join((sql or f"unique {columns}").split())] = True
                continue
            for about in ("table_xinfo", "foreign_key_list"):
                told = database.execute(f'PRAGMA {about}("{name}")')
                found[name, about] = {
                    tuple(row[1 if about == "table_xinfo" else 2 :]) for row in told
                }
            found[name, "checks"] = {
                line.strip(" \t,") for line in (sql or "").split("\n") if "CHECK" in line
            }
    return found


def test_a_new_store_is_what_all_revisions_make(tmp_path: Path) -> None:
    """The same tables, columns, keys, checks and indexes, with the same rows."""
    by_revisions, at_once = tmp_path / "revisions.db", tmp_path / "once.db"
    make_empty(by_revisions, HEAD)

    assert make_newest(at_once)

    assert described(at_once) == described(by_revisions)
    assert rows(at_once) == rows(by_revisions)
    assert settings(at_once) == settings(by_revisions)


def test_a_new_store_needs_no_revisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        database.execute(STRANGE)
    make_empty(whole, "0001")
    before = schema(strange), schema(whole)

    assert not make_newest(strange)
    assert not make_newest(whole)
    assert (schema(strange), schema(whole)) == before


def test_a_new_store_is_whole_or_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full in the middle of it leaves an empty file, which the next start makes whole."""

    class Large:
        @staticmethod
        def create_all(connection: Connection) -> None:
            """More than the file may hold."""
            connection.exec_driver_sql("PRAGMA cache_size = 10")
            connection.exec_driver_sql(LARGE_TABLE)
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
            connection.exec_driver_sql(LARGE_TABLE.replace("large", "larger"))

    path = tmp_path / "new" / "finplan.db"
    path.parent.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr("finplan.store.tables.tables.METADATA", Large)
        with pytest.raises(StorageFull):
            Store.open(path, tmp_path / "backups")
    assert [each.name for each in path.parent.iterdir()] == ["finplan.db"]
    assert schema(path) == []

    Store.open(path, tmp_path / "backups").close()
    assert revision(path) == HEAD


RELEASED = {
    "0001_first": "9328fa3fe401fadf",
    "0002_verdicts": "45c172e3ed283ef6",
    "0003_categories": "65b91630501a8688",
    "0004_codes": "9fe141f70b106e66",
    "0005_csv_answers": "fbb7d6985a9f6e10",
    "0006_keys": "d4855d84a813af73",
    "0007_builds": "8adf6e6faa582cb2",
    "0008_keys_of_payees": "d537ee699881f3b1",
    "0009_row_generation": "72a8c43ee3543130",
    "0010_events": "a2f895cc62c4f014",
    "0011_direction": "2e7e419ba0026e0c",
    "0012_misread": "a088414bb73e29ba",
    "0013_coverage": "e7e069f18a9a2f4d",
    "0014_restored_answers": "dbd009255168f2c1",
    "0015_partial_answers": "d6adacb397f1c0db",
    "0016_access": "ce756925bc782cd6",
    "0017_authorization": "409e5a58cfae6ef9",
    "0018_jobs": "9b880b71302480e2",
    "0019_webhooks": "94fe2d2c3f997b69",
    "0020_own_words": "b0b445c04a279bd0",
    "0021_chosen_by": "762e4f89a037600d",
    "0022_tries_by_hand": "f3bf0cb8c2cbb32b",
    "0023_agent_tasks": "1664f44e1960ce81",
    "0024_filed": "b59e55784b3dec9c",
    "0025_last_failures": "828315b829ec7435",
    "0026_banks": "fcdf8a9aa13c9c37",
    "0027_folded": "c86fc01637c26a1f",
    "0028_bank_links": "59b51de4816e1c49",
    "0029_numbers_of_rows": "6e1acaa9e3175fe4",
    "0030_fees": "11924d782406f0d9",
    "0031_tags": "35c29ef48bc4f06e",
    "0032_own_accounts": "51fdd28c5728475b",
    "0033_planned": "72b614090b3a74f7",
}
"""The beginning of the SHA-256 of each revision's file. A new revision adds its line here."""


def test_no_released_revision_is_edited() -> None:
    """Each file is byte for byte what it was when it was added; what has to change is a new revision.

    Whose digest is another one is put back as it was; what is new is added to RELEASED.
    """
    folder = Path(finplan.store.__file__).parent / "migrations" / "versions"
    assert {
        file.stem: hashlib.sha256(file.read_bytes()).hexdigest()[:16]
        for file in sorted(folder.glob("*.py"))
    } == RELEASED


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

    assert columns_of(path, "rule", "direction") == [("both",)] * 2
    assert columns_of(path, "task_answer", "word_no", "each") == [(None, 0)] * 2


def say_words(path: Path) -> None:
    """Put the second row into parts, and note something on two more rows."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE word_part SET word_no = 2, place = no")
        database.execute("UPDATE single_word SET category = NULL WHERE no = 2")
        for no, category in ((3, None), (4, "pets")):
            database.execute(f"INSERT INTO tx SELECT {no}, {_BUT_ITS_NUMBER} FROM tx WHERE no = 1")
            database.execute(
                "INSERT INTO single_word (no, id, owner_no, row_no, tx_no, category, said_at, note)"
                " VALUES (?, ?, 1, 1, ?, ?, 0, 'hers')",
                (no, f"word_{no}", no if category is None else None, category),
            )


def test_rows_are_filed_as_the_words_on_them_say(tmp_path: Path) -> None:
    """A row with a category of its own is under it, one in parts apart, and a note files nothing."""
    path = tmp_path / "finplan.db"
    make_at(path, BEFORE_FILING)
    say_words(path)

    Store.open(path, tmp_path / "backups").close()

    ((first,), *_) = columns_of(path, "single_word", "category")
    filed = columns_of(path, "tx", "no", "filed")
    assert filed == [(1, first), (2, ""), (3, None), (4, None)]


def add_many(path: Path) -> None:
    """Add many rows like the first one, one in fifty of ASCII alone."""
    columns = _BUT_ITS_NUMBER.replace("day + no", "day").replace("raw", "text")
    names = _BUT_ITS_NUMBER.replace("day + no", "day").replace("NULL", "external_id")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "WITH more (no, text) AS (SELECT 100, 'CAF\u00c9 100' UNION ALL SELECT no + 1,"
            " CASE no % 50 WHEN 0 THEN 'Cafe ' ELSE 'CAF\u00c9 ' END || (no + 1) FROM more"
            f" WHERE no < {MANY + 99}) INSERT INTO tx (no, {names})"
            f" SELECT more.no, {columns} FROM more JOIN tx ON tx.no = 1"
        )


@pytest.mark.thorough
def test_texts_are_folded_where_the_database_does_not_fold_them(tmp_path: Path) -> None:
    """However many rows there are, each of other letters than ASCII is found from then on."""
    path = tmp_path / "finplan.db"
    make_at(path, BEFORE_FOLDING)
    add_many(path)

    Store.open(path, tmp_path / "backups").close()

    all_rows = columns_of(path, "tx", "no", "raw", "folded")
    rows = [row for no, *row in all_rows if no >= 100]
    assert len(rows) == MANY
    assert {folded is None for _, folded in rows} == {True, False}
    assert [folded for _, folded in rows] == [fold_others(raw) for raw, _ in rows]


ADDRESS = "UPDATE person SET email = ? WHERE no = ?"


def test_people_are_known_by_their_address_however_it_is_written(tmp_path: Path) -> None:
    """Who was there before people signed in is found by the address as it is compared from now on."""
    path = tmp_path / "finplan.db"
    make_first(path)
    with sqlite3.connect(path) as database:
        for no, email in ((1, "\u00c9lodie@Example.ORG"), (2, " \uff21da@localhost")):
            database.execute(ADDRESS, (email, no))
    database.close()

    Store.open(path, tmp_path / "backups").close()

    people = columns_of(path, "person", "email", "email_key")
    assert [key for _, key in people] == ["\u00e9lodie@example.org", "ada@localhost"]
    assert [key for _, key in people] == [email_key(email) for email, _ in people]


def cover(path: Path, provider: str, since: int | None, before: object) -> None:
    """Tell since when accounts are covered, and what an import has kept for undo."""
    told = None if before is None else json.dumps(before)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE connection SET provider = ?", (provider,))
        database.execute("UPDATE account SET covered_since = ?", (since,))
        database.execute("UPDATE import_batch SET before = ?", (told,))


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
    cover(path, provider, since, before)

    Store.open(path, tmp_path / "backups").close()

    kept = ("account_no", "import_no", "since", "until", "since_stated", "until_stated")
    found = sorted(columns_of(path, "coverage", *kept))
    assert [tuple(told) for account, *told in found if account == 1] == intervals


FEWEST_STEPS = 80
"""How many statements, pieces of the copy and commits the way from the first release has at least."""

OPENED = 8
"""Of so many killed upgrades one is opened again: what a store holds is looked at after each."""


@pytest.mark.thorough
def test_an_upgrade_is_killed_at_each_step(tmp_path: Path) -> None:
    """The store is at the old or at the new revision, never between, and whoever comes next goes on.

    A copy is there only as a whole.
    """
    store, folder = tmp_path / "finplan.db", tmp_path / "killed"
    folder.mkdir()
    columns = make_first(store)
    before, lasts = content(store, columns), content(store, lasting(columns))
    subprocess.run(
        [sys.executable, "-m", "tests.store.dying", store, folder],
        check=True,
        cwd=Path(__file__).parents[2],
        timeout=LONG_ENOUGH,
    )
    steps = sorted(folder.iterdir())
    assert len(steps) >= FEWEST_STEPS
    reached, halves = [], 0
    for place, step in enumerate(steps):
        path, copies = step / "finplan.db", step / "backups"
        present = revision(path) or ""
        reached.append(present)
        expected, of = (before, columns) if present == FIRST else (lasts, lasting(columns))
        assert content(path, of) == expected, step
        halves += any(copies.glob("*.part"))
        for copy in copies.glob("*.db"):
            assert (revision(copy), content(copy, columns)) == (FIRST, before), step
        if place % OPENED == 0 or present == HEAD:
            Store.open(path, copies).close()
            assert (revision(path), content(path, lasting(columns))) == (HEAD, lasts), step
            (copy,) = copies.glob("*.db")
            assert (revision(copy), content(copy, columns)) == (FIRST, before), step
    # Some died while the copy was made; the last of all steps after the commit.
    assert halves
    assert reached == sorted(reached)
    assert reached.count(HEAD) == 1


@pytest.mark.thorough
def test_a_copy_that_was_cut_short_is_no_copy(tmp_path: Path) -> None:
    """While a copy is made the one from before stands; what is left of one goes with all others."""
    path, copies = tmp_path / "finplan.db", tmp_path / "backups"
    columns = make_first(path)
    back_up(path, copies / "before.db")
    half = copies / "before.part"
    half.write_bytes(path.read_bytes()[:5000])
    assert content(copies / "before.db", columns) == content(path, columns)

    back_up(path, copies / "before.db")
    assert {copy.name for copy in copies.iterdir()} == {"before.db", "before.digest"}
    half.write_bytes(b"half")
    assert remove_backups(copies) == ("before.db", "before.part")
    assert list(copies.iterdir()) == []
