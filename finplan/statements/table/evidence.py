"""What the rows of a table say about its columns, taken in once before any row is converted.

The columns are those of an app, those that the table's names and cells tell, or the person's word.
Tables of trades, fund units and holdings are told, since their numbers are no rows of an account's
money.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice, repeat
from pathlib import PurePath

from finplan.model.statement import DateOrder
from finplan.statements.statement import (
    AmbiguousStatement,
    Hints,
    StatementAccount,
    UnreadableStatement,
    unneeded,
)
from finplan.statements.table.accounts import currency_above, ibans_of_every_row
from finplan.statements.table.apps import HEADER, AppTable
from finplan.statements.table.columns import Columns, NoAmount, find_columns
from finplan.statements.table.contents import column_called
from finplan.statements.table.currency import CurrencyClues
from finplan.statements.table.dates import DateEvidence, DateReading
from finplan.statements.table.layouts import names_by_meaning
from finplan.statements.table.numbers import NumberEvidence
from finplan.statements.table.table import Cells, Table, is_data, is_number
from finplan.statements.table.words import ColumnName, column_name, is_east_asian
from finplan.statements.text.currencies import currency_of, is_currency
from finplan.statements.text.descriptors import quoted

_COLUMNS_OF_INVESTMENTS = {
    "how many": """quantity|qty|shares|units|number of shares|no of shares|anzahl|stuck|stueck|stuckzahl
        |nominale|nominal|anteile|quantite|nombre de parts|parts|cantidad|titulos|participaciones
        |quantita|quote|aantal|antal|ilosc|pocet|quantidade|menge""",
    "of what": """symbol|ticker|ticker symbol|isin|wkn|cusip|sedol|security|security name|wertpapier
        |wertpapierbezeichnung|fund|fund name|fonds|fondsname|titre|instrument|instrument name
        |stock|stock symbol|papier|effekt|walor|produkt isin""",
    "at what price": """price|share price|unit price|price per share|price per unit|nav|kurs|cours
        |precio|prezzo|koers|kurz|preco|ausfuhrungskurs|stuckpreis|trade price|execution price""",
}
_NAMES_OF_INVESTMENTS = {
    " ".join(name.split()): group
    for group, names in _COLUMNS_OF_INVESTMENTS.items()
    for name in " ".join(names.split()).split("|")
}
_NO_MONEY = " 0.,-"
_TRADES = frozenset(["buy", "sell", "bought", "sold", "reinvestment", "reinvest dividend"])
_INCOME_OF_INVESTMENTS = frozenset(
    ["dividend", "dividends", "distribution", "contribution", "reinvestment"]
)


def trades_in(names: Sequence[ColumnName], rows: Sequence[Sequence[str]]) -> str | None:
    """Say what shows that a table lists trades or holdings, None for a table that does not.

    Two of quantity, security and price in the header show it, unless nothing but blanks and zeros
    stands below: a broker's account of cash has the columns, too. Without a header, rows of which half
    are called trades or dividends do.
    """
    if names:
        by_group: dict[str, str] = {}
        for index, name in enumerate(names):
            group = _NAMES_OF_INVESTMENTS.get(name.plain)
            if group is not None and any(row[index].strip(_NO_MONEY) for row in rows):
                by_group.setdefault(group, name.text)
        return " and ".join(map(quoted, by_group.values())) if len(by_group) > 1 else None
    called = [{cell.strip().lower() for cell in row} for row in rows]
    kinds = [cells & (_TRADES | _INCOME_OF_INVESTMENTS) for cells in called]
    distinct = set(chain.from_iterable(kinds))
    is_mostly = 2 * sum(map(bool, kinds)) >= len(rows)
    if is_mostly and distinct & _TRADES and distinct & _INCOME_OF_INVESTMENTS:
        return " and ".join(map(quoted, sorted(distinct)[:2]))
    return None


def columns_of(
    table: Table, data: list[list[str]], chosen: str | None
) -> tuple[Columns, tuple[str, ...]]:
    """Find what each column means by some rows of data, by `chosen` the amounts, if nothing else tells.

    Answers besides what is to be said of that word where it was not needed. Raises UnreadableStatement,
    and AmbiguousStatement where only the person knows which column has the amounts.
    """
    if isinstance(table, AppTable):
        return table.columns, ()
    try:
        columns = _found_columns(table, data, None)
    except AmbiguousStatement:
        if chosen is None:
            raise
        return _found_columns(table, data, chosen), ()
    return columns, () if chosen is None else (_unneeded_column(columns, table.names, chosen),)


def _found_columns(table: Table, data: list[list[str]], chosen: str | None) -> Columns:
    trades = trades_in(table.names, data)
    if trades is not None:
        raise UnreadableStatement(
            f"The table lists trades or holdings ({trades}). Export the account's transactions instead."
        )
    try:
        return find_columns(names_by_meaning(table.names), data, chosen)
    except NoAmount as error:
        raise UnreadableStatement(
            f"Line {table.line_of(error.row)}: {quoted(error.cell)} in the column {quoted(error.column)}"
            " is not an amount."
        ) from None


def _unneeded_column(columns: Columns, names: Sequence[ColumnName], chosen: str) -> str:
    """The sentence that the person's word for the amounts decided nothing, and where they stand."""
    called = [
        quoted(names[index].text.strip()) if index < len(names) and names[index].text.strip()
        else f"column {index + 1}"
        for index in columns.money
    ]  # fmt: skip
    have = "has" if len(called) == 1 else "have"
    why = f"the file shows that {' and '.join(called)} {have} the amounts"
    is_followed = column_called(chosen, names) in columns.money
    return unneeded("amount-column", quoted(chosen), why, is_followed=is_followed)


