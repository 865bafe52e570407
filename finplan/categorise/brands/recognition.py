"""Whether a payee's name is a brand's: the words around a brand's name must not make another of it.

"Krys Jarnac" is Krys in a town, and so is "Opticien Krys"; "Krys Plumbing" and "Gifi & Sons" are others.
"""

from collections.abc import Sequence

from finplan.categorise.brands.kinds import sold_by_word
from finplan.categorise.brands.listed import Brand, brand_at, brand_cut, openings
from finplan.categorise.curated import Merchant, curated, merchant_at
from finplan.categorise.grammar import Grammar
from finplan.categorise.places import is_place

_FORMS = frozenset(("spa", "sa"))
"""Legal forms that are words elsewhere."""
_LEAST_CUT_NAME = 10
_LEAST_CUT_WORD = 3
_LEAST_CUT_WORDS = 2


def brand_written(distinctive: list[str], name: list[str], words: Grammar) -> Merchant | None:
    """The brand whose name this is, as it is written, in one spelling of its words, or cut off.

    `distinctive` are the words in one spelling, without those that say no more.
    """
    opens = openings()
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
        or word in _FORMS
        or word in brand.kind.words
    )
