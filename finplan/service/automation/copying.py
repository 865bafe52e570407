"""The job that verifies the store each night, and keeps a copy of it while it changes."""

import asyncio
import logging
from pathlib import Path

from finplan.model.errors import Conflict, StorageFull, StoreDamaged
from finplan.service.automation.outcome import SKIPPED, JobRun, Outcome
from finplan.service.context import Context
from finplan.store.backup import (
    DAILY_NAME,
    copies_in,
    daily_copies,
    is_good,
    prune_backups,
    remove_copy,
)
from finplan.store.queries import people
from finplan.store.queries.jobs import are_still_there, store_state
from finplan.store.store import Store

VERIFIED_NAME = "verified.db"
"""The copy by which an unchanged store is verified; it is removed at once."""

MENDED = "Repaired an index of the store; no data was affected."
"""What is said where only an index was damaged."""

log = logging.getLogger(__name__)


async def copy_when_changed(context: Context, run: JobRun) -> Outcome:
    """Copy the store, keep the copy if anything changed, and remove the copies of too old days.

    A copy verifies the store, so one is made each night. Damaged indexes are made again first. Raises
    StoreDamaged, and then the older copies are kept.
    """
    owner, store = context.caller.owner, context.store
    state, person = await store.read(lambda c: (store_state(c), people.get_person(c, owner)))
    today = context.today(person["time_zone"])
    if state == run.seen and not run.asked and await asyncio.to_thread(_has_newest, store.backups):
        mended = await _verify(store)
        return Outcome(SKIPPED.result, MENDED if mended else None, state)
    copy = store.backups / f"{DAILY_NAME}{today.isoformat()}.db"
    mended = await copy_whole_store(store, copy)
    if not await store.read(lambda c: are_still_there(c, state)):
        # Whoever is told that everything of theirs is deleted relies on there being no copy of it.
        await asyncio.to_thread(remove_copy, copy)
        raise Conflict("Somebody has left while the store was copied, so the copy was removed.")
    await asyncio.to_thread(prune_backups, store.backups)
    return Outcome("ok", MENDED if mended else None, state)


async def _verify(store: Store) -> bool:
    """Verify the store by a copy that is not kept; answers whether indexes were mended."""
    copy = store.backups / VERIFIED_NAME
    try:
        return await copy_whole_store(store, copy)
    except StorageFull:
        log.warning("The disk is full: the store is verified another night.")
        return False
    finally:
        await asyncio.to_thread(remove_copy, copy)


async def copy_whole_store(store: Store, copy: Path) -> bool:
    """Copy the store; where only indexes are damaged, they are made again before, and True is answered.

    Raises StoreDamaged and StorageFull, and then the older copies are kept.
    """
    try:
        await asyncio.to_thread(store.back_up, copy)
    except StorageFull as full:
        raise StorageFull(f"{full.message} The older backups are kept.") from full
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
    days = daily_copies(copies_in(folder))
    return bool(days) and is_good(days[max(days)])
