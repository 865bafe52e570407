"""`python -m tests.store.dying STORE FOLDER STRIDE`: upgrades of copies of a store, each killed later.

A step is a statement, the copying of some pages of the backup, or the commit. Folder after folder gets a
copy that was killed some steps later, until one upgrade ends by itself.
"""

import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from finplan.store import backup, migrate


class DyingAtStep:
    """Kills the process, as `kill -9` does, when a number of steps have been made."""

    def __init__(self, step: int) -> None:
        self.left = step

    def __call__(self, *_told: object, **_more: object) -> None:
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1


class PagewiseConnection(sqlite3.Connection):
    """Copies page after page, with a step after each."""

    step: Callable[..., None]

    def backup(self, target: sqlite3.Connection, **_more: Any) -> None:
        super().backup(target, pages=8, progress=self.step)


def upgrade(path: Path, step: int) -> None:
    """Upgrade a store, and die at a step on the way."""
    dies = DyingAtStep(step)
    PagewiseConnection.step = staticmethod(dies)
    vars(backup)["connect"] = partial(sqlite3.connect, factory=PagewiseConnection)
    event.listen(Engine, "before_cursor_execute", dies)
    event.listen(Engine, "commit", dies)
    migrate.bring_up_to_date(path, path.parent / "backups")
    dies()


def main(store: Path, folder: Path, stride: int) -> None:
    """Kill one upgrade after another; the process that does it has no threads, so it may fork."""
    # One upgrade is whole and comes first: what it reads and works out, all children have from there.
    path = folder / "whole" / "finplan.db"
    path.parent.mkdir()
    shutil.copy(store, path)
    migrate.bring_up_to_date(path, path.parent / "backups")
    shutil.rmtree(path.parent)
    for step in range(0, 10_000, stride):
        path = folder / f"{step:04}" / "finplan.db"
        path.parent.mkdir()
        shutil.copy(store, path)
        child = os.fork()
        if not child:
            upgrade(path, step)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
