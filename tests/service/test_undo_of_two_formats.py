"""Two formats of one account, taken back in either order: no row is lost, and none is there twice."""

from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import date
from itertools import permutations
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.banking.accounts import list_accounts
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.transactions import list_transactions
from tests.service import one_truth
from tests.service.one_truth import FORMATS
from tests.statements.bank_files import Row

Import = Callable[..., Awaitable[Any]]

_ALL = one_truth.rows(50)
_TWICE = _ALL[25]
"""A charge that is there twice on a day that both files have."""

ROWS = {
    "first": sorted([*_ALL[:30], _TWICE]),
    "second": sorted([*_ALL[20:], _TWICE]),
}
PAIRS = [
    *permutations(("checking.ofx", "bank.csv"), 2),
    *permutations(("bank.csv", "other.csv"), 2),
    *permutations(("money.qif", "bank.csv"), 2),
    *permutations(("money.qif", "other.csv"), 2),
]


def _dated(*parts: list[Row]) -> Counter[tuple[date, int]]:
    """Day and amount of the rows of files, of which each has every row of its days."""
    found = Counter[tuple[date, int]]()
    for part in parts:
        found |= Counter((day, amount) for day, amount, _ in part)
    return found


class _Household:
    """Imports the two files of one account under their names, and takes them back."""

    def __init__(
        self, context: Context, import_texts: Import, files: dict[str, tuple[str, str]]
    ) -> None:
        self._context = context
        self._import = import_texts
        self._files = files
        self._ids: dict[str, list[str]] = {}

    async def bring(self, which: str) -> int:
        """Import a file; answers how many rows were new."""
        name, text = self._files[which]
        report = await self._import({name: text}, account="Giro", currency="EUR")
        self._ids.setdefault(which, []).append(report.id)
        return int(report.files[0].new)

    async def undo(self, which: str) -> None:
        """Take the newest import of a file back."""
        await undo_import(self._context, ImportId(id=self._ids[which].pop()))

    async def rows(self) -> Counter[tuple[date, int]]:
        """Day and amount of every row."""
        page = await list_transactions(self._context, TransactionQuery(limit=500))
        return Counter((row.date, row.amount) for row in page.transactions)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("undone", ["first", "second"])
@pytest.mark.parametrize("brought", ["first", "second"])
@pytest.mark.parametrize(("one", "other"), PAIRS)
async def test_what_one_file_leaves_is_the_other(
    context: Context, import_texts: Import, one: str, other: str, brought: str, undone: str
) -> None:
    """Whichever came first and whichever goes first; what goes may come again, and all may go."""
    names = {"first": one, "second": other}
    texts = {which: (name, FORMATS[name](ROWS[which])) for which, name in names.items()}
    home = _Household(context, import_texts, texts)
    later = "second" if brought == "first" else "first"
    stays = "second" if undone == "first" else "first"
    union, left = _dated(*ROWS.values()), _dated(ROWS[stays])

    await home.bring(brought)
    await home.bring(later)
    assert await home.rows() == union
    await home.undo(undone)
    assert await home.rows() == left
    assert await home.bring(stays) == 0
    assert await home.rows() == left
    await home.undo(stays)
    assert await home.rows() == left
    assert await home.bring(undone) == 20
    assert await home.rows() == union
    await home.undo(stays)
    assert await home.rows() == _dated(ROWS[undone])
    await home.undo(undone)
    assert await home.rows() == Counter()
    assert await list_accounts(context, Nothing()) == ()
    for which in (later, brought):
        await home.bring(which)
    assert await home.rows() == union
