"""Splitting one row: `groceries=30 gifts=rest`, with what is missing said while it is typed."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from finplan.model import figures
from finplan.model.category import CategoryChoice
from finplan.model.money import typed_amount
from finplan.model.transaction import SplitPart, Transaction
from finplan.tui.drawing.lines import CAUTION, FAINT, styled

REST = "rest"


class NoSplit(ValueError):
    """What was typed is no split of the row; the sentence says why."""


class SplitDialog(ModalScreen[tuple[SplitPart, ...] | None]):
    """Answers the parts of a row, None for Escape."""

    BINDINGS: ClassVar = [("escape", "dismiss(None)", "Back")]

    def __init__(self, row: Transaction, categories: Sequence[CategoryChoice]) -> None:
        super().__init__()
        self._row, self._categories = row, categories

    def compose(self) -> ComposeResult:
        """The row, a line for its parts, and what they come to."""
        whole = figures.money(abs(self._row.amount), self._row.currency)
        with Vertical(classes="dialog"):
            yield Static(styled(f"What is {self._row.payee}, {whole}, for?", "bold"))
            yield Input(_written(self._row), placeholder="groceries=30 gifts=rest")
            yield Static(
                styled("A category and its amount for each part; rest is what is left.", FAINT),
                id="sum",
            )

    @on(Input.Changed)
    def _judge(self, typed: Input.Changed) -> None:
        if not typed.value.strip():
            return
        told = self.query_one("#sum", Static)
        try:
            parts = read_split(typed.value, self._row, self._categories)
        except NoSplit as wrong:
            told.update(styled(str(wrong), CAUTION))
        else:
            labels = {each.category: each.label for each in self._categories}
            said = ", ".join(
                f"{labels[part.category]} {figures.money(abs(part.amount), self._row.currency)}"
                for part in parts
            )
            told.update(styled(said, FAINT))

    @on(Input.Submitted)
    def _take(self, typed: Input.Submitted) -> None:
        try:
            self.dismiss(read_split(typed.value, self._row, self._categories))
        except NoSplit as wrong:
            self.query_one("#sum", Static).update(styled(str(wrong), CAUTION))


def read_split(
    typed: str, row: Transaction, categories: Sequence[CategoryChoice]
) -> tuple[SplitPart, ...]:
    """The parts that `groceries=30 gifts=rest` means, signed as the row is. Raises NoSplit."""
    sign = -1 if row.amount < 0 else 1
    sizes: list[tuple[str, int | None]] = []
    for word in typed.split():
        name, equals, size = word.partition("=")
        if not (name and equals and size):
            raise NoSplit(f"{word!r} is no part; write CATEGORY=AMOUNT, such as groceries=30.")
        rest = size.casefold() == REST
        if rest and any(each is None for _, each in sizes):
            raise NoSplit("Only one part can be the rest.")
        sizes.append((_category(name, categories), None if rest else _amount(size, row.currency)))
    whole, known = abs(row.amount), sum(each or 0 for _, each in sizes)
    left = figures.money(abs(whole - known), row.currency)
    has_rest = any(each is None for _, each in sizes)
    if len(sizes) < 2:
        raise NoSplit("A split has two parts or more.")
    if known > whole or (has_rest and known == whole):
        raise NoSplit(
            f"The parts are {left} too much." if known > whole else "Nothing is left for the rest."
        )
    if not has_rest and known < whole:
        raise NoSplit(f"{left} is in no part yet; a last part may be CATEGORY=rest.")
    return tuple(
        SplitPart(amount=sign * (whole - known if size is None else size), category=category)
        for category, size in sizes
    )


def _category(name: str, categories: Sequence[CategoryChoice]) -> str:
    wanted = name.casefold()
    ids = {each.category: each.category.casefold() for each in categories}
    labels = {each.category: each.label.casefold() for each in categories}
    # The whole name goes before its beginning, and what a category is called here before its label.
    ways = (
        [key for key in ids if wanted in (ids[key], labels[key])],
        [key for key in ids if ids[key].startswith(wanted)],
        [key for key in ids if labels[key].startswith(wanted)],
    )
    near = next((found for found in ways if found), [])
    if len(near) == 1:
        return near[0]
    if not near:
        raise NoSplit(f"No category is called {name!r}.")
    raise NoSplit(f"{name!r} could be {', '.join(near[:4])}; type more of it.")


def _amount(size: str, currency: str) -> int:
    try:
        amount = typed_amount(size, currency, "The part")
    except ValueError as error:
        raise NoSplit(str(error)) from None
    if amount <= 0:
        raise NoSplit("Each part is more than nothing; it is signed as the row is.")
    return amount


def _written(row: Transaction) -> str:
    return " ".join(
        f"{part.category}={figures.number(abs(part.amount), row.currency).replace(',', '')}"
        for part in row.splits or ()
    )
