"""How a table is read, found by one pass over all of its rows before any of them is converted.

Rows at either end of a table that would be lost are refused, so that no money is.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from finplan.model.money import exponent
from finplan.model.statement import FIRST_OWED, PLAIN_WAYS
from finplan.statements.statement import (
    AmbiguousStatement,
    HeaderAnswers,
    Hints,
    Question,
    StatementAccount,
    UnreadableStatement,
)
from finplan.statements.table import marks
from finplan.statements.table.accounts import AccountColumns, is_called_card, named_above
from finplan.statements.table.apps import AppTable
from finplan.statements.table.balances import (
    Steps,
    by_steps,
    find_orientation,
    sign_by_balance,
    signs_by_balance,
)
from finplan.statements.table.columns import Columns
from finplan.statements.table.currency import find_currency, names_currency
from finplan.statements.table.dates import DateReading
from finplan.statements.table.direction import balance_turned, decide, direction_unneeded, tells_way
from finplan.statements.table.evidence import TableEvidence, columns_of
from finplan.statements.table.filter import KeptRows, TransactionFilter
from finplan.statements.table.layouts import answers_of_header
from finplan.statements.table.row_words import mark_of
from finplan.statements.table.signs import MoneyColumns, Orientation, Printed, SignConvention
from finplan.statements.table.table import Cells, Table, is_data, is_date, is_number
from finplan.statements.text.currencies import currency_of
from finplan.statements.text.descriptors import quoted


def refuse_rows_above(table: Table, columns: Columns) -> None:
    """Refuse a table above whose first row others stand, with a date and an unreadable amount."""
    for row in table.preamble:
        if len(row) == table.width and is_date(row[columns.date]):
            for cell in (row[index] for index in columns.money):
                if any(map(str.isdigit, cell)) and not is_number(cell) and not is_date(cell):
                    raise UnreadableStatement(
                        f"Line {table.line_of(row)}: {quoted(cell)} is not an amount."
                    )


def refuse_cut_off(table: Table, columns: Columns) -> None:
    """Refuse a table that ends before the amount of its last row."""
    row = table.unfinished_row()
    if row is None or not columns.money or columns.date >= len(row):
        return
    if is_date(row[columns.date]) and min(columns.money) >= len(row):
        raise UnreadableStatement("The file is cut off in its last line. Download it again.")


_ROWS_FOR_COLUMNS = 300
_SMALL_TABLE = 8 << 20
"""Bytes of a file whose rows are kept between the two passes; they take several times as many."""

_MOST_CELLS = 1_000_000
"""How many cells are kept, since some bytes may be many of them; they take about 60 MB."""


@dataclass(frozen=True, slots=True)
class Layout:
    """All that converting a table's rows needs to know; `cells` are those of a small table.

    `sign_is_open` says that no number of the table tells which sign is decimal.
    `steps` are what a balance shows of rows without any sign, `ways` which way rows go that it does not
    show, by their cells. `is_card` says that it is known besides to be a credit card's. `notes` are
    sentences on what the person said of it and what follows from that.
    """

    table: Table
    cells: deque[Cells]
    columns: Columns
    dates: DateReading
    money: MoneyColumns
    accounts: AccountColumns
    orientation: Orientation = field(default_factory=lambda: Orientation(SignConvention()))
    steps: Steps = field(default_factory=Steps)
    ways: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    is_card: bool = False
    notes: tuple[str, ...] = ()
    sign_is_open: bool = False

    def chunks(self) -> Iterator[Cells]:
        """Give the table's rows below the header, some thousands at once; what was kept goes with it.

        Where the way of a row is known by the balance of another one, all rows come at once.
        """
        if self.orientation.convention.stepped:
            rows = self.all_rows()
            self.cells.clear()
            yield Cells(rows)
        else:
            yield from self._runs()

    def all_rows(self) -> list[list[str]]:
        """Give all rows below the header, without taking what was kept of them."""
        return [row for cells in self.cells or self.table.chunks() for row in cells.rows]

    def _runs(self) -> Iterator[Cells]:
        if not self.cells:
            yield from self.table.chunks()
        while self.cells:
            yield self.cells.popleft()

    def amounts(
        self, account: StatementAccount, kept_rows: KeptRows, printed: Printed
    ) -> list[int]:
        """Convert an account's rows, `printed` as they are, to amounts that are positive inwards."""
        convention = self.orientation.convention
        amounts = convention.amounts(printed)
        if not (convention.stepped or convention.worded):
            return amounts
        signs = [0] * len(amounts)
        if convention.stepped:
            signs = signs_by_balance(
                kept_rows, self.money, self.columns.balance, account.currency, convention.stepped
            )
        owned = self.orientation.balance_sign
        is_card = self.is_card or account.kind == "credit" or is_called_card(account.name)
        return [
            # A minus far below the rows that were looked at turns round what has none.
            amount
            * (
                sign * owned
                or (amount > 0 and marks.spoken(self.columns, row))
                or self.ways.get(tuple(row))
                or (
                    convention.worded
                    and amount > 0
                    and marks.comes_back_in(self.columns, row, is_card=is_card)
                )
                or convention.unstepped
            )
            for amount, sign, row in zip(amounts, signs, kept_rows.cells.rows, strict=True)
        ]

    def transactions(self) -> Iterator[list[list[str]]]:
        """Give the rows that move money, run by run, without taking what was kept of them."""
        transactions = self.filter()
        for cells in self.cells or self.table.chunks():
            yield transactions.keep(cells).transactions.cells.rows

    def reading(self, columns: Columns) -> "Layout":
        """Read the same table by other columns, one of which says which way money goes."""
        return replace(self, columns=columns, money=self.money.reading(columns))

    def filter(self) -> TransactionFilter:
        """Make a filter that has seen no row yet."""
        return TransactionFilter(self.table, self.columns, self.dates, self.money)


