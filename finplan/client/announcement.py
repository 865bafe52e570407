"""How a running daemon is known: the file in which it says how it is reached, and lock files.

The announcement is written by the daemon and read by clients. A lock is held by at most one
process, and names the one that holds it and what it is doing. It can be handed over: who starts a
process takes the lock first and gives it along, so that there is no moment at which the process
runs and nobody holds it.
"""

import fcntl
import json
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import BinaryIO

ALREADY_RUNNING = 4
"""The exit code of a daemon that finds another one of its profile; it announces nothing."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A daemon that accepts requests; `token` opens its session; `started_at` in milliseconds.

    `settings` has a mark of each that it did not take from its environment (`settings.marks_of_file`).
    """

    pid: int
    port: int
    version: str
    site_url: str
    token: str = field(repr=False)
    started_at: int
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where the daemon is reached on this machine, whatever its public address is."""
        return f"http://127.0.0.1:{self.port}"


PRIVATE = stat.S_IRUSR | stat.S_IWUSR

_OUTSIDE = {"site_url": "siteUrl", "started_at": "startedAt"}


ROOM = 2048
"""How many bytes are kept for the file before it is written: more than it has."""


def make_room(path: Path) -> None:
    """Take back what a former daemon announced, and keep its room for what will be announced here.

    On a full disk no other file could be made later on, but the bytes of this one can be written anew.
    """
    draft = _draft_of(path)
    with suppress(FileNotFoundError):
        path.replace(draft)
    with _open_draft(draft) as file:
        file.write(b" " * ROOM)


def give_room_back(path: Path) -> None:
    """Remove what was kept for a file that was never written."""
    _draft_of(path).unlink(missing_ok=True)


def write_announcement(path: Path, announcement: Announcement) -> None:
    """Write the file at once and whole, readable by its owner alone."""
    content = {_OUTSIDE.get(name, name): value for name, value in asdict(announcement).items()}
    draft = _draft_of(path)
    with _open_draft(draft) as file:
        file.write(json.dumps(content).encode())
        file.truncate()
    draft.replace(path)


def _draft_of(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _open_draft(draft: Path) -> BinaryIO:
    """The draft, whose room is kept where it has always been private."""
    try:
        if stat.S_IMODE(draft.stat().st_mode) != PRIVATE:
            draft.unlink()
    except FileNotFoundError:
        pass
    return os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT, PRIVATE), "wb")


def read_announcement(path: Path) -> Announcement | None:
    """Read the file; None when there is none, or none that this version understands."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        names = {field.name: _OUTSIDE.get(field.name, field.name) for field in fields(Announcement)}
        # A daemon that was started before an update tells less.
        content.setdefault("settings", {})
        return Announcement(**{name: content[outside] for name, outside in names.items()})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


LOCK_PAUSE = 0.02
"""How long to wait between two tries, in seconds."""

LOCK_RECORD = 100
"""How many bytes a lock file has once it was held; a full disk cannot keep the same bytes from being
written anew."""


class LockHeld(Exception):
    """Another process holds the lock; `pid` is its number, None when it cannot be told."""

    def __init__(self, path: Path, pid: int | None) -> None:
        super().__init__(f"{path} is held by process {pid or 'unknown'}.")
        self.pid = pid


class Hold:
    """A lock that this process holds."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.tell("")

    def tell(self, doing: str) -> None:
        """Say what this process is doing, for those who wait for it: ASCII words, such as `waiting`."""
        _write_record(self._descriptor, f"{os.getpid()} {doing}")

    def clear(self) -> None:
        """Name nobody any more."""
        _write_record(self._descriptor, "")


@contextmanager
def hold(path: Path, patience: float = 0.0, handed: int | None = None) -> Iterator[Hold]:
    """Hold the lock and write this process's number into its file; both end with the block.

    Waits up to `patience` seconds for another holder, then raises LockHeld. `handed` is the descriptor
    that `hand_over` gave. The operating system releases the lock of a process that dies.
    """
    deadline = time.monotonic() + patience
    descriptor = _open_lock(path) if handed is None else handed
    try:
        while not _try_lock(descriptor, fcntl.LOCK_EX):
            if time.monotonic() >= deadline:
                raise LockHeld(path, _pid_in(descriptor))
            time.sleep(LOCK_PAUSE)
        lock = Hold(descriptor)
        try:
            yield lock
        finally:
            lock.clear()
    finally:
        os.close(descriptor)


def hand_over(path: Path, start: Callable[[int], int]) -> None:
    """Take the lock for a process that inherits it: `start` is given its descriptor, answers the pid.

    Raises LockHeld.
    """
    descriptor = _open_lock(path)
    try:
        if not _try_lock(descriptor, fcntl.LOCK_EX):
            raise LockHeld(path, _pid_in(descriptor))
        pid = start(descriptor)
        if _pid_in(descriptor) != pid:
            _write_record(descriptor, str(pid))
    finally:
        os.close(descriptor)


def holder(path: Path) -> int | None:
    """The number of the process that holds the lock, None when nobody does."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        pid = _pid_in(descriptor)
        # Trying the lock takes it for an instant, which could make its rightful holder fail at
        # start, so it is tried only while the process that the file names is alive.
        if pid is None or not _is_alive(pid) or _try_lock(descriptor, fcntl.LOCK_SH):
            return None
        return pid
    finally:
        os.close(descriptor)


def told_by_holder(path: Path) -> str:
    """What the holder of a lock has last said that it is doing, nothing when it has not."""
    try:
        return path.read_text(encoding="ascii", errors="replace").strip().partition(" ")[2]
    except OSError:
        return ""


def _open_lock(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write_record(descriptor: int, record: str) -> None:
    os.pwrite(descriptor, record.encode("ascii").ljust(LOCK_RECORD)[:LOCK_RECORD], 0)


def _pid_in(descriptor: int) -> int | None:
    number, _, _ = os.pread(descriptor, LOCK_RECORD, 0).strip().partition(b" ")
    return int(number) if number.isdigit() and int(number) > 0 else None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
