"""One thing that a statement file leaves open, with rows as each answer would read them."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from finplan.model.question import ImportQuestion, takes_another
from finplan.tui.drawing.lines import FAINT, styled


class QuestionDialog(ModalScreen[str | None]):
    """Answers the value that is sent, None where the person stops."""

    BINDINGS: ClassVar = [("escape", "dismiss(None)", "Stop")]

    def __init__(self, question: ImportQuestion) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """The file, the question, its choices, and a line where something else may be said."""
        asked = self._question
        with Vertical(classes="dialog"):
            yield Static(styled(asked.name, FAINT))
            yield Static(styled(asked.text, "bold"))
            yield OptionList(
                *(Option(_told(each.label, each.sample), id=each.value) for each in asked.choices)
            )
            other = takes_another(asked)
            if other is not None:
                yield Input(placeholder=f"or {other}")

    @on(OptionList.OptionSelected)
    def _choose(self, chosen: OptionList.OptionSelected) -> None:
        self.dismiss(chosen.option_id)

    @on(Input.Submitted)
    def _take(self, typed: Input.Submitted) -> None:
        if typed.value.strip():
            self.dismiss(typed.value.strip())


def _told(label: str, sample: str | None) -> Content:
    if not sample:
        return styled(label)
    return Content.assemble(styled(label), "\n", styled(f"  {sample}", FAINT))
