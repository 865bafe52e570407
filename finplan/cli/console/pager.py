"""Long answers on a terminal, read a screen at a time."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress

USUAL = "less -FRX"
"""Quits by itself where all fits, keeps colours, and leaves what was read on the screen."""


def pager_of(environ: Mapping[str, str]) -> list[str] | None:
    """The program that a person reads long texts by, None for none: FINPLAN_PAGER, PAGER, or less."""
    chosen = environ.get("FINPLAN_PAGER", environ.get("PAGER", USUAL))
    try:
        words = shlex.split(chosen)
    except ValueError:
        return None
    if not words or words[0] == "cat" or shutil.which(words[0]) is None:
        return None
    return words


class Pager:
    """A pager that runs; what is written goes to it until it is closed."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - The person's own pager.
            command, stdin=subprocess.PIPE, env={"LESSCHARSET": "utf-8", **os.environ}
        )

    def write(self, text: str) -> None:
        """Hand text over; a person who has left it wants no more."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(text.encode())

    def close(self) -> None:
        """Wait until the person has read."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        while True:
            # Ctrl-C is for the pager.
            with suppress(KeyboardInterrupt):
                self._process.wait()
                return
