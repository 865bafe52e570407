"""What can be told of a store without serving it: whether it is whole, its revision and its backups."""

import json
import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path

from finplan.service.people.strange_rows import strange_rows_in
from finplan.settings import Places
from finplan.store.backup_list import copies_in, newest_good_copy
from finplan.store.examination import integrity_faults
from finplan.store.migrate import HEAD, revision
from finplan.store.store_file import strange


@dataclass(frozen=True, slots=True)
class StoreCheck:
    """What was found: `faults` are SQLite's own words, empty where the file is whole.

    `strange` is what is said of rows that are not as finplan writes them, None where there are none.
    `unopened` says why the file cannot be looked into, None where it can.

    `revision` is the file's, None where it has none or cannot be read, `newest` that of this finplan.
    `copies` are the backups; of the newest one there are its bytes and when it was made, in seconds
    since 1970. `good_copy` is the path of the newest one that is whole, looked for beside faults alone.
    """

    faults: list[str]
    revision: str | None
    newest: str
    copies: int
    copy_bytes: int | None = None
    copied_at: float | None = None
    good_copy: str | None = None
    unopened: str | None = None
    strange: str | None = None


def check_store(places: Places) -> StoreCheck:
    """Look at the store's file; nothing is changed in it, and a running daemon is not held up."""
    faults, unopened, found_revision = list[str](), None, None
    try:
        faults = integrity_faults(places.database)
        found_revision = None if faults else revision(places.database)
    except sqlite3.DatabaseError as error:
        unopened = str(error)
    copies = copies_in(places.backups)
    found = copies[0].stat() if copies else None
    good = newest_good_copy(places.backups) if faults else None
    return StoreCheck(
        faults=faults,
        revision=found_revision,
        newest=HEAD,
        copies=len(copies),
        copy_bytes=None if found is None else found.st_size,
        copied_at=None if found is None else found.st_mtime,
        good_copy=None if good is None else str(good),
        unopened=unopened,
        strange=told_of_strange_rows(places) if found_revision == HEAD else None,
    )


def told_of_strange_rows(places: Places) -> str | None:
    """What is said of rows in a store of this version that cannot be read, None where there are none."""
    rows = strange_rows_in(places.database)
    return strange(places.database, places.backups, rows, _has_none).message if rows else None


def _has_none(copy: Path) -> bool:
    # A copy of an earlier version has other columns, and the start that made this one had read it.
    return revision(copy) != HEAD or not strange_rows_in(copy)


def told(check: StoreCheck) -> str:
    """What was found as one line of JSON, for the process that asked."""
    return json.dumps(asdict(check))
