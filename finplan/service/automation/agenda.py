"""The agenda: which jobs there are, when each is due, what a person sees of theirs, and starting one.

The rows follow from who is here, which banks they have and where they live, and are put right whenever
somebody looks. No stored instant lies after the next regular one, so that neither a clock that is set
back nor a move to another time zone lets a job wait; and none lies before it without a reason, so that
who moves is not served by the clock of the place that they left.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.errors import NotFound
from finplan.model.job import Job, JobName
from finplan.service.automation.job import Daily
from finplan.service.automation.kinds import KINDS, LONGEST_RETRY, JobKind
from finplan.service.banking import sync
from finplan.service.context import Context
from finplan.service.people import owns_the_machine
from finplan.store.queries import connections, jobs as table, people

SOON = 10 * 60_000
"""What is due within so many ms is not put off: it may follow from news, which nothing else tells. Twice
as long as news take to settle, since a clock may be set back a little meanwhile."""


class ExpectedJob(NamedTuple):
    """A job that there should be: whose, of which kind, and when it is due at the latest, in ms."""

    owner: int | None
    name: str
    time_zone: str
    at: int | None

    @property
    def kind(self) -> JobKind:
        """What kind of job it is."""
        return KINDS[self.name]


class Misplaced(NamedTuple):
    """A job that is to be added, to be moved or, where none is expected, to be removed."""

    expected: ExpectedJob | None
    job: RowMapping | None


def expected_jobs(connection: Connection, now: int) -> list[ExpectedJob]:
    """The jobs that there should be, as of an instant in ms."""
    everybody = people.list_people(connection)
    first_tries = _first_tries(connection)
    expected = []
    for index, person in enumerate(everybody):
        for name, kind in KINDS.items():
            if index and kind.whose != "person":
                continue
            owner = None if kind.whose == "machine" else person["no"]
            at = (
                _time_of_banks(first_tries.get(person["no"]), now)
                if kind.timing is None
                else regular(kind, person["time_zone"], now)
            )
            expected.append(ExpectedJob(owner, name, person["time_zone"], at))
    return expected


def regular(kind: JobKind, time_zone: str, now: int) -> int | None:
    """The next instant in ms at which a job is due if nothing happens; None where only a bank tells."""
    if kind.timing is None:
        return None
    after = kind.timing.after(datetime.fromtimestamp(now / 1000, UTC), time_zone)
    return int(after.timestamp() * 1000)


def corrections(connection: Connection, now: int) -> list[Misplaced]:
    """What is not as it should be."""
    present = {(job["owner_no"], job["name"]): job for job in table.list_jobs(connection)}
    misplaced = []
    for expected in expected_jobs(connection, now):
        job = present.pop((expected.owner, expected.name), None)
        if job is None or _has_to_move(job, expected, now):
            misplaced.append(Misplaced(expected, job))
    return misplaced + [Misplaced(None, job) for job in present.values()]


def due_at(expected: ExpectedJob, job: RowMapping | None, now: int) -> int | None:
    """When a job is due next, as if it had been put right already; `job` is its row, if there is one."""
    if job is None or job["next_at"] is None or _has_to_move(job, expected, now):
        return expected.at
    return int(job["next_at"])


def settle(connection: Connection, now: int) -> None:
    """Put the jobs right."""
    for expected, job in corrections(connection, now):
        if job is None:
            assert expected is not None, "A correction is about something."
            table.add_job(connection, expected.owner, expected.name, expected.at)
        elif expected is None:
            table.remove_job(connection, job["no"])
        else:
            table.change_job(connection, job["no"], {"next_at": expected.at})


def _has_to_move(job: RowMapping, expected: ExpectedJob, now: int) -> bool:
    at = job["next_at"]
    if job["lease_until"] is not None or (job["asked"] and at is not None and at <= now):
        return False
    if expected.kind.timing is not None:
        return at is None or (expected.at is not None and _is_stray(job, at, expected.at, now))
    if job["failures"]:
        return at is None or at > now + LONGEST_RETRY
    return bool(at != expected.at)


def _is_stray(job: RowMapping, at: int, regular_at: int, now: int) -> bool:
    """Whether a job is due at an instant that nothing gives it: neither its hour, a run, nor news."""
    if job["failures"] or job["asked"] or at <= now + SOON:
        return at > regular_at
    return at != regular_at


def _first_tries(connection: Connection) -> Mapping[int, int]:
    """When each person's bank, or page at which one is linked, is asked first; 0 for at once."""
    tries = dict(table.first_tries(connection))
    for owner, at in connections.first_looks(connection).items():
        tries[owner] = min(at, tries.get(owner, at))
    return tries


