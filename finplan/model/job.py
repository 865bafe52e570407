"""Work that goes on by itself: the jobs of finplan, and the making of one plan."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import ById, PathId, Timestamp, Whole, Wire
from finplan.model.errors import ErrorEnvelope

JobResult = Literal["ok", "failed", "skipped"]


class Job(Wire):
    """Something that is done by itself; `schedule` says when, in words.

    `lastAt` is when the last run began. It was `skipped` where there was nothing to do, and `error` says
    what failed. `nextAt` is absent where nothing is to come, as for a sync without a bank to ask.
    """

    name: str
    schedule: str
    next_at: Timestamp | None
    last_at: Timestamp | None
    last_result: JobResult | None
    error: str | None


class JobName(Wire):
    """Which job is meant."""

    name: Annotated[PathId, Field(description="The name of a job, such as sync.")]


BuildStatus = Literal["queued", "running", "succeeded", "failed"]


class Build(Wire):
    """How a build stands: `done` of `total` steps, and the one that it is at.

    `planCreatedAt` names the plan that a build which succeeded has made, `error` says why one failed.
    """

    id: str
    status: BuildStatus
    step: str
    done: Whole
    total: Whole
    started_at: Timestamp
    finished_at: Timestamp | None
    plan_created_at: Timestamp | None
    error: ErrorEnvelope | None


class BuildId(ById):
    """Which build is meant."""
