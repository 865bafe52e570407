"""The parts that screens are made of: lines of places, keys and lists, tables, and drawn regions."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.text import Text
from textual.binding import Binding
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import DataTable

from finplan.model.characters import visible
from finplan.tui.drawing.lines import (
    CAUTION,
    EMPTY,
    FAINT,
    HERE,
    KEY,
    ColumnHead,
    TableLine,
    ends,
    height,
    ledger_of,
    page,
    styled,
    wrapped,
)
from finplan.views.page import PageTable


class ScreenPlace(NamedTuple):
    """A screen: what it is called in the program and on the screen, its key, and what it is for."""

    name: str
    title: str
    key: str
    purpose: str


PLACES = (
    ScreenPlace("overview", "Overview", "O", "What is safe to spend, what is due, what to do next"),
    ScreenPlace("questions", "Questions", "T", "What only you can answer, a key each"),
    ScreenPlace("spending", "Spending", "S", "Where the money goes, down to the row, for any days"),
    ScreenPlace("plan", "Plan", "P", "The plan by its sections, and why each is so"),
    ScreenPlace("found", "Found", "F", "What comes again, transfers, and what is there twice"),
    ScreenPlace("accounts", "Accounts", "A", "Accounts, banks and statement files"),
    ScreenPlace("settings", "Settings", "G", "How you are planned, and how this looks"),
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
    def take(self, place: int) -> None:
        """Do what a click on the entry at this place asks for, counted from 0."""

    def render(self) -> Content:
        """The entries beside each other."""
        return Content("").join(self.entries())

    def on_click(self, click: Click) -> None:
        """Take the entry that stands under the pointer."""
        end = 0
        for place, entry in enumerate(self.entries()):
            end += entry.cell_length
            if click.x < end:
                self.take(place)
                return


LONGEST_TITLE, SHORTEST_TITLE = max(len(each.title) for each in PLACES), 3
"""How much of a name stands there, with room and without."""


class Navigation(EntryLine):
    """Names each screen with its key; a click opens it."""

    DEFAULT_CSS = "Navigation { dock: top; background: $panel; }"

    questions: reactive[int] = reactive(0)

    @dataclass
    class Opened(Message):
        """A screen was clicked at."""

        place: str

    def __init__(self, here: str) -> None:
        super().__init__(id="navigation")
        self._here = here

    def take(self, place: int) -> None:
        """Open the screen at this place."""
        self.post_message(self.Opened(PLACES[place].name))

    def entries(self) -> list[Content]:
        """The screens; the longest names are cut, only as far as all of them have room."""
        for longest in range(LONGEST_TITLE, SHORTEST_TITLE, -1):
            entries = [self._entry(each, longest) for each in PLACES]
            if sum(each.cell_length for each in entries) <= self.content_size.width:
                return entries
        return [self._entry(each, SHORTEST_TITLE) for each in PLACES]

    def _entry(self, place: ScreenPlace, longest: int) -> Content:
        waits = f" {self.questions}" if place.name == "questions" and self.questions else ""
        if place.name == self._here:
            told = f" {place.key} {place.title}{waits} "
            return styled(told, HERE)
        name = place.title[:longest]
        return Content.assemble(
            " ", styled(place.key, FAINT), " ", styled(name), styled(waits, CAUTION), " "
        )


class NamedList(NamedTuple):
    """A list: its name in the program and on the screen, and its key."""

    name: str
    title: str
    key: str


class ListTabs(EntryLine):
    """Names each list with its key; a click opens it."""

    DEFAULT_CSS = "ListTabs { margin-bottom: 1; }"

    here: reactive[str] = reactive("")
    waiting: reactive[dict[str, int]] = reactive(dict)

    @dataclass
    class Opened(Message):
        """A list was clicked at."""

        name: str

    def __init__(self, lists: Sequence[NamedList]) -> None:
        super().__init__(id="lists")
        self._lists = lists

    def take(self, place: int) -> None:
        """Open the list at this place."""
        self.post_message(self.Opened(self._lists[place].name))

    def entries(self) -> list[Content]:
        """The lists, each with its key and how much waits."""
        entries = []
        for each in self._lists:
            number = self.waiting.get(each.name, 0)
            waits = f" {number} open" if number else ""
            if each.name == self.here:
                entries.append(styled(f" {each.key} {each.title}{waits} ", HERE))
            else:
                key, told = styled(each.key, FAINT), styled(waits, CAUTION)
                entries.append(Content.assemble(" ", key, " ", styled(each.title), told, " "))
        return entries


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
        for each in self._shown():
            key = styled(self.app.get_key_display(each), KEY)
            entry = Content.assemble(" ", key, " ", styled(each.description), " ")
            room -= entry.cell_length
            if room < 0:
                break
            entries.append(entry)
        return entries

    def take(self, place: int) -> None:
        """Press the key at this place."""
        self.app.simulate_key(self._shown()[place].key)

    def _shown(self) -> list[Binding]:
        by_action: dict[str, Binding] = {}
        for each in self.screen.active_bindings.values():
            if each.binding.show:
                by_action.setdefault(each.binding.action, each.binding)
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
        return self._drawn(self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """One line, and those of a notice and a remark."""
        return height(self._drawn(width))

    def _drawn(self, width: int) -> Content:
        said = (
            wrapped(self.remark.sentence, width, self.remark.style) if self.remark.sentence else []
        )
        notice = wrapped(self.notice, width, CAUTION) if self.notice else []
        # A warning goes before what is only good to know.
        left = styled(self.warning, CAUTION) if self.warning else styled(self.stands, FAINT)
        right = Content.assemble(
            styled(f"{self.whose}  ", FAINT), styled("?", KEY), " keys  ", styled("q", KEY), " quit"
        )
        return page([*notice, *said, ends(left, right, width)])


Drawing = Callable[[int], Content]
"""Draws something for so many columns."""


class DrawnRegion(Widget):
    """Shows a drawing, as high as it comes out; it is drawn once for a width."""

    DEFAULT_CSS = "DrawnRegion { height: auto; width: 1fr; }"

    drawing: reactive[Drawing | None] = reactive(None, layout=True, always_update=True)
    _drawn: tuple[Drawing, int, Content] | None = None

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
        self._heads: tuple[ColumnHead, ...] = ()

    def fill(self, table: PageTable, width: int, *, aloud: bool = False) -> None:
        """Show the rows of a table in so many columns; `aloud` without what is for the eye alone."""
        self.show_header = not table.headless
        self.fill_lines(*ledger_of(table, width, aloud=aloud))

    def fill_lines(self, heads: Sequence[ColumnHead], lines: Iterable[TableLine]) -> None:
        """Show other lines."""
        before, place = self.marked, self.cursor_row
        same = self._heads == tuple(heads)
        self.clear(columns=not same)
        if not same:
            for head in heads:
                self.add_column(_cell_of_table(head.name, head), width=head.width)
            self._heads = tuple(heads)
        for line in lines:
            cells = (
                _cell_of_table(each, head) for each, head in zip(line.cells, heads, strict=True)
            )
            self.add_row(*cells, key=line.key or None)
        keys = self.keys
        if keys:
            at = keys.index(before) if before in keys else min(place, len(keys) - 1)
            self.move_cursor(row=at, animate=False)

    def mark(self, key: str) -> None:
        """Move the cursor to the line of a key, where it is there."""
        if key in self.keys:
            self.move_cursor(row=self.keys.index(key), animate=False)

    @property
    def keys(self) -> list[str]:
        """The keys of all lines, from the first on; that of a line without one is empty."""
        return [each.key.value or "" for each in self.ordered_rows]

    @property
    def marked(self) -> str | None:
        """The key of the line that the cursor is on."""
        if not self.row_count or not self.is_valid_row_index(self.cursor_row):
            return None
        return self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value


def _cell_of_table(content: str | Text, head: ColumnHead) -> Text:
    text = Text(visible(content)) if isinstance(content, str) else content
    text.justify = "right" if head.figures else "left"
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
