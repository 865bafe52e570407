"""Damaging a store's file as a bad disk would, and telling whether anything wrote into it."""

import hashlib
import os
import sqlite3
from contextlib import closing
from pathlib import Path


def damage_table(database: Path, table: str) -> None:
    """Overwrite the first page of a table and of each of its indexes, in the file itself."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        query = "SELECT rootpage FROM sqlite_master WHERE tbl_name = ? AND rootpage > 0"
        pages = [page for (page,) in connection.execute(query, (table,))]
    with database.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)
        os.fsync(file.fileno())


def bytes_of(database: Path) -> dict[str, str]:
    """What the file and its log hold, as digests by their names."""
    files = (database, database.with_name(f"{database.name}-wal"))
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""
        for path in files
    }


def full_disk() -> sqlite3.OperationalError:
    """What SQLite raises where the disk is full."""
    return sqlite3.OperationalError("database or disk is full")
