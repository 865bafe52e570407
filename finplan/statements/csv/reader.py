"""CSV and other tables of text: any bank's export with a date and an amount in each row.

A table is known again by its header, with the encoding that the person named for one like it. The rows
whose way only an answer says are given to whoever knows more of their account than the file.
"""

import hashlib
from dataclasses import replace

from finplan.statements import statement
from finplan.statements.apps import AppTable, translated
from finplan.statements.csv.kinds import clues_by_account
from finplan.statements.csv.layout import Layout, find_layout
from finplan.statements.csv.reshaped import by_currency, continued
from finplan.statements.csv.rows import RowTexts, parts_of
from finplan.statements.table.table import Cells, Table, find_table
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.encoding import (
    Charset,
    doubtful_word,
    find_charset,
    is_guess,
    remembered_charset,
)

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
        for name in sorted({each.encoding for each in hints.profiles.values() if each.encoding}):
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
    for each in layout.steps.unshown:
        amount = each.size * way
        raws, _ = texts.of(Cells([each.row]), [amount])
        rows.append(
            statement.UnshownRow(
                tuple(each.row),
                each.account,
                each.day,
                amount,
                raws[0],
                each.balance,
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
            raise statement.UnreadableStatement("The file has no row with a date and an amount.")
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


def _letters_in_doubt(charset: Charset, read: str, other: str) -> str:
    """The sentence that the letters of a file may be others, and the option that reads them."""
    return (
        f"Letters are taken to be in {charset.name}, as in {quoted(read)}; if {quoted(other)} is right,"
        f" add --encoding {charset.other}."
    )
