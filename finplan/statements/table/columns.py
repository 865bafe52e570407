"""What each column of a table means: by the words of its header, checked against its contents."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations

from finplan.statements.statement import UnreadableStatement
from finplan.statements.table.numbers import AmountConverter, NumberEvidence
from finplan.statements.table.signs import MARKS, explains
from finplan.statements.table.table import is_date, is_number
from finplan.statements.table.words import ColumnMeaning, meanings_of
from finplan.statements.text.currencies import is_currency
from finplan.statements.text.shapes import shapes_of

_MOSTLY = 0.8
_LONGEST_LIST = 20
_MOST_DESCRIPTIONS = 3
_MOST_NUMBERS = 5
_ID = re.compile(r"(?=.*\d)\S{5,100}")


@dataclass(frozen=True, slots=True)
class Columns:
    """The place of each meaning in a row, None where the table has no such column.

    Money stands in `amount`, or in `debit` and `credit`, one of which may be missing. `descriptions`
    together make a row's descriptor, in that order; the payee may be one of them. `is_named` says
    that the header names the money, so that nothing about its direction is guessed.
    """

    date: int
    is_named: bool = True
    other_date: int | None = None
    amount: int | None = None
    debit: int | None = None
    credit: int | None = None
    balance: int | None = None
    fee: int | None = None
    mark: int | None = None
    status: int | None = None
    currency: int | None = None
    account: int | None = None
    account_name: int | None = None
    descriptions: tuple[int, ...] = ()
    payee: int | None = None
    type: int | None = None
    id: int | None = None

    @property
    def money(self) -> tuple[int, ...]:
        """The columns that say how much; a row with all of them blank is no transaction."""
        places = (self.amount,) if self.amount is not None else (self.debit, self.credit)
        return tuple(place for place in places if place is not None)


class _Contents:
    """One column of the rows that have a date and a number."""

    def __init__(self, cells: Sequence[str]) -> None:
        self.rows = len(cells)
        self.cells = [cell.strip() for cell in cells if cell.strip()]
        self.filled = len(self.cells)

    def mostly(self, test: Callable[[str], bool]) -> bool:
        """Say whether most cells that are not blank pass a test, and there are any."""
        return self.filled > 0 and sum(map(test, self.cells)) >= _MOSTLY * self.filled

    @property
    def is_full(self) -> bool:
        return self.filled >= 0.95 * self.rows

    @cached_property
    def is_date(self) -> bool:
        return self.mostly(is_date)

    @cached_property
    def is_money(self) -> bool:
        return self.mostly(is_number) and not self.is_date

    @cached_property
    def is_text(self) -> bool:
        return self.filled > 0 and not self.mostly(lambda cell: is_number(cell) or is_date(cell))

    @property
    def is_mark(self) -> bool:
        """Say whether every cell says which way money goes."""
        return self.is_full and {cell.lower() for cell in self.cells} <= MARKS.keys()

    @property
    def has_both_marks(self) -> bool:
        """Say whether some cells say that money goes out and others that it comes in, in words."""
        words = {cell.lower() for cell in self.cells if len(cell) > 1}
        return {MARKS.get(word, 0) for word in words} >= {1, -1}

    @property
    def prints_minus(self) -> bool:
        return any(sign in cell for cell in self.cells for sign in "-−–(")

    @property
    def are_whole(self) -> bool:
        return self.filled > 0 and all(cell.lstrip("+-").isdigit() for cell in self.cells)

    @property
    def are_cents(self) -> bool:
        return self.filled > 0 and all(len(cell) == 2 and cell.isdigit() for cell in self.cells)

    @property
    def is_list(self) -> bool:
        """Say whether the same few texts are all that it holds, as with states and accounts."""
        return len(set(self.cells)) <= _LONGEST_LIST

    @property
    def is_account(self) -> bool:
        """Own accounts are few and never missing; those of other people are neither."""
        return self.is_full and self.is_list

    @property
    def repeats(self) -> bool:
        """Say whether the same few texts come back all the time."""
        return len(set(self.cells)) <= max(1, self.rows // 2)

    @property
    def is_id(self) -> bool:
        """Ids differ in every row, are not just counted up, and are no words."""
        is_unique = len(set(self.cells)) == self.rows
        return is_unique and all(map(_ID.fullmatch, self.cells))


def find_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns:
    """Find the meaning of each column from its header and from rows that have a date and a number.

    A header counts only where the cells below agree with it; without one, or with one that does not
    fit its rows, cells alone decide. Raises UnreadableStatement when no column has dates or amounts.
    """
    contents = [_Contents(cells) for cells in zip(*rows, strict=True)]
    columns = _Names(header, contents).columns() or _columns_by_contents(contents)
    for place in columns.money:
        beside = contents[place + 1 : place + 2]
        is_named = len(contents) == len(header) and header[place + 1 : place + 2] not in ((), ("",))
        if beside and not is_named and contents[place].are_whole and beside[0].are_cents:
            raise UnreadableStatement(
                "Amounts seem to be cut in two by a decimal comma, since commas part the columns too; "
                "export the table with semicolons."
            )
    return columns


class _Names:
    """The columns that a header names, the best first."""

    def __init__(self, header: Sequence[str], contents: Sequence[_Contents]) -> None:
        self._header = header
        self._contents = contents
        self._ranked: dict[ColumnMeaning, list[int]] = {}
        meanings = list(map(meanings_of, header))
        for meaning in dict.fromkeys(meaning for found in meanings for meaning in found):
            places = [place for place, found in enumerate(meanings) if meaning in found]
            self._ranked[meaning] = sorted(places, key=lambda place: meanings[place][meaning])

    def columns(self) -> Columns | None:
        """Choose a column for each meaning; None when date or money is missing."""
        dates = self._all("date", lambda column: column.is_date)
        columns = self._money(dates[0]) if dates else None
        if columns is None:
            return None
        columns = replace(
            columns,
            other_date=dates[1] if len(dates) > 1 else None,
            balance=self._best("balance", lambda column: column.is_money),
            fee=self._best("fee", lambda column: column.is_money),
            mark=self._mark(columns.amount),
            status=self._best("status", lambda column: column.is_text and column.is_list),
            currency=self._best("currency", lambda column: column.mostly(is_currency)),
            account=self._account(),
            account_name=self._best("account name", lambda column: column.is_account),
            type=self._best("type", lambda column: column.is_text),
            id=self._best("id", lambda column: column.is_id),
        )
        return self._with_texts(columns)

    def _account(self) -> int | None:
        """Trust "Account" itself; an account number or an IBAN can be the other side's."""
        for place in self._all("account", lambda column: column.is_account):
            if meanings_of(self._header[place])["account"] == 0 or self._contents[place].repeats:
                return place
        return None

    def _mark(self, amount: int | None) -> int | None:
        """Choose marks for a column of amounts; where none has a minus, some marks are enough."""
        if amount is None:
            return None
        is_unsigned = not self._contents[amount].prints_minus
        marks = self._all("mark", lambda column: column.is_mark)
        if is_unsigned:
            marks += self._all("mark", lambda column: column.has_both_marks)
        return next(iter(marks), None)

    def _money(self, date: int) -> Columns | None:
        amount = self._best("amount", lambda column: column.is_money)
        debit, credit = (
            self._best(meaning, lambda column: column.is_money or not column.filled)
            for meaning in ("debit", "credit")
        )
        split = [self._contents[place] for place in (debit, credit) if place is not None]
        if amount is not None and (self._contents[amount].is_full or not split):
            return Columns(date, amount=amount)
        if any(column.filled for column in split) and debit != credit:
            return Columns(date, debit=debit, credit=credit)
        return None

    def _with_texts(self, columns: Columns) -> Columns:
        """Add the columns that describe a row: the bank's own text and, apart from it, the payee."""
        used = {columns.mark, columns.account, columns.account_name}
        originals = self._all("original", lambda _: True)
        described = self._all("description", lambda _: True)
        noted = self._all("note", lambda column: column.filled > 0)
        payees = self._all("payee", lambda column: column.is_text or not column.filled)
        texts = [place for place in originals or described or noted if place not in used]
        if originals:
            payees = described + payees
        else:
            texts = payees[:1] + texts
        if not any(self._contents[place].filled for place in texts):
            money = {columns.balance, columns.fee, columns.status, columns.currency, columns.id}
            texts = _longest_texts(self._contents, used | money)
        return replace(
            columns,
            descriptions=tuple(dict.fromkeys(texts[:_MOST_DESCRIPTIONS])),
            payee=payees[0] if payees and texts != payees[:1] else None,
        )

    def _all(self, meaning: ColumnMeaning, fits: Callable[[_Contents], bool]) -> list[int]:
        return [place for place in self._ranked.get(meaning, []) if fits(self._contents[place])]

    def _best(self, meaning: ColumnMeaning, fits: Callable[[_Contents], bool]) -> int | None:
        return next(iter(self._all(meaning, fits)), None)


