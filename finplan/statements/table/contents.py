"""What stands in the columns of a table, whatever its header says, and which of them tell of a row.

That are the columns of its day and state, by their names, and by what stands in them where none tells;
the one whose marks say which way its amount goes; those by which a row has an amount and moves no
money, as a hold, a release, an authorisation, a memo or a neutral one; and whether a column of
currencies is of the amounts beside it, or of what was paid abroad. A person calls a column by its name
or its number.
"""

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import chain, pairwise, repeat
from typing import Literal

from finplan.statements.table.dates import ORDERS, read_days
from finplan.statements.table.header_words import ColumnMeaning
from finplan.statements.table.numbers import BLANK_SHAPES
from finplan.statements.table.row_words import (
    is_neutral,
    known_state,
    mark_of,
    marks_neutral,
    ways_beside_blanks,
)
from finplan.statements.table.table import is_date, is_number
from finplan.statements.table.words import ColumnName, column_name, words_of
from finplan.statements.text.currencies import is_currency

_SIDES: Sequence[ColumnMeaning] = ("debit", "credit")
_MOSTLY = 0.8
_NEARLY_ALL = 0.95
_ROWS_OF_FILLER = 4
_ROWS_OF_SERIAL = 3
_SHORTEST_SERIAL = 5
_LONGER_THAN_AMOUNTS = 9
_LONGEST_LIST = 20
_BOTH_MEANT = frozenset("io")
_LIKE_AN_ID = re.compile(r"(?=.*\d)\S{5,100}")


class ColumnContents:
    """One column of the rows that have a date and a number, with its name."""

    def __init__(self, cells: Sequence[str], name: ColumnName) -> None:
        self.name = name
        self.rows = len(cells)
        self.by_row = [cell.strip() for cell in cells]
        self.cells = [cell for cell in self.by_row if cell]
        self.filled = len(self.cells)

    def without_name(self) -> "ColumnContents":
        """The same column below no name."""
        return ColumnContents(self.by_row, column_name(""))

    def mostly(self, test: Callable[[str], bool]) -> bool:
        """Say whether most cells that are not blank pass a test, and there are any."""
        return self.filled > 0 and sum(map(test, self.cells)) >= _MOSTLY * self.filled

    @property
    def is_full(self) -> bool:
        """Say whether nearly no cell is blank; in a column of money, a dash is blank, too."""
        filled = len(self.numbers) if self.is_money else self.filled
        return filled >= _NEARLY_ALL * self.rows

    @cached_property
    def numbers(self) -> list[str]:
        """The cells without the dashes and words that stand for no money."""
        return [cell for cell in self.cells if cell not in BLANK_SHAPES]

    @property
    def has_all_numbers(self) -> bool:
        """Say whether it is a column of numbers, and nearly no row lacks one."""
        return self.is_money and self.is_full

    @cached_property
    def is_date(self) -> bool:
        """Say whether most cells are dates; an amount of eight digits below its name is none."""
        if any(map(self.name.is_exact, _SIDES)) and all(map(is_number, self.numbers)):
            return False
        return self.mostly(is_date)

    @cached_property
    def is_money(self) -> bool:
        """Say whether most cells are numbers and no dates, or dashes beside some numbers."""
        count = sum(map(is_number, self.numbers))
        return count > 0 and count >= _MOSTLY * len(self.numbers) and not self.is_date

    @cached_property
    def is_text(self) -> bool:
        """Say whether most cells are neither numbers nor dates."""
        return (
            not self.is_money
            and self.filled > 0
            and not self.mostly(lambda cell: is_number(cell) or is_date(cell))
        )

    @property
    def is_mark(self) -> bool:
        """Say whether every cell says which way money goes."""
        values = {cell.lower() for cell in self.cells}
        # “I” and “O” are short for many words; both together are in and out.
        return self.is_full and len(values & _BOTH_MEANT) != 1 and all(map(mark_of, values))

    @property
    def is_mark_or_neutral(self) -> bool:
        """Say whether some cell says which way money goes, and all others that it goes neither way."""
        values = set(self.by_row)
        return any(map(mark_of, values)) and all(
            mark_of(cell) or is_neutral(cell) for cell in values
        )

    @cached_property
    def has_money(self) -> list[bool]:
        """Say of each row whether its cell is other than blank and zero."""
        return [any(digit in "123456789" for digit in cell) for cell in self.by_row]

    @property
    def divides_by_marks(self) -> bool:
        """Say whether it is a column of marks, of which some say in and some say out."""
        return self.is_mark and set(map(mark_of, set(self.cells))) == {1, -1}

    @property
    def has_both_marks(self) -> bool:
        """Say whether some cells say that money goes out and others that it comes in, in words."""
        return {mark_of(cell) for cell in set(self.cells) if len(cell) > 1} >= {1, -1}

    @property
    def prints_minus(self) -> bool:
        """Say whether some cell has a minus or stands in parentheses."""
        return any(map(_has_minus, self.cells))

    @property
    def is_negative(self) -> bool:
        """Say whether every cell with money has a minus or stands in parentheses."""
        paired = zip(self.by_row, self.has_money, strict=True)
        return all(_has_minus(cell) for cell, has_money in paired if has_money)

    @property
    def are_whole(self) -> bool:
        """Say whether all cells are numbers without decimals."""
        return self.filled > 0 and all(cell.lstrip("+-").isdigit() for cell in self.cells)

    @property
    def are_cents(self) -> bool:
        """Say whether all cells are two digits."""
        return self.filled > 0 and all(len(cell) == 2 and cell.isdigit() for cell in self.cells)

    @property
    def is_filler(self) -> bool:
        """Say whether it has no money in any row, or the same number in each of some rows.

        One with a minus is money: the same fee may be all that there is.
        """
        is_constant = self.rows >= _ROWS_OF_FILLER and len(set(self.by_row)) == 1
        return (is_constant and not self.prints_minus) or not any(self.has_money)

    @property
    def is_serial(self) -> bool:
        """Say whether it numbers rows or accounts: whole numbers of so many digits that no amount has.

        Numbers of fewer digits do, too, where they are equally long and different in each of some rows.
        """
        if not all(map(str.isdigit, self.by_row)):
            return False
        lengths = set(map(len, self.by_row))
        is_counted = self.rows >= _ROWS_OF_SERIAL and len(set(self.by_row)) == self.rows
        is_long = is_counted and len(lengths) == 1 and min(lengths) >= _SHORTEST_SERIAL
        return is_long or min(lengths) >= _LONGER_THAN_AMOUNTS

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
        return is_unique and all(map(_LIKE_AN_ID.fullmatch, self.cells))


