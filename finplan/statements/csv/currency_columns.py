"""Tables with a column of amounts for each currency: the rows of several accounts, told apart.

Such a row has its amount in one of the columns, so the table is read as one with an amount and a
currency in each row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain

from finplan.statements.table.table import Cells, Table
from finplan.statements.table.words import currency_in, meanings_of, words_of
from finplan.statements.text.currencies import currency_of

_ADDED = ("Amount", "Currency")
_NONZERO = frozenset("123456789")


@dataclass(frozen=True, slots=True)
class ByCurrencyTable(Table):
    """A table with an amount and a currency added to each row; `currencies` are those of columns."""

    currencies: dict[int, str]

    def chunks(self) -> Iterator[Cells]:
        """Yield the rows with their amount and its currency, some thousands at once."""
        for cells in Table.chunks(self):
            yield Cells([[*row, *self._amount(row)] for row in cells.rows])

    def line_of(self, row: Sequence[str]) -> int:
        """Find the last line of a row that `chunks` gave; 0 when it is not there."""
        return Table.line_of(self, row[: -len(_ADDED)])

    def unfinished_row(self) -> None:
        """Nothing: the added cells stand behind any that a row cut off may lack."""

    def _amount(self, row: Sequence[str]) -> tuple[str, str]:
        filled = [place for place in self.currencies if row[place].strip()]
        # A zero beside the amount is how some banks leave the other column blank.
        best = next((place for place in filled if _is_nonzero(row[place])), None)
        place = filled[0] if best is None and filled else best
        return ("", "") if place is None else (row[place], self.currencies[place])


def by_currency(table: Table) -> Table:
    """Give a table with several columns of amounts in the one shape, and any other as it is.

    Where a row fills two of the columns, one of them has the other's money in another currency, and the
    table is left alone.
    """
    columns = _columns(table.header)
    if len(set(columns.values())) < 2 or any(_fills_two(row, columns) for row in _rows(table)):
        return table
    own = {field.name: getattr(table, field.name) for field in fields(Table)}
    names = ("" if place in columns else name for place, name in enumerate(table.header))
    filled = (*names, *[""] * (table.width - len(table.header)), *_ADDED)
    return ByCurrencyTable(**{**own, "header": filled}, currencies=columns)


def _columns(header: Sequence[str]) -> dict[int, str]:
    """The columns of amounts that are named alike but for their currency, by place."""
    found: dict[str, dict[int, str]] = {}
    for place, name in enumerate(header):
        code = currency_in(name)
        if code is not None and "amount" in meanings_of(name):
            rest = " ".join(word for word in words_of(name) if currency_of(word) is None)
            found.setdefault(rest, {})[place] = code
    return max(found.values(), key=len, default={})


def _rows(table: Table) -> Iterator[list[str]]:
    return chain.from_iterable(cells.rows for cells in table.chunks())


def _fills_two(row: Sequence[str], columns: dict[int, str]) -> bool:
    return sum(_is_nonzero(row[place]) for place in columns) > 1


def _is_nonzero(cell: str) -> bool:
    return not _NONZERO.isdisjoint(cell)
