"""Copies of the store, made by SQLite's online backup while it is in use.

A copy is proven before it has a name, so that it never takes the place of a good one for a bad one.
"""

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from finplan.model.characters import visible
from finplan.model.errors import Conflict, StorageFull
from finplan.store.backup_list import (
    KEPT_NAME,
    digest_file_of,
    digest_of,
    remove_copy,
    write_digest,
)
from finplan.store.driver import connect
from finplan.store.examination import Examination, FindStrange, examine_copy, finds_nothing

SPARE = 2**20
"""How much room a copy leaves for everything else, in bytes."""

_PART = ".part"
"""How the name of a copy ends as long as it is not whole."""


class BadCopy(Exception):
    """A copy was made and is not whole, so that it was removed: its store is damaged."""

    def __init__(self, examination: Examination) -> None:
        super().__init__(", ".join(examination.faults))
        self.examination = examination


def back_up(path: Path, target: Path, find_strange: FindStrange = finds_nothing) -> Examination:
    """Copy a store's file as it is now; the copy is readable by its owner alone.

    It has its name only once it is proven and on the disk: until then the one from before keeps it.
    Answers what was found, which may be that another program changed the store.

    Raises BadCopy where the store is damaged and StorageFull where the disk has no room for a copy, and
    then leaves nothing of it; Conflict where it was removed while it was made.
    """
    with _telling_of_no_room(target.parent):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = target.with_suffix(_PART)
        part.unlink(missing_ok=True)
        _must_have_room(path, target.parent)
        part.touch(mode=0o600)
    try:
        with closing(connect(path)) as source, closing(connect(part)) as copy:
            source.backup(copy)
        examination = _verify(part, path, find_strange)
        digest = digest_of(part)
        # Without its digest a copy is looked through; with another one's it would not be good.
        digest_file_of(target).unlink(missing_ok=True)
        part.replace(target)
        # On a disk that is full now, a copy without its digest is as good, and takes longer to prove.
        with suppress(OSError):
            write_digest(target, digest)
    except BaseException as error:
        was_removed = not part.exists()
        # Half a copy would take the room that the store itself needs.
        part.unlink(missing_ok=True)
        for ending in ("-journal", "-wal", "-shm"):
            part.with_name(f"{part.name}{ending}").unlink(missing_ok=True)
        if was_removed and isinstance(error, sqlite3.Error | FileNotFoundError):
            raise Conflict(
                "Somebody has left while the store was copied, so the copy was removed."
            ) from error
        raise
    _keep_names(target.parent)
    return examination


def _verify(copy: Path, source: Path, find_strange: FindStrange) -> Examination:
    examination = examine_copy(copy, source, find_strange)
    if examination.faults or examination.strange:
        raise BadCopy(examination)
    return examination


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


def remove_backups(folder: Path) -> tuple[str, ...]:
    """Delete every copy in a folder, what is left of one, and the stores that restores have kept.

    Answers their names.
    """
    removed = list[str]()
    # One that is being made cannot become whole any more once its part is gone, so parts go first.
    for pattern in (f"*{_PART}", "*.db"):
        for copy in folder.glob(pattern):
            remove_copy(copy)
            removed.append(copy.name)
    for former in folder.parent.glob(f"*{KEPT_NAME}*"):
        former.unlink(missing_ok=True)
        removed.append(former.name)
    return tuple(sorted(removed))


def _keep_names(folder: Path) -> None:
    # A name is on the disk only once its folder is, which a migration of the store must not precede.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
