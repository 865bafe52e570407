"""Tables that are made over before they are read, so that each row is one of one account.

Rows go on in the lines below them, which have nothing but more of their text. Or a table has a column
of amounts for each currency, the rows of several accounts: such a row has its amount in one of the
columns, so the table is read as one with an amount and a currency in each row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain, islice, pairwise

from finplan.statements.table.row_words import names_sum, state_in_heading
from finplan.statements.table.table import Cells, Table, is_data, is_date, is_number
from finplan.statements.table.words import currency_in, meanings_of, words_of
from finplan.statements.text.currencies import currency_of

_ROWS_LOOKED_AT = 300
_FEWEST_CONTINUED = 2
_SHARE_CONTINUED = 3
"""How many rows have to go on, and one of how many, so that a note below the rows is none of them."""

_MOST_LINES, _MOST_LETTERS = 48, 1000
"""How many lines a row goes on in, and up to how many letters; no bank says more of one payment."""

_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class ContinuedTable(Table):
    """A table of which each row comes with the lines that go on with its text.

    A line that is “Pending” or “Booked” alone is a heading of rows below, unless `states_go_on`: most
    rows have one of their own below them.
    """

    states_go_on: bool = False

    def chunks(self) -> Iterator[Cells]:
        """Yield the rows, some thousands at once."""
        whole = (row for _, row in _joined_rows(self))
        while some := list(islice(whole, _AT_ONCE)):
            yield Cells(some)

    def line_of(self, row: Sequence[str]) -> int:
        """Find the first line of a row that `chunks` gave; 0 when it is not there."""
        wanted = list(row)
        first = next((first for first, whole in _joined_rows(self) if whole == wanted), wanted)
        return Table.line_of(self, first)


def continued(table: Table) -> Table:
    """Give a table whose rows go on below them with whole rows, and any other as it is."""
    if type(table) is not Table:
        return table
    rows = list(islice(_continued_rows(table), _ROWS_LOOKED_AT))
    are_data = list(map(is_data, rows))
    count = sum(are_data)
    states_go_on = 2 * _stated(rows, are_data) > count
    going_on = sum(
        _goes_on(row, below) and (states_go_on or not _heads_rows(below))
        for row, below in pairwise(rows)
    )
    if going_on < _FEWEST_CONTINUED or _SHARE_CONTINUED * going_on < count:
        return table
    given = {field.name: getattr(table, field.name) for field in fields(Table)}
    return ContinuedTable(**given, states_go_on=states_go_on)


def _stated(rows: Sequence[Sequence[str]], are_data: Sequence[bool]) -> int:
    """How many rows have a line with nothing but a state between them and the next one."""
    found, is_below = 0, False
    for row, has_data in zip(rows, are_data, strict=True):
        if has_data:
            is_below = True
        elif is_below and _heads_rows(row):
            found, is_below = found + 1, False
    return found


def _heads_rows(row: Sequence[str]) -> bool:
    """Say whether a line may be a heading of rows that wait or are booked."""
    return state_in_heading(row) in ("pending", "booked")


def _continued_rows(table: Table) -> Iterator[list[str]]:
    return chain.from_iterable(cells.rows for cells in Table.chunks(table))


def _joined_rows(table: ContinuedTable) -> Iterator[tuple[list[str], list[str]]]:
    """Give each row as it stands in its first line, and whole."""
    first: list[str] | None = None
    more: list[tuple[int, str]] = []
    letters = 0
    for row in _continued_rows(table):
        is_open = first is not None and len(more) < _MOST_LINES and letters < _MOST_LETTERS
        is_heading = not table.states_go_on and _heads_rows(row)
        if first is not None and is_open and not is_heading and _goes_on(first, row):
            place = _only_filled(row)
            more.append((place, row[place].strip()))
            letters += len(more[-1][1])
            continue
        if first is not None:
            yield first, _whole_row(first, more)
        first, more, letters = row, [], 0
    if first is not None:
        yield first, _whole_row(first, more)


def _whole_row(first: Sequence[str], more: Sequence[tuple[int, str]]) -> list[str]:
    """A row with what its further lines have below its cells."""
    parts = [[cell] for cell in first]
    for place, text in more:
        parts[place].append(text)
    return list(map(" ".join, parts))


def _goes_on(row: Sequence[str], below: Sequence[str]) -> bool:
    """Say whether the line below a row of data has no more than some text below a text of it."""
    place = _only_filled(below)
    if place < 1 or not is_data(row):
        return False
    return _is_text(row[place]) and _is_text(below[place]) and not names_sum(below[place])


def _only_filled(row: Sequence[str]) -> int:
    """The place of the only cell that is not blank, -1 where there is none or several."""
    filled = [place for place, cell in enumerate(row) if cell.strip()]
    return filled[0] if len(filled) == 1 else -1


def _is_text(cell: str) -> bool:
    return bool(cell.strip()) and not (is_date(cell) or is_number(cell))


_ADDED_COLUMNS = ("Amount", "Currency")
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
        return Table.line_of(self, row[: -len(_ADDED_COLUMNS)])

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
    columns = _columns_of_currencies(table.header)
    if len(set(columns.values())) < 2 or any(
        _fills_two(row, columns) for row in _rows_by_currency(table)
    ):
        return table
    own = {field.name: getattr(table, field.name) for field in fields(Table)}
    names = ("" if place in columns else name for place, name in enumerate(table.header))
    filled = (*names, *[""] * (table.width - len(table.header)), *_ADDED_COLUMNS)
    return ByCurrencyTable(**{**own, "header": filled}, currencies=columns)


def _columns_of_currencies(header: Sequence[str]) -> dict[int, str]:
    """The columns of amounts that are named alike but for their currency, by place."""
    found: dict[str, dict[int, str]] = {}
    for place, name in enumerate(header):
        code = currency_in(name)
        if code is not None and "amount" in meanings_of(name):
            rest = " ".join(word for word in words_of(name) if currency_of(word) is None)
            found.setdefault(rest, {})[place] = code
    return max(found.values(), key=len, default={})


def _rows_by_currency(table: Table) -> Iterator[list[str]]:
    return chain.from_iterable(cells.rows for cells in table.chunks())


def _fills_two(row: Sequence[str], columns: dict[int, str]) -> bool:
    return sum(_is_nonzero(row[place]) for place in columns) > 1


def _is_nonzero(cell: str) -> bool:
    return not _NONZERO.isdisjoint(cell)
