"""Amounts with more decimals than their currency has: they are rounded, and the person is told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finplan.model.money import to_text
from finplan.statements.statement import StatementAccount, StatementPart
from finplan.statements.table.signs import MoneyColumns
from finplan.statements.table.table import Cells, Table


@dataclass(slots=True)
class _Rounded:
    """How many amounts of an account are rounded, and the first of them."""

    count: int
    row: Sequence[str]
    printed: str
    amount: int


class RoundedAmounts:
    """Counts amounts that lose decimals, and says so in one sentence for each account."""

    def __init__(self, table: Table, money: MoneyColumns) -> None:
        self._table = table
        self._money = money
        self._of: dict[StatementAccount, _Rounded] = {}

    def add(self, account: StatementAccount, cells: Cells) -> None:
        """Take in rows of an account."""
        rounded = self._money.rounded(cells, account.currency)
        if not rounded:
            return
        if account in self._of:
            self._of[account].count += len(rounded)
        else:
            place, column, amount = min(rounded)
            row = cells.row(place)
            self._of[account] = _Rounded(len(rounded), row, row[column].strip(), amount)

    def parts(self, *, sign_is_open: bool) -> Iterator[StatementPart]:
        """Give the sentences; `sign_is_open` says that no number of the table tells it."""
        for account, rounded in self._of.items():
            yield StatementPart(
                account, notes=(self._sentence(account, rounded, sign_is_open=sign_is_open),)
            )

    def _sentence(self, account: StatementAccount, rounded: _Rounded, *, sign_is_open: bool) -> str:
        code = account.currency
        line = self._table.line_of(rounded.row)
        # A row that is put together of several cells or lines stands nowhere as it is.
        place = f" in line {line}" if line else ""
        becomes = f"{rounded.printed} becomes {to_text(rounded.amount, code)}"
        if rounded.count == 1:
            what = f"One amount has more decimals than {code} has and is rounded{place}: {becomes}."
        else:
            what = (
                f"{rounded.count:,} amounts have more decimals than {code} has and are rounded,"
                f" first{place}: {becomes}."
            )
        if sign_is_open:
            return f"{what} If amounts are thousands, say the other sign with --decimal-sign."
        if account.currency_is_assumed:
            return (
                f"{what} If the file is in a currency of three decimals, such as dinars, name it with"
                " --currency."
            )
        return what
