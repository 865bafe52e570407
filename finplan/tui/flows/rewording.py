"""A person's own word on one row: its category, a note, its parts; and the way back from it."""

from collections.abc import Sequence

from pydantic import ValidationError

from finplan.model import figures
from finplan.model.category import BudgetLine, CategoryChoice
from finplan.model.transaction import Transaction, TransactionWord
from finplan.operations.transaction import CHANGE_TRANSACTION
from finplan.tui.dialogs.category import CategoryDialog, MadeCategory
from finplan.tui.dialogs.row import RowDialog
from finplan.tui.dialogs.splitting import SplitDialog
from finplan.tui.dialogs.typed import TypedDialog
from finplan.tui.feed import NotAnswered
from finplan.tui.flows.categories import make_category
from finplan.tui.household import HouseholdApp


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
            labels = {each.category: each.label for each in categories}
            chosen = await self._app.push_screen_wait(RowDialog(row, labels))
            return chosen is not None and await self.ask(row, categories, chosen)
        known = [*categories]
        if what == "undo":
            word: TransactionWord | None = _none(row)
        else:
            word = await self._word(row, known, what)
        if word is None or not await self._keep(word, known, " u takes it back."):
            return False
        self._before.append(_as_it_stands(row))
        return True

    async def undo(self, row: Transaction | None, categories: Sequence[CategoryChoice]) -> bool:
        """Take the newest word back, wherever its row is shown; without one, what is said of `row`."""
        if self._before:
            kept = await self._keep(self._before[-1], categories, is_undo=True)
            return kept and bool(self._before.pop())
        return row is not None and await self.ask(row, categories, "undo")

    async def _keep(
        self,
        word: TransactionWord,
        categories: Sequence[CategoryChoice],
        way_back: str = "",
        *,
        is_undo: bool = False,
    ) -> bool:
        try:
            row = await self._app.feed.ask(CHANGE_TRANSACTION, word)
        except NotAnswered as refused:
            self._app.warn(refused.message)
            return False
        if is_undo:
            # Its row may not be in sight, so it is said which one that was.
            named = f"{row.payee}, {_size(row)}, {figures.short_date(row.date)}"
            self._app.say(f"Taken back: {named} is as before ({_as_before(row, categories)}).")
        else:
            self._app.say(f"{row.payee}: {_kept(word, row, categories)}.{way_back}")
        return True

    async def _word(
        self, row: Transaction, categories: list[CategoryChoice], what: str
    ) -> TransactionWord | None:
        """The word that the person says; a category that they make joins those that are known."""
        named = f"{row.payee}, {_size(row)}, {figures.short_date(row.date)}"
        if what == "category":
            about = f"What is this one for? {named}"

            async def makes(name: str, line: BudgetLine) -> MadeCategory:
                made = await make_category(self._app, name, line)
                categories.extend([] if made.choice is None else [made.choice])
                return made

            dialog = CategoryDialog(about, categories, makes, [row.category])
            category = await self._app.push_screen_wait(dialog)
            return None if category is None else TransactionWord(id=row.id, category=category)
        if what == "note":
            hint = "An empty line takes the note away."
            note = await self._app.push_screen_wait(
                TypedDialog(f"A note on {named}", hint, row.note or "", refuses=_wrong_note)
            )
            return None if note is None else TransactionWord(id=row.id, note=note.strip() or None)
        parts = await self._app.push_screen_wait(SplitDialog(row, categories))
        return None if parts is None else TransactionWord(id=row.id, splits=parts)


def _none(row: Transaction) -> TransactionWord:
    return TransactionWord(id=row.id, category=None, splits=None)


def _as_it_stands(row: Transaction) -> TransactionWord:
    """The word that makes a row again what it is now."""
    if row.splits:
        return TransactionWord(id=row.id, note=row.note, splits=row.splits)
    is_own = row.why.source == "user" and row.why.rule_id is None
    own = row.category if is_own else None
    return TransactionWord(id=row.id, note=row.note, category=own, splits=None)


def _kept(word: TransactionWord, row: Transaction, categories: Sequence[CategoryChoice]) -> str:
    if word.model_fields_set == {"id", "note"}:
        return "noted" if row.note else "its note is gone"
    if row.splits:
        return f"split into {len(row.splits)} parts"
    labels = {each.category: each.label for each in categories}
    return labels.get(row.category, row.category)


def _as_before(row: Transaction, categories: Sequence[CategoryChoice]) -> str:
    labels = {each.category: each.label for each in categories}
    parts = f"{len(row.splits)} parts" if row.splits else labels.get(row.category, row.category)
    return f"{parts}, noted" if row.note else parts


def _size(row: Transaction) -> str:
    return figures.money(abs(row.amount), row.currency)


def _wrong_note(typed: str) -> str | None:
    try:
        TransactionWord(id="tx_1", note=typed.strip() or None)
    except ValidationError as error:
        return str(error.errors()[0]["msg"])
    return None
