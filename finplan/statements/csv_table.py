"""A table of text: its delimiter, where it begins, and its rows in chunks that memory can hold."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from pathlib import Path

from finplan.statements.csv_dates import read_days
from finplan.statements.csv_numbers import read_shape, shapes_of
from finplan.statements.csv_words import is_header
from finplan.statements.encoding import Charset, texts
from finplan.statements.statement import Source, UnreadableStatement

_DELIMITERS = ",;\t|^"
_LONGEST_LINE = 1 << 20
_ROWS_LOOKED_AT = 400
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

    def chunks(self) -> Iterator[list[list[str]]]:
        """Yield the rows below the header, some thousands at once, cut or filled to `width`.

        Raises UnreadableStatement when a quotation mark is never closed.
        """
        for rows, _ in self._numbered_chunks():
            yield rows

    def line_of(self, row: Sequence[str]) -> int:
        """Find the line of the file on which a row that `chunks` gave ends."""
        wanted = list(row)
        for line, candidate in self._numbered_rows():
            if candidate == wanted:
                return line
        return 0
