"""Sentences and names as words that can be compared: without case, accents and plurals."""

import re
from collections.abc import Sequence
from typing import Final

from finplan.store.folding import fold

Words = tuple[str, ...]

LONGEST_SENTENCE: Final = 500

_WORD = re.compile(r"[^\W_]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""The mark that parts the thousands of an amount, as in $1,000."""

_BETWEEN = re.compile(r"[?!,;:()\[\]\"“”„«»\s]+")


def tokens_of(sentence: str) -> list[str]:
    """The pieces of a sentence between spaces and marks, as the grammar of periods reads them."""
    pieces = _BETWEEN.split(_THOUSANDS.sub("", fold(sentence)))
    plain = (piece.rstrip(".") if not piece.endswith("..") else piece for piece in pieces)
    return [piece for piece in plain if piece]


def words_of(text: str) -> Words:
    """The words of a name or a piece of a sentence."""
    return tuple(_WORD.findall(fold(text).replace("'", "")))


def stems_of(words: Words) -> Words:
    """Words without the endings of a plural, so that groceries and grocery are one."""
    return tuple(_stem(word) for word in words)


def _stem(word: str) -> str:
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if re.search("(x|ch|sh|ss)es$", word) else word[:-1]


_ASIDE = """
a about all also altogether an and any anything are been bought buy can combined cost costs could
did do does everything exact exactly expenditure expenditures expense expenses find for from give go
going gone hello hey hi how i id im in into is it ive just know like me money much my of on our out
overall please purchase purchases see show so spend spending spends spent sum summary tell thank
thanks that the there thing things to together total totals up us want was we weve went were what
whats where with would you
"""
ASIDE: Final = frozenset(_ASIDE.split())
"""Words that change nothing of what is asked: none narrows, excludes, counts or compares."""

_OF_SPENDING = """
bought buy expenditure expenditures expense expenses go going gone pay paid purchase purchases spend
spending spends spent went
"""
OF_SPENDING: Final = frozenset(_OF_SPENDING.split())
"""Words that tell that money out is meant."""

_MARKS = frozenset({"&", "+", "/", ".", "..."})
"""Marks that stand by themselves and change nothing; a minus or a sign of size may."""

_DONE = frozenset({"bought", "gone", "paid", "spent"})
_WHO = frozenset({"i", "we", "have", "ive", "weve"})
_UNDERGOES = frozenset({"was", "were"})


_ASKS_AHEAD = frozenset({"buy", "go", "spend"})
"""Words that ask for what is still to be spent where `to` stands before them."""

_POLITE = re.compile(r".*\|(?:you .*|(?:i|we) (?:know|see))", re.DOTALL)
_COMPANY = {
    "can": _POLITE,
    "could": _POLITE,
    "give": re.compile(r"(?:|and|just|please|to|you)\|(?:me|us) .*"),
    "up": re.compile(r"(?:sum|total)\|.*"),
    "want": re.compile(r".*\|to (?:know|see)", re.DOTALL),
    "would": re.compile(r".*\|(?:you|like) .*", re.DOTALL),
}
"""Words that are politeness in such company, as `before|after second`, and else change what is asked."""


def is_aside_at(tokens: Sequence[str], place: int) -> bool:
    """Whether a piece of a sentence changes nothing of what is asked.

    Who has spent or paid means money out; who has money, or is paid, does not.
    """
    token = tokens[place]
    if token in ("have", "has"):
        return not _DONE.isdisjoint(tokens)
    if token in ("pay", "paid"):
        before, earlier = ([""] * 2 + list(tokens))[place : place + 2][::-1]
        return before in _WHO and earlier not in _UNDERGOES
    if token in _COMPANY or token in _ASKS_AHEAD:
        before, after, second = _neighbours(tokens, place)
        if token in _ASKS_AHEAD:
            return before != "to"
        return _COMPANY[token].fullmatch(f"{before}|{after} {second}") is not None
    words = words_of(token)
    return all(word in ASIDE for word in words) if words else token in _MARKS


def _neighbours(tokens: Sequence[str], place: int) -> tuple[str, str, str]:
    """The piece before a place and the two behind it."""
    padded = ["", *tokens, "", ""]
    return padded[place], padded[place + 2], padded[place + 3]
