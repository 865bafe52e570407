"""The plan and what its pictures are drawn from, all of one moment: for pages, not for the wire."""

from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from finplan.model.balances import USUAL_DAYS_AHEAD, Forecast, Wealth
from finplan.model.base import Nothing
from finplan.model.snapshot import PlanView
from finplan.plan.live.forecast import forecast
from finplan.plan.live.view import live_view
from finplan.plan.sections.monthly import MonthFlow, month_flows
from finplan.plan.sections.wealth import wealth
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.derived.books import household_of
from finplan.service.derived.changes import note_what_is_shown
from finplan.service.ledger.inference import compute_inferred
from finplan.service.planning.plans import must_have_plan, view_of
from finplan.store.queries.plans import ShownDaily


@dataclass(frozen=True, slots=True)
class PicturedPlan:
    """The view of a plan, the history of net worth, income and spending by month, and the days ahead."""

    view: PlanView
    wealth: Wealth
    months: tuple[MonthFlow, ...]
    forecast: Forecast


async def pictured_plan(context: Context, _ask: Nothing) -> PicturedPlan:
    """As `view_plan`, with what a page draws besides. Raises NoConnections."""
    await must_have_plan(context)
    page, news = await compute_inferred(context, partial(_pictured, asker=context.asker))
    note_what_is_shown(context, news)
    return page


def _pictured(connection: Connection, asker: Asker) -> tuple[PicturedPlan, ShownDaily | None]:
    ledger, books, today = household = household_of(connection, asker)
    view, news = view_of(connection, asker, household)
    live = live_view(ledger, books, view.plan, today)
    page = PicturedPlan(
        view=view,
        wealth=wealth(ledger, today),
        months=month_flows(ledger, books, today),
        forecast=forecast(ledger, books, live, USUAL_DAYS_AHEAD),
    )
    return page, news
