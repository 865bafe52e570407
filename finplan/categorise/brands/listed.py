"""The list of brands, looked up by halving: a name is found in it in about a microsecond.

It is kept as the lines of the file, in order, since a table of objects would take ten times the room.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from finplan.categorise.brands.kinds import BrandKind, kinds, sold_by_word
from finplan.categorise.curated import Merchant, merchant_named

_MOST_WORDS = 5
_SURE = 0.93
_DOUBTED = 0.75
"""A name of common words may be a local shop's, so that it only suggests."""


class Brand(NamedTuple):
    """A brand as one of its names tells it.

    By its `level` a name "owns" whatever follows it; it is the brand's where a town follows ("placed",
    and "doubtful" where it may be another's, too), or only where no other name does ("alone").
    """

    merchant: Merchant
    kind: BrandKind
    level: str


def brand_at(name: Sequence[str], position: int) -> tuple[int, Brand] | None:
    """The brand whose longest name stands at `position`, with the number of its tokens."""
    first = name[position]
    if first not in openings():
        return None
    longest = min(_MOST_WORDS, len(name) - position)
    if longest > 1 and _opens(f"{first} {name[position + 1]}"):
        for length in range(longest, 1, -1):
            brand = _named(" ".join(name[position : position + length]))
            if brand is not None:
                return length, brand
    alone = _named(first)
    return None if alone is None else (1, alone)


def _opens(words: str) -> bool:
    """Whether some name begins so."""
    listed = _lines()
    place = bisect_left(listed, words)
    return place < len(listed) and listed[place].startswith(words)


def brand_named(key: str) -> Merchant | None:
    """The brand of which `key` is one of the names, and nothing else."""
    brand = _named(key)
    return None if brand is None else brand.merchant


def brand_cut(name: str) -> Merchant | None:
    """The only brand that owns what follows and whose name goes on inside the last word of this one."""
    listed = _lines()
    found: Merchant | None = None
    for place in range(bisect_left(listed, name), len(listed)):
        line = listed[place]
        if not line.startswith(name):
            break
        brand = _read(line)
        if line[len(name)] in " \t" or brand.level != "owns" or found not in {None, brand.merchant}:
            return None
        found = brand.merchant
    return found


def phrases() -> list[str]:
    """Every name of the list."""
    return [line.partition("\t")[0] for line in _lines()]


@cache
def openings() -> frozenset[str]:
    """The words that may open a brand's name or say what it is before it, which most payees lack."""
    firsts = (line.partition("\t")[0].partition(" ")[0] for line in _lines())
    return frozenset(firsts) | sold_by_word().keys()


@cache
def _lines() -> Sequence[str]:
    """The lines of the list in order; a tab sorts before a space, and so a name before longer ones."""
    return files(__package__).joinpath("brands.txt").read_text("utf-8").splitlines()


def _named(phrase: str) -> Brand | None:
    listed = _lines()
    place = bisect_left(listed, f"{phrase}\t")
    found = place < len(listed) and listed[place].startswith(f"{phrase}\t")
    return _read(listed[place]) if found else None


def _read(line: str) -> Brand:
    _, key, name, named, level = line.split("\t")
    kind = kinds()[named]
    known = merchant_named(key)
    if known is not None:
        return Brand(known, kind, level)
    sold, sure = kind.category, _DOUBTED if level == "doubtful" else _SURE
    merchant = Merchant(key, name, sold, sold, sure, kind.ask, people=False, alternatives=())
    return Brand(merchant, kind, level)