def find_layout(
    table: Table, file_name: str, hints: Hints, answers: HeaderAnswers
) -> tuple[Layout, HeaderAnswers]:
    """Read the whole table once and conclude how its rows are converted.

    The `answers` given for earlier files decide what this one leaves open, and else what is known of its
    bank's own tables; which of the answers decided something is answered too. Raises
    UnreadableStatement for a table without transactions, or one that is cut off or contradicts itself;
    AmbiguousStatement when it has two readings.
    """
    assumed, used, of_header = hints, HeaderAnswers(), answers_of_header(table.header)
    tried: set[tuple[str, str | None]] = set()
    gathered: tuple[TableEvidence, deque[Cells]] | None = None
    while True:
        try:
            gathered = gathered or _gather(table, assumed.amount_column)
            layout = _conclude(table, *gathered, file_name, assumed, answers.currency)
        except AmbiguousStatement as ambiguous:
            (question,) = ambiguous.questions
            about = question.about
            answer, remembered = getattr(answers, about), getattr(of_header, about)
            # What was assumed already and is asked again is contradicted by the file itself.
            tried.add((about, getattr(assumed, about)))
            if (about, answer) not in tried and _settles(question, answer):
                assumed = replace(assumed, **{about: answer})
                used = replace(used, **{about: answer})
            elif (about, remembered) not in tried and _answers_question(question, remembered):
                assumed = replace(assumed, **{about: remembered})
            else:
                raise
        else:
            return layout, _with_currency(used, layout, hints, answers)


def _settles(question: Question, answer: str | None) -> bool:
    """Say whether an answer given before is one to this question."""
    # What was said of some words says nothing of others.
    return marks.names_all(answer, question.words) if question.words else question.allows(answer)


def _answers_question(question: Question, value: str | None) -> bool:
    """Say whether what is known of a bank's tables answers a question.

    How it prints amounts tells the way of rows that a balance does not show, too.
    """
    is_of_every_row = question.about == "direction" and value in PLAIN_WAYS and not question.words
    return is_of_every_row or _settles(question, value)


