"""`python -m finplan.daemon --backups …`: list, create, verify and restore backups without a daemon.

It works where the store is damaged and no daemon can serve it. Faces call it as a process, since they
never open the store themselves.
"""

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from finplan.client.announcement import LockHeld, hold
from finplan.model.errors import Conflict, Fault, StoreDamaged
from finplan.model.words.notices import RESTORE
from finplan.service.strange_rows import strange_rows_of
from finplan.settings import Places
from finplan.store.backup import (
    MANUAL_NAME,
    BadCopy,
    CopyRecord,
    back_up,
    digest_of,
    list_backups,
    read_digest,
    write_digest,
)
from finplan.store.examination import Examination, check_at_start, examine_copy
from finplan.store.restoring import find_copy, restore
from finplan.store.store_file import damage_mark_of

_RESTORE = f"Restore the newest good backup: {RESTORE}."

VERBS = ("list", "create", "verify", "restore")


def run_backup_tool(places: Places, verb: str, name: str | None) -> str:
    """Run one verb; answers a line of JSON, with `fault` if it failed."""
    verbs: dict[str, Callable[[Places, str | None], Any]] = {
        "list": _list,
        "create": _create,
        "verify": _verify,
        "restore": _restore,
    }
    try:
        return json.dumps(verbs[verb](places, name))
    except sqlite3.DatabaseError as error:
        fault: Fault = StoreDamaged(f"The store is damaged ({error}). {_RESTORE}")
    except Fault as refused:
        fault = refused
    return json.dumps({"fault": fault.message, "status": fault.status, "code": fault.code})


def _list(places: Places, _name: str | None) -> list[dict[str, Any]]:
    folder = places.backups
    return [_describe_backup(folder, backup) for backup in list_backups(folder)]


def _describe_backup(folder: Path, backup: CopyRecord) -> dict[str, Any]:
    copy = folder / f"{backup.id}.db"
    digest = read_digest(copy)
    state = "unverified" if digest is None else "good" if digest == digest_of(copy) else "damaged"
    return {
        "id": backup.id,
        "kind": backup.kind,
        "madeAt": int(backup.made_at * 1000),
        "size": backup.size,
        "state": state,
        "verifiedAt": None if backup.proven_at is None else int(backup.proven_at * 1000),
    }


def _create(places: Places, _name: str | None) -> dict[str, Any]:
    if not places.database.exists():
        raise Conflict("There is no data to back up yet.")
    with suppress(LockHeld), hold(places.daemon_lock):
        # No daemon runs: what a killed one left, or another program changed, is looked at first.
        check_at_start(places.database)
    now = datetime.now().astimezone()
    copy = places.backups / f"{MANUAL_NAME}{now:%Y-%m-%d-%H%M%S}.db"
    try:
        back_up(places.database, copy, strange_rows_of)
    except BadCopy as bad:
        if not bad.examination.indexes and bad.examination.faults:
            damage_mark_of(places.database).touch(mode=0o600)
        raise StoreDamaged(
            f"No backup was made: the store is damaged ({bad.examination.described[0]}). {_RESTORE}"
        ) from bad
    return _one(places, copy.stem)


def _verify(places: Places, name: str | None) -> dict[str, Any]:
    copy = find_copy(places.backups, name)
    digest, present = read_digest(copy), digest_of(copy)
    if copy.stat().st_size == 0:
        faults: tuple[str, ...] = ("it is empty",)
    elif digest not in {None, present}:
        faults = ("its content changed after it was made",)
    else:
        faults = _look_into(copy).described
    if not faults:
        # To look into a copy of one's own may have moved its log into it.
        write_digest(copy, digest_of(copy))
    return _one(places, copy.stem) | {
        "state": "damaged" if faults else "good",
        "faults": list(faults),
    }


def _look_into(copy: Path) -> Examination:
    return examine_copy(copy, None, strange_rows_of)


def _restore(places: Places, name: str | None) -> dict[str, Any]:
    copy = find_copy(places.backups, name)
    made_at = int(copy.stat().st_mtime * 1000)
    places.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with hold(places.daemon_lock):
            stamp = time.strftime("%Y%m%d-%H%M%S")
            restored = restore(places.database, copy, stamp, strange_rows_of)
    except LockHeld as error:
        raise Conflict("The daemon is running. Stop it first: `finplan daemon stop`.") from error
    return {
        "id": copy.stem,
        "madeAt": made_at,
        "keptAs": None if restored.saved is None else str(restored.saved),
        "endedCredentials": restored.ended,
        "hasDataKey": places.data_key.exists(),
    }


def _one(places: Places, name: str) -> dict[str, Any]:
    backups = list_backups(places.backups)
    return next(_describe_backup(places.backups, backup) for backup in backups if backup.id == name)
