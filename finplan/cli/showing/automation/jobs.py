"""What is done by itself, as lines."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.layout import printable
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.automation.job import Job, JobResult

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
        (_row(job, now) for job in jobs),
    )
    failed = (job for job in jobs if job.error is not None)
    return Group(
        table, *(Text(printable(f"{job.name}: {job.error}"), style="yellow") for job in failed)
    )


def _row(job: Job, now: datetime) -> tuple[Content, ...]:
    result: Content = ""
    if job.last_result is not None:
        result = Text(_RESULTS[job.last_result][0], style=_RESULTS[job.last_result][1])
    last = figures.age(job.last_at, now)
    return (job.name, _next(job.next_at, now), last, result, job.schedule)


def _next(at: int | None, now: datetime) -> Content:
    if at is None:
        return Text("–", style="dim")
    if at <= now.timestamp() * 1000:
        return "now"
    # The words of when it is due are of the household's zone, which need not be this machine's.
    return f"{figures.moment(at):%Y-%m-%d %H:%M %Z}"
