"""Builds that go on by themselves: asked for, joined, followed.

A build that waits has read nothing yet, so whoever asks meanwhile joins it. One that runs may have read
the ledger before what the asker has just changed, so one more is made after it.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing, Wire
from finplan.model.errors import ErrorEnvelope, Fault, NotFound, StorageFull, StoreDamaged
from finplan.model.job import Build, BuildId
from finplan.model.plan import StoredPlan
from finplan.operation import Event, EventStream
from finplan.service.context import Context
from finplan.service.ids import new_id
from finplan.service.planning.plans import (
    must_have_connections,
    plan_of_instant,
    save_worked_out,
    work_out,
)
from finplan.store.queries import plans as table

STEPS = ("Waiting to begin", "Working the plan out", "Done")
"""What a build is at, by how many of its steps are done."""

RETRY = 1.0
"""How often it is tried to say that a build failed while the disk is full, in seconds."""

log = logging.getLogger(__name__)

_ENDED = ErrorEnvelope(
    defined=False,
    code="INTERNAL_SERVER_ERROR",
    status=500,
    message="The daemon ended before this build did. Start another one.",
)
_STUMBLED = ErrorEnvelope(
    defined=False,
    code="INTERNAL_SERVER_ERROR",
    status=500,
    message="The daemon stumbled over this build; `finplan daemon logs` shows where.",
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
        return _build(waiting)

    build = await context.commit(join_or_queue)
    alone = replace(context, keep_reply=None)
    context.background.ensure(f"builds of person {owner}", partial(_build_waiting, alone))
    return build


async def show_build(context: Context, ask: BuildId) -> Build:
    """How a build stands."""
    return await context.store.read(lambda c: _find(c, context.caller.owner, ask.id))


async def stream_build(context: Context, ask: Nothing) -> EventStream:
    """Have a plan built, and tell how it goes until it is there. Raises NoConnections."""
    build = await start_build(context, ask)
    return EventStream(_events(context, build.id))


def fail_unfinished(connection: Connection, now: int) -> None:
    """Note of the builds that a daemon left behind that they have failed; for a daemon's start."""
    table.fail_unfinished(connection, now, _ENDED.model_dump_json())


async def _events(context: Context, build_id: str) -> AsyncGenerator[Event, None]:
    owner = context.caller.owner
    told: Build | None = None
    while True:
        news = context.background.news()
        build = await context.store.read(lambda c: _find(c, owner, build_id))
        if build != told:
            yield Event("message", build)
            told = build
        if build.status in {"succeeded", "failed"}:
            yield await _outcome(context, build)
            return
        await news.wait()


async def _outcome(context: Context, build: Build) -> Event:
    if build.error is not None:
        return Event("error", build.error)
    owner, created_at = context.caller.owner, build.plan_created_at or 0
    made: Wire = await context.store.read(lambda c: plan_of_instant(c, owner, created_at))
    return Event("done", made)


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
    except Fault as fault:
        envelope = ErrorEnvelope(
            defined=True,
            code=fault.code,
            status=fault.status,
            message=fault.message,
            data=fault.data,
        )
        await _fail(context, no, envelope)
    except Exception:
        log.exception("A build failed in a way that nobody foresaw.")
        await _fail(context, no, _STUMBLED)


async def _fail(context: Context, no: int, envelope: ErrorEnvelope) -> None:
    now, error = context.milliseconds(), envelope.model_dump_json()
    while True:
        try:
            await context.store.write(
                lambda c: table.finish_build(c, no, "failed", now, error=error)
            )
        except StorageFull:
            # A build must not seem to run for ever, so this is said as soon as there is room.
            await asyncio.sleep(RETRY)
        except StoreDamaged:
            # The next start of a whole store ends it.
            return
        else:
            return


def _find(connection: Connection, owner: int, build_id: str) -> Build:
    row = table.find_build(connection, owner, build_id)
    if row is None:
        raise NotFound(f"There is no build {build_id}. The last hundred are kept.")
    return _build(row)


def _build(row: RowMapping) -> Build:
    done = {"queued": 0, "running": 1, "succeeded": 2, "failed": 1}[row["status"]]
    error = row["error"]
    return Build(
        id=row["id"],
        status=row["status"],
        step=STEPS[done],
        done=done,
        total=len(STEPS) - 1,
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        plan_created_at=row["plan_created_at"],
        error=None if error is None else ErrorEnvelope.model_validate_json(error),
    )
