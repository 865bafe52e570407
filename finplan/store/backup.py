"""Backups: made by SQLite's online backup while the store is in use, proven, listed, and removed.

A copy is proven before it has a name, so that it never takes the place of a good one for a bad one.
Beside each copy stands the digest that it had when it was proven, so that rot in the copy is seen
by reading it once.
"""

import errno
import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from finplan.model.characters import visible
from finplan.model.errors import Conflict, StorageFull
from finplan.store.engine import connect
from finplan.store.examination import (
    Examination,
    FindStrange,
    examine_copy,
    finds_nothing,
    integrity_faults,
)
from finplan.store.page_sums import log_of, replace_file, sync

DAILY, WEEKLY, BEFORE_MIGRATION = 7, 4, 3
"""How many of the newest good daily copies are kept, of how many weeks before them the last one, and how
many of those made before the store was changed by an update."""

BackupKind = Literal["daily", "weekly", "before_migration", "manual", "other"]

KEPT_NAME = ".before-restore-"
"""What stands in the name of a store that a restore has kept."""

DAILY_NAME, BEFORE_NAME, MANUAL_NAME = "daily-", "before-", "manual-"


class CopyRecord(NamedTuple):
    """One copy: its name without the ending, its kind, when it was made (seconds), its size in bytes.

    `proven_at` is when it was last proven, in seconds, None for one that never was.
    """

    id: str
    kind: BackupKind
    made_at: float
    size: int
    proven_at: float | None


def copies_in(folder: Path) -> list[Path]:
    """Every copy in a folder, the newest first."""
    return sorted(folder.glob("*.db"), key=lambda copy: copy.stat().st_mtime, reverse=True)


def list_backups(folder: Path) -> list[CopyRecord]:
    """Every copy in a folder, the newest first; none is looked into."""
    copies = copies_in(folder)
    newest = set(sorted(daily_copies(copies), reverse=True)[:DAILY])
    backups = []
    for copy in copies:
        status, digest = copy.stat(), digest_file_of(copy)
        proven_at = digest.stat().st_mtime if digest.exists() else None
        kind = _kind(copy, newest)
        backups.append(CopyRecord(copy.stem, kind, status.st_mtime, status.st_size, proven_at))
    return backups


def newest_good_copy(folder: Path, is_fit: Callable[[Path], bool] = Path.exists) -> Path | None:
    """The newest copy that is whole, not empty, and fit for what it is wanted for."""
    return next((copy for copy in copies_in(folder) if is_good(copy) and is_fit(copy)), None)


def is_good(copy: Path) -> bool:
    """Whether a copy is as it was when it was proven; one without a digest is looked through."""
    with suppress(OSError, sqlite3.DatabaseError):
        return copy.stat().st_size > 0 and not copy_faults(copy)
    return False


def copy_faults(copy: Path) -> list[str]:
    """What is wrong with a copy, nothing where it is as it was when it was proven."""
    digest = read_digest(copy)
    if digest is None:
        return integrity_faults(copy)
    if digest == digest_of(copy):
        return []
    return ["its content changed after the backup was made"]


def digest_file_of(copy: Path) -> Path:
    """Where the digest of a copy is kept."""
    return copy.with_suffix(".digest")


def read_digest(copy: Path) -> str | None:
    """The digest that a copy had when it was proven; None where none is kept."""
    try:
        return digest_file_of(copy).read_text(encoding="ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return None


def digest_of(copy: Path) -> str:
    """The digest of a copy as it is now."""
    with copy.open("rb") as file:
        return hashlib.file_digest(file, partial(hashlib.blake2b, digest_size=32)).hexdigest()


def write_digest(copy: Path, digest: str) -> None:
    """Keep the digest of a copy that is proven; its time is when that was."""
    replace_file(digest_file_of(copy), f"{digest}\n".encode("ascii"))


def remove_copy(copy: Path) -> None:
    """Delete a copy and what belongs to it."""
    copy.unlink(missing_ok=True)
    digest_file_of(copy).unlink(missing_ok=True)


def daily_copies(copies: Iterable[Path]) -> dict[date, Path]:
    """The copies that were made each night, by their day."""
    days = {}
    for copy in copies:
        if copy.name.startswith(DAILY_NAME):
            # What else somebody has put there is theirs.
            with suppress(ValueError):
                days[date.fromisoformat(copy.stem.removeprefix(DAILY_NAME))] = copy
    return days


def days_to_keep(days: Iterable[date]) -> frozenset[date]:
    """Of which days the copies are kept: the newest seven, and the last of each of four weeks before."""
    newest_first = sorted(set(days), reverse=True)
    last_of_week: dict[tuple[int, int], date] = {}
    for day in newest_first[DAILY:]:
        last_of_week.setdefault(day.isocalendar()[:2], day)
    return frozenset((*newest_first[:DAILY], *list(last_of_week.values())[:WEEKLY]))


def prune_backups(folder: Path) -> None:
    """Remove the copies that are too old; only one that is good takes the place of another.

    A copy that is not good stays until there are as many good ones of newer days as are kept.
    """
    copies = copies_in(folder)
    days = daily_copies(copies)
    if len(days) > len(days_to_keep(days)):
        good = {day for day, copy in days.items() if is_good(copy)}
        keep = days_to_keep(good)
        for day in days.keys() - keep:
            if day in good or sum(day < later for later in good) >= DAILY:
                remove_copy(days[day])
    before = [copy for copy in copies if copy.name.startswith(BEFORE_NAME)]
    if len(before) > BEFORE_MIGRATION:
        good_before = [copy for copy in before if is_good(copy)]
        for copy in good_before[BEFORE_MIGRATION:]:
            remove_copy(copy)


def _kind(copy: Path, newest: set[date]) -> BackupKind:
    if copy.name.startswith(BEFORE_NAME):
        return "before_migration"
    if copy.name.startswith(MANUAL_NAME):
        return "manual"
    days = daily_copies((copy,))
    if not days:
        return "other"
    return "daily" if days.keys() <= newest else "weekly"


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
    with telling_of_no_room(
        f"No room for a backup in {visible(str(target.parent))}, so nothing changed. Free some"
        " space, then try again."
    ):
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
                "Someone deleted their account during the backup, so the copy was removed."
            ) from error
        raise
    # A name is on the disk only once its folder is, which a migration of the store must not precede.
    sync(target.parent)
    return examination


def _verify(copy: Path, source: Path, find_strange: FindStrange) -> Examination:
    examination = examine_copy(copy, source, find_strange)
    if examination.faults or examination.strange:
        raise BadCopy(examination)
    return examination


def _must_have_room(path: Path, folder: Path) -> None:
    log = log_of(path)
    size = path.stat().st_size + (log.stat().st_size if log.exists() else 0)
    free = shutil.disk_usage(folder).free
    if free < size + SPARE:
        raise StorageFull(
            f"No room for a backup: it may need {megabytes(size + SPARE)}, but the disk of"
            f" {visible(str(folder))} has only {megabytes(free)} free. Nothing changed. Free some"
            " space, then try again."
        )


def megabytes(size: int) -> str:
    """A number of bytes as a person reads it."""
    return f"{size / 1e6:,.1f} MB"


@contextmanager
def telling_of_no_room(sentence: str) -> Iterator[None]:
    """Raise StorageFull with a sentence where the disk has no room for what is done inside."""
    try:
        yield
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
            raise
        raise StorageFull(sentence) from error


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
