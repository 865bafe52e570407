"""Copies of the store, made by SQLite's online backup while it is in use."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from finplan.model.characters import visible
from finplan.model.errors import Conflict, StorageFull

SPARE = 2**20
"""How much room a copy leaves for everything else, in bytes."""

DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""The codes by which SQLite says that a file's content is spoilt."""

_PART = ".part"
"""How the name of a copy ends as long as it is not whole."""


def back_up(path: Path, target: Path) -> None:
    """Copy a store's file as it is now; the copy is readable by its owner alone.

    It has its name only once it is whole and on the disk: until then the one from before keeps it.
    Raises StorageFull where the disk has no room for it, and then leaves nothing of it; Conflict where
    it was removed while it was made.
    """
    with _telling_of_no_room(target.parent):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = target.with_suffix(_PART)
        part.unlink(missing_ok=True)
        _must_have_room(path, target.parent)
        part.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
        part.replace(target)
    except BaseException as error:
        was_removed = not part.exists()
        # Half a copy would take the room that the store itself needs.
        part.unlink(missing_ok=True)
        part.with_name(f"{part.name}-journal").unlink(missing_ok=True)
        if was_removed and isinstance(error, sqlite3.Error | FileNotFoundError):
            raise Conflict(
                "Somebody has left while the store was copied, so the copy was removed."
            ) from error
        raise
    _keep_names(target.parent)


def _must_have_room(path: Path, folder: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    size = path.stat().st_size + (log.stat().st_size if log.exists() else 0)
    free = shutil.disk_usage(folder).free
    if free < size + SPARE:
        raise StorageFull(
            f"There is no room for a backup of the store: it may take {megabytes(size + SPARE)}, and"
            f" the disk of {visible(str(folder))} has {megabytes(free)} left. Nothing was changed. Make"
            " some room, then try again."
        )


def megabytes(size: int) -> str:
    """A number of bytes as a person reads it."""
    return f"{size / 1e6:,.1f} MB"


@contextmanager
def _telling_of_no_room(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
            raise
        raise StorageFull(
            f"There is no room for a backup of the store in {visible(str(folder))}. Nothing was changed."
            " Make some room, then try again."
        ) from error


def copies_in(folder: Path) -> list[Path]:
    """Every copy in a folder, the newest first."""
    return sorted(folder.glob("*.db"), key=lambda copy: copy.stat().st_mtime, reverse=True)


def newest_good_copy(folder: Path, is_fit: Callable[[Path], bool] = Path.exists) -> Path | None:
    """The newest copy that is whole, not empty, and fit for what it is wanted for."""
    return next((copy for copy in copies_in(folder) if _is_good(copy) and is_fit(copy)), None)


def _is_good(copy: Path) -> bool:
    try:
        return copy.stat().st_size > 0 and not faults_in(copy)
    except sqlite3.DatabaseError:
        return False


def faults_in(path: Path) -> list[str]:
    """What SQLite's quick check finds wrong with a store, nothing where it is whole.

    Raises sqlite3.DatabaseError where the file cannot be opened for another reason.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA query_only = ON")
            found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(10)")]
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in DAMAGE:
            raise
        return [str(error)]
    return [] if found == ["ok"] else found


def remove_backups(folder: Path) -> tuple[str, ...]:
    """Delete every copy in a folder, and what is left of one; answers their names."""
    removed = list[str]()
    # One that is being made cannot become whole any more once its part is gone, so parts go first.
    for pattern in (f"*{_PART}", "*.db"):
        for copy in folder.glob(pattern):
            copy.unlink(missing_ok=True)
            removed.append(copy.name)
    return tuple(sorted(removed))


def _keep_names(folder: Path) -> None:
    # A name is on the disk only once its folder is, which a migration of the store must not precede.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
