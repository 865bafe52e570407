"""Copies of the store, made by SQLite's online backup while it is in use."""

import os
import sqlite3
from pathlib import Path

_PART = ".part"
"""How the name of a copy ends as long as it is not whole."""


def back_up(path: Path, target: Path) -> None:
    """Copy a store's file as it is now; the copy is readable by its owner alone.

    It has its name only once it is whole and on the disk: until then the one from before keeps it.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = target.with_suffix(_PART)
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    source = sqlite3.connect(path)
    copy = sqlite3.connect(part)
    try:
        source.backup(copy)
    finally:
        copy.close()
        source.close()
    part.replace(target)
    _keep_names(target.parent)


def remove_backups(folder: Path) -> tuple[str, ...]:
    """Delete every copy in a folder, and what is left of one; answers their names."""
    copies = sorted([*folder.glob("*.db"), *folder.glob(f"*{_PART}")])
    for copy in copies:
        copy.unlink(missing_ok=True)
    return tuple(copy.name for copy in copies)


def _keep_names(folder: Path) -> None:
    # A name is on the disk only once its folder is, which a migration of the store must not precede.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
