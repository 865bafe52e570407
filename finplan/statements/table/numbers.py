"""Amounts in a column of text: which sign is decimal, and all of them to minor units at once.

A column of any length has few shapes, so what a shape means is found once, and the digits of the whole
column are converted together.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import NamedTuple
from unicodedata import category

from finplan.model.money import exponent
from finplan.statements.statement import (
    AmbiguousStatement,
    Choice,
    Question,
    UnreadableStatement,
)
from finplan.statements.text.currencies import is_currency
from finplan.statements.text.descriptors import digits_of, shortened

BLANK_SHAPES = frozenset(["", "-", "--", "—", "–", "n/a", "N/A", "NULL", "null"])
"""What stands in a cell without an amount."""

_LONGEST = 40
_MOST_DIGITS = 18
_MOST_SHAPES = 20_000
_MINUS = "-−–‐﹣－▲△"
"""The triangles are how banks in Japan print a minus."""

_OF_SIGNS = frozenset(["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Sc"])
"""The Unicode categories of letters, of the marks that belong to them, and of signs of money."""

_SPACES = " \t\u00a0\u202f\u2009\u200e\u200f\u061c"
_BESIDE = re.compile(rf"[+{re.escape(_MINUS)}{_SPACES}'\"]")
_NO_CENTS = frozenset([",-", ".-", ",--", ".--", ",–", ".–", ",—", ".—"])
_MARKS = {
    "CR": 1, "C": 1, "CREDIT": 1, "H": 1, "HABEN": 1,
    "DR": -1, "D": -1, "DB": -1, "DEBIT": -1, "S": -1, "SOLL": -1,
}  # fmt: skip
_CORE = {
    sign: re.compile(
        rf"(?:9{{1,3}}(?P<group>[{group_sign}'’ \u00a0\u202f\u2009])999(?:(?P=group)999)*"
        rf"|9{{1,2}}(?:[{group_sign}]99)+[{group_sign}]999|9+)?(?:{re.escape(sign)}(?P<fraction>9*))?"
    )
    for sign, group_sign in ((".", ","), (",", "."))
}
"""Whole digits, or groups of three, or India's groups of two; then a fraction."""

_ODD_GROUPS = re.compile(
    r"\D{0,4}\d{1,3}(?:([^\d\s.,'’])\d{3})(?:\1\d{3})*[.,]\d{2,3}\D{0,4}"
    r"|(?:[A-Z]{3} ?)?[-+]? ?\d{1,3}([^\x00-\x7f]{1,2})\d{3}(?:\2\d{3})*(?:[.,]\d{1,3})?(?: ?[A-Z]{3})?"
)
"""Groups of thousands parted by any sign, or by one or two that are no ASCII where no cents follow."""

_NEVER_CENTS = frozenset(
    ["COP", "HUF", "IDR", "IRR", "KHR", "LAK", "LBP", "MMK", "MNT", "TZS", "UZS"]
)
"""Currencies that have two decimals by ISO 4217 and none in use."""

_WITH_POINT = frozenset(
    ["AED", "AUD", "CAD", "CHF", "CNY", "EGP", "GBP", "GHS", "HKD", "ILS", "INR", "KES", "LKR", "MXN",
     "MYR", "NGN", "NZD", "PHP", "PKR", "QAR", "SAR", "SGD", "THB", "TWD", "USD"]
)  # fmt: skip
"""Currencies whose countries print a decimal point; the others print a comma."""

_ONE_SEPARATOR = re.compile(r"(?<![\d.,])(\d{1,3})([.,])\d{3}(?![\d.,])")


class NumberShape(NamedTuple):
    """What a shape means: its printed sign, digits after the decimal sign, mark, currency text.

    `mark` is 1 for a credit mark beside the number, -1 for a debit mark, 0 without one.
    """

    sign: int
    decimals: int
    mark: int
    unit: str


def read_shape(shape: str, decimal_sign: str) -> NumberShape | None:
    """Understand a shape, None when it is no number with that decimal sign."""
    return _read_short(shape, decimal_sign) if len(shape) <= _LONGEST else None


def has_odd_groups(cell: str) -> bool:
    """Say whether a cell may be a number whose thousands are parted by a sign of another encoding."""
    return _ODD_GROUPS.fullmatch(cell) is not None


def is_blank(shape: str) -> bool:
    """Say whether a cell of this shape holds no amount."""
    return shape in BLANK_SHAPES or shape.strip(_SPACES) in BLANK_SHAPES


