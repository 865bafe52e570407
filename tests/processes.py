"""Processes of a test's own."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


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
