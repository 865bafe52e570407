"""A truth and a layout as the bytes of a file, with what was printed where."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate

from tests.statements.layouts.layout import IBANS, Layout, TrueRow, Truth, exponent
from tests.statements.layouts.printing import SYMBOLS, with_minus

_UNKNOWN_NAMES = (
    "Vorbel", "Tarniq", "Osmund", "Jexil", "Plover", "Wendra", "Kasto", "Murion", "Zeltif", "Huxle",
    "Norqua", "Silbet", "Grafen", "Ottwin", "Quilb", "Ferrand",
)  # fmt: skip
_STEP = 12_345
"""By how much a contradicted balance is off."""


@dataclass(frozen=True)
class Written:
    """A file, and what stands in it.

    `lines` are the cells of its rows in the order of the file, without header, preamble and footer, and
    `rows` what they mean. `money` are the numbers printed as amounts and balances, `numbers` those of
    other columns; `balances` those of the booked rows in the order in which they happened, None where
    the cell is blank. `charset` is the encoding that the file is really in.
    """

    content: bytes
    name: str
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    rows: tuple[TrueRow, ...]
    money: tuple[str, ...]
    numbers: tuple[str, ...]
    days: tuple[date, ...]
    value_days: tuple[date | None, ...]
    balances: tuple[int | None, ...]
    charset: str


def write(truth: Truth, layout: Layout) -> Written:
    """Print a file."""
    page = _Page(truth, layout)
    header = page.header()
    indexed = list(enumerate(truth.rows))
    if layout.newest_first:
        indexed.reverse()
    lines = tuple(tuple(page.cells(place, row)) for place, row in indexed)
    table = [*page.preamble(), *([header] if header else []), *lines, *page.footer()]
    content, charset = _encoded(_text(table, layout), layout.charset)
    return Written(
        content,
        page.file_name(),
        tuple(header),
        lines,
        tuple(row for _, row in indexed),
        tuple(page.money),
        tuple(page.numbers),
        tuple(row.day for _, row in indexed),
        tuple(page.value_day(*each) for each in indexed),
        tuple(
            page.balances.get(place)
            for place, row in enumerate(truth.rows)
            if row.state == "booked"
        ),
        charset,
    )


def printed_balances(truth: Truth, layout: Layout) -> dict[int, int]:
    """Give the balance printed beside each booked row, by its place, in minor units."""
    booked = [place for place, row in enumerate(truth.rows) if row.state == "booked"]
    amounts = [truth.rows[place].amount for place in booked]
    sums = list(accumulate(amounts, initial=truth.opening))
    after = sums[:-1] if layout.balance == "before" else sums[1:]
    found = dict(zip(booked, after, strict=True))
    if layout.contradicted is not None:
        found = {p: b + _STEP * (p >= layout.contradicted) for p, b in found.items()}
    if layout.balance == "owed":
        found = {place: -balance for place, balance in found.items()}
    if layout.gaps:
        last = {truth.rows[place].day: place for place in booked}
        found = {place: found[place] for place in last.values()}
    return found


class _Page:
    """Prints cells, remembering the numbers that were printed."""

    def __init__(self, truth: Truth, layout: Layout) -> None:
        self._truth = truth
        self._layout = layout
        self._decimals = exponent(truth.currency)
        self.money: list[str] = []
        self.numbers: list[str] = []
        self.balances = printed_balances(truth, layout) if layout.balance != "none" else {}

    def header(self) -> list[str]:
        """The names of the columns, none where the file has no header."""
        layout = self._layout
        if layout.header == "none":
            return []
        if layout.header == "unknown":
            return [self._unknown(place) for place in range(len(layout.columns))]
        return [self._name(place, column) for place, column in enumerate(layout.columns)]

    def cells(self, place: int, row: TrueRow) -> Iterator[str]:
        """One row of the file."""
        printed = {
            "text": self._text_of(row),
            "payee": row.payee,
            "mark": self._layout.marks[row.amount > 0],
            "currency": self._truth.currency,
            "account": _iban(self._truth.currency),
            "reference": str(1_000_000 + self._layout.names * 37 + place * 7919),
            "quantity": str(1 + (place * 7 + self._layout.names) % 19),
        }
        for column in self._layout.columns:
            if column in printed:
                yield printed[column]
            elif column in {"amount", "debit", "credit"}:
                yield self._amount(column, row.amount)
            elif column == "balance":
                yield self._balance(place)
            elif column in {"date", "value_date"}:
                yield self._date(column, place, row)
            elif column == "status":
                yield self._status(row)
            else:
                yield self._other(column, place, row)

    def preamble(self) -> Iterator[list[str]]:
        """The lines above the header."""
        layout, names = self._layout, self._layout.language.names
        dates = [layout.dates.printed(day, layout.language) for day in self._span()]
        for line in layout.preamble:
            if line == "title":
                yield [f"{names['account'][0]} Nordhafen"]
            elif line == "blank":
                yield []
            elif line == "period":
                yield [f"{dates[0]} - {dates[1]}"]
            elif self.balances:
                yield [names["balance"][0], self._number(abs(self._truth.opening), self.money)]
        if layout.unit == "preamble":
            yield [f"{names['currency_name'][0]}:", self._truth.currency]
        if layout.unit == "iban":
            yield ["IBAN:", _iban(self._truth.currency)]

    def footer(self) -> Iterator[list[str]]:
        """The lines below the last row."""
        for line in self._layout.footer:
            if line == "note":
                yield ["* Nordhafen *"]
            elif line == "end":
                yield ["***"]
            elif line == "blank":
                yield []
            elif not self._layout.has("status"):
                yield self._total()

    def file_name(self) -> str:
        """How the file is called."""
        told = self._layout.unit == "file name"
        return f"export_{self._truth.currency}.csv" if told else "export.csv"

    def value_day(self, place: int, row: TrueRow) -> date | None:
        """The second date of a row, None where the cell is blank."""
        if not self._layout.has("value_date") or (self._layout.blank_value_dates and place % 2):
            return None
        return row.day + timedelta(days=place % 3)

    def _name(self, place: int, column: str) -> str:
        layout = self._layout
        if column == "reference":
            return "Ref"
        if column == "mark" and not layout.mark_is_named:
            return self._unknown(place)
        is_owed = column == "balance" and layout.balance == "owed"
        key = "owed" if is_owed else "currency_name" if column == "currency" else column
        words = layout.language.names[key]
        name = words[(layout.names >> (place % 5)) % len(words)]
        if layout.unit == "header" and column in {"amount", "debit", "credit", "balance"}:
            return f"{name} ({self._truth.currency})"
        return name

    def _unknown(self, place: int) -> str:
        return _UNKNOWN_NAMES[(place + self._layout.names) % len(_UNKNOWN_NAMES)]

    def _text_of(self, row: TrueRow) -> str:
        layout = self._layout
        if layout.thanks and row.amount > 0:
            return layout.language.thanks[layout.names % len(layout.language.thanks)]
        return row.payee

    def _number(self, minor: int, kept: list[str]) -> str:
        printed = self._layout.numbers.printed(minor, self._decimals)
        kept.append(printed)
        return printed

    def _amount(self, column: str, amount: int) -> str:
        layout = self._layout
        if layout.signs == "two_columns":
            if (column == "debit") != (amount < 0):
                return self._filling()
            is_minus = column == "debit" and layout.debit_minus
            return self._signed(self._number(amount, self.money), minus=is_minus)
        number = self._number(amount, self.money)
        marked = layout.signs == "signed" or layout.marked_and_signed
        is_minus = (marked and amount < 0) or (layout.signs == "inverse" and amount > 0)
        is_plus = amount > 0 and (
            layout.signs == "payment_plus" or (layout.signs == "signed" and layout.plus)
        )
        suffix = layout.marks[amount > 0] if layout.signs == "suffix" else ""
        if layout.signs == "payment_cr" and amount > 0:
            suffix = "CR"
        return f"{self._signed(number, minus=is_minus, plus=is_plus)} {suffix}".rstrip()

    def _filling(self) -> str:
        fill = self._layout.fill
        zero = self._layout.numbers.printed(0, self._decimals)
        return {"blank": "", "zero": self._signed(zero, minus=False), "dash": "-"}[fill]

    def _signed(self, number: str, *, minus: bool, plus: bool = False) -> str:
        layout = self._layout
        sign = layout.minus
        if layout.unit == "cell symbol":
            symbol = SYMBOLS[self._truth.currency]
            if layout.unit_before:
                number = f"{symbol}{number}"
                return with_minus(number, sign) if minus else "+" * plus + number
            return f"{with_minus(number, sign) if minus else '+' * plus + number} {symbol}"
        number = with_minus(number, sign) if minus else "+" * plus + number
        if layout.unit == "cell code":
            code = self._truth.currency
            return f"{code} {number}" if layout.unit_before else f"{number} {code}"
        return number

    def _balance(self, place: int) -> str:
        balance = self.balances.get(place)
        if balance is None:
            return ""
        return self._signed(self._number(balance, self.money), minus=balance < 0)

    def _date(self, column: str, place: int, row: TrueRow) -> str:
        day = row.day if column == "date" else self.value_day(place, row)
        return "" if day is None else self._layout.dates.printed(day, self._layout.language)

    def _status(self, row: TrueRow) -> str:
        language, names = self._layout.language, self._layout.names
        words = {
            "booked": language.booked,
            "pending": language.pending,
            "declined": language.declined,
        }
        return words[row.state][names % len(words[row.state])]

    def _other(self, column: str, place: int, row: TrueRow) -> str:
        """A number that is no amount of this account."""
        style = self._layout.numbers
        if column == "rate":
            return f"1{style.decimal}{800 + place:04}"
        if column == "foreign":
            minor = 0 if (place + self._layout.names) % 3 else abs(row.amount) * 11 // 10 + 1
        elif column == "fee":
            minor = 0 if (place + self._layout.names) % 4 else 150
        else:
            minor = 1_999 + place * 731
        if column == "foreign" and not minor:
            return ""
        printed = style.printed(minor, 2)
        self.numbers.append(printed)
        return printed

    def _span(self) -> tuple[date, date]:
        return self._truth.rows[0].day, self._truth.rows[-1].day

    def _total(self) -> list[str]:
        """The sums of the columns of amounts; where no sign is printed, of what is printed."""
        layout, rows = self._layout, self._truth.rows
        inward = sum(row.amount for row in rows if row.amount > 0)
        outward = sum(-row.amount for row in rows if row.amount < 0)
        sums = {"debit": outward, "credit": inward, "amount": inward + outward}
        if layout.signs in {"signed", "inverse"} or layout.marked_and_signed:
            sums["amount"] = inward - outward
            if layout.signs == "inverse":
                sums["amount"] = outward - inward
        cells = []
        for column in layout.columns:
            if column == "text":
                cells.append(layout.language.total[0])
            elif column in sums:
                number = layout.numbers.printed(sums[column], self._decimals)
                cells.append(self._signed(number, minus=sums[column] < 0))
            else:
                cells.append("")
        return cells


def _iban(currency: str) -> str:
    """A valid IBAN of a country with this currency."""
    country = IBANS.get(currency, "DE")
    number = "370400440532013000"
    letters = "".join(str(int(letter, 36)) for letter in f"{number}{country}00")
    return f"{country}{98 - int(letters) % 97:02}{number}"


def _text(table: Sequence[Sequence[str]], layout: Layout) -> str:
    text = io.StringIO()
    writer = csv.writer(
        text,
        delimiter=layout.delimiter,
        quoting=csv.QUOTE_ALL if layout.quote_all else csv.QUOTE_MINIMAL,
        lineterminator=layout.newline,
    )
    writer.writerows(table)
    return text.getvalue()


def _encoded(text: str, charset: str) -> tuple[bytes, str]:
    """Encode a text, in UTF-8 where the code page lacks one of its characters."""
    try:
        return text.encode(charset), charset
    except UnicodeEncodeError:
        return text.encode(), "utf-8"