@lru_cache(maxsize=_MOST_SHAPES)
def _read_short(shape: str, decimal_sign: str) -> NumberShape | None:
    first, last = shape.find("9"), shape.rfind("9")
    if first < 0 or shape.count("9") > _MOST_DIGITS:
        return None
    before, core, after = shape[:first], shape[first : last + 1], shape[last + 1 :]
    if before.endswith(decimal_sign) and not before[-2:-1].isalpha():
        before, core = before[:-1], decimal_sign + core
    if after.strip() in _NO_CENTS:
        after = ""
    elif after.startswith(decimal_sign):
        after = after[1:]
    match = _CORE[decimal_sign].fullmatch(core)
    around = _read_around(before, after)
    if match is None or around is None:
        return None
    sign, mark, unit = around
    return NumberShape(sign, len(match["fraction"] or ""), mark, unit)


def _read_around(before: str, after: str) -> tuple[int, int, str] | None:
    """Understand what stands around a number: its sign, its debit or credit mark, its currency."""
    in_parentheses = "(" in before and ")" in after
    text = f"{before} {after}"
    minuses = sum(text.count(character) for character in _MINUS)
    if in_parentheses:
        text = text.replace("(", "", 1).replace(")", "", 1)
    tokens = _BESIDE.sub(" ", text).split()
    marks = [_MARKS[token.rstrip(".").upper()] for token in tokens if _is_mark(token)]
    unit = "".join(token for token in tokens if not _is_mark(token))
    if minuses > 1 or len(marks) > 1 or (unit and not _is_unit(unit)):
        return None
    mark = marks[0] if marks else int("+" in text)
    return -1 if minuses or in_parentheses else 1, mark, unit


def _is_mark(text: str) -> bool:
    return text.rstrip(".").upper() in _MARKS


def _is_unit(text: str) -> bool:
    """Accept known currencies, and short signs of scripts whose currencies are not listed.

    What is no letter and no sign of money comes of a text in another encoding, and may be a minus there.
    """
    if is_currency(text):
        return True
    is_word = all(character == "." or category(character) in _OF_SIGNS for character in text)
    return is_word and len(text) <= 6 and not text.isascii()


@dataclass(slots=True)
class NumberFacts:
    """What one column's numbers carry beside their digits."""

    units: set[str] = field(default_factory=set)
    marks: set[int] = field(default_factory=set)
    unmarked_signs: set[int] = field(default_factory=set)
    has_cents: bool = False

    @property
    def unmarked(self) -> int:
        """The sign of numbers without a mark: where only credits are marked, they are debits."""
        return -1 if self.marks == {0, 1} and self.unmarked_signs == {1} else 1

    @property
    def tells_sign(self) -> bool:
        """Whether a mark, or a plus or a minus, tells of every number which way it goes."""
        return 1 in self.marks and (0 not in self.marks or len(self.unmarked_signs) == 1)


