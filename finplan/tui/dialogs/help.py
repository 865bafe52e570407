"""The keys of the screen that is open."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from finplan.tui.drawing.lines import EMPTY, KEY, heading, page, row, styled
from finplan.tui.widgets.drawn import DrawnRegion

Keys = Sequence[tuple[str, str]]
"""Keys as they are called, each with what it does."""


class HelpDialog(ModalScreen[None]):
    """Shows keys until one is pressed that closes it."""

    BINDINGS: ClassVar = [Binding("escape,question_mark,enter,q", "dismiss(None)", "Back")]

    def __init__(self, groups: Mapping[str, Keys]) -> None:
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        """The keys, group by group."""
        with Vertical(classes="dialog"), VerticalScroll(classes="evidence"):
            yield DrawnRegion(id="keys-told")

    def on_mount(self) -> None:
        """Draw them for the room that there is."""
        self.query_one(DrawnRegion).drawing = self._draw

    def _draw(self, width: int) -> Content:
        lines: list[Content] = []
        for title, keys in self._groups.items():
            lines += [heading(title, "", width), *_two_columns(keys, width), EMPTY]
        return page(lines[:-1])


def _two_columns(keys: Keys, width: int) -> list[Content]:
    wide = (width - 2) // 2
    cells = [row((styled(key, KEY), 9), (told, wide - 10)) for key, told in keys]
    half = (len(cells) + 1) // 2
    return [
        row((cells[at], wide), (cells[at + half] if at + half < len(cells) else EMPTY, wide))
        for at in range(half)
    ]
