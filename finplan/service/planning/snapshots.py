"""The live money view, and what the person owns and owes."""

from dataclasses import replace
from datetime import date
from functools import partial

from sqlalchemy import Connection

from finplan.model.balances import Wealth
from finplan.model.base import Nothing
from finplan.model.snapshot import IncomeRequest, Snapshot
from finplan.plan.build import assess, plan_of
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.wealth import wealth
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.derived.books import household_of, plan_that_holds
from finplan.service.derived.changes import ShownSnapshot, note_what_is_shown, with_change
from finplan.service.ledger.inference import compute_inferred
from finplan.service.planning.plans import must_have_plan
from finplan.store.queries import people
from finplan.store.queries.plans import note_shown


async def show_snapshot(context: Context, _ask: Nothing) -> Snapshot:
    """What is safe to spend now; the first plan is built when there is none. Raises NoConnections."""
    await must_have_plan(context)
    shown = await compute_inferred(context, partial(shown_snapshot, asker=context.asker))
    note_what_is_shown(context, shown.news)
    return shown.snapshot


async def set_income(context: Context, ask: IncomeRequest) -> Snapshot:
    """Set the person's own figure of monthly income; null returns to the detected one."""
    owner, asker = context.caller.owner, context.asker
    await must_have_plan(context)
    snapshot, today = await compute_inferred(
        context, partial(_with_income, asker=asker, monthly_income=ask.monthly)
    )

    def save(connection: Connection) -> Snapshot:
        people.change_person(connection, owner, {"monthly_income": ask.monthly})
        people.raise_generation(connection, owner, rows=False)
        people.note_event(connection, owner, asker.milliseconds())
        shown = with_change(connection, asker, today, snapshot)
        if shown.news is not None:
            note_shown(connection, owner, shown.news)
        return shown.snapshot

    return await context.commit(save)


async def show_wealth(context: Context, _ask: Nothing) -> Wealth:
    """Balances today and the history of net worth."""
    return await context.store.compute(partial(_wealth, asker=context.asker))


def shown_snapshot(connection: Connection, asker: Asker) -> ShownSnapshot:
    """The live view of a person who has a plan, by the plan that holds."""
    ledger, books, today = household = household_of(connection, asker)
    stored = plan_that_holds(connection, asker, household)
    assert stored is not None, "The first plan was built before."
    return with_change(connection, asker, today, live_snapshot(ledger, books, stored.plan, today))


def _with_income(
    connection: Connection, asker: Asker, monthly_income: int | None
) -> tuple[Snapshot, date]:
    """The live view if the person's own figure of income were this one, and its day."""
    ledger, books, today = household_of(connection, asker)
    told = replace(ledger, monthly_income=monthly_income)
    plan = plan_of(assess(told, books, today))
    return live_snapshot(told, books, plan, today), today


def _wealth(connection: Connection, asker: Asker) -> Wealth:
    household = household_of(connection, asker)
    return wealth(household.ledger, household.today)
