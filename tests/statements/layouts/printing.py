"""How days and amounts look on a statement: dates in all orders, numbers and words of many lands.

Header words, marks, months and code pages of many languages are those of `words.toml`.
"""

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

_WORDS = Path(__file__).with_name("words.toml")

NAMES = (
    "date", "value_date", "text", "payee", "amount", "debit", "credit", "balance", "owed",
    "currency_name", "mark", "status", "foreign", "price", "quantity", "rate", "fee", "account",
)  # fmt: skip
"""What a column of a statement can be called for."""


@dataclass(frozen=True)
class Language:
    """The words of one language; `currency` is that of its one country, None where there are several.

    `is_certain` says that no second country speaks it; `months` is empty where banks print none.
    """

    code: str
    names: dict[str, tuple[str, ...]]
    marks: tuple[tuple[str, str], ...]
    booked: tuple[str, ...]
    pending: tuple[str, ...]
    declined: tuple[str, ...]
    thanks: tuple[str, ...]
    total: tuple[str, ...]
    months: tuple[str, ...]
    charsets: tuple[str, ...]
    currency: str | None
    is_certain: bool


@cache
def languages() -> tuple[Language, ...]:
    """All languages, English first, because an example shrinks towards the first of any choice."""
    return tuple(
        Language(
            code,
            {name: tuple(words[name]) for name in NAMES},
            tuple((out, into) for out, into in words["marks"]),
            tuple(words["booked"]),
            tuple(words["pending"]),
            tuple(words["declined"]),
            tuple(words["thanks"]),
            tuple(words["total"]),
            tuple(words.get("months", "").split()),
            tuple(words["charsets"]),
            words.get("currency") or words.get("likely_currency"),
            "currency" in words,
        )
        for code, words in tomllib.loads(_WORDS.read_text(encoding="utf-8")).items()
    )


