"""`python -m tests.service.dying_rotation HOME FOLDER`: keys of copies of a home made anew, and killed.

A step is a statement, a commit, or anything that is done to the file of the key. Folder after folder
gets a copy that was killed some steps later, until one comes to its end by itself.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from tests.service.sealed_home import rotated


class DyingAtStep:
    """Kills the process, as `kill -9` does, when a number of steps have been made."""

    def __init__(self, step: int) -> None:
        self.left = step

    def __call__(self, *_told: object, **_more: object) -> None:
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1


def _stepwise(call: Callable[..., Any], step: Callable[[], None]) -> Callable[..., Any]:
    def stepping(*given: Any, **more: Any) -> Any:
        step()
        done = call(*given, **more)
        step()
        return done

    return stepping


def rotate(home: Path, step: int) -> None:
    """Make the key anew, and die at a step on the way."""
    dies = DyingAtStep(step)
    for name in ("replace", "fsync", "open"):
        setattr(os, name, _stepwise(getattr(os, name), dies))
    setattr(Path, "replace", _stepwise(Path.replace, dies))  # noqa: B010
    event.listen(Engine, "before_cursor_execute", dies)
    event.listen(Engine, "commit", dies)
    asyncio.run(rotated(home))


def main(home: Path, folder: Path) -> None:
    """Kill one after another; the process that does it has no threads, so it may fork."""
    for step in range(10_000):
        copy = folder / f"{step:04}"
        shutil.copytree(home, copy)
        child = os.fork()
        if not child:
            rotate(copy, step)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
