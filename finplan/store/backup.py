"""Copies of the store, made by SQLite's online backup while it is in use."""

import sqlite3
from pathlib import Path


def back_up(path: Path, target: Path) -> None:
    """Copy a store's file as it is now; the copy is readable by its owner alone."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    target.touch(mode=0o600)
    source = sqlite3.connect(path)
    copy = sqlite3.connect(target)
    try:
        source.backup(copy)
    finally:
        copy.close()
        source.close()


def remove_backups(folder: Path) -> tuple[str, ...]:
    """Delete every copy in a folder; answers their names."""
    copies = sorted(folder.glob("*.db"))
    for copy in copies:
        copy.unlink(missing_ok=True)
    return tuple(copy.name for copy in copies)
