"""A build: one making of a plan that goes on by itself, and can be asked for how far it is."""

from typing import Literal

from finplan.model.base import PathId, Timestamp, Whole, Wire
from finplan.model.errors import ErrorEnvelope

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


class BuildId(Wire):
    """Which build is meant."""

    id: PathId
