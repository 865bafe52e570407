"""A plan build as something that takes time."""

from typing import Literal

from finplan.model.base import Timestamp, Whole, Wire
from finplan.model.errors import ErrorEnvelope

BuildStatus = Literal["queued", "running", "succeeded", "failed"]


class Build(Wire):
    """How far a plan build has come."""

    id: str
    status: BuildStatus
    step: str
    done: Whole
    total: Whole
    started_at: Timestamp
    finished_at: Timestamp | None
    plan_created_at: Timestamp | None
    error: ErrorEnvelope | None
