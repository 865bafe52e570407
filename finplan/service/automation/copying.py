"""The job that copies the store, once a day while it changes."""

import asyncio
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from finplan.model.errors import Conflict, StorageFull
from finplan.service.automation.outcome import SKIPPED, JobRun, Outcome
from finplan.service.context import Context
from finplan.store.queries import people
from finplan.store.queries.automation.store_state import are_still_there, store_state
from finplan.store.store import Store

DAILY, WEEKLY = 7, 4
"""How many of the newest copies are kept, and of how many weeks before them the last one."""

_NAMED = "daily-"


async def copy_when_changed(context: Context, run: JobRun) -> Outcome:
    """Copy the store unless it is as the newest copy has it, then remove the copies of too old days."""
    owner = context.caller.owner
    state, person = await context.store.read(
        lambda c: (store_state(c), people.get_person(c, owner))
    )
    today = context.today(person["time_zone"])
    folder = context.store.backups
    present = await asyncio.to_thread(_days, folder)
    if present and state == run.seen and not run.asked:
        return Outcome(SKIPPED.result, seen=state)
    await asyncio.to_thread(_copy, context.store, today)
    if not await context.store.read(lambda c: are_still_there(c, state)):
        # Whoever is told that everything of theirs is deleted relies on there being no copy of it.
        await asyncio.to_thread(_named(folder, today).unlink, missing_ok=True)
        raise Conflict("Somebody has left while the store was copied, so the copy was removed.")
    return Outcome("ok", seen=state)


def kept_days(days: Iterable[date]) -> frozenset[date]:
    """Of which days the copies are kept: the newest seven, and the last of each of four weeks before."""
    newest_first = sorted(set(days), reverse=True)
    last_of_week: dict[tuple[int, int], date] = {}
    for day in newest_first[DAILY:]:
        last_of_week.setdefault(day.isocalendar()[:2], day)
    return frozenset((*newest_first[:DAILY], *list(last_of_week.values())[:WEEKLY]))


def _copy(store: Store, today: date) -> None:
    folder = store.backups
    try:
        store.back_up(_named(folder, today))
    except StorageFull as full:
        raise StorageFull(f"{full.message} The older backups are kept.") from full
    days = _days(folder)
    for day in days - kept_days(days):
        _named(folder, day).unlink(missing_ok=True)


def _named(folder: Path, day: date) -> Path:
    return folder / f"{_NAMED}{day.isoformat()}.db"


def _days(folder: Path) -> set[date]:
    found = set()
    for copy in folder.glob(f"{_NAMED}*.db"):
        try:
            found.add(date.fromisoformat(copy.stem.removeprefix(_NAMED)))
        except ValueError:
            # What else somebody has put there is theirs.
            continue
    return found
