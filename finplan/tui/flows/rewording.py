"""A person's own word on one row: its category, a note, its parts; and the way back from it."""

from collections.abc import Sequence

from pydantic import ValidationError

from finplan.model import figures
from finplan.model.category import CategoryChoice
from finplan.model.transaction import Transaction, TransactionWord
from finplan.operations.household import CHANGE_TRANSACTION
from finplan.tui.dialogs.category import CategoryDialog
from finplan.tui.dialogs.row import RowDialog
from finplan.tui.dialogs.splitting import SplitDialog
from finplan.tui.dialogs.typed import TypedDialog
from finplan.tui.feed import NotAnswered
from finplan.tui.household import HouseholdApp


class Rewordings:
    """Asks for words on rows and keeps them; knows how each row stood before, to go back to that."""

    def __init__(self, app: HouseholdApp) -> None:
        self._app = app
        self._before: dict[str, list[TransactionWord]] = {}

    async def ask(self, row: Transaction, categories: Sequence[CategoryChoice], what: str) -> bool:
        """Ask for a `category`, a `note` or a `split`, go back with `undo`; whether something changed.

        `show` shows the row whole, where the same keys are. Without anything to go back to, `undo`
        leaves to the rules what the row is for.
        """
        if what == "show":
            labels = {each.category: each.label for each in categories}
            chosen = await self._app.push_screen_wait(RowDialog(row, labels))
            return chosen is not None and await self.ask(row, categories, chosen)
        remembered = self._before.setdefault(row.id, [])
        if what == "undo":
            word: TransactionWord | None = remembered[-1] if remembered else _none(row)
        else:
            word = await self._word(row, categories, what)
        if word is None:
            return False
        try:
            changed = await self._app.feed.ask(CHANGE_TRANSACTION, word)
        except NotAnswered as refused:
            self._app.warn(refused.message)
            return False
        if what != "undo":
            remembered.append(_as_it_stands(row))
        elif remembered:
            remembered.pop()
        back = "" if what == "undo" else " u takes it back."
        self._app.say(f"{changed.payee}: {_kept(word, changed, categories)}.{back}")
        return True

    async def _word(
        self, row: Transaction, categories: Sequence[CategoryChoice], what: str
    ) -> TransactionWord | None:
        named = f"{row.payee}, {_size(row)}, {figures.short_date(row.date)}"
        if what == "category":
            dialog = CategoryDialog(f"What is this one for? {named}", categories, [row.category])
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


def _size(row: Transaction) -> str:
    return figures.money(abs(row.amount), row.currency)


def _wrong_note(typed: str) -> str | None:
    try:
        TransactionWord(id="tx_1", note=typed.strip() or None)
    except ValidationError as error:
        return str(error.errors()[0]["msg"])
    return None
