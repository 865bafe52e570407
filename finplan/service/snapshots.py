"""The live money view, and what the person owns and owes."""

import asyncio
from dataclasses import replace

from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.snapshot import IncomeRequest, Snapshot
from finplan.model.wealth import Wealth
from finplan.plan.allowance import live_snapshot
from finplan.plan.bookkeeping import keep_books
from finplan.plan.wealth import wealth
from finplan.service.allowance import last_change, note_change
from finplan.service.core import Context
from finplan.service.household import load_ledger
from finplan.service.plans import plan_or_build
from finplan.store import people


async def show_snapshot(context: Context, ask: Nothing) -> Snapshot:
    """What is safe to spend now; the first plan is built when there is none. Raises NoConnections."""
    owner = context.caller.owner
    stored = await plan_or_build(context, ask)
    ledger = await context.store.read(lambda c: load_ledger(c, owner))
    today = context.today(ledger.settings.time_zone)
    change = await context.store.read(lambda c: last_change(c, owner, today))

    def compute() -> Snapshot:
        return live_snapshot(ledger, keep_books(ledger, today), stored.plan, today, change)

    return await asyncio.to_thread(compute)


async def set_income(context: Context, ask: IncomeRequest) -> Snapshot:
    """Set the person's own figure of monthly income; null returns to the detected one."""
    owner = context.caller.owner
    # A plan that has to be built first is no reply to this question.
    stored = await plan_or_build(replace(context, keep_reply=None), Nothing())
    ledger = await context.store.read(lambda c: load_ledger(c, owner))
    today = context.today(ledger.settings.time_zone)

    def compute() -> tuple[int, Snapshot]:
        books = keep_books(ledger, today)
        before = live_snapshot(ledger, books, stored.plan, today).allowance.daily
        told = replace(ledger, monthly_income=ask.monthly)
        return before, live_snapshot(told, books, stored.plan, today)

    before, after = await asyncio.to_thread(compute)

    def save(connection: Connection) -> Snapshot:
        people.change_person(connection, owner, {"monthly_income": ask.monthly})
        people.raise_generation(connection, owner)
        note_change(connection, owner, context.milliseconds(), before, after.allowance.daily)
        return after.model_copy(update={"change": last_change(connection, owner, today)})

    return await context.commit(save)


async def show_wealth(context: Context, _ask: Nothing) -> Wealth:
    """Balances today and the history of net worth."""
    ledger = await context.store.read(lambda c: load_ledger(c, context.caller.owner))
    today = context.today(ledger.settings.time_zone)
    return await asyncio.to_thread(wealth, ledger, today)
