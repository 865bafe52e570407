"""What every screen does: ask for what it shows, show it, and keep it while the daemon is away.

Where there is nothing yet, it says what finplan needs first, and the keys for it.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.message import Message
from textual.screen import Screen

from finplan import STATEMENT_FORMATS
from finplan.model import figures
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId
from finplan.operations.bank import SYNC_ALL, SYNC_CONNECTION
from finplan.operations.plan import VIEW_PLAN
from finplan.tui.drawing import drawing_of
from finplan.tui.flows.importing import import_statements
from finplan.tui.flows.linking import link_bank
from finplan.tui.household import Feed, HouseholdApp, NotAnswered, warning
from finplan.tui.widgets import (
    PLACES,
    Drawing,
    DrawnRegion,
    KeyLine,
    LedgerTable,
    StandingLine,
    Tabs,
)
from finplan.views.page import PageBlock, PageTable, Section, Sentence, col, table

ShownAnswers = TypeVar("ShownAnswers")

NOTHING_YET = "NO_CONNECTIONS"
"""What a daemon says of a household that has neither a bank nor a statement."""

NOT_SHOWN = "This screen's data is damaged and cannot be shown."
"""What stands in the place of a screen where the notice says the rest."""

LEAVING = ("quit", "help_quit")
"""What is done at once, whatever is waited for."""


class HouseholdScreen(Screen[None], Generic[ShownAnswers]):
    """One of the places. `gather` asks, away from the widgets; `show` puts the answers on them.

    What was shown stays where the next answer does not come, and the line above the keys says so. In
    the place of a screen that has nothing to show stands what to do first.
    """

    PLACE: ClassVar[str]
    WELCOMES: ClassVar[bool] = False
    """Whether the answers are of no use where nothing has been brought yet."""
    BINDINGS: ClassVar = [
        Binding("i", "bring_in", "Import", show=False),
        Binding("r", "reload", "Reload", show=False),
        Binding("c", "link", "Link a bank", show=False),
    ]

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
        self.shown: ShownAnswers | None = None
        self._early: list[Key] = []

    @abstractmethod
    def compose_body(self) -> ComposeResult:
        """The widgets of the screen."""

    @abstractmethod
    async def gather(self, feed: Feed) -> ShownAnswers:
        """Ask for all that is shown. Raises NotAnswered; touches no widget."""

    @abstractmethod
    def show(self, answers: ShownAnswers) -> None:
        """Put answers on the widgets."""

    @property
    def household(self) -> HouseholdApp:
        """The program, with the feed of answers."""
        return cast("HouseholdApp", self.app)

    @property
    def feed(self) -> Feed:
        """The answers of the daemon."""
        return self.household.feed

    def compose(self) -> ComposeResult:
        """The line of places, the body, what went wrong, and the keys."""
        yield Tabs("navigation", PLACES, self.household.action_open, self.PLACE)
        yield DrawnRegion("trouble")
        with VerticalScroll(id="body", can_focus=False):
            yield from self.compose_body()
        with Vertical(id="foot"):
            yield StandingLine(id="standing")
            yield KeyLine()

    def on_screen_resume(self) -> None:
        """Show what holds now."""
        self.household.show_standing()
        self.load_all()

    def on_resize(self) -> None:
        """Draw anew what is as wide as the screen."""
        if self.shown is not None:
            self.call_after_refresh(self.show, self.shown)

    def on_key(self, pressed: Key) -> None:
        """Keep keys that come before there is anything for them; those that leave are heeded at once.

        What follows a key that is kept waits its turn, so that keys do what they would have done.
        """
        bound = self.active_bindings.get(pressed.key)
        is_everywhere = bound is not None and bound.node is self.app
        leaves = bound is not None and bound.binding.action in LEAVING
        if self._is_waiting and not leaves and (self._early or not is_everywhere):
            pressed.stop()
            self._early.append(pressed)
            self.household.say(
                "Still loading. The keys that you press now take effect when loading ends."
            )

    @property
    def _is_waiting(self) -> bool:
        return self.shown is None and not self.has_class("-troubled")

    def _heed_early(self) -> None:
        """Press the keys again that came early, now that there is something for them."""
        early, self._early = self._early, []
        if self.app.screen is not self:
            # What is open now would take them for its own.
            return
        for pressed in early:
            again = Key(pressed.key, pressed.character)
            # As from the terminal: what a screen itself sends does not get past it.
            again.set_sender(self.app)
            self.app.post_message(again)

    def action_reload(self) -> None:
        """Ask again."""
        self.load()

    @work(exclusive=True, group="import")
    async def action_bring_in(self) -> None:
        """Import statement files."""
        if await import_statements(self.household):
            self.load_all()

    @work(exclusive=True, group="link")
    async def action_link(self) -> None:
        """Link a bank."""
        if await link_bank(self.household):
            self.load()

    @work(exclusive=True, group="sync")
    async def sync_bank(self, connection_id: str | None = None) -> None:
        """Ask one bank again, or every one; statement files can only be brought."""
        self.household.say(f"Syncing {'the bank' if connection_id else 'all banks'} …")
        with warning(self.household):
            if connection_id is None:
                reports = await self.feed.ask(SYNC_ALL, Nothing())
            else:
                request = ConnectionId(id=connection_id)
                reports = (await self.feed.ask(SYNC_CONNECTION, request),)
            failed = [report.error for report in reports if report.error is not None]
            for message in failed:
                self.household.warn(message)
            if not failed:
                added = figures.count(sum(report.added for report in reports), "new transaction")
                none = "No bank linked yet. Press c to link one."
                self.household.say(f"{added}." if reports else none)
            self.load()

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Ask for what the screen shows."""
        with self.failing():
            await self.feed.read_settings()
            self.post_message(self.Gathered(await self.gather(self.feed)))

    def load_all(self) -> None:
        """Ask for that, and for what stands on every screen."""
        self.load()
        self.keep_standing()

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Tell of what has no answer, and leave the rest of what was to be done with it."""
        try:
            yield
        except NotAnswered as error:
            self.post_message(self.Failed(error))

    def draw(self, region: str, parts: Iterable[PageBlock | Section]) -> None:
        """Draw parts of a page in a region, which takes no room without any."""
        drawn = tuple(parts)
        drawing = drawing_of(drawn, aloud=self.household.preferences.aloud) if drawn else None
        self.query_one(f"#{region}", DrawnRegion).drawing = drawing

    def fill(self, table: PageTable) -> LedgerTable:
        """Show the rows of a table in the one that the screen has."""
        ledger = self.query_one(LedgerTable)
        ledger.fill(table, self.size.width - 4, aloud=self.household.preferences.aloud)
        return ledger

    @work(exclusive=True, group="standing")
    async def keep_standing(self) -> None:
        """Keep up to date how old the figures are, what is unknown of them, and how much is asked."""
        try:
            view = await self.feed.ask(VIEW_PLAN, Nothing())
        except NotAnswered as error:
            # Whatever else is wrong, what the screen itself asks for tells it.
            if error.code == NOTHING_YET:
                self._welcome(is_empty=True)
            return
        self._welcome(is_empty=False)
        self.household.keep_view(view)

    @on(Gathered)
    def _show_gathered(self, message: Gathered) -> None:
        welcomes = self.WELCOMES and self.household.has_nothing_yet
        self._replace_body(draw_welcome if welcomes else None)
        self.household.mark_answered()
        if message.answers != self.shown:
            self.shown = message.answers
            self.show(message.answers)
            self.call_after_refresh(self._heed_early)

    @on(Failed)
    def _tell_failure(self, message: Failed) -> None:
        error = message.error
        if error.away:
            self.household.mark_failed()
        else:
            self.household.mark_answered()
        if error.code == NOTHING_YET:
            self.shown = None
            self._replace_body(draw_welcome)
        elif self.shown is None:
            text = NOT_SHOWN if error.message == self.feed.notice else error.message
            self._replace_body(drawing_of([Sentence(text, "warn")]))
        elif not error.away:
            self.household.warn(error.message)
        self.call_after_refresh(self._heed_early)

    def _welcome(self, *, is_empty: bool) -> None:
        """Say what to do first where nothing has been brought yet, and no longer once something is."""
        changes = self.household.has_nothing_yet != is_empty
        self.household.has_nothing_yet = is_empty
        if self.WELCOMES and changes and self.shown is not None:
            self._replace_body(draw_welcome if is_empty else None)

    def _replace_body(self, drawing: Drawing | None) -> None:
        """Draw something in the place of the body, or show the body again."""
        self.query_one("#trouble", DrawnRegion).drawing = drawing
        self.set_class(drawing is not None, "-troubled")


_WAYS_TO_BEGIN = (
    ("i", f"Import statement files from any bank ({STATEMENT_FORMATS})."),
    ("c", "Link a bank to sync its transactions automatically."),
    ("q", "Quit, then try the demo household: `finplan tui --demo`."),
)

draw_welcome = drawing_of(
    [
        Section(
            "welcome",
            "Welcome",
            (
                Sentence(""),
                Sentence(
                    "Import a statement or link a bank to start. Your data stays on this machine."
                ),
                Sentence(""),
                table((col("", tone="title", least=3), "+"), _WAYS_TO_BEGIN, gap=1, headless=True),
                Sentence(""),
                Sentence(
                    "One checking statement is enough for a first look. For a good plan, import"
                    " three months of statements.",
                    "soft",
                ),
            ),
        )
    ]
)
"""The first things that a person can do, for so many columns."""
