"""The columns of a table: those of an app, those that its names and cells tell, or the person's word."""

from collections.abc import Sequence

from finplan.statements.apps import AppTable
from finplan.statements.statement import AmbiguousStatement, UnreadableStatement, unneeded
from finplan.statements.table.columns import Columns, NoAmount, find_columns
from finplan.statements.table.contents import column_called
from finplan.statements.table.investments import trades_in
from finplan.statements.table.table import Table
from finplan.statements.text.descriptors import quoted


def columns_of(
    table: Table, data: list[list[str]], said: str | None
) -> tuple[Columns, tuple[str, ...]]:
    """Find what each column means by some rows of data, the amounts by `said` where nothing else tells.

    Answers besides what is to be said of that word where it was not needed. Raises UnreadableStatement,
    and AmbiguousStatement where only the person knows which column has the amounts.
    """
    if isinstance(table, AppTable):
        return table.columns, ()
    try:
        columns = _found_columns(table, data, None)
    except AmbiguousStatement:
        if said is None:
            raise
        return _found_columns(table, data, said), ()
    return columns, () if said is None else (_unneeded(columns, table.header, said),)


def _found_columns(table: Table, data: list[list[str]], said: str | None) -> Columns:
    trades = trades_in(table.header, data)
    if trades is not None:
        raise UnreadableStatement(
            f"The table lists trades or holdings ({trades}), no account's money;"
            " export the transactions of the account instead."
        )
    try:
        return find_columns(table.header, data, said)
    except NoAmount as error:
        raise UnreadableStatement(
            f"Line {table.line_of(error.row)}: {quoted(error.cell)} in the column {quoted(error.column)}"
            " is no amount."
        ) from None


def _unneeded(columns: Columns, header: Sequence[str], said: str) -> str:
    """The sentence that the person's word for the amounts decided nothing, and where they stand."""
    names = [
        quoted(header[place].strip()) if place < len(header) and header[place].strip()
        else f"column {place + 1}"
        for place in columns.money
    ]  # fmt: skip
    have = "has" if len(names) == 1 else "have"
    why = f"the file itself tells that {' and '.join(names)} {have} the amounts"
    is_followed = column_called(said, header) in columns.money
    return unneeded("amount-column", quoted(said), why, is_followed=is_followed)
