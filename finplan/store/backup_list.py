"""The backups of a store: what each is, whether it is proven, which is good, and which are removed.

Beside each copy stands the digest that it had when it was proven, so that rot in the copy is seen by
reading it once.
"""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple

from finplan.store.examination import integrity_faults

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
    return ["its content changed after it was made"]


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
    digest = hashlib.blake2b(digest_size=32)
    with copy.open("rb") as file:
        while block := file.read(2**20):
            digest.update(block)
    return digest.hexdigest()


def write_digest(copy: Path, digest: str) -> None:
    """Keep the digest of a copy that is proven; its time is when that was."""
    target = digest_file_of(copy)
    new = target.with_suffix(".digest.new")
    new.unlink(missing_ok=True)
    with open(new, "w", encoding="ascii", opener=_private) as file:
        file.write(f"{digest}\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(target)


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
            if day in good or sum(day < other for other in good) >= DAILY:
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


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
