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

from finplan.categorise.curated import Merchant, curated, find_merchant, merchant_at, read_shipped
from finplan.categorise.grammar import Grammar
from finplan.categorise.places import is_place


@dataclass(frozen=True, slots=True)
class BrandKind:
    """One kind of brands; `trade_words` are those that rows write beside a brand for what it is.

    `category` is None where only the person knows it; with `ask` it is a guess.
    """

    category: str | None
    ask: bool
    trade_words: frozenset[str]
    classes: tuple[str, ...]


@cache
def brand_kinds() -> Mapping[str, BrandKind]:
    """The kinds by their names, read on first use and then kept."""
    return {
        name: BrandKind(
            entry.get("category"),
            entry.get("ask", False),
            frozenset(entry.get("words", "").split()),
            tuple(entry["classes"].split()),
        )
        for name, entry in read_shipped("brand_kinds").items()
    }


@cache
def sold_by_word() -> Mapping[str, str]:
    """The category of each word for a kind of shop, which tells one."""
    return {
        trade_word: kind.category
        for kind in brand_kinds().values()
        if kind.category is not None and not kind.ask
        for trade_word in kind.trade_words
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


def _opens(phrase: str) -> bool:
    """Whether some name begins so."""
    listed = _lines_of_brands()
    index = bisect_left(listed, phrase)
    return index < len(listed) and listed[index].startswith(phrase)


def find_brand(key: str) -> Merchant | None:
    """The brand of which `key` is one of the names, and nothing else."""
    brand = _brand_with_phrase(key)
    return None if brand is None else brand.merchant


def brand_cut(name: str) -> Merchant | None:
    """The only brand that owns what follows and whose name goes on inside the last word of this one."""
    listed = _lines_of_brands()
    match: Merchant | None = None
    for index in range(bisect_left(listed, name), len(listed)):
        line = listed[index]
        if not line.startswith(name):
            break
        brand = _brand_in_line(line)
        if line[len(name)] in " \t" or brand.level != "owns" or match not in {None, brand.merchant}:
            return None
        match = brand.merchant
    return match


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
    index = bisect_left(listed, f"{phrase}\t")
    is_listed = index < len(listed) and listed[index].startswith(f"{phrase}\t")
    return _brand_in_line(listed[index]) if is_listed else None


def _brand_in_line(line: str) -> Brand:
    _, key, name, label, level = line.split("\t")
    kind = brand_kinds()[label]
    listed = find_merchant(key)
    if listed is not None:
        return Brand(listed, kind, level)
    sold, sure = kind.category, _DOUBTED if level == "doubtful" else _SURE
    merchant = Merchant(key, name, sold, sold, sure, kind.ask, people=False, alternatives=())
    return Brand(merchant, kind, level)


_FORMS_OF_FIRMS = frozenset(("spa", "sa"))
"""Legal forms that are words elsewhere."""
_LEAST_CUT_NAME = 10
_LEAST_CUT_WORD = 3
_LEAST_CUT_WORDS = 2


def brand_written(distinctive: list[str], name: list[str], vocab: Grammar) -> Merchant | None:
    """The brand whose name this is, as it is written, in one spelling of its words, or cut off.

    `distinctive` are the words in one spelling, without those that say no more.
    """
    opens = brand_openings()
    brand = _brand_of(name, vocab) if name[0] in opens else None
    if brand is not None or distinctive[0] not in opens:
        return brand
    if distinctive != name:
        brand = _brand_of(distinctive, vocab)
    return brand or _cut_brand(distinctive, vocab)


def _brand_of(name: list[str], vocab: Grammar) -> Merchant | None:
    """The brand that a name is of, with its branch, its town or what it sells beside it."""
    brand_match = brand_at(name, 0)
    if brand_match is not None:
        length, brand = brand_match
        return brand.merchant if _belongs(name[length:], brand, vocab) else None
    if len(name) > 1 and name[0] in sold_by_word():
        return _behind_trade(name, vocab)
    return None


def _cut_brand(name: Sequence[str], vocab: Grammar) -> Merchant | None:
    """The brand whose name a bank has cut off inside its last word, as in "Carpet Righ"."""
    if len(name) < _LEAST_CUT_WORDS or len(name[-1]) < _LEAST_CUT_WORD or name[-1] in vocab.trades:
        return None
    key = " ".join(name)
    return brand_cut(key) if len(key) >= _LEAST_CUT_NAME else None


def _behind_trade(name: list[str], vocab: Grammar) -> Merchant | None:
    """The brand before which a row writes what it is: "Supermercado Gadis", "Pharmacie Lafayette"."""
    sold = sold_by_word()
    at = 1
    while at < len(name) - 1 and name[at] in sold:
        at += 1
    trade = name[at - 1]
    merchant_match = merchant_at(name, at)
    if merchant_match is not None:
        merchant = merchant_match[1]
        tail = name[at + merchant_match[0] :]
        return merchant if _sells(merchant, sold[trade]) and vocab.trades.isdisjoint(tail) else None
    brand_match = brand_at(name, at)
    if brand_match is None:
        return None
    length, brand = brand_match
    tokens = [trade, *name[at + length :]]
    fits = _sells(brand.merchant, sold[trade]) and _belongs(tokens, brand, vocab)
    return brand.merchant if fits else None


def _sells(merchant: Merchant, sold: str | None) -> bool:
    return merchant.out == sold and not (merchant.ask or merchant.people)


def _belongs(tail: Sequence[str], brand: Brand, vocab: Grammar) -> bool:
    """Whether what follows a brand's name is a branch of it: no other trade, and no other name."""
    if not tail:
        return True
    if not curated().distinct.isdisjoint(tail):
        return False
    others = [token for token in tail if not _says_no_more(token, brand, vocab)]
    if not others or brand.level == "alone":
        return not others
    names_trade = brand.level == "placed" and not brand.kind.trade_words.isdisjoint(tail)
    if brand.level == "owns" or names_trade:
        return vocab.trades.isdisjoint(others) and vocab.lines.keys().isdisjoint(others)
    return is_place(others, vocab)


def _says_no_more(token: str, brand: Brand, vocab: Grammar) -> bool:
    """Whether a word beside a brand is a number, says "shop", or says what the brand is anyway."""
    return (
        token.isdigit()
        or token in vocab.generic
        or token in vocab.legal
        or token in _FORMS_OF_FIRMS
        or token in brand.kind.trade_words
    )
