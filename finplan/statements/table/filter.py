"""Which rows of a table are transactions; the rest are headings, notes, balances and footers.

A text may say at its beginning or end that its row waits to be booked, where no column does.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from finplan.statements import statement
from finplan.statements.table import row_words
from finplan.statements.table.columns import Columns
from finplan.statements.table.contents import NoMovement, is_only_noted, named_no_movement
from finplan.statements.table.dates import DateConverter, DateReading, read_days
from finplan.statements.table.marks import NeutralRefunds
from finplan.statements.table.numbers import is_blank
from finplan.statements.table.signs import MoneyColumns
from finplan.statements.table.table import Cells, Table
from finplan.statements.text.descriptors import fold, quoted, shapes_of

_WAITING_PHRASES = """
    pending transaction|pending transactions|transaction pending|transaction is pending
    |pending purchase|pending card purchase|pending debit card purchase|pending authorization
    |pending authorisation|not yet booked|not yet posted|not booked yet
    |vorgemerkter umsatz|vorgemerkte buchung|umsatz vorgemerkt|noch nicht gebucht
    |noch nicht verbucht|buchung ausstehend
    |opération en attente|transaction en attente|paiement en attente|opération à venir
    |en attente de comptabilisation|non encore comptabilisé|non comptabilisée|non comptabilisé
    |operación pendiente|movimiento pendiente|transacción pendiente|pendiente de contabilizar
    |no contabilizado
    |operazione in attesa|movimento non contabilizzato|non contabilizzato|non contabilizzata
    |da contabilizzare|operazione in corso
    |transação pendente|movimento pendente|ainda não contabilizado
    |nog niet verwerkt|nog niet geboekt|transactie in behandeling
    |transakcja nierozliczona|operacja nierozliczona|transakcja oczekująca|operacja oczekująca
    |transakcja niezaksięgowana|operacja niezaksięgowana|transakcja w trakcie realizacji
    |blokada na karcie|blokada środków
    |nezaúčtovaná transakce|nezaúčtovaná platba|nezaúčtovaný pohyb|transakce čeká na zaúčtování
    |čeká na zaúčtování|nezaúčtovaná transakcia|čaká na zaúčtovanie
    |könyvelésre vár|függő tétel|függőben lévő tranzakció|nem könyvelt tétel
    |tranzacție în așteptare|tranzacție nedecontată|în curs de procesare
    |ej bokförd|ej bokfört|ännu ej bokförd|preliminär transaktion|reserverat belopp
    |ikke bokført|ikke bogført|reservert beløp|reserveret beløb|afventer bogføring
    |katevaraus|ei vielä kirjattu|odottaa kirjausta
    |broneeritud summa|rezervēta summa|rezervuota suma
    |v čakanju na knjiženje|transakcija na čekanju|rezervirana sredstva
    |provizyon işlemi|bekleyen işlem|provizyonda
    |σε εκκρεμότητα|συναλλαγή σε εκκρεμότητα
    |операция в обработке|операция не проведена|не обработана|в обработке|операція в обробці
    |в обробці|необработена транзакция
    |未确认交易|待入账|未入账|未確定|売上未確定|処理中|승인대기|매입대기
"""
_WAITING_IF_MARKED = """
    pending|unposted|unsettled|vorgemerkt|en attente|à venir|pendiente|in attesa|pendente|nierozliczona
    |oczekująca|in behandeling|nezaúčtováno|függő|în așteptare|väntande|reserverad|reservert|reserveret
    |afventer|venter|hold|bekliyor|provizyon|εκκρεμεί|холд|в обработке|очікує|未確定|未入账|待入账
