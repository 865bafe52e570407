"""CSV and other tables of text: any bank's export with a date and an amount in each row.

A table is known again by its header, with the encoding that the person named for one like it. Some are
made over before they are read, so that each row is one of one account: where rows go on in the lines
below them, which have nothing but more of their text, and where a table has a column of amounts for each
currency. The rows whose way only an answer says are given to whoever knows more of their account than
the file.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, islice, pairwise

from finplan.statements import statement
from finplan.statements.table.apps import AppTable, translated
from finplan.statements.table.layout import Layout, find_layout
from finplan.statements.table.row_words import names_sum, state_in_heading
from finplan.statements.table.rows import clues_by_account, parts_of
from finplan.statements.table.table import Cells, Table, find_table, is_data, is_date, is_number
from finplan.statements.table.texts import RowTexts
from finplan.statements.table.words import ColumnName
from finplan.statements.text.currencies import currency_of
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.encoding import (
    Charset,
    doubtful_word,
    find_charset,
    is_guess,
    remembered_charset,
)

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
        rows = (row for _, row in _joined_rows(self))
        while some := list(islice(rows, _AT_ONCE)):
            yield Cells(some)

    def line_of(self, row: Sequence[str]) -> int:
        """Find the first line of a row that `chunks` gave; 0 when it is not there."""
        target = list(row)
        first = next((first for first, joined in _joined_rows(self) if joined == target), target)
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
    values = {field.name: getattr(table, field.name) for field in fields(Table)}
    return ContinuedTable(**values, states_go_on=states_go_on)


def _stated(rows: Sequence[Sequence[str]], are_data: Sequence[bool]) -> int:
    """How many rows have a line with nothing but a state between them and the next one."""
    count, is_below = 0, False
    for row, has_data in zip(rows, are_data, strict=True):
        if has_data:
            is_below = True
        elif is_below and _heads_rows(row):
            count, is_below = count + 1, False
    return count


def _heads_rows(row: Sequence[str]) -> bool:
    """Say whether a line may be a heading of rows that wait or are booked."""
    return state_in_heading(row) in ("pending", "booked")


def _continued_rows(table: Table) -> Iterator[list[str]]:
    return chain.from_iterable(cells.rows for cells in Table.chunks(table))


def _joined_rows(table: ContinuedTable) -> Iterator[tuple[list[str], list[str]]]:
    """Give each row as it stands in its first line, and whole."""
    first: list[str] | None = None
    additions: list[tuple[int, str]] = []
    letters = 0
    for row in _continued_rows(table):
        is_open = first is not None and len(additions) < _MOST_LINES and letters < _MOST_LETTERS
        is_heading = not table.states_go_on and _heads_rows(row)
        if first is not None and is_open and not is_heading and _goes_on(first, row):
            index = _only_filled(row)
            additions.append((index, row[index].strip()))
            letters += len(additions[-1][1])
            continue
        if first is not None:
            yield first, _whole_row(first, additions)
        first, additions, letters = row, [], 0
    if first is not None:
        yield first, _whole_row(first, additions)


def _whole_row(first: Sequence[str], additions: Sequence[tuple[int, str]]) -> list[str]:
    """A row with what its further lines have below its cells."""
    parts = [[cell] for cell in first]
    for index, text in additions:
        parts[index].append(text)
    return list(map(" ".join, parts))


def _goes_on(row: Sequence[str], below: Sequence[str]) -> bool:
    """Say whether the line below a row of data has no more than some text below a text of it."""
    index = _only_filled(below)
    if index < 1 or not is_data(row):
        return False
    return _is_text(row[index]) and _is_text(below[index]) and not names_sum(below[index])


def _only_filled(row: Sequence[str]) -> int:
    """The place of the only cell that is not blank, -1 where there is none or several."""
    filled = [index for index, cell in enumerate(row) if cell.strip()]
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
        filled = [index for index in self.currencies if row[index].strip()]
        # A zero beside the amount is how some banks leave the other column blank.
        best = next((index for index in filled if _is_nonzero(row[index])), None)
        index = filled[0] if best is None and filled else best
        return ("", "") if index is None else (row[index], self.currencies[index])


def by_currency(table: Table) -> Table:
    """Give a table with several columns of amounts in the one shape, and any other as it is.

    Where a row fills two of the columns, one of them has the other's money in another currency, and the
    table is left alone.
    """
    columns = _columns_of_currencies(table.names)
    if len(set(columns.values())) < 2 or any(
        _fills_two(row, columns) for row in _rows_by_currency(table)
    ):
        return table
    own = {field.name: getattr(table, field.name) for field in fields(Table)}
    names = ("" if index in columns else name for index, name in enumerate(table.header))
    filled = (*names, *[""] * (table.width - len(table.header)), *_ADDED_COLUMNS)
    return ByCurrencyTable(**{**own, "header": filled}, currencies=columns)


def _columns_of_currencies(names: Sequence[ColumnName]) -> dict[int, str]:
    """The columns of amounts that are named alike but for their currency, by place."""
    by_label: dict[str, dict[int, str]] = {}
    for index, name in enumerate(names):
        if name.currency is not None and "amount" in name.meanings:
            label = " ".join(token for token in name.words if currency_of(token) is None)
            by_label.setdefault(label, {})[index] = name.currency
    return max(by_label.values(), key=len, default={})


def _rows_by_currency(table: Table) -> Iterator[list[str]]:
    return chain.from_iterable(cells.rows for cells in table.chunks())


def _fills_two(row: Sequence[str], columns: dict[int, str]) -> bool:
    return sum(_is_nonzero(row[index]) for index in columns) > 1


def _is_nonzero(cell: str) -> bool:
    return not _NONZERO.isdisjoint(cell)


_LONGEST_HEADER_SHOWN = 200


def header_of(table: Table) -> statement.Header | None:
    """The header by which tables are known again, None for a table without one.

    Letters' case and white space make no difference; the delimiter does.
    """
    if not table.header:
        return None
    names = [" ".join(name.split()) for name in table.header]
    folded = "\n".join([table.delimiter, *map(str.casefold, names)])
    signature = hashlib.sha256(folded.encode("utf-8", "replace")).hexdigest()
    return statement.Header(signature, table.delimiter.join(names)[:_LONGEST_HEADER_SHOWN])


def answers_for(header: statement.Header | None, hints: statement.Hints) -> statement.HeaderAnswers:
    """What the person said of earlier files with this header."""
    return (
        statement.HeaderAnswers()
        if header is None
        else hints.profiles.get(header.signature, statement.HeaderAnswers())
    )


def is_of_card(header: statement.Header | None, hints: statement.Hints) -> bool:
    """Whether a file is of a credit card: as the person says, else as all earlier ones like it."""
    if hints.is_card is not None:
        return hints.is_card
    return header is not None and header.signature in hints.card_headers


def find_known_table(
    source: statement.SourceFile, hints: statement.Hints
) -> tuple[Table | None, statement.HeaderAnswers]:
    """Find the table that a file is, in the encoding of an earlier one where this one proves none.

    Answers too what decided of the answers given before: that encoding, or nothing. Raises
    UnreadableStatement when the file is not in the encoding that the person named.
    """
    charset = find_charset(source, hints.encoding)
    if hints.encoding is None and is_guess(charset):
        for name in sorted(
            {profile.encoding for profile in hints.profiles.values() if profile.encoding}
        ):
            # A header is written in the encoding too, so it is known again in the right one only.
            remembered = remembered_charset(source, name)
            table = None if remembered is None else find_table(source.path, remembered)
            if table is not None and answers_for(header_of(table), hints).encoding == name:
                return table, statement.HeaderAnswers(encoding=name)
    return find_table(source.path, charset), statement.HeaderAnswers()


def unshown_rows(layout: Layout) -> tuple[statement.UnshownRow, ...]:
    """Give the rows that neither a balance nor words show, as they are read."""
    texts = RowTexts(layout.columns.texts)
    way, rows = layout.orientation.convention.unstepped, []
    for step in layout.steps.unshown:
        amount = step.size * way
        raws, _ = texts.of(Cells([step.row]), [amount])
        rows.append(
            statement.UnshownRow(
                tuple(step.row),
                step.account,
                step.day,
                amount,
                raws[0],
                step.balance,
                layout.steps.is_owed,
            )
        )
    return tuple(rows)


class CsvReader:
    """Reads tables, inferring everything from whole columns; one pass infers and one converts."""

    format = "CSV"

    def recognises(self, source: statement.SourceFile) -> bool:
        """Say whether the first lines are a table with dates and amounts."""
        return find_table(source.path, find_charset(source, None)) is not None

    def read(
        self, source: statement.SourceFile, hints: statement.Hints
    ) -> statement.ParsedStatement:
        """Infer how the table is read; the rows are converted while the parts are taken.

        Raises UnreadableStatement and AmbiguousStatement before any part, and the former also while
        the parts are taken, for a row that must be a transaction and cannot be one.
        """
        table, recalled = find_known_table(source, hints)
        if table is None:
            raise statement.UnreadableStatement(
                "No line of the file has both a date and an amount."
            )
        header = header_of(table)
        answers = answers_for(header, hints)
        layout, used = find_layout(_prepared(table), source.name, hints, answers)
        layout = replace(layout, is_card=is_of_card(header, hints))
        used = replace(used, encoding=recalled.encoding)
        notes = layout.notes
        if isinstance(layout.table, AppTable):
            notes = (*notes, *statement.unneeded_in_format(layout.table.app.name, hints))
        doubt = doubtful_word(source, table.charset)
        if doubt is not None:
            notes = (*notes, _letters_in_doubt(table.charset, *doubt))
        parts = parts_of(layout, clues_by_account(layout))
        return statement.ParsedStatement(
            self.format,
            table.charset.name,
            parts,
            header,
            used,
            notes=notes,
            unshown=unshown_rows(layout),
        )


def _prepared(table: Table) -> Table:
    """Give a table with a whole transaction in each row, as most tables have it anyhow."""
    return continued(by_currency(translated(table)))


def _letters_in_doubt(charset: Charset, read: str, alternative: str) -> str:
    """The sentence that the letters of a file may be others, and the option that reads them."""
    return (
        f"finplan read the letters as {charset.name}, for example in {quoted(read)}. If this"
        f" should be {quoted(alternative)}, add --encoding {charset.other}."
    )
