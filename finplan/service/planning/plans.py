"""Building plans, and showing the ones that were built."""

from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.errors import NoConnections, NotFound
from finplan.model.plan import DataAge, Plan, StoredPlan
from finplan.model.snapshot import PlanView
from finplan.plan.advise.tasks import open_tasks
from finplan.plan.build import assess, plan_of
from finplan.plan.detect.bookkeeping import keep_books
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.allowance import live_snapshot
from finplan.service.asker import Asking
from finplan.service.context import Context
from finplan.service.derived.allowance import last_change, note_change
from finplan.service.derived.standing import standing
from finplan.store.queries import connections, people
from finplan.store.queries import plans as table

SHOWN = 100
"""How many of the newest plans the history answers."""


async def build_plan(context: Context, _ask: Nothing) -> StoredPlan:
    """Build a plan from everything that is known now, and keep it. Raises NoConnections."""
    owner = context.caller.owner
    worked_out = await work_out(context)
    now = context.milliseconds()
    stored = await context.commit(lambda c: save_worked_out(c, owner, worked_out, now))
    context.allowances.forget(owner)
    return stored


class WorkedOut(NamedTuple):
    """A plan, and the daily allowance by the former plan and by this one; None without a former."""

    plan: Plan
    moved: tuple[int, int] | None


async def work_out(context: Context) -> WorkedOut:
    """Work a plan out from everything that is known now. Raises NoConnections."""
    return await context.think(partial(_work_out, asking=context.asking))


def save_worked_out(
    connection: Connection, owner: int, worked_out: WorkedOut, now: int
) -> StoredPlan:
    """Keep a plan, and whether it moved the daily allowance."""
    plan, moved = worked_out
    # Working a plan out takes a while, in which the person may have been deleted.
    people.get_person(connection, owner)
    created_at = table.save_plan(connection, owner, now, plan.model_dump_json())
    people.raise_generation(connection, owner, rows=False)
    if moved is not None:
        note_change(connection, owner, created_at, *moved)
    return StoredPlan(plan=plan, created_at=created_at)


def must_have_connections(connection: Connection, owner: int) -> None:
    """Raise NoConnections where there is nothing to plan with."""
    if not connections.list_connections(connection, owner):
        raise NoConnections(
            "There is nothing to plan with yet. Import a statement with `finplan import FILE`, or try"
            " the demo household with `finplan --demo plan build`."
        )


def plan_of_instant(connection: Connection, owner: int, created_at: int) -> StoredPlan:
    """The plan that was created at an instant."""
    return _stored(created_at, table.plan_body(connection, owner, created_at))


async def show_plan(context: Context, _ask: Nothing) -> StoredPlan:
    """The latest plan. Raises NotFound when none was built."""
    stored = await context.store.read(lambda c: latest_plan(c, context.caller.owner))
    if stored is None:
        raise NotFound("No plan was built yet. `finplan plan build` builds one.")
    return stored


async def list_plans(context: Context, _ask: Nothing) -> tuple[StoredPlan, ...]:
    """The newest plans, newest first, at most a hundred."""
    rows = await context.store.read(lambda c: table.list_plans(c, context.caller.owner, SHOWN))
    return tuple(_stored(*row) for row in rows)


async def view_plan(context: Context, ask: Nothing) -> PlanView:
    """The latest plan with all that a page about it shows, which is of one moment.

    It is built first if there is none, or if another one would be built of the data there are now.
    """
    stored = await plan_or_build(context, ask)
    view = await context.think(partial(_view, asking=context.asking, stored=stored))
    if view.plan_holds:
        return view.page
    stored = await build_plan(context, ask)
    return (await context.think(partial(_view, asking=context.asking, stored=stored))).page


async def plan_or_build(context: Context, ask: Nothing) -> StoredPlan:
    """The latest plan; the first one is built when it is first needed."""
    stored = await context.store.read(lambda c: latest_plan(c, context.caller.owner))
    return stored or await build_plan(context, ask)


def latest_plan(connection: Connection, owner: int) -> StoredPlan | None:
    """The newest plan of a person."""
    return next((_stored(*row) for row in table.list_plans(connection, owner, 1)), None)


def data_ages(ledger: Ledger) -> tuple[DataAge, ...]:
    """How fresh each connection's data are."""
    return tuple(
        DataAge(
            connection_id=connection.id,
            institution_name=connection.institution,
            last_synced_at=connection.last_synced_at,
        )
        for connection in ledger.connections
    )


def _work_out(connection: Connection, asking: Asking) -> WorkedOut:
    must_have_connections(connection, asking.owner)
    former = latest_plan(connection, asking.owner)
    ledger, books, today = standing(connection, asking)
    plan = plan_of(assess(ledger, books, today))
    if former is None:
        return WorkedOut(plan, None)
    before = live_snapshot(ledger, books, former.plan, today).allowance.daily
    return WorkedOut(plan, (before, live_snapshot(ledger, books, plan, today).allowance.daily))


class _View(NamedTuple):
    """A page about a plan, and whether the data of now still come to that plan."""

    page: PlanView
    plan_holds: bool


def _view(connection: Connection, asking: Asking, stored: StoredPlan) -> _View:
    ledger, books, today = standing(connection, asking)
    change = last_change(connection, asking.owner, today)
    page = PlanView(
        plan=stored.plan,
        created_at=stored.created_at,
        snapshot=live_snapshot(ledger, books, stored.plan, today, change),
        open_tasks=open_tasks(ledger, books, today),
        data_age=data_ages(ledger),
    )
    # The day alone makes no plan stale: it is compared with the plan of the day it was built on.
    built = stored.plan.generated_on
    then = books if built == today else keep_books(ledger, built)
    return _View(page, plan_of(assess(ledger, then, built)) == stored.plan)


def _stored(created_at: int, body: str) -> StoredPlan:
    return StoredPlan(plan=Plan.model_validate_json(body), created_at=created_at)
