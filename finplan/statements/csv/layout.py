"""How a table is read, found by one pass over all of its rows before any of them is converted."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import PurePath

from finplan.model.money import exponent
from finplan.model.statement import DateOrder
from finplan.statements.apps.layouts import HEADER, AppTable
from finplan.statements.csv.accounts import (
    AccountColumns,
    by_account,
    currency_above,
    ibans_of_every_row,
    is_called_card,
    named_above,
)
from finplan.statements.csv.currency import CurrencyClues, find_currency, is_named
from finplan.statements.csv.direction import decide, with_marks
from finplan.statements.csv.filter import KeptRows, TransactionFilter
from finplan.statements.csv.lost_rows import refuse_cut_off, refuse_rows_above
from finplan.statements.statement import (
    AmbiguousStatement,
    HeaderAnswers,
    Hints,
    StatementAccount,
    UnreadableStatement,
)
from finplan.statements.table.cells import Cells
from finplan.statements.table.columns import Columns, NoAmount, find_columns
from finplan.statements.table.dates import DateEvidence, DateReading
from finplan.statements.table.investments import trades_in
from finplan.statements.table.languages import is_east_asian
from finplan.statements.table.money import MoneyColumns
from finplan.statements.table.numbers import NumberEvidence
from finplan.statements.table.signs import Orientation, Printed, SignConvention, orient
from finplan.statements.table.table import Table, is_data, is_number
from finplan.statements.table.words import meanings_of, words_of
from finplan.statements.text.currencies import currency_of, is_currency
from finplan.statements.text.descriptors import quoted

_ROWS_FOR_COLUMNS = 300
_ROWS_FOR_SIGNS = 2000
_SMALL = 8 << 20
"""Bytes of a file whose rows are kept between the two passes; they take several times as many."""

_LAST_LIKELY_YEAR = 2050
_LONGEST_WORD = 30
"""How long a cell is at most that tells of a table's language, as a mark or a state does."""
_FOREIGN_AMOUNT = "amount currency"
"""The name of a column of foreign amounts, beside which a column of currencies may be of either."""


@dataclass(frozen=True, slots=True)
class Layout:
    """All that converting a table's rows needs to know; `cells` are those of a small table."""

    table: Table
    cells: deque[Cells]
    columns: Columns
    dates: DateReading
    money: MoneyColumns
    accounts: AccountColumns
    orientation: Orientation = field(default_factory=lambda: Orientation(SignConvention()))

    def chunks(self) -> Iterator[Cells]:
        """Give the table's rows below the header, some thousands at once; what was kept goes with it."""
        if not self.cells:
            yield from self.table.chunks()
        while self.cells:
            yield self.cells.popleft()

    def filter(self) -> TransactionFilter:
        """Make a filter that has seen no row yet."""
        return TransactionFilter(self.table, self.columns, self.dates, self.money)


def find_layout(
    table: Table, file_name: str, hints: Hints, answers: HeaderAnswers
) -> tuple[Layout, HeaderAnswers]:
    """Read the whole table once and conclude how its rows are converted.

    The `answers` given for earlier files decide what this one leaves open; which of them decided
    something is answered too. Raises UnreadableStatement for a table without transactions, or one
    that is cut off or contradicts itself; AmbiguousStatement when it has two readings.
    """
    assumed, used = hints, HeaderAnswers()
    gathered: tuple[_Evidence, deque[Cells]] | None = None
    while True:
        try:
            gathered = gathered or _gather(table, assumed.amount_column)
            layout = _conclude(table, *gathered, file_name, assumed, answers.currency)
        except AmbiguousStatement as ambiguous:
            (question,) = ambiguous.questions
            answer = getattr(answers, question.about)
            # What was assumed already and is asked again is contradicted by the file itself.
            if not question.allows(answer) or getattr(assumed, question.about) == answer:
                raise
            assumed = replace(assumed, **{question.about: answer})
            used = replace(used, **{question.about: answer})
        else:
            return layout, _with_currency(used, layout, hints, answers)


def _with_currency(
    used: HeaderAnswers, layout: Layout, hints: Hints, answers: HeaderAnswers
) -> HeaderAnswers:
    """Note that the currency was remembered, where nothing in the table names another."""
    found = layout.accounts.default
    is_known = answers.currency in {None, hints.currency, hints.household}
    is_remembered = not is_known and found.currency_is_assumed
    return (
        replace(used, currency=found.currency)
        if is_remembered and found.currency == answers.currency
        else used
    )


