"""The plan, section by section, with why each is as it is, and the days ahead as a picture."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from finplan.model import figures
from finplan.model.base import Nothing
from finplan.model.category import CategoryChoice
from finplan.model.explain import Explanation, SectionName
from finplan.model.snapshot import Forecast, ForecastQuery, PlanView, Wealth
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.plan import BUILD_PLAN, EXPLAIN_PLAN, SHOW_FORECAST, SHOW_WEALTH, VIEW_PLAN
from finplan.tui.household import Feed, warning
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion
from finplan.views import ahead, explain, live, plan, plan_page, unknowns
from finplan.views.locale import Locale
from finplan.views.page import PageBlock, Section, sentences


@dataclass(frozen=True)
class WholePlan:
    """All sections of the plan."""

    view: PlanView
    wealth: Wealth
    forecast: Forecast
    categories: tuple[CategoryChoice, ...]
    how: Locale


CHART_LINES = 11


class PlanSection(NamedTuple):
    """A section: its title, what explains it, and what it shows."""

    title: str
    explained_by: str
    parts: Callable[[WholePlan], tuple[PageBlock | Section, ...]]


def _flow(facts: WholePlan) -> tuple[PageBlock | Section, ...]:
    view, how = facts.view, facts.how
    return (
        plan.title(view),
        *plan.provisional(view, how),
        *plan.from_now_on(view),
        plan.flow(view, how),
        plan.really_saved(view.plan, how),
    )


def _today(facts: WholePlan) -> tuple[PageBlock | Section, ...]:
    snapshot, view, how = facts.view.snapshot, facts.view, facts.how
    return (
        *live.today(snapshot, how, view),
        live.breakdown(snapshot, how, view.plan),
        *live.way_to_tell(view.plan.snapshot.accounts),
    )


def _ahead(facts: WholePlan) -> tuple[PageBlock | Section, ...]:
    section = ahead.days_ahead(facts.forecast, facts.how, CHART_LINES)
    if not facts.forecast.days:
        return (section,)
    notes = sentences(facts.forecast.notes, "soft")
    return (
        section,
        *ahead.describe_range(facts.forecast),
        ahead.days_table(facts.forecast, facts.how),
        *notes,
    )


def _wealth(facts: WholePlan) -> tuple[PageBlock | Section, ...]:
    view, how = facts.view, facts.how
    over_time = ahead.worth_over_time(facts.wealth, how, view)
    return (ahead.balances(facts.wealth, how, view), *over_time.blocks)


SECTIONS: dict[str, PlanSection] = {
    "flow": PlanSection("Where it goes", "monthly", _flow),
    "actions": PlanSection(
        "What to do next", "actions", lambda facts: (plan.actions(facts.view.plan, facts.how),)
    ),
    "today": PlanSection("Safe to spend", "allowance", _today),
    "ahead": PlanSection("Forecast", "allowance", _ahead),
    "income": PlanSection(
        "Income", "incomeSources", lambda facts: (plan.income(facts.view.plan, facts.how),)
    ),
    "regular": PlanSection(
        "Recurring",
        "recurring",
        lambda facts: (plan.regular(facts.view.plan, facts.view.snapshot, facts.how),),
    ),
    "fund": PlanSection(
        "Emergency fund",
        "emergencyFund",
        lambda facts: (unknowns.fund(facts.view, facts.how),),
    ),
    "debt": PlanSection("Debt", "debt", lambda facts: (unknowns.debts(facts.view, facts.how),)),
    "wealth": PlanSection("Net worth", "wealth", _wealth),
    "notes": PlanSection("Notes", "notes", lambda facts: (plan_page.notes(facts.view, facts.how),)),
}


class PlanScreen(HouseholdScreen[WholePlan]):
    """The sections at the left, the one that is marked at the right."""

    PLACE = "plan"
    BINDINGS: ClassVar = [
        Binding("x", "explain", "Why"),
        Binding("b", "build", "Rebuild"),
        Binding("pagedown", "scroll_page(1)", "Down", show=False, priority=True),
        Binding("pageup", "scroll_page(-1)", "Up", show=False, priority=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._explained: Explanation | None = None

    def compose_body(self) -> ComposeResult:
        """Titles beside a section."""
        with Horizontal(id="sections"):
            yield OptionList(
                *(Option(section.title, id=name) for name, section in SECTIONS.items()), id="titles"
            )
            with VerticalScroll(id="section", can_focus=False):
                yield DrawnRegion("drawn")
                yield DrawnRegion("why")

    async def gather(self, feed: Feed) -> WholePlan:
        """The view, with what it does not hold."""
        view, wealth, forecast, categories = await asyncio.gather(
            feed.ask(VIEW_PLAN, Nothing()),
            feed.ask(SHOW_WEALTH, Nothing()),
            feed.ask(SHOW_FORECAST, ForecastQuery()),
            feed.ask(LIST_CATEGORIES, Nothing()),
        )
        return WholePlan(view, wealth, forecast, categories, feed.how)

    def show(self, answers: WholePlan) -> None:
        """Draw the section that is marked."""
        titles = self.query_one("#titles", OptionList)
        if titles.highlighted is None:
            titles.highlighted = 0
        titles.focus()
        self._draw()
        self.household.keep_view(answers.view)

    @property
    def section(self) -> PlanSection:
        """The section that is marked."""
        titles = self.query_one("#titles", OptionList)
        return list(SECTIONS.values())[titles.highlighted or 0]

    @on(OptionList.OptionHighlighted)
    def _turn_to(self) -> None:
        self._explained = None
        self._draw()
        self.query_one("#section", VerticalScroll).scroll_home(animate=False)

    @on(OptionList.OptionSelected)
    def _ask_why(self) -> None:
        self.action_explain()

    @work(exclusive=True, group="explain")
    async def action_explain(self) -> None:
        """Say how the section comes about, below it; or no longer."""
        if self._explained is not None:
            self._explained = None
            self._draw()
            return
        with warning(self.household):
            self._explained = await self.feed.ask(
                EXPLAIN_PLAN, SectionName(section=self.section.explained_by)
            )
            self._draw()
            self.query_one("#why", DrawnRegion).scroll_visible(animate=False, top=True)

    @work(exclusive=True, group="build")
    async def action_build(self) -> None:
        """Build a plan of now and keep it."""
        with warning(self.household):
            stored = await self.feed.ask(BUILD_PLAN, Nothing())
            day = figures.long_date(stored.plan.generated_on)
            self.household.say(f"Built and saved your plan of {day}.")
            self.load()

    def action_scroll_page(self, pages: int) -> None:
        """Move the section while its title keeps the keys."""
        section = self.query_one("#section", VerticalScroll)
        section.scroll_relative(y=pages * (section.size.height - 1), animate=False)

    def _draw(self) -> None:
        facts = self.shown
        if facts is None:
            return
        self.draw("drawn", self.section.parts(facts))
        labels = {category.category: category.label for category in facts.categories}
        explained = self._explained
        self.draw(
            "why", explain.explanation(explained, facts.how, labels).parts if explained else ()
        )
