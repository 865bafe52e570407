"""What moved the daily allowance, and the plan that follows from news once they have settled.

No event works an allowance out. While an event is the newest, whoever looks is told of the same
change: from what was last shown before it, to what holds now, however many events lie between.
"""

import logging
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.model.errors import StorageFull, StoreDamaged
from finplan.model.snapshot import Change, Snapshot
from finplan.plan.ledger.days import day_of
from finplan.service.context import Asker, Context
from finplan.service.ids import derived_id
from finplan.store.offload import Work
from finplan.store.queries import jobs
from finplan.store.queries.people import LedgerEvent, last_event
from finplan.store.queries.plans import ShownDaily, note_allowance, shown_up_to

SHOWN_FOR = timedelta(days=7)
"""How long ago an allowance may have been shown that a change is told from."""

_AGAIN_AFTER = 24 * 60 * 60 * 1000
"""After how many milliseconds it is noted again that the same allowance was shown."""

log = logging.getLogger(__name__)


class ShownSnapshot(NamedTuple):
    """A snapshot with its change, and what is to be noted of its being shown; None if that is noted."""

    snapshot: Snapshot
    news: ShownDaily | None


def with_change(
    connection: Connection, asker: Asker, today: date, snapshot: Snapshot
) -> ShownSnapshot:
    """A snapshot of now, told with what events did to its daily allowance since one was last shown.

    `change` is null without an event in between, after seven days, in another period, or where nothing
    moved.
    """
    event = last_event(connection, asker.owner)
    noted = shown_up_to(connection, asker.owner, event.number)
    current = ShownDaily(
        event.number,
        asker.milliseconds(),
        day_of(today + timedelta(days=snapshot.allowance.breakdown.days_left)),
        snapshot.allowance.daily,
    )
    before = next((daily for daily in noted if daily.event_no < event.number), None)
    change = None if before is None else _change(event, before, current, today)
    is_noted = bool(noted) and _says_the_same(noted[0], current)
    return ShownSnapshot(
        snapshot.model_copy(update={"change": change}), None if is_noted else current
    )


def note_daily_amount(context: Context, news: ShownDaily | None) -> None:
    """Note what the person is shown, beside the answer: it waits for no import and fails for no disk."""
    owner = context.caller.owner
    if news is not None:
        note = partial(note_allowance, owner=owner, daily=news)
        context.background.ensure(
            f"what person {owner} is shown", partial(_save_note, context, note)
        )


def _change(
    event: LedgerEvent, before: ShownDaily, after: ShownDaily, today: date
) -> Change | None:
    earliest = datetime.combine(today - SHOWN_FOR, time.min, UTC).timestamp() * 1000
    if before.at < earliest or before.period_end != after.period_end or before.daily == after.daily:
        return None
    change_id = derived_id("chg", event.person, event.number)
    return Change(id=change_id, at=event.at, before=before.daily, after=after.daily)


async def _save_note(context: Context, note: Work[None]) -> None:
    try:
        await context.store.write(note)
    except StorageFull:
        log.warning("The disk is full: the amount shown as safe to spend was not saved.")
    except StoreDamaged:
        # The daemon tells of it by itself, and who looks has its answer all the same.
        return


def _says_the_same(noted: ShownDaily, current: ShownDaily) -> bool:
    return noted._replace(at=current.at) == current and current.at - noted.at < _AGAIN_AFTER


SETTLING = 5 * 60_000
"""How long after news of a bank or a file a plan is built by itself, in ms: several make one plan."""


def let_plan_follow(connection: Connection, owner: int, now: int) -> None:
    """Let a plan be built by itself soon after news that came at an instant in ms."""
    jobs.bring_forward(connection, owner, "plan", now + SETTLING)
