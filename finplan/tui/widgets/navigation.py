"""The line at the top: the screens there are, which one is open, and how many questions wait."""

from dataclasses import dataclass

from textual.content import Content
from textual.message import Message
from textual.reactive import reactive

from finplan.tui.drawing.lines import CAUTION, FAINT, HERE, styled
from finplan.tui.places import PLACES, ScreenPlace
from finplan.tui.widgets.entries import EntryLine

LONGEST, SHORTEST = max(len(each.title) for each in PLACES), 3
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
        for longest in range(LONGEST, SHORTEST, -1):
            entries = [self._entry(each, longest) for each in PLACES]
            if sum(each.cell_length for each in entries) <= self.content_size.width:
                return entries
        return [self._entry(each, SHORTEST) for each in PLACES]

    def _entry(self, place: ScreenPlace, longest: int) -> Content:
        waits = f" {self.questions}" if place.name == "questions" and self.questions else ""
        if place.name == self._here:
            told = f" {place.key} {place.title}{waits} "
            return styled(told, HERE)
        name = place.title[:longest]
        return Content.assemble(
            " ", styled(place.key, FAINT), " ", styled(name), styled(waits, CAUTION), " "
        )
