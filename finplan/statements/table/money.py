"""The money of rows as a table prints it: its columns converted to minor units of one currency."""

from collections.abc import Collection, Mapping

from finplan.statements.table.cells import Cells
from finplan.statements.table.columns import Columns
from finplan.statements.table.marks import mark_of, word_in
from finplan.statements.table.numbers import AmountConverter, NumberFacts
from finplan.statements.table.signs import Printed
from finplan.statements.text.descriptors import shapes_of


class MoneyColumns:
    """Converts the money columns of a table, knowing their decimal sign and their marks."""

    def __init__(
        self, columns: Columns, decimal_sign: str, facts: Mapping[int, NumberFacts]
    ) -> None:
        self._columns = columns
        self._decimal_sign = decimal_sign
        self._facts = facts
        self.prints_signs = any(-1 in facts[place].unmarked_signs for place in columns.money)
        """Whether some amount is printed with a minus, so that one without is positive."""
        self._unmarked = {place: found.unmarked for place, found in facts.items()}
        self._converters: dict[tuple[int, str], AmountConverter] = {}

    def reading(self, columns: Columns) -> "MoneyColumns":
        """Convert the same money by other columns, one of which says which way it goes."""
        return MoneyColumns(columns, self._decimal_sign, self._facts)

    def knows(self, place: int, shapes: Collection[str]) -> bool:
        """Say whether all these shapes of a column are amounts or blank."""
        return self._converter(place, "USD").knows(shapes)

    def printed(self, cells: Cells, currency: str, *, with_balances: bool = False) -> Printed:
        """Convert rows whose amounts are known to be numbers or blank.

        Fees and balances that are not all numbers count as missing.
        """
        columns = self._columns
        debits = self._minor(cells, columns.debit, currency)
        first = columns.amount if columns.amount is not None else columns.credit
        return Printed(
            amounts=self._minor(cells, first, currency) or [0] * len(debits),
            debits=debits,
            fees=self._minor(cells, columns.fee, currency),
            marks=[] if columns.mark is None else list(map(self._mark_of, cells[columns.mark])),
            balances=self.balances(cells, currency) if with_balances else [],
        )

    def rounded(self, cells: Cells, currency: str) -> list[tuple[int, int, int]]:
        """Give each amount with more decimals than the currency has: its row, its column, as rounded."""
        return [
            (row, place, rounded)
            for place in self._columns.money
            if self.knows(place, set(cells.shapes(place)))
            for row, rounded in self._converter(place, currency).rounded(
                cells[place], cells.shapes(place)
            )
        ]

    def balances(self, cells: Cells, currency: str) -> list[int]:
        """Convert the column of balances, a blank one to 0; nothing where some are no numbers."""
        return self._minor(cells, self._columns.balance, currency)

    def balance(self, cell: str, currency: str) -> int | None:
        """Convert one cell of the balance column, None when it is no number."""
        place = self._columns.balance
        shapes = shapes_of([cell])
        if place is None or not cell.strip() or not self.knows(place, shapes):
            return None
        return self._converter(place, currency).convert([cell], shapes)[0]

    def sizes(self, cells: Cells) -> list[tuple[int, int]]:
        """Give what rows print in the amount or credit column and in the debit column.

        Both are in cents of any currency, to compare printed numbers of one file with each other.
        """
        printed = self.printed(cells, "USD")
        debits = printed.debits or [0] * len(printed.amounts)
        return list(zip(printed.amounts, debits, strict=True))

    def _mark_of(self, cell: str) -> int:
        ways = self._columns.mark_ways
        return mark_of(cell) if ways is None else ways.get(word_in(cell).casefold(), 0)

    def _minor(self, cells: Cells, place: int | None, currency: str) -> list[int]:
        if place is None or not self.knows(place, set(cells.shapes(place))):
            return []
        return self._converter(place, currency).convert(cells[place], cells.shapes(place))

    def _converter(self, place: int, currency: str) -> AmountConverter:
        key = place, currency
        if key not in self._converters:
            unmarked = self._unmarked.get(place, 1)
            self._converters[key] = AmountConverter(self._decimal_sign, currency, unmarked)
        return self._converters[key]
