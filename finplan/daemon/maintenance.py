"""What is done with a store that nobody serves: a look whether it is whole, and its backups.

`python -m finplan.daemon --check-store` and `--backups …` work where the store is damaged and no daemon
can serve it. Faces call them as a process, since they never open the store themselves.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from finplan.client.announcement import LockHeld, hold
from finplan.model.errors import Conflict, Fault, StoreDamaged
from finplan.model.installation import RESTORE
from finplan.service.strange_rows import strange_rows_in, strange_rows_of
from finplan.settings import Places
from finplan.store import backup as copying
from finplan.store.examination import Examination, check_at_start, examine, examine_copy
from finplan.store.migrate import HEAD, revision
from finplan.store.restoring import find_copy, restore
from finplan.store.store_file import damage_mark_of, strange


def check_store(places: Places) -> dict[str, Any]:
    """What a look at every page of the store finds; nothing is changed in it, and no daemon is held up.

    `faults` say in words what is damaged, empty where the file is whole. `indexes` are the damaged ones
    where nothing else is; `is_changed` tells that another program changed the store. `strange` is what
    is said of rows that are not as finplan writes them, None where there are none. `unopened` says why
    the file cannot be looked into, None where it can.

    `revision` is the file's, None where it has none or cannot be read, `newest` that of this finplan.
    `copies` are the backups; of the newest one there are its bytes, when it was made, in seconds since
    1970, and whether it is good. `good_copy` is the name of the newest good one. `changed_at` is when
    the store was last written, in seconds.
    """
    examination, unopened, present = Examination(()), None, None
    changed_at = _last_written(places.database)
    try:
        examination = examine(places.database)
        present = None if examination.faults else revision(places.database)
        if examination.faults and not examination.indexes:
            # A daemon that runs stops writing as soon as it is known.
            damage_mark_of(places.database).touch(mode=0o600)
    except sqlite3.DatabaseError as error:
        unopened = str(error)
    copies = copying.list_backups(places.backups)
    newest = copying.copies_in(places.backups)[:1]
    is_newest_good = bool(newest) and copying.is_good(newest[0])
    good = newest[0] if is_newest_good else copying.newest_good_copy(places.backups)
    return {
        "faults": examination.faults,
        "revision": present,
        "newest": HEAD,
        "copies": len(copies),
        "indexes": examination.indexes,
        "is_changed": examination.is_changed,
        "has_sums": examination.has_sums,
        "single_bits": examination.single_bits,
        "copy_bytes": copies[0].size if copies else None,
        "copied_at": copies[0].made_at if copies else None,
        "is_newest_good": is_newest_good,
        "good_copy": None if good is None else good.stem,
        "changed_at": changed_at,
        "unopened": unopened,
        "strange": told_of_strange_rows(places) if present == HEAD else None,
    }


def _last_written(database: Path) -> float:
    log = database.with_name(f"{database.name}-wal")
    return max(path.stat().st_mtime for path in (database, log) if path.exists())


def told_of_strange_rows(places: Places) -> str | None:
    """What is said of rows in a store of this version that cannot be read, None where there are none."""
    rows = strange_rows_in(places.database)
    if not rows:
        return None

    def has_none(copy: Path) -> bool:
        # A copy of an earlier version has other columns, and the start that made this one had read it.
        return not strange_rows_of(copy)

    return strange(places.database, places.backups, rows, has_none).message


_RESTORE = f"Restore the newest good backup: {RESTORE}."


def run_backup_tool(places: Places, verb: str, name: str | None) -> str:
    """Run one verb; answers a line of JSON, with `fault` if it failed."""
    try:
        return json.dumps(BACKUP_VERBS[verb](places, name))
    except sqlite3.DatabaseError as error:
        fault: Fault = StoreDamaged(f"The store is damaged ({error}). {_RESTORE}")
    except Fault as refused:
        fault = refused
    return json.dumps({"fault": fault.message, "status": fault.status, "code": fault.code})


def _list_backups(places: Places, _name: str | None) -> list[dict[str, Any]]:
    folder = places.backups
    return [_describe_backup(folder, backup) for backup in copying.list_backups(folder)]


def _describe_backup(folder: Path, backup: copying.CopyRecord) -> dict[str, Any]:
    copy = folder / f"{backup.id}.db"
    digest = copying.read_digest(copy)
    state = "unverified"
    if digest is not None:
        state = "good" if digest == copying.digest_of(copy) else "damaged"
    return {
        "id": backup.id,
        "kind": backup.kind,
        "madeAt": int(backup.made_at * 1000),
        "size": backup.size,
        "state": state,
        "verifiedAt": None if backup.proven_at is None else int(backup.proven_at * 1000),
    }


def _create_backup(places: Places, _name: str | None) -> dict[str, Any]:
    if not places.database.exists():
        raise Conflict("No data to back up yet. Import a file or link a bank first.")
    with suppress(LockHeld), hold(places.daemon_lock):
        # No daemon runs: what a killed one left, or another program changed, is looked at first.
        check_at_start(places.database)
    now = datetime.now().astimezone()
    copy = places.backups / f"{copying.MANUAL_NAME}{now:%Y-%m-%d-%H%M%S}.db"
    try:
        copying.back_up(places.database, copy, strange_rows_of)
    except copying.BadCopy as bad:
        if not bad.examination.indexes and bad.examination.faults:
            damage_mark_of(places.database).touch(mode=0o600)
        raise StoreDamaged(
            f"No backup was made: the store is damaged ({bad.examination.described[0]}). {_RESTORE}"
        ) from bad
    return _backup_of_name(places, copy.stem)


def _verify_backup(places: Places, name: str | None) -> dict[str, Any]:
    copy = find_copy(places.backups, name)
    digest, present = copying.read_digest(copy), copying.digest_of(copy)
    if copy.stat().st_size == 0:
        faults: tuple[str, ...] = ("it is empty",)
    elif digest not in {None, present}:
        faults = ("its content changed after the backup was made",)
    else:
        faults = examine_copy(copy, None, strange_rows_of).described
    if not faults:
        # To look into a copy of one's own may have moved its log into it.
        copying.write_digest(copy, copying.digest_of(copy))
    return _backup_of_name(places, copy.stem) | {
        "state": "damaged" if faults else "good",
        "faults": list(faults),
    }


def _restore_backup(places: Places, name: str | None) -> dict[str, Any]:
    copy = find_copy(places.backups, name)
    made_at = int(copy.stat().st_mtime * 1000)
    places.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with hold(places.daemon_lock):
            stamp = time.strftime("%Y%m%d-%H%M%S")
            restored = restore(places.database, copy, stamp, strange_rows_of)
    except LockHeld as error:
        raise Conflict(
            "The background service is running. Stop it first: `finplan daemon stop`."
        ) from error
    return {
        "id": copy.stem,
        "madeAt": made_at,
        "keptAs": None if restored.saved is None else str(restored.saved),
        "endedCredentials": restored.ended,
        "hasDataKey": places.data_key.exists(),
    }


def _backup_of_name(places: Places, name: str) -> dict[str, Any]:
    backups = copying.list_backups(places.backups)
    return next(_describe_backup(places.backups, backup) for backup in backups if backup.id == name)


BACKUP_VERBS: Mapping[str, Callable[[Places, str | None], Any]] = {
    "list": _list_backups,
    "create": _create_backup,
    "verify": _verify_backup,
    "restore": _restore_backup,
}
"""What each verb does."""