def _has_minus(cell: str) -> bool:
    return any(sign in cell for sign in "-−–(▲△")


def place_called(called: str, contents: Sequence[ColumnContents]) -> int | None:
    """The column of amounts that a person names; None where no column of numbers is called so."""
    index = column_called(called, [column.name for column in contents])
    return index if 0 <= index < len(contents) and contents[index].is_money else None


def column_called(called: str, names: Sequence[ColumnName]) -> int:
    """The place that a person means by a name of the header or a number from 1; -1 for neither."""
    labels = [name.text.strip().casefold() for name in names]
    label = called.strip().casefold()
    if label in labels:
        return labels.index(label)
    return int(label) - 1 if label.isdecimal() else -1


_RANK_OF_UNNAMED = 10_000


def date_columns(contents: Sequence[ColumnContents]) -> list[int]:
    """Give the columns of dates, the day of booking first.

    Its name tells it. Without one it is never blank, and runs in order where the other does not: a
    table is sorted by the day of booking.
    """
    return sorted(
        (index for index, column in enumerate(contents) if column.is_date),
        key=lambda index: (
            contents[index].name.meanings.get("date", _RANK_OF_UNNAMED),
            not contents[index].is_full,
            not _runs_in_order(contents[index]),
        ),
    )


def state_column(contents: Sequence[ColumnContents]) -> int | None:
    """Give the column of states: one that is named so, or one in which nothing but states stands.

    A column without a name must say of one row that it is booked and of another that it is not.
    """
    lists = [index for index, column in enumerate(contents) if column.is_text and column.is_list]
    candidates = [index for index in lists if "status" in contents[index].name.meanings]
    if candidates:
        return min(candidates, key=lambda index: contents[index].name.meanings["status"])
    for index in lists:
        states = set(map(known_state, set(contents[index].cells)))
        if None not in states and "booked" in states and len(states) > 1:
            return index
    return None


def _runs_in_order(column: ColumnContents) -> bool:
    """Say whether the dates only rise or only fall, in one of the orders that they can have."""
    readings = [read for cell in column.cells if (read := read_days(cell)) is not None]
    for index in range(len(ORDERS)):
        days = [day for day in (reading[index] for reading in readings) if day is not None]
        if len(days) == len(readings) and days in (sorted(days), sorted(days, reverse=True)):
            return True
    return False


