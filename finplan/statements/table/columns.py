"""What each column of a table means: by the words of its header, checked against its contents."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from operator import add, itemgetter, sub

from finplan.statements.statement import (
    AmbiguousStatement,
    Choice,
    Question,
    UnreadableStatement,
)
from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.numbers import AmountConverter, NumberEvidence
from finplan.statements.table.row_facts import date_columns, state_column
from finplan.statements.table.signs import explained_steps
from finplan.statements.table.table import is_number
from finplan.statements.table.texts import TextColumns, details_beside, find_texts
from finplan.statements.table.turns import other_side, take_turns
from finplan.statements.table.words import ColumnMeaning, is_exact, meanings_of
from finplan.statements.text.currencies import is_currency
from finplan.statements.text.descriptors import quoted, shortened
from finplan.statements.text.parties import holds_text
from finplan.statements.text.shapes import shapes_of

_MOST_DESCRIPTIONS = 3
_MOST_NUMBERS = 5
_ROWS_THAT_TELL = 3
_CODE = re.compile(r"[A-Z]{3,5}")


@dataclass(frozen=True, slots=True)
class Columns:
    """The place of each meaning in a row, None where the table has no such column.

    Money stands in `amount`, or in `debit` and `credit`, one of which may be missing. `texts` has the
    columns that describe a row. `is_named` says that the header names the money, so that nothing about
    its direction is guessed. `outward_mark` is what stands in the column of marks, in small letters,
    where money goes out, if the person said it.
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
    outward_mark: str | None = None
    status: int | None = None
    currency: int | None = None
    account: int | None = None
    account_name: int | None = None
    texts: TextColumns = field(default_factory=TextColumns)
    type: int | None = None
    id: int | None = None

    @property
    def descriptions(self) -> tuple[int, ...]:
        """The columns that name a row, first of all its other party."""
        return (*self.texts.parties[:1], *self.texts.descriptions)

    @property
    def money(self) -> tuple[int, ...]:
        """The columns that say how much; a row with all of them blank is no transaction."""
        places = (self.amount,) if self.amount is not None else (self.debit, self.credit)
        return tuple(place for place in places if place is not None)


@dataclass
class NoAmount(Exception):
    """A cell of the column that the header calls the amounts is no amount."""

    row: Sequence[str]
    column: str
    cell: str


def find_columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], amount_column: str | None = None
) -> Columns:
    """Find the meaning of each column from its header and from rows that have a date and a number.

    A header counts only where the cells below agree with it; without one, or with one that does not
    fit its rows, cells alone decide. `amount_column` is the person's word where only that tells which
    one has the amounts: a name of the header or a place counted from 1. Raises UnreadableStatement when
    no column has dates or amounts, NoAmount where the header's own amounts cannot be read, and
    AmbiguousStatement where only the person knows which of several columns has them.
    """
    contents = [ColumnContents(cells) for cells in zip(*rows, strict=True)]
    said = None if amount_column is None else _place_called(amount_column, header, contents)
    names = _Names(header, contents)
    columns = names.columns()
    if columns is None:
        names.refuse_amounts_that_are_none(rows)
        columns = _columns_by_contents(contents, header, said)
    if said is None:
        _refuse_to_lose_rows(columns, header, contents)
    elif columns.amount is not None:
        other = other_side(said, header, contents)
        columns = (
            replace(columns, amount=said)
            if other is None
            else replace(columns, amount=None, debit=min(said, other), credit=max(said, other))
        )
    for place in columns.money:
        beside = contents[place + 1 : place + 2]
        is_named = len(contents) == len(header) and header[place + 1 : place + 2] not in ((), ("",))
        if beside and not is_named and contents[place].are_whole and beside[0].are_cents:
            raise UnreadableStatement(
                "Amounts seem to be cut in two by a decimal comma, since commas part the columns too; "
                "export the table with semicolons."
            )
    return columns


def _refuse_to_lose_rows(
    columns: Columns, header: Sequence[str], contents: Sequence[ColumnContents]
) -> None:
    """Ask for the amounts where those found are blank in rows in which another number stands.

    A name that is the amounts' own is trusted, and what a name calls a balance or a fee is none of them.
    """
    amount = columns.amount
    is_named = amount is not None and is_exact("".join(header[amount : amount + 1]), "amount")
    if amount is None or is_named or contents[amount].is_full:
        return
    others = [
        place
        for place, column in enumerate(contents)
        if place != amount
        and column.is_money
        and len(column.numbers) > len(contents[amount].numbers)
        and not (place < len(header) and {"balance", "fee"} & meanings_of(header[place]).keys())
    ]
    if others:
        places = sorted([amount, *others])
        raise AmbiguousStatement(_which_amounts(places, header, contents, columns.descriptions))


