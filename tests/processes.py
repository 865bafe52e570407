"""Processes of a test's own."""

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from tests.patience import LONG_ENOUGH

LOOKS_EVERY = 0.02
"""How often it is looked whether something has happened in another process, in seconds."""


@contextmanager
def running(
    *command: str, env: Mapping[str, str] | None = None
) -> Iterator["subprocess.Popen[str]"]:
    """A process with pipes for what it says; it does not outlive a test that fails."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def awaited(happened: Callable[[], bool]) -> None:
    """Wait until something has happened in another process, which needs the processor meanwhile."""
    deadline = time.monotonic() + LONG_ENOUGH
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(LOOKS_EVERY)
