"""Brands of shops and firms beside the curated ones: whose name opens a payee's, and what they sell.

The names are from the name-suggestion-index of OpenStreetMap, © its contributors, whose licence stands
in `brands_license.md`; `benchmarks/brands/make.py` makes `brands.txt` from it. What kinds of brands
there are, what a household buys there, and which words say so of a payee stands in `brand_kinds.toml`.

The list is looked up by halving: a name is found in it in about a microsecond. It is kept as the lines
of the file, in order, since a table of objects would take ten times the room.

The words around a brand's name must not make another of it: "Krys Jarnac" is Krys in a town, and so is
"Opticien Krys"; "Krys Plumbing" and "Gifi & Sons" are others.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from finplan.categorise.curated import Merchant, curated, merchant_at, merchant_named, read_shipped
from finplan.categorise.grammar import Grammar
from finplan.categorise.places import is_place


@dataclass(frozen=True, slots=True)
class BrandKind:
    """One kind of brands; `words` are those that rows write beside a brand for what it is.

    `category` is None where only the person knows it; with `ask` it is a guess.
    """

    category: str | None
    ask: bool
    words: frozenset[str]
    classes: tuple[str, ...]


@cache
def brand_kinds() -> Mapping[str, BrandKind]:
    """The kinds by their names, read on first use and then kept."""
    return {
        name: BrandKind(
            told.get("category"),
            told.get("ask", False),
            frozenset(told.get("words", "").split()),
            tuple(told["classes"].split()),
        )
        for name, told in read_shipped("brand_kinds").items()
    }


@cache
def sold_by_word() -> Mapping[str, str]:
    """The category of each word for a kind of shop, which tells one."""
    return {
        word: kind.category
        for kind in brand_kinds().values()
        if kind.category is not None and not kind.ask
        for word in kind.words
    }


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
    if first not in brand_openings():
        return None
    longest = min(_MOST_WORDS, len(name) - position)
    if longest > 1 and _opens(f"{first} {name[position + 1]}"):
        for length in range(longest, 1, -1):
            brand = _brand_with_phrase(" ".join(name[position : position + length]))
            if brand is not None:
                return length, brand
    alone = _brand_with_phrase(first)
    return None if alone is None else (1, alone)


def _opens(words: str) -> bool:
    """Whether some name begins so."""
    listed = _lines_of_brands()
    place = bisect_left(listed, words)
    return place < len(listed) and listed[place].startswith(words)


def brand_named(key: str) -> Merchant | None:
    """The brand of which `key` is one of the names, and nothing else."""
    brand = _brand_with_phrase(key)
    return None if brand is None else brand.merchant


def brand_cut(name: str) -> Merchant | None:
    """The only brand that owns what follows and whose name goes on inside the last word of this one."""
    listed = _lines_of_brands()
    found: Merchant | None = None
    for place in range(bisect_left(listed, name), len(listed)):
        line = listed[place]
        if not line.startswith(name):
            break
        brand = _brand_in_line(line)
        if line[len(name)] in " \t" or brand.level != "owns" or found not in {None, brand.merchant}:
            return None
        found = brand.merchant
    return found


@cache
def brand_openings() -> frozenset[str]:
    """The words that may open a brand's name or say what it is before it, which most payees lack."""
    firsts = (line.partition("\t")[0].partition(" ")[0] for line in _lines_of_brands())
    return frozenset(firsts) | sold_by_word().keys()


@cache
def _lines_of_brands() -> Sequence[str]:
    """The lines of the list in order; a tab sorts before a space, and so a name before longer ones."""
    return files(__package__).joinpath("brands.txt").read_text("utf-8").splitlines()


def _brand_with_phrase(phrase: str) -> Brand | None:
    listed = _lines_of_brands()
    place = bisect_left(listed, f"{phrase}\t")
    found = place < len(listed) and listed[place].startswith(f"{phrase}\t")
    return _brand_in_line(listed[place]) if found else None


