"""One line of text that a person types."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from finplan.tui.drawing.lines import CAUTION, FAINT, styled

Refuses = Callable[[str], str | None]
"""Says what is wrong with a text, None where nothing is."""


def anything(_typed: str) -> str | None:
    """Refuse nothing."""
    return None


class TypedDialog(ModalScreen[str | None]):
    """Answers what was typed, None for Escape; `refuses` is asked before it is taken."""

    BINDINGS: ClassVar = [("escape", "dismiss(None)", "Back")]

    def __init__(
        self,
        asks: str,
        hint: str = "",
        value: str = "",
        placeholder: str = "",
        refuses: Refuses = anything,
    ) -> None:
        super().__init__()
        self._asks, self._hint, self._refuses = asks, hint, refuses
        self._line = Input(value, placeholder=placeholder)

    def compose(self) -> ComposeResult:
        """What is asked, the line, and how it is written."""
        with Vertical(classes="dialog"):
            yield Static(styled(self._asks, "bold"))
            yield self._line
            yield Static(styled(self._hint, FAINT), id="hint")

    @on(Input.Submitted)
    def _take(self, typed: Input.Submitted) -> None:
        wrong = self._refuses(typed.value)
        if wrong is None:
            self.dismiss(typed.value)
        else:
            self.query_one("#hint", Static).update(styled(wrong, CAUTION))
