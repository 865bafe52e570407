"""Building plans, and showing the ones that were built."""

from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.errors import NoConnections, NotFound
from finplan.model.plan import DataAge, Plan, StoredPlan
from finplan.model.snapshot import PlanView
from finplan.plan.advise.shortfall import running_month
from finplan.plan.advise.tasks import open_tasks
from finplan.plan.build import assess, plan_of
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.standing import take_standing
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.derived.books import (
    Household,
    household_of,
    newest_plan,
    plan_that_holds,
    stored_plan,
)
from finplan.service.derived.changes import note_what_is_shown, with_change
from finplan.service.ledger.inference import compute_inferred
from finplan.service.outbox.news import tell_of_plan
from finplan.store.queries import connections, people
from finplan.store.queries import plans as table
from finplan.store.queries.plans import ShownDaily

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
    people.note_event(connection, owner, now, data=False)
    created_at = table.save_plan(connection, owner, now, plan.model_dump_json(), data_no)
    people.raise_generation(connection, owner, rows=False)
    tell_of_plan(connection, owner, plan, created_at, now)
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
    return stored_plan(created_at, table.plan_body(connection, owner, created_at))


async def show_plan(context: Context, _ask: Nothing) -> StoredPlan:
    """The latest plan. Raises NotFound when none was built."""
    stored = await context.store.read(lambda c: newest_plan(c, context.caller.owner))
    if stored is None:
        raise NotFound("No plan was built yet. `finplan plan build` builds one.")
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
    note_what_is_shown(context, news)
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


def _work_out(connection: Connection, asker: Asker) -> WorkedOut:
    must_have_connections(connection, asker.owner)
    event = people.last_event(connection, asker.owner)
    return WorkedOut(plan_of(assess(*household_of(connection, asker))), event.data_no)


def view_of(
    connection: Connection, asker: Asker, household: Household
) -> tuple[PlanView, ShownDaily | None]:
    """The view of a household that has a plan, and what it shows that is to be noted."""
    ledger, books, today = household
    stored = plan_that_holds(connection, asker, household)
    assert stored is not None, "The first plan was built before."
    snapshot = live_snapshot(ledger, books, stored.plan, today)
    shown = with_change(connection, asker, today, snapshot)
    page = PlanView(
        plan=stored.plan,
        running=running_month(ledger, books, today),
        created_at=stored.created_at,
        standing=take_standing(ledger, books).view(),
        snapshot=shown.snapshot,
        open_tasks=open_tasks(ledger, books, today),
        data_age=data_ages(ledger),
    )
    return page, shown.news


def _view(connection: Connection, asker: Asker) -> tuple[PlanView, ShownDaily | None]:
    return view_of(connection, asker, household_of(connection, asker))
