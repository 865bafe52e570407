"""The days ahead of a person's cash."""

from functools import partial

from sqlalchemy import Connection

from finplan.model.balances import Forecast, ForecastQuery
from finplan.plan.live.forecast import forecast
from finplan.plan.live.view import live_view
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.derived.books import household_of, plan_that_holds
from finplan.service.ledger.inference import compute_inferred
from finplan.service.planning.plans import must_have_plan


async def show_forecast(context: Context, ask: ForecastQuery) -> Forecast:
    """The days ahead; the first plan is built when there is none. Raises NoConnections."""
    await must_have_plan(context)
    return await compute_inferred(context, partial(_forecast, asker=context.asker, days=ask.days))


def _forecast(connection: Connection, asker: Asker, days: int) -> Forecast:
    """The days ahead by the plan that holds, as the live view rests on it."""
    ledger, books, today = household = household_of(connection, asker)
    stored = plan_that_holds(connection, asker, household)
    assert stored is not None, "The first plan was built before."
    return forecast(ledger, books, live_view(ledger, books, stored.plan, today), days)
