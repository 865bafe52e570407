"""The parts that screens are made of: lines of places, keys and lists, tables, and drawn regions."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.text import Text
from textual.binding import Binding
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import DataTable

from finplan.model.characters import visible
from finplan.tui.drawing import (
    CAUTION,
    EMPTY,
    FAINT,
    HERE,
    KEY,
    ColumnHead,
    ends,
    height,
    ledger_of,
    page,
    styled,
    wrapped,
)
from finplan.views.page import PageTable


class Tab(NamedTuple):
    """A name in the program and on the screen, the key that opens it, and what it is for."""

    name: str
    title: str
    key: str
    purpose: str = ""


PLACES = (
    Tab("overview", "Overview", "O", "Safe to spend, bills due, next steps"),
    Tab("questions", "Tasks", "T", "Choose categories, and sign in to banks again"),
    Tab("spending", "Spending", "S", "Spending by category, merchant and transaction"),
    Tab("plan", "Plan", "P", "Each section of your plan, with its reasons"),
    Tab("planned", "Planned", "N", "Payments and income that you plan"),
    Tab("found", "Review", "F", "Recurring payments, transfers and duplicates"),
    Tab("accounts", "Accounts", "A", "Accounts, banks and statement files"),
    Tab("settings", "Settings", "G", "Your plan's settings, colors and screen reader"),
)


class EntryLine(Widget):
    """One line high, whatever it names."""

    DEFAULT_CSS = "EntryLine { height: 1; text-wrap: nowrap; }"
    ALLOW_SELECT = False
    """Two quick clicks would mark the line as text to copy."""

    @abstractmethod
    def entries(self) -> Sequence[Content]:
        """What stands beside each other."""

    @abstractmethod
    def take(self, index: int) -> None:
        """Do what a click on the entry at this place asks for, counted from 0."""

    def render(self) -> Content:
        """The entries beside each other."""
        return Content("").join(self.entries())

    def on_click(self, click: Click) -> None:
        """Take the entry that stands under the pointer."""
        end = 0
        for index, entry in enumerate(self.entries()):
            end += entry.cell_length
            if click.x < end:
                self.take(index)
                return


SHORTEST_TITLE = 3
"""How much of a name stands there without room."""


class Tabs(EntryLine):
    """Names each of several things with its key, and what is `waiting` in it; a click `opens` it."""

    here: reactive[str] = reactive("")
    waiting: reactive[dict[str, str]] = reactive(dict)

    def __init__(
        self, name: str, tabs: Sequence[Tab], opens: Callable[[str], None], here: str = ""
    ) -> None:
        super().__init__(id=name)
        self._tabs, self._opens = tabs, opens
        self.set_reactive(Tabs.here, here)

    def take(self, index: int) -> None:
        """Open the one at this place."""
        self._opens(self._tabs[index].name)

    def entries(self) -> list[Content]:
        """All of them; where they lack room they move together, and then the longest names are cut."""
        whole = max(len(tab.title) for tab in self._tabs)
        lengths = range(whole, SHORTEST_TITLE, -1)
        for longest, gap in ((whole, " "), *((length, "") for length in lengths)):
            entries = [self._entry(tab, longest, gap) for tab in self._tabs]
            if sum(entry.cell_length for entry in entries) <= self.content_size.width:
                return entries
        return [self._entry(tab, SHORTEST_TITLE, "") for tab in self._tabs]

    def _entry(self, tab: Tab, longest: int, gap: str) -> Content:
        waits = self.waiting.get(tab.name, "")
        if tab.name == self.here:
            return styled(f" {tab.key} {tab.title}{waits}{gap}", HERE)
        name = styled(tab.title[:longest])
        return Content.assemble(" ", styled(tab.key, FAINT), " ", name, styled(waits, CAUTION), gap)


class KeyLine(EntryLine):
    """Names the keys that are shown, the first of those that do the same; a click presses it.

    Those without room are left out; `?` has all of them.

    Textual has a Footer, of a widget for each key that are all made anew with each screen that opens;
    what a screen shows would wait for it.
    """

    DEFAULT_CSS = "KeyLine { background: $panel; }"

    def on_mount(self) -> None:
        """Draw anew whenever other keys are heeded."""
        self.screen.bindings_updated_signal.subscribe(self, self._draw_anew)

    def entries(self) -> list[Content]:
        """The keys that have room, each with what it does."""
        entries, room = [], self.content_size.width
        for binding in self._list_bindings():
            key = styled(self.app.get_key_display(binding), KEY)
            entry = Content.assemble(" ", key, " ", styled(binding.description), " ")
            room -= entry.cell_length
            if room < 0:
                break
            entries.append(entry)
        return entries

    def take(self, index: int) -> None:
        """Press the key at this place."""
        self.app.simulate_key(self._list_bindings()[index].key)

    def _list_bindings(self) -> list[Binding]:
        by_action: dict[str, Binding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show:
                by_action.setdefault(active.binding.action, active.binding)
        return [*by_action.values()]

    def _draw_anew(self, _screen: Screen[object]) -> None:
        self.refresh()


class Remark(NamedTuple):
    """A sentence on what was just done, and its style."""

    sentence: str
    style: str


NO_REMARK = Remark("", "")


class StandingLine(Widget):
    """Says what was just done; below, at the left how the figures stand, at the right the way on.

    Above all stands what the daemon tells on every screen, until it is over.
    """

    DEFAULT_CSS = "StandingLine { height: auto; padding: 0 1; }"

    stands: reactive[str] = reactive("")
    warning: reactive[str] = reactive("")
    whose: reactive[str] = reactive("")
    notice: reactive[str] = reactive("", layout=True)
    remark: reactive[Remark] = reactive(NO_REMARK, layout=True)

    def render(self) -> Content:
        """The lines for the width that there is."""
        return self._draw_lines(self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """One line, and those of a notice and a remark."""
        return height(self._draw_lines(width))

    def _draw_lines(self, width: int) -> Content:
        remark = wrapped(self.remark.sentence, width, self.remark.style)
        notice = wrapped(self.notice, width, CAUTION)
        # A warning goes before what is only good to know.
        left = styled(self.warning, CAUTION) if self.warning else styled(self.stands, FAINT)
        right = Content.assemble(
            styled(f"{self.whose}  ", FAINT), styled("?", KEY), " keys  ", styled("q", KEY), " quit"
        )
        return page([*notice, *remark, ends(left, right, width)])


Drawing = Callable[[int], Content]
"""Draws something for so many columns."""


class DrawnRegion(Widget):
    """Shows a drawing, as high as it comes out; it is drawn once for a width."""

    DEFAULT_CSS = "DrawnRegion { height: auto; width: 1fr; }"

    drawing: reactive[Drawing | None] = reactive(None, layout=True, always_update=True)
    _drawn: tuple[Drawing, int, Content] | None = None

    def __init__(self, name: str, drawing: Drawing | None = None) -> None:
        super().__init__(id=name)
        self.set_reactive(DrawnRegion.drawing, drawing)

    def render(self) -> Content:
        """The drawing for the width that there is."""
        return self._at(self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many lines as the drawing has."""
        return 0 if self.drawing is None else height(self._at(width))

    def _at(self, width: int) -> Content:
        drawing = self.drawing
        if drawing is None:
            return EMPTY
        if self._drawn is None or self._drawn[:2] != (drawing, width):
            self._drawn = (drawing, width, drawing(width))
        return self._drawn[2]


