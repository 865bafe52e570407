"""The file in which a running daemon says how it is reached; written by it, read by clients."""

import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

ALREADY_RUNNING = 4
"""The exit code of a daemon that finds another one of its profile; it announces nothing."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A daemon that accepts requests; `token` opens its session; `started_at` in milliseconds."""

    pid: int
    port: int
    version: str
    site_url: str
    token: str = field(repr=False)
    started_at: int

    @property
    def url(self) -> str:
        """Where the daemon is reached on this machine, whatever its public address is."""
        return f"http://127.0.0.1:{self.port}"


_OUTSIDE = {"site_url": "siteUrl", "started_at": "startedAt"}


def write_announcement(path: Path, announcement: Announcement) -> None:
    """Write the file at once and whole, readable by its owner alone."""
    content = {_OUTSIDE.get(name, name): value for name, value in asdict(announcement).items()}
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file)
    draft.replace(path)


def read_announcement(path: Path) -> Announcement | None:
    """Read the file; None when there is none, or none that this version understands."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Announcement(
            **{
                each.name: content[_OUTSIDE.get(each.name, each.name)]
                for each in fields(Announcement)
            }
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None
