"""What is done by itself: when each job is due, who runs it, and what came of it.

Beside the jobs, what people were told of unasked, so that nobody is told twice; and what tells
whether anything worth a copy has changed in the store, and whether somebody has left.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, func, or_, select, update

from finplan.store.queries.rows import add, change, every, find, is_there, remove
from finplan.store.tables.tables import (
    audit_event,
    connection as banks,
    job as job_table,
    notice,
    person,
)

LEASE = 60_000
"""How long a run may go on without saying that it does, in ms."""

LONGEST_LEASE = 2 * LEASE
"""A lease that reaches further was taken under a clock that has been set back, and holds nobody up."""


def list_jobs(connection: Connection) -> Sequence[RowMapping]:
    """Every job, those of the machine included."""
    return every(connection, select(job_table).order_by(job_table.c.no))


def jobs_of(connection: Connection, owner: int, *, machine: bool) -> Sequence[RowMapping]:
    """A person's jobs, with those of the `machine` if told so."""
    theirs = job_table.c.owner_no == owner
    whose = or_(theirs, job_table.c.owner_no.is_(None)) if machine else theirs
    return every(connection, select(job_table).where(whose).order_by(job_table.c.no))


def add_job(connection: Connection, owner: int | None, name: str, next_at: int | None) -> None:
    """Add a job that has not run yet."""
    add(connection, job_table, {"owner_no": owner, "name": name, "next_at": next_at})


def remove_job(connection: Connection, no: int) -> None:
    """Remove a job, whether it runs or not."""
    remove(connection, job_table, no=no)


def change_job(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of a job."""
    change(connection, job_table, no, **values)


def bring_forward(connection: Connection, owner: int, name: str, at: int) -> None:
    """Let a person's job be due at an instant, unless it is before."""
    job = find(connection, job_table, owner_no=owner, name=name)
    if job is None:
        # In the first seconds of a store nobody has written its jobs down yet.
        add_job(connection, owner, name, at)
    else:
        retry_at(connection, job["no"], at)


def retry_at(connection: Connection, no: int, at: int) -> None:
    """Let a job be due at an instant, unless it is before."""
    later = or_(job_table.c.next_at.is_(None), job_table.c.next_at > at)
    connection.execute(update(job_table).where(job_table.c.no == no, later).values(next_at=at))


def ask_for(connection: Connection, no: int, now: int) -> None:
    """Let a job be due now, whether it is needed or not; where it runs, once more after that."""
    change(connection, job_table, no, next_at=now, asked=job_table.c.asked + 1)


def is_leased(job: RowMapping, now: int) -> bool:
    """Whether somebody is running a job."""
    until = job["lease_until"]
    return until is not None and now < until <= now + LONGEST_LEASE


def is_due(job: RowMapping, now: int) -> bool:
    """Whether a job is to be run now: its time has come, or its last run died."""
    if is_leased(job, now):
        return False
    died = job["lease_until"] is not None
    return died or (job["next_at"] is not None and job["next_at"] <= now)


def find_dead(connection: Connection, no: int, now: int) -> RowMapping | None:
    """The job whose run died without a word; None where it goes on, has ended or was handed back."""
    job = find(connection, job_table, no=no)
    if job is None or job["lease_holder"] is None or is_leased(job, now):
        return None
    return job


def claim(
    connection: Connection, no: int, holder: str, now: int, next_at: int | None
) -> RowMapping | None:
    """Begin the run of a job that is due; answers the job as it was, None where somebody was quicker.

    Afterwards it is due `next_at`, unless that is brought forward while it runs.
    """
    job = find(connection, job_table, no=no)
    if job is None or not is_due(job, now):
        return None
    lease = {"lease_until": now + LEASE, "lease_holder": holder}
    change_job(connection, no, {"next_at": next_at, **lease})
    return job


def renew(connection: Connection, no: int, holder: str, now: int) -> bool:
    """Put the end of a lease off; answers False where it is somebody else's by now."""
    return _change_lease(connection, no, holder, lease_until=now + LEASE)


def has_lease(connection: Connection, no: int, holder: str) -> bool:
    """Whether the run of a job is still somebody's to do."""
    return is_there(connection, job_table, no=no, lease_holder=holder)


def finish(
    connection: Connection, no: int, holder: str, requests: int, values: Mapping[str, Any]
) -> bool:
    """Note what came of a run, and end its lease; answers False where it is somebody else's by now.

    `requests` is how many asked for it before it began.
    """
    done = {"lease_until": None, "lease_holder": None, "asked": job_table.c.asked - requests}
    return _change_lease(connection, no, holder, **values, **done)


def _change_lease(connection: Connection, no: int, holder: str, **values: Any) -> bool:
    query = update(job_table).filter_by(no=no, lease_holder=holder)
    return connection.execute(query.values(**values)).rowcount == 1


def release_all(connection: Connection, holder: str, now: int) -> None:
    """Let whatever somebody runs be due again at once, handed back and so held by nobody."""
    is_own = job_table.c.lease_holder == holder
    connection.execute(update(job_table).where(is_own).values(lease_until=now, lease_holder=None))


def first_tries(connection: Connection) -> Mapping[int, int]:
    """The instant at which each person's bank that is due first is synced, 0 for at once."""
    soonest = func.min(func.coalesce(banks.c.next_try_at, 0))
    query = select(banks.c.owner_no, soonest).where(banks.c.provider != "manual")
    rows = connection.execute(query.group_by(banks.c.owner_no))
    return {owner: int(at) for owner, at in rows}


def notices_of(connection: Connection, owner: int) -> Mapping[str, int]:
    """The incidents that a person was told of, each with the instant in ms."""
    rows = every(connection, select(notice).filter_by(owner_no=owner))
    return {row["incident"]: row["told_at"] for row in rows}


def add_notice(connection: Connection, owner: int, incident: str, told_at: int) -> None:
    """Remember that a person was told."""
    add(connection, notice, {"owner_no": owner, "incident": incident, "told_at": told_at})


def forget_notices(connection: Connection, owner: int, incidents: Iterable[str]) -> None:
    """Let a person be told again, should it happen again."""
    connection.execute(
        delete(notice).where(notice.c.owner_no == owner, notice.c.incident.in_(list(incidents)))
    )


def store_state(connection: Connection) -> str:
    """The generation of everybody's data, and the newest event on anybody's record, as one text."""
    newest = connection.execute(select(func.coalesce(func.max(audit_event.c.no), 0))).scalar_one()
    people = connection.execute(select(person.c.no, person.c.generation).order_by(person.c.no))
    return " ".join((*(f"{no}:{generation}" for no, generation in people), f"audit:{newest}"))


def are_still_there(connection: Connection, state: str) -> bool:
    """Whether all whom a state of the store tells of have stayed."""
    present = {str(no) for no in connection.execute(select(person.c.no)).scalars()}
    return {entry.partition(":")[0] for entry in state.split()} <= present | {"audit"}
