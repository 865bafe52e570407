"""Lock files: held by at most one process, and naming the one that holds them and what it is doing.

A lock can be handed over: who starts a process takes the lock first and gives it along, so that there
is no moment at which the process runs and nobody holds it.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PAUSE = 0.02
"""How long to wait between two tries, in seconds."""

RECORD = 100
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
        _write(self._descriptor, f"{os.getpid()} {doing}")

    def clear(self) -> None:
        """Name nobody any more."""
        _write(self._descriptor, "")


@contextmanager
def hold(path: Path, patience: float = 0.0, handed: int | None = None) -> Iterator[Hold]:
    """Hold the lock and write this process's number into its file; both end with the block.

    Waits up to `patience` seconds for another holder, then raises LockHeld. `handed` is the descriptor
    that `hand_over` gave. The operating system releases the lock of a process that dies.
    """
    deadline = time.monotonic() + patience
    descriptor = _open(path) if handed is None else handed
    try:
        while not _try_lock(descriptor, fcntl.LOCK_EX):
            if time.monotonic() >= deadline:
                raise LockHeld(path, _pid_in(descriptor))
            time.sleep(PAUSE)
        held = Hold(descriptor)
        try:
            yield held
        finally:
            held.clear()
    finally:
        os.close(descriptor)


def hand_over(path: Path, start: Callable[[int], int]) -> None:
    """Take the lock for a process that inherits it: `start` is given its descriptor, answers the pid.

    Raises LockHeld.
    """
    descriptor = _open(path)
    try:
        if not _try_lock(descriptor, fcntl.LOCK_EX):
            raise LockHeld(path, _pid_in(descriptor))
        pid = start(descriptor)
        if _pid_in(descriptor) != pid:
            _write(descriptor, str(pid))
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


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(descriptor: int, record: str) -> None:
    os.pwrite(descriptor, record.encode("ascii").ljust(RECORD)[:RECORD], 0)


def _pid_in(descriptor: int) -> int | None:
    number, _, _ = os.pread(descriptor, RECORD, 0).strip().partition(b" ")
    return int(number) if number.isdigit() and int(number) > 0 else None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
