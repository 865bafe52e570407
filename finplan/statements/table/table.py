"""A table of text: its delimiter, where it begins, and its rows in chunks that memory can hold.

A chunk of rows is there row by row and column by column.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import SEEK_END, StringIO
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from sys import intern

from finplan.statements.statement import LONG_LINE, UnreadableStatement
from finplan.statements.table.dates import read_days
from finplan.statements.table.numbers import read_shape
from finplan.statements.table.words import ColumnName, column_name, is_header, is_labelled_value
from finplan.statements.text.currencies import is_currency
from finplan.statements.text.descriptors import shapes_of
from finplan.statements.text.encoding import Charset, texts

_LONGEST_CELL = 1 << 17
"""As long as csv lets a cell be."""


class Cells:
    """Gives equally long rows, their columns and a column's shapes, each made when first asked for."""

    def __init__(self, rows: list[list[str]] | None, columns: Sequence[list[str]] = ()) -> None:
        self._rows = rows
        self._columns = dict(enumerate(columns))
        self._shapes: dict[int, list[str]] = {}

    @classmethod
    def of_columns(cls, columns: Sequence[list[str]]) -> "Cells":
        """Take equally long columns instead of rows."""
        return cls(None, columns)

    @property
    def rows(self) -> list[list[str]]:
        """All rows; where only some are wanted, `row` is quicker."""
        if self._rows is None:
            self._rows = list(map(list, zip(*self._columns.values(), strict=True)))
        return self._rows

    def __getitem__(self, index: int) -> list[str]:
        if index not in self._columns:
            self._columns[index] = list(map(itemgetter(index), self.rows))
        return self._columns[index]

    def row(self, index: int) -> list[str]:
        """Give one row."""
        if self._rows is None:
            return [column[index] for column in self._columns.values()]
        return self._rows[index]

    def shapes(self, index: int) -> list[str]:
        """Give a column's shapes: its texts with every digit as 9."""
        if index not in self._shapes:
            # Few shapes come back in each row, and those of a small table are kept for a while.
            self._shapes[index] = list(map(intern, shapes_of(self[index])))
        return self._shapes[index]

    def only(self, places: Sequence[int]) -> "Cells":
        """Keep some of the rows."""
        return Cells([self.row(index) for index in places])


def plain_columns(text: str, delimiter: str, width: int) -> list[list[str]] | None:
    """Split whole lines without quotation marks into columns, in about half the time that csv takes.

    Gives None where a line has not `width` cells, which are at least two, or where csv might read
    something else: then it decides.
    """
    if '"' in text:
        return None
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if "\r" in text or not text.endswith("\n"):
        return None
    ends = text.count("\n")
    # Each of the other lines has at least its delimiters and its end.
    longest = len(text) - (ends - 1) * width
    if longest > _LONGEST_CELL and max(map(len, text.split("\n"))) > _LONGEST_CELL:
        return None
    # Each end of a line becomes a cell of its own, which shows whether all lines are equally wide.
    cells = text.replace("\n", f"{delimiter}\n{delimiter}").split(delimiter)
    cells.pop()
    lines, remainder = divmod(len(cells), width + 1)
    if remainder or cells[width :: width + 1] != ["\n"] * lines or ends != lines:
        return None
    return [cells[index :: width + 1] for index in range(width)]


