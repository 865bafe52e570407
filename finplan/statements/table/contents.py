"""What stands in one column of a table, whatever its header says."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from finplan.statements.table.header_words import ColumnMeaning
from finplan.statements.table.marks import is_neutral, mark_of
from finplan.statements.table.numbers import BLANK_SHAPES
from finplan.statements.table.table import is_date, is_number
from finplan.statements.table.words import is_exact

_SIDES: Sequence[ColumnMeaning] = ("debit", "credit")
_MOSTLY = 0.8
_NEARLY_ALL = 0.95
_ROWS_OF_FILLER = 4
_ROWS_OF_SERIAL = 3
_SHORTEST_SERIAL = 5
_LONGER_THAN_AMOUNTS = 9
_LONGEST_LIST = 20
_BOTH_MEANT = frozenset("io")
_ID = re.compile(r"(?=.*\d)\S{5,100}")


class ColumnContents:
    """One column of the rows that have a date and a number."""

    def __init__(self, cells: Sequence[str], name: str = "") -> None:
        self._is_named_side = any(is_exact(name, meaning) for meaning in _SIDES)
        self.rows = len(cells)
        self.by_row = [cell.strip() for cell in cells]
        self.cells = [cell for cell in self.by_row if cell]
        self.filled = len(self.cells)

    def mostly(self, test: Callable[[str], bool]) -> bool:
        """Say whether most cells that are not blank pass a test, and there are any."""
        return self.filled > 0 and sum(map(test, self.cells)) >= _MOSTLY * self.filled

    @property
    def is_full(self) -> bool:
        """Say whether nearly no cell is blank; in a column of money, a dash is blank, too."""
        filled = len(self.numbers) if self.is_money else self.filled
        return filled >= _NEARLY_ALL * self.rows

    @cached_property
    def numbers(self) -> list[str]:
        """The cells without the dashes and words that stand for no money."""
        return [cell for cell in self.cells if cell not in BLANK_SHAPES]

    @property
    def has_all_numbers(self) -> bool:
        """Say whether it is a column of numbers, and nearly no row lacks one."""
        return self.is_money and self.is_full

    @cached_property
    def is_date(self) -> bool:
        """Say whether most cells are dates; an amount of eight digits below its name is none."""
        if self._is_named_side and all(map(is_number, self.numbers)):
            return False
        return self.mostly(is_date)

    @cached_property
    def is_money(self) -> bool:
        """Say whether most cells are numbers and no dates, or dashes beside some numbers."""
        count = sum(map(is_number, self.numbers))
        return count > 0 and count >= _MOSTLY * len(self.numbers) and not self.is_date

    @cached_property
    def is_text(self) -> bool:
        """Say whether most cells are neither numbers nor dates."""
        return (
            not self.is_money
            and self.filled > 0
            and not self.mostly(lambda cell: is_number(cell) or is_date(cell))
        )

    @property
    def is_mark(self) -> bool:
        """Say whether every cell says which way money goes."""
        values = {cell.lower() for cell in self.cells}
        # “I” and “O” are short for many words; both together are in and out.
        return self.is_full and len(values & _BOTH_MEANT) != 1 and all(map(mark_of, values))

    @property
    def is_mark_or_neutral(self) -> bool:
        """Say whether some cell says which way money goes, and all others that it goes neither way."""
        values = set(self.by_row)
        return any(map(mark_of, values)) and all(
            mark_of(cell) or is_neutral(cell) for cell in values
        )

    @cached_property
    def has_money(self) -> list[bool]:
        """Say of each row whether its cell is other than blank and zero."""
        return [any(digit in "123456789" for digit in cell) for cell in self.by_row]

    @property
    def divides_by_marks(self) -> bool:
        """Say whether it is a column of marks, of which some say in and some say out."""
        return self.is_mark and set(map(mark_of, set(self.cells))) == {1, -1}

    @property
    def has_both_marks(self) -> bool:
        """Say whether some cells say that money goes out and others that it comes in, in words."""
        return {mark_of(cell) for cell in set(self.cells) if len(cell) > 1} >= {1, -1}

    @property
    def prints_minus(self) -> bool:
        """Say whether some cell has a minus or stands in parentheses."""
        return any(map(_has_minus, self.cells))

    @property
    def is_negative(self) -> bool:
        """Say whether every cell with money has a minus or stands in parentheses."""
        paired = zip(self.by_row, self.has_money, strict=True)
        return all(_has_minus(cell) for cell, has_money in paired if has_money)

    @property
    def are_whole(self) -> bool:
        """Say whether all cells are numbers without decimals."""
        return self.filled > 0 and all(cell.lstrip("+-").isdigit() for cell in self.cells)

    @property
    def are_cents(self) -> bool:
        """Say whether all cells are two digits."""
        return self.filled > 0 and all(len(cell) == 2 and cell.isdigit() for cell in self.cells)

    @property
    def is_filler(self) -> bool:
        """Say whether it has no money in any row, or the same number in each of some rows.

        One with a minus is money: the same fee may be all that there is.
        """
        is_constant = self.rows >= _ROWS_OF_FILLER and len(set(self.by_row)) == 1
        return (is_constant and not self.prints_minus) or not any(self.has_money)

    @property
    def is_serial(self) -> bool:
        """Say whether it numbers rows or accounts: whole numbers of so many digits that no amount has.

        Numbers of fewer digits do, too, where they are equally long and different in each of some rows.
        """
        if not all(map(str.isdigit, self.by_row)):
            return False
        lengths = set(map(len, self.by_row))
        is_counted = self.rows >= _ROWS_OF_SERIAL and len(set(self.by_row)) == self.rows
        is_long = is_counted and len(lengths) == 1 and min(lengths) >= _SHORTEST_SERIAL
        return is_long or min(lengths) >= _LONGER_THAN_AMOUNTS

    @property
    def is_list(self) -> bool:
        """Say whether the same few texts are all that it holds, as with states and accounts."""
        return len(set(self.cells)) <= _LONGEST_LIST

    @property
    def is_account(self) -> bool:
        """Own accounts are few and never missing; those of other people are neither."""
        return self.is_full and self.is_list

    @property
    def repeats(self) -> bool:
        """Say whether the same few texts come back all the time."""
        return len(set(self.cells)) <= max(1, self.rows // 2)

    @property
    def is_id(self) -> bool:
        """Ids differ in every row, are not just counted up, and are no words."""
        is_unique = len(set(self.cells)) == self.rows
        return is_unique and all(map(_ID.fullmatch, self.cells))


def _has_minus(cell: str) -> bool:
    return any(sign in cell for sign in "-−–(▲△")
