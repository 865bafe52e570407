"""What a running balance proves of the decimal sign where each separator has three digits behind it."""

from finplan.statements.csv.balance_steps import places_with_balance
from finplan.statements.csv.evidence import TableEvidence
from finplan.statements.csv.filter import TransactionFilter
from finplan.statements.table.amounts import explained_sizes
from finplan.statements.table.columns import Columns
from finplan.statements.table.dates import DateReading
from finplan.statements.table.signs import MoneyColumns
from finplan.statements.table.table import Cells, Table

_OF_THREE_DECIMALS = "KWD"
"""A currency in which both readings of 1.000 are exact, so that no rounding decides."""


def sign_by_balance(
    table: Table, columns: Columns, dates: DateReading, evidence: TableEvidence
) -> str | None:
    """Say which decimal sign alone makes the balance follow from the amounts, None where both do.

    It tells only where some numbers have a separator and others none: 850 + 12.345 is either 862.345 or
    13.195.
    """
    if columns.balance is None:
        return None
    signs = [sign for sign in ".," if _explains(sign, table, columns, dates, evidence)]
    return signs[0] if len(signs) == 1 else None


def _explains(
    sign: str, table: Table, columns: Columns, dates: DateReading, evidence: TableEvidence
) -> bool:
    money = MoneyColumns(columns, sign, evidence.numbers.facts)
    rows = TransactionFilter(table, columns, dates, money).keep(Cells(evidence.sample)).transactions
    followed = rows.only(places_with_balance(rows, columns.balance))
    if not followed.days:
        return False
    printed = money.printed(followed.cells, _OF_THREE_DECIMALS, with_balances=True)
    sizes = [abs(size) for size in printed.amounts]
    if printed.debits:
        sizes = [size + abs(debit) for size, debit in zip(sizes, printed.debits, strict=True)]
    return explained_sizes(sizes, printed.balances) > 0
