"""Header words, marks, months and code pages of many languages, from `words.toml`."""

import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_WORDS = Path(__file__).with_name("words.toml")

NAMES = (
    "date", "value_date", "text", "payee", "amount", "debit", "credit", "balance", "owed",
    "currency_name", "mark", "status", "foreign", "price", "quantity", "rate", "fee", "account",
)  # fmt: skip
"""What a column of a statement can be called for."""


@dataclass(frozen=True)
class Language:
    """The words of one language; `currency` is that of its one country, None where there are several.

    `is_certain` says that no second country speaks it; `months` is empty where banks print none.
    """

    code: str
    names: dict[str, tuple[str, ...]]
    marks: tuple[tuple[str, str], ...]
    booked: tuple[str, ...]
    pending: tuple[str, ...]
    declined: tuple[str, ...]
    thanks: tuple[str, ...]
    total: tuple[str, ...]
    months: tuple[str, ...]
    charsets: tuple[str, ...]
    currency: str | None
    is_certain: bool


@cache
def languages() -> tuple[Language, ...]:
    """All languages, English first, because an example shrinks towards the first of any choice."""
    return tuple(
        Language(
            code,
            {name: tuple(words[name]) for name in NAMES},
            tuple((out, into) for out, into in words["marks"]),
            tuple(words["booked"]),
            tuple(words["pending"]),
            tuple(words["declined"]),
            tuple(words["thanks"]),
            tuple(words["total"]),
            tuple(words.get("months", "").split()),
            tuple(words["charsets"]),
            words.get("currency") or words.get("likely_currency"),
            "currency" in words,
        )
        for code, words in tomllib.loads(_WORDS.read_text(encoding="utf-8")).items()
    )


@cache
def _speakers() -> dict[str, frozenset[str]]:
    """Which languages have a header word."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for language in languages():
        for name in NAMES:
            for word in language.names[name]:
                found[word.casefold()].add(language.code)
    return {word: frozenset(codes) for word, codes in found.items()}


@cache
def shared_months() -> frozenset[str]:
    """The names that two languages give to different months."""
    places: defaultdict[str, set[int]] = defaultdict(set)
    for language in languages():
        for place, name in enumerate(language.months):
            places[name.casefold()].add(place)
    return frozenset(name for name, found in places.items() if len(found) > 1)


def own_words(language: Language, header: tuple[str, ...]) -> int:
    """Count the words of a header that no other language has."""
    only = frozenset([language.code])
    return sum(_speakers().get(word.casefold()) == only for word in set(header))
