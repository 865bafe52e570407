"""One spelling for words that banks write in several ways, and whole names for those that were cut."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from finplan.categorise.curated import Merchant, curated
from finplan.categorise.descriptor import grammar

_LEAST_CUT_NAME = 8
_LEAST_RUN_TOGETHER = 6
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))


@lru_cache(maxsize=32768)
def plain_word(token: str) -> str:
    """The one spelling of a word: "svcs" is "service", "muenchen" and "baeckerei" have no umlauts."""
    words = grammar()
    if "e" in token and token.startswith(words.umlauts):
        for written, letter in _UMLAUTS:
            token = token.replace(written, letter)
    return words.plain.get(token, token)


@cache
def _long_names() -> Sequence[str]:
    """The names of well-known merchants that may have been cut off, in order."""
    return sorted(phrase for phrase in curated().whole if len(phrase) > _LEAST_CUT_NAME)


def cut_merchant(name: Sequence[str]) -> Merchant | None:
    """The only well-known merchant whose name begins with this one, cut off inside a word.

    Banks cut names at a fixed width. At least three letters of the last word must be there, or twelve
    of the whole, and the word may not be whole, since "planet" is not a cut "planet fitness".
    """
    key = " ".join(name)
    alone = len(name) == 1
    if len(key) < _LEAST_CUT_NAME or (not alone and len(name[-1]) < 3 and len(key) < 12):
        return None
    names = _long_names()
    found: Merchant | None = None
    for place in range(bisect_left(names, key), len(names)):
        phrase = names[place]
        if not phrase.startswith(key):
            break
        merchant = curated().whole[phrase]
        cut_off = phrase[len(key) :].partition(" ")[0]
        if not cut_off or (alone and len(cut_off) > 3):
            return None
        if found is not None and found is not merchant:
            return None
        found = merchant
    return found


@cache
def _run_together() -> Mapping[str, Merchant]:
    """The names of well-known merchants without spaces."""
    return {
        together: merchant
        for phrase, merchant in curated().whole.items()
        if len(together := phrase.replace(" ", "")) >= _LEAST_RUN_TOGETHER
    }


@lru_cache(maxsize=32768)
def run_together(word: str) -> Merchant | None:
    """The well-known merchant whose name a word is without its spaces, as processors write it.

    A country or a legal form may follow it, as in "spotifyusai".
    """
    names = _run_together()
    for end in range(len(word), _LEAST_RUN_TOGETHER - 1, -1):
        merchant = names.get(word[:end])
        if merchant is not None and (end == len(word) or word[end:] in grammar().run_on):
            return merchant
    return None
