"""What tells that a key writes another payee's name: the same letters or words, cut off or with more."""

from collections.abc import Sequence
from typing import NamedTuple

from finplan.categorise.grammar import grammar
from finplan.categorise.joining.words import (
    Writing,
    is_place_word,
    is_trade,
    is_whole,
    says_nothing,
    tells,
    tells_apart,
)

_LEAST_CUT = 6
_LEAST_TOGETHER = 8
_LEAST_OF_A_PERSON = 14
_LEAST_NAMED = 8
_LEAST_OPENING = 11
_LATE = 15
_LEAST_SHORTENED = 3
_LEAST_PLURAL = 4
_VOWELS = frozenset("aeiouy")


class Likeness(NamedTuple):
    """That a short name may be a long one: what the long one says `more`, and whether its name is kept.

    Where a short name is like several, these must agree on what they say more; nothing more agrees with
    everything.
    """

    more: str
    long_leads: bool


_NO_MORE = Likeness("", long_leads=False)
_FULLER = Likeness("", long_leads=True)


def by_letters(short: Writing, long: Writing) -> Likeness | None:
    """The likeness of a name whose letters begin with those of one that was run together or cut off."""
    if short.purpose != long.purpose:
        return None
    if _runs_together(short, long):
        return _FULLER
    end = len(short.words)
    if long.fixed or not 1 < end <= len(long.words) or short.words[:-1] != long.words[: end - 1]:
        return None
    if short.words[-1] == long.words[end - 1]:
        return None
    if short.person or long.person:
        return _cut_person(short, long.words[end - 1 :])
    return _cut(short, long.words[end - 1 :])


def _cut_person(short: Writing, rest: Sequence[str]) -> Likeness | None:
    """The likeness of a person's name that was cut off late, or before the last name began.

    "Lucas Petit" is another than Lucas Petitjean; "Suresh Vit" lacks the surname of Suresh Vitthal Rao.
    """
    cut = short.words[-1]
    if len(short.letters) >= _LEAST_OF_A_PERSON:
        return _FULLER
    before_last = (
        len(rest) > 1 and len(cut) >= _LEAST_SHORTENED and len(short.letters) >= _LEAST_CUT
    )
    return Likeness("".join(rest), long_leads=True) if before_last else None


def _runs_together(short: Writing, long: Writing) -> bool:
    """Whether a name of one word has the letters of a longer one, all or up to where it was cut off."""
    if len(short.words) != 1 or len(long.words) < 2 or short.fixed:
        return False
    if short.letters == long.letters:
        return True
    beyond_first = len(short.letters) > len(long.words[0]) + 2
    return len(short.letters) >= _LEAST_TOGETHER and beyond_first and not is_whole(short.letters)


def _cut(short: Writing, rest: Sequence[str]) -> Likeness | None:
    """The likeness of a name that goes on with `rest` where a short one was cut off inside a word.

    A whole word is no cut one, unless it stands as late as banks cut names off.
    """
    cut = short.words[-1]
    if len(short.letters) < _LEAST_CUT or tells_apart(rest[1:]):
        return None
    if len(cut) > 2 and len(short.letters) < _LATE and is_whole(cut):
        return None
    return Likeness("".join(rest), long_leads=True)


def _is_plural(short: str, whole: str) -> bool:
    return whole == f"{short}s" and len(short) >= _LEAST_PLURAL


def abbreviates(short: str, whole: str) -> bool:
    """Whether a word is another one's beginning or some of its letters: "imob", "mgmt", "blgerie"."""
    if len(short) < _LEAST_SHORTENED or len(short) >= len(whole) or short[0] != whole[0]:
        return False
    is_cut = whole.startswith(short)
    if not is_cut and short[-1] != whole[-1]:
        return False
    known = is_trade(whole) or whole in grammar().outfits or says_nothing(whole)
    if is_cut:
        return known and not is_whole(short)
    if 2 * len(short) < len(whole) - 1 or (known and is_whole(short)):
        return False
    consonants = _VOWELS.isdisjoint(short[1:-1])
    if not consonants and not (known and short[-2:] == whole[-2:]):
        return False
    letters = iter(whole)
    return all(letter in letters for letter in short)


def _is_code(word: str) -> bool:
    """Whether a word before a name is a processor's or a bank's code."""
    words = grammar()
    known = word in words.processors or word in words.collectors
    return known or len(word) < _LEAST_SHORTENED or _VOWELS.isdisjoint(word)


def _may_collect(extras: Sequence[str]) -> bool:
    """Whether what stands before the full name of a shop may be who collects for it, or its town."""
    words = grammar()
    first, *others = extras
    if first in words.town_starts or first in words.given:
        return False
    return all(len(word) == 1 or word in words.town_starts for word in others)


def by_article(short: Writing, long: Writing) -> Likeness | None:
    """The likeness of a name of the same words, of which a long one writes one with its article."""
    return _FULLER if short.purpose == long.purpose else None


def by_one_word(short: Writing, long: Writing, place: int) -> Likeness | None:
    """The likeness of two names that differ in the word at one place alone, which is written shorter."""
    word, whole = short.words[place], long.words[place]
    if short.purpose == long.purpose and (_is_plural(word, whole) or abbreviates(word, whole)):
        return _FULLER
    return None


def by_words(short: Writing, long: Writing, tails: frozenset[str]) -> Likeness | None:
    """The likeness of a name that has the words of a short one, and more."""
    if short.purpose != long.purpose or long.fixed:
        return None
    extras = [word for word in long.words if word not in short.words]
    if short.person or long.person:
        initials = [word for word in extras if len(word) == 1]
        noted = short.person and all(map(says_nothing, (set(extras).difference(initials))))
        return Likeness("".join(initials), long_leads=False) if noted else None
    return _saying_more(short.words, long.words, extras, tails)


def _saying_more(
    short: tuple[str, ...], long: tuple[str, ...], extras: Sequence[str], tails: frozenset[str]
) -> Likeness | None:
    """The likeness of a name that has all words of a short one, and the extras besides."""
    if not tells(short) or tells_apart(extras):
        return None
    opens, closes = long[: len(short)] == short, long[-len(short) :] == short
    if closes and all(map(_is_code, extras)):
        return _NO_MORE
    if all(word in tails or _is_beside(word) for word in extras):
        # A name goes on with a place that "of" binds to it: "Sabor da Serra" and "Sabor da Ilha".
        return Likeness("".join(extras) if extras[0] in grammar().small else "", long_leads=False)
    if any(map(is_trade, extras)):
        return _selling_more(short, extras, opens=opens)
    goes_on = opens or (closes and _may_collect(extras))
    if not goes_on or not any(map(is_trade, short)):
        return None
    # A shop with its trade and a name of some letters is told by them; what follows is a note or place.
    said = "" if _letters_of_name(short) >= _LEAST_NAMED else "".join(extras)
    return Likeness(said, long_leads=False)


def _selling_more(short: Sequence[str], extras: Sequence[str], *, opens: bool) -> Likeness | None:
    """The likeness of a name that says more of what is sold than a short one, or says it at all."""
    if all(is_trade(word) or _is_beside(word) for word in extras):
        told = opens or not any(map(is_trade, short))
    else:
        told = opens and sum(map(len, short)) >= _LEAST_OPENING
    return Likeness("".join(extras), long_leads=True) if told else None


def _is_beside(word: str) -> bool:
    return says_nothing(word) or is_place_word(word)


def _letters_of_name(short: Sequence[str]) -> int:
    return sum(len(word) for word in short if not is_trade(word))
