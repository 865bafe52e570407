"""How a bank prints an account: a layout drawn at random, the plainest choice first.

What happened on the account is the truth: the rows that a perfect reading finds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Literal, TypeVar

from tests.statements.layouts import printing

State = Literal["booked", "pending", "declined"]
_T = TypeVar("_T")

_NAMES = (
    "Orvella", "Brastik", "Quandor", "Milvane", "Tessoro", "Harkwin", "Lundeby", "Pextol", "Ravisch",
    "Yolmar", "Dunquist", "Feldora",
)  # fmt: skip
"""Names that say neither what was bought nor which way the money went."""
_FIRST = date(2019, 1, 1)
_LAST = 2500
_EXPONENTS = {"JPY": 0, "KRW": 0, "VND": 0, "CLP": 0, "BHD": 3, "KWD": 3, "TND": 3, "JOD": 3}


@dataclass(frozen=True)
class TrueRow:
    """One row: `amount` in minor units, positive when money comes in."""

    day: date
    amount: int
    payee: str
    state: State = "booked"

    @property
    def number(self) -> int:
        """The day as readers give it: YYYYMMDD."""
        return self.day.year * 10000 + self.day.month * 100 + self.day.day


@dataclass(frozen=True)
class Truth:
    """An account's rows, the oldest first, its currency, and its balance before the first row."""

    rows: tuple[TrueRow, ...]
    currency: str
    opening: int

    @property
    def booked(self) -> list[TrueRow]:
        return [row for row in self.rows if row.state == "booked"]


def exponent(currency: str) -> int:
    """How many decimals a currency has (ISO 4217)."""
    return _EXPONENTS.get(currency, 2)


def chance(random: Random, share: float) -> bool:
    """Decide yes with a probability; the simpler answer, to which examples shrink, is no."""
    return random.random() >= 1 - share


def pick(random: Random, options: Sequence[_T]) -> _T:
    """Choose one; the first is the simplest."""
    return options[random.randrange(len(options))]


def draw_truth(random: Random, currency: str) -> Truth:
    """Draw an account of a currency: mostly spent from, sometimes mostly paid into."""
    count = random.randint(2, 5) if chance(random, 0.15) else random.randint(4, 14)
    inward = pick(random, (0.3, 0.3, 0.3, 0.2, 0.3, 0.3, 0.0, 0.5, 0.8))
    longest_gap = pick(random, (3, 1, 9, 40, 3, 1, 9, 40, 0))
    day = _FIRST + timedelta(days=random.randrange(_LAST))
    if chance(random, 0.3):
        # Days below 13 throughout, whose month and day may change places.
        day, longest_gap = day.replace(day=random.randint(1, 3)), pick(random, (0, 1))
    rows = []
    for _ in range(count):
        day += timedelta(days=random.randint(0, longest_gap))
        size = _draw_size(random)
        payee = f"{pick(random, _NAMES)} {pick(random, _NAMES)}"
        rows.append(TrueRow(day, size if chance(random, inward) else -size, payee))
    return Truth(tuple(rows), currency, random.randint(0, 900_000))


def _draw_size(random: Random) -> int:
    largest = pick(random, (9_999, 99_999, 999_999, 99, 99_999_999))
    return random.randint(1, largest)


Header = Literal["named", "unknown", "none"]
Signs = Literal[
    "signed", "suffix", "inverse", "payment_plus", "payment_cr", "unsigned", "mark", "two_columns"
]
"""How the direction of a row is printed.

`signed`: minus goes out. `suffix`: CR or DR behind each number. `inverse`: what a card was charged has
no sign, payments have a minus. `payment_plus`, `payment_cr`: only payments are marked. `unsigned`: no
sign at all. `mark`: a column with one of two values. `two_columns`: one for each direction.
"""
Balance = Literal["none", "after", "before", "owed"]
"""The balance after a row, the one before it, or what is owed on a card after it."""

Unit = Literal[
    "nowhere", "column", "header", "cell code", "cell symbol", "preamble", "iban", "account",
    "file name",
]  # fmt: skip
"""Where the currency is told: `iban` above the table, `account` an IBAN in a column of it."""

Fill = Literal["blank", "zero", "dash"]