def mark_column(
    contents: Sequence[ColumnContents], candidates: Sequence[int], amount: int | None
) -> int | None:
    """Choose marks for a column of amounts; where none has a minus, some marks are enough.

    `candidates` are the places that the header names for marks, the best first.
    """
    if amount is None:
        return None
    marks = [index for index in candidates if contents[index].is_mark]
    if not contents[amount].prints_minus:
        marks += [index for index in candidates if contents[index].has_both_marks]
        marks += [
            index
            for index in candidates
            if marks_neutral(contents[index].name.text) and contents[index].is_mark_or_neutral
        ]
        marks += [
            index
            for index in candidates
            if "type" not in contents[index].name.meanings
            and ways_beside_blanks(contents[index].by_row)
        ]
        marks += [index for index, column in enumerate(contents) if column.divides_by_marks]
    return next(iter(marks), None)


NoMovement = Literal["hold", "memo", "neutral"]
"""Why a row moves no money: it holds some of it or lets that go again, it only takes note, or it is
marked as neither income nor expense.
"""

_LONGEST_KIND = 80

_HOLDS = """
    general hold|general account hold|temporary hold|account hold for ...|hold on available balance
    |payment hold|payment review hold|reserve hold|hold for dispute ...
    |reversal of general account hold|reversal of hold for dispute ...|general hold release
    |payment release|payment review release|reserve release|cancellation of hold for dispute ...
    |allgemeine einbehaltung|einbehaltung für offene autorisierung|vorübergehende einbehaltung
    |rückbuchung allgemeine einbehaltung|rückbuchung allgemeiner einbehaltung
    |freigabe allgemeiner einbehaltung
    |suspension temporaire|suspension de compte ...|annulation de suspension de compte ...
    |blocco conto ...|storno di blocco conto ...
    |retención de cuenta ...|cancelación de retención de cuenta ...
"""
"""Holds and their releases in the words of PayPal, whose codes for them are T11, T15 and T21.

Dots stand for further words.
"""

_MEMOS = """
    general authorization|general authorisation|void of authorization|void of authorisation
    |reauthorization|allgemeine autorisierung|autorisation standard|autorizzazione generica
    |annullamento autorizzazione|autorización general|desprovisto de autorización
    |algemene autorisatie
"""
"""Its authorisations, T13, which the balance never counts: the payment is a row of its own."""

_HOLD = "hold"
_HOLDING = (
    "einbehalt", "retenc", "retenu", "suspension", "blocco", "blokad", "bloque", "blocage",
    "inhoud", "blokker", "reserver", "заморож", "блокир",
)  # fmt: skip
_AUTHORISED = ("authoriz", "authoris", "autoriz", "autoris", "autoryz", "авториз")
_WORDS_FOR_GENERAL = (
    "general",
    "generic",
    "allgemein",
    "standard",
    "algemen",
    "ogoln",
    "geral",
    "общ",
)
_WORDS_FOR_ACCOUNT = (
    "account",
    "konto",
    "compte",
    "conto",
    "cuenta",
    "rekening",
    "konta",
    "conta",
    "счет",
)
"""Beginnings of words of which a hold's name is made, in languages whose own phrase is not listed."""

_IMPACTS = frozenset(
    " ".join(words_of(name))
    for name in (
        "balance impact", "Auswirkung auf Guthaben", "Impact sur le solde", "Impatto sul saldo",
        "Impacto en el saldo", "Impacto no saldo", "Invloed op saldo", "Wpływ na saldo",
    )
)  # fmt: skip
_ONLY_NOTED = "memo"
_MEANINGS_OF_KINDS: frozenset[ColumnMeaning] = frozenset(["type", "status"])
_MEANINGS_OF_KINDS_OF_PAYPAL: frozenset[ColumnMeaning] = _MEANINGS_OF_KINDS | {"description"}
_GROSS = frozenset(["gross", "brutto", "lordo", "bruto", "brut", "avant commission", "valor bruto"])
_NAMES_OF_PAYERS = frozenset(["name", "nom", "nome", "nombre", "naam", "nazwa", "imie i nazwisko"])
"""What PayPal calls the amount before its fee, and the column of who paid or was paid."""


def _phrases_listed(listed: str) -> list[str]:
    return [phrase.strip() for phrase in " ".join(listed.split()).split("|")]


