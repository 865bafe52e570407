"""Backups as lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.showing.listing import Column, listing
from finplan.model import figures
from finplan.settings import Settings

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


def describe_restored(restored: dict[str, Any], settings: Settings) -> Iterator[str]:
    """Say what was restored, how to undo it, and what to check."""
    made = figures.moment(restored["madeAt"])
    yield (f"Restored backup {restored['id']} of {figures.long_date(made.date())}, {made:%H:%M}.")
    if restored["keptAs"] is not None:
        yield from _describe_previous_data(Path(restored["keptAs"]), settings)
        if restored["endedCredentials"] is None:
            yield (
                "Access that you revoked after the backup may work again. Check `finplan keys`,"
                " `finplan sessions`, `finplan clients` and `finplan agents`."
            )
        elif restored["endedCredentials"]:
            ended = figures.count(restored["endedCredentials"], "credential")
            yield (
                f"Removed {ended} that your previous data does not have: revoked, expired, or made"
                " elsewhere. Create again what you need."
            )
    if not restored["hasDataKey"]:
        yield "The data key is missing. Link your banks again: `finplan connect`."


def _describe_previous_data(saved: Path, settings: Settings) -> Iterator[str]:
    """Say where the previous data is, and the commands that bring it back."""
    database, profile = str(settings.places.database), settings.profile
    chosen = "" if profile == "default" else f"--profile {quote(profile)} "
    yield f"Your previous data is saved as {saved}. To go back to it:"
    yield f"  finplan {chosen}daemon stop"
    if not saved.with_name(f"{saved.name}-sums").exists():
        # Checksums of the restored store do not fit the previous one.
        yield f"  rm -f {quote(f'{database}-sums')}"
    for file in sorted(saved.parent.glob(f"{saved.name}*")):
        yield f"  mv {quote(str(file))} {quote(database + file.name.removeprefix(saved.name))}"


def _state(backup: Backup) -> str:
    if backup.state != "good" or backup.verified_at is None:
        return backup.state
    return f"verified {figures.moment(backup.verified_at):%Y-%m-%d}"


def _minute(milliseconds: int) -> str:
    return f"{figures.moment(milliseconds):%Y-%m-%d %H:%M}"