class LedgerTable(DataTable[Text]):
    """Shows lines under heads; the cursor stays on its line when they are filled anew."""

    DEFAULT_CSS = "LedgerTable { height: 1fr; background: transparent; overflow-x: hidden; }"

    def __init__(self, name: str) -> None:
        super().__init__(id=name, cursor_type="row", zebra_stripes=False, cell_padding=1)
        self._heads: list[ColumnHead] = []

    def fill(self, table: PageTable, width: int, *, aloud: bool = False) -> None:
        """Show the rows of a table in so many columns; `aloud` without what is for the eye alone."""
        self.show_header = not table.headless
        heads, lines = ledger_of(table, width, aloud=aloud)
        before, row_index = self.marked, self.cursor_row
        same = self._heads == heads
        self.clear(columns=not same)
        if not same:
            for head in heads:
                self.add_column(_cell_of_table(Text(visible(head.name)), head), width=head.width)
            self._heads = heads
        for line in lines:
            cells = (
                _cell_of_table(cell, head) for cell, head in zip(line.cells, heads, strict=True)
            )
            self.add_row(*cells, key=line.key or None)
        keys = self.keys
        if keys:
            at = keys.index(before) if before in keys else min(row_index, len(keys) - 1)
            self.move_cursor(row=at, animate=False)

    def mark(self, key: str) -> None:
        """Move the cursor to the line of a key, where it is there."""
        if key in self.keys:
            self.move_cursor(row=self.keys.index(key), animate=False)

    @property
    def keys(self) -> list[str]:
        """The keys of all lines, from the first on; that of a line without one is empty."""
        return [row.key.value or "" for row in self.ordered_rows]

    @property
    def marked(self) -> str | None:
        """The key of the line that the cursor is on."""
        if not self.row_count or not self.is_valid_row_index(self.cursor_row):
            return None
        return self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value


def _cell_of_table(text: Text, head: ColumnHead) -> Text:
    text.justify = "right" if head.figures else "left"
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
