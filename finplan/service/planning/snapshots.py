"""The live money view, and what the person owns and owes."""

from dataclasses import replace
from datetime import date
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.plan import Plan
from finplan.model.snapshot import IncomeRequest, Snapshot
from finplan.model.wealth import Wealth
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.wealth import wealth
from finplan.service.asker import Asking
from finplan.service.context import Context
from finplan.service.derived.allowance import last_change, note_change
from finplan.service.derived.standing import ledger_of, standing
from finplan.service.planning.plans import plan_or_build
from finplan.store.queries import people


async def show_snapshot(context: Context, ask: Nothing) -> Snapshot:
    """What is safe to spend now; the first plan is built when there is none. Raises NoConnections."""
    stored = await plan_or_build(context, ask)
    return await context.think(partial(_snapshot, asking=context.asking, plan=stored.plan))


async def set_income(context: Context, ask: IncomeRequest) -> Snapshot:
    """Set the person's own figure of monthly income; null returns to the detected one."""
    owner = context.caller.owner
    # A plan that has to be built first is no reply to this question.
    stored = await plan_or_build(replace(context, keep_reply=None), Nothing())
    asking = context.asking
    told = await context.think(
        partial(_told, asking=asking, plan=stored.plan, monthly_income=ask.monthly)
    )

    def save(connection: Connection) -> Snapshot:
        people.change_person(connection, owner, {"monthly_income": ask.monthly})
        people.raise_generation(connection, owner, rows=False)
        note_change(
            connection, owner, asking.milliseconds(), told.before, told.after.allowance.daily
        )
        change = last_change(connection, owner, told.today)
        return told.after.model_copy(update={"change": change})

    snapshot = await context.commit(save)
    context.allowances.forget(owner)
    return snapshot


async def show_wealth(context: Context, _ask: Nothing) -> Wealth:
    """Balances today and the history of net worth."""
    return await context.think(partial(_wealth, asking=context.asking))


class _Told(NamedTuple):
    """The daily allowance before the person told an income, the snapshot with it, and the day."""

    before: int
    after: Snapshot
    today: date


def _told(connection: Connection, asking: Asking, plan: Plan, monthly_income: int | None) -> _Told:
    ledger, books, today = standing(connection, asking)
    before = live_snapshot(ledger, books, plan, today).allowance.daily
    told = replace(ledger, monthly_income=monthly_income)
    return _Told(before, live_snapshot(told, books, plan, today), today)


def _snapshot(connection: Connection, asking: Asking, plan: Plan) -> Snapshot:
    ledger, books, today = standing(connection, asking)
    change = last_change(connection, asking.owner, today)
    return live_snapshot(ledger, books, plan, today, change)


def _wealth(connection: Connection, asking: Asking) -> Wealth:
    return wealth(*ledger_of(connection, asking))