class _Names:
    """The columns that a header names, the best first."""

    def __init__(self, header: Sequence[str], contents: Sequence[ColumnContents]) -> None:
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
            status=state_column(self._header, self._contents),
            currency=self._best("currency", lambda column: column.mostly(_is_currency_or_code)),
            account=self._account(),
            account_name=self._best("account name", lambda column: column.is_account),
            type=self._best("type", lambda column: column.is_text),
            id=self._best("id", lambda column: column.is_id),
        )
        return self._with_texts(columns)

    def refuse_amounts_that_are_none(self, rows: Sequence[Sequence[str]]) -> None:
        """Refuse a table with cells that are no amount in the column which its header calls the amounts.

        A header counts for nothing where dates do not stand in its column of dates either, and neither
        does a name below which no amount stands at all. To be called where `columns` found none.
        """
        if not self._all("date", lambda column: column.is_date):
            return
        for place in self._all("amount", lambda column: any(map(is_number, column.cells))):
            for row in rows:
                if row[place].strip() and not is_number(row[place]):
                    raise NoAmount(row, self._header[place], row[place].strip())

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
            marks += [
                place for place, column in enumerate(self._contents) if column.divides_by_marks
            ]
        return next(iter(marks), None)

    def _money(self, date: int) -> Columns | None:
        amount = self._best("amount", lambda column: column.is_money)
        debit, credit = (
            self._best(meaning, lambda column: column.is_money or not column.numbers)
            for meaning in ("debit", "credit")
        )
        if amount is None and debit is None and credit is not None:
            debit = other_side(credit, self._header, self._contents)
        if amount is None and credit is None and debit is not None:
            credit = other_side(debit, self._header, self._contents)
        split = [self._contents[place] for place in (debit, credit) if place is not None]
        if amount is not None and (self._contents[amount].is_full or not split):
            return Columns(date, amount=amount)
        if any(column.numbers for column in split) and debit != credit:
            return Columns(date, debit=debit, credit=credit)
        return None

    def _with_texts(self, columns: Columns) -> Columns:
        """Add the columns that describe a row: who the other party is, and what for."""
        used = {*columns.money, columns.date, columns.other_date, columns.balance, columns.fee}
        used |= {columns.mark, columns.status, columns.currency, columns.id}
        used |= {columns.account, columns.account_name}
        cells = [column.by_row for column in self._contents]
        texts = find_texts(self._header, cells, used, self._ranked, columns.type)
        if not any(self._contents[place].filled for place in texts.places):
            texts = TextColumns(
                descriptions=_longest_texts(self._contents, used)[:_MOST_DESCRIPTIONS]
            )
        return replace(columns, texts=texts)

    def _all(self, meaning: ColumnMeaning, fits: Callable[[ColumnContents], bool]) -> list[int]:
        return [place for place in self._ranked.get(meaning, []) if fits(self._contents[place])]

    def _best(self, meaning: ColumnMeaning, fits: Callable[[ColumnContents], bool]) -> int | None:
        return next(iter(self._all(meaning, fits)), None)


def _place_called(
    name: str, header: Sequence[str], contents: Sequence[ColumnContents]
) -> int | None:
    """The column of amounts that a person names; None where no column of numbers is called so."""
    names = [each.strip().casefold() for each in header]
    place = names.index(name.strip().casefold()) if name.strip().casefold() in names else -1
    if place < 0 and name.strip().isdecimal():
        place = int(name) - 1
    return place if 0 <= place < len(contents) and contents[place].is_money else None


def _columns_by_contents(
    contents: Sequence[ColumnContents], header: Sequence[str], said: int | None
) -> Columns:
    dates = date_columns(header, contents)
    if not dates:
        raise UnreadableStatement("The table has no column of dates.")
    numbers = [place for place, column in enumerate(contents) if column.is_money]
    printed = [p for p in numbers if not all(map(str.isdigit, contents[p].cells))]
    money = printed or [place for place in numbers if not contents[place].is_id]
    texts = _longest_texts(contents, {state_column(header, contents)})
    if not money or not texts:
        raise UnreadableStatement(
            "The table has no column of amounts, or none that describes them."
        )
    columns = Columns(
        dates[0],
        is_named=False,
        other_date=dates[1] if len(dates) > 1 else None,
        status=state_column(header, contents),
        currency=next((p for p, column in enumerate(contents) if column.mostly(is_currency)), None),
        texts=TextColumns(
            descriptions=tuple(sorted(texts[:_MOST_DESCRIPTIONS])),
            details=details_beside(
                [column.by_row for column in contents],
                {*texts[:_MOST_DESCRIPTIONS], *numbers, *dates},
            ),
        ),
    )
    found = _money_by_contents(columns, contents, money if said is None else [said])
    if found.balance is None and found.amount is not None and said is None:
        likely = [each for each in money if contents[each].is_full and contents[each].varies]
        signed = [each for each in likely if contents[each].prints_minus]
        if len(signed) == 1 < len(likely) and contents[0].rows >= _ROWS_THAT_TELL:
            # A balance is seldom below zero, and amounts are now and then: one signed column is theirs.
            return _money_by_contents(columns, contents, signed)
        if len(likely) > 1:
            raise AmbiguousStatement(_which_amounts(likely, header, contents, columns.descriptions))
    return found


