"""What can go wrong between a client and a daemon, told in sentences."""

import errno
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
        if self.message != "Input validation failed" or not isinstance(self.data, dict):
            return ()
        return tuple(
            ": ".join(filter(None, (".".join(map(str, issue["path"])), issue["message"])))
            for issue in self.data.get("issues", ())
        )

    def __str__(self) -> str:
        return "\n".join((self.message, *self.issues))


def told(error: OSError, folder: Path) -> str:
    """Why the system refuses to write into a folder; of a full disk also what to do."""
    return full(folder) if error.errno in NO_ROOM else str(error)


def full(folder: Path) -> str:
    """That the disk of a folder is full, and what to do; to stand within a sentence."""
    return f"the disk of {folder} is full; make some room, then try again"


class DaemonUnreachable(Exception):
    """No daemon answers; the sentence says why and what to do."""
