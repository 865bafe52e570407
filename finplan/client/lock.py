"""Lock files: held by at most one process, and naming the one that holds them."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PAUSE = 0.02
"""How long to wait between two tries, in seconds."""


class LockHeld(Exception):
    """Another process holds the lock; `pid` is its number, None when it cannot be told."""

    def __init__(self, path: Path, pid: int | None) -> None:
        super().__init__(f"{path} is held by process {pid or 'unknown'}.")
        self.pid = pid


@contextmanager
def hold(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock and write this process's number into its file; both end with the block.

    Waits up to `patience` seconds for another holder, then raises LockHeld. The operating system
    releases the lock of a process that dies.
    """
    deadline = time.monotonic() + patience
    with path.open("a+", encoding="ascii") as file:
        while not _try_lock(file, fcntl.LOCK_EX):
            if time.monotonic() >= deadline:
                raise LockHeld(path, _pid_in(file))
            time.sleep(PAUSE)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def holder(path: Path) -> int | None:
    """The number of the process that holds the lock, None when nobody does."""
    try:
        with path.open(encoding="ascii") as file:
            pid = _pid_in(file)
            # Trying the lock takes it for an instant, which could make its rightful holder fail at
            # start, so it is tried only while the process that the file names is alive.
            if pid is None or not _is_alive(pid) or _try_lock(file, fcntl.LOCK_SH):
                return None
            return pid
    except OSError:
        return None


def _try_lock(file: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _pid_in(file: IO[str]) -> int | None:
    file.seek(0)
    content = file.read().strip()
    return int(content) if content.isdecimal() and int(content) > 0 else None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
