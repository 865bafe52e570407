"""The line that names the lists of a screen: their keys, which one is open, and what is open in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual.content import Content
from textual.message import Message
from textual.reactive import reactive

from finplan.tui.drawing.lines import CAUTION, FAINT, HERE, styled
from finplan.tui.widgets.entries import EntryLine


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
