"""Yes or no, with all that a person should see before."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from finplan.tui.drawing.lines import styled
from finplan.tui.widgets.drawn import Drawing, DrawnRegion
from finplan.tui.widgets.keys import KeyLine


class ConfirmDialog(ModalScreen[bool | None]):
    """Answers whether the person agrees."""

    BINDINGS: ClassVar = [
        Binding("enter,y", "dismiss(True)", "Yes"),
        Binding("escape,n", "dismiss(False)", "No"),
    ]

    def __init__(self, question: str, drawing: Drawing) -> None:
        super().__init__()
        self._question, self._drawing = question, drawing

    def compose(self) -> ComposeResult:
        """What it is about, the question, and the keys."""
        with Vertical(classes="dialog"):
            with VerticalScroll(classes="evidence"):
                yield DrawnRegion(id="evidence")
            yield Static(styled(self._question, "bold"))
            yield KeyLine()

    def on_mount(self) -> None:
        """Draw it for the room that there is."""
        self.query_one("#evidence", DrawnRegion).drawing = self._drawing
