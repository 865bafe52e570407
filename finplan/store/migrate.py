"""Bringing a store's file to the present schema: a backup first, then alembic's revisions.

A file without anything in it gets the tables as they are declared, which the revisions come to as well.

`python -m finplan.store.migrate STORE` makes the revisions alone, for a process that lives for long.
"""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from finplan.model.characters import visible
from finplan.model.errors import Conflict, StoreDamaged
from finplan.store.backup import BadCopy, back_up
from finplan.store.engine import connect, make_engine
from finplan.store.page_sums import remove_sums
from finplan.store.store_file import telling_faults

_MIGRATIONS = Path(__file__).parent / "migrations"

HEAD = max(path.name[:4] for path in (_MIGRATIONS / "versions").glob("[0-9]*.py"))
"""The newest revision, by the files' names, so that a store that is up to date never imports alembic."""

Upgrade = Callable[[Path], None]
"""Makes the revisions that a file lacks, all of them or none."""


def upgrade(path: Path) -> None:
    """Make the revisions that a file lacks, in this process."""
    # Alembic is heavy and needed once per schema change, so it is imported only then.
    from alembic import command
    from alembic.config import Config

    engine = make_engine(path, begin="BEGIN IMMEDIATE", size=1)
    config = Config()
    # The option's own language gives "%" a meaning.
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, HEAD)
    finally:
        # What was not done leaves no log behind, which on a full disk would take the room for a word.
        engine.dispose()


def make_newest(path: Path) -> bool:
    """Give a file without anything in it the newest schema at once; False where something is there."""
    # All tables are declared only for a file that has none.
    from finplan.store.tables.tables import METADATA

    engine = make_engine(path, begin="BEGIN IMMEDIATE", size=1)
    try:
        with engine.begin() as connection:
            # Asked within the transaction, since another process may be making the same store.
            if connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one():
                return False
            METADATA.create_all(connection)
            # What alembic writes of itself.
            connection.exec_driver_sql(
                "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL,"
                " CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
            )
            connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (HEAD,))
            return True
    finally:
        # As with revisions, what was not done leaves no log behind.
        engine.dispose()


def upgrade_elsewhere(path: Path) -> None:
    """Make the revisions that a file lacks, in a process that ends with them and takes alembic along.

    Whatever goes wrong there happens here once more, so that it is told by the one who is asked.
    """
    if not _is_done_elsewhere(path):
        upgrade(path)


def _is_done_elsewhere(path: Path) -> bool:
    if not sys.executable:
        return False
    try:
        with subprocess.Popen(  # noqa: S603 - what is run is this very module.
            (sys.executable, "-m", __name__, str(path.absolute())),
            # As long as this is open, somebody waits for the process.
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # From here `-m` finds the very package that is running now.
            cwd=Path(__file__).parents[2],
        ) as process:
            return process.wait() == 0
    except OSError:
        # The interpreter was replaced since, or no process can be started any more.
        return False


def bring_up_to_date(path: Path, backups: Path, upgrade: Upgrade = upgrade) -> None:
    """Migrate the file to HEAD; a file of a newer version of finplan is refused untouched.

    Raises StoreDamaged, StorageFull, and Conflict for a file that cannot be opened.
    """
    with telling_faults():
        _bring_up_to_date(path, backups, upgrade)


def _bring_up_to_date(path: Path, backups: Path, upgrade: Upgrade) -> None:
    try:
        present = revision(path)
    except sqlite3.OperationalError as error:
        raise Conflict(
            f"finplan cannot open the store {path}: {error}. Check the file and its permissions."
        ) from error
    if present == HEAD:
        return
    if present is not None and present > HEAD:
        raise Conflict(
            f"{path} was written by a newer version of finplan. Update finplan, then try again."
        )
    if present is not None:
        _back_up_first(path, backups / f"before-{HEAD}-from-{present}.db")
    # Whoever opens the store makes them of what it is then, also after a start that was killed here.
    remove_sums(path)
    if present is not None or not make_newest(path):
        upgrade(path)


def _back_up_first(path: Path, copy: Path) -> None:
    try:
        back_up(path, copy)
    except BadCopy as bad:
        raise StoreDamaged(
            f"The store {visible(str(path))} is damaged ({visible(bad.examination.described[0])}), so it"
            " was not updated. Restore the newest good backup: `finplan backup restore`."
        ) from bad


def revision(path: Path) -> str | None:
    """The revision that a file is at, None for one without a schema.

    Raises sqlite3.DatabaseError where it cannot be read.
    """
    connection = connect(path)
    try:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        return None
    finally:
        connection.close()
    return None if row is None else str(row[0])


def _end_when_nobody_waits() -> None:
    """End with whoever started this process: the next one to open the file would have to wait."""
    # An object that reads the stream would be locked when the process ends in order.
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_when_nobody_waits, daemon=True).start()
    upgrade(Path(sys.argv[1]))
