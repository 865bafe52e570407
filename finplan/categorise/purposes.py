"""What a payer sends besides its pay, and says so in the row: expenses paid back, support, payouts.

Each purpose has a payee of its own at each payer, called by both ("acme expenses"), so that one rule
files one thing, and pay is pay.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from finplan.categorise.grammar import Grammar, Purpose, grammar


class SaidPurpose(NamedTuple):
    """A purpose, the words that say it, and every phrase of the text that says one."""

    purpose: Purpose
    words: tuple[str, ...]
    phrases: frozenset[tuple[str, ...]]


def purpose_in(tokens: list[str], words: Grammar) -> SaidPurpose | None:
    """The purpose that a text's tokens say; of several the one of most words, and then the first."""
    found: dict[tuple[str, ...], Purpose] = {}
    end = 0
    for position in sorted(
        at for word in words.purpose_words & set(tokens) for at in _places(word, tokens)
    ):
        said = words.purposes.longest(tokens, position) if position >= end else None
        if said is not None:
            end = position + said[0]
            found.setdefault(tuple(tokens[position:end]), said[1])
    if not found:
        return None
    longest = max(found, key=len)
    return SaidPurpose(found[longest], longest, frozenset(found))


def _places(word: str, tokens: list[str]) -> Iterator[int]:
    """Where a word stands among tokens, found without looking at each of them in turn."""
    place = -1
    for _ in range(tokens.count(word)):
        place = tokens.index(word, place + 1)
        yield place


def purpose_of(key: str) -> Purpose | None:
    """The purpose that a payee's key closes with, if it is one of a payer told apart."""
    purposes = _purposes()
    # Nearly all keys close with none, which is told at once.
    if not key.endswith(tuple(purposes)):
        return None
    words = f" {key}"
    return next((purposes[name] for name in purposes if words.endswith(f" {name}")), None)


def payer_of(key: str, purpose: Purpose) -> str:
    """The key of the payer whom a purpose was told apart from; "" when none is named."""
    return key.removesuffix(purpose.name).rstrip()


def without_purposes(text: str, phrases: frozenset[tuple[str, ...]]) -> str:
    """A text without the phrases that say a purpose, and without accents where it had some."""
    if not text.isascii():
        parts = unicodedata.normalize("NFD", text)
        text = "".join(char for char in parts if not unicodedata.combining(char))
    return _pattern(phrases).sub(" ", text)


@lru_cache(256)
def _pattern(phrases: frozenset[tuple[str, ...]]) -> re.Pattern[str]:
    """Finds phrases in a text whose tokens they are, with any punctuation between their words."""
    spelled = "|".join(
        r"[\W_]+".join(map(re.escape, phrase))
        for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    )
    return re.compile(rf"(?<![^\W_])(?:{spelled})(?![^\W_])", re.IGNORECASE)


@cache
def _purposes() -> Mapping[str, Purpose]:
    started = grammar().purposes.starting.values()
    return {purpose.name: purpose for group in started for _, _, purpose in group}