IBANS = {
    "EUR": "DE", "GBP": "GB", "CHF": "CH", "PLN": "PL", "CZK": "CZ", "SEK": "SE", "NOK": "NO",
    "DKK": "DK", "HUF": "HU", "RON": "RO", "TRY": "TR", "ILS": "IL", "BHD": "BH", "KWD": "KW",
}  # fmt: skip
_CURRENCIES = (
    "EUR", "USD", "GBP", "CHF", "PLN", "CZK", "SEK", "NOK", "DKK", "HUF", "RON", "TRY", "ILS", "JPY",
    "KRW", "BHD", "KWD", "INR", "CAD", "AUD", "BRL", "MXN", "CNY", "RUB", "UAH", "THB", "TND",
)  # fmt: skip
_ODD = ("JPY", "KRW", "BHD", "KWD", "TND")
"""Currencies of another number of decimals than two."""
_NOT_SAID = {
    "en": ("USD", "GBP", "AUD", "INR", "KWD"), "de": ("EUR", "CHF"), "fr": ("EUR", "CHF", "TND"),
    "es": ("EUR", "MXN", "CLP"), "it": ("EUR", "CHF"),
}  # fmt: skip
_DISTRACTORS = ("foreign", "price", "quantity", "rate", "fee", "reference")
_UNKNOWN_MARKS = (("X", "Y"), ("1", "2"), ("A", "B"), ("O", "I"))
"""Marks that no word of a language explains; nobody prints I, for in, where money goes out."""
_SUFFIXES = (("DR", "CR"), ("D", "C"), ("Dr.", "Cr."), ("DB", "CR"))
_MINUSES: tuple[printing.Minus, ...] = ("-1", "-1", "-1", "1-", "(1)", "−1", "- 1", "1 -")
_WIDE = ("utf-8", "utf-8", "utf-8-sig", "utf-16")


@dataclass(frozen=True)
class Layout:
    """All choices of how a file is written; `columns` stand in the order of the file.

    `marks` are what goes out and what comes in; `contradicted` is the booked row from which on the
    printed balance is another one; `gaps` says that the balance stands only below each day's last row.
    """

    language: printing.Language
    header: Header
    columns: tuple[str, ...]
    signs: Signs
    dates: printing.DateStyle
    numbers: printing.NumberStyle
    unit: Unit
    minus: printing.Minus = "-1"
    plus: bool = False
    fill: Fill = "blank"
    debit_minus: bool = False
    marks: tuple[str, str] = ("Debit", "Credit")
    marks_are_known: bool = True
    mark_is_named: bool = True
    marked_and_signed: bool = False
    thanks: bool = False
    balance: Balance = "none"
    gaps: bool = False
    contradicted: int | None = None
    newest_first: bool = False
    unit_before: bool = False
    preamble: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()
    blank_value_dates: bool = False
    delimiter: str = ","
    quote_all: bool = False
    newline: str = "\n"
    charset: str = "utf-8"
    names: int = 0
    """Chooses among the words for each column."""

    def has(self, column: str) -> bool:
        """Say whether the file has a column."""
        return column in self.columns


def draw(random: Random) -> tuple[Truth, Layout]:
    """Draw what happened and how it is printed."""
    language = (
        printing.languages()[0] if chance(random, 0.15) else pick(random, printing.languages())
    )
    header: Header = pick(random, ("named", "named", "named", "named", "unknown", "none"))
    unit = _draw_unit(random, header)
    truth = draw_truth(random, _draw_currency(random, language, unit))
    layout = Layout(
        language,
        header,
        (),
        _draw_signs(random, truth),
        _draw_dates(random, language, header),
        pick(random, printing.NUMBERS),
        unit,
        names=random.randrange(1000),
    )
    layout = _with_signs(layout, random, truth)
    layout = _with_balance(layout, random, truth)
    layout = _with_columns(layout, random)
    truth = _with_states(truth, layout, random)
    return _in_the_world(truth, _with_file(layout, random))


def _draw_unit(random: Random, header: Header) -> Unit:
    units: tuple[Unit, ...] = (
        "column", "header", "preamble", "cell code", "cell symbol", "iban", "account", "column",
        "header", "nowhere", "nowhere", "nowhere", "file name",
    )  # fmt: skip
    unit = pick(random, units)
    return "column" if header == "none" and unit == "header" else unit


