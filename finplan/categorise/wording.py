"""One spelling for words that banks write in several ways, and whole names for those that were cut."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from finplan.categorise.curated import Merchant, curated
from finplan.categorise.grammar import Grammar, grammar

_LEAST_CUT_NAME = 8
_LEAST_RUN_TOGETHER = 6
_MOST_APART = 3
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_ELIDED = frozenset(("d", "l", "dell", "all", "nell", "sull", "un"))
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz") | _ELIDED
_SOUNDS = frozenset("aeiouyh")
_PARTS_OF_A_COUNTY = "school schools council water treasurer sheriff court clerk tax library"
_OF_A_COUNTY = frozenset(_PARTS_OF_A_COUNTY.split())
_COUNCILS = frozenset(
    ("city", "borough", "county", "district", "metropolitan", "bc", "cc", "dc", "mbc")
)
"""What kind of council it is, which some rows leave out."""

_CUT_COUNCILS = frozenset(("borough", "district", "metropolitan", "regional"))
"""Those that only a council has, so that one letter of it is enough."""


@lru_cache(maxsize=32768)
def plain_word(token: str) -> str:
    """The one spelling of a word: "svcs" is "service", "muenchen" and "baeckerei" have no umlauts."""
    vocab = grammar()
    if "e" in token and token.startswith(vocab.umlauts):
        for written, letter in _UMLAUTS:
            token = token.replace(written, letter)
    return vocab.plain.get(token, token)


def distinctive_words(name: list[str], vocab: Grammar) -> list[str]:
    """The words that distinguish a name: in one spelling, whole, without "and" and "the"."""
    inner = name[1:-1]
    if not vocab.unsaid.isdisjoint(inner):
        name = [name[0], *_drop_unsaid(name, vocab), name[-1]]
    words_of_it = list(dict.fromkeys(map(plain_word, name)))
    if "co" in words_of_it:
        _write_county(words_of_it)
    if not vocab.compound_starts.isdisjoint(words_of_it):
        words_of_it = _compounded(words_of_it, vocab)
    if len(words_of_it) > 1 and words_of_it[0] not in vocab.given:
        # A person's name is whole: "James Cooper" is no cooperative.
        if words_of_it[-1] in vocab.whole_trades:
            words_of_it[-1] = vocab.whole_trades[words_of_it[-1]]
        elif words_of_it[-2] in vocab.trades and words_of_it[-1] not in vocab.trades:
            words_of_it[-1] = _whole_outfits().get(words_of_it[-1], words_of_it[-1])
    if len(words_of_it) > 2:
        _drop_optional(words_of_it, vocab)
    return words_of_it or name


def _drop_optional(name: list[str], vocab: Grammar) -> None:
    """Drop from a name of three words or more what some of its rows leave out; two words are left."""
    if name[0] == "the":
        del name[0]
    if len(name) > 2 and not vocab.fuller.isdisjoint(name):
        _drop_outfits(name, vocab)
    if len(name) > 2 and name[-1] in vocab.plainly:
        del name[-1]
    if len(name) > 2 and name[-2] in _CUT_COUNCILS and "council".startswith(name[-1]):
        name[-1] = "council"
    if len(name) > 2 and name[-1] == "council" and name[-2] in _COUNCILS:
        del name[-2]


def _write_county(name: list[str]) -> None:
    """Write "county" for the "co" before what a county has, as in "Erie Co Water"."""
    index = name.index("co")
    if 0 < index < len(name) - 1 and name[index + 1] in _OF_A_COUNTY and "county" not in name:
        name[index] = "county"


def rereads_differently(distinctive: list[str], name: list[str]) -> bool:
    """Whether the distinctive words of a name may be read otherwise than the words that were written.

    They are fewer and what is now first or last may do something there, or one of them does something
    else in a name than its other spelling.
    """
    vocab = grammar()
    if len(distinctive) != len(name):
        return (
            distinctive[0] in vocab.firsts
            or distinctive[-1] in vocab.lasts
            or not _LETTERS.isdisjoint(distinctive)
            or not vocab.streets.isdisjoint(distinctive)
            or not vocab.unsaid.isdisjoint(distinctive)
            or not vocab.dated.isdisjoint(distinctive)
            or any(old in _shifting() for old in name)
        )
    shifting = _shifting()
    if distinctive[0] != name[0] and distinctive[0] in vocab.firsts:
        return True
    return any(
        new != old and (old in shifting or vocab.plain.get(old) != new)
        for old, new in zip(name, distinctive, strict=True)
    )


@cache
def _shifting() -> frozenset[str]:
    """Spellings that do something else in a name than the one spelling that stands for them."""
    vocab = grammar()
    sets = (
        vocab.cities,
        vocab.given,
        vocab.seats,
        vocab.trailers,
        vocab.states,
        vocab.trades,
        vocab.callings,
        vocab.outfits,
        vocab.plainly,
        vocab.authorities,
        vocab.levies,
        vocab.unsaid,
        vocab.bound,
        vocab.particles,
        vocab.articles,
        vocab.branches,
        vocab.roles,
        vocab.fees,
        vocab.compounds,
        vocab.whole_trades,
    )
    return frozenset(
        plain
        for plain, first in vocab.plain.items()
        if any((plain in some) != (first in some) for some in sets)
    )


def without_cut_letter(name: list[str]) -> list[str]:
    """The words without a last letter, all that is left of a third one where a bank cut the name."""
    cut = len(name) > 2 and len(name[-1]) == 1 < len(name[-2]) and name[-1].isalpha()
    return name[:-1] if cut else name


def _drop_unsaid(name: list[str], vocab: Grammar) -> list[str]:
    """The inner words without those that banks leave out; "of" and its like stay before a city.

    Else the city would no longer be a part of the name ("Amigos de Sevilla"); a seat keeps it anyway.
    """
    seated = not vocab.seats.isdisjoint(name[:1]) or not vocab.authorities.isdisjoint(name)
    return [
        token
        for token, following in pairwise(name[1:])
        if token not in vocab.unsaid
        or (token in vocab.small and following in vocab.cities and not seated)
    ]


def rejoined(name: list[str], vocab: Grammar) -> list[str]:
    """The words with letters put back that lost their apostrophe or dots: "joe s", "d hugo", "b q".

    The same list when there are none.
    """
    if _LETTERS.isdisjoint(name):
        return name
    result: list[str] = []
    end = 0
    while end < len(name):
        start = end
        end = _end_of_letters(name, start, vocab)
        letters = "".join(token for token in name[start:end] if token not in vocab.links)
        if end == start:
            result.append(name[start])
            end += 1
        elif letters == "s" and name[end : end + 1] == ["coop"]:
            break  # A Spanish "S. Coop." closes the name.
        elif (
            letters == "s" and result and result[-1].isalpha() and result[-1] not in vocab.trailers
        ):
            result[-1] += letters
        elif end < len(name) and _belongs_to(letters, name[end], first=not result):
            result.append(letters + name[end])
            end += 1
        else:
            result.append(letters)
    return result if len(result) < len(name) else name


def _end_of_letters(name: list[str], start: int, vocab: Grammar) -> int:
    """Where a run of single letters ends, which an "and" may join; an elided article is such a run."""
    if name[start] in _ELIDED:
        return start + 1
    end = start
    while end < len(name):
        if name[end] in _LETTERS:
            end += 1
        elif start < end < len(name) - 1 and name[end] in vocab.links and len(name[end + 1]) == 1:
            end += 2
        else:
            break
    return end


def _belongs_to(letters: str, token: str, *, first: bool) -> bool:
    """Whether letters lost the sign that bound them to the next word: "d hugo", "liam o connor"."""
    if len(token) < 3 or not token.isalpha():
        return False
    if letters == "o":
        return not first
    return letters in _ELIDED and (len(letters) == 1 or not first) and token[0] in _SOUNDS


def _compounded(name: list[str], vocab: Grammar) -> list[str]:
    """The name with "car wash" as "carwash", since some rows write it as one word."""
    result: list[str] = []
    for token in name:
        if result and token in vocab.compounds.get(result[-1], ()):
            result[-1] += token
        else:
            result.append(token)
    return result


def _drop_outfits(name: list[str], vocab: Grammar) -> None:
    """Drop what says no more once a calling is named: the "center" of "Pinecrest daycare center".

    It may be cut off ("Ridgeline coffee ro"). A word such as "restaurant" goes from any name of two
    other words. An authority's levies go, since all of them are paid to it.
    """
    for index in range(1, len(name) - 1):
        if name[index] in vocab.callings:
            while len(name) > index + 1 and name[-1] in _whole_and_cut_outfits():
                del name[-1]
            break
    while (
        len(name) > 2 and name[-1] in vocab.levies and not vocab.authorities.isdisjoint(name[:-1])
    ):
        del name[-1]


@cache
def _whole_outfits() -> Mapping[str, str]:
    """Beginnings of three letters and more that only one word after a trade has, as in "art stu"."""
    vocab = grammar()
    outfits: dict[str, set[str]] = {}
    for outfit in vocab.outfits:
        singular = outfit[:-1] if outfit[:-1] in vocab.outfits else vocab.plain.get(outfit, outfit)
        for end in range(3, len(outfit)):
            outfits.setdefault(outfit[:end], set()).add(singular)
    return {
        cut: next(iter(meant))
        for cut, meant in outfits.items()
        if len(meant) == 1 and cut not in vocab.plain and cut not in vocab.given
    }


@cache
def _whole_and_cut_outfits() -> frozenset[str]:
    """The words that follow a calling, and their beginnings of two to four letters."""
    outfits = grammar().outfits
    return outfits.union(token[:end] for token in outfits for end in range(2, min(len(token), 5)))


@cache
def _long_names() -> Sequence[str]:
    """The names of well-known merchants that may have been cut off, in order."""
    return sorted(phrase for phrase in curated().by_phrase if len(phrase) > _LEAST_CUT_NAME)


@cache
def _first_words() -> frozenset[str]:
    """The first words of the names that may have been cut off after them."""
    return frozenset(phrase.partition(" ")[0] for phrase in _long_names())


def cut_merchant(name: Sequence[str]) -> Merchant | None:
    """The only well-known merchant whose name begins with this one, cut off inside a word.

    Banks cut names at a fixed width. At least three letters of the last word must be there, or twelve
    of the whole, and the word may not be whole, since "planet" is not a cut "planet fitness".
    """
    alone = len(name) == 1
    if not alone and name[0] not in _first_words():
        return None
    key = " ".join(name)
    if len(key) < _LEAST_CUT_NAME or (not alone and len(name[-1]) < 3 and len(key) < 12):
        return None
    names = _long_names()
    match: Merchant | None = None
    for index in range(bisect_left(names, key), len(names)):
        phrase = names[index]
        if not phrase.startswith(key):
            break
        merchant = curated().by_phrase[phrase]
        cut_off = phrase[len(key) :].partition(" ")[0]
        if not cut_off or (alone and len(cut_off) > 3):
            return None
        if match is not None and match is not merchant:
            return None
        match = merchant
    return match


@cache
def _run_together() -> Mapping[str, Merchant]:
    """The names of well-known merchants without spaces."""
    return {
        together: merchant
        for phrase, merchant in curated().by_phrase.items()
        if len(together := phrase.replace(" ", "")) >= _LEAST_RUN_TOGETHER
    }


@cache
def _in_one_spelling() -> Mapping[str, Merchant]:
    """The names of several words that are others in one spelling of these, without spaces."""
    return {
        "".join(spelled): merchant
        for phrase, merchant in curated().by_phrase.items()
        if " " in phrase and (spelled := list(map(plain_word, phrase.split()))) != phrase.split()
    }


def opens_run_together(name: Sequence[str]) -> Merchant | None:
    """The well-known merchant that a name opens with as one word, as in "premierinn dunstable".

    What is one word anyway is not run together: "Peacock Inn" is another than Peacock.
    """
    merchant = _run_together().get(name[0])
    if (
        merchant is None
        or name[0] in curated().by_phrase
        or not curated().distinct.isdisjoint(name[1:])
    ):
        return None
    return None if merchant.people else merchant


def opens_apart(name: Sequence[str]) -> Merchant | None:
    """The well-known merchant of one word that a name opens with as several, as in "v markt kempten".

    Behind a trade it is another: "Santa Lucia Cafe" is no insurer. A name of all the
    letters of a merchant of several words is that one: "super cheap auto".
    """
    letters = "".join(name)
    same = _run_together().get(letters) or _in_one_spelling().get(letters)
    if same is not None and not same.people and len(letters) >= _LEAST_CUT_NAME:
        return same
    merchants = curated().by_phrase
    for end in range(2, min(_MOST_APART, len(name)) + 1):
        together = "".join(name[:end])
        merchant = merchants.get(together) if len(together) >= _LEAST_RUN_TOGETHER else None
        if merchant is not None and not merchant.people:
            others = curated().distinct | grammar().trades
            return merchant if others.isdisjoint(name[end:]) else None
    return None


@lru_cache(maxsize=32768)
def run_together(token: str) -> Merchant | None:
    """The well-known merchant whose name a word is without its spaces, as processors write it.

    A country or a legal form may follow it, as in "spotifyusai".
    """
    names = _run_together()
    for end in range(len(token), _LEAST_RUN_TOGETHER - 1, -1):
        merchant = names.get(token[:end])
        if merchant is not None and (end == len(token) or token[end:] in grammar().run_on):
            return merchant
    return None