def _conclude(
    table: Table,
    evidence: "_Evidence",
    cells: deque[Cells],
    file_name: str,
    hints: Hints,
    remembered: str | None,
) -> Layout:
    dates = evidence.date_reading(hints)
    account = named_above(table.preamble, file_name)
    columns = with_marks(evidence.columns_beside(account), evidence.data, hints.direction)
    clues = evidence.currency_clues(columns, account, file_name, dates.order)
    question: AmbiguousStatement | None = None
    try:
        code, is_assumed = find_currency(clues, hints, remembered)
    except AmbiguousStatement as error:
        # A table that cannot be read in any currency is refused before anything is asked.
        code, is_assumed, question = error.questions[0].choices[0].value, True, error
    account = replace(account, currency=code, currency_is_assumed=is_assumed)
    if code == "THB":
        evidence.refuse_thai_years_of_two_digits(dates.order)
    if clues.is_doubtful:
        columns = replace(columns, currency=None)
    currencies = (
        {code, *filter(None, map(currency_of, clues.column))} if columns.currency else {code}
    )
    layout = Layout(
        table,
        cells,
        columns,
        dates,
        MoneyColumns(
            columns,
            # Three decimals of one currency are the only proof that a file of several may have.
            evidence.numbers.conclude(max(currencies, key=exponent), hints.decimal_sign),
            evidence.numbers.facts,
        ),
        AccountColumns(account, columns, by_iban=is_assumed and not is_named(clues, hints)),
    )
    refuse_cut_off(table, columns)
    layout = replace(layout, orientation=_orientation(layout, evidence, hints.direction))
    if question is not None:
        raise question
    return layout


def _gather(table: Table, amount_column: str | None) -> "tuple[_Evidence, deque[Cells]]":
    """Read all rows for what they say, and keep those of a small table: parsing takes longer."""
    evidence: _Evidence | None = None
    is_small = table.path.stat().st_size <= _SMALL
    kept, first, data = deque[Cells](), deque[Cells](), list[list[str]]()
    for cells in table.chunks():
        if is_small:
            kept.append(cells)
        if evidence is not None:
            evidence.add(cells)
            continue
        first.append(cells)
        data += islice(filter(is_data, cells.rows), _ROWS_FOR_COLUMNS - len(data))
        if len(data) == _ROWS_FOR_COLUMNS:
            evidence = _begin(table, data, first, amount_column)
    evidence = evidence or _begin(table, data, first, amount_column)
    evidence.compare_dates()
    return evidence, kept


def _begin(
    table: Table, data: list[list[str]], first: deque[Cells], amount_column: str | None
) -> "_Evidence":
    """Find the columns by the first rows of data, and take in all rows up to there."""
    if not data:
        raise UnreadableStatement("The table has no row with a date and an amount.")
    columns = _columns(table, data, amount_column)
    refuse_rows_above(table, columns)
    evidence = _Evidence(table, columns, data)
    while first:
        evidence.add(first.popleft())
    return evidence


def _columns(table: Table, data: list[list[str]], amount_column: str | None) -> Columns:
    if isinstance(table, AppTable):
        return table.columns
    trades = trades_in(table.header, data)
    if trades is not None:
        raise UnreadableStatement(
            f"The table lists trades or holdings ({trades}), no account's money;"
            " export the transactions of the account instead."
        )
    try:
        return find_columns(table.header, data, amount_column)
    except NoAmount as error:
        raise UnreadableStatement(
            f"Line {table.line_of(error.row)}: {quoted(error.cell)} in the column {quoted(error.column)}"
            " is no amount."
        ) from None


