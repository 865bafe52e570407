"""Schema changes: from revisions only, with a backup, never losing a row."""

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
from sqlalchemy.exc import OperationalError

import finplan.store
from finplan.model.errors import Conflict, StorageFull, StoreDamaged
from finplan.store.engine import make_engine
from finplan.store.migrate import HEAD, bring_up_to_date, revision, upgrade_elsewhere
from finplan.store.store import Store
from finplan.store.tables.tables import METADATA
from tests.patience import LONG_ENOUGH
from tests.store.kept import FIRST, make_empty


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


@pytest.mark.thorough
def test_revisions_are_made_in_a_process_that_ends(tmp_path: Path) -> None:
    """Who opens an older store so has the newest, and never loads what only revisions need."""
    path = tmp_path / "finplan.db"
    make_empty(path, FIRST)
    opening = (
        "import sys; from pathlib import Path; from finplan.store.store import Store\n"
        "from finplan.store.migrate import upgrade_elsewhere\n"
        f"path, backups = Path({str(path)!r}), Path({str(tmp_path / 'backups')!r})\n"
        "Store.open(path, backups, upgrade=upgrade_elsewhere).close()\n"
        "print(*sys.modules)"
    )
    opened = subprocess.run(
        [sys.executable, "-c", opening], capture_output=True, text=True, check=True
    )

    assert revision(path) == HEAD
    assert set(opened.stdout.split()).isdisjoint({"alembic", "mako"})


@pytest.mark.thorough
def test_what_goes_wrong_in_that_process_is_told_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that revisions do not fit is refused with the sentence that this process has for it."""
    path = tmp_path / "finplan.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE person (no INTEGER)")
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
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE alembic_version (version_num TEXT)")
        database.execute("INSERT INTO alembic_version VALUES ('9999')")
    database.close()
    content = path.read_bytes()

    with pytest.raises(Conflict, match="newer version"):
        Store.open(path, tmp_path / "backups")

    assert path.read_bytes() == content


def test_a_strange_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """A file that is no store says so instead of being overwritten."""
    path = tmp_path / "finplan.db"
    path.write_text("Dear diary, " * 1000)

    with pytest.raises(StoreDamaged, match="The store is damaged"):
        Store.open(path, tmp_path / "backups")

    assert path.read_text().startswith("Dear diary")


def test_an_older_store_is_backed_up_first(tmp_path: Path) -> None:
    """Before a migration a copy is kept, readable by its owner alone."""
    path = tmp_path / "finplan.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE alembic_version (version_num TEXT)")
        database.execute("INSERT INTO alembic_version VALUES ('0000')")
        database.execute("CREATE TABLE kept AS SELECT 7 AS row")
    database.close()

    # No such old revision exists, so alembic refuses; the copy must have been made before that.
    with pytest.raises(Exception, match="0000"):
        bring_up_to_date(path, tmp_path / "backups")

    (copy,) = (tmp_path / "backups").glob("*.db")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert revision(copy) == "0000"
    with sqlite3.connect(copy) as database:
        assert database.execute("SELECT row FROM kept").fetchone() == (7,)
    database.close()


def test_a_migration_that_finds_no_room_leaves_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had written is given back at once, also while what went wrong is still being told."""

    def fill_the_disk(config: Config, _revision: str) -> None:
        connection = config.attributes["connection"]
        connection.exec_driver_sql("PRAGMA cache_size = 10")
        connection.exec_driver_sql("CREATE TABLE large AS SELECT zeroblob(1000000) AS bytes")
        raise sqlite3.OperationalError("database or disk is full")

    home = tmp_path / "home"
    home.mkdir()
    make_empty(home / "finplan.db", FIRST)
    monkeypatch.setattr(command, "upgrade", fill_the_disk)
    with pytest.raises(StorageFull) as told:
        Store.open(home / "finplan.db", tmp_path / "backups")

    assert told.value.__traceback__
    assert [path.name for path in home.iterdir()] == ["finplan.db"]
