"""The store's file: whether it is there and whole, what is told when not, and look-ups in it.

A file that is removed or replaced while it is open takes everything that is written from then on
with it. So each change looks at the file before it is acknowledged.

A look-up finds one row by an index, quicker than its way to a thread and back would be. Each
request with a credential begins with one. It is made in the thread that asks, on a connection of
its own that only reads and waits for nobody; whatever does not go as it should is done anew by a
reading thread, which can tell what is wrong.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError

from finplan.model.characters import visible
from finplan.model.errors import StorageFull, StoreDamaged, StoreLost
from finplan.store.backup import newest_good_copy
from finplan.store.engine import connect, driver_of
from finplan.store.examination import DAMAGE, integrity_faults
from finplan.store.page_sums import FRAME_HEADER, HEADER as LOG_HEADER, PageSums, log_of

_FULL = "disk is full"
CHECKPOINT_AT = 1000
"""How many frames the log has when it is moved into the store, as SQLite itself would."""

_LOG_HARMED = "lost its log (the file whose name ends in -wal), or the log changed,"
_LATELY = (
    "Your last changes may be lost. Start finplan again, check those changes, and repeat what is"
    " missing. A backup is older, so restore one only if `finplan doctor` reports damage."
)
"""What is in the log is saved and not yet in the store itself, which is mostly whole without it."""


class _Identity(NamedTuple):
    """Which file it is, whatever it is called."""

    device: int
    inode: int


class _Noted(NamedTuple):
    """The bytes of the file and of its log, and what tells that other processes have written since.

    `log_identity` is None as long as there is no log. `version` is the connection's own count of
    others' changes, so that it says nothing to another one.
    """

    file: int
    log: int
    log_identity: _Identity | None
    version: tuple[int, int]


def damage_mark_of(store: Path) -> Path:
    """The file beside a store that tells its daemon, and the next start, that damage was met."""
    return store.with_name(f"{store.name}-damaged")


class StoreFile:
    """One store's file as this process has opened it; `copies` is the folder of its backups.

    `when_lost` is called once, from any thread, when the file turns out to be gone or another one, and
    `when_damaged` when its content turns out to be damaged.
    """

    def __init__(self, path: Path, copies: Path) -> None:
        self.path = path
        self.when_lost: Callable[[StoreLost], object] = lambda _lost: None
        self.lost: StoreLost | None = None
        self.when_damaged: Callable[[StoreDamaged], object] = lambda _damage: None
        self.damage: StoreDamaged | None = None
        self._copies = copies
        self._log = log_of(path)
        self._mark = damage_mark_of(path)
        self._identity = _identity(path)
        self._noted: _Noted | None = None
        self._losing = Lock()
        self._damaging = Lock()
        self.sums = PageSums(path)

    def check(self) -> None:
        """Raise StoreLost where the file is gone, or another one stands in its place."""
        if self.lost is not None:
            raise self.lost
        if self.damage is None and self._mark.exists():
            # Somebody else has looked at the file, such as doctor.
            self.note_damage(StoreDamaged())
        identity = _identity(self.path)
        if identity is None or identity != self._identity:
            self._lose("is gone" if identity is None else "was replaced by another file")

    def check_unchanged(self, connection: sqlite3.Connection) -> None:
        """Raise StoreLost where something that is no process of finplan has written into the file.

        To be called with the lock of a writer, under which nobody else changes the file.
        """
        self.check()
        state, noted = self._look(connection), self._noted
        if noted is None or state == noted or state.version != noted.version:
            return
        if state.log_identity != noted.log_identity or state.log < noted.log:
            self._lose(_LOG_HARMED)
        if not _may_be_ours(connection, state, noted):
            self._lose("was changed by another program")

    def note(self, connection: sqlite3.Connection, *, committed: bool) -> None:
        """Remember how large the file is after a change, and the sums of what was committed."""
        if committed:
            self.sums.note_commit()
        else:
            self.sums.note_rollback()
        self._noted = self._look(connection)

    @property
    def has_full_log(self) -> bool:
        """Whether the log is so long that it is to be moved into the store."""
        return self.lost is None and self.sums.frames >= CHECKPOINT_AT

    def move_log(self, connection: sqlite3.Connection) -> None:
        """Move the log into the store, once the disk holds the sums of its pages.

        Raises StoreLost and StoreDamaged.
        """
        self.check_writable()
        self.sums.sync()
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        # What a large change has read and written is not asked for again so soon.
        connection.execute("PRAGMA shrink_memory")
        self._noted = self._look(connection)

    def note_damage(self, damage: StoreDamaged) -> None:
        """Refuse every change from now on; the first damage is kept. For any thread."""
        with self._damaging:
            if self.damage is not None:
                return
            self.damage = damage
        # The next start looks at the whole file, since what it reads first may be whole.
        with suppress(OSError):
            self._mark.touch(mode=0o600)
        self.when_damaged(damage)

    def look_for_damage(self) -> None:
        """Note the damage that an earlier process met, if it is still there."""
        if not self._mark.exists():
            return
        if integrity_faults(self.path):
            self.note_damage(StoreDamaged())
        else:
            self._mark.unlink(missing_ok=True)

    def check_writable(self) -> None:
        """Raise StoreLost or StoreDamaged where nothing may be written any more."""
        self.check()
        if self.damage is not None:
            raise self.damage

    @contextmanager
    def changing(self, connection: Connection) -> Iterator[None]:
        """Run a transaction that writes; it is committed only into a whole file that was opened.

        Raises StoreLost and StoreDamaged, and then nothing is changed.
        """
        self.check_writable()
        driver, committed = driver_of(connection), False
        try:
            with connection.begin():
                self.check_unchanged(driver)
                yield
                self.check_writable()
                self.sums.begin_commit()
            committed = True
            # The file may have gone while the commit waited for the disk.
            self.check()
        finally:
            # What is undone may have been written already, where it did not fit into memory.
            if self.lost is None:
                self.note(driver, committed=committed)

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Raise StorageFull or StoreDamaged where the database says inside that it is so.

        Damage is noted before it is raised.
        """
        try:
            with telling_faults():
                yield
        except StoreDamaged as damage:
            self.note_damage(damage)
            raise

    def _look(self, connection: sqlite3.Connection) -> _Noted:
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        return _Noted(
            _size(self.path), _size(self._log), _identity(self._log), (id(connection), version)
        )

    @property
    def can_be_closed(self) -> bool:
        """Whether closing the store writes nothing into a file that is another one's.

        A log that was removed is still open here: closing writes what it holds into a file that is as
        it was, unless there is another log by now.
        """
        return self.lost is None or (
            self._noted is not None
            and _identity(self.path) == self._identity
            and _size(self.path) == self._noted.file
            and _identity(self._log) is None
        )

    def _lose(self, what: str) -> NoReturn:
        """Raise StoreLost; of several threads that find it out, one tells and sets the log aside."""
        with self._losing:
            if self.lost is None:
                lately = f" {_LATELY}" if what == _LOG_HARMED else ""
                self.lost = StoreLost(
                    f"The store {_render(self.path)} {what} while finplan was running.{lately} The"
                    " last change is not saved, and the background service stops."
                    f" {_way_back(self._copies)}"
                )
                self._set_log_aside()
                self.when_lost(self.lost)
        raise self.lost

    def _set_log_aside(self) -> None:
        """Rename the log of a file that is gone, which SQLite would replay onto whatever comes there."""
        if self._noted is None or _identity(self.path) == self._identity:
            return
        if _identity(self._log) == self._noted.log_identity is not None:
            with suppress(OSError):
                self._log.replace(self._log.with_name(f"{self._log.name}.lost"))
                self.path.with_name(f"{self.path.name}-shm").unlink(missing_ok=True)


