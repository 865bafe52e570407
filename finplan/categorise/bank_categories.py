"""What a bank's own category of a row hints at: the column of a statement in which the bank sorts it.

The table is `bank_categories.toml`. It only suggests, in words of its own: a bank sorts what it does not
know, too, and its "Food & Drink" may be the machine in a pub that gives cash.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import CuratedMatch
from finplan.categorise.tokens import tokens_of

CONFIDENCE = 0.6
"""Likelier than not, and far from what files a payee."""

_CODE = "category:"
"""What a bank's own category begins with among the codes of rows."""

_LONGEST = 60
_PARTS = re.compile(r"[-:/>|]")


def category_code(said: str) -> str | None:
    """A bank's own category of a row as the row's code; None where it says nothing."""
    plain = said.strip()
    return f"{_CODE}{plain}" if 0 < len(plain) <= _LONGEST else None


def match_category_code(code: str) -> CuratedMatch | None:
    """What a code hints at that is a bank's own category; None for another code or an unknown one."""
    if not code.startswith(_CODE):
        return None
    said = code.removeprefix(_CODE)
    parts = _PARTS.split(said)
    for part in (said, parts[-1], parts[0]):
        category = _categories().get(_folded(part))
        if category is not None:
            label = BUILT_IN[category].label.lower()
            text = f"The statement's own category '{said}' hints at: {label}"
            return CuratedMatch(category, CONFIDENCE, text)
    return None


@cache
def _categories() -> Mapping[str, str]:
    """The category of each value that banks use, read on first use and then kept."""
    shipped = tomllib.loads(
        files(__package__).joinpath("bank_categories.toml").read_text(encoding="utf-8")
    )
    return {
        _folded(value): category
        for category, values in shipped.items()
        for value in values.split(",")
    }


def _folded(value: str) -> str:
    return " ".join(tokens_of(value))