class NumberEvidence:
    """Collects from whole columns which sign is decimal: one sign holds for all of a file."""

    def __init__(self) -> None:
        self.facts: defaultdict[int, NumberFacts] = defaultdict(NumberFacts)
        self._votes: dict[str, str] = {}
        self._undecided: dict[str, str] = {}
        self._seen: defaultdict[int, set[str]] = defaultdict(set)

    def add(self, column: int, cells: Sequence[str], shapes: Sequence[str]) -> None:
        """Take in a run of one column's cells with their shapes."""
        known_shapes = self._seen[column]
        fresh = [shape for shape in dict.fromkeys(shapes) if shape not in known_shapes]
        if len(known_shapes) < _MOST_SHAPES:
            known_shapes |= {shape for shape in fresh if len(shape) <= _LONGEST}
        left_open = [shape for shape in fresh if self._leaves_open(shape, self.facts[column])]
        if not self._votes and (left_open or self._undecided):
            self._look_at_digits(cells)

    def _leaves_open(self, shape: str, facts: NumberFacts) -> bool:
        """Take in a shape; say whether it has one separator, before exactly three last digits."""
        readings = {sign: read_shape(shape, sign) for sign in (".", ",")}
        possible = [(sign, reading) for sign, reading in readings.items() if reading is not None]
        for sign, reading in possible:
            facts.units.add(reading.unit)
            facts.marks.add(reading.mark)
            if not reading.mark:
                facts.unmarked_signs.add(reading.sign)
            if len(possible) == 1:
                facts.has_cents = facts.has_cents or reading.decimals > 0
                self._votes.setdefault(sign, shape)
        return len(possible) == 2 and possible[0][1].decimals != possible[1][1].decimals

    def _look_at_digits(self, cells: Sequence[str]) -> None:
        """Let digits speak: no group of thousands follows a lone zero."""
        for cell in cells:
            match = _ONE_SEPARATOR.search(cell)
            if match is None:
                continue
            before, separator = match.groups()
            self._undecided.setdefault(separator, cell.strip())
            if before == "0":
                self._votes.setdefault(separator, cell)

    @property
    def is_open(self) -> bool:
        """Say whether amounts have a separator and nothing says yet what it is."""
        return bool(self._undecided) and not self._votes

    @property
    def proves_comma(self) -> bool:
        """Say whether some amount can only have a decimal comma."""
        return "," in self._votes

    def conclude(self, currency: str, hint: str | None) -> str:
        """Say which sign is decimal.

        Where every amount looks like 1.000, the currency decides if it can: one of three decimals
        makes it a decimal sign, one without any in use thousands. Two decimals prove neither, because
        programs print three of them. Raises AmbiguousStatement when nothing decides,
        UnreadableStatement when the file contradicts itself.
        """
        if len(self._votes) == 1:
            return next(iter(self._votes))
        examples = self._undecided | self._votes
        if len(examples) == 2:
            raise UnreadableStatement(
                "Some amounts have a decimal point and others a decimal comma:"
                f" {shortened(examples['.'])} and {shortened(examples[','])}. Export the file"
                " again with only one of the two."
            )
        if not examples:
            return "."
        if hint is not None:
            return hint
        (separator, example), *_ = examples.items()
        example = shortened(example)
        group_sign = "," if separator == "." else "."
        if exponent(currency) == 3:
            return separator
        if exponent(currency) == 0 or currency in _NEVER_CENTS:
            return group_sign
        thousands = Choice(group_sign, "Thousands", f"{example} is more than a thousand")
        decimals = Choice(separator, "Decimals", f"{example} has three decimals")
        is_own = separator == ("." if currency in _WITH_POINT else ",")
        raise AmbiguousStatement(
            Question(
                "decimal_sign",
                f"Does “{separator}” in {example} separate thousands or decimals?",
                (decimals, thousands) if is_own else (thousands, decimals),
            )
        )


class AmountConverter:
    """Converts columns of printed amounts to minor units of one currency.

    `unmarked` is the sign of numbers without a credit or debit mark, as NumberFacts has it.
    """

    def __init__(self, decimal_sign: str, currency: str, unmarked: int = 1) -> None:
        self._decimal_sign = decimal_sign
        self._exponent = exponent(currency)
        self._unmarked = unmarked
        self._factors: dict[str, int | Fraction | None] = dict.fromkeys(BLANK_SHAPES, 1)

    def knows(self, shapes: Collection[str]) -> bool:
        """Say whether all shapes are numbers or blank."""
        return None not in {self._factor(shape) for shape in shapes}

    def convert(self, cells: Sequence[str], shapes: Sequence[str]) -> list[int]:
        """Convert cells of known shapes; a blank one is 0, too many decimals round half-even."""
        factors = {shape: self._factor(shape) for shape in set(shapes)}
        scaled = map(mul, digits_of(cells), map(factors.__getitem__, shapes))
        if all(isinstance(factor, int) for factor in factors.values()):
            return list(scaled)
        return [round(value) for value in scaled]

    def rounded(self, cells: Sequence[str], shapes: Sequence[str]) -> list[tuple[int, int]]:
        """Give those cells of known shapes that lose a decimal: their places, and what they become."""
        fine = {shape for shape in set(shapes) if isinstance(self._factor(shape), Fraction)}
        if not fine:
            return []
        places = [index for index, shape in enumerate(shapes) if shape in fine]
        digits = digits_of([cells[index] for index in places])
        exact = [
            number * (self._factor(shapes[index]) or 0)
            for index, number in zip(places, digits, strict=True)
        ]
        return [
            (index, round(value)) for index, value in zip(places, exact, strict=True) if value % 1
        ]

    def _factor(self, shape: str) -> int | Fraction | None:
        """What the bare digits of a shape are multiplied with; None when it is no number."""
        if shape in self._factors:
            return self._factors[shape]
        number = read_shape(shape, self._decimal_sign)
        factor: int | Fraction | None = 1 if is_blank(shape) else None
        if number is not None:
            sign = number.mark or number.sign * self._unmarked
            power = self._exponent - number.decimals
            factor = sign * 10**power if power >= 0 else sign * Fraction(1, 10**-power)
        if len(self._factors) < _MOST_SHAPES and len(shape) <= _LONGEST:
            self._factors[shape] = factor
        return factor
