"""A person's own word on one row: its category, a note, its parts; each said before it is kept."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from finplan.model import figures
from finplan.model.category import CategoryChoice
from finplan.model.transaction import SplitPart, Transaction, TransactionWord
from finplan.operations.household import CHANGE_TRANSACTION
from finplan.tui.dialogs.category import CategoryDialog
from finplan.tui.dialogs.row import RowDialog
from finplan.tui.dialogs.splitting import SplitDialog
from finplan.tui.dialogs.typed import TypedDialog
from finplan.tui.feed import NotAnswered

if TYPE_CHECKING:
    from finplan.tui.screens.base import HouseholdScreen


class Rewording:
    """Asks for a word on a row and keeps it; the screen it came from is loaded anew."""

    def __init__(
        self,
        screen: "HouseholdScreen[Any]",
        row: Transaction,
        categories: Sequence[CategoryChoice],
    ) -> None:
        self._screen = screen
        self._row = row
        self._categories = categories

    def begin(self, what: str) -> None:
        """Ask for a `category`, a `note` or a `split`, take back with `undo`, or `show` the row."""
        ways = {
            "category": self._file,
            "note": self._note,
            "split": self._split,
            "undo": self._take_back,
            "show": self._show,
        }
        self._screen.run_worker(ways[what](), group="reword")

    @property
    def _named(self) -> str:
        amount = figures.money(abs(self._row.amount), self._row.currency)
        return f"{self._row.payee}, {amount}, {figures.short_date(self._row.date)}"

    async def _show(self) -> None:
        labels = {each.category: each.label for each in self._categories}
        chosen = await self._screen.app.push_screen_wait(RowDialog(self._row, labels))
        if chosen is not None:
            self.begin(chosen)

    async def _file(self) -> None:
        dialog = CategoryDialog(
            f"What is this one for? {self._named}", self._categories, [self._row.category]
        )
        category = await self._screen.app.push_screen_wait(dialog)
        if category is not None:
            await self._keep(TransactionWord(id=self._row.id, category=category))

    async def _note(self) -> None:
        dialog = TypedDialog(
            f"A note on {self._named}", "Nothing takes the note away.", self._row.note or ""
        )
        typed = await self._screen.app.push_screen_wait(dialog)
        if typed is not None:
            await self._keep(TransactionWord(id=self._row.id, note=typed.strip() or None))

    async def _split(self) -> None:
        dialog = SplitDialog(self._row, self._categories)
        parts: tuple[SplitPart, ...] | None = await self._screen.app.push_screen_wait(dialog)
        if parts is not None:
            await self._keep(TransactionWord(id=self._row.id, splits=parts))

    async def _take_back(self) -> None:
        await self._keep(TransactionWord(id=self._row.id, category=None, note=None))

    async def _keep(self, word: TransactionWord) -> None:
        try:
            row = await self._screen.household.feed.ask(CHANGE_TRANSACTION, word)
        except NotAnswered as error:
            self._screen.notify(error.message, severity="warning")
            return
        self._screen.notify(row.why.text)
        self._screen.load()
