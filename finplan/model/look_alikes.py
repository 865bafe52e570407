"""Names that a reader takes for one another: the same shapes, written with other letters."""

import unicodedata
from collections.abc import Iterable

from finplan.model.names import folded, seen

_SHAPES = {
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "H": "НΗ", "J": "ЈͿ", "K": "КΚ", "M": "МΜ", "N": "Ν",
    "O": "ОΟՕ0", "P": "РΡ", "Q": "Ԛ", "S": "ЅՏ", "T": "ТΤ", "U": "Ս", "W": "Ԝ", "X": "ХΧ", "Y": "ҮΥУ",
    "Z": "Ζ", "a": "аαɑ", "b": "Ь", "c": "сϲ", "d": "ԁ", "e": "е", "g": "ɡց", "h": "һհ", "i": "іιı",
    "j": "јյ", "k": "кκ", "l": "ІΙӀӏI1|", "n": "ոη", "o": "оοօ", "p": "рρ", "q": "ԛզ", "r": "г",
    "s": "ѕ", "u": "սυ", "v": "νѵ", "w": "ԝա", "x": "хχ", "y": "уүγ",
}  # fmt: skip
"""Letters of Latin, and those of Cyrillic, Greek and Armenian, and digits, that are drawn like them."""

_DRAWN_LIKE = str.maketrans({like: sign for sign, likes in _SHAPES.items() for like in likes})


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of other names that a reader would take a name for; None when it is told from all.

    One that is the same name, however its letters are written, is not meant.
    """
    shape = _shape(name)
    return next((o for o in others if _shape(o) == shape and folded(o) != folded(name)), None)


def _shape(name: str) -> str:
    # What letters look like is told before their case is: a Cyrillic "Н" is drawn as H, "н" is not.
    drawn = unicodedata.normalize("NFKC", seen(name)).translate(_DRAWN_LIKE)
    return " ".join(drawn.casefold().split())
