"""Jobs: what finplan does by itself."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import PathId, Timestamp, Wire

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
