"""Refunds that a payment app marks as neither income nor expense, though the purchase was an expense."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from finplan.statements.table.columns import Columns
from finplan.statements.table.row_words import mark_of, status_of
from finplan.statements.table.table import Table

_REFUND = "退款"
_ORDER_NUMBER = "单号"
_PART_OF_A_REFUND = re.compile("[_*]")
"""What parts the number of a purchase from that of its refund."""


class NeutralRefunds:
    """Tells which neutral rows give back a purchase that the file counts as spent.

    A refund names the number of its purchase. Where that is closed, so that it does not count, or is not
    in the file, nothing shows that the money was ever counted, and the refund is none either.
    """

    def __init__(self, table: Table, columns: Columns) -> None:
        self._table = table
        self._columns = columns
        self._numbers = [place for place, name in enumerate(table.header) if _ORDER_NUMBER in name]

    def has(self, row: Sequence[str]) -> bool:
        """Say whether a neutral row is such a refund."""
        if not any(_REFUND in cell for cell in row):
            return False
        return any(number in self._spent for number in self._numbers_of(row))

    @cached_property
    def _spent(self) -> frozenset[str]:
        """The numbers of all purchases that count, which takes another pass over the file."""
        columns, found = self._columns, set[str]()
        for cells in self._table.chunks():
            for row in cells.rows:
                is_spent = columns.mark is not None and mark_of(row[columns.mark]) < 0
                if is_spent and not self._is_declined(row):
                    found.update(self._numbers_of(row))
        return frozenset(found)

    def _is_declined(self, row: Sequence[str]) -> bool:
        place = self._columns.status
        return place is not None and status_of(row[place]) == "declined"

    def _numbers_of(self, row: Sequence[str]) -> Iterator[str]:
        for place in self._numbers:
            number = _PART_OF_A_REFUND.split(row[place].strip())[0]
            if any(map(str.isdigit, number)):
                yield number
