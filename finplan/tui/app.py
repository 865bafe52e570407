"""The program on the whole screen: its places, its looks, and what all of them share."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import Screen

from finplan.client.patience import say_nothing
from finplan.model.connection import ConnectionId
from finplan.operations.household import SYNC_CONNECTION
from finplan.tui.feed import Feed, NotAnswered, Starts
from finplan.tui.places import PLACES
from finplan.tui.preferences import DARK, LIGHT, Preferences
from finplan.tui.screens.accounts import Accounts
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.screens.overview import Overview
from finplan.tui.screens.plan import PlanScreen
from finplan.tui.screens.settings import Settings
from finplan.tui.screens.spending import Spending
from finplan.tui.screens.tasks import Tasks
from finplan.tui.widgets.standing import Standing

ASKED_AGAIN = 15.0
"""How often what is shown is asked for again, in seconds."""


class FinplanApp(App[None]):
    """Shows a household's money.

    `starts` finds the daemon; `whose` names the profile; `keep` is told of changed preferences.
    """

    TITLE = "finplan"
    CSS_PATH = "finplan.tcss"
    MODES: ClassVar = {
        "overview": Overview,
        "tasks": Tasks,
        "spending": Spending,
        "plan": PlanScreen,
        "accounts": Accounts,
        "settings": Settings,
    }
    DEFAULT_MODE = "overview"
    HORIZONTAL_BREAKPOINTS: ClassVar = [(0, "-narrow"), (100, "-wide")]
    BINDINGS: ClassVar = [
        *(Binding(each.key, f"open('{each.name}')", each.title, show=False) for each in PLACES),
        Binding("question_mark", "show_help", "Help", key_display="?"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, starts: Starts, whose: str, preferences: Preferences | None = None) -> None:
        super().__init__()
        self.feed = Feed(starts, say_nothing)
        self.whose = whose
        self.preferences = preferences or Preferences()
        self.answered_at: datetime | None = None

    def on_mount(self) -> None:
        """Look as the person likes it, and keep what is shown up to date."""
        themes = self.available_themes
        self.theme = self.preferences.theme if self.preferences.theme in themes else DARK
        self.set_interval(ASKED_AGAIN, self.reload_shown)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The places, and what every program of the kind has."""
        for each in PLACES:
            yield SystemCommand(f"Open {each.title}", each.purpose, self._opening(each.name))
        other = "light" if self.theme != LIGHT else "dark"
        yield SystemCommand(f"Be {other}", "Change the colours", self.action_turn_theme)
        yield from super().get_system_commands(screen)

    def action_open(self, name: str) -> None:
        """Open a place."""
        self.switch_mode(name)

    def action_turn_theme(self) -> None:
        """Light in place of dark, or the other way round."""
        self.theme = DARK if self.theme == LIGHT else LIGHT
        self.preferences = replace(self.preferences, theme=self.theme)

    def action_show_help(self) -> None:
        """Show the keys of what is open, or no longer."""
        if self.screen.query("HelpPanel"):
            self.action_hide_help_panel()
        else:
            self.action_show_help_panel()

    def reload_shown(self) -> None:
        """Ask again for what is shown; a dialog before it is left alone."""
        if isinstance(self.screen, HouseholdScreen):
            self.screen.load()

    def mark_answered(self) -> None:
        """The daemon has answered."""
        self.answered_at = datetime.now(UTC)
        self._stand(warning="")

    def mark_failed(self, error: NotAnswered) -> None:
        """It has not, or refused; what is shown stays."""
        if not error.away:
            return
        at = self.answered_at
        since = "" if at is None else f" The figures are of {at.astimezone():%H:%M}."
        self._stand(warning=f"The daemon does not answer; it is tried again.{since}")

    @work(exclusive=True, group="sync")
    async def sync(self, connection_id: str) -> None:
        """Ask one bank again."""
        try:
            report = await self.feed.ask(SYNC_CONNECTION, ConnectionId(id=connection_id))
        except NotAnswered as error:
            self.notify(error.message, severity="warning")
            return
        self.notify(report.error or f"{report.added:,} new rows.", timeout=10)
        self.reload_shown()

    def _stand(self, warning: str) -> None:
        for each in self.screen.query(Standing):
            each.warning = warning
            each.whose = self.whose

    def _opening(self, name: str):  # type: ignore[no-untyped-def]
        return lambda: self.switch_mode(name)

    async def on_unmount(self) -> None:
        """Close the connections."""
        await self.feed.close()
