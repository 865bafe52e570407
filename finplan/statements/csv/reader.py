"""CSV and other tables of text: any bank's export with a date and an amount in each row."""

from dataclasses import replace

from finplan.statements.apps import AppTable, translated
from finplan.statements.csv.continued import continued
from finplan.statements.csv.currency_columns import by_currency
from finplan.statements.csv.kinds import clues_by_account
from finplan.statements.csv.layout import find_layout
from finplan.statements.csv.profiles import answers_for, find_known_table, header_of, is_of_card
from finplan.statements.csv.rows import parts_of
from finplan.statements.csv.unshown import unshown_rows
from finplan.statements.statement import (
    Hints,
    ParsedStatement,
    SourceFile,
    UnreadableStatement,
    unneeded_in_format,
)
from finplan.statements.table.table import Table, find_table
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.encoding import Charset, doubtful_word, find_charset


class CsvReader:
    """Reads tables, inferring everything from whole columns; one pass infers and one converts."""

    format = "CSV"

    def recognises(self, source: SourceFile) -> bool:
        """Say whether the first lines are a table with dates and amounts."""
        return find_table(source.path, find_charset(source, None)) is not None

    def read(self, source: SourceFile, hints: Hints) -> ParsedStatement:
        """Infer how the table is read; the rows are converted while the parts are taken.

        Raises UnreadableStatement and AmbiguousStatement before any part, and the former also while
        the parts are taken, for a row that must be a transaction and cannot be one.
        """
        table, recalled = find_known_table(source, hints)
        if table is None:
            raise UnreadableStatement("The file has no row with a date and an amount.")
        header = header_of(table)
        answers = answers_for(header, hints)
        layout, used = find_layout(_prepared(table), source.name, hints, answers)
        layout = replace(layout, is_card=is_of_card(header, hints))
        used = replace(used, encoding=recalled.encoding)
        notes = layout.notes
        if isinstance(layout.table, AppTable):
            notes = (*notes, *unneeded_in_format(layout.table.app.name, hints))
        doubt = doubtful_word(source, table.charset)
        if doubt is not None:
            notes = (*notes, _letters_in_doubt(table.charset, *doubt))
        parts = parts_of(layout, clues_by_account(layout))
        return ParsedStatement(
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
