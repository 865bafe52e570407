"""Folding: a text as it is looked for, without case, accents and other ways to write a letter."""

import re
import unicodedata

_LETTERS = str.maketrans(
    {
        "ı": "i",
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "ħ": "h",
        "ŧ": "t",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        **dict.fromkeys("\u2018\u2019\u02bc", "'"),
        **dict.fromkeys("\u2010\u2012\u2013\u2014\u2212", "-"),
    }
)
"""Letters that Unicode does not take apart into one of ASCII and a mark, as people without them type;
and the apostrophes and dashes that phones and banks set for those of a keyboard."""

_ACCENTS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]+"
)
"""Marks above and below letters, Hebrew points and Arabic vowels; marks that other scripts spell with
stay, such as the dots of Japanese and the vowels of Hindi."""


def fold(text: str) -> str:
    """Write a text in small letters without accents: "STRAßE" is "strasse", and İ and ı are i.

    Greek and Cyrillic lose their accents too, and full-width letters become plain ones.
    """
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text).casefold()
    # What was folded may have to be taken apart once more.
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", apart)).translate(_LETTERS)


def fold_others(text: str) -> str | None:
    """The same, kept beside a text so that it is folded once; None for ASCII, which SQLite folds itself.

    Whoever changes what is folded adds a revision that folds the kept ones anew.
    """
    return None if text.isascii() else fold(text)


def holds(text: str, term: str) -> bool:
    """Whether a folded word stands in a text, also as a part of a longer one."""
    return term in fold(text)
