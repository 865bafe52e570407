"""Scheduled jobs, and the build of a plan."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import ById, PathId, Timestamp, Whole, Wire
from finplan.model.errors import ErrorEnvelope

JobResult = Literal["ok", "failed", "skipped"]


class Job(Wire):
    """A scheduled job; `schedule` says when it runs, in words.

    `lastAt` is when the last run began. A run with nothing to do is `skipped`. If a run failed, `error`
    is the reason. `nextAt` is null if no run is scheduled, such as for a sync without a linked bank.
    """

    name: str
    schedule: str
    next_at: Timestamp | None
    last_at: Timestamp | None
    last_result: JobResult | None
    error: str | None


class JobName(Wire):
    """Identifies one job."""

    name: Annotated[PathId, Field(description="The name of a job, such as sync.")]


BuildStatus = Literal["queued", "running", "succeeded", "failed"]


class Build(Wire):
    """The progress of a build: `done` of `total` steps, and the current `step`.

    If the build succeeded, `planCreatedAt` is when the new plan was created; if it failed, `error` is
    the reason.
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
    """Identifies one build."""