"""
"""Words that mean it only in brackets, or parted from the rest by a colon, a dash, a bar or stars."""


_FIRST_UNPARTED = 0x3000
_REMEMBERED = 4096


def _is_unparted(phrase: str) -> bool:
    """Say whether a phrase is in a script that parts no words by blanks."""
    return ord(phrase.strip()[0]) > _FIRST_UNPARTED


def _either(listed: str) -> str:
    phrases = (fold(phrase).casefold() for phrase in " ".join(listed.split()).split("|"))
    return "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))


_PHRASE, _WORD = _either(_WAITING_PHRASES), _either(_WAITING_IF_MARKED)
_UNPARTED_PHRASE = _either(
    "|".join(phrase for phrase in _WAITING_PHRASES.split("|") if _is_unparted(phrase))
)
_BEGINS_WAITING = re.compile(
    rf"[\[(*]*\s*(?:(?:{_PHRASE})(?!\w)|{_UNPARTED_PHRASE})|[\[(]\s*(?:{_WORD})\s*[\])]|\**(?:{_WORD})\**\s*(?::|\*|\||\s[-–—]\s)"
)
_ENDS_WAITING = re.compile(
    rf"(?:(?<!\w)(?:{_PHRASE})|{_UNPARTED_PHRASE}|[\[(]\s*(?:{_WORD})\s*|(?:[:|*]\s*|\s[-–—]\s+)(?:{_WORD}))[\])*.!]*$"
)


_WAITING_WORDS = [
    phrase.split() for phrase in f"{_WAITING_PHRASES}|{_WAITING_IF_MARKED}".split("|")
]
_EDGES_OF_WAITING = frozenset(
    fold(token).casefold() for tokens in _WAITING_WORDS for token in (tokens[0], tokens[-1])
)
_UNPARTED_EDGES = tuple(filter(_is_unparted, _EDGES_OF_WAITING))
_BETWEEN_WORDS = re.compile(r"\W+")


@lru_cache(_REMEMBERED)
def says_it_waits(text: str) -> bool:
    """Say whether a text begins or ends with a bank's words for a row that is not booked yet.

    A single word, which may be a shop's name, has to be set off from the rest.
    """
    folded = fold(text).casefold()
    return _BEGINS_WAITING.match(folded) is not None or _ENDS_WAITING.search(folded) is not None


def any_waits(texts: Collection[str]) -> bool:
    """Say whether any of some texts does, looking closely only where a first or last word may be one."""
    tokens = {text.lstrip("[(* ").partition(" ")[0] for text in texts}
    tokens |= {text.rstrip(" ])*.!").rpartition(" ")[2] for text in texts}
    joined = " ".join(tokens).casefold()
    may_wait = not _EDGES_OF_WAITING.isdisjoint(_BETWEEN_WORDS.split(joined)) or any(
        map(joined.__contains__, _UNPARTED_EDGES)
    )
    return may_wait and any(map(says_it_waits, texts))


_MOST_FOOTERS = 20
_MOST_REMEMBERED = 20_000
"""Texts of a column that told nothing are not looked at again: the same shops come each month."""

_WHY_UNMOVED: dict[NoMovement, str] = {
    "hold": statement.HELD,
    "memo": statement.ONLY_NOTED,
    "neutral": statement.NEITHER_WAY,
}
_WORD_OF_A_MONTH = re.compile(r"\d{1,4}[\s./-]+[^\W\d_]{3,12}[\s./-]+\d{1,4}")
"""A date that names its month in any language, also in one that is not known."""


class KeptRows(NamedTuple):
    """Rows with their cells and days, which of them are pending and which are holds; empty when none is.

    A hold or its release is no transaction, and is kept only because a balance may count it.
    """

    cells: Cells
    days: list[int]
    pending: list[bool]
    holds: Sequence[bool] = ()

    @property
    def transactions(self) -> "KeptRows":
        """Keep the rows that move money."""
        if not self.holds:
            return self
        return self.only([index for index, is_held in enumerate(self.holds) if not is_held])

    def only(self, places: Sequence[int]) -> "KeptRows":
        """Keep some of the rows."""
        return KeptRows(
            self.cells.only(places),
            [self.days[index] for index in places],
            [self.pending[index] for index in places] if self.pending else [],
            _if_any([self.holds[index] for index in places] if self.holds else []),
        )


class TransactionFilter:
    """Keeps the rows that have a day and an amount, in the order of the file.

    Declined rows, balance lines and rows without an amount are left out, and so are holds, which are
    kept apart. A row that must be a transaction and cannot be read, or one with an amount and no date
    that is no footer, is refused with UnreadableStatement, so that nothing is lost in silence.
    A line that says of the rows below it that they wait holds until one says that they are booked.
    `left_out` has the rows of the latest call that are left out, each with its reason; headings and
    notes, which have no date, are not among them.
    """

    def __init__(
        self, table: Table, columns: Columns, dates: DateReading, money: MoneyColumns
    ) -> None:
        self._table = table
        self._columns = columns
        self._money = money
        self._reading = dates
        self._dates = DateConverter(dates)
        self._refunds = NeutralRefunds(table, columns)
        self._undated: list[list[str]] = []
        self._state_above: row_words.RowState = "booked"
        self._plain_texts = defaultdict[int, set[str]](set)
        self.left_out: list[tuple[list[str], str]] = []

    def keep(self, cells: Cells) -> KeptRows:
        """Give the transactions among the next rows of the file."""
        columns = self._columns
        self.left_out = []
        days = self._dates.convert(cells[columns.date])
        is_plain = not self._undated and self._state_above == "booked"
        if is_plain and self._all_are_plain(cells, days):
            return KeptRows(cells, days, [])
        return self._pick(cells, days)

    def refuse_lost_rows(self) -> None:
        """Refuse rows at the end that have a text, an amount and no date, unless they are sums.

        To be called after the last rows; only a file with such rows is read again for its sums.
        """
        self.left_out = []
        if not self._undated:
            return
        columns = self._sums()
        for row, sizes in zip(self._undated, self._money.sizes(Cells(self._undated)), strict=True):
            stated = [(size, total) for size, total in zip(sizes, columns, strict=True) if size]
            if not stated or any(abs(size) != abs(total) for size, total in stated):
                raise self._lost(row)
        self.left_out = [(row, statement.STATES_SUM) for row in self._undated]

    def _sums(self) -> tuple[int, int]:
        """Add up what all transactions of the table print in the columns of money."""
        again = TransactionFilter(self._table, self._columns, self._reading, self._money)
        amounts = debits = 0
        for cells in self._table.chunks():
            for amount, debit in self._money.sizes(again.keep(cells).cells):
                amounts, debits = amounts + amount, debits + debit
        return amounts, debits

    def _all_are_plain(self, cells: Cells, days: list[int]) -> bool:
        """Say whether all rows are booked transactions, looking at whole columns only."""
        columns = self._columns
        shapes = [cells.shapes(index) for index in columns.money]
        distinct = [set(column) for column in shapes]
        return (
            min(days) > 0
            and all(map(self._money.knows, columns.money, distinct))
            and not self._have_blank_rows(shapes, distinct)
            and (
                columns.status is None
                or set(map(row_words.status_of, set(cells[columns.status]))) == {"booked"}
            )
            and not any(map(named_no_movement, chain(*(set(cells[at]) for at in columns.kinds))))
            and (columns.impact is None or not any(map(is_only_noted, set(cells[columns.impact]))))
            and (
                columns.neutral is None
                or not any(map(row_words.is_neutral, set(cells[columns.neutral])))
            )
            and not self._any_text_tells(cells)
        )

    def _any_text_tells(self, cells: Cells) -> bool:
        """Say whether a text names a balance, or says that its row waits where no column does.

        No word of either has digits, so texts that differ in these alone are as one.
        """
        described = self._columns.descriptions
        waiting = self._columns.texts.places if self._columns.status is None else ()
        for index in dict.fromkeys((*described, *waiting)):
            plain = self._plain_texts[index]
            shapes = set(shapes_of(cells[index])) - plain
            if index in described and _has_balance_line(shapes, cells[index]):
                return True
            if index in waiting and any_waits(shapes):
                return True
            if len(plain) < _MOST_REMEMBERED:
                plain |= shapes
        return False

    def _have_blank_rows(self, shapes: list[list[str]], distinct: list[set[str]]) -> bool:
        if not all(any(map(is_blank, column)) for column in distinct):
            return False
        return any(all(map(is_blank, row_shapes)) for row_shapes in zip(*shapes, strict=True))

    def _pick(self, cells: Cells, days: list[int]) -> KeptRows:
        columns = self._columns
        shapes = [cells.shapes(index) for index in columns.money]
        other_days = [0] * len(days)
        if columns.other_date is not None:
            other_days = self._dates.convert(cells[columns.other_date])
        rows, kept_days = list[list[str]](), list[int]()
        pending, holds = list[bool](), list[bool]()
        around = zip([None, *cells.rows[:-1]], [*cells.rows[1:], None], strict=True)
        for row, beside, day, other_day, *own_shapes in zip(
            cells.rows, around, days, other_days, *shapes, strict=True
        ):
            status = self._state_of(row)
            if status == "declined" or all(map(is_blank, own_shapes)):
                heading = row_words.state_in_heading(row)
                if heading is None:
                    self._leave_out_blank(row, day or other_day, is_declined=status == "declined")
                else:
                    self._state_above = heading
                continue
            is_unbooked = day == 0 and other_day > 0 and not row[columns.date].strip()
            if self._is_transaction(row, other_day if is_unbooked else day, own_shapes):
                if self._states_balance(row, beside):
                    self.left_out.append((row, statement.STATES_BALANCE))
                    continue
                if self._undated:
                    raise self._lost(self._undated[0])
                reason = self._no_movement(row)
                if reason is not None:
                    self.left_out.append((row, _WHY_UNMOVED[reason]))
                if reason in ("memo", "neutral"):
                    continue
                rows.append(self._with_way(row))
                kept_days.append(other_day if is_unbooked else day)
                holds.append(reason == "hold")
                pending.append(reason is None and (is_unbooked or status == "pending"))
        return KeptRows(Cells(rows), kept_days, _if_any(pending), _if_any(holds))

    def _state_of(self, row: Sequence[str]) -> row_words.RowState:
        """Say what a row's state is: by its own column, else by its texts or the heading above it."""
        index = self._columns.status
        if index is not None:
            return row_words.status_of(row[index])
        waits = any(says_it_waits(row[column]) for column in self._columns.texts.places)
        return "pending" if waits else self._state_above

    def _no_movement(self, row: Sequence[str]) -> NoMovement | None:
        """Say why a row with an amount moves no money, by its mark, effect on the balance or kind."""
        columns = self._columns
        if columns.neutral is not None and row_words.is_neutral(row[columns.neutral]):
            return None if self._refunds.has(row) else "neutral"
        if columns.impact is not None and is_only_noted(row[columns.impact]):
            return "memo"
        reasons = {named_no_movement(row[index]) for index in columns.kinds}
        return "memo" if "memo" in reasons else "hold" if "hold" in reasons else None

    def _with_way(self, row: list[str]) -> list[str]:
        """Mark a row that is neutral and yet counts, which only a refund is, as what came in."""
        index = self._columns.neutral
        if index is None or not row_words.is_neutral(row[index]):
            return row
        return [*row[:index], row_words.INCOME, *row[index + 1 :]]

    def _leave_out_blank(self, row: list[str], day: int, *, is_declined: bool) -> None:
        """Note why a row that moves no money is left out; without a day it is a heading or a note."""
        if is_declined:
            self.left_out.append((row, statement.DECLINED))
        elif day != 0 or row_words.status_of(row[self._columns.date]) == "pending":
            texts = [row[index] for index in self._columns.descriptions]
            names_balance = any(
                row_words.balance_name(text) != "none" for text in texts if text.strip()
            )
            self.left_out.append(
                (row, statement.STATES_BALANCE if names_balance else statement.NO_AMOUNT)
            )

    def _is_transaction(self, row: list[str], day: int, shapes: Sequence[str]) -> bool:
        """Decide about a row that is not blank; refuse it when it is damaged."""
        unknown = [
            row[index]
            for index, shape in zip(self._columns.money, shapes, strict=True)
            if not self._money.knows(index, [shape])
        ]
        if day <= 0:
            if not unknown:
                self._set_aside(row, day)
            return False
        if unknown:
            raise self._refusal(row, f"{quoted(unknown[0])} is not an amount")
        return True

    def _states_balance(
        self, row: list[str], beside: tuple[list[str] | None, list[str] | None]
    ) -> bool:
        """Say whether a row between two others states a balance; a payment moves the balance.

        Its words alone are enough only where they say nothing else and no balance contradicts them.
        """
        names = {
            row_words.balance_name(row[index])
            for index in self._columns.descriptions
            if row[index].strip()
        }
        if not names or "none" in names:
            return False
        amounts = set(map(abs, filter(None, self._money.sizes(Cells([row]))[0]))) or {0}
        own = self._balance(row)
        if own is not None and own not in amounts:
            return False
        is_repeated = any(self._balance(neighbour) in amounts for neighbour in beside)
        if "shop" in names:
            return is_repeated
        return names == {"whole"} or own is not None or is_repeated

    def _balance(self, row: list[str] | None) -> int | None:
        """The size of a row's balance, None without one."""
        if row is None or self._columns.balance is None:
            return None
        balance = self._money.balance(row[self._columns.balance], "USD")
        return None if balance is None else abs(balance)

    def _set_aside(self, row: list[str], day: int) -> None:
        """Remember a row with an amount and no date, in case transactions follow: a footer it is not.

        A sum or a balance is known by its words, or by having none. A row that says “pending” for a
        date counts for nothing until it has one.
        """
        printed = row[self._columns.date].strip()
        if row_words.status_of(printed) == "pending":
            self.left_out.append((row, statement.NOT_BOOKED))
            return
        if day == DateConverter.IMPOSSIBLE or _is_meant_as_date(printed):
            raise self._refusal(
                row, f"{quoted(printed)} is not a possible date{self._as_read(printed)}"
            )
        is_sum = any(map(row_words.names_sum, row))
        if any(self._texts(row)) and not is_sum:
            self._undated.append(row)
        else:
            states_balance = any(row_words.mentions_balance(text.lower()) for text in row)
            self.left_out.append(
                (row, statement.STATES_BALANCE if states_balance else statement.STATES_SUM)
            )
        if len(self._undated) > _MOST_FOOTERS:
            raise self._lost(self._undated[0])

    def _as_read(self, printed: str) -> str:
        """What is said of the order of dates, where another order makes a date of it."""
        days = read_days(printed)
        first = {"dmy": "day", "mdy": "month", "ymd": "year"}[self._reading.order]
        return f" with the {first} first" if days is not None and any(days) else ""

    def _texts(self, row: list[str]) -> list[str]:
        """All that describes a row, also below a name that is not known."""
        columns = self._columns
        return [row[index].strip() for index in (*columns.descriptions, *columns.texts.places)]

    def _lost(self, row: list[str]) -> statement.UnreadableStatement:
        text = next(filter(None, map(fold, self._texts(row))), "the row")
        return self._refusal(row, f"{quoted(text)} has an amount but no date")

    def _refusal(self, row: list[str], what: str) -> statement.UnreadableStatement:
        return statement.UnreadableStatement(f"Line {self._table.line_of(row)}: {what}.")


def _if_any(flags: list[bool]) -> list[bool]:
    return flags if any(flags) else []


def _has_balance_line(shapes: Collection[str], texts: Iterable[str]) -> bool:
    """Say whether one of some texts, which have these shapes, names a balance."""
    if not row_words.mentions_balance("\n".join(shapes).lower()):
        return False
    return any(
        row_words.balance_name(text) != "none"
        for text in set(texts)
        if row_words.mentions_balance(text.lower())
    )


def _is_meant_as_date(printed: str) -> bool:
    """Say whether a text is made of digits alone, or of a word between two numbers."""
    has_no_word = printed[:1].isdigit() and not any(map(str.isalpha, printed))
    return has_no_word or _WORD_OF_A_MONTH.fullmatch(printed) is not None
