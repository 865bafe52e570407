"""Building plans, and showing the ones that were built.

A build may go on by itself: it is asked for, joined and followed. One that waits has read nothing yet,
so whoever asks meanwhile joins it. One that runs may have read the ledger before what the asker has
just changed, so one more is made after it.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping

from finplan.model import errors
from finplan.model.base import Nothing
from finplan.model.job import Build, BuildId
from finplan.model.plan import DataAge, Plan, StoredPlan
from finplan.model.snapshot import PlanView
from finplan.operation import Event, EventStream
from finplan.plan.advise.shortfall import running_month
from finplan.plan.advise.tasks import open_tasks
from finplan.plan.build import assess, plan_of
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.standing import take_standing
from finplan.service.context import Asker, Context
from finplan.service.derived.books import (
    Household,
    first_plan_built,
    household_of,
    newest_plan,
    plan_that_holds,
    stored_plan,
)
from finplan.service.derived.changes import note_daily_amount, with_change
from finplan.service.ids import new_id
from finplan.service.ledger.categorisation import compute_inferred
from finplan.service.outbox import tell_of_plan
from finplan.store.queries import connections, people, plans as table

SHOWN = 100
"""How many of the newest plans the history answers."""


async def build_plan(context: Context, _ask: Nothing) -> StoredPlan:
    """Build a plan from everything that is known now, and keep it. Raises NoConnections."""
    owner = context.caller.owner
    worked_out = await work_out(context)
    now = context.milliseconds()
    return await context.commit(lambda c: save_worked_out(c, owner, worked_out, now))


class WorkedOut(NamedTuple):
    """A plan, and the number of the newest change of data that it knows of."""

    plan: Plan
    data_no: int


async def work_out(context: Context) -> WorkedOut:
    """Work a plan out from everything that is known now. Raises NoConnections."""
    return await compute_inferred(context, partial(_work_out, asker=context.asker))


def save_worked_out(
    connection: Connection, owner: int, worked_out: WorkedOut, now: int
) -> StoredPlan:
    """Keep a plan that was worked out, and tell webhooks of it.

    That it was is an event at the instant `now`, in ms.
    """
    # Working a plan out takes a while, in which the person may have been deleted.
    people.get_person(connection, owner)
    plan, data_no = worked_out
    people.note_plan_built(connection, owner, now)
    created_at = table.save_plan(connection, owner, now, plan.model_dump_json(), data_no)
    tell_of_plan(connection, owner, plan, created_at, now)
    return StoredPlan(plan=plan, created_at=created_at)


def must_have_connections(connection: Connection, owner: int) -> None:
    """Raise NoConnections where there is nothing to plan with."""
    if not connections.list_connections(connection, owner):
        raise errors.NoConnections(
            "No data to plan with yet. Import a statement with `finplan import FILE`, or try the demo"
            " household with `finplan --demo plan build`."
        )


async def show_plan(context: Context, _ask: Nothing) -> StoredPlan:
    """The latest plan. Raises NotFound when none was built."""
    stored = await context.store.read(lambda c: newest_plan(c, context.caller.owner))
    if stored is None:
        raise errors.NotFound("No plan yet. Build one with `finplan plan build`.")
    return stored


async def list_plans(context: Context, _ask: Nothing) -> tuple[StoredPlan, ...]:
    """The newest plans, newest first, at most a hundred."""
    rows = await context.store.read(lambda c: table.list_plans(c, context.caller.owner, SHOWN))
    return tuple(stored_plan(*row) for row in rows)


async def view_plan(context: Context, _ask: Nothing) -> PlanView:
    """The plan that holds with all that a page about it shows, which is of one moment.

    The first plan is built when there is none. Raises NoConnections.
    """
    await must_have_plan(context)
    page, news = await compute_inferred(context, partial(_view, asker=context.asker))
    note_daily_amount(context, news)
    return page


async def must_have_plan(context: Context) -> None:
    """Build the first plan where there is none. Raises NoConnections."""
    owner = context.caller.owner
    if await context.store.read(lambda c: table.is_planned(c, owner)):
        return
    worked_out, now = await work_out(context), context.milliseconds()

    def save(connection: Connection) -> None:
        # Whoever looks at several things at first asks for one plan.
        if not table.is_planned(connection, owner):
            save_worked_out(connection, owner, worked_out, now)

    await context.store.write(save)


def _work_out(connection: Connection, asker: Asker) -> WorkedOut:
    must_have_connections(connection, asker.owner)
    event = people.last_event(connection, asker.owner)
    return WorkedOut(plan_of(assess(*household_of(connection, asker))), event.data_no)


def view_of(
    connection: Connection, asker: Asker, household: Household
) -> tuple[PlanView, table.ShownDaily | None]:
    """The view of a household that has a plan, and what it shows that is to be noted."""
    ledger, books, today = household
    stored = first_plan_built(plan_that_holds(connection, asker, household))
    snapshot = live_snapshot(ledger, books, stored.plan, today)
    current = with_change(connection, asker, today, snapshot)
    page = PlanView(
        plan=stored.plan,
        running=running_month(ledger, books, today),
        created_at=stored.created_at,
        standing=take_standing(ledger, books).view(),
        snapshot=current.snapshot,
        open_tasks=open_tasks(ledger, books, today),
        data_age=tuple(
            DataAge.of(bank, connection_id=bank.id, institution_name=bank.institution)
            for bank in ledger.connections
        ),
    )
    return page, current.news


def _view(connection: Connection, asker: Asker) -> tuple[PlanView, table.ShownDaily | None]:
    return view_of(connection, asker, household_of(connection, asker))


STEPS_OF_BUILD = ("Waiting to start", "Building the plan", "Done")
"""What a build is at, by how many of its steps are done."""

RETRY_TO_FAIL = 1.0
"""How often it is tried to say that a build failed while the disk is full, in seconds."""

log = logging.getLogger(__name__)

_STUMBLED = errors.ErrorEnvelope(
    defined=False,
    code="INTERNAL_SERVER_ERROR",
    status=500,
    message="finplan could not build the plan. `finplan daemon logs` shows why.",
)
_ENDED = _STUMBLED.model_copy(
    update={"message": "The background service stopped before the plan was built. Build it again."}
)


async def start_build(context: Context, _ask: Nothing) -> Build:
    """Have a plan built in the background; answers the build to ask for. Raises NoConnections."""
    owner = context.caller.owner

    def join_or_queue(connection: Connection) -> Build:
        must_have_connections(connection, owner)
        waiting = table.waiting_build(connection, owner)
        if waiting is None:
            now = context.milliseconds()
            waiting = table.add_build(connection, owner, new_id("bld"), now)
        return _shown_build(waiting)

    build = await context.commit(join_or_queue)
    alone = replace(context, keep_reply=None)
    context.background.ensure(f"builds of person {owner}", partial(_build_waiting, alone))
    return build


async def show_build(context: Context, ask: BuildId) -> Build:
    """How a build stands."""
    return await context.store.read(lambda c: _find_build(c, context.caller.owner, ask.id))


async def stream_build(context: Context, ask: Nothing) -> EventStream:
    """Have a plan built, and tell how it goes until it is there. Raises NoConnections."""
    build = await start_build(context, ask)
    return EventStream(_events_of_build(context, build.id))


def fail_unfinished_builds(connection: Connection, now: int) -> None:
    """Note of the builds that a daemon left behind that they have failed; for a daemon's start."""
    table.fail_unfinished(connection, now, _ENDED.model_dump_json())