_WORDS_OF_NO_MOVEMENT: dict[NoMovement, list[str]] = {
    "memo": _phrases_listed(_MEMOS),
    "hold": _phrases_listed(_HOLDS),
}
_NAMES_OF_NO_MOVEMENT = {
    " ".join(words_of(phrase)): reason
    for reason, phrases in _WORDS_OF_NO_MOVEMENT.items()
    for phrase in phrases
}
_BEGINNINGS_OF_NO_MOVEMENT = tuple(
    " ".join([*words_of(phrase), ""])
    for phrase in _WORDS_OF_NO_MOVEMENT["hold"]
    if phrase.endswith("...")
)


@lru_cache(1000)
def named_no_movement(cell: str) -> NoMovement | None:
    """Say why rows of this kind of booking move no money, None where they move it.

    A hold in words that are not listed is known by saying that it is one, and either that it is for
    an authorisation or that it is a general one on the account: less may be a tax that is withheld.
    """
    tokens = words_of(cell[:_LONGEST_KIND])
    text = " ".join(tokens)
    if text in _NAMES_OF_NO_MOVEMENT:
        return _NAMES_OF_NO_MOVEMENT[text]
    if text.startswith(_BEGINNINGS_OF_NO_MOVEMENT):
        return "hold"
    if _HOLD not in tokens and not _has_beginning(tokens, _HOLDING):
        return None
    is_general = _has_beginning(tokens, _WORDS_FOR_GENERAL) and _has_beginning(
        tokens, _WORDS_FOR_ACCOUNT
    )
    return "hold" if _has_beginning(tokens, _AUTHORISED) or is_general else None


def is_only_noted(cell: str) -> bool:
    """Say whether a row's effect on the balance is that it has none."""
    return cell.strip().casefold() == _ONLY_NOTED


def impact_column(contents: Sequence[ColumnContents]) -> int | None:
    """Give the column that says which effect each row has on the balance."""
    indices = (index for index, column in enumerate(contents) if column.name.plain in _IMPACTS)
    return next(indices, None)


def neutral_column(contents: Sequence[ColumnContents], mark: int | None) -> int | None:
    """Give the column of marks where it is one that marks rows as neither income nor expense, too."""
    is_one = mark is not None and marks_neutral(contents[mark].name.text)
    return mark if is_one else None


def kind_columns(contents: Sequence[ColumnContents]) -> tuple[int, ...]:
    """Give the columns that are named for the kind or the state of a booking.

    PayPal's report of balances has the kinds in its descriptions, where any other table has texts of
    rows, in which a shop or a person may be called like a hold.
    """
    meanings = _MEANINGS_OF_KINDS_OF_PAYPAL if _is_of_paypal(contents) else _MEANINGS_OF_KINDS
    return tuple(
        index
        for index, column in enumerate(contents)
        if not meanings.isdisjoint(column.name.meanings) and column.is_text
    )


def _is_of_paypal(contents: Sequence[ColumnContents]) -> bool:
    """Say whether a header has the gross amounts of payments beside names and currencies."""
    names = {column.name.plain for column in contents}
    has_currency = any("currency" in column.name.meanings for column in contents)
    return has_currency and not names.isdisjoint(_GROSS) and not names.isdisjoint(_NAMES_OF_PAYERS)


def _has_beginning(tokens: Sequence[str], beginnings: tuple[str, ...]) -> bool:
    return any(token.startswith(beginnings) for token in tokens)


_NAME_OF_CURRENCIES = column_name("Currency")
_OF_PURCHASES = "transaction currency"
_BILLED = frozenset(["billing amount", "billed amount", "amount billed"])


def contents_of(rows: Sequence[Sequence[str]], names: Sequence[ColumnName]) -> list[ColumnContents]:
    """The columns of some rows, with each name above the numbers that it is of.

    It stands above their currencies where those come first and the numbers' own name is blank. A name
    of currencies alone stays theirs.
    """
    columns = list(
        map(ColumnContents, zip(*rows, strict=True), chain(names, repeat(column_name(""))))
    )
    for first, second in pairwise(columns[: len(names)]):
        is_pair = first.name.text.strip() and not second.name.text.strip()
        is_pair = is_pair and not _is_of_currencies(first.name)
        if is_pair and first.mostly(is_currency) and second.is_money:
            first.name, second.name = _NAME_OF_CURRENCIES, first.name
    return columns


def _is_of_currencies(name: ColumnName) -> bool:
    return "currency" in name.meanings and "amount" not in name.meanings


def is_of_purchases(contents: Sequence[ColumnContents], currency: int | None) -> bool:
    """Say whether a column of currencies is of what shops took, beside amounts that were billed."""
    if currency is None or contents[currency].name.plain != _OF_PURCHASES:
        return False
    return not _BILLED.isdisjoint(column.name.plain for column in contents)
