"""Descriptors as text: white space folded, and several texts joined without repeating any."""

from collections.abc import Iterable

MOST_REMEMBERED = 50_000
LONGEST_REMEMBERED = 500
"""How many texts a reader remembers before it forgets them all, and how long one may be."""


_OTHER_SPACES = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""All white space but the blank."""


def fold(text: str) -> str:
    """Fold white space to single blanks, without any at the ends."""
    return " ".join(text.split())


def are_folded(texts: Iterable[str]) -> bool:
    """Say quickly whether all texts surely are folded and begin with no apostrophe.

    It may say no because of a "|" that stands beside a blank.
    """
    text = "|".join(texts)
    if text.startswith((" ", "'")) or text.endswith(" "):
        return False
    return not any(sign in text for sign in (*_OTHER_SPACES, "  ", " |", "| ", "|'"))


def quoted(text: str, most: int = 40) -> str:
    """Quote the beginning of a text within a sentence, which has one line whatever the text has."""
    return f"“{shortened(text, most)}”"


def shortened(text: str, most: int = 40) -> str:
    """Give the beginning of a text in one line."""
    return fold(text)[:most].rstrip()


def joined(texts: Iterable[str]) -> str:
    """Join folded texts with a blank, leaving out what another one says already."""
    whole = ""
    for text in texts:
        if whole in text:
            whole = text
        elif text not in whole:
            whole = f"{whole} {text}"
    return whole
