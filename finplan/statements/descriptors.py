"""Descriptors as text: white space folded, and several texts joined without repeating any."""

from collections.abc import Iterable

MOST_REMEMBERED = 50_000
LONGEST_REMEMBERED = 500
"""How many texts a reader remembers before it forgets them all, and how long one may be."""


def fold(text: str) -> str:
    """Fold white space to single blanks, without any at the ends."""
    return " ".join(text.split())


def quoted(text: str, most: int = 40) -> str:
    """Quote the beginning of a text within a sentence, which has one line whatever the text has."""
    return f"“{shortened(text, most)}”"


def shortened(text: str, most: int = 40) -> str:
    """Give the beginning of a text in one line."""
    return fold(text)[:most].rstrip()


def joined(texts: Iterable[str]) -> str:
    """Join folded texts with a blank, leaving out what another one says already."""
    said = ""
    for text in texts:
        if said in text:
            said = text
        elif text not in said:
            said = f"{said} {text}"
    return said
