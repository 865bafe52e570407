"""A descriptor's tokens: lower case, without accents and punctuation, web addresses cut to their name.

The payee key, the shipped phrases and the matching of one against the other all go through `tokens_of`,
so that they can never disagree about what a word is. For a person a payee's name is written back with
capitals where names have them, and accents kept.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_INSIDE_A_WORD = frozenset(".-@+")
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
_ENDINGS_OF_ADDRESSES = frozenset(_WEB_ENDINGS.split())
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
    terms = folded.split()
    if folded.replace(" ", "").isalnum():
        return terms
    tokens: list[str] = []
    for token in terms:
        if token.isalnum():
            tokens.append(token)
        else:
            tokens += _split(token)
    return tokens


class _Folding(dict[int, str]):
    """What `str.translate` puts for each character, worked out when a character is first seen."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold(chr(code))
        return folded


def _fold(char: str) -> str:
    """The lower-case form of a letter, digit or mark; white space for what parts two words."""
    if char in _INSIDE_A_WORD:
        return char
    category = unicodedata.category(char)
    if char in _GLUE or category == "Cf" or "\u0300" <= char <= "\u036f":
        return ""
    if category[0] not in "LNM":
        return " "
    latin = "LATIN" in unicodedata.name(char, "") or category == "Lm"
    folded = unicodedata.normalize("NFKD" if latin else "NFKC", char).casefold()
    letters = "".join(
        _LATIN_WITHOUT_DECOMPOSITION.get(part, part)
        for part in folded
        if not "\u0300" <= part <= "\u036f"
    )
    return letters if all(unicodedata.category(part)[0] in "LNM" for part in letters) else " "


_FOLDED = _Folding()


@lru_cache(maxsize=32768)
def _split(term: str) -> tuple[str, ...]:
    """The tokens of one word that holds a dot, hyphen, at or plus sign."""
    local = term.strip(".-@").partition("@")[0].strip(".-")
    if local.endswith("+") and local[:-1].isalpha():
        local = f"{local[:-1]}plus"
    bare = local.replace("+", "")
    letters_and_digits = bare.replace(".", "").replace("-", "")
    if not letters_and_digits:
        return ()
    if letters_and_digits.isdigit():
        return (letters_and_digits,)
    return tuple(token for part in _dotted(bare) for token in _hyphened(part) if token)


def _dotted(token: str) -> list[str]:
    """`netflix.com` is `netflix`; `j.crew` and `u.s.` are one word; `st.john` is two."""
    labels = [label for label in token.split(".") if label]
    if len(labels) > 1 and labels[-1] in _ENDINGS_OF_ADDRESSES:
        parts = [
            label
            for label in labels[:-1]
            if label not in _HOSTS and label not in _ENDINGS_OF_ADDRESSES
        ]
        return parts[-1:] or labels[:1]
    if any(len(label) == 1 for label in labels):
        return ["".join(labels)]
    return labels


def _hyphened(token: str) -> list[str]:
    """`t-mobile` and `7-eleven` are one word, `ach-geico` is two: a short side belongs to the other.

    A legal form and the side of a booking do not: `versicherungs-ag` and `dr-bescom` are two.
    """
    sides = [side for side in token.split("-") if side]
    if any(len(side) <= 2 and side not in _APART for side in sides):
        return ["".join(sides)]
    return sides


_SMALL_WORDS = """
of and the for de du des la le el del da do dos van von der den und et y e in at on
"""
_ABBREVIATIONS = """
usa uk us nyc atm llc hoa ymca bbq dmv irs abc aaa ups usps nhs hmrc ii iii iv tv pc
"""
_WORDS_WITHOUT_VOWELS = """
st dr mr mrs ms jr sr ltd co mt ft pty crd pmt pymt xfer trf svc svcs ctr mkt mktp blvd str
"""

_IN_SMALL_LETTERS = frozenset(_SMALL_WORDS.split())
_IN_CAPITALS = frozenset(_ABBREVIATIONS.split())
_LETTER_BY_LETTER = frozenset(_WORDS_WITHOUT_VOWELS.split())
_VOWELS = frozenset("aeiouyäöü")


def display_name(terms: Sequence[str], text: str) -> str:
    """The words of a key as a name, each as `text` spells it where that is mixed case."""
    plain = text.isascii() and "'" not in text and "&" not in text
    if plain and (text.isupper() or text.istitle() or text.islower()):
        return capitalised(terms)
    spelling: dict[str, str] = {}
    for spelled in text.replace("*", " ").split():
        tokens = tokens_of(spelled)
        if len(tokens) == 1 and "." not in spelled.strip("."):
            spelling.setdefault(tokens[0], spelled.strip(".,;:#-/()\"'"))
    return " ".join(_as_spelled(token, spelling.get(token, token)) for token in terms)


def capitalised(tokens: Sequence[str]) -> str:
    """The words with the capitals of a name."""
    name = " ".join(map(_in_case, tokens))
    return name[:1].upper() + name[1:]


def _as_spelled(token: str, spelled: str) -> str:
    """A word as the descriptor spells it, accents and inner capitals kept, but not all capitals."""
    if "&" in spelled or not (spelled.isupper() or spelled.islower()):
        return spelled
    if spelled.lower() == token:
        return _in_case(token)
    first, *others = spelled.lower().split("'")
    # "macy's" but "O'Reilly": one letter after an apostrophe is an ending.
    parts = [first.capitalize(), *(part.capitalize() if part[1:] else part for part in others)]
    return "'".join(parts)


@lru_cache(maxsize=32768)
def _in_case(token: str) -> str:
    """One word of a name: abbreviations in capitals, small words in none, others with one."""
    if token in _IN_SMALL_LETTERS:
        return token
    unspoken = len(token) <= 4 and token.isascii() and token.isalpha() and _VOWELS.isdisjoint(token)
    if token in _IN_CAPITALS or (unspoken and token not in _LETTER_BY_LETTER):
        return token.upper()
    return token[:1].upper() + token[1:]
