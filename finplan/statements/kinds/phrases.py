"""The words of a text, and the phrases of up to four words in it, in small letters without accents."""

import re
import unicodedata
from collections.abc import Collection

_LONGEST = 200
_MOST_WORDS = 4
_GAPS = re.compile(r"[\W_]+")
_LIGATURES = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ı": "i"})


def plain(text: str) -> str:
    """Write a text as words in small letters without accents, one blank between them."""
    letters = text[:_LONGEST].casefold()
    if not letters.isascii():
        decomposed = unicodedata.normalize("NFKD", letters.translate(_LIGATURES))
        letters = "".join(each for each in decomposed if not unicodedata.combining(each))
    return _GAPS.sub(" ", letters).strip()


def phrases_of(plain_text: str) -> set[str]:
    """All runs of one to four words."""
    words = plain_text.split(" ")
    return {
        " ".join(words[place : place + length])
        for length in range(1, _MOST_WORDS + 1)
        for place in range(len(words) - length + 1)
    }


def phrase_list(listed: str) -> frozenset[str]:
    """Read phrases that stand between bars."""
    return frozenset(plain(each) for each in listed.split("|")) - {""}


class Vocabulary:
    """Phrases that mean one thing, and parts of words that do so wherever they stand."""

    def __init__(self, phrases: str, parts: str = "") -> None:
        self._phrases = phrase_list(phrases)
        self._parts = tuple(sorted(phrase_list(parts)))

    def speaks(self, plain_text: str, phrases: Collection[str]) -> bool:
        """Say whether a text, with its own phrases, has one of these."""
        return not self._phrases.isdisjoint(phrases) or any(
            part in plain_text for part in self._parts
        )
