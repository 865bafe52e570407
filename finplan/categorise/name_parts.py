"""The parts of a payee's name that may tell what it sells: its words, pairs of them, their pieces."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from finplan.categorise.grammar import grammar
from finplan.categorise.places import without_places

WHOLE = "="
"""What the look-up of a whole word begins with, so that none is like a piece of another."""

_PIECE = 4
_PIECES_COUNT = 2.0

_PAYMENT_WORDS = frozenset(
    {
        "card",
        "check",
        "cheque",
        "debit",
        "deposit",
        "payment",
        "pmt",
        "pymt",
        "rebate",
        "ref",
        "refund",
        "refunds",
        "transfer",
        "transfers",
        "unknown",
        "wire",
    }
)
"""Words that say how it was paid, moved or paid back, which a bank may leave in a name."""


class Part(NamedTuple):
    """One part of a name: how it is looked up, how much it counts, and its word if it is a whole one."""

    feature: str
    weight: float
    word: str | None


def distinctive_words(words: Iterable[str]) -> list[str]:
    """The words, each once, without numbers, single letters and how it was paid."""
    return [
        word
        for word in dict.fromkeys(words)
        if len(word) > 1 and not word.isdigit() and word not in _PAYMENT_WORDS
    ]


def telling_words(key: str) -> list[str]:
    """The words of a key that may tell what is sold: no place, given name, article and the like."""
    silent = _silent()
    return [word for word in distinctive_words(without_places(key.split())) if word not in silent]


@cache
def _silent() -> frozenset[str]:
    """Given names that are no trade, articles, and words like "of" and "and"."""
    words = grammar()
    return (
        (words.given - words.trades) | words.articles | words.particles | words.small | words.links
    )


def parts_of(words: list[str]) -> Iterator[Part]:
    """Every part of a name; the pieces of a word share one weight."""
    for word in words:
        yield from parts_of_word(word)
    for first, second in pairwise(words):
        yield pair_of(first, second)


def parts_of_word(word: str) -> Iterator[Part]:
    """A word and its pieces of four letters, which together weigh two words."""
    yield Part(f"{WHOLE}{word}", 1.0, word)
    if len(word) >= _PIECE:
        edged = f"^{word}$"
        pieces = dict.fromkeys([edged[at : at + _PIECE] for at in range(len(word) + 3 - _PIECE)])
        weight = _PIECES_COUNT / len(pieces)
        for piece in pieces:
            yield Part(piece, weight, None)


def pair_of(first: str, second: str) -> Part:
    """Two words that follow each other."""
    return Part(f"{first} {second}", 1.0, f"{first} {second}")