_ROWS_FOR_NUMBERS = 300
_ROWS_FOR_SIGNS = 2000
_LAST_LIKELY_YEAR = 2050
_LONGEST_WORD = 30
"""How long a cell is at most that tells of a table's language, as a mark or a state does."""
_FOREIGN_AMOUNT = "amount currency"
"""The name of a column of foreign amounts, beside which a column of currencies may be of either."""


class TableEvidence:
    """What the rows of a table say about its columns."""

    def __init__(
        self, table: Table, columns: Columns, data: list[list[str]], notes: tuple[str, ...]
    ) -> None:
        self.columns = columns
        self.notes = notes
        self.numbers = NumberEvidence()
        self.sample: list[list[str]] = []
        self.data = data
        self._dates = DateEvidence()
        self._other_dates = DateEvidence()
        self._currencies: dict[str, None] = {}
        self._table = table
        # An app's columns are those that its rows are translated to.
        is_app = isinstance(table, AppTable)
        self._header = HEADER if is_app else table.header
        names = map(column_name, HEADER) if is_app else names_by_meaning(table.names)
        width = max(table.width, len(self._header))
        self.names = tuple(islice(chain(names, repeat(column_name(""))), width))

    def add(self, cells: Cells) -> None:
        """Take in a run of rows, in the order of the file."""
        columns = self.columns
        for index in (*columns.money, columns.balance, columns.fee):
            if index is not None:
                self.numbers.add(index, cells[index], cells.shapes(index))
        self._dates.add(cells[columns.date])
        if columns.currency is not None:
            self._add_currencies(columns.currency, cells)
        if columns.other_date is not None:
            self._other_dates.add(cells[columns.other_date])
        if len(self.sample) < _ROWS_FOR_SIGNS:
            self.sample += cells.rows[: _ROWS_FOR_SIGNS - len(self.sample)]
        if self.numbers.is_open:
            self._ask_other_numbers(cells)

    def _add_currencies(self, index: int, cells: Cells) -> None:
        """Take in a column of currencies, refusing a transaction in one that nobody knows."""
        for cell in dict.fromkeys(map(str.strip, cells[index])):
            if cell in self._currencies:
                continue
            row = next(
                (row for row in cells.rows if row[index].strip() == cell and is_data(row)), None
            )
            if row is not None and cell and not is_currency(cell):
                raise UnreadableStatement(
                    f"Line {self._table.line_of(row)}: {quoted(cell)} is not a currency that"
                    " finplan knows. Delete lines with this currency from the file."
                )
            if row is not None:
                self._currencies[cell] = None

    def _ask_other_numbers(self, cells: Cells) -> None:
        """Let exchange rates and the like say which sign is decimal where amounts do not."""
        for index in range(len(cells.row(0))):
            filled = [cell for cell in cells[index][:_ROWS_FOR_NUMBERS] if cell.strip()]
            if index != self.columns.date and filled and all(map(is_number, filled)):
                self.numbers.add(index, cells[index], cells.shapes(index))

    @property
    def calls_balance_owed(self) -> bool:
        """Whether the header calls the balance a debt."""
        index = self.columns.balance
        return index is not None and self.names[index].is_debt

    @property
    def tells_sign(self) -> bool:
        """Whether the column of money says, by its name or beside its numbers, which way they go."""
        columns = self.columns
        if columns.amount is None:
            return columns.is_named
        return self.numbers.facts[columns.amount].tells_sign

    def compare_dates(self) -> None:
        """Let a second date column help, once all rows have been added."""
        self._dates.heed(self._other_dates)

    def refuse_thai_years_of_two_digits(self, order: DateOrder) -> None:
        """Refuse years of a table in baht that lie ahead: 69 is 2026 there, and was read as 2069."""
        year = self._dates.latest[order] // 10000
        if year > _LAST_LIKELY_YEAR:
            raise UnreadableStatement(
                "The file's two-digit years may be from the Thai calendar, but finplan would read"
                f" them as {year}. Export dates with four-digit years."
            )

    def date_reading(self, hints: Hints) -> DateReading:
        """Conclude how dates are read."""
        texts = [*self._header, *(cell for row in self._table.preamble for cell in row)]
        texts += {cell for row in self.data for cell in row if len(cell) <= _LONGEST_WORD}
        order = self._dates.conclude(
            hints.date_order,
            decimal_comma=self.numbers.proves_comma,
            year_may_lead=len(self._dates.fitting()) > 1 and is_east_asian("".join(texts)),
        )
        return DateReading(order, self._dates.conclude_listopad(texts))

    def columns_beside(self, account: StatementAccount) -> Columns:
        """Give the columns; beside an account named above, numbers of accounts are other people's.

        Where the name of the amounts names their currency, a column that has others besides is of what
        was paid abroad.
        """
        columns, index = self.columns, self.columns.account
        currency = self._named_currency()
        if currency is not None and currency in self._codes() and self._codes() != {currency}:
            columns = replace(columns, currency=None)
        if account.number is None or index is None or self.names[index].meanings["account"] == 0:
            return columns
        return replace(columns, account=None, account_name=None)

    def _codes(self) -> set[str | None]:
        """The currencies in the column of them."""
        return set(map(currency_of, self._currencies))

    def _named_currency(self) -> str | None:
        """The currency that the names of the columns of amounts name, None where they name none."""
        codes = {name.currency for name in self._names_of_money(self.columns)}
        return codes.pop() if len(codes) == 1 else None

    def _names_of_money(self, columns: Columns) -> tuple[ColumnName, ...]:
        return tuple(self.names[index] for index in columns.money if index < len(self._header))

    def currency_clues(
        self, columns: Columns, account: StatementAccount, file_name: str, date_order: DateOrder
    ) -> CurrencyClues:
        """Gather what the table shows of its currency."""
        facts = [self.numbers.facts[index] for index in columns.money]
        rows = self.sample
        numbers = [row[columns.account] for row in rows] if columns.account is not None else []
        if columns.account is None:
            numbers += ibans_of_every_row(self.names if self._header else (), self.data)
        texts = [row[index] for row in rows for index in columns.descriptions]
        above = [cell for row in self._table.preamble for cell in row if cell.strip()]
        stem = PurePath(file_name).stem
        names = [name.plain for name in self.names]
        currency = self._named_currency()
        is_doubtful = _FOREIGN_AMOUNT in names and "currency" in names
        if columns.currency is not None and currency is not None and self._currencies:
            is_doubtful = is_doubtful or currency not in self._codes()
        return CurrencyClues(
            header=self._header,
            amounts=self._names_of_money(columns),
            balance=column_name("") if columns.balance is None else self.names[columns.balance],
            units=frozenset(unit for fact in facts for unit in fact.units),
            column=tuple(self._currencies) if columns.currency is not None else (),
            above=tuple(above),
            stated=currency_above(self._table.preamble),
            file_name=stem,
            numbers=tuple({account.number or "", stem, *numbers}),
            texts=texts,
            date_order=date_order if self._dates.tells_order else None,
            decimal_comma=self.numbers.proves_comma,
            has_cents=any(fact.has_cents for fact in facts),
            is_doubtful=is_doubtful,
        )
