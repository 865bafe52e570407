"""One run of one job: claimed by a lease, kept while it goes on, noted when it has ended.

What a daemon that died left unfinished is ended before the next one serves anybody.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.model.errors import Fault, StoreDamaged
from finplan.service.automation.agenda import regular
from finplan.service.automation.job import DIED, STUMBLED, JobRun, Outcome, RunLost
from finplan.service.automation.kinds import KINDS, retry_pause
from finplan.service.context import Context
from finplan.service.planning.plans import fail_unfinished_builds
from finplan.store.queries import imports, jobs as table, people, replies

RENEWED_EVERY = table.LEASE / 3 / 1000
"""How often a run says that it goes on, in seconds."""

LOOKED_EVERY = 1.0
"""How often a run looks whether the clock has jumped, in seconds."""

MINUTE = 60.0
"""In seconds."""

log = logging.getLogger(__name__)


async def run_if_due(context: Context, job: RowMapping, holder: str) -> bool:
    """Run a job for the person of a context; answers False where it is not due any more.

    Of all who want to run it at once, one does. What fails is noted, not raised. Raises StorageFull
    where there is no room to say that it runs.
    """
    owner = context.caller.owner

    def begin(connection: Connection) -> RowMapping | None:
        now = context.milliseconds()
        if not people.is_there(connection, owner):
            return None
        zone = people.get_person(connection, owner)["time_zone"]
        _note_death(connection, job["no"], now)
        next_at = regular(KINDS[job["name"]], zone, now)
        return table.claim(connection, job["no"], holder, now, next_at)

    claimed = await context.store.write(begin)
    if claimed is None:
        return False
    began = context.milliseconds()
    outcome = await _perform_under_lease(context, claimed, holder)
    if outcome is None:
        return True
    with suppress(RunLost):
        fenced = _fenced(context, claimed["no"], holder).store
        await fenced.write(lambda c: _note(c, claimed, holder, outcome, began))
    return True


class _Overrun(Exception):
    """A run took longer than its kind may."""


def _fenced(context: Context, no: int, holder: str) -> Context:
    """A context whose writes happen only as long as a run is its holder's.

    Whoever takes a run over after a sleep may begin before the first one has seen that it lost it.
    """

    def must_hold(connection: Connection) -> None:
        if not table.has_lease(connection, no, holder):
            raise RunLost

    return replace(context, store=context.store.fenced(must_hold))


async def _perform_under_lease(
    context: Context, job: RowMapping, holder: str
) -> Outcome | Exception | None:
    """Do the job no longer than its kind may; None where the lease was lost to somebody else."""
    running = asyncio.create_task(_perform(context, job, holder))
    keeping = asyncio.create_task(_keep(context, job["no"], holder))
    limit = KINDS[job["name"]].limit
    try:
        done, _ = await asyncio.wait(
            {running, keeping}, timeout=limit * MINUTE, return_when=asyncio.FIRST_COMPLETED
        )
        if not done:
            log.warning("Stopped the job %s after %s minutes.", job["name"], limit)
            return _Overrun(
                f"The job did not finish within {limit} minutes and was stopped. finplan runs it"
                " again later."
            )
        return running.result() if running.done() else None
    finally:
        for task in (running, keeping):
            task.cancel()
        await asyncio.gather(running, keeping, return_exceptions=True)


async def _perform(context: Context, job: RowMapping, holder: str) -> Outcome | Exception | None:
    run = JobRun(job["asked"] > 0, job["seen"], partial(_renew, context, job["no"], holder))
    try:
        return await KINDS[job["name"]].perform(_fenced(context, job["no"], holder), run)
    except RunLost:
        return None
    except Fault as fault:
        return fault
    except Exception as error:
        log.exception("A job failed unexpectedly: %s.", job["name"])
        return error


async def _keep(context: Context, no: int, holder: str) -> None:
    """Say that a run goes on, for as long as nobody else has taken it over."""
    is_held = True
    while is_held:
        await _until_renewal(context)
        # The lease may run out meanwhile; whoever takes the run over has to write that, too.
        try:
            is_held = await _renew(context, no, holder)
        except StoreDamaged:
            # What the run still comes to could not be written, so it ends here.
            return
        except Exception:
            log.warning("Could not renew a run's lease; trying again.", exc_info=True)
    log.warning("Another process took over this run, so it stops here.")


async def _until_renewal(context: Context) -> None:
    """Wait until a lease is to be renewed: at once when the clock has jumped.

    A machine that wakes has slept through its leases, and its sleep is in no count of seconds awaited.
    """
    began, waited = context.milliseconds(), 0.0
    while waited < RENEWED_EVERY and 0 <= context.milliseconds() - began < table.LEASE / 3:
        await asyncio.sleep(min(LOOKED_EVERY, RENEWED_EVERY))
        waited += LOOKED_EVERY


async def _renew(context: Context, no: int, holder: str) -> bool:
    """Put the end of a lease off; answers False where it is somebody else's by now."""
    return await context.store.write(lambda c: table.renew(c, no, holder, context.milliseconds()))


def _note(
    connection: Connection, job: RowMapping, holder: str, ended: Outcome | Exception, began: int
) -> None:
    values: dict[str, Any] = {"last_at": began}
    if isinstance(ended, Outcome):
        values |= {"last_result": ended.result, "error": ended.error, "failures": 0}
        if ended.state is not None:
            values["seen"] = ended.state
    else:
        failures = job["failures"] + 1
        values |= {"last_result": "failed", "error": _describe_failure(ended), "failures": failures}
        table.retry_at(connection, job["no"], began + retry_pause(failures))
    table.finish(connection, job["no"], holder, job["asked"], values)


def _note_death(connection: Connection, no: int, now: int) -> None:
    """A run that died is a failure: it is done again at once, and from the second in a row on later.

    It may be what ended its daemon, and would do so at every start.
    """
    job = table.find_dead(connection, no, now)
    if job is None:
        return
    failures = job["failures"] + 1
    values = {
        # When it last said that it went on; nothing tells when it began.
        "last_at": min(job["lease_until"] - table.LEASE, now),
        "last_result": "failed",
        "error": DIED,
        "failures": failures,
        "lease_until": None,
        "lease_holder": None,
    }
    table.change_job(connection, no, values)
    table.retry_at(connection, no, now if failures == 1 else now + retry_pause(failures))


def _describe_failure(failure: Exception) -> str:
    if isinstance(failure, Fault):
        return failure.message
    return str(failure) if isinstance(failure, _Overrun) else STUMBLED


def end_unfinished(connection: Connection, now: int) -> None:
    """End builds and imports that seem to run, and release claims of requests; nothing runs yet.

    `now` is the instant in ms.
    """
    fail_unfinished_builds(connection, now)
    # Such an import was never committed.
    imports.end_abandoned(connection)
    replies.release_dead(connection)
    replies.prune(connection, now)