async def _events_of_build(context: Context, build_id: str) -> AsyncGenerator[Event, None]:
    owner = context.caller.owner
    latest: Build | None = None
    while True:
        news = context.background.news()
        build = await context.store.read(lambda c: _find_build(c, owner, build_id))
        if build != latest:
            yield Event("message", build)
            latest = build
        if build.status in {"succeeded", "failed"}:
            yield await _outcome_of_build(context, build)
            return
        await news.wait()


async def _outcome_of_build(context: Context, build: Build) -> Event:
    if build.error is not None:
        return Event("error", build.error)
    owner, created_at = context.caller.owner, build.plan_created_at or 0
    body = await context.store.read(lambda c: table.plan_body(c, owner, created_at))
    return Event("done", stored_plan(created_at, body))


async def _build_waiting(context: Context) -> None:
    """Build for a person until no build waits."""
    owner = context.caller.owner
    while (no := await context.store.write(lambda c: table.begin_waiting(c, owner))) is not None:
        context.background.stir()
        await _build_one(context, no)
        context.background.stir()


async def _build_one(context: Context, no: int) -> None:
    owner = context.caller.owner
    try:
        worked_out = await work_out(context)

        def save(connection: Connection) -> None:
            now = context.milliseconds()
            stored: StoredPlan = save_worked_out(connection, owner, worked_out, now)
            table.finish_build(connection, no, "succeeded", now, plan_created_at=stored.created_at)

        await context.store.write(save)
    except errors.Fault as fault:
        await _fail_build(context, no, errors.ErrorEnvelope.of(fault, defined=True))
    except Exception:
        log.exception("A build failed unexpectedly.")
        await _fail_build(context, no, _STUMBLED)


async def _fail_build(context: Context, no: int, envelope: errors.ErrorEnvelope) -> None:
    now, error = context.milliseconds(), envelope.model_dump_json()
    while True:
        try:
            await context.store.write(
                lambda c: table.finish_build(c, no, "failed", now, error=error)
            )
        except errors.StorageFull:
            # A build must not seem to run for ever, so this is said as soon as there is room.
            await asyncio.sleep(RETRY_TO_FAIL)
        except errors.StoreDamaged:
            # The next start of a whole store ends it.
            return
        else:
            return


def _find_build(connection: Connection, owner: int, build_id: str) -> Build:
    row = table.find_build(connection, owner, build_id)
    if row is None:
        raise errors.NotFound(f"Unknown build {build_id}. finplan keeps the last hundred builds.")
    return _shown_build(row)


def _shown_build(row: RowMapping) -> Build:
    done = {"queued": 0, "running": 1, "succeeded": 2, "failed": 1}[row["status"]]
    error = row["error"]
    failure = None if error is None else errors.ErrorEnvelope.model_validate_json(error)
    step, total = STEPS_OF_BUILD[done], len(STEPS_OF_BUILD) - 1
    return Build.of(row, step=step, done=done, total=total, error=failure)