def _time_of_banks(first: int | None, now: int) -> int | None:
    if first is None:
        return None
    # One that was never tried has no instant, and one too far ahead was set under another clock.
    return first if 0 < first <= now + sync.LONGEST_PAUSE else now


async def list_jobs(context: Context, _ask: Nothing) -> tuple[Job, ...]:
    """The caller's jobs, and for the owner of the machine those of the machine too."""
    owner, now = context.caller.owner, context.milliseconds()

    def read(connection: Connection) -> tuple[Job, ...]:
        expected = _theirs(connection, owner, now)
        present = {
            (job["owner_no"], job["name"]): job
            for job in table.jobs_of(connection, owner, machine=owns_the_machine(connection, owner))
        }
        return tuple(
            _job(connection, owner, due, present.get((due.owner, due.name)), now)
            for due in expected
        )

    return await context.store.read(read)


async def run_job(context: Context, ask: JobName) -> Job:
    """Have a job done now, needed or not; one that runs is done once more after that.

    Raises NotFound for one that is not the caller's to run.
    """
    owner, now = context.caller.owner, context.milliseconds()

    def ask_for(connection: Connection) -> Job:
        expected = _find(_theirs(connection, owner, now), ask.name)
        # On a new store nobody may have written down yet what there is to do.
        settle(connection, now)
        job = _row(connection, owner, expected)
        table.ask_for(connection, job["no"], now)
        return _job(connection, owner, expected, _row(connection, owner, expected), now)

    job = await context.commit(ask_for)
    context.background.stir()
    return job


def _theirs(connection: Connection, owner: int, now: int) -> list[ExpectedJob]:
    machine = owns_the_machine(connection, owner)
    return [
        job
        for job in expected_jobs(connection, now)
        if job.owner == owner or (machine and job.owner is None)
    ]


def _find(expected: Iterable[ExpectedJob], name: str) -> ExpectedJob:
    theirs = {job.name: job for job in expected}
    if name not in theirs:
        hint = f"Your jobs are {', '.join(theirs)}." if theirs else "You have no jobs."
        raise NotFound(f"No job {name!r}. {hint}")
    return theirs[name]


def _row(connection: Connection, owner: int, expected: ExpectedJob) -> RowMapping:
    rows = table.jobs_of(connection, owner, machine=expected.owner is None)
    return next(
        row for row in rows if (row["owner_no"], row["name"]) == (expected.owner, expected.name)
    )


def _job(
    connection: Connection, owner: int, expected: ExpectedJob, row: RowMapping | None, now: int
) -> Job:
    return Job(
        name=expected.name,
        schedule=_describe_schedule(connection, owner, expected),
        next_at=due_at(expected, row, now),
        last_at=None if row is None else row["last_at"],
        last_result=None if row is None else row["last_result"],
        error=None if row is None else row["error"],
    )


def _describe_schedule(connection: Connection, owner: int, expected: ExpectedJob) -> str:
    kind = expected.kind
    if kind.timing is None:
        linked = connections.list_connections(connection, owner)
        return sync.rhythm_in_words((row["provider"], row["status"]) for row in linked)
    where = f" ({expected.time_zone})" if isinstance(kind.timing, Daily) else ""
    return f"{kind.schedule}{where}"