def _with_currency(
    used: HeaderAnswers, layout: Layout, hints: Hints, answers: HeaderAnswers
) -> HeaderAnswers:
    """Note that the currency was remembered, where nothing in the table names another."""
    default = layout.accounts.default
    is_known = answers.currency in {None, hints.currency, hints.household}
    is_remembered = not is_known and default.currency_is_assumed
    return (
        replace(used, currency=default.currency)
        if is_remembered and default.currency == answers.currency
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
    columns = evidence.columns_beside(account)
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
    is_open = evidence.numbers.is_open
    proven = sign_by_balance(table, columns, dates, evidence) if is_open else None
    # Three decimals of one currency are the only proof that a file of several may have.
    sign = proven or evidence.numbers.conclude(max(currencies, key=exponent), hints.decimal_sign)
    layout = Layout(
        table,
        cells,
        columns,
        dates,
        MoneyColumns(columns, sign, evidence.numbers.facts),
        AccountColumns(account, columns, by_iban=is_assumed and not names_currency(clues, hints)),
        ways=hints.ways,
        sign_is_open=is_open and proven is None,
    )
    refuse_cut_off(table, columns)
    layout = _oriented(layout, evidence, hints.direction)
    if question is not None:
        raise question
    return layout


def _gather(table: Table, amount_column: str | None) -> tuple[TableEvidence, deque[Cells]]:
    """Read all rows for what they say, and keep those of a small table: parsing takes longer."""
    evidence: TableEvidence | None = None
    chunks, first, data = deque[Cells](), deque[Cells](), list[list[str]]()
    is_small = table.path.stat().st_size <= _SMALL_TABLE
    read = 0
    for cells in table.chunks():
        read += table.width * len(cells[0])
        if is_small and read <= _MOST_CELLS:
            chunks.append(cells)
        else:
            chunks.clear()
        if evidence is not None:
            evidence.add(cells)
            continue
        first.append(cells)
        data += islice(filter(is_data, cells.rows), _ROWS_FOR_COLUMNS - len(data))
        if len(data) == _ROWS_FOR_COLUMNS or read > _MOST_CELLS:
            evidence = _begin(table, data, first, amount_column)
    evidence = evidence or _begin(table, data, first, amount_column)
    evidence.compare_dates()
    return evidence, chunks


def _begin(
    table: Table, data: list[list[str]], first: deque[Cells], amount_column: str | None
) -> TableEvidence:
    """Find the columns by the first rows of data, and take in all rows up to there."""
    if not data:
        raise UnreadableStatement("No line of the table has both a date and an amount.")
    columns, notes = columns_of(table, data, amount_column)
    refuse_rows_above(table, columns)
    evidence = TableEvidence(table, columns, data, notes)
    while first:
        evidence.add(first.popleft())
    return evidence


def _oriented(layout: Layout, evidence: TableEvidence, answer: str | None) -> Layout:
    """Find from the first rows which way money goes, or else by the `answer` of the person.

    Where only a balance shows it of each row, all rows are looked at.
    """
    kept_rows = layout.filter().keep(Cells(evidence.sample))
    # It is known which way the columns of an app's export go, and no answer changes it.
    answer = None if isinstance(layout.table, AppTable) else answer
    layout, kinds = _with_kinds(layout, evidence, kept_rows)
    orientation, steps = _orientation(layout, evidence, kept_rows)
    if kinds is not None and kinds.open_words:
        orientation = replace(orientation, is_told=False)
    if orientation.convention.stepped:
        # The row that no balance shows may be the last one of the file.
        kept_rows = layout.filter().keep(Cells(layout.all_rows()))
        orientation, steps = _orientation(layout, evidence, kept_rows)
    notes = evidence.notes
    is_answered = answer is not None and not tells_way(orientation, layout.columns)
    if answer is not None and not is_answered:
        notes = (*notes, direction_unneeded(orientation, layout.columns, answer))
    elif answer is not None:
        rows = kept_rows.transactions.cells.rows
        layout = layout.reading(marks.with_marks(layout.columns, rows, answer, kinds))
        orientation, steps = _orientation(layout, evidence, kept_rows)
    rows = kept_rows.transactions.cells.rows
    decided = decide(orientation, layout.columns, evidence.names, rows, steps, answer, kinds)
    if steps.is_owed is not None:
        steps.is_owed = decided.balance_sign != orientation.balance_sign
    if is_answered and answer != FIRST_OWED:
        notes = (*notes, *_turned(orientation, decided, layout.columns, evidence))
    return replace(layout, orientation=decided, steps=steps, notes=notes)


def _turned(
    orientation: Orientation, decided: Orientation, columns: Columns, evidence: TableEvidence
) -> Iterator[str]:
    """What is to be said of an answer by which the balance is another thing than it is called."""
    if columns.balance is not None:
        note = balance_turned(orientation, decided, is_owed=evidence.calls_balance_owed)
        yield from filter(None, [note])


def _with_kinds(
    layout: Layout, evidence: TableEvidence, kept_rows: KeptRows
) -> tuple[Layout, marks.Kinds | None]:
    """Let what a bank calls its rows say which way they go where no amount has a sign.

    A running balance that shows it of each row goes before words of which one is not known everywhere.
    """
    columns = layout.columns
    is_marked = columns.mark_ways is not None
    if is_marked or columns.amount is None or layout.money.prints_signs or evidence.tells_sign:
        return layout, None
    account = layout.accounts.default
    is_card = account.kind == "credit" or is_called_card(account.name)
    kinds = marks.kinds_in(columns, evidence.names, layout.transactions(), is_card=is_card)
    if kinds is None or (kinds.column == columns.mark and all(map(mark_of, kinds.words))):
        return layout, kinds
    plain = layout.reading(replace(columns, mark=None))
    orientation, _ = _orientation(plain, evidence, kept_rows)
    if orientation.convention.stepped:
        return plain, None
    if kinds.open_words:
        return layout, kinds
    return layout.reading(replace(columns, mark=kinds.column, mark_ways=kinds.ways)), kinds


def _orientation(
    layout: Layout, evidence: TableEvidence, kept_rows: KeptRows
) -> tuple[Orientation, Steps]:
    """What the rows tell, and, where only a balance does, what its steps show of them."""
    reading = (layout.columns, layout.money, layout.accounts)
    orientation = find_orientation(
        kept_rows, *reading, is_owed=evidence.calls_balance_owed, tells_sign=evidence.tells_sign
    )
    if isinstance(layout.table, AppTable):
        return replace(orientation, is_told=True), Steps()
    direction = orientation.convention.stepped
    if not direction:
        return orientation, Steps()
    return by_steps(orientation, kept_rows.transactions, *reading, layout.ways)
