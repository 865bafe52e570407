"""What each column of a table means: by the words of its header, checked against its contents."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from finplan.statements.statement import AmbiguousStatement, UnreadableStatement
from finplan.statements.table.amounts import (
    find_amounts,
    fullest_namesake,
    less_fee,
    other_side,
    refuse_cut_in_two,
    sides_in_doubt,
    tell_more,
    which_amounts,
)
from finplan.statements.table.contents import (
    ColumnContents,
    contents_of,
    date_columns,
    impact_column,
    is_of_purchases,
    kind_columns,
    mark_column,
    neutral_column,
    place_called,
    state_column,
)
from finplan.statements.table.header_words import ColumnMeaning
from finplan.statements.table.numbers import has_odd_groups, is_blank
from finplan.statements.table.row_words import ways_beside_blanks
from finplan.statements.table.table import is_number
from finplan.statements.table.texts import TextColumns, details_beside, find_texts
from finplan.statements.table.words import ColumnName
from finplan.statements.text.currencies import is_currency
from finplan.statements.text.descriptors import holds_text

_MOST_DESCRIPTIONS = 3
_SIDES: tuple[ColumnMeaning, ColumnMeaning] = ("debit", "credit")
_MONEY: frozenset[ColumnMeaning] = frozenset(["amount", "debit", "credit"])
_CODE = re.compile(r"[A-Z]{3,5}")
_LIKE_A_NUMBER = re.compile(r"\s*[^\d]{0,4}\d(?:[^\W_]?[\d.,'’\s])*[^\d]{0,4}\s*")


@dataclass(frozen=True, slots=True)
class Columns:
    """The place of each meaning in a row, None where the table has no such column.

    Money stands in `amount`, or in `debit` and `credit`, one of which may be missing. `texts` has the
    columns that describe a row. `is_named` says that the header names the money, so that nothing about
    its direction is guessed. `mark_ways` says which way each word in the column of marks goes, 1 in and
    -1 out, where others than marks stand there; `marks_are_said` that the person said so. `kinds` say
    what is booked, and may say that no money moves, as `impact` does by a row's effect on the balance,
    and `neutral` by marking rows as neither income nor expense.
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
    mark_ways: Mapping[str, int] | None = None
    marks_are_said: bool = False
    status: int | None = None
    currency: int | None = None
    account: int | None = None
    account_name: int | None = None
    texts: TextColumns = field(default_factory=TextColumns)
    type: int | None = None
    id: int | None = None
    kinds: tuple[int, ...] = ()
    impact: int | None = None
    neutral: int | None = None

    @property
    def descriptions(self) -> tuple[int, ...]:
        """The columns that name a row, first of all its other party."""
        return (*self.texts.parties[:1], *self.texts.descriptions)

    @property
    def money(self) -> tuple[int, ...]:
        """The columns that say how much; a row with all of them blank is no transaction."""
        places = (self.amount,) if self.amount is not None else (self.debit, self.credit)
        return tuple(index for index in places if index is not None)


@dataclass
class NoAmount(Exception):
    """A cell of the column that the header calls the amounts is no amount."""

    row: Sequence[str]
    column: str
    cell: str


def find_columns(
    names: Sequence[ColumnName],
    rows: Sequence[Sequence[str]],
    amount_column: str | None = None,
) -> Columns:
    """Find the meaning of each column from its name and from rows that have a date and a number.

    Names count only where the cells below agree with them; without any, or with those that do not fit
    their rows, cells alone decide. `amount_column` is the person's word where only that tells which one
    has the amounts: a name of the header or a place counted from 1. Raises UnreadableStatement when no
    column has dates or amounts, NoAmount where the header's own amounts cannot be read, and
    AmbiguousStatement where only the person knows which of several columns has them.
    """
    contents = contents_of(rows, names)
    chosen = None if amount_column is None else place_called(amount_column, contents)
    finder = _NamedColumns(contents, len(names))
    columns = finder.columns()
    if columns is None:
        finder.refuse_amounts_that_are_none(rows)
        finder.refuse_unknown_groups(rows)
        columns = finder.columns_by_contents(chosen)
    else:
        finder.refuse_unread_side(columns, rows)
    columns = _without_doubt(columns, contents, chosen)
    refuse_cut_in_two(contents, columns.money, name_count=len(names))
    return columns


