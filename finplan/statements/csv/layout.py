"""How a table is read, found by one pass over all of its rows before any of them is converted."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import attrgetter

from finplan.model.money import exponent
from finplan.statements.apps.layouts import AppTable
from finplan.statements.csv.accounts import (
    AccountColumns,
    by_account,
    is_called_card,
    named_above,
)
from finplan.statements.csv.balance_steps import places_with_balance, signs_by_balance
from finplan.statements.csv.currency import find_currency, is_named
from finplan.statements.csv.direction import decide, decide_unshown, with_marks
from finplan.statements.csv.evidence import TableEvidence
from finplan.statements.csv.filter import KeptRows, TransactionFilter
from finplan.statements.statement import (
    AmbiguousStatement,
    HeaderAnswers,
    Hints,
    StatementAccount,
    UnreadableStatement,
)
from finplan.statements.table.cells import Cells
from finplan.statements.table.columns import Columns, NoAmount, find_columns
from finplan.statements.table.dates import DateReading
from finplan.statements.table.investments import trades_in
from finplan.statements.table.money import MoneyColumns
from finplan.statements.table.signs import (
    Orientation,
    Printed,
    SignConvention,
    orient,
    told_by_minus,
)
from finplan.statements.table.table import Table, is_data, is_date
from finplan.statements.text.currencies import currency_of
from finplan.statements.text.descriptors import quoted

_ROWS_FOR_COLUMNS = 300
_SMALL = 8 << 20
"""Bytes of a file whose rows are kept between the two passes; they take several times as many."""


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
        """Give the table's rows below the header, some thousands at once; what was kept goes with it.

        Where the way of a row is known by the balance of another one, all rows come at once.
        """
        if self.orientation.convention.stepped:
            yield Cells([row for cells in self._runs() for row in cells.rows])
        else:
            yield from self._runs()

    def _runs(self) -> Iterator[Cells]:
        if not self.cells:
            yield from self.table.chunks()
        while self.cells:
            yield self.cells.popleft()

    def amounts(self, account: StatementAccount, kept: KeptRows, printed: Printed) -> list[int]:
        """Convert an account's rows, `printed` as they are, to amounts that are positive inwards."""
        convention = self.orientation.convention
        amounts = convention.amounts(printed)
        if not convention.stepped:
            return amounts
        signs = signs_by_balance(
            kept, self.money, self.columns.balance, account.currency, convention.stepped
        )
        return [
            amount * (sign * self.orientation.balance_sign or convention.unstepped)
            for amount, sign in zip(amounts, signs, strict=True)
        ]

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
    gathered: tuple[TableEvidence, deque[Cells]] | None = None
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
    evidence: TableEvidence,
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
    _refuse_cut_off(table, columns)
    layout = replace(layout, orientation=_orientation(layout, evidence, hints.direction))
    if question is not None:
        raise question
    return layout


def _gather(table: Table, amount_column: str | None) -> "tuple[TableEvidence, deque[Cells]]":
    """Read all rows for what they say, and keep those of a small table: parsing takes longer."""
    evidence: TableEvidence | None = None
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
) -> TableEvidence:
    """Find the columns by the first rows of data, and take in all rows up to there."""
    if not data:
        raise UnreadableStatement("The table has no row with a date and an amount.")
    evidence = TableEvidence(table, _columns(table, data, amount_column), data)
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


def _refuse_cut_off(table: Table, columns: Columns) -> None:
    row = table.unfinished_row()
    if row is None or not columns.money or columns.date >= len(row):
        return
    if is_date(row[columns.date]) and min(columns.money) >= len(row):
        raise UnreadableStatement("The file is cut off in the middle of its last row.")


def _orientation(layout: Layout, evidence: TableEvidence, said: str | None) -> Orientation:
    """Find from the first rows which way money goes, or else by what the person `said`."""
    columns = layout.columns
    all_rows: list[Printed] = []
    followed: tuple[list[Printed], list[Printed]] = [], []
    types: list[str] = []
    texts: list[str] = []
    transactions = layout.filter().keep(Cells(evidence.sample))
    accounts = list(by_account(transactions, layout.accounts))
    for account, kept in accounts:
        all_rows.append(layout.money.printed(kept.cells, account.currency))
        for groups, is_booked in zip(followed, (True, False), strict=True):
            places = places_with_balance(kept, columns.balance, is_booked=is_booked)
            own = kept.only(places) if places else kept
            groups.append(layout.money.printed(own.cells, account.currency, with_balances=True))
        types += kept.cells[columns.type] if columns.type is not None else [""] * len(kept.days)
        texts += [" ".join(row[place] for place in columns.descriptions) for row in kept.cells.rows]
    default = layout.accounts.default
    # Most banks' balances follow booked rows alone; some print one beside rows that wait, too.
    orientations = (
        orient(
            all_rows,
            groups,
            transactions.days,
            types,
            texts,
            is_card=default.kind == "credit" or is_called_card(default.name),
            is_owed=evidence.calls_balance_owed,
            tells_sign=evidence.tells_sign,
        )
        for groups in (followed if transactions.pending else followed[:1])
    )
    orientation = max(orientations, key=attrgetter("is_told"))
    if not (columns.is_named or orientation.is_proven) and columns.debit is not None:
        orientation = told_by_minus(orientation, all_rows)
    if isinstance(layout.table, AppTable):
        # It is known which way the columns of an app's export go.
        return replace(orientation, is_told=True)
    if orientation.convention.stepped:
        direction = orientation.convention.stepped
        unshown = [
            row
            for (account, kept), printed in zip(accounts, all_rows, strict=True)
            for row, amount, sign in zip(
                kept.cells.rows,
                printed.amounts,
                signs_by_balance(kept, layout.money, columns.balance, account.currency, direction),
                strict=True,
            )
            if amount and not sign
        ]
        rows = transactions.cells.rows
        return decide_unshown(orientation, columns, evidence.header, rows, unshown, said)
    return decide(orientation, columns, evidence.header, transactions.cells.rows, said)
