"""Bringing a store's file to the present schema: a backup first, then alembic's revisions."""

import sqlite3
from pathlib import Path

from finplan.model.errors import Conflict
from finplan.store.backup import back_up
from finplan.store.store_file import telling_faults

HEAD = "0020"
"""The newest revision; known here so that a store that is up to date never imports alembic."""


def bring_up_to_date(path: Path, backups: Path) -> None:
    """Migrate the file to HEAD; a file of a newer version of finplan is refused untouched.

    Raises StoreDamaged, StorageFull, and Conflict for a file that cannot be opened.
    """
    with telling_faults(path, backups):
        _bring_up_to_date(path, backups)


def _bring_up_to_date(path: Path, backups: Path) -> None:
    try:
        present = revision(path)
    except sqlite3.OperationalError as error:
        raise Conflict(f"The store {path} cannot be opened: {error}.") from error
    if present == HEAD:
        return
    if present is not None and present > HEAD:
        raise Conflict(
            f"{path} was written by a newer version of finplan. Update finplan, then try again."
        )
    if present is not None:
        back_up(path, backups / f"before-{HEAD}-from-{present}.db")
    _upgrade(path)


def revision(path: Path) -> str | None:
    """The revision that a file is at, None for one without a schema.

    Raises sqlite3.DatabaseError where it cannot be read.
    """
    connection = sqlite3.connect(path)
    try:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        return None
    finally:
        connection.close()
    return None if row is None else str(row[0])


def _upgrade(path: Path) -> None:
    # Alembic is heavy and needed once per schema change, so the daemon imports it only then.
    from alembic import command
    from alembic.config import Config

    from finplan.store.engine import make_engine

    engine = make_engine(path, begin="BEGIN IMMEDIATE", size=1)
    config = Config()
    location = str(Path(__file__).parent / "migrations")
    # The option's own language gives "%" a meaning.
    config.set_main_option("script_location", location.replace("%", "%%"))
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, HEAD)
    finally:
        # What was not done leaves no log behind, which on a full disk would take the room for a word.
        engine.dispose()