def _without_doubt(
    columns: Columns, contents: Sequence[ColumnContents], chosen: int | None
) -> Columns:
    """Ask for the amounts where those found are blank in rows in which another number stands.

    A name that is the amounts' own is trusted, and what a name calls a balance or a fee is none of them.
    """
    amount = columns.amount
    if columns.is_named and not any(any(contents[index].has_money) for index in columns.money):
        return _with_money(columns, contents, chosen)
    if amount is None or contents[amount].name.is_exact("amount") or contents[amount].is_full:
        return columns
    others = [
        index
        for index, column in enumerate(contents)
        if index != amount
        and column.is_money
        and len(column.numbers) > len(contents[amount].numbers)
        and not {"balance", "fee"} & column.name.meanings.keys()
    ]
    if not others:
        return columns
    if chosen is None:
        places = sorted([amount, *others])
        raise AmbiguousStatement(which_amounts(places, contents, columns.descriptions))
    opposite = other_side(chosen, contents)
    if opposite is None:
        return replace(columns, amount=chosen)
    return replace(columns, amount=None, debit=min(chosen, opposite), credit=max(chosen, opposite))


def _with_money(
    columns: Columns, contents: Sequence[ColumnContents], chosen: int | None
) -> Columns:
    """Ask for the column that goes with a named one without any money, where an unnamed one has some."""
    others = [
        index
        for index, column in enumerate(contents)
        if index not in columns.money
        and column.is_money
        and any(column.has_money)
        and not (column.name.meanings or column.name.is_of_other_numbers)
    ]
    if columns.amount is not None or len(columns.money) != 1 or not others:
        return columns
    if chosen is None:
        raise AmbiguousStatement(which_amounts(others, contents, columns.descriptions))
    if columns.debit is None:
        return replace(columns, debit=chosen)
    return replace(columns, credit=chosen)


