"""Rows at either end of a table that would be lost: refused, so that no money is."""

from finplan.statements.statement import UnreadableStatement
from finplan.statements.table.columns import Columns
from finplan.statements.table.table import Table, is_date, is_number
from finplan.statements.text.descriptors import quoted


def refuse_rows_above(table: Table, columns: Columns) -> None:
    """Refuse a table above whose first row others stand, with a date and an unreadable amount."""
    for row in table.preamble:
        if len(row) == table.width and is_date(row[columns.date]):
            for cell in (row[place] for place in columns.money):
                if any(map(str.isdigit, cell)) and not is_number(cell) and not is_date(cell):
                    raise UnreadableStatement(
                        f"Line {table.line_of(row)}: {quoted(cell)} is no amount."
                    )


def refuse_cut_off(table: Table, columns: Columns) -> None:
    """Refuse a table that ends before the amount of its last row."""
    row = table.unfinished_row()
    if row is None or not columns.money or columns.date >= len(row):
        return
    if is_date(row[columns.date]) and min(columns.money) >= len(row):
        raise UnreadableStatement("The file is cut off in the middle of its last row.")
