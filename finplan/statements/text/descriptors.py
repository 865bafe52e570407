"""Descriptors as text: white space folded, and several texts joined without repeating any."""

from collections.abc import Iterable
from itertools import islice

MOST_REMEMBERED = 50_000
LONGEST_REMEMBERED = 500
"""How many texts a reader remembers before it forgets them all, and how long one may be."""


_CUT_OFF = 16
"""From how many characters on a text may be cut off by the length of its field."""

_MOST_JOINED = 200
"""How many texts of one transaction are looked at, each beside all others."""

_ASCII_SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f"
_OTHER_SPACES = (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""All white space but the blank, in two parts."""


def fold(text: str) -> str:
    """Fold white space to single blanks, without any at the ends."""
    return " ".join(text.split())


def are_folded(texts: Iterable[str]) -> bool:
    """Say quickly whether all texts are folded."""
    listed = list(texts)
    text = "|".join(listed)
    spaces = _ASCII_SPACES if text.isascii() else _ASCII_SPACES + _OTHER_SPACES
    if "  " in text or any(space in text for space in spaces):
        return False
    return listed == list(map(str.strip, listed))


def quoted(text: str, most: int = 40) -> str:
    """Quote a text within a sentence, in one line; dots stand for what is beyond `most` characters."""
    whole = fold(text)
    return f"“{whole if len(whole) <= most else f'{shortened(whole, most - 1)}…'}”"


def shortened(text: str, most: int = 40) -> str:
    """Give the beginning of a text in one line."""
    return fold(text)[:most].rstrip()


def joined(texts: Iterable[str]) -> str:
    """Join folded texts with a blank, leaving out those that stand in another one word by word.

    A long text is also left out where it is another one cut off in the middle of a word. Of more than
    some hundred the first ones are taken.
    """
    said = list(islice(dict.fromkeys(filter(None, texts)), _MOST_JOINED))
    if len(said) == 2 and said[0] not in said[1] and said[1] not in said[0]:
        return f"{said[0]} {said[1]}"
    kept: list[str] = []
    for text in said:
        if any(_stands_in(text, each) for each in kept):
            continue
        kept = [each for each in kept if not _stands_in(each, text)]
        kept.append(text)
    return " ".join(kept)


def _stands_in(text: str, whole: str) -> bool:
    if len(text) >= _CUT_OFF and text in whole:
        return True
    at = whole.find(text)
    while at >= 0:
        before, after = whole[at - 1 : at], whole[at + len(text) : at + len(text) + 1]
        if not (before.isalnum() and text[0].isalnum()) and not (
            after.isalnum() and text[-1].isalnum()
        ):
            return True
        at = whole.find(text, at + 1)
    return False
