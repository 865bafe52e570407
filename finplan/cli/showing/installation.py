"""What is of the machine, and nobody's money, as lines.

How it stands with the daemon, what it does by itself, backups, what is sealed under the data key, and
what the doctor found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Any, Literal

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.accounts import facts_table
from finplan.cli.showing.layout import page, printable, row, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.client.connect import Status
from finplan.model import figures
from finplan.model.credential import DataKeyRotation, DataKeyStatus, SealedCount, SealedKind
from finplan.model.job import Job, JobResult
from finplan.model.notices import for_profile, sentence_of
from finplan.settings import Settings


def draw_daemon(
    status: Status, now: datetime | None = None, login: Path | None = None
) -> RenderableType:
    """Whether the daemon answers, and where; `now` is the present unless given.

    `login` is the file that has the system start it at login.
    """
    state = Text("running", style="bold green")
    if not status.answering:
        state = Text("does not answer" if status.running else "not running", style="bold yellow")
    facts: list[tuple[str, str | Text]] = [("profile", status.profile), ("daemon", state)]
    if status.reason is not None:
        facts.append(("", status.reason))
    if status.notice is not None:
        facts.append(
            (
                "notice",
                Text(for_profile(sentence_of(status.notice), status.profile), style="bold yellow"),
            )
        )
    if status.site_url is not None:
        facts.append(("address", status.site_url))
    if status.answering:
        facts.append(("process", f"{status.pid}, version {status.version}"))
        facts.append(("since", figures.age(status.started_at, now or datetime.now(UTC))))
    if login is None:
        not_yet = "not started; `finplan daemon install` changes that"
        facts.append(("at login", Text(not_yet, style="dim")))
    else:
        facts.append(("at login", f"started by {login}"))
    return facts_table([*facts, ("log", str(status.log))])


_RESULTS: Mapping[JobResult, tuple[str, str]] = {
    "ok": ("ok", "green"),
    "failed": ("failed", "red"),
    "skipped": ("nothing to do", "dim"),
}


def draw_jobs(jobs: Sequence[Job], now: datetime | None = None) -> RenderableType:
    """List jobs with their next and last runs as of `now`, which is the present unless given."""
    now = now or datetime.now(UTC)
    table = listing(
        (
            Column("job"),
            Column("next"),
            Column("last"),
            Column(""),
            Column("when", wraps=True, style="dim"),
        ),
        (_job(job, now) for job in jobs),
    )
    failed = (job for job in jobs if job.error is not None)
    return Group(
        table, *(Text(printable(f"{job.name}: {job.error}"), style="yellow") for job in failed)
    )


def _job(job: Job, now: datetime) -> tuple[Content, ...]:
    result: Content = ""
    if job.last_result is not None:
        result = Text(_RESULTS[job.last_result][0], style=_RESULTS[job.last_result][1])
    last = figures.age(job.last_at, now)
    return (job.name, _next_run(job.next_at, now), last, result, job.schedule)


def _next_run(at: int | None, now: datetime) -> Content:
    if at is None:
        return Text("–", style="dim")
    if at <= now.timestamp() * 1000:
        return "now"
    # The words of when it is due are of the household's zone, which need not be this machine's.
    return f"{figures.moment(at):%Y-%m-%d %H:%M %Z}"


_BACKUP_KINDS = {"before_migration": "update"}
_BACKUP_STYLES = {"good": "green", "damaged": "bold red", "unverified": "dim"}


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
                _BACKUP_KINDS.get(backup.kind, backup.kind),
                _minute(backup.made_at),
                f"{backup.size / 1e6:,.1f} MB",
                Text(_state_of_backup(backup), style=_BACKUP_STYLES.get(backup.state, "")),
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


def _state_of_backup(backup: Backup) -> str:
    if backup.state != "good" or backup.verified_at is None:
        return backup.state
    return f"verified {figures.moment(backup.verified_at):%Y-%m-%d}"


def _minute(milliseconds: int) -> str:
    return f"{figures.moment(milliseconds):%Y-%m-%d %H:%M}"


KEPT = {
    "file": "The data key is kept in {file}",
    "keyring": "The data key is kept in the keyring",
}
GIVEN = "The data key is given by {source}"

_KEEPING_WORDS: dict[SealedKind, tuple[str, str]] = {
    "bank_access": ("access to a bank", "accesses to banks"),
    "bank_link": ("begun link to a bank", "begun links to banks"),
    "webhook_secret": ("secret of a webhook", "secrets of webhooks"),
    "signing_key": ("key that signs", "keys that sign"),
    "kept_reply": ("reply kept for a day", "replies kept for a day"),
}
_NAMELESS: dict[SealedKind, str] = {
    "bank_access": "those banks",
    "webhook_secret": "those webhooks",
}
_TO_DO: dict[SealedKind, str] = {
    "bank_access": "Link {lost} anew: `finplan connections` says how.",
    "bank_link": "A link that does not open is begun again by `finplan connect`.",
    "webhook_secret": "Give {lost} a new secret: `finplan webhooks rotate`.",
    "signing_key": "Other keys are made where one is needed; what these signed holds no more.",
    "kept_reply": "Replies that do not open are forgotten within a day.",
}


def kept_line(source: str, file: str, since: int | None = None) -> Text:
    """Where the key is; a path that is broken between lines could not be copied."""
    told = KEPT.get(source, GIVEN).format(source=source, file=file)
    day = "" if since is None else f", since {figures.long_date(figures.last_day(since))}"
    return Text(f"{told}{day}.", no_wrap=True, overflow="ignore")


def draw_secrets(status: DataKeyStatus) -> RenderableType:
    """Where the key is kept, and what is sealed under it."""
    lines: list[RenderableType] = [kept_line(status.source, status.file, status.since)]
    if status.unfinished:
        said = (
            "It was being made anew when that was broken off: two keys are in use."
            " `finplan secrets rotate` brings it to its end."
        )
        lines.append(Text(said, style="yellow"))
    if status.trouble is not None:
        lines.append(Text(status.trouble, style="red"))
    if not status.sealed:
        return Group(*lines, Text("Nothing is sealed under it yet.", style="dim"))
    rows = ((str(each.count), _keeping_words(each), _opens(each)) for each in status.sealed)
    lines += ["", listing((Column("", figures=True), Column("sealed"), Column("")), rows)]
    if any(each.closed for each in status.sealed):
        lines.append("")
    lines += [Text(_to_do(each)) for each in status.sealed if each.closed]
    return Group(*lines)


def draw_rotation(done: DataKeyRotation) -> RenderableType:
    """What came of making the key anew."""
    sealed = figures.count(done.sealed, "secret")
    lines = [Text(f"There is a new data key, and {sealed} {_is(done.sealed)} sealed under it.")]
    if done.closed:
        said = (
            f"{figures.count(done.closed, 'secret')} could not be opened and"
            f" {_is(done.closed)} as before: `finplan secrets status`."
        )
        lines.append(Text(said, style="yellow"))
    return Group(*lines)


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _keeping_words(counted: SealedCount) -> str:
    one, several = _KEEPING_WORDS[counted.kind]
    return one if counted.count == 1 else several


def _opens(counted: SealedCount) -> Text:
    if counted.closed is None:
        return Text("nobody knows", style="yellow")
    if not counted.closed:
        return Text("opens" if counted.count == 1 else "all open", style="green")
    told = "does not open" if counted.count == 1 else f"{counted.closed} do not open"
    return Text("1 does not open" if counted.closed == 1 < counted.count else told, style="red")


def _to_do(counted: SealedCount) -> str:
    lost = ", ".join(counted.lost) or _NAMELESS.get(counted.kind, "")
    return _TO_DO[counted.kind].format(lost=lost)


CheckState = Literal["ok", "warn", "bad"]
_SIGNS = {"ok": ("ok", "green"), "warn": ("warn", "yellow"), "bad": ("bad", "bold red")}
_FINDING_INDENT = 19


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `advice` is empty when there is nothing to do."""

    name: str
    state: CheckState
    text: str
    advice: str = ""


def draw_finding(finding: Finding, width: int) -> Text:
    """One finding with what to do about it under it."""
    sign, style = _SIGNS[finding.state]
    text = wrapped(finding.text, width, indent=_FINDING_INDENT)
    advice = (
        wrapped(finding.advice, width, indent=_FINDING_INDENT, style=style)
        if finding.advice
        else []
    )
    first = row((Text(sign, style=style), 4), ("", 0), (finding.name, 12)).append(" ")
    return page([first.append_text(text[0][_FINDING_INDENT:]), *text[1:], *advice])
