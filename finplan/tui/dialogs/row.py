"""One row whole: what the bank wrote, what it is for and why, and the person's own words on it."""

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from finplan.model import figures
from finplan.model.plan_words import moved
from finplan.model.transaction import Transaction
from finplan.tui.drawing.lines import FAINT, STRONG, page, row, styled, wrapped
from finplan.tui.widgets.keys import KeyLine

WIDTH = 64


class RowDialog(ModalScreen[str | None]):
    """Answers what is to be done with the row, None for nothing."""

    BINDINGS: ClassVar = [
        Binding("escape,enter", "dismiss(None)", "Back"),
        Binding("c", "dismiss('category')", "Category"),
        Binding("s", "dismiss('split')", "Split"),
        Binding("n", "dismiss('note')", "Note"),
        Binding("u", "dismiss('undo')", "Take back"),
    ]

    def __init__(self, transaction: Transaction, labels: Mapping[str, str]) -> None:
        super().__init__()
        self._row, self._labels = transaction, labels

    def compose(self) -> ComposeResult:
        """Everything that is known of it, and the keys."""
        with Vertical(classes="dialog"):
            yield Static(draw_row(self._row, self._labels, WIDTH))
            yield KeyLine()


def draw_row(transaction: Transaction, labels: Mapping[str, str], width: int) -> Content:
    """A row with its text, category, reason, note and parts."""
    amount = moved(-transaction.amount, transaction.currency)
    waits = ", pending" if transaction.pending else ""
    day = f"{figures.long_date(transaction.date)}{waits}"
    lines = [
        styled(transaction.payee, STRONG),
        row((day, width - 20), (styled(amount, STRONG), -19)),
        *wrapped(transaction.raw, width, FAINT),
        Content(""),
        styled(labels.get(transaction.category, transaction.category), STRONG),
        *wrapped(transaction.why.text, width, FAINT),
    ]
    for part in transaction.splits or ():
        label = labels.get(part.category, part.category)
        told = f"{label}, {part.note}" if part.note else label
        lines.append(
            row(("·", 1), (told, width - 22), (moved(-part.amount, transaction.currency), -19))
        )
    if transaction.note:
        lines += [Content(""), *wrapped(f"Note: {transaction.note}", width)]
    return page(lines)
