"""The live money view, and what the person owns and owes."""

from functools import partial

from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.plan import Plan
from finplan.model.snapshot import IncomeRequest, Snapshot
from finplan.model.wealth import Wealth
from finplan.plan.allowance import live_snapshot
from finplan.plan.bookkeeping import keep_books
from finplan.plan.wealth import wealth
from finplan.service.allowance import last_change, watched
from finplan.service.core import Asking, Context
from finplan.service.household import load_ledger
from finplan.service.plans import plan_or_build
from finplan.store import people


async def show_snapshot(context: Context, ask: Nothing) -> Snapshot:
    """What is safe to spend now; the first plan is built when there is none. Raises NoConnections."""
    stored = await plan_or_build(context, ask)
    return await context.think(partial(_snapshot, asking=context.asking, plan=stored.plan))


async def set_income(context: Context, ask: IncomeRequest) -> Snapshot:
    """Set the person's own figure of monthly income; null returns to the detected one."""
    owner = context.caller.owner

    def save(connection: Connection) -> None:
        people.change_person(connection, owner, {"monthly_income": ask.monthly})
        people.raise_generation(connection, owner)

    async with watched(context):
        await context.store.write(save)
    return await show_snapshot(context, Nothing())


async def show_wealth(context: Context, _ask: Nothing) -> Wealth:
    """Balances today and the history of net worth."""
    return await context.think(partial(_wealth, asking=context.asking))


def _snapshot(connection: Connection, asking: Asking, plan: Plan) -> Snapshot:
    ledger = load_ledger(connection, asking.owner)
    change = last_change(connection, asking.owner, asking.milliseconds())
    today = asking.today(ledger.settings.time_zone)
    return live_snapshot(ledger, keep_books(ledger, today), plan, today, change)


def _wealth(connection: Connection, asking: Asking) -> Wealth:
    ledger = load_ledger(connection, asking.owner)
    return wealth(ledger, asking.today(ledger.settings.time_zone))
