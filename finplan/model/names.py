"""Names that a person types, all held to one rule: whoever reads them sees what was typed."""

import unicodedata
from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, Field

UNREADABLE = "A name needs at least one sign that can be seen, and no control characters"

_JOINERS = str.maketrans("", "", "\u200c\u200d")
"""Signs without which some scripts, and some emoji, cannot be spelt; alone they show nothing."""

_SHAPES = {
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "H": "НΗ", "J": "ЈͿ", "K": "КΚ", "M": "МΜ", "N": "Ν",
    "O": "ОΟՕ0", "P": "РΡ", "Q": "Ԛ", "S": "ЅՏ", "T": "ТΤ", "U": "Ս", "W": "Ԝ", "X": "ХΧ", "Y": "ҮΥУ",
    "Z": "Ζ", "a": "аαɑ", "b": "Ь", "c": "сϲ", "d": "ԁ", "e": "е", "g": "ɡց", "h": "һհ", "i": "іιı",
    "j": "јյ", "k": "кκ", "l": "ІΙӀӏI1|", "n": "ոη", "o": "оοօ", "p": "рρ", "q": "ԛզ", "r": "г",
    "s": "ѕ", "u": "սυ", "v": "νѵ", "w": "ԝա", "x": "хχ", "y": "уүγ",
}  # fmt: skip
"""Letters of Latin, and those of Cyrillic, Greek and Armenian, and digits, that are drawn like them."""

_DRAWN_LIKE = str.maketrans({like: sign for sign, likes in _SHAPES.items() for like in likes})


def readable(typed: str) -> str:
    """A name in normal form, each run of spaces one space. Raises ValueError when nobody can read it."""
    name = " ".join(unicodedata.normalize("NFC", typed).split())
    shown = seen(name)
    if not shown.strip() or not shown.isprintable():
        raise ValueError(UNREADABLE)
    return name


def seen(name: str) -> str:
    """What of a name stands on the page by itself: all but the joiners."""
    return name.translate(_JOINERS)


def folded(name: str) -> str:
    """A name as it is compared: without differences of spaces, of letters' case and of joiners."""
    return " ".join(unicodedata.normalize("NFKC", seen(name)).casefold().split())


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of other names that a reader would take a name for; None when it is told from all.

    One that is the same name, however its letters are written, is not meant.
    """
    shape = _shape(name)
    alike = (other for other in others if _shape(other) == shape)
    return next((other for other in alike if folded(other) != folded(name)), None)


def _shape(name: str) -> str:
    # What letters look like is told before their case is: a Cyrillic "Н" is drawn as H, "н" is not.
    drawn = unicodedata.normalize("NFKC", seen(name)).translate(_DRAWN_LIKE)
    return " ".join(drawn.casefold().split())


Name = Annotated[
    str,
    Field(min_length=1, max_length=200, json_schema_extra={"format": "label"}),
    AfterValidator(readable),
]
"""What a person calls something of theirs."""