class _NamedColumns:
    """The columns that a header names, the best first."""

    def __init__(self, contents: Sequence[ColumnContents], name_count: int) -> None:
        self._contents = contents
        self._named = name_count
        self._ranked: dict[ColumnMeaning, list[int]] = {}
        meanings = [column.name.meanings for column in contents]
        for meaning in dict.fromkeys(meaning for ranks in meanings for meaning in ranks):
            places = [index for index, ranks in enumerate(meanings) if meaning in ranks]
            self._ranked[meaning] = sorted(places, key=lambda index: meanings[index][meaning])

    def columns(self) -> Columns | None:
        """Choose a column for each meaning; None when date or money is missing."""
        dates = self._all("date", lambda column: column.is_date)
        if not dates and self._names_money():
            dates = date_columns(self._contents)
        columns = self._money(dates[0]) if dates else None
        return self._with_others(columns, dates) if columns is not None else None

    def _names_money(self) -> bool:
        """Say whether the header names the amounts, or both of their sides, and not by a hint alone."""
        meanings = {
            meaning
            for meaning in _MONEY
            for index in self._ranked.get(meaning, [])
            if self._contents[index].name.is_exact(meaning)
        }
        return "amount" in meanings or meanings.issuperset(_SIDES)

    def columns_by_contents(self, chosen: int | None) -> Columns:
        """Let the cells say what no name does; `chosen` is the column of amounts by the person's word.

        Raises UnreadableStatement, and AmbiguousStatement where several columns may be the amounts.
        """
        contents = self._contents
        dates = date_columns(contents)
        if not dates:
            raise UnreadableStatement("No column of the table contains dates.")
        texts = _longest_texts(contents, {state_column(contents)})
        numbers = [index for index, column in enumerate(contents) if column.is_money]
        unnamed = [
            index for index in numbers if not _is_named_otherwise(contents[index].name)
        ] or numbers
        if not numbers or not texts:
            raise UnreadableStatement(
                "The table needs a column of amounts and a column that describes the transactions."
            )
        balance = self._best("balance", lambda column: column.is_money)
        balance = None if balance in unnamed else balance
        if len(unnamed) == 2:
            refuse_cut_in_two(contents, unnamed[:1], name_count=self._named)
        descriptions = tuple(sorted(texts[:_MOST_DESCRIPTIONS]))
        money = find_amounts(contents, unnamed, balance, descriptions, chosen)
        columns = Columns(dates[0], is_named=False, **money._asdict())
        names = (contents[index].name.meanings for index in columns.money)
        if any(name and _MONEY.isdisjoint(name) for name in names):
            # Money below the name of something else shows that the header does not fit its rows.
            nameless = [column.without_name() for column in contents]
            return _NamedColumns(nameless, 0).columns_by_contents(chosen)
        beside = details_beside(contents, {*descriptions, *numbers, *dates})
        return self._with_others(
            columns, dates, TextColumns(descriptions=descriptions, details=beside)
        )

    def _with_others(
        self, columns: Columns, dates: Sequence[int], texts: TextColumns | None = None
    ) -> Columns:
        """Add the columns of all but dates and money; `texts` are those of a table without names."""
        balance = self._best("balance", lambda column: column.is_money)
        columns = replace(
            columns,
            other_date=dates[1] if len(dates) > 1 else None,
            balance=columns.balance if columns.balance is not None else balance,
            fee=self._best("fee", lambda column: column.is_money),
            mark=mark_column(self._contents, self._ranked.get("mark", ()), columns.amount),
            status=state_column(self._contents),
            currency=self._currency(is_named=texts is None),
            account=self._account(),
            account_name=self._best("account name", lambda column: column.is_account),
            type=self._best("type", lambda column: column.is_text),
            id=self._best("id", lambda column: column.is_id),
        )
        columns = replace(columns, mark_ways=self._ways_beside_blanks(columns.mark))
        extended = self._with_texts(columns)
        is_unnamed = (
            texts is not None and not extended.texts.parties and not extended.texts.descriptions
        )
        columns = replace(columns, texts=texts) if is_unnamed and texts is not None else extended
        return replace(
            columns,
            kinds=kind_columns(self._contents),
            impact=impact_column(self._contents),
            neutral=neutral_column(self._contents, columns.mark),
        )

    def refuse_amounts_that_are_none(self, rows: Sequence[Sequence[str]]) -> None:
        """Refuse a table with cells that are no amount in the column which its header calls the amounts.

        A header counts for nothing where dates do not stand in its column of dates either, and neither
        does a name below which no amount stands at all. To be called where `columns` found none.
        """
        if not self._all("date", lambda column: column.is_date):
            return
        for index in self._all("amount", lambda column: any(map(is_number, column.cells))):
            for row in rows:
                if not (is_number(row[index]) or is_blank(row[index])):
                    raise NoAmount(row, self._contents[index].name.text, row[index].strip())

    def refuse_unread_side(self, columns: Columns, rows: Sequence[Sequence[str]]) -> None:
        """Refuse a table where one side of the money is found and the cells of the other are no amounts.

        Only cells that look like printed numbers count: digits, and a word of three letters at most.
        """
        missing: ColumnMeaning = "credit" if columns.credit is None else "debit"
        if columns.amount is not None or len(columns.money) != 1:
            return
        for index in self._all(missing, lambda column: bool(column.numbers)):
            if self._contents[index].name.is_exact(missing) and index not in columns.money:
                for row in rows:
                    if _LIKE_A_NUMBER.fullmatch(row[index]) and not is_number(row[index]):
                        raise NoAmount(row, self._contents[index].name.text, row[index].strip())

    def refuse_unknown_groups(self, rows: Sequence[Sequence[str]]) -> None:
        """Refuse numbers whose groups of thousands are parted by a sign that no amount has.

        Without names, a column of them would be passed over, and another one be taken for the amounts.
        """
        for row in rows:
            for index, cell in enumerate(row):
                if has_odd_groups(cell.strip()) and not is_number(cell):
                    raise NoAmount(
                        row, self._contents[index].name.text or str(index + 1), cell.strip()
                    )

    def _currency(self, *, is_named: bool) -> int | None:
        """Choose the column of currencies, by what stands in it where the header names no money."""
        best = self._best("currency", lambda column: column.mostly(_is_currency_or_code))
        best = None if is_of_purchases(self._contents, best) else best
        if best is not None or is_named:
            return best
        candidates = (p for p, column in enumerate(self._contents) if column.mostly(is_currency))
        return next(candidates, None)

    def _account(self) -> int | None:
        """Trust "Account" itself; an account number or an IBAN can be the other side's."""
        for index in self._all("account", lambda column: column.is_account):
            column = self._contents[index]
            if column.name.meanings["account"] == 0 or column.repeats:
                return index
        return None

    def _ways_beside_blanks(self, mark: int | None) -> Mapping[str, int] | None:
        return None if mark is None else ways_beside_blanks(self._contents[mark].by_row)

    def _money(self, date: int) -> Columns | None:
        amounts = self._all("amount", lambda column: column.is_money)
        amount = fullest_namesake(amounts, self._contents)
        if amount is not None:
            fees = self._all("fee", lambda column: column.is_money)
            amount = less_fee(amount, amounts, fees, self._contents)
        debit, credit = (
            self._best(meaning, lambda column: column.is_money or not column.numbers)
            for meaning in _SIDES
        )
        if amount is not None and debit is not None and credit is not None:
            places = debit, credit, amount
            amount = None if tell_more(*map(self._contents.__getitem__, places)) else amount
        if debit is None and credit is not None:
            debit = other_side(credit, self._contents)
        if credit is None and debit is not None:
            credit = other_side(debit, self._contents)
        if amount is None:
            sides = [self._all(meaning, lambda column: column.is_money) for meaning in _SIDES]
            if pair := sides_in_doubt((debit, credit), sides, self._contents):
                return Columns(date, is_named=False, debit=pair[0], credit=pair[1])
        split = [self._contents[index] for index in (debit, credit) if index is not None]
        if amount is not None and (self._contents[amount].has_all_numbers or not split):
            return Columns(date, amount=amount)
        if not any(column.numbers for column in split) or debit == credit:
            return None
        return Columns(date, debit=debit, credit=credit)

    def _with_texts(self, columns: Columns) -> Columns:
        """Add the columns that describe a row: who the other party is, and what for."""
        used = {*columns.money, columns.date, columns.other_date, columns.balance, columns.fee}
        used |= {columns.mark, columns.status, columns.currency, columns.id}
        used |= {columns.account, columns.account_name}
        texts = find_texts(self._contents, used, self._ranked, columns.type)
        if not any(self._contents[index].filled for index in texts.places):
            texts = TextColumns(
                descriptions=_longest_texts(self._contents, used)[:_MOST_DESCRIPTIONS]
            )
        return replace(columns, texts=texts)

    def _all(self, meaning: ColumnMeaning, fits: Callable[[ColumnContents], bool]) -> list[int]:
        return [index for index in self._ranked.get(meaning, []) if fits(self._contents[index])]

    def _best(self, meaning: ColumnMeaning, fits: Callable[[ColumnContents], bool]) -> int | None:
        return next(iter(self._all(meaning, fits)), None)


def _is_named_otherwise(name: ColumnName) -> bool:
    """Say whether the header gives a column a name that no column of amounts has."""
    return name.is_of_other_numbers or (
        any(map(name.is_exact, name.meanings)) and _MONEY.isdisjoint(name.meanings)
    )


def _is_currency_or_code(cell: str) -> bool:
    """Accept codes that no country has, too, below a header that calls them currencies."""
    return is_currency(cell) or _CODE.fullmatch(cell) is not None


def _longest_texts(contents: Sequence[ColumnContents], used: set[int | None]) -> tuple[int, ...]:
    texts = [
        index
        for index, column in enumerate(contents)
        if column.is_text and index not in used and not column.mostly(is_currency)
    ]
    # A column of numbers, marks or codes alone describes a row only where no other one does.
    texts = [index for index in texts if any(map(holds_text, contents[index].cells))] or texts
    return tuple(sorted(texts, key=lambda index: -sum(map(len, contents[index].cells))))
