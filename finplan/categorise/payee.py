"""From a bank's descriptor to a payee: one key for all branches of a shop, and a name to recognise.

A well-known merchant is found by its name alone; of any other descriptor, what says how it was paid,
which branch and where is taken away; people paid over a rail such as Zelle stay apart from each other.
"""

import re
from typing import NamedTuple

from finplan.categorise.curated import Merchant, merchant_named
from finplan.categorise.descriptor import (
    Grammar,
    ending,
    grammar,
    is_word,
    named,
    named_numbers,
    opening,
    told,
)
from finplan.categorise.display import capitalised, display_name
from finplan.categorise.tokens import tokens_of


class Payee(NamedTuple):
    """Who was paid: a stable key of lower-case tokens, and the name that a person reads."""

    key: str
    name: str


_NOBODY = Payee("unknown", "Unknown")
_CHECK = Payee("check", "Check")

# Four letters after a number may be a name that begins with it, as in "1800FLOWERS".
_LONG_NUMBER = re.compile(r"\d[\d/]\d\d++(?![a-zA-Z]{4})")


def without_long_numbers(text: str) -> str:
    """A descriptor with its references, branch numbers and dates blanked; they name nobody.

    Descriptors that are equal then have one payee, so that it need be found only once. A text without
    letters is left as it is, since its numbers are all that is known of it, and so is one with a number
    that a merchant is named after ("Optic 2000").
    """
    for number in named_numbers():
        if number in text:
            return text
    blanked = _LONG_NUMBER.sub("0000", text)
    return blanked if blanked.isupper() or blanked != blanked.swapcase() else text


def payee_of(raw: str, name: str | None = None) -> Payee:
    """The payee of a descriptor, by the bank's own `name` for it when that names somebody.

    Deterministic and never empty, and a key is its own key: `payee_of(key).key == key`. A bank's filler
    ("Card payment") gives way to the descriptor; so does a rail ("PayPal"), and a house of many
    services ("Apple") where the descriptor tells which.
    """
    raw = without_long_numbers(raw)
    if not name:
        return _read(raw)
    by_name = _read(name)
    if not _names_somebody(by_name):
        return _read(raw)
    merchant = merchant_named(by_name.key)
    if merchant is not None and merchant.ask:
        by_raw = _read(raw)
        if merchant.people or merchant_named(by_raw.key) is not None:
            return by_raw
    return by_name


def _names_somebody(payee: Payee) -> bool:
    words = payee.key.split()
    return not grammar().unnamed.issuperset(words) and any(map(is_word, words))


def _read(text: str) -> Payee:
    words = grammar()
    telling = told(text, words) if "*" in text or ":" in text or "/" in text else text
    tokens = tokens_of(telling) or tokens_of(text)
    if not tokens:
        return _NOBODY
    kept, mark = tokens, 0
    start, known = opening(tokens, words)
    if known is None:
        kept, mark = named(tokens, start, words)
        start, known = opening(kept, words)
    if known is not None:
        length, merchant = known
        if merchant.people:
            return _person(merchant, kept[start + length :], words)
        return Payee(merchant.key, merchant.name)
    return _shop(kept[start : ending(kept, start, mark - start, words)], text, words)


def _person(rail: Merchant, tokens: list[str], words: Grammar) -> Payee:
    """Who was paid over a rail: the words up to the note, the reference or the rail's own address.

    Only a city with its state is an address here, since "Ma" is also a surname.
    """
    person: list[str] = []
    for token in tokens:
        if token in words.rail_ends:
            if person:
                break
        elif token not in words.rail_words and token not in person and is_word(token):
            person.append(token)
    end = ending(person, 0, 0, words)
    if end < len(person) - 1:
        del person[end:]
    if not person or (len(person) == 1 and person[0] in words.states):
        return Payee(rail.key, rail.name)
    return Payee(f"{rail.key} {' '.join(person)}", f"{capitalised(person)} ({rail.name})")


def _shop(name: list[str], text: str, words: Grammar) -> Payee:
    """A payee by the words that are left of its descriptor."""
    if name[0] in words.checks and words.check_words.issuperset(name):
        return _CHECK
    key = " ".join(name)
    merchant = _alone(name, key, words)
    if merchant is not None:
        return Payee(merchant.key, merchant.name)
    if key.replace(" ", "").isdigit():
        return Payee(key, " ".join(text.split()))
    return Payee(key, display_name(name, text))


def _alone(name: list[str], key: str, words: Grammar) -> Merchant | None:
    """The merchant that is all of what is left, but for words such as "stores"."""
    end = len(name)
    while (merchant := merchant_named(key)) is None and end > 1 and name[end - 1] in words.generic:
        end -= 1
        key = " ".join(name[:end])
    return merchant