def _which_amounts(
    places: Sequence[int],
    header: Sequence[str],
    contents: Sequence[ColumnContents],
    descriptions: Sequence[int],
) -> Question:
    """The question which of several columns of numbers has the amounts."""
    choices = []
    for place in places:
        name = header[place].strip() if place < len(header) else ""
        row = next(row for row, filled in enumerate(contents[place].by_row) if filled)
        texts = (contents[each].by_row[row] for each in descriptions)
        label = quoted(name) if name else f"column {place + 1}"
        sample = " ".join(filter(None, (contents[place].by_row[row], *texts)))
        choices.append(Choice(name or str(place + 1), label, shortened(sample)))
    return Question(
        "amount_column",
        f"{len(places)} columns hold numbers, and nothing says which of them are the amounts.",
        tuple(choices),
    )


def _money_by_contents(
    columns: Columns, contents: Sequence[ColumnContents], money: Sequence[int]
) -> Columns:
    """Find the amounts among columns of numbers: those that most steps of a balance follow from.

    Without a balance that moves, two columns that are filled in turns are amounts, else the first one.
    """
    proven = [found for found in _with_balance(columns, contents, money) if found[0]]
    if proven:
        return max(proven, key=itemgetter(0))[1]
    turns = _in_turns(contents, money)
    if turns:
        debit, credit = sorted(turns[0], key=lambda place: not contents[place].prints_minus)
        full = (place for place in money if contents[place].is_full and place not in turns[0])
        return replace(columns, debit=debit, credit=credit, balance=next(full, None))
    amount = money[0]
    marks = (place for place, column in enumerate(contents) if column.divides_by_marks)
    mark = None if contents[amount].prints_minus else next(marks, None)
    return replace(columns, amount=amount, mark=mark)


def _with_balance(
    columns: Columns, contents: Sequence[ColumnContents], money: Sequence[int]
) -> Iterator[tuple[int, Columns]]:
    """Each choice of amounts and a balance, with how many steps it explains."""
    numbers = {place: _minor_units(contents[place]) for place in money[:_MOST_NUMBERS]}
    full = [place for place in numbers if contents[place].is_full]
    for before, amount, after in permutations(full, 3):
        if _is_balance_by_row(numbers[before], numbers[amount], numbers[after]):
            yield contents[amount].rows, replace(columns, amount=amount, balance=after)
    for pair in _in_turns(contents, list(numbers)):
        for debit, credit in (pair, pair[::-1]):
            moved = list(map(sub, map(abs, numbers[credit]), map(abs, numbers[debit])))
            for balance in (place for place in full if place not in pair):
                found = replace(columns, debit=debit, credit=credit, balance=balance)
                yield explained_steps(moved, numbers[balance]), found
    for amount, balance in permutations(full, 2):
        found = replace(columns, amount=amount, balance=balance)
        yield explained_steps(numbers[amount], numbers[balance]), found


def _in_turns(contents: Sequence[ColumnContents], money: Sequence[int]) -> list[tuple[int, int]]:
    pairs = combinations(money, 2)
    return [(one, other) for one, other in pairs if take_turns(contents[one], contents[other])]


def _minor_units(column: ColumnContents) -> list[int]:
    """A column's numbers in cents, a blank cell as 0; nothing where some cell is no number."""
    evidence, shapes = NumberEvidence(), shapes_of(column.by_row)
    evidence.add(0, column.by_row, shapes)
    converter = AmountConverter(evidence.conclude("USD", "."), "USD")
    return converter.convert(column.by_row, shapes) if converter.knows(shapes) else []


def _is_balance_by_row(before: list[int], amounts: list[int], after: list[int]) -> bool:
    """Say whether each row prints the balance before it, its amount, and the balance after it."""
    return (
        len(before) == len(amounts) == len(after) > 1
        and any(amounts)
        and list(map(add, before, amounts)) == after
    )


def _is_currency_or_code(cell: str) -> bool:
    """Accept codes that no country has, too, below a header that calls them currencies."""
    return is_currency(cell) or _CODE.fullmatch(cell) is not None


def _longest_texts(contents: Sequence[ColumnContents], used: set[int | None]) -> tuple[int, ...]:
    texts = [
        place
        for place, column in enumerate(contents)
        if column.is_text and place not in used and not column.mostly(is_currency)
    ]
    # A column of numbers, marks or codes alone describes a row only where no other one does.
    texts = [place for place in texts if any(map(holds_text, contents[place].cells))] or texts
    return tuple(sorted(texts, key=lambda place: -sum(map(len, contents[place].cells))))
