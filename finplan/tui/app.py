"""The program on the whole screen: its places, the keys that open them, and what has no colours."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from rich.color import Color as TerminalColor
from rich.segment import Segment
from rich.style import Style
from textual.app import SystemCommand
from textual.binding import Binding
from textual.color import Color
from textual.events import Key
from textual.filter import LineFilter, Monochrome
from textual.screen import Screen

from finplan.tui.dialogs import HelpDialog
from finplan.tui.household import (
    DARK,
    LIGHT,
    HouseholdApp,
    KeepPreferences,
    Preferences,
    Starts,
    TellsTime,
    keep_nothing,
    now,
)
from finplan.tui.screens.accounts import AccountsScreen
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.screens.overview import OverviewScreen
from finplan.tui.screens.plan import PlanScreen
from finplan.tui.screens.planned import PlannedScreen
from finplan.tui.screens.questions import QuestionsScreen
from finplan.tui.screens.review import FoundScreen
from finplan.tui.screens.settings import SettingsScreen
from finplan.tui.screens.spending import SpendingScreen
from finplan.tui.widgets import PLACES

_NO_COLOUR = Style(color=TerminalColor.default(), bgcolor=TerminalColor.default())
_TURNED_ROUND = _NO_COLOUR + Style(reverse=True)


class Colourless(LineFilter):
    """Leaves every colour out; what stood on one of the `marking` colours is turned round instead.

    Textual's own way leaves greys on a ground of its own, which is neither the person's ground nor
    tells on a terminal without colours what is marked.
    """

    def __init__(self, marking: Iterable[str]) -> None:
        super().__init__()
        self._marking = frozenset(Color.parse(colour).rgb for colour in marking)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        """The pieces of a line without their colours."""
        return [
            Segment(text, _NO_COLOUR if style is None else style + self._instead_of(style), control)
            for text, style, control in segments
        ]

    def _instead_of(self, style: Style) -> Style:
        ground = style.bgcolor
        if ground is None or ground.triplet is None:
            return _NO_COLOUR
        return _TURNED_ROUND if tuple(ground.triplet) in self._marking else _NO_COLOUR


ASKED_AGAIN = 15.0
"""How often what is shown is asked for again, in seconds."""


_UNTOLD = ("app.focus_next", "app.focus_previous", "screen.copy_text")
"""What every program of the kind does with some key."""

_COMMON = ("bring_in", "link")
"""What the palette offers on every screen."""

MARKING = ("block-cursor-background", "input-cursor-background")
"""The theme's names of the colours that say where one is."""


class FinplanApp(HouseholdApp):
    """Shows a household's money, beginning with the screen `opens`."""

    TITLE = "finplan"
    CSS_PATH = Path(__file__).with_name("finplan.tcss")
    MODES: ClassVar[dict[str, str | Callable[[], Screen[None]]]] = {
        "overview": OverviewScreen,
        "questions": QuestionsScreen,
        "spending": SpendingScreen,
        "plan": PlanScreen,
        "planned": PlannedScreen,
        "found": FoundScreen,
        "accounts": AccountsScreen,
        "settings": SettingsScreen,
    }
    DEFAULT_MODE = "overview"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (76, "-usual"), (100, "-wide")]  # noqa: RUF012  # As Textual has it.
    VERTICAL_BREAKPOINTS = [(0, "-short"), (28, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar = [
        *(Binding(tab.key, f"open('{tab.name}')", tab.title, show=False) for tab in PLACES),
        Binding("question_mark", "show_help", "Keys", key_display="?", show=False),
        Binding("q", "quit", "Quit", show=False),
    ]

    def __init__(
        self,
        starts: Starts,
        whose: str,
        preferences: Preferences | None = None,
        keep: KeepPreferences = keep_nothing,
        opens: str = "overview",
        clock: TellsTime = now,
    ) -> None:
        super().__init__(starts, whose, preferences or Preferences(), keep, clock)
        self._opens = opens
        self._colourless: dict[str, Colourless] = {}

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What is drawn passes through these; with NO_COLOR none of it keeps a colour."""
        filters = super().get_line_filters()
        if not self.no_color:
            return [layer for layer in filters if not isinstance(layer, Monochrome)]
        if self.theme not in self._colourless:
            colours = self.get_css_variables()
            self._colourless[self.theme] = Colourless(colours[name] for name in MARKING)
        return [self._colourless[self.theme]]

    def on_mount(self) -> None:
        """Look as the person likes it, and keep what is shown up to date."""
        is_known = self.preferences.theme in self.available_themes
        self.theme = self.preferences.theme if is_known else DARK
        self.set_interval(ASKED_AGAIN, self.reload_screen)
        if self._opens != self.DEFAULT_MODE:
            self.switch_mode(self._opens)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the open screen can do, the places, the looks, and the way out."""
        yield from _deeds(screen)
        for tab in PLACES:
            yield SystemCommand(tab.title, tab.purpose, partial(self.action_open, tab.name))
        opposite = "light" if self.theme != LIGHT else "dark"
        yield SystemCommand("Light or dark colors", f"Switch to {opposite}", self.action_turn_theme)
        yield SystemCommand("Keys", "List the keys of this screen", self.action_show_help)
        yield SystemCommand(
            "Quit", "Quit finplan; the background service keeps running", self.action_quit
        )

    def on_key(self, pressed: Key) -> None:
        """Say how a screen is opened to who presses its letter without Shift in vain."""
        meant = next((tab for tab in PLACES if tab.key.lower() == pressed.key), None)
        is_open = isinstance(self.screen, HouseholdScreen)
        if meant is not None and is_open and pressed.key not in self.screen.active_bindings:
            self.say(f"Press Shift+{meant.key} to open {meant.title}.")

    def action_help_quit(self) -> None:
        """Ctrl-C leaves other programs; here it copies what is marked, and says what leaves."""
        self.say("Press q to quit finplan. The background service keeps running.")

    def action_show_help(self) -> None:
        """Show the keys of what is open."""
        here: dict[str, str] = {}
        everywhere: dict[str, str] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if not binding.description:
                continue
            if active.node is self:
                everywhere[self.get_key_display(binding)] = binding.description.capitalize()
            elif active.node is self.screen and binding.action not in _UNTOLD:
                here[self.get_key_display(binding)] = binding.description
        if isinstance(self.screen, HouseholdScreen):
            groups = {
                "Keys on this screen": here | {"enter": "Open or select", "esc": "Back"},
                "Keys everywhere": everywhere,
            }
            listing = {name: [*keys.items()] for name, keys in groups.items()}
            self.push_screen(HelpDialog(listing))

    def reload_screen(self) -> None:
        """Ask again for what is shown; a dialog before it is left alone."""
        if isinstance(self.screen, HouseholdScreen):
            self.screen.load_all()


def _deeds(screen: Screen[object]) -> Iterable[SystemCommand]:
    """What keys do on a screen, each by what it is called."""
    if not isinstance(screen, HouseholdScreen):
        return
    yield SystemCommand("Import statement files", "Key i", screen.action_bring_in)
    yield SystemCommand("Link a bank", "Sync its transactions automatically", screen.action_link)
    for active in screen.active_bindings.values():
        binding = active.binding
        if active.node is screen and binding.show and binding.action not in _COMMON:
            hint = f"Key {binding.key_display or binding.key}, on this screen"
            yield SystemCommand(
                binding.description, hint, partial(screen.run_action, binding.action)
            )
