"""What came of the run of a job."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from finplan.model.job import JobResult
from finplan.service.context import Context


class RunLost(Exception):
    """A run was taken over by another process, so that it writes nothing more."""


class JobRun(NamedTuple):
    """A run that begins: `asked` when somebody waits for it, with what the last one has `seen`.

    `is_held` tells whether it is still this process's to do, and holds it for as long as one lease.
    """

    asked: bool
    seen: str | None
    is_held: Callable[[], Awaitable[bool]]


class Outcome(NamedTuple):
    """How a run ended; `error` says what failed, and `seen` is handed to the next one that runs."""

    result: JobResult
    error: str | None = None
    seen: str | None = None


STUMBLED = "finplan stumbled over it; `finplan daemon logs` shows where."
"""What is said of a failure that nobody foresaw."""

DIED = "The daemon ended in the middle of it; `finplan daemon logs` may show why."
"""What is said of a run that died with its daemon."""

DONE = Outcome("ok")
SKIPPED = Outcome("skipped")

PerformJob = Callable[[Context, JobRun], Awaitable[Outcome]]
"""Does a job for the person of a context."""