def _columns_by_contents(contents: Sequence[_Contents]) -> Columns:
    dates = [place for place, column in enumerate(contents) if column.is_date]
    if not dates:
        raise UnreadableStatement("The table has no column of dates.")
    numbers = [place for place, column in enumerate(contents) if column.is_money]
    printed = [p for p in numbers if not all(map(str.isdigit, contents[p].cells))]
    money = printed or [place for place in numbers if not contents[place].is_id]
    texts = _longest_texts(contents, set())
    if not money or not texts:
        raise UnreadableStatement(
            "The table has no column of amounts, or none that describes them."
        )
    columns = Columns(
        dates[0],
        is_named=False,
        other_date=dates[1] if len(dates) > 1 else None,
        currency=next((p for p, column in enumerate(contents) if column.mostly(is_currency)), None),
        descriptions=tuple(sorted(texts[:_MOST_DESCRIPTIONS])),
    )
    full = [place for place in money if contents[place].is_full]
    for amount, balance in permutations(full[:_MOST_NUMBERS], 2):
        if _is_running_balance(contents[amount].cells, contents[balance].cells):
            return replace(columns, amount=amount, balance=balance)
    if len(money) > 1 and _take_turns(contents[money[0]], contents[money[1]]):
        debit, credit = sorted(money[:2], key=lambda place: not contents[place].prints_minus)
        return replace(columns, debit=debit, credit=credit, balance=next(iter(full), None))
    return replace(columns, amount=money[0])


def _is_running_balance(amounts: Sequence[str], balances: Sequence[str]) -> bool:
    evidence = NumberEvidence()
    printed = [(cells, shapes_of(cells)) for cells in (amounts, balances)]
    for place, (cells, shapes) in enumerate(printed):
        evidence.add(place, cells, shapes)
    converter = AmountConverter(evidence.conclude("USD", "."), "USD")
    if len(amounts) != len(balances) or not all(converter.knows(shapes) for _, shapes in printed):
        return False
    return explains(*(converter.convert(cells, shapes) for cells, shapes in printed))


def _longest_texts(contents: Sequence[_Contents], used: set[int | None]) -> list[int]:
    texts = [
        place
        for place, column in enumerate(contents)
        if column.is_text and place not in used and not column.mostly(is_currency)
    ]
    return sorted(texts, key=lambda place: -sum(map(len, contents[place].cells)))


def _take_turns(one: _Contents, other: _Contents) -> bool:
    """Say whether every row fills one of two columns and not the other, as debits and credits do."""
    return 0 < one.filled < one.rows and one.filled + other.filled == one.rows
