"""One of a few."""

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from finplan.tui.drawing.lines import styled


class ChoiceDialog(ModalScreen[str | None]):
    """Answers the key of what was chosen among names, None for Escape."""

    BINDINGS: ClassVar = [("escape", "dismiss(None)", "Back")]

    def __init__(self, asks: str, names: Mapping[str, str]) -> None:
        super().__init__()
        self._asks, self._names = asks, names

    def compose(self) -> ComposeResult:
        """The question and the names."""
        with Vertical(classes="dialog"):
            yield Static(styled(self._asks, "bold"))
            yield OptionList(*(Option(styled(name), id=key) for key, name in self._names.items()))

    @on(OptionList.OptionSelected)
    def _choose(self, chosen: OptionList.OptionSelected) -> None:
        self.dismiss(chosen.option_id)
