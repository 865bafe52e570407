"""A descriptor's tokens: lower case, without accents and punctuation, web addresses cut to their name.

The payee key, the shipped phrases and the matching of one against the other all go through
`tokens_of`, so that they can never disagree about what a word is.
"""

import unicodedata
from functools import lru_cache

_INSIDE = frozenset(".-@+")
_GLUE = frozenset("'’‘`´&")
_LATIN_WITHOUT_DECOMPOSITION = {
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "æ": "ae",
    "œ": "oe",
    "ı": "i",
}
_WEB_ENDINGS = """
com net org info biz io co app dev shop store me tv ai eu us uk de fr nl es ca au in br be ch at it pt
ie se dk no pl lu nz mx jp gov gob gouv ac edu nhs
"""
_WEB_HOSTS = "www help pay bill billing checkout account accounts my secure support go m shop store"
_ENDINGS = frozenset(_WEB_ENDINGS.split())
_APART = frozenset(("ag", "sa", "se", "kg", "nv", "bv", "dr", "cr", "mb"))
_HOSTS = frozenset(_WEB_HOSTS.split())


def tokens_of(text: str) -> list[str]:
    """Split a descriptor into folded tokens of letters and digits; [] when it has neither.

    Idempotent: the tokens of the joined tokens are the tokens. Accents go from Latin letters only, so
    that other scripts keep their spelling. A phone number or a dotted date is one token of digits. Web
    addresses are cut to their name, so this is not for finding a part of a text.
    """
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    folded = composed.translate(_FOLDED)
    words = folded.split()
    if folded.replace(" ", "").isalnum():
        return words
    tokens: list[str] = []
    for word in words:
        if word.isalnum():
            tokens.append(word)
        else:
            tokens += _split(word)
    return tokens


class _Folding(dict[int, str]):
    """What `str.translate` puts for each character, worked out when a character is first seen."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold(chr(code))
        return folded


def _fold(char: str) -> str:
    """The lower-case form of a letter, digit or mark; white space for what parts two words."""
    if char in _INSIDE:
        return char
    category = unicodedata.category(char)
    if char in _GLUE or category == "Cf" or "\u0300" <= char <= "\u036f":
        return ""
    if category[0] not in "LNM":
        return " "
    latin = "LATIN" in unicodedata.name(char, "") or category == "Lm"
    folded = unicodedata.normalize("NFKD" if latin else "NFKC", char).casefold()
    kept = "".join(
        _LATIN_WITHOUT_DECOMPOSITION.get(part, part)
        for part in folded
        if not "\u0300" <= part <= "\u036f"
    )
    return kept if all(unicodedata.category(part)[0] in "LNM" for part in kept) else " "


_FOLDED = _Folding()


@lru_cache(maxsize=32768)
def _split(word: str) -> tuple[str, ...]:
    """The tokens of one word that holds a dot, hyphen, at or plus sign."""
    local = word.strip(".-@").partition("@")[0].strip(".-")
    if local.endswith("+") and local[:-1].isalpha():
        local = f"{local[:-1]}plus"
    bare = local.replace("+", "")
    letters_and_digits = bare.replace(".", "").replace("-", "")
    if not letters_and_digits:
        return ()
    if letters_and_digits.isdigit():
        return (letters_and_digits,)
    return tuple(token for part in _dotted(bare) for token in _hyphened(part) if token)


def _dotted(word: str) -> list[str]:
    """`netflix.com` is `netflix`; `j.crew` and `u.s.` are one word; `st.john` is two."""
    labels = [label for label in word.split(".") if label]
    if len(labels) > 1 and labels[-1] in _ENDINGS:
        named = [label for label in labels[:-1] if label not in _HOSTS and label not in _ENDINGS]
        return named[-1:] or labels[:1]
    if any(len(label) == 1 for label in labels):
        return ["".join(labels)]
    return labels


def _hyphened(word: str) -> list[str]:
    """`t-mobile` and `7-eleven` are one word, `ach-geico` is two: a short side belongs to the other.

    A legal form and the side of a booking do not: `versicherungs-ag` and `dr-bescom` are two.
    """
    sides = [side for side in word.split("-") if side]
    if any(len(side) <= 2 and side not in _APART for side in sides):
        return ["".join(sides)]
    return sides
