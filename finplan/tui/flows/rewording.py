"""A person's own word on one row: its category, a note, tags, its parts; and the way back.

The row is shown whole: what the bank wrote, what it is for and why. It is split as `groceries=30
gifts=rest`, with what is missing said while it is typed.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from finplan.model import figures
from finplan.model.category import BudgetLine, CategoryChoice
from finplan.model.transaction import (
    RowRemarks,
    SplitPart,
    Transaction,
    TransactionWord,
    remark_texts,
    remarks_of,
)
from finplan.model.typed_parts import NoSplit, split_parts, typed_part
from finplan.operations.transaction import CHANGE_TRANSACTION
from finplan.tui.dialogs import CategoryDialog, TypedDialog, make_category
from finplan.tui.drawing import FAINT, drawing_of
from finplan.tui.household import HouseholdApp, NotAnswered
from finplan.tui.widgets import KeyLine
from finplan.views.transactions import change_of, filed, rows


class Rewordings:
    """Asks for words on rows and keeps them; the newest can be taken back, one after the other."""

    def __init__(self, app: HouseholdApp) -> None:
        self._app = app
        self._before: list[TransactionWord] = []

    async def ask(self, row: Transaction, categories: Sequence[CategoryChoice], what: str) -> bool:
        """Ask for a `category`, a `note` or a `split`; whether something was kept.

        `show` shows the row whole, where the same keys are; `undo` takes back what was said of the row.
        """
        if what == "show":
            chosen = await self._app.push_screen_wait(RowDialog(row, _labels(categories)))
            return chosen is not None and await self.ask(row, categories, chosen)
        choices = [*categories]
        edit = _no_word(row) if what == "undo" else await self._word(row, choices, what)
        changed = None if edit is None else await self._keep(edit)
        if changed is None:
            return False
        change = change_of(row, changed, _labels(choices))
        self._app.say(f"{row.payee}: {change} Press u to undo.")
        self._before.append(_as_it_stands(row))
        return True

    async def undo(self, row: Transaction | None, categories: Sequence[CategoryChoice]) -> bool:
        """Take the newest word back, wherever its row is shown; without one, what is said of `row`."""
        if not self._before:
            return row is not None and await self.ask(row, categories, "undo")
        changed = await self._keep(self._before[-1])
        if changed is None:
            return False
        # Its row may not be in sight, so it is said which one that was.
        text = f"{_describe_row(changed)}: {filed(changed, _labels(categories))} again"
        self._app.say(f"Undone. {text}.")
        return bool(self._before.pop())

    async def _keep(self, edit: TransactionWord) -> Transaction | None:
        try:
            return await self._app.feed.ask(CHANGE_TRANSACTION, edit)
        except NotAnswered as refused:
            self._app.warn(refused.message)
            return None

    async def _word(
        self, row: Transaction, categories: list[CategoryChoice], what: str
    ) -> TransactionWord | None:
        """The word that the person says; a category that they make joins those that are known."""
        title = _describe_row(row)
        if what == "category":
            asks = f"Which category? {title}"

            async def makes(name: str, line: BudgetLine) -> CategoryChoice:
                categories.append(await make_category(self._app, name, line))
                return categories[-1]

            choice = CategoryDialog(asks, categories, makes, [row.category])
            category = await self._app.push_screen_wait(choice)
            return None if category is None else TransactionWord(id=row.id, category=category)
        if what in RowRemarks.model_fields:
            about = f"Note for {title}" if what == "note" else f"{what.capitalize()} for {title}"
            present = remark_texts(remarks_of(row)).get(what, "")
            hint = f"Leave empty to remove the {what}."
            reads = partial(_remark_word, row.id, what)
            return await self._app.push_screen_wait(
                TypedDialog(about, hint, reads=reads, value=present)
            )
        parts = await self._app.push_screen_wait(SplitDialog(row, categories))
        return None if parts is None else TransactionWord(id=row.id, splits=parts)


def _no_word(row: Transaction) -> TransactionWord:
    return TransactionWord(id=row.id, category=None, splits=None)


def _as_it_stands(row: Transaction) -> TransactionWord:
    """The word that makes a row again what it is now."""
    if row.splits:
        return TransactionWord(id=row.id, splits=row.splits, **remarks_of(row))
    is_own = row.why.source == "user" and row.why.rule_id is None
    own = row.category if is_own else None
    return TransactionWord(id=row.id, category=own, splits=None, **remarks_of(row))


def _labels(categories: Sequence[CategoryChoice]) -> dict[str, str]:
    return {category.category: category.label for category in categories}


def _describe_row(row: Transaction) -> str:
    size = figures.money(abs(row.amount), row.currency)
    return f"{row.payee}, {size}, {figures.short_date(row.date)}"


def _remark_word(known_as: str, name: str, typed: str) -> TransactionWord:
    values = {"id": known_as, name: typed.strip() or None}
    return TransactionWord.model_validate(values, by_name=True)


ROW_WIDTH = 64


class RowDialog(ModalScreen[str | None]):
    """Answers what is to be done with the row, None for nothing."""

    BINDINGS: ClassVar = [
        Binding("escape,enter", "dismiss(None)", "Back"),
        Binding("c", "dismiss('category')", "Category"),
        Binding("s", "dismiss('split')", "Split"),
        *(
            Binding(name[0], f"dismiss('{name}')", name.capitalize())
            for name in RowRemarks.model_fields
        ),
        Binding("u", "dismiss('undo')", "Undo"),
    ]

    def __init__(self, transaction: Transaction, labels: Mapping[str, str]) -> None:
        super().__init__()
        self._row, self._labels = transaction, labels

    def compose(self) -> ComposeResult:
        """Everything that is known of it, and the keys."""
        with Vertical(classes="dialog"):
            yield Static(drawing_of((rows((self._row,), self._labels, why=True),))(ROW_WIDTH))
            yield KeyLine()


class SplitDialog(TypedDialog[tuple[SplitPart, ...]]):
    """Answers the parts of a row; what they come to is said while they are typed."""

    def __init__(self, row: Transaction, categories: Sequence[CategoryChoice]) -> None:
        total = figures.money(abs(row.amount), row.currency)
        super().__init__(
            f"Split {row.payee}, {total}",
            "Type a category and an amount for each part. “rest” means the remaining amount.",
            reads=partial(read_split, row=row, categories=categories),
            value=_parts_as_typed(row),
            placeholder="groceries=30 gifts=rest",
        )
        self._row, self._labels = row, _labels(categories)

    @on(Input.Changed)
    def _judge(self, typed: Input.Changed) -> None:
        if not typed.value.strip():
            return
        try:
            parts = self._reads(typed.value)
        except NoSplit as wrong:
            self.hint(str(wrong))
        else:
            texts = (
                f"{self._labels[part.category]} {figures.money(abs(part.amount), self._row.currency)}"
                for part in parts
            )
            self.hint(", ".join(texts), FAINT)


def read_split(
    typed: str, row: Transaction, categories: Sequence[CategoryChoice]
) -> tuple[SplitPart, ...]:
    """The parts that `groceries=30 gifts=rest` means, signed as the row is. Raises NoSplit."""
    pieces = [typed_part(text) for text in typed.split()]
    if len(pieces) < 2:
        raise NoSplit("A split needs at least two parts. Add another part.")
    parts = split_parts(
        pieces, row.amount, row.currency, partial(_category_of_part, categories=categories)
    )
    remaining = row.amount - sum(part.amount for part in parts)
    size = figures.money(abs(remaining), row.currency)
    if remaining * row.amount < 0:
        raise NoSplit(f"The parts are {size} more than the transaction. Lower one part.")
    if remaining:
        raise NoSplit(
            f"The parts are {size} less than the transaction. Raise one part, or end with"
            " CATEGORY=rest."
        )
    return parts


def _category_of_part(name: str, categories: Sequence[CategoryChoice]) -> str:
    folded = name.casefold()
    ids = {category.category: category.category.casefold() for category in categories}
    labels = {category.category: category.label.casefold() for category in categories}
    # The whole name goes before its beginning, and what a category is called here before its label.
    ways = (
        [key for key in ids if folded in (ids[key], labels[key])],
        [key for key in ids if ids[key].startswith(folded)],
        [key for key in ids if labels[key].startswith(folded)],
    )
    near = next((matches for matches in ways if matches), [])
    if len(near) == 1:
        return near[0]
    if not near:
        raise NoSplit(f"No category is called {name!r}. Check the spelling.")
    raise NoSplit(f"{name!r} could be {', '.join(near[:4])}. Type more of the name.")


def _parts_as_typed(row: Transaction) -> str:
    return " ".join(
        f"{part.category}={figures.number(abs(part.amount), row.currency).replace(',', '')}"
        for part in row.splits or ()
    )
