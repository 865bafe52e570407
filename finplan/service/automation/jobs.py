"""What a person sees of the jobs that are done for them, and starting one."""

from collections.abc import Iterable

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.errors import NotFound
from finplan.model.job import Job, JobName
from finplan.service.automation.agenda import ExpectedJob, due_at, expected_jobs, settle
from finplan.service.automation.times import Daily
from finplan.service.banking import sync
from finplan.service.context import Context
from finplan.store.queries import connections, people
from finplan.store.queries import jobs as table


async def list_jobs(context: Context, _ask: Nothing) -> tuple[Job, ...]:
    """The caller's jobs, and for the owner of the machine those of the machine too."""
    owner, now = context.caller.owner, context.milliseconds()

    def read(connection: Connection) -> tuple[Job, ...]:
        expected = _theirs(connection, owner, now)
        present = {
            (job["owner_no"], job["name"]): job
            for job in table.jobs_of(connection, owner, machine=_owns(connection, owner))
        }
        return tuple(
            _job(connection, owner, each, present.get((each.owner, each.name)), now)
            for each in expected
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


def _owns(connection: Connection, owner: int) -> bool:
    first = people.only_person(connection)
    return first is not None and bool(first["no"] == owner)


def _theirs(connection: Connection, owner: int, now: int) -> list[ExpectedJob]:
    machine = _owns(connection, owner)
    return [
        each
        for each in expected_jobs(connection, now)
        if each.owner == owner or (machine and each.owner is None)
    ]


def _find(expected: Iterable[ExpectedJob], name: str) -> ExpectedJob:
    theirs = {each.name: each for each in expected}
    if name not in theirs:
        known = f"Yours are {', '.join(theirs)}." if theirs else "You have none."
        raise NotFound(f"There is no job {name!r} of yours. {known}")
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
        schedule=_said(connection, owner, expected),
        next_at=due_at(expected, row, now),
        last_at=None if row is None else row["last_at"],
        last_result=None if row is None else row["last_result"],
        error=None if row is None else row["error"],
    )


def _said(connection: Connection, owner: int, expected: ExpectedJob) -> str:
    kind = expected.kind
    if kind.timing is None:
        linked = connections.list_connections(connection, owner)
        return sync.rhythm_in_words((row["provider"], row["status"]) for row in linked)
    where = f" ({expected.time_zone})" if isinstance(kind.timing, Daily) else ""
    return f"{kind.said}{where}"