@contextmanager
def telling_faults() -> Iterator[None]:
    """Raise StorageFull or StoreDamaged where the database says inside that it is so."""
    try:
        yield
    except (DatabaseError, sqlite3.DatabaseError) as error:
        if _FULL in str(error):
            raise StorageFull(
                "The disk is full, so nothing changed. Free some space, then try again."
            ) from error
        if is_damage(error):
            raise StoreDamaged from error
        raise


def is_damage(error: Exception) -> bool:
    """Whether an error of the database says that the file's content is spoilt."""
    cause = getattr(error, "orig", None) or error
    return (getattr(cause, "sqlite_errorcode", 0) & 0xFF) in DAMAGE


def missing(path: Path, copies: Path, key: Path) -> StoreLost:
    """What is said at the start where a store was once, as the data key beside it tells."""
    return StoreLost(
        f"The store {_render(path)} is gone or empty, but {key.name} shows that it existed."
        f" {_way_back(copies)} To start without your data, remove {_render(key)}."
    )


def unreadable(path: Path) -> str:
    """What is said where a damaged store cannot even be read."""
    return (
        f"The store {_render(path)} is damaged and cannot be read. Restore the newest good backup:"
        " `finplan backup restore`."
    )


def strange(
    path: Path, copies: Path, rows: Sequence[str], has_none: Callable[[Path], bool]
) -> StoreDamaged:
    """What is said of a store with rows that are not as finplan writes them.

    `has_none` tells of a whole copy whether it is without such rows.
    """
    copy = newest_good_copy(copies, has_none)
    others = f", and {len(rows) - 1} more" if len(rows) > 1 else ""
    return StoreDamaged(
        f"The store {_render(path)} has a row that finplan cannot read:"
        f" {visible(rows[0])}{others}. Another program wrote that row. Correct it with that"
        f" program, or restore a backup. {_way_back_by(copy, copies)}"
    )


