"""What is of one machine: its daemon and notices of it, its backups, and what a check found.

A notice is what every face tells whatever it was asked, until it is over. An answer of the daemon has
its code in the header `HEADER`, and people read its sentence. Nothing here needs pydantic.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a profile's daemon; `started_at` is in milliseconds.

    `notice` is the code of a problem that the daemon reports with every answer.
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
    """One check; `advice` is empty when there is nothing to do."""

    name: str
    state: CheckState
    text: str
    advice: str = ""


HEADER = "finplan-notice"

STORE_DAMAGED = "store_damaged"

RESTORE = "`finplan backup restore`"

_COMMAND = re.compile(r"(`|: (?=finplan (?:plan|accounts|settings|categories)\b))finplan (?=[a-z])")
"""A command in a sentence that names no profile: in backticks, or behind a colon."""


_SENTENCES = {
    STORE_DAMAGED: (
        "The store is damaged. finplan cannot save changes, and its figures may be wrong. Restore the"
        f" newest good backup: {RESTORE}."
    )
}


def notice_in(headers: Mapping[str, str]) -> str | None:
    """The sentence of the notice that an answer carries; None without one, or with one unknown here."""
    return _SENTENCES.get(headers.get(HEADER, ""))


def for_profile(text: str, profile: str) -> str:
    """A text whose commands are of a profile: without it they would act on another household."""
    if profile == "default":
        return text
    option = "--demo" if profile == "demo" else f"--profile {profile}"
    return _COMMAND.sub(rf"\1finplan {option} ", text)


def sentence_of(code: str) -> str:
    """The sentence of a notice."""
    return _SENTENCES[code]
