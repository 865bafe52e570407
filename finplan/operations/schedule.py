"""The rows of what finplan does by itself."""

from finplan.model import job as jobs
from finplan.model.base import Nothing
from finplan.model.errors import NotFound
from finplan.operation import Accepts, AnyOperation, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

SCHEDULE = Family("Schedule", "Scheduled jobs: syncs, plans and backups.")

LIST_JOBS = Operation(SCHEDULE, "list_jobs", "GET", "/jobs",
    Nothing, tuple[jobs.Job, ...], "read",
    "List the scheduled jobs, with their next run and last result.",
    links=Links("/0/name", to=("run_job",), parameter="name"))
RUN_JOB = Operation(SCHEDULE, "run_job", "POST", "/jobs/{name}/run",
    jobs.JobName, jobs.Job, "write",
    "Run a job now, even if it is not due.", Accepts(at="/jobs"),
    faults=(NotFound,))

ROWS: tuple[AnyOperation, ...] = (
    LIST_JOBS, RUN_JOB,
)
# fmt: on