def _draw_currency(random: Random, language: printing.Language, unit: Unit) -> str:
    if unit in {"nowhere", "file name"}:
        own = (language.currency,) if language.currency is not None else ()
        return pick(random, own or _NOT_SAID.get(language.code, ("EUR",)))
    if unit in {"iban", "account"}:
        return pick(random, tuple(IBANS))
    if unit == "cell symbol":
        return _draw_with_symbol(random, language)
    if chance(random, 0.15):
        return pick(random, _ODD)
    if language.currency is not None and chance(random, 0.5):
        return language.currency
    return pick(random, _CURRENCIES)


def _draw_with_symbol(random: Random, language: printing.Language) -> str:
    """A symbol that several countries use stands only on statements of one of them."""
    shared = [
        code
        for code in printing.SYMBOLS
        if list(printing.SYMBOLS.values()).count(printing.SYMBOLS[code]) > 1
    ]
    fitting = [
        code
        for code in printing.SYMBOLS
        if code not in shared or code == language.currency or language.code == "en"
    ]
    return pick(random, [code for code in fitting if code not in {"SEK", "NOK", "DKK", "JPY", "CNY"}
                         or code == language.currency])  # fmt: skip


def _draw_signs(random: Random, truth: Truth) -> Signs:
    signs: tuple[Signs, ...] = (
        "signed", "two_columns", "mark", "inverse", "suffix", "unsigned", "payment_plus",
        "payment_cr", "signed", "two_columns", "mark",
    )  # fmt: skip
    found = pick(random, signs)
    outward = sum(row.amount < 0 for row in truth.rows)
    # Nobody is charged less often than he pays a card, or a card's statement would look like another.
    is_card = 2 * outward > len(truth.rows)
    return "signed" if found in {"inverse", "payment_plus", "payment_cr"} and not is_card else found


def _draw_dates(random: Random, language: printing.Language, header: Header) -> printing.DateStyle:
    styles = [
        printing.YEAR_FIRST,
        printing.YEAR_FIRST,
        printing.DAY_FIRST,
        printing.DAY_FIRST,
        printing.DAY_FIRST,
    ]
    if language.code == "en" or header == "none":
        styles += [printing.MONTH_FIRST, printing.MONTH_FIRST]
    if language.code in {"ja", "zh"}:
        styles.append(printing.IDEOGRAPHIC)
    if language.code == "ko":
        styles.append(printing.HANGUL)
    if language.months:
        styles.append(printing.NAMED)
    if language.code in printing.SHORT_MONTHS:
        styles.append(printing.ABBREVIATED)
    if chance(random, 0.02):
        styles = [printing.SHORT_YEAR_FIRST]
    return pick(random, pick(random, styles))


def _with_signs(layout: Layout, random: Random, truth: Truth) -> Layout:
    layout = replace(
        layout,
        minus=pick(random, _MINUSES),
        plus=chance(random, 0.15),
        fill=pick(random, ("blank", "blank", "zero", "dash")),
        debit_minus=chance(random, 0.2),
        thanks=layout.signs in {"inverse", "payment_plus", "payment_cr", "unsigned"}
        and chance(random, 0.5)
        and sum(row.amount > 0 for row in truth.rows) * 2 < len(truth.rows),
    )
    if layout.signs == "suffix":
        return replace(layout, marks=pick(random, _SUFFIXES))
    if layout.signs == "mark":
        known = not chance(random, 0.12)
        marks = pick(random, layout.language.marks if known else _UNKNOWN_MARKS)
        named = layout.header == "named" and not chance(random, 0.15)
        return replace(
            layout, marks=marks, marks_are_known=known, mark_is_named=named,
            marked_and_signed=chance(random, 0.15),
        )  # fmt: skip
    return layout


def _with_balance(layout: Layout, random: Random, truth: Truth) -> Layout:
    balance: Balance = pick(
        random, ("none", "after", "after", "none", "after", "after", "before", "owed")
    )
    is_card = layout.signs in {"inverse", "payment_plus", "payment_cr", "signed"}
    is_charged = sum(row.amount < 0 for row in truth.rows) * 2 > len(truth.rows)
    if balance == "owed" and not (is_card and is_charged and layout.header == "named"):
        balance = "none"
    contradicted = None
    if balance != "none" and chance(random, 0.08) and len(truth.rows) > 2:
        contradicted = random.randrange(1, len(truth.rows))
    return replace(
        layout,
        balance=balance,
        gaps=balance == "after" and chance(random, 0.2),
        contradicted=contradicted,
    )


