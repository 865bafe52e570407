"""`python -m tests.store.dying STORE FOLDER`: what a killed upgrade of a store leaves, for each step.

A step is a statement, the copying of some pages of the backup, or the commit. What a process has handed
to the system stays when it is killed, and nothing else does: so before each step all files are copied
into a folder of their own. Another process does that, since who closes a file gives up its locks.
"""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from finplan.store import backup, migrate


class LeftAtSteps:
    """Copies what a folder holds before each step."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home, self._folder, self._made = home, folder, 0

    def __call__(self, *_told: object, **_more: object) -> None:
        child = os.fork()
        if not child:
            shutil.copytree(self._home, self._folder / f"{self._made:04}")
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        self._made += 1


class PagewiseConnection(sqlite3.Connection):
    """Copies page after page, with a step after each."""

    step: Callable[..., None]

    def backup(self, target: sqlite3.Connection, **_more: Any) -> None:
        super().backup(target, pages=8, progress=self.step)


def main(store: Path, folder: Path) -> None:
    """Upgrade a copy of a store; the process that does it has no threads, so it may fork."""
    home = folder.parent / "upgraded"
    home.mkdir()
    shutil.copy(store, home / "finplan.db")
    step = LeftAtSteps(home, folder)
    PagewiseConnection.step = staticmethod(step)
    vars(backup)["connect"] = partial(sqlite3.connect, factory=PagewiseConnection)
    event.listen(Engine, "before_cursor_execute", step)
    event.listen(Engine, "commit", step)
    migrate.bring_up_to_date(home / "finplan.db", home / "backups")
    step()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
