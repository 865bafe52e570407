"""The file in which a running daemon says how it is reached; written by it, read by clients."""

import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import BinaryIO

ALREADY_RUNNING = 4
"""The exit code of a daemon that finds another one of its profile; it announces nothing."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A daemon that accepts requests; `token` opens its session; `started_at` in milliseconds.

    `settings` has a mark of each that it did not take from its environment (`settings.marks_of_file`).
    """

    pid: int
    port: int
    version: str
    site_url: str
    token: str = field(repr=False)
    started_at: int
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where the daemon is reached on this machine, whatever its public address is."""
        return f"http://127.0.0.1:{self.port}"


PRIVATE = stat.S_IRUSR | stat.S_IWUSR

_OUTSIDE = {"site_url": "siteUrl", "started_at": "startedAt"}


ROOM = 2048
"""How many bytes are kept for the file before it is written: more than it has."""


def make_room(path: Path) -> None:
    """Take back what a former daemon announced, and keep its room for what will be announced here.

    On a full disk no other file could be made later on, but the bytes of this one can be written anew.
    """
    draft = _draft_of(path)
    with suppress(FileNotFoundError):
        path.replace(draft)
    with _open_draft(draft) as file:
        file.write(b" " * ROOM)


def give_room_back(path: Path) -> None:
    """Remove what was kept for a file that was never written."""
    _draft_of(path).unlink(missing_ok=True)


def write_announcement(path: Path, announcement: Announcement) -> None:
    """Write the file at once and whole, readable by its owner alone."""
    content = {_OUTSIDE.get(name, name): value for name, value in asdict(announcement).items()}
    draft = _draft_of(path)
    with _open_draft(draft) as file:
        file.write(json.dumps(content).encode())
        file.truncate()
    draft.replace(path)


def _draft_of(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _open_draft(draft: Path) -> BinaryIO:
    """The draft, whose room is kept where it has always been private."""
    try:
        if stat.S_IMODE(draft.stat().st_mode) != PRIVATE:
            draft.unlink()
    except FileNotFoundError:
        pass
    return os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT, PRIVATE), "wb")


def read_announcement(path: Path) -> Announcement | None:
    """Read the file; None when there is none, or none that this version understands."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        told = {each.name: _OUTSIDE.get(each.name, each.name) for each in fields(Announcement)}
        # A daemon that was started before an update tells less.
        content.setdefault("settings", {})
        return Announcement(**{name: content[outside] for name, outside in told.items()})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