_DELIMITERS = ",;\t|^"
_EXPLICIT_SEPARATOR = re.compile(r"\ufeff?\"?sep=([,;:\t|^~ ])\"?\s*", re.IGNORECASE)
_LONGEST_LINE = 1 << 20
_LONGEST_ROW = 1 << 20
_LONGEST_NUMBER = 40
_CHARACTERS_LOOKED_AT = 1 << 16
_ROWS_LOOKED_AT = 150
_LAST_BYTES = 1 << 16
_WIDEST = 500


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text cells in a file, each `width` cells wide.

    `preamble` are the rows above; `header` is empty when the table has none.
    """

    path: Path
    charset: Charset
    delimiter: str
    preamble: tuple[tuple[str, ...], ...]
    header: tuple[str, ...]
    width: int

    @property
    def names(self) -> tuple[ColumnName, ...]:
        """The names that the header gives columns, which may be fewer than these."""
        return tuple(map(column_name, self.header))

    def chunks(self) -> Iterator[Cells]:
        """Yield the rows below the header, some thousands at once, cut or filled to `width`.

        Whole blocks are parsed at once, which is several times as fast as row by row. Where a block
        may end within quotation marks, it is parsed again together with the next. Raises
        UnreadableStatement where a quotation mark that is never closed swallows rows.
        """
        above = len(self.preamble) + bool(self.header)
        open_text, line = "", 0
        for text in chain(_whole_lines(texts(self.path, self.charset)), [None]):
            if text is not None and not (open_text or above):
                columns = plain_columns(text, self.delimiter, self.width)
                if columns is not None:
                    yield Cells.of_columns(columns)
                    line += len(columns[0])
                    continue
            open_text += text or ""
            if not open_text:
                return
            rows, after = self._parse(open_text, line)
            if text is not None and _may_be_open(rows):
                if len(open_text) > _LONGEST_ROW:
                    raise UnreadableStatement("A row in the file never ends. Download it again.")
                continue
            below = rows[above:]
            skipped = len(rows) - len(below)
            above -= skipped
            yield from self._fitted(list(filter(None, below)), line + skipped, after)
            open_text, line = "", after

    def line_of(self, row: Sequence[str]) -> int:
        """Find the last line of a row that `chunks` gave; 0 when it is not there."""
        target = list(row)
        lines = chain.from_iterable(map(_lines, _whole_lines(texts(self.path, self.charset))))
        reader = csv.reader(lines, delimiter=self.delimiter)
        numbers = (reader.line_num for cells in reader if _fit(cells, self.width) == target)
        return next(numbers, 0)

    def unfinished_row(self) -> list[str] | None:
        """Give the last row when it is too short and no line end follows: the file may be cut off."""
        if self.charset.name.startswith(("utf-16", "utf-32")):
            return None
        with self.path.open("rb") as file:
            size = file.seek(0, SEEK_END)
            file.seek(max(0, size - _LAST_BYTES))
            tail = file.read()
        if tail.endswith((b"\n", b"\r")) or not tail:
            return None
        last = tail.splitlines()[-1].decode(self.charset.name, "replace")
        row = next(csv.reader([last], delimiter=self.delimiter), [])
        return row if 0 < len(row) < self.width else None

    def _parse(self, text: str, before: int) -> tuple[list[list[str]], int]:
        """Give a text's rows, empty ones too, and the number of the last line from the one before."""
        reader = csv.reader(_lines(text), delimiter=self.delimiter)
        try:
            return list(reader), before + reader.line_num
        except csv.Error as error:
            raise _unclosed_quote(before + reader.line_num) from error

    def _fitted(self, rows: list[list[str]], before: int, after: int) -> Iterator[Cells]:
        """Yield one run of rows, checked and made equally wide; nothing for no rows."""
        if after - before != len(rows):
            self._refuse_swallowed_rows(rows, before)
        if set(map(len, rows)) == {self.width}:
            yield Cells(rows)
            return
        for index, row in enumerate(rows):
            if any(cell.strip() for cell in row[self.width :]) and is_data(row):
                raise UnreadableStatement(
                    f"A row near line {before + index + 1} has {len(row)} cells, but the table has"
                    f" {self.width} columns. Put cells that contain “{self.delimiter}” in quotation"
                    " marks."
                )
        if rows:
            yield Cells([_fit(row, self.width) for row in rows])

    def _refuse_swallowed_rows(self, rows: list[list[str]], line: int) -> None:
        for row in rows:
            for cell in row:
                if ("\n" in cell or "\r" in cell) and self._holds_rows(cell):
                    raise _unclosed_quote(line + 1)
            line += 1 + sum(cell.count("\n") for cell in row)

    def _holds_rows(self, cell: str) -> bool:
        lines = [line for line in cell.splitlines()[1:] if self.delimiter in line]
        return any(map(is_data, csv.reader(lines, delimiter=self.delimiter)))


def _whole_lines(blocks: Iterable[str]) -> Iterator[str]:
    """Yield a text that comes in blocks so that each part but the last ends where a line ends."""
    buffer = ""
    for block in blocks:
        text = buffer + block
        cut = max(text.rfind("\n"), text.rfind("\r", 0, len(text) - 1)) + 1
        buffer = text[cut:]
        if len(buffer) > _LONGEST_LINE:
            raise UnreadableStatement(LONG_LINE)
        if cut:
            yield text[:cut]
    if buffer:
        yield buffer


def _lines(text: str) -> StringIO:
    return StringIO(text, newline="")


