"""What can go wrong between a client and a daemon, told in sentences; waiting out the rate limit.

What was refused as too much is asked again when the daemon says. Such a refusal comes before
anything is done, so whatever was asked may be asked again.
"""

import errno
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""The numbers by which the system says that a disk is full, or what one may take of it."""


class CallFailed(Exception):
    """The daemon refused or could not do what was asked; the fields are its error envelope's."""

    def __init__(self, status: int, code: str, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.data = data

    @property
    def issues(self) -> tuple[str, ...]:
        """One line for each property of the question that does not fit, `name: what is wrong`."""
        if not isinstance(self.data, dict):
            return ()
        return tuple(
            ": ".join(filter(None, (".".join(map(str, issue["path"])), issue["message"])))
            for issue in self.data.get("issues", ())
        )

    def __str__(self) -> str:
        return "\n".join((self.message, *self.issues))


def describe_refusal(error: OSError, folder: Path) -> str:
    """Why the system refuses to write into a folder; of a full disk also what to do."""
    return full(folder) if error.errno in NO_ROOM else str(error)


def full(folder: Path) -> str:
    """That the disk of a folder is full, and what to do; to stand within a sentence."""
    return f"the disk of {folder} is full; free some space, then try again"


class DaemonUnreachable(Exception):
    """No daemon answers; the sentence says why and what to do."""


Say = Callable[[str], None]
"""Told in a sentence what a person may wonder about."""

WORTH_A_WORD = 2
"""From how many seconds on a wait is told."""


def say_nothing(_sentence: str) -> None:
    """For where nobody reads along."""


def pause_before_again(status: int, headers: Mapping[str, str], say: Say) -> int | None:
    """How long to wait before the same is asked again, in seconds; a long wait is told.

    None where it was not refused as too much, or nothing says when there will be room.
    """
    if status != HTTPStatus.TOO_MANY_REQUESTS:
        return None
    values = (headers.get(name, "") for name in ("retry-after", "ratelimit-reset"))
    pause = next((int(text) for text in values if text.isdecimal()), None)
    if pause is not None and pause >= WORTH_A_WORD:
        limit = headers.get("ratelimit-limit")
        most = f" (at most {limit} a minute)" if limit else ""
        say(f"Too many requests{most}. Continuing in {pause} seconds.")
    return pause
