"""A job: when it is due, on some hours of each day or every so many, and what came of its run."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from finplan.model.job import JobResult
from finplan.service.context import Context


@dataclass(frozen=True, slots=True)
class Daily:
    """At some times of day, once each on every calendar day of a place.

    Where the clocks skip a time, the job is due as much after the change as the time is in the gap;
    where a time comes twice, the first one counts.
    """

    times: tuple[time, ...]

    def after(self, now: datetime, time_zone: str) -> datetime:
        """The first instant after `now` on which it is due, in UTC."""
        zone = ZoneInfo(time_zone)
        day = now.astimezone(zone).date()
        # A day before and two after: a change of the clocks may move an instant over midnight.
        days = (day + timedelta(days=offset) for offset in (-1, 0, 1, 2))
        # Where it is ambiguous or skipped, a time without `fold` has the offset from before the change.
        moments = (datetime.combine(day, moment, zone) for day in days for moment in self.times)
        return min(due for moment in moments if (due := moment.astimezone(UTC)) > now)


@dataclass(frozen=True, slots=True)
class Every:
    """On the full hour, every so many hours of universal time, whatever the clocks on the wall do."""

    hours: int

    def after(self, now: datetime, time_zone: str) -> datetime:  # noqa: ARG002  # As that of Daily.
        """The first instant after `now` on which it is due, in UTC."""
        length = self.hours * 3600
        return datetime.fromtimestamp((int(now.timestamp()) // length + 1) * length, UTC)


Timing = Daily | Every


class RunLost(Exception):
    """A run was taken over by another process, so that it writes nothing more."""


class JobRun(NamedTuple):
    """A run that begins: `is_requested` when somebody waits for it.

    `state` is what the last run saw. `is_held` tells whether it is still this process's to do, and holds
    it for as long as one lease.
    """

    is_requested: bool
    state: str | None
    is_held: Callable[[], Awaitable[bool]]


class Outcome(NamedTuple):
    """How a run ended; `error` says what failed, and `state` is handed to the next one that runs."""

    result: JobResult
    error: str | None = None
    state: str | None = None


STUMBLED = "finplan failed with an internal error. `finplan daemon logs` shows the cause."
"""What is said of a failure that nobody foresaw."""

DIED = "The background service ended during this job. `finplan daemon logs` may show why."
"""What is said of a run that died with its daemon."""

DONE = Outcome("ok")
SKIPPED = Outcome("skipped")

PerformJob = Callable[[Context, JobRun], Awaitable[Outcome]]
"""Does a job for the person of a context."""
