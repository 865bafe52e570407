"""The first screen: what is safe to spend today, what is due, what to do next, and how it has gone."""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container

from finplan.model.base import Nothing
from finplan.model.snapshot import Forecast, ForecastQuery, PlanView, Wealth
from finplan.model.transaction import SpendingQuery, SpendingReport
from finplan.operations.plan import SHOW_FORECAST, SHOW_WEALTH, VIEW_PLAN
from finplan.operations.transaction import QUERY_SPENDING
from finplan.tui.drawing import overview as drawing
from finplan.tui.household import Feed
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion

AHEAD = 30
"""How many days of the forecast stand here."""


@dataclass(frozen=True)
class Glance:
    """All that the first screen shows."""

    view: PlanView
    months: SpendingReport
    wealth: Wealth
    forecast: Forecast
    currency: str


class OverviewScreen(HouseholdScreen[Glance]):
    """Answers the questions that a person comes with."""

    PLACE = "overview"
    BINDINGS: ClassVar = [
        Binding("i", "bring_in", "Import"),
        Binding("c", "link", "Link a bank"),
        Binding("r", "reload", "Reload"),
    ]
    PARTS: ClassVar = ("today", "due", "actions", "ahead", "months", "worth")

    def compose_body(self) -> ComposeResult:
        """Six regions in two columns."""
        with Container(classes="columns"):
            for each in self.PARTS:
                yield DrawnRegion(id=each)

    async def gather(self, feed: Feed) -> Glance:
        """The plan's view first, since the months that are shown are those of its window."""
        view = await feed.ask(VIEW_PLAN, Nothing())
        window = view.plan.window
        query = SpendingQuery(since=window.since, until=window.until, group_by="month")
        months, wealth, forecast = await asyncio.gather(
            feed.ask(QUERY_SPENDING, query),
            feed.ask(SHOW_WEALTH, Nothing()),
            feed.ask(SHOW_FORECAST, ForecastQuery(days=AHEAD)),
        )
        return Glance(view, months, wealth, forecast, feed.currency)

    def show(self, answers: Glance) -> None:
        """Draw each region."""
        view, currency = answers.view, answers.currency
        aloud = self.household.preferences.aloud
        drawings = {
            "today": partial(drawing.draw_today, view, currency),
            "due": partial(drawing.draw_due, view, currency),
            "actions": partial(drawing.draw_actions, view, currency),
            "ahead": partial(drawing.draw_ahead, answers.forecast, currency, aloud=aloud),
            "months": partial(drawing.draw_months, answers.months, currency, aloud=aloud),
            "worth": partial(drawing.draw_worth, answers.wealth, view, currency, aloud=aloud),
        }
        for name, each in drawings.items():
            self.query_one(f"#{name}", DrawnRegion).drawing = each
        self.household.keep_view(view)
