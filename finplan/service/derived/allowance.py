"""The events that move the daily allowance: a sync, an import, an answer, a new plan.

Each is watched by comparing the allowance before and after it, on the same day and the same plan, so
that what the calendar does is never blamed on an event. What holds before is mostly known from the one
before it.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

from sqlalchemy import Connection

from finplan.model.plan import Plan
from finplan.model.snapshot import Change
from finplan.plan.live.allowance import live_snapshot
from finplan.service.asker import Asking
from finplan.service.context import Context
from finplan.service.derived.allowances import Daily
from finplan.service.derived.standing import standing
from finplan.service.ids import new_id
from finplan.store.queries import people
from finplan.store.queries import plans as table

log = logging.getLogger(__name__)

SHOWN_FOR = timedelta(days=7)
"""How many days a change is shown."""


@asynccontextmanager
async def watched(context: Context) -> AsyncIterator[None]:
    """Note whether what happens inside moves the daily allowance; without a plan there is none.

    What happens inside may be what mends the data, so it never fails for want of an allowance before it.
    """
    try:
        planned = await _known_before(context)
    except Exception:
        log.exception("The daily allowance before an event could not be worked out.")
        planned = False
    with context.allowances.event(context.caller.owner):
        yield
        if not planned:
            return
        try:
            await _note_difference(context)
        except Exception:
            # What happened has been committed, and must not be told as failed for want of this note.
            log.exception("Whether the daily allowance moved could not be noted.")


async def _known_before(context: Context) -> bool:
    """See to it that the allowance before an event is known; without a plan there is none."""
    owner, kept = context.caller.owner, context.allowances
    if kept.known(context.asking) is not None:
        return True
    generation, _ = await context.store.read(lambda c: people.generation_of(c, owner))
    if kept.known(context.asking, generation) is not None:
        return True
    before = await _worked_out(context)
    if before is not None:
        kept.learn(owner, before)
    return before is not None


async def _note_difference(context: Context) -> None:
    owner, now, kept = context.caller.owner, context.milliseconds(), context.allowances
    after = await _worked_out(context)
    moved = None if after is None else kept.moved(owner, after)
    if after is None or moved is None:
        return

    def note(connection: Connection) -> int:
        note_change(connection, owner, now, *moved)
        return people.generation_of(connection, owner)[0]

    kept.noted(owner, after, await context.store.write(note))


def note_change(connection: Connection, owner: int, at: int, before: int, after: int) -> None:
    """Keep an event that moved the allowance; one that did not is not kept."""
    if before != after:
        values = {
            "id": new_id("chg"),
            "owner_no": owner,
            "at": at,
            "before": before,
            "after": after,
        }
        table.save_change(connection, values)
        people.raise_generation(connection, owner, rows=False)


def last_change(connection: Connection, owner: int, today: date) -> Change | None:
    """The last event of the past week that moved the allowance; what it is follows from the day."""
    since = datetime.combine(today - SHOWN_FOR, time.min, UTC)
    found = table.last_change(connection, owner, int(since.timestamp() * 1000))
    if found is None:
        return None
    change_id, at, before, after = found
    return Change(id=change_id, at=at, before=before, after=after)


async def _worked_out(context: Context) -> Daily | None:
    """The daily allowance as the data are now, or later."""
    return await context.allowances.worked_out(
        context.caller.owner, lambda: context.think(partial(_daily, asking=context.asking))
    )


def _daily(connection: Connection, asking: Asking) -> Daily | None:
    """The daily allowance by the newest plan; None without a plan."""
    newest = table.list_plans(connection, asking.owner, 1)
    if not newest:
        return None
    plan = Plan.model_validate_json(newest[0][1])
    ledger, books, today = standing(connection, asking)
    amount = live_snapshot(ledger, books, plan, today).allowance.daily
    generation, time_zone = people.generation_of(connection, asking.owner)
    return Daily(generation, time_zone, today, newest[0][0], amount)
