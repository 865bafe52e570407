"""Descriptors as text: white space folded, and several texts joined without repeating any."""

from collections.abc import Iterable

MOST_REMEMBERED = 50_000
LONGEST_REMEMBERED = 500
"""How many texts a reader remembers before it forgets them all, and how long one may be."""


def fold(text: str) -> str:
    """Fold white space to single blanks, without any at the ends."""
    return " ".join(text.split())


def joined(texts: Iterable[str]) -> str:
    """Join folded texts with a blank, leaving out what another one says already."""
    said = ""
    for text in texts:
        if said in text:
            said = text
        elif text not in said:
            said = f"{said} {text}"
    return said
