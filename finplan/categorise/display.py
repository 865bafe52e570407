"""How a payee's name is written for a person: capitals where names have them, accents kept."""

from collections.abc import Sequence
from functools import lru_cache

from finplan.categorise.tokens import tokens_of

_SMALL_WORDS = """
of and the for de du des la le el del da do dos van von der den und et y e in at on
"""
_ABBREVIATIONS = """
usa uk us nyc atm llc hoa ymca bbq dmv irs abc aaa ups usps nhs hmrc ii iii iv tv pc
"""
_WORDS_WITHOUT_VOWELS = """
st dr mr mrs ms jr sr ltd co mt ft pty crd pmt pymt xfer trf svc svcs ctr mkt mktp blvd str
"""

_SMALL = frozenset(_SMALL_WORDS.split())
_CAPITALS = frozenset(_ABBREVIATIONS.split())
_SPELLED = frozenset(_WORDS_WITHOUT_VOWELS.split())
_VOWELS = frozenset("aeiouyäöü")


def display_name(words: Sequence[str], text: str) -> str:
    """The words of a key as a name, each as `text` spells it where that is mixed case."""
    plain = text.isascii() and "'" not in text and "&" not in text
    if plain and (text.isupper() or text.istitle() or text.islower()):
        return capitalised(words)
    spelling: dict[str, str] = {}
    for spelled in text.replace("*", " ").split():
        tokens = tokens_of(spelled)
        if len(tokens) == 1 and "." not in spelled.strip("."):
            spelling.setdefault(tokens[0], spelled.strip(".,;:#-/()\"'"))
    return " ".join(_as_spelled(word, spelling.get(word, word)) for word in words)


def capitalised(words: Sequence[str]) -> str:
    """The words with the capitals of a name."""
    name = " ".join(map(_cased, words))
    return name[:1].upper() + name[1:]


def _as_spelled(word: str, spelled: str) -> str:
    """A word as the descriptor spells it, accents and inner capitals kept, but not all capitals."""
    if "&" in spelled or not (spelled.isupper() or spelled.islower()):
        return spelled
    if spelled.lower() == word:
        return _cased(word)
    first, *others = spelled.lower().split("'")
    # "macy's" but "O'Reilly": one letter after an apostrophe is an ending.
    parts = [first.capitalize(), *(part.capitalize() if part[1:] else part for part in others)]
    return "'".join(parts)


@lru_cache(maxsize=32768)
def _cased(word: str) -> str:
    """One word of a name: abbreviations in capitals, small words in none, others with one."""
    if word in _SMALL:
        return word
    unspoken = len(word) <= 4 and word.isascii() and word.isalpha() and _VOWELS.isdisjoint(word)
    if word in _CAPITALS or (unspoken and word not in _SPELLED):
        return word.upper()
    return word[:1].upper() + word[1:]
