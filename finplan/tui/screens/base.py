"""What every screen does: ask for what it shows, show it, and keep it while the daemon is away."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static

from finplan.tui.drawing.lines import CAUTION, styled, wrapped
from finplan.tui.feed import Feed, NotAnswered
from finplan.tui.widgets.navigation import Navigation
from finplan.tui.widgets.standing import Standing

if TYPE_CHECKING:
    from finplan.tui.app import FinplanApp

Shown = TypeVar("Shown")


class HouseholdScreen(Screen[None], Generic[Shown]):
    """One of the places. `gather` asks, away from the widgets; `show` puts the answers on them.

    What was shown stays where the next answer does not come, and the line above the keys says so.
    """

    PLACE: ClassVar[str]
    BINDINGS: ClassVar = [("r", "reload", "Reload")]

    @dataclass
    class Gathered(Message):
        """The answers have come."""

        answers: Any

    @dataclass
    class Failed(Message):
        """They have not."""

        error: NotAnswered

    def __init__(self) -> None:
        super().__init__()
        self.shown: Shown | None = None

    @abstractmethod
    def compose_body(self) -> ComposeResult:
        """The widgets of the screen."""

    @abstractmethod
    async def gather(self, feed: Feed) -> Shown:
        """Ask for all that is shown. Raises NotAnswered; touches no widget."""

    @abstractmethod
    def show(self, answers: Shown) -> None:
        """Put answers on the widgets."""

    @property
    def household(self) -> "FinplanApp":
        """The program, with the feed of answers."""
        return cast("FinplanApp", self.app)

    def compose(self) -> ComposeResult:
        """The line of places, the body, what went wrong, and the keys."""
        yield Navigation(self.PLACE)
        with VerticalScroll(id="body"):
            yield Static(id="trouble", classes="hidden")
            yield from self.compose_body()
        with Vertical(id="foot"):
            yield Standing(id="standing")
            yield Footer(show_command_palette=False)

    def on_screen_resume(self) -> None:
        """Show what holds now."""
        self.load()

    def action_reload(self) -> None:
        """Ask again."""
        self.load()

    def tell(self, said: str) -> None:
        """Say something that is good to know, in the line above the keys."""
        self.query_one(Standing).said = said

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Ask for what the screen shows."""
        feed = self.household.feed
        try:
            await feed.read_settings()
            answers = await self.gather(feed)
        except NotAnswered as error:
            self.post_message(self.Failed(error))
        else:
            self.post_message(self.Gathered(answers))

    @on(Gathered)
    def _show_gathered(self, message: Gathered) -> None:
        self.query_one("#trouble").add_class("hidden")
        self.household.mark_answered()
        if message.answers != self.shown:
            self.shown = message.answers
            self.show(message.answers)

    @on(Failed)
    def _tell_failure(self, message: Failed) -> None:
        self.household.mark_failed(message.error)
        if self.shown is None or not message.error.away:
            trouble = self.query_one("#trouble", Static)
            lines = wrapped(message.error.message, max(20, self.size.width - 4), CAUTION)
            trouble.update(styled("\n").join(lines))
            trouble.remove_class("hidden")
