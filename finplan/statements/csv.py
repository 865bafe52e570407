"""CSV and other tables of text: any bank's export with a date and an amount in each row."""

from finplan.statements.csv_apps import translated
from finplan.statements.csv_layout import find_layout
from finplan.statements.csv_rows import parts_of
from finplan.statements.csv_table import find_table
from finplan.statements.encoding import find_charset
from finplan.statements.statement import Hints, Reading, Source, UnreadableStatement


class CsvReader:
    """Reads tables, inferring everything from whole columns; one pass infers and one converts."""

    format = "CSV"

    def recognises(self, source: Source) -> bool:
        """Say whether the first lines are a table with dates and amounts."""
        return find_table(source.path, find_charset(source, None)) is not None

    def read(self, source: Source, hints: Hints) -> Reading:
        """Infer how the table is read; the rows are converted while the parts are taken.

        Raises UnreadableStatement and AmbiguousStatement before any part, and the former also while
        the parts are taken, for a row that must be a transaction and cannot be one.
        """
        charset = find_charset(source, hints.encoding)
        table = find_table(source.path, charset)
        if table is None:
            raise UnreadableStatement("The file has no row with a date and an amount.")
        layout = find_layout(translated(table), source.name, hints)
        return Reading(self.format, charset.name, parts_of(layout))
