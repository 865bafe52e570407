"""Words by which people ask: for categories that they call otherwise, and what is told elsewhere."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finplan.questions.words import Words, words_of

_TABLE = Path(__file__).with_name("everyday.toml")


@dataclass(frozen=True, slots=True)
class EverydayWords:
    """Categories by what people call all or a part of one; and sentences by what they ask."""

    whole: Mapping[str, tuple[str, ...]]
    part: Mapping[str, tuple[str, ...]]
    elsewhere: Mapping[Words, str]

    def told_elsewhere(self, pieces: Sequence[str]) -> str | None:
        """What is said of words that ask for what is told elsewhere: the longest phrase of them."""
        words = [words_of(piece) or (piece,) for piece in pieces]
        flat = tuple(word for each in words for word in each)
        for length in range(min(3, len(flat)), 0, -1):
            for first in range(len(flat) - length + 1):
                told = self.elsewhere.get(flat[first : first + length])
                if told is not None:
                    return told
        return None


@cache
def everyday_words() -> EverydayWords:
    """The table as it is shipped."""
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return EverydayWords(
        {category: _phrases(text) for category, text in table["whole"].items()},
        {category: _phrases(text) for category, text in table["part"].items()},
        {
            words_of(phrase) or (phrase,): each["told"]
            for each in table["elsewhere"]
            for phrase in _phrases(each["words"])
        },
    )


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split(","))
