"""Amounts in a column of text: which sign is decimal, and all of them to minor units at once.

A number's *shape* is its text with every digit as 9. A column of any length has few shapes, so what
a shape means is found once, and the digits of the whole column are converted together.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from finplan.model.money import exponent, to_minor
from finplan.statements.currencies import currency_of, is_currency

BLANK_SHAPES = frozenset(["", "-", "--", "—", "–", "n/a", "N/A", "NULL", "null"])
"""What stands in a cell without an amount."""

_GLUE = "\x1f"
_TO_SHAPE = {ord(digit): "9" for digit in "012345678"}
_LONGEST = 40
_MOST_DIGITS = 18
_MOST_SHAPES = 20_000
_MINUS = "-−–‐﹣－"
_SPACES = " \t\u00a0\u202f\u2009\u200e\u200f\u061c"
_NO_CENTS = frozenset([",-", ".-", ",--", ".--", ",–", ".–", ",—", ".—"])
_MARKS = {
    "CR": 1, "C": 1, "CREDIT": 1, "H": 1, "HABEN": 1,
    "DR": -1, "D": -1, "DB": -1, "DEBIT": -1, "S": -1, "SOLL": -1,
}  # fmt: skip
_CORE = {
    sign: re.compile(
        rf"(?:9{{1,3}}(?P<group>[{other}'’ \u00a0\u202f\u2009])999(?:(?P=group)999)*"
        rf"|9{{1,2}}(?:[{other}]99)+[{other}]999|9+)?(?:{re.escape(sign)}(?P<fraction>9*))?"
    )
    for sign, other in ((".", ","), (",", "."))
}
"""Whole digits, or groups of three, or India's groups of two; then a fraction."""



class _Digits(dict[int, str | None]):
    """A translation that keeps digits and the glue between cells, and deletes the rest."""

    def __missing__(self, key: int) -> None:
        return None


_ONLY_DIGITS = _Digits({ord(character): character for character in "0123456789" + _GLUE})


class NumberShape(NamedTuple):
    """What a shape means: its printed sign, digits after the decimal sign, mark, currency text.

    `mark` is 1 for a credit mark beside the number, -1 for a debit mark, 0 without one.
    """

    sign: int
    decimals: int
    mark: int
    unit: str


def shapes_of(cells: Sequence[str]) -> list[str]:
    """Give the shape of each cell."""
    return _GLUE.join(cells).translate(_TO_SHAPE).split(_GLUE) if cells else []


@lru_cache(maxsize=_MOST_SHAPES)
def read_shape(shape: str, decimal_sign: str) -> NumberShape | None:
    """Understand a shape, None when it is no number with that decimal sign."""
    first, last = shape.find("9"), shape.rfind("9")
    if first < 0 or len(shape) > _LONGEST or shape.count("9") > _MOST_DIGITS:
        return None
    before, core, after = shape[:first], shape[first : last + 1], shape[last + 1 :]
    if before.endswith(decimal_sign) and not before[-2:-1].isalpha():
        before, core = before[:-1], decimal_sign + core
    if after.strip() in _NO_CENTS:
        after = ""
    elif after.startswith(decimal_sign):
        after = after[1:]
    found = _CORE[decimal_sign].fullmatch(core)
    around = _read_around(before, after)
    if found is None or around is None:
        return None
    sign, mark, unit = around
    return NumberShape(sign, len(found["fraction"] or ""), mark, unit)


def _read_around(before: str, after: str) -> tuple[int, int, str] | None:
    """Understand what stands around a number: its sign, its debit or credit mark, its currency."""
    in_parentheses = "(" in before and ")" in after
    text = f"{before} {after}"
    minuses = sum(text.count(character) for character in _MINUS)
    if in_parentheses:
        text = text.replace("(", "", 1).replace(")", "", 1)
    words = re.sub(rf"[+{_MINUS}{_SPACES}'\"]", " ", text).split()
    marks = [_MARKS[word.rstrip(".").upper()] for word in words if _is_mark(word)]
    unit = "".join(word for word in words if not _is_mark(word))
    if minuses > 1 or len(marks) > 1 or (unit and not _is_unit(unit)):
        return None
    return -1 if minuses or in_parentheses else 1, marks[0] if marks else 0, unit


def _is_mark(word: str) -> bool:
    return word.rstrip(".").upper() in _MARKS


def _is_unit(text: str) -> bool:
    """Accept known currencies, and short signs of scripts whose currencies are not listed."""
    return is_currency(text) or (len(text) <= 6 and not text.isascii())


class DecimalEvidence:
    """Collects from whole columns which sign is decimal: one sign holds for all of a file."""

    def __init__(self) -> None:
        self.units: set[str] = set()
        self.marks: set[int] = set()
        self._votes: set[str] = set()
        self._seen: set[str] = set()
        self._undecided = ""
        self._third_digit_counts = False

    def add(self, cells: Sequence[str]) -> None:
        """Take in a run of a column's cells."""
        fresh = set(shapes_of(cells)) - self._seen
        if len(self._seen) < _MOST_SHAPES:
            self._seen |= {shape for shape in fresh if len(shape) <= _LONGEST}
        groups = [shape for shape in fresh if self._is_undecided(shape)]
        if groups and not self._votes:
            self._look_at_digits(cells, shapes_of(cells))

    def _is_undecided(self, shape: str) -> bool:
        """Take in one shape; say whether its only separator stands before three last digits."""
        readings = {sign: read_shape(shape, sign) for sign in ".,"}
        fits = [sign for sign, reading in readings.items() if reading is not None]
        for sign in fits:
            self.units.add(readings[sign].unit)