def _may_be_open(rows: list[list[str]]) -> bool:
    """Whether the last row may go on: only within quotation marks does a cell end in a line's end."""
    return bool(rows and rows[-1]) and rows[-1][-1].endswith(("\n", "\r"))


def find_table(path: Path, charset: Charset) -> Table | None:
    """Find the table that a text file is; None when no row has a date and an amount.

    A table that has only a header is one too, and has no rows.
    """
    start = next(texts(path, charset))[:_CHARACTERS_LOOKED_AT]
    lines = list(StringIO(start, newline=""))
    if len(start) == _CHARACTERS_LOOKED_AT and len(lines) > 1:
        lines.pop()
    separator = _EXPLICIT_SEPARATOR.fullmatch(lines[0]) if lines else None
    choices = separator[1] if separator else [sign for sign in _DELIMITERS if sign in start]
    tables = [_parse(lines, delimiter) for delimiter in choices]
    best = max(tables, key=_likeness, default=[])
    data = [row for row in best if is_data(row)]
    if not data:
        best = next((rows for rows in tables if any(map(is_header, rows))), [])
    return _table(path, charset, choices[tables.index(best)], best, data) if best else None


def _likeness(rows: list[list[str]]) -> tuple[bool, int]:
    """Measure how much like a table of transactions rows are: by their header, and by how many."""
    count = sum(map(is_data, rows))
    return count > 0 and any(map(is_header, rows)), count


def _parse(lines: list[str], delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        rows.extend(islice(csv.reader(lines, delimiter=delimiter), _ROWS_LOOKED_AT))
    except csv.Error:
        # A quotation mark that swallows more than a field may hold; the rows before it count.
        return rows
    return rows


def _table(
    path: Path, charset: Charset, delimiter: str, rows: list[list[str]], data: list[list[str]]
) -> Table | None:
    header_place = _header_place(rows)
    first = next((index for index, row in enumerate(rows) if is_data(row)), len(rows))
    header = () if header_place is None else tuple(rows[header_place])
    above = first if header_place is None else header_place
    common = Counter(map(len, data)).most_common(1)
    width = max(len(header), common[0][0] if common else 0)
    if not 0 < width <= _WIDEST:
        return None
    return Table(path, charset, delimiter, tuple(map(tuple, rows[:above])), header, width)


def _header_place(rows: list[list[str]]) -> int | None:
    """Find the row of column names: by its words, else by standing above the data like it."""
    for index, row in enumerate(rows):
        if is_header(row) and not any(map(_is_value, row)):
            return index
    first = next((index for index, row in enumerate(rows) if is_data(row)), 0)
    index = next((index for index in range(first - 1, -1, -1) if any(rows[index])), -1)
    above = rows[index] if index >= 0 else []
    names = [cell for cell in above if cell.strip()]
    is_like_data = len(names) > 1 and abs(len(above) - len(rows[first])) <= 1
    is_label = is_labelled_value(above)
    return index if is_like_data and not is_label and not any(map(_is_value, above)) else None


def is_data(row: Sequence[str]) -> bool:
    """Say whether a row has a date in one cell and a number in another."""
    date = next((index for index, cell in enumerate(row) if is_date(cell)), None)
    return date is not None and any(map(is_number, (*row[:date], *row[date + 1 :])))


def is_date(cell: str) -> bool:
    """Say whether a cell looks like a date."""
    return read_days(cell) is not None


def is_number(cell: str) -> bool:
    """Say whether a cell looks like an amount, with or without a currency."""
    if len(cell) > _LONGEST_NUMBER:
        return False
    (shape,) = shapes_of([cell])
    return any(read_shape(shape, sign) is not None for sign in ".,")


def _is_value(cell: str) -> bool:
    """Say whether a cell is a date, or a number by itself or with its currency, unlike “Name 1”."""
    if is_date(cell):
        return True
    shapes = shapes_of([cell]) if len(cell) <= _LONGEST_NUMBER else []
    numbers = [read_shape(shape, sign) for shape in shapes for sign in ".,"]
    return any(number and (not number.unit or is_currency(number.unit)) for number in numbers)


def _fit(row: list[str], width: int) -> list[str]:
    return row[:width] if len(row) >= width else row + [""] * (width - len(row))


def _unclosed_quote(line: int) -> UnreadableStatement:
    return UnreadableStatement(
        f"A quotation mark near line {line} is never closed, so rows would be lost. Close it."
    )
