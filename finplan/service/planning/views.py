"""Views of a plan with the data of now: live, ahead, in wealth, in pictures, and explained.

What pictures are drawn from is all of one moment: for pages, not for the wire.
"""

from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from sqlalchemy import Connection

from finplan.model import snapshot as snapshots
from finplan.model.base import Nothing
from finplan.model.errors import NoConnections, NotFound
from finplan.model.explain import SECTIONS, Explanation, SectionName
from finplan.plan.build import assess, plan_of
from finplan.plan.explain.sections import explain, find_section, section_names
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.live.forecast import forecast
from finplan.plan.live.view import live_view
from finplan.plan.sections.monthly import MonthFlow, month_flows
from finplan.plan.sections.wealth import wealth
from finplan.service.context import Asker, Context
from finplan.service.derived.books import (
    first_plan_built,
    household_of,
    newest_plan,
    plan_that_holds,
)
from finplan.service.derived.changes import ShownSnapshot, note_daily_amount, with_change
from finplan.service.ledger.categorisation import compute_inferred
from finplan.service.lookup import names_near
from finplan.service.planning.plans import must_have_plan, view_of
from finplan.store.queries import connections, people
from finplan.store.queries.plans import ShownDaily, note_allowance


async def show_snapshot(context: Context, _ask: Nothing) -> snapshots.Snapshot:
    """What is safe to spend now; the first plan is built when there is none. Raises NoConnections."""
    await must_have_plan(context)
    current = await compute_inferred(context, partial(shown_snapshot, asker=context.asker))
    note_daily_amount(context, current.news)
    return current.snapshot


async def set_income(context: Context, ask: snapshots.IncomeRequest) -> snapshots.Snapshot:
    """Set the person's own figure of monthly income; null returns to the detected one."""
    owner, asker = context.caller.owner, context.asker
    await must_have_plan(context)
    snapshot, today = await compute_inferred(
        context, partial(_with_income, asker=asker, monthly_income=ask.monthly)
    )

    def save(connection: Connection) -> snapshots.Snapshot:
        people.change_person(connection, owner, {"monthly_income": ask.monthly})
        people.raise_generation(connection, owner, rows=False)
        people.note_event(connection, owner, asker.milliseconds())
        current = with_change(connection, asker, today, snapshot)
        if current.news is not None:
            note_allowance(connection, owner, current.news)
        return current.snapshot

    return await context.commit(save)


async def show_wealth(context: Context, _ask: Nothing) -> snapshots.Wealth:
    """Balances today and the history of net worth."""
    asker = context.asker
    return await context.store.compute(partial(_wealth, asker=asker), asker.owner)


def shown_snapshot(connection: Connection, asker: Asker) -> ShownSnapshot:
    """The live view of a person who has a plan, by the plan that holds."""
    ledger, books, today = household = household_of(connection, asker)
    stored = first_plan_built(plan_that_holds(connection, asker, household))
    return with_change(connection, asker, today, live_snapshot(ledger, books, stored.plan, today))


def _with_income(
    connection: Connection, asker: Asker, monthly_income: int | None
) -> tuple[snapshots.Snapshot, date]:
    """The live view if the person's own figure of income were this one, and its day."""
    ledger, books, today = household_of(connection, asker)
    changed = replace(ledger, monthly_income=monthly_income)
    plan = plan_of(assess(changed, books, today))
    return live_snapshot(changed, books, plan, today), today


def _wealth(connection: Connection, asker: Asker) -> snapshots.Wealth:
    household = household_of(connection, asker)
    return wealth(household.ledger, household.today)


async def show_forecast(context: Context, ask: snapshots.ForecastQuery) -> snapshots.Forecast:
    """The days ahead; the first plan is built when there is none. Raises NoConnections."""
    await must_have_plan(context)
    return await compute_inferred(context, partial(_forecast, asker=context.asker, days=ask.days))


def _forecast(connection: Connection, asker: Asker, days: int) -> snapshots.Forecast:
    """The days ahead by the plan that holds, as the live view rests on it."""
    ledger, books, today = household = household_of(connection, asker)
    stored = first_plan_built(plan_that_holds(connection, asker, household))
    return forecast(ledger, books, live_view(ledger, books, stored.plan, today), days)


@dataclass(frozen=True, slots=True)
class PicturedPlan:
    """The view of a plan, the history of net worth, income and spending by month, and the days ahead.

    `data_end` is the last day that transactions cover, None without any; `by_statements` tells that all
    of them are from statement files.
    """

    view: snapshots.PlanView
    wealth: snapshots.Wealth
    months: tuple[MonthFlow, ...]
    forecast: snapshots.Forecast
    data_end: date | None = None
    by_statements: bool = False


async def pictured_plan(context: Context, _ask: Nothing) -> PicturedPlan:
    """As `view_plan`, with what a page draws besides. Raises NoConnections."""
    await must_have_plan(context)
    page, news = await compute_inferred(context, partial(_picture_plan, asker=context.asker))
    note_daily_amount(context, news)
    return page


def _picture_plan(connection: Connection, asker: Asker) -> tuple[PicturedPlan, ShownDaily | None]:
    ledger, books, today = household = household_of(connection, asker)
    view, news = view_of(connection, asker, household)
    live = live_view(ledger, books, view.plan, today)
    page = PicturedPlan(
        view=view,
        wealth=wealth(ledger, today),
        months=month_flows(ledger, books, today),
        forecast=forecast(ledger, books, live, snapshots.USUAL_DAYS_AHEAD),
        data_end=books.window.data_end if books.window.transaction_count else None,
        by_statements=all(bank.provider == "manual" for bank in ledger.connections),
    )
    return page, news


async def explain_plan(context: Context, ask: SectionName) -> Explanation:
    """How a section, or what a category comes to, follows from the data.

    Raises NoConnections, and NotFound with near matches.
    """
    return await compute_inferred(
        context, partial(_explain_section, asker=context.asker, name=ask.section)
    )


def _explain_section(connection: Connection, asker: Asker, name: str) -> Explanation:
    if not connections.list_connections(connection, asker.owner):
        raise NoConnections(
            "No data to explain yet. Import a statement with `finplan import FILE`, or try the demo"
            " household with `finplan --demo plan explain`."
        )
    ledger, books, today = household = household_of(connection, asker)
    latest = newest_plan(connection, asker.owner)
    holding = plan_that_holds(connection, asker, household)
    section = find_section(ledger.catalogue, name)
    if section is None:
        raise _unknown_section(ledger, name)
    before = None if latest is None else latest.plan
    now = None if holding is None else holding.plan
    return explain(assess(ledger, books, today), before, section, now)


def _unknown_section(ledger: Ledger, name: str) -> NotFound:
    spelt = section_names(ledger.catalogue)
    close, _ = names_near(name, spelt)
    hint = (
        f"Did you mean {' or '.join(close[:3])}?"
        if close
        else (
            f"The sections are {', '.join(SECTIONS)}. You can also name a category, such as"
            " groceries."
        )
    )
    return NotFound(f"Unknown section or category {name!r}. {hint}", {"near": close})
