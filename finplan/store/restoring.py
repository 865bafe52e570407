"""Putting a backup in the place of the store, so that a kill at any moment leaves the one or the other.

The backup is copied beside the store and proven there. A file with the plan of the swap is on the disk
before anything is renamed, and the next start finishes a swap that was cut off.
"""

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from finplan.model.characters import visible
from finplan.model.errors import Conflict, NotFound
from finplan.store.backup import (
    KEPT_NAME,
    copies_in,
    digest_of,
    megabytes,
    newest_good_copy,
    read_digest,
    telling_of_no_room,
)
from finplan.store.engine import connect
from finplan.store.examination import FindStrange, examine_copy, open_to_read
from finplan.store.migrate import HEAD, revision
from finplan.store.page_sums import log_of, replace_file, sync

ENDINGS = ("-wal", "-shm", "-sums", "-damaged", "")
"""What belongs to a store besides its file; the file itself goes last."""

CREDENTIALS = (
    ("api_key", "id"),
    ("browser_session", "id"),
    ("sign_in_link", "hash"),
    ("invite", "id"),
    ("oauth_client", "id"),
    ("agent", "id"),
    ("oauth_code", "hash"),
    ("oauth_token", "hash"),
    ("webhook", "id"),
)
"""What lets somebody in or sends something out, with the column that tells one row from all others."""


class Restored(NamedTuple):
    """What came of it: which copy, and where the former store is kept, None where there was none.

    `ended` is how many credentials of the copy had ended since; None where the former store could not be
    read, so that they are valid again.
    """

    copy: Path
    saved: Path | None
    ended: int | None


def find_copy(folder: Path, name: str | None) -> Path:
    """The copy of a name, or the newest good one. Raises NotFound."""
    if name is None:
        copy = newest_good_copy(folder)
        if copy is None:
            raise NotFound(
                f"No good backup in {visible(str(folder))}. If you have a backup in another"
                " folder, copy it to this folder as NAME.db, then run `finplan backup restore"
                " NAME`."
            )
        return copy
    for copy in copies_in(folder):
        if copy.stem == name.removesuffix(".db"):
            return copy
    raise NotFound(f"No backup {name!r}. `finplan backup list` shows your backups.")


def restore(store: Path, copy: Path, stamp: str, find_strange: FindStrange) -> Restored:
    """Put a proven copy in the place of a store that nobody has open; the former one is kept beside it.

    `stamp` tells its name from others. Raises Conflict where the copy cannot be used, and StorageFull;
    then nothing is changed.
    """
    finish_restore(store)
    fresh = _fresh(store)
    try:
        _copy(copy, fresh)
        _prove(copy, fresh, find_strange)
        ended = _end_credentials(store, fresh)
        sync(fresh)
        replace_file(_plan(store), stamp.encode("ascii"))
    except BaseException:
        _remove(fresh)
        raise
    was_there = store.exists()
    finish_restore(store)
    return Restored(copy, _saved_path(store, stamp) if was_there else None, ended)


def finish_restore(store: Path) -> None:
    """Finish a swap that was begun: what is renamed already stays, the rest follows."""
    plan, fresh = _plan(store), _fresh(store)
    try:
        stamp = plan.read_text(encoding="ascii")
    except FileNotFoundError:
        _remove(fresh)
        return
    # As long as the copy waits under its own name, what has the store's name is the former store.
    if fresh.exists():
        saved = _saved_path(store, stamp)
        for ending in ENDINGS:
            former = store.with_name(f"{store.name}{ending}")
            if former.exists():
                former.replace(saved.with_name(f"{saved.name}{ending}"))
        fresh.replace(store)
    sync(store.parent)
    plan.unlink(missing_ok=True)


def _remove(fresh: Path) -> None:
    """Remove a copy that was begun, with its log, which SQLite would take for the next copy's."""
    for ending in (*ENDINGS, "-journal"):
        fresh.with_name(f"{fresh.name}{ending}").unlink(missing_ok=True)


def _fresh(store: Path) -> Path:
    return store.with_name(f"{store.name}.restoring")


def _plan(store: Path) -> Path:
    return store.with_name(f"{store.name}.restore")


def _saved_path(store: Path, stamp: str) -> Path:
    return store.with_name(f"{store.name}{KEPT_NAME}{stamp}")


def _copy(copy: Path, fresh: Path) -> None:
    try:
        with telling_of_no_room(
            f"Nothing was changed: backup {copy.stem} needs {megabytes(copy.stat().st_size)} of disk"
            " space. Free some space, then try again."
        ):
            fresh.unlink(missing_ok=True)
            fresh.touch(mode=0o600)
            shutil.copyfile(copy, fresh)
            _copy_log(copy, fresh)
    except FileNotFoundError as error:
        raise NotFound(
            f"The backup {copy.stem!r} no longer exists. `finplan backup list` shows the others."
        ) from error


def _copy_log(copy: Path, fresh: Path) -> None:
    """Take along the log of a copy that somebody made of a store's files: it has the last commits."""
    log = log_of(copy)
    if not log.exists():
        return
    shutil.copyfile(log, log_of(fresh))
    with suppress(sqlite3.DatabaseError), closing(connect(fresh)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _prove(copy: Path, fresh: Path, find_strange: FindStrange) -> None:
    digest = read_digest(copy)
    faults: Iterable[str] = ()
    if digest is not None and digest != digest_of(fresh):
        faults = ("its content changed after the backup was made",)
    elif fresh.stat().st_size == 0:
        faults = ("it is empty",)
    else:
        faults = examine_copy(fresh, None, find_strange).described
    if fault := next(iter(faults), None):
        raise Conflict(
            f"Nothing was changed: backup {copy.stem} is damaged ({visible(fault)}). Choose"
            " another backup: `finplan backup list`."
        )
    present = revision(fresh)
    if present is None:
        raise Conflict(f"Nothing was changed: {copy.name} is not a finplan backup.")
    if present > HEAD:
        raise Conflict(
            f"Nothing was changed: backup {copy.stem} is from a newer finplan. Update finplan, then try"
            " again."
        )


def _end_credentials(store: Path, fresh: Path) -> int | None:
    """End in the copy what had ended in the store; None where that cannot be read."""
    try:
        with closing(open_to_read(store)) as former:
            alive = {
                table: {key for (key,) in former.execute(_alive(table, column))}
                for table, column in CREDENTIALS
            }
    except sqlite3.DatabaseError:
        return None
    ended = 0
    with closing(connect(fresh)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = ON")
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        for table, column in CREDENTIALS:
            if table not in tables:
                continue
            present = [key for (key,) in connection.execute(_alive(table, column))]
            over = [(key,) for key in present if key not in alive[table]]
            connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", over)
            ended += len(over)
    return ended


def _alive(table: str, column: str) -> str:
    valid = "WHERE revoked_at IS NULL" if table == "api_key" else ""
    return f"SELECT {column} FROM {table} {valid}"
