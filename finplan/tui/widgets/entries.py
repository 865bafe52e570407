"""A line of entries beside each other; a click takes the one under the pointer."""

from abc import abstractmethod
from collections.abc import Sequence

from textual.content import Content
from textual.events import Click
from textual.widget import Widget


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