def _way_back(copies: Path) -> str:
    return _way_back_by(newest_good_copy(copies), copies)


def _way_back_by(copy: Path | None, copies: Path) -> str:
    if copy is None:
        return (
            f"No good backup in {_render(copies)}. If you have a backup in another folder, copy"
            " it to this folder as NAME.db, then run `finplan backup restore NAME`."
        )
    return f"Restore the newest good backup: `finplan backup restore {visible(copy.stem)}`."


def _may_be_ours(connection: sqlite3.Connection, state: _Noted, noted: _Noted) -> bool:
    """Whether another process of finplan may have made a file and its log larger without a change.

    One moves its log into the file after it has committed, and leaves in the log what it undid. So the
    file grows up to the pages of the database, and the log by whole frames.
    """
    (page,) = connection.execute("PRAGMA page_size").fetchone()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    file_fits = state.file == noted.file or noted.file < state.file <= pages * page
    log_fits = (state.log - LOG_HEADER) % (page + FRAME_HEADER) == 0
    return file_fits and (state.log == noted.log or log_fits)


def _render(path: Path) -> str:
    """A path as an answer can carry it, whatever bytes it is made of."""
    return visible(str(path))


def _identity(path: Path) -> _Identity | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return _Identity(status.st_dev, status.st_ino)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


Found = TypeVar("Found")

_PRAGMAS = ("query_only = ON", "busy_timeout = 0", "cache_size = -512")


@dataclass(frozen=True, slots=True)
class LookUp(Generic[Found]):
    """A statement that finds one row at most, and what is made of its columns."""

    statement: str
    shape: Callable[..., Found]

    def find(self, connection: Connection, *parameters: Any) -> Found | None:
        """What is found in a transaction."""
        row = connection.exec_driver_sql(self.statement, parameters).first()
        return None if row is None else self.shape(*row)


class LookUps:
    """The connection that look-ups are made on; it is opened for the first of them."""

    def __init__(self, path: Path, file: StoreFile) -> None:
        self._path = path
        self._file = file
        self._connection: sqlite3.Connection | None = None

    def find(self, look_up: LookUp[Found], parameters: tuple[Any, ...]) -> Found | None:
        """What is found, as of now. Raises StoreLost, and sqlite3.Error for whatever else is wrong."""
        self._file.check()
        if self._connection is None:
            self._connection = _opened(self._path)
        row = self._connection.execute(look_up.statement, parameters).fetchone()
        return None if row is None else look_up.shape(*row)

    def close(self) -> None:
        """Close the connection; the next look-up opens another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _opened(path: Path) -> sqlite3.Connection:
    connection = connect(path, isolation_level=None, check_same_thread=False)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection
