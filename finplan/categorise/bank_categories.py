"""What a bank's own category of a row says: a code of the trade, or the column in which it sorts.

A code is a merchant category code (ISO 18245) or Plaid's category. The table of columns is
`bank_categories.toml`. It only suggests, in words of its own: a bank sorts what it does not know, too,
and its "Food & Drink" may be the machine in a pub that gives cash.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import CuratedMatch, Direction, read_shipped
from finplan.categorise.tokens import tokens_of

COLUMN_CONFIDENCE = 0.6
"""Likelier than not, and far from what files a payee."""

_CODE_OF_A_COLUMN = "category:"
"""What a bank's own category begins with among the codes of rows."""

_LONGEST_CATEGORY = 60
_BETWEEN_PARTS = re.compile(r"[-:/>|]")


def category_code(text: str) -> str | None:
    """A bank's own category of a row as the row's code; None where it says nothing."""
    plain = text.strip()
    return f"{_CODE_OF_A_COLUMN}{plain}" if 0 < len(plain) <= _LONGEST_CATEGORY else None


def match_category_code(code: str) -> CuratedMatch | None:
    """What a code hints at that is a bank's own category; None for another code or an unknown one."""
    if not code.startswith(_CODE_OF_A_COLUMN):
        return None
    name = code.removeprefix(_CODE_OF_A_COLUMN)
    parts = _BETWEEN_PARTS.split(name)
    for part in (name, parts[-1], parts[0]):
        category = _categories().get(_folded_category(part))
        if category is not None:
            text = f"Your bank's category '{name}' suggests: {_label(category)}"
            return CuratedMatch(category, COLUMN_CONFIDENCE, text)
    return None


@cache
def _categories() -> Mapping[str, str]:
    """The category of each value that banks use, read on first use and then kept."""
    return {
        _folded_category(value): category
        for category, values in read_shipped("bank_categories").items()
        for value in values.split(",")
    }


def _folded_category(value: str) -> str:
    return " ".join(tokens_of(value))


_CODE_CONFIDENCE = 0.93
_BROAD_CONFIDENCE = 0.55


@dataclass(frozen=True, slots=True)
class MerchantCodes:
    """The shipped tables, code to category; codes of four digits are numbers, others are Plaid's."""

    merchant: Mapping[int, str]
    broad: Mapping[int, str]
    detailed: Mapping[Direction, Mapping[str, str]]
    hint: Mapping[str, str]


@cache
def merchant_codes() -> MerchantCodes:
    """The shipped tables, read on first use and then kept."""
    shipped = read_shipped("codes")
    return MerchantCodes(
        merchant=_numbered(shipped["merchant"]),
        broad=_numbered(shipped["broad"]),
        detailed={"out": _split_names(shipped["out"]), "in": _split_names(shipped["in"])},
        hint=_split_names(shipped["hint"]),
    )


def match_code(code: str, direction: Direction = "out") -> CuratedMatch | None:
    """What a bank's code says of money in one direction; None for no one thing.

    Four digits are a merchant code, which speaks of shops and so of money out. Anything else is a value
    of Plaid's `personal_finance_category`: `detailed`, or `primary` where there is no other. A code of
    many trades only suggests, and so does a statement's own category, which speaks of money out alone.
    Hand in Plaid's only where its `confidence_level` is HIGH or VERY_HIGH.
    """
    if (own := match_category_code(code)) is not None:
        return own if direction == "out" else None
    if code.isascii() and code.isdigit():
        return _merchant_of_code(int(code), code) if direction == "out" else None
    category = merchant_codes().detailed[direction].get(code)
    if category is not None:
        return CuratedMatch(category, _CODE_CONFIDENCE, f"Your bank says: {_label(category)}")
    opposite = merchant_codes().detailed["in" if direction == "out" else "out"]
    hinted = None if code in opposite else _hinted(code)
    if hinted is None or (BUILT_IN[hinted].flow == "spending") != (direction == "out"):
        return None
    return CuratedMatch(hinted, _BROAD_CONFIDENCE, f"Your bank suggests: {_label(hinted)}")


def _merchant_of_code(number: int, code: str) -> CuratedMatch | None:
    codes = merchant_codes()
    if (category := codes.merchant.get(number)) is not None:
        return CuratedMatch(category, _CODE_CONFIDENCE, f"Merchant code {code}: {_label(category)}")
    if (category := codes.broad.get(number)) is not None:
        text = f"Merchant code {code} suggests: {_label(category)}"
        return CuratedMatch(category, _BROAD_CONFIDENCE, text)
    return None


_NEVER_HINTED = frozenset(
    {"GENERAL_MERCHANDISE_ONLINE_MARKETPLACES", "GENERAL_MERCHANDISE_SUPERSTORES"}
)


def _hinted(code: str) -> str | None:
    """The category of the primary value that a detailed one starts with."""
    if code in _NEVER_HINTED:
        return None
    hints = merchant_codes().hint
    for primary in sorted(hints, key=len, reverse=True):
        if code == primary or code.startswith(f"{primary}_"):
            return hints[primary]
    return None


def _label(category: str) -> str:
    return BUILT_IN[category].label.lower()


def _split_names(table: Mapping[str, str]) -> dict[str, str]:
    return {name: category for category, names in table.items() for name in names.split()}


def _numbered(table: Mapping[str, str]) -> dict[int, str]:
    return {
        number: category for category, ranges in table.items() for number in _each_in_ranges(ranges)
    }


def _each_in_ranges(ranges: str) -> Iterator[int]:
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)
