"""The first screen: what is safe to spend today, what is due, what to do next, and how it has gone."""

import asyncio
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container

from finplan.model.base import Nothing
from finplan.model.snapshot import Forecast, ForecastQuery, PlanView, Wealth
from finplan.model.transaction import SpendingQuery, SpendingReport
from finplan.operations.plan import SHOW_FORECAST, SHOW_WEALTH, VIEW_PLAN
from finplan.operations.transaction import QUERY_SPENDING
from finplan.tui.household import Feed
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion
from finplan.views import ahead, live, spending
from finplan.views.locale import Locale
from finplan.views.page import PageBlock, Section

AHEAD = 30
"""How many days of the forecast stand here."""

DUE_SHOWN, ACTIONS_SHOWN = 7, 99


@dataclass(frozen=True)
class Glance:
    """All that the first screen shows."""

    view: PlanView
    months: SpendingReport
    wealth: Wealth
    forecast: Forecast
    how: Locale

    def parts(self) -> dict[str, tuple[PageBlock | Section, ...]]:
        """What each region shows."""
        view, how = self.view, self.how
        snapshot = view.snapshot
        sums = live.breakdown(snapshot, how, view.plan).blocks
        return {
            "today": (*live.today(snapshot, how, view), *sums),
            "due": (live.due(snapshot, how, DUE_SHOWN),),
            "actions": (live.first_actions(view.plan, how, ACTIONS_SHOWN),),
            "ahead": (ahead.days_ahead(self.forecast, how),),
            "months": (spending.by_month(self.months, how),),
            "worth": (ahead.worth_over_time(self.wealth, how, view),),
        }


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
            for part in self.PARTS:
                yield DrawnRegion(part)

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
        return Glance(view, months, wealth, forecast, feed.how)

    def show(self, answers: Glance) -> None:
        """Draw each region."""
        for name, parts in answers.parts().items():
            self.draw(name, parts)
        self.household.keep_view(answers.view)
