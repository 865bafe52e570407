"""Backups as lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.showing.listing import Column, listing
from finplan.model import figures

_KINDS = {"before_migration": "update"}
_STYLES = {"good": "green", "damaged": "bold red", "unverified": "dim"}


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
        return cls(
            *(answer[field] for field in ("id", "kind", "madeAt", "size", "state", "verifiedAt"))
        )


def draw_backups(backups: Sequence[Backup]) -> RenderableType:
    """List backups, the newest first."""
    columns = (
        Column("backup"),
        Column("kind"),
        Column("made"),
        Column("size", figures=True),
        Column(""),
    )
    return listing(
        columns,
        (
            (
                backup.id,
                _KINDS.get(backup.kind, backup.kind),
                _minute(backup.made_at),
                f"{backup.size / 1e6:,.1f} MB",
                Text(_state(backup), style=_STYLES.get(backup.state, "")),
            )
            for backup in backups
        ),
    )


def describe_restored(restored: dict[str, Any]) -> Iterator[str]:
    """What was restored, what became of the former data, and what to do about credentials."""
    made = figures.moment(restored["madeAt"])
    yield (
        f"Restored the backup {restored['id']} of {figures.long_date(made.date())}, {made:%H:%M}."
    )
    if restored["keptAs"] is not None:
        yield (
            f"The former data are kept in {restored['keptAs']}. To go back, stop the daemon and give"
            " that file, and those whose names begin like it, their former names."
        )
        if restored["endedCredentials"] is None:
            yield (
                "The former data cannot be read, so what you revoked since is valid again: look at"
                " `finplan keys`, `finplan sessions`, `finplan clients` and `finplan agents`."
            )
        elif restored["endedCredentials"]:
            ended = figures.count(restored["endedCredentials"], "credential")
            yield f"Still ended: {ended} that ended since the backup."
    if not restored["hasDataKey"]:
        yield "The data key is missing, so banks have to be linked again."


def _state(backup: Backup) -> str:
    if backup.state != "good" or backup.verified_at is None:
        return backup.state
    return f"verified {figures.moment(backup.verified_at):%Y-%m-%d}"


def _minute(milliseconds: int) -> str:
    return f"{figures.moment(milliseconds):%Y-%m-%d %H:%M}"
