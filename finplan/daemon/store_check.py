"""What can be told of a store without serving it: whether it is whole, its revision and its backups."""

import json
import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path

from finplan.service.strange_rows import strange_rows_in, strange_rows_of
from finplan.settings import Places
from finplan.store.backup import copies_in, is_good, list_backups, newest_good_copy
from finplan.store.examination import Examination, examine
from finplan.store.migrate import HEAD, revision
from finplan.store.store_file import damage_mark_of, strange


@dataclass(frozen=True, slots=True)
class StoreCheck:
    """What was found: `faults` say in words what is damaged, empty where the file is whole.

    `indexes` are the damaged ones where nothing else is; `is_changed` tells that another program
    changed the store. `strange` is what is said of rows that are not as finplan writes them, None where
    there are none. `unopened` says why the file cannot be looked into, None where it can.

    `revision` is the file's, None where it has none or cannot be read, `newest` that of this finplan.
    `copies` are the backups; of the newest one there are its bytes, when it was made, in seconds since
    1970, and whether it is good. `good_copy` is the name of the newest good one. `changed_at` is when
    the store was last written, in seconds.
    """

    faults: list[str]
    revision: str | None
    newest: str
    copies: int
    indexes: list[str]
    is_changed: bool = False
    has_sums: bool = False
    copy_bytes: int | None = None
    copied_at: float | None = None
    is_newest_good: bool = False
    good_copy: str | None = None
    changed_at: float | None = None
    unopened: str | None = None
    strange: str | None = None


def check_store(places: Places) -> StoreCheck:
    """Look at every page of the store; nothing is changed in it, and a daemon is not held up."""
    examination, unopened, present = Examination(()), None, None
    changed_at = _changed_at(places.database)
    try:
        examination = examine(places.database)
        present = None if examination.faults else revision(places.database)
        if examination.faults and not examination.indexes:
            # A daemon that runs stops writing as soon as it is known.
            damage_mark_of(places.database).touch(mode=0o600)
    except sqlite3.DatabaseError as error:
        unopened = str(error)
    copies = list_backups(places.backups)
    newest = copies_in(places.backups)[:1]
    is_newest_good = bool(newest) and is_good(newest[0])
    good = newest[0] if is_newest_good else newest_good_copy(places.backups)
    return StoreCheck(
        faults=list(examination.faults),
        indexes=list(examination.indexes),
        is_changed=examination.is_changed,
        has_sums=examination.has_sums,
        revision=present,
        newest=HEAD,
        copies=len(copies),
        copy_bytes=copies[0].size if copies else None,
        copied_at=copies[0].made_at if copies else None,
        is_newest_good=is_newest_good,
        good_copy=None if good is None else good.stem,
        changed_at=changed_at,
        unopened=unopened,
        strange=told_of_strange_rows(places) if present == HEAD else None,
    )


def _changed_at(database: Path) -> float:
    log = database.with_name(f"{database.name}-wal")
    return max(path.stat().st_mtime for path in (database, log) if path.exists())


def told_of_strange_rows(places: Places) -> str | None:
    """What is said of rows in a store of this version that cannot be read, None where there are none."""
    rows = strange_rows_in(places.database)
    return strange(places.database, places.backups, rows, _has_none).message if rows else None


def _has_none(copy: Path) -> bool:
    # A copy of an earlier version has other columns, and the start that made this one had read it.
    return not strange_rows_of(copy)


def told(check: StoreCheck) -> str:
    """What was found as one line of JSON, for the process that asked."""
    return json.dumps(asdict(check))
