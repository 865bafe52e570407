"""One of a few words."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from finplan.tui.drawing.lines import styled


class ChoiceDialog(ModalScreen[str | None]):
    """Answers the word that was chosen, None for Escape."""

    BINDINGS: ClassVar = [("escape", "dismiss(None)", "Back")]

    def __init__(self, asks: str, words: Sequence[str]) -> None:
        super().__init__()
        self._asks, self._words = asks, words

    def compose(self) -> ComposeResult:
        """The question and the words."""
        with Vertical(classes="dialog"):
            yield Static(styled(self._asks, "bold"))
            yield OptionList(*(Option(each, id=each) for each in self._words))

    @on(OptionList.OptionSelected)
    def _choose(self, chosen: OptionList.OptionSelected) -> None:
        self.dismiss(chosen.option_id)
