"""How a table is read, found by one pass over all of its rows before any of them is converted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from finplan.model.statement import DateOrder
from finplan.statements.csv_accounts import Accounts, named_above
from finplan.statements.csv_columns import Columns, find_columns
from finplan.statements.csv_dates import DateConverter, DateEvidence
from finplan.statements.csv_money import MoneyColumns, mark_of
from finplan.statements.csv_numbers import NumberEvidence, is_blank, shapes_of
from finplan.statements.csv_signs import Orientation, Printed, orient
from finplan.statements.csv_table import Table, is_data, is_number
from finplan.statements.csv_words import currency_in
from finplan.statements.currencies import currency_of
from finplan.statements.statement import Hints, UnreadableStatement

_ROWS_FOR_COLUMNS = 300
_ROWS_FOR_SIGNS = 2000
_MOST_MARKS = 40


@dataclass(frozen=True, slots=True)
class Layout:
    """All that converting a table's rows needs to know."""

    table: Table
    columns: Columns
    date_order: DateOrder
    money: MoneyColumns
    accounts: Accounts
    orientation: Orientation


def find_layout(table: Table, name: str, hints: Hints) -> Layout:
    """Read the whole table once and conclude how its rows are converted.

    Raises UnreadableStatement for a table without transactions or one that contradicts itself, and
    AmbiguousStatement when dates or amounts have two readings that only the person can decide.
    """
    evidence = _gather(table)
    columns = evidence.columns
    account = named_above(table.preamble, name, hints.currency)
    account = replace(account, currency=evidence.printed_currency() or account.currency)
    accounts = Accounts(account, columns)
    decimal_sign = evidence.numbers.conclude(account.currency, hints.decimal_sign)
    date_order = evidence.dates.conclude(
        hints.date_order, decimal_comma=evidence.numbers.proves_comma
    )
    money = MoneyColumns(columns, decimal_sign, evidence.numbers.facts)
    sample = _Sample(columns, date_order, money, accounts, evidence.sample)
    return Layout(table, columns, date_order, money, accounts, sample.orientation())


class _Evidence:
    """What the rows of a table say about its columns."""

    def __init__(self, table: Table, columns: Columns) -> None:
        self.columns = columns
        self.numbers = NumberEvidence()
        self.dates = DateEvidence()
        self.sample: list[list[str]] = []
        self._other_dates = DateEvidence()
        self._marks: set[str] = set()
        self._header = table.header

    def add(self, rows: list[list[str]]) -> None:
        """Take in a run of rows, in the order of the file."""
        columns = self.columns
        cells = list(zip(*rows, strict=True))
        for place in {*columns.money, columns.balance, columns.fee} - {None}:
            self.numbers.add(place, cells[place])
        self.dates.add(cells[columns.date])
        if columns.other_date is not None:
            self._other_dates.add(cells[columns.other_date])
        if columns.mark is not None and len(self._marks) < _MOST_MARKS:
            self._marks |= set(cells[columns.mark])
        self.sample += rows[: _ROWS_FOR_SIGNS - len(self.sample)]
