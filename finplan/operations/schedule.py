"""The rows of what finplan does by itself."""

from finplan.model import job as jobs
from finplan.model.base import Nothing
from finplan.model.errors import NotFound
from finplan.operation import Accepts, AnyOperation, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

SCHEDULE = Family("Schedule", "What finplan does by itself: when next, and what came of it.")

LIST_JOBS = Operation(SCHEDULE, "list_jobs", "GET", "/jobs",
    Nothing, tuple[jobs.Job, ...], "read",
    "What is done by itself, when next, and how it went.",
    links=Links("/0/name", to=("run_job",), parameter="name"))
RUN_JOB = Operation(SCHEDULE, "run_job", "POST", "/jobs/{name}/run",
    jobs.JobName, jobs.Job, "write",
    "Have a job done now, whether it is needed or not.", Accepts(at="/jobs"),
    faults=(NotFound,))

ROWS: tuple[AnyOperation, ...] = (
    LIST_JOBS, RUN_JOB,
)
# fmt: on
