"""The kinds of job there are: whose each is, when it is due, and what does it.

One fetches what is new at the banks whose time has come, one builds a plan when there is something new
to say, one verifies the store each night and keeps a copy of it while it changes, one forgets what is
over.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import time
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.errors import Conflict, Fault, StorageFull, StoreDamaged
from finplan.service.authorization.agents import forget_what_is_over
from finplan.service.automation import job
from finplan.service.automation.incidents import tell_what_needs_the_person
from finplan.service.banking.page_links import KEPT, look_at_links_due
from finplan.service.banking.sync import LONGEST_PAUSE, next_try, sync
from finplan.service.context import Context
from finplan.service.derived.books import stored_plan
from finplan.service.planning.plans import build_plan
from finplan.service.webhooks.deliveries import prune_deliveries
from finplan.store import backup
from finplan.store.queries import agent_tasks, connections, people, plans, replies
from finplan.store.queries.jobs import are_still_there, store_state
from finplan.store.store import Store

log = logging.getLogger(__name__)


async def sync_what_is_due(context: Context, run: job.JobRun) -> job.Outcome:
    """Sync the banks that are due, or all when asked; one that fails keeps no other from it.

    Pages at which banks are linked are looked at before.
    """
    # A link has a hold of its own, and what was exchanged must be kept though this run be lost.
    held_alone = replace(context, store=context.store.fenced(lambda _: None))
    looked = await look_at_links_due(held_alone)
    now = context.milliseconds()
    owner = context.caller.owner
    linked = await context.store.read(lambda c: connections.list_connections(c, owner))
    banks = [row for row in linked if row["provider"] != "manual"]
    rows = [row for row in banks if run.is_requested or is_bank_due(row, now)]
    errors = [error for row in rows if (error := await _sync_one(context, row)) is not None]
    if errors:
        return job.Outcome("failed", " ".join(errors))
    return job.DONE if rows or looked else job.SKIPPED


def is_bank_due(connection: RowMapping, now: int) -> bool:
    """Whether it is time to sync a bank by itself."""
    at = connection["next_try_at"]
    return at is None or at <= now or at > now + LONGEST_PAUSE


async def _sync_one(context: Context, row: RowMapping) -> str | None:
    """Sync one bank; answers what failed."""
    try:
        report = await sync(context, row["id"], context.store.write)
    except Conflict:
        # Unlinked meanwhile: what is no longer wanted has not failed.
        return None
    except (Fault, job.RunLost):
        raise
    except Exception:
        log.exception("A sync failed unexpectedly.")
        await context.store.write(lambda c: _put_off(c, row, context.milliseconds()))
        return f"{row['institution_name']}: {job.STUMBLED}"
    return None if report.ok else f"{row['institution_name']}: {report.error}"


def _put_off(connection: Connection, row: RowMapping, now: int) -> None:
    # Else it would be tried again and again, and hold up the banks that come after it.
    failures = row["failures"] + 1
    at = next_try(row["id"], row["provider"], now, failures=failures)
    values = {"failures": failures, "next_try_at": at, "error": job.STUMBLED}
    connections.change_connection(connection, row["no"], values)
    people.raise_generation(connection, row["owner_no"], rows=False)


async def build_when_needed(context: Context, run: job.JobRun) -> job.Outcome:
    """Build a plan where there is a bank, and its data or the day are not those of the last plan."""
    owner = context.caller.owner

    def is_needed(connection: Connection) -> bool:
        if not connections.list_connections(connection, owner):
            return False
        newest = plans.newest_plan(connection, owner)
        if run.is_requested or newest is None:
            return True
        today = context.today(people.get_person(connection, owner)["time_zone"])
        last = stored_plan(newest.created_at, newest.body).plan
        return (
            last.generated_on != today
            or newest.data_no != people.last_event(connection, owner).data_no
        )

    if not await context.store.read(is_needed):
        return job.SKIPPED
    await build_plan(context, Nothing())
    return job.DONE


VERIFIED_NAME = "verified.db"
"""The copy by which an unchanged store is verified; it is removed at once."""

MENDED = "Repaired an index of the store; no data was affected."
"""What is said where only an index was damaged."""


async def copy_when_changed(context: Context, run: job.JobRun) -> job.Outcome:
    """Copy the store, keep the copy if anything changed, and remove the copies of too old days.

    A copy verifies the store, so one is made each night. Damaged indexes are made again first. Raises
    StoreDamaged, and then the older copies are kept.
    """
    owner, store = context.caller.owner, context.store
    state, person = await store.read(lambda c: (store_state(c), people.get_person(c, owner)))
    today = context.today(person["time_zone"])
    if (
        state == run.state
        and not run.is_requested
        and await asyncio.to_thread(_has_newest, store.backups)
    ):
        mended = await _verify_store(store)
        return job.Outcome(job.SKIPPED.result, MENDED if mended else None, state)
    copy = store.backups / f"{backup.DAILY_NAME}{today.isoformat()}.db"
    mended = await copy_whole_store(store, copy)
    if not await store.read(lambda c: are_still_there(c, state)):
        # Whoever is told that everything of theirs is deleted relies on there being no copy of it.
        await asyncio.to_thread(backup.remove_copy, copy)
        raise Conflict("Someone deleted their account during the backup, so the copy was removed.")
    await asyncio.to_thread(backup.prune_backups, store.backups)
    return job.Outcome("ok", MENDED if mended else None, state)


async def _verify_store(store: Store) -> bool:
    """Verify the store by a copy that is not kept; answers whether indexes were mended."""
    copy = store.backups / VERIFIED_NAME
    try:
        return await copy_whole_store(store, copy)
    except StorageFull:
        log.warning("The disk is full. finplan verifies the store another night.")
        return False
    finally:
        await asyncio.to_thread(backup.remove_copy, copy)


async def copy_whole_store(store: Store, copy: Path) -> bool:
    """Copy the store; where only indexes are damaged, they are made again before, and True is answered.

    Raises StoreDamaged and StorageFull, and then the older copies are kept.
    """
    try:
        await asyncio.to_thread(store.back_up, copy)
    except StorageFull as full:
        raise StorageFull(f"{full.message} Older backups are kept.") from full
    except StoreDamaged:
        if not store.broken_indexes:
            raise
        await mend_indexes(store)
    else:
        return False
    try:
        await asyncio.to_thread(store.back_up, copy)
    except StoreDamaged as fault:
        store.note_damage(fault)
        raise
    return True


async def mend_indexes(store: Store) -> None:
    """Make damaged indexes again, and say so in the log; where that fails the store is damaged."""
    names = ", ".join(store.broken_indexes)
    try:
        await store.mend_indexes()
    except StoreDamaged as fault:
        store.note_damage(fault)
        raise
    log.warning("%s (%s)", MENDED, names)


def _has_newest(folder: Path) -> bool:
    """Whether there is a copy of a day, and the newest is good."""
    days = backup.daily_copies(backup.copies_in(folder))
    return bool(days) and backup.is_good(days[max(days)])


async def prune(context: Context, _run: job.JobRun) -> job.Outcome:
    """Forget sessions, tokens, guests, replies, audit events, deliveries, tasks, links that are over."""
    now = context.milliseconds()
    await forget_what_is_over(context.store, now)
    await context.store.write(lambda c: replies.prune(c, now))
    await context.store.write(lambda c: prune_deliveries(c, now))
    await context.store.write(lambda c: agent_tasks.prune(c, now))
    await context.store.write(lambda c: connections.prune_links(c, now - KEPT))
    return job.DONE


FIRST_RETRY, LONGEST_RETRY = 5 * 60_000, 6 * 3_600_000
"""How long a job that failed waits, in ms: after the first failure in a row, and at most."""


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job; everybody's, of the owner of the machine alone, or of the machine itself.

    Without a `timing` it is due when a bank is, and the banks say when. `schedule` has the words for
    when any other is due. A run that takes longer than its `limit`, in minutes, is given up.
    """

    whose: Literal["person", "owner", "machine"]
    timing: job.Timing | None
    schedule: str
    limit: int
    perform: job.PerformJob


KINDS: Mapping[str, JobKind] = {
    "sync": JobKind("person", None, "", 120, sync_what_is_due),
    "plan": JobKind(
        "person",
        job.Daily((time(6),)),
        "at 06:00, and five minutes after new data",
        60,
        build_when_needed,
    ),
    "notify": JobKind(
        "owner",
        job.Daily((time(8), time(13), time(18))),
        "at 08:00, 13:00 and 18:00; each notice is sent once",
        60,
        tell_what_needs_the_person,
    ),
    "prune": JobKind("machine", job.Every(1), "every hour", 60, prune),
    "backup": JobKind(
        "machine",
        job.Daily((time(3, 30),)),
        "at 03:30, if anything changed",
        240,
        copy_when_changed,
    ),
}
"""Each kind by its name. Whatever else has to happen by itself is a line here."""


def retry_pause(failures: int) -> int:
    """How long a job waits that has failed so often in a row, in ms: each time twice as long."""
    return min(FIRST_RETRY << min(failures - 1, 20), LONGEST_RETRY)