def _with_columns(layout: Layout, random: Random) -> Layout:
    columns = ["date", "text"]
    columns += ["debit", "credit"] if layout.signs == "two_columns" else ["amount"]
    if layout.balance != "none":
        columns.append("balance")
    if layout.signs == "mark":
        columns.append("mark")
    if layout.unit in {"column", "account"}:
        columns.append("currency" if layout.unit == "column" else "account")
    if layout.header == "named":
        columns += [name for name in ("value_date", "status") if chance(random, 0.25)]
    if chance(random, 0.3):
        columns.append("payee")
    columns += [name for name in _DISTRACTORS if chance(random, 0.1)]
    if {"price", "quantity"} <= set(columns):
        # Both together are a trade, which is no statement of an account.
        columns.remove("quantity")
    if chance(random, 0.5):
        random.shuffle(columns)
    return replace(layout, columns=tuple(columns), blank_value_dates=chance(random, 0.3))


def _with_states(truth: Truth, layout: Layout, random: Random) -> Truth:
    """Let the newest rows wait and another be declined, where a column says so.

    A card is charged more often than paid among the rows that count, too.
    """
    if not layout.has("status"):
        return truth
    rows = list(truth.rows)
    for place in range(len(rows) - pick(random, (0, 1, 2)), len(rows)):
        rows[place] = replace(rows[place], state="pending")
    if chance(random, 0.3):
        rows[0] = replace(rows[0], state="declined")
    counted = [row for row in rows if row.state != "declined"]
    is_card = 2 * sum(row.amount < 0 for row in counted) > len(counted)
    if not any(row.state == "booked" for row in rows) or (
        layout.signs == "inverse" and not is_card
    ):
        return truth
    return replace(truth, rows=tuple(rows))


def _with_file(layout: Layout, random: Random) -> Layout:
    above = ("title", "blank", "period", "opening")
    below = ("total", "blank", "note", "end")
    return replace(
        layout,
        preamble=tuple(line for line in above if chance(random, 0.15)),
        footer=tuple(line for line in below if chance(random, 0.12)),
        newest_first=chance(random, 0.5),
        unit_before=chance(random, 0.4),
        delimiter=pick(random, (",", ";", "\t", "|", ";", ",")),
        quote_all=chance(random, 0.25),
        newline=pick(random, ("\n", "\r\n")),
        charset=pick(random, (*_WIDE, *layout.language.charsets)),
    )


def _in_the_world(truth: Truth, layout: Layout) -> tuple[Truth, Layout]:
    """Undo what no bank prints, since it would say something untrue of the rows.

    The month stands first in English alone and never beside a decimal comma (CLDR), francs in German and
    Italian are printed with a decimal point (CLDR de-CH, it-CH), a currency without decimals has none to
    trim, and an account whose balance is what is owed begins with a debt. Two digits of a year lead
    between strokes or points in East Asia alone, on statements with some word of it; elsewhere with the
    hyphens of ISO 8601, and who sees 24/09/19 or 24.09.19 takes 24 for the day. Beside “$” the month
    stands first in the United States alone (CLDR en-CA, en-AU).
    """
    is_east_asian = layout.language.code in {"ja", "zh", "ko"} and layout.header == "named"
    if layout.dates in printing.SHORT_YEAR_FIRST and not is_east_asian:
        layout = replace(layout, dates=printing.SHORT_YEAR_FIRST[0])
    is_bare = layout.unit == "cell symbol" and printing.SYMBOLS[truth.currency] == "$"
    if is_bare and truth.currency != "USD" and layout.dates.order == "mdy":
        layout = replace(layout, dates=printing.DAY_FIRST[0])
    if layout.dates.pattern.startswith("{mon") and layout.language.code != "en":
        layout = replace(layout, dates=printing.NAMED[0])
    if layout.dates.order == "mdy" and layout.numbers.decimal == ",":
        layout = replace(layout, numbers=printing.NUMBERS[1])
    is_swiss = truth.currency == "CHF" and layout.language.code in {"de", "it"}
    if is_swiss and layout.unit == "nowhere" and layout.numbers.decimal == ",":
        layout = replace(layout, numbers=printing.NUMBERS[1])
    if exponent(truth.currency) != 2 and layout.numbers.trimmed:
        layout = replace(layout, numbers=replace(layout.numbers, trimmed=False))
    if layout.balance == "owed":
        truth = replace(truth, opening=-truth.opening)
    if (
        layout.language.code == "en"
        and layout.unit_before is False
        and layout.unit == "cell symbol"
    ):
        layout = replace(layout, unit_before=True)
    return truth, layout
