"""What is of one machine: its daemon, its backups, and what was found wrong with it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Status:
    """What a person wants to know of a profile's daemon; `started_at` is in milliseconds.

    `notice` is the code of what it tells whatever it is asked.
    """

    profile: str
    running: bool
    answering: bool
    reason: str | None
    notice: str | None
    pid: int | None
    port: int | None
    version: str | None
    site_url: str | None
    started_at: int | None
    log: Path


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup; `made_at` and `verified_at` in milliseconds, `size` in bytes."""

    id: str
    kind: str
    made_at: int
    size: int
    state: str
    verified_at: int | None

    @classmethod
    def of(cls, answer: dict[str, Any]) -> "Backup":
        """A backup as it is answered."""
        fields = ("id", "kind", "madeAt", "size", "state", "verifiedAt")
        return cls(*(answer[field] for field in fields))


CheckState = Literal["ok", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `advice` is empty when there is nothing to do."""

    name: str
    state: CheckState
    text: str
    advice: str = ""