@cache
def _speakers() -> dict[str, frozenset[str]]:
    """Which languages have a header word."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for language in languages():
        for name in NAMES:
            for word in language.names[name]:
                found[word.casefold()].add(language.code)
    return {word: frozenset(codes) for word, codes in found.items()}


@cache
def shared_months() -> frozenset[str]:
    """The names that two languages give to different months."""
    places: defaultdict[str, set[int]] = defaultdict(set)
    for language in languages():
        for place, name in enumerate(language.months):
            places[name.casefold()].add(place)
    return frozenset(name for name, found in places.items() if len(found) > 1)


def own_words(language: Language, header: tuple[str, ...]) -> int:
    """Count the words of a header that no other language has."""
    only = frozenset([language.code])
    return sum(_speakers().get(word.casefold()) == only for word in set(header))


DateKind = Literal["dmy", "mdy", "ymd"]
Minus = Literal["-1", "1-", "(1)", "−1", "- 1", "1 -"]

NBSP = "\u00a0"
SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        "EUR": "€", "GBP": "£", "INR": "₹", "PLN": "zł", "CZK": "Kč", "ILS": "₪", "TRY": "₺",
        "KRW": "₩", "THB": "฿", "HUF": "Ft", "USD": "$", "CAD": "$", "AUD": "$", "SEK": "kr",
        "NOK": "kr", "DKK": "kr", "JPY": "¥", "CNY": "¥", "UAH": "₴", "RUB": "₽", "CHF": "Fr.",
    }
)  # fmt: skip
"""What is printed beside an amount instead of a code."""


@dataclass(frozen=True)
class DateStyle:
    """A pattern of `{d}`, `{dd}`, `{m}`, `{mm}`, `{mon}`, `{month}`, `{yy}`, `{yyyy}`, and its order.

    `is_plain` says that nothing in the pattern itself, no year in front and no name, shows the order.
    """

    pattern: str
    order: DateKind
    is_plain: bool

    def printed(self, day: date, language: Language) -> str:
        """Print a day."""
        month = language.months[day.month - 1] if language.months else ""
        return self.pattern.format(
            d=day.day,
            dd=f"{day.day:02}",
            m=day.month,
            mm=f"{day.month:02}",
            mon=month[:3],
            month=month,
            yy=f"{day.year % 100:02}",
            yyyy=day.year,
        )


def _styles(order: DateKind, patterns: str, *, is_plain: bool) -> tuple[DateStyle, ...]:
    return tuple(DateStyle(pattern, order, is_plain) for pattern in patterns.split("|"))


YEAR_FIRST = _styles(
    "ymd",
    "{yyyy}-{mm}-{dd}|{yyyy}{mm}{dd}|{yyyy}/{mm}/{dd}|{yyyy}.{mm}.{dd}|{yyyy}-{mm}-{dd} 14:05:09"
    "|{yyyy}-{mm}-{dd}T08:30:00Z|{yyyy}/{m}/{d}|{yyyy}. {mm}. {dd}.|{yyyy}.{mm}.{dd}.",
    is_plain=False,
)
IDEOGRAPHIC = _styles("ymd", "{yyyy}年{m}月{d}日|{yyyy}年{mm}月{dd}日", is_plain=False)
HANGUL = _styles("ymd", "{yyyy}년 {m}월 {d}일|{yyyy}년{mm}월{dd}일", is_plain=False)
DAY_FIRST = _styles(
    "dmy",
    "{dd}/{mm}/{yyyy}|{dd}.{mm}.{yyyy}|{dd}-{mm}-{yyyy}|{dd}/{mm}/{yy}|{dd}.{mm}.{yy}|{d}/{m}/{yyyy}"
    "|{d}.{m}.{yyyy}|{dd}/{mm}/{yyyy} 09:15|{dd}.{mm}.{yyyy} 23:59:01|{dd}{mm}{yyyy}|{d}. {m}. {yyyy}",
    is_plain=True,
)
MONTH_FIRST = _styles(
    "mdy",
    "{mm}/{dd}/{yyyy}|{mm}-{dd}-{yyyy}|{mm}/{dd}/{yy}|{m}/{d}/{yyyy}|{mm}/{dd}/{yyyy} 09:15",
    is_plain=True,
)
SHORT_YEAR_FIRST = _styles("ymd", "{yy}-{mm}-{dd}|{yy}/{mm}/{dd}|{yy}.{mm}.{dd}", is_plain=True)
NAMED = _styles(
    "dmy",
    "{d} {month} {yyyy}|{dd} {month} {yyyy}|{d}. {month} {yyyy}|{month} {d}, {yyyy}",
    is_plain=False,
)
ABBREVIATED = _styles(
    "dmy", "{d} {mon} {yyyy}|{dd}-{mon}-{yy}|{dd}-{mon}-{yyyy}|{mon} {dd}, {yyyy}", is_plain=False
)
SHORT_MONTHS = frozenset(["en", "de", "nl", "sv", "no", "da", "es", "it", "pt-PT", "pt-BR"])
"""Languages in which three letters are enough to tell a month."""


@dataclass(frozen=True)
class NumberStyle:
    """A decimal sign, the sign between groups of digits, and whether trailing zeros are left out."""

    decimal: str
    group: str
    trimmed: bool = False
    indian: bool = False

    def printed(self, minor: int, decimals: int) -> str:
        """Print a size in minor units without any sign."""
        digits = f"{abs(minor):0{decimals + 1}}"
        whole, fraction = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
        if self.trimmed:
            fraction = fraction.rstrip("0")
        return self._grouped(whole) + (self.decimal + fraction if fraction else "")

    def _grouped(self, whole: str) -> str:
        last, rest = whole[-3:], whole[:-3]
        width = 2 if self.indian else 3
        groups = [last]
        while rest:
            groups.insert(0, rest[-width:])
            rest = rest[:-width]
        return self.group.join(groups)


NUMBERS = (
    NumberStyle(".", ""),
    NumberStyle(".", ","),
    NumberStyle(",", "."),
    NumberStyle(",", ""),
    NumberStyle(",", " "),
    NumberStyle(",", NBSP),
    NumberStyle(".", "'"),
    NumberStyle(".", " "),
    NumberStyle(".", "’"),
    NumberStyle(",", "\u202f"),
    NumberStyle(".", ",", indian=True),
    NumberStyle(".", "", trimmed=True),
    NumberStyle(",", "", trimmed=True),
    NumberStyle(",", ".", trimmed=True),
)


def with_minus(number: str, minus: Minus) -> str:
    """Print a number as a negative one."""
    if minus == "(1)":
        return f"({number})"
    return minus.replace("1", number)