class _Evidence:
    """What the rows of a table say about its columns."""

    def __init__(self, table: Table, columns: Columns, data: list[list[str]]) -> None:
        self.columns = columns
        self.numbers = NumberEvidence()
        self.sample: list[list[str]] = []
        self.data = data
        self._dates = DateEvidence()
        self._other_dates = DateEvidence()
        self._currencies: dict[str, None] = {}
        self._table = table
        # An app's columns are those that its rows are translated to.
        self.header = HEADER if isinstance(table, AppTable) else table.header

    def add(self, cells: Cells) -> None:
        """Take in a run of rows, in the order of the file."""
        columns = self.columns
        for place in (*columns.money, columns.balance, columns.fee):
            if place is not None:
                self.numbers.add(place, cells[place], cells.shapes(place))
        self._dates.add(cells[columns.date])
        if columns.currency is not None:
            self._add_currencies(columns.currency, cells)
        if columns.other_date is not None:
            self._other_dates.add(cells[columns.other_date])
        if len(self.sample) < _ROWS_FOR_SIGNS:
            self.sample += cells.rows[: _ROWS_FOR_SIGNS - len(self.sample)]
        if self.numbers.is_open:
            self._ask_other_numbers(cells)

    def _add_currencies(self, place: int, cells: Cells) -> None:
        """Take in a column of currencies, refusing a transaction in one that nobody knows."""
        for cell in set(map(str.strip, cells[place])) - self._currencies.keys():
            row = next(
                (row for row in cells.rows if row[place].strip() == cell and is_data(row)), None
            )
            if row is not None and cell and not is_currency(cell):
                raise UnreadableStatement(
                    f"Line {self._table.line_of(row)}: {quoted(cell)} in the column of currencies is no"
                    " currency that is known; leave such rows out."
                )
            if row is not None:
                self._currencies[cell] = None

    def _ask_other_numbers(self, cells: Cells) -> None:
        """Let exchange rates and the like say which sign is decimal where amounts do not."""
        for place in range(len(cells.row(0))):
            filled = [cell for cell in cells[place][:_ROWS_FOR_COLUMNS] if cell.strip()]
            if place != self.columns.date and filled and all(map(is_number, filled)):
                self.numbers.add(place, cells[place], cells.shapes(place))

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
                f"Two digits of a year in Thailand may be of either calendar, and {year} is none that is"
                " booked; export the dates with four digits."
            )

    def date_reading(self, hints: Hints) -> DateReading:
        """Conclude how dates are read."""
        words = [*self.header, *(cell for row in self._table.preamble for cell in row)]
        words += {cell for row in self.data for cell in row if len(cell) <= _LONGEST_WORD}
        order = self._dates.conclude(
            hints.date_order,
            decimal_comma=self.numbers.proves_comma,
            year_may_lead=len(self._dates.fitting()) > 1 and is_east_asian("".join(words)),
        )
        return DateReading(order, self._dates.conclude_listopad(words))

    def columns_beside(self, account: StatementAccount) -> Columns:
        """Give the columns; beside an account named above, numbers of accounts are other people's."""
        place = self.columns.account
        if (
            account.number is None
            or place is None
            or meanings_of(self.header[place])["account"] == 0
        ):
            return self.columns
        return replace(self.columns, account=None, account_name=None)

    def currency_clues(
        self, columns: Columns, account: StatementAccount, file_name: str, date_order: DateOrder
    ) -> CurrencyClues:
        """Gather what the table shows of its currency."""
        facts = [self.numbers.facts[place] for place in columns.money]
        rows = self.sample
        numbers = [row[columns.account] for row in rows] if columns.account is not None else []
        if columns.account is None:
            numbers += ibans_of_every_row(self.header, self.data)
        texts = [row[place] for row in rows for place in columns.descriptions]
        above = [cell for row in self._table.preamble for cell in row if cell.strip()]
        stem = PurePath(file_name).stem
        names = [" ".join(words_of(name)) for name in self.header]
        return CurrencyClues(
            header=self.header,
            amounts=tuple(self.header[p] for p in columns.money if p < len(self.header)),
            units=frozenset(unit for found in facts for unit in found.units),
            column=tuple(self._currencies),
            above=tuple(above),
            stated=currency_above(self._table.preamble),
            file_name=stem,
            numbers=tuple({account.number or "", stem, *numbers}),
            texts=texts,
            date_order=date_order if self._dates.tells_order else None,
            decimal_comma=self.numbers.proves_comma,
            has_cents=any(found.has_cents for found in facts),
            is_doubtful=_FOREIGN_AMOUNT in names and "currency" in names,
        )


def _orientation(layout: Layout, evidence: "_Evidence", said: str | None) -> Orientation:
    """Find from the first rows which way money goes, or else by what the person `said`."""
    columns = layout.columns
    groups: list[Printed] = []
    types: list[str] = []
    texts: list[str] = []
    transactions = layout.filter().keep(Cells(evidence.sample))
    for account, kept in by_account(transactions, layout.accounts):
        provable = places_with_balance(kept, columns.balance)
        booked = kept.only(provable) if provable else kept
        groups.append(layout.money.printed(booked.cells, account.currency, with_balances=True))
        types += booked.cells[columns.type] if columns.type is not None else [""] * len(booked.days)
        texts += [
            " ".join(row[place] for place in columns.descriptions) for row in booked.cells.rows
        ]
    default = layout.accounts.default
    is_card = default.kind == "credit" or is_called_card(default.name)
    orientation = orient(
        groups,
        transactions.days,
        types,
        texts,
        is_card=is_card,
        tells_sign=evidence.tells_sign,
    )
    has_minus = any(min(printed.debits, default=0) < 0 for printed in groups)
    if columns.debit is not None and not (columns.is_named or orientation.is_proven or has_minus):
        orientation = replace(orientation, is_told=False)
    if isinstance(layout.table, AppTable):
        # It is known which way the columns of an app's export go.
        return replace(orientation, is_told=True)
    return decide(orientation, columns, evidence.header, transactions.cells.rows, said)


def places_with_balance(kept: KeptRows, balance: int | None) -> list[int]:
    """Leave out rows that no balance can prove: pending ones, and those where it is blank."""
    return [
        place
        for place, row in enumerate(kept.cells.rows)
        if not (kept.pending and kept.pending[place]) and (balance is None or row[balance].strip())
    ]