def _brand_in_line(line: str) -> Brand:
    _, key, name, named, level = line.split("\t")
    kind = brand_kinds()[named]
    known = merchant_named(key)
    if known is not None:
        return Brand(known, kind, level)
    sold, sure = kind.category, _DOUBTED if level == "doubtful" else _SURE
    merchant = Merchant(key, name, sold, sold, sure, kind.ask, people=False, alternatives=())
    return Brand(merchant, kind, level)


_FORMS_OF_FIRMS = frozenset(("spa", "sa"))
"""Legal forms that are words elsewhere."""
_LEAST_CUT_NAME = 10
_LEAST_CUT_WORD = 3
_LEAST_CUT_WORDS = 2


def brand_written(distinctive: list[str], name: list[str], words: Grammar) -> Merchant | None:
    """The brand whose name this is, as it is written, in one spelling of its words, or cut off.

    `distinctive` are the words in one spelling, without those that say no more.
    """
    opens = brand_openings()
    found = _brand_of(name, words) if name[0] in opens else None
    if found is not None or distinctive[0] not in opens:
        return found
    if distinctive != name:
        found = _brand_of(distinctive, words)
    return found or _cut_brand(distinctive, words)


def _brand_of(name: list[str], words: Grammar) -> Merchant | None:
    """The brand that a name is of, with its branch, its town or what it sells beside it."""
    found = brand_at(name, 0)
    if found is not None:
        length, brand = found
        return brand.merchant if _belongs(name[length:], brand, words) else None
    if len(name) > 1 and name[0] in sold_by_word():
        return _behind_trade(name, words)
    return None


def _cut_brand(name: Sequence[str], words: Grammar) -> Merchant | None:
    """The brand whose name a bank has cut off inside its last word, as in "Carpet Righ"."""
    if len(name) < _LEAST_CUT_WORDS or len(name[-1]) < _LEAST_CUT_WORD or name[-1] in words.trades:
        return None
    key = " ".join(name)
    return brand_cut(key) if len(key) >= _LEAST_CUT_NAME else None


def _behind_trade(name: list[str], words: Grammar) -> Merchant | None:
    """The brand before which a row writes what it is: "Supermercado Gadis", "Pharmacie Lafayette"."""
    sold = sold_by_word()
    at = 1
    while at < len(name) - 1 and name[at] in sold:
        at += 1
    trade = name[at - 1]
    known = merchant_at(name, at)
    if known is not None:
        merchant = known[1]
        tail = name[at + known[0] :]
        return merchant if _sells(merchant, sold[trade]) and words.trades.isdisjoint(tail) else None
    found = brand_at(name, at)
    if found is None:
        return None
    length, brand = found
    said = [trade, *name[at + length :]]
    fits = _sells(brand.merchant, sold[trade]) and _belongs(said, brand, words)
    return brand.merchant if fits else None


def _sells(merchant: Merchant, sold: str | None) -> bool:
    return merchant.out == sold and not (merchant.ask or merchant.people)


def _belongs(tail: Sequence[str], brand: Brand, words: Grammar) -> bool:
    """Whether what follows a brand's name is a branch of it: no other trade, and no other name."""
    if not tail:
        return True
    if not curated().distinct.isdisjoint(tail):
        return False
    others = [word for word in tail if not _says_no_more(word, brand, words)]
    if not others or brand.level == "alone":
        return not others
    told = brand.level == "placed" and not brand.kind.words.isdisjoint(tail)
    if brand.level == "owns" or told:
        return words.trades.isdisjoint(others) and words.lines.keys().isdisjoint(others)
    return is_place(others, words)


def _says_no_more(word: str, brand: Brand, words: Grammar) -> bool:
    """Whether a word beside a brand is a number, says "shop", or says what the brand is anyway."""
    return (
        word.isdigit()
        or word in words.generic
        or word in words.legal
        or word in _FORMS_OF_FIRMS
        or word in brand.kind.words
    )
