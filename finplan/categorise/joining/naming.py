"""Names of the same words but for what they sell, in which form, and where: one payee, or two.

A name is told by its *core*: the words that are no trade, no place and no filler. Beside one core a
trade may be written shorter ("phcie"), as a part of another ("praxis", "zahnarztpraxis") or by its first
letters ("elc"); two trades that have nothing in common are two payees.
"""

from collections.abc import Iterator, Sequence

from finplan.categorise.grammar import grammar
from finplan.categorise.joining.likeness import Likeness, abbreviates
from finplan.categorise.joining.words import (
    Core,
    Writing,
    is_beside,
    is_long,
    is_place_word,
    is_trade,
    tells_apart,
)

_LEAST_OF_CORE = 4
_LEAST_PART = 5
_LEAST_SAFE = 2
_LEAST_AGREED = 2
_LEAST_INITIALS = 2
_LEAST_COMPOUND = 8
_COUNCILS = frozenset(("bc", "cc", "dc", "mbc", "rbc", "lb"))
"""Kinds of councils by their first letters."""


def shorter_cores(core: Core) -> Iterator[Core]:
    """What a name is told by without each word that may be a trade written shorter."""
    if len(core) > 1:
        for place in range(len(core)):
            yield core[:place] + core[place + 1 :]


def by_core(one: Writing, other: Writing) -> Likeness | None:
    """The likeness of two names that have the same core, or one that `one` writes a trade into.

    One word alone is many houses' name, so that two have to agree.
    """
    mine, its = _extras(one, other), _extras(other, one)
    my_trades, its_trades = _told(mine), _told(its)
    agreed = len(one.words) - len(mine)
    for word in tuple(my_trades):
        same = next((trade for trade in its_trades if is_one_trade(word, trade)), None)
        if same is not None:
            my_trades.remove(word)
            its_trades.remove(same)
            agreed += 1
    if agreed < _LEAST_AGREED or my_trades or not _may_add(one, its_trades):
        return None
    if not (_may_be_one(one, other, mine) and _may_be_one(other, one, its)):
        return None
    if mine and its and not _may_differ(one, other, mine, its):
        return None
    alone = len(other.core) < _LEAST_SAFE
    if alone and not grammar().small.isdisjoint((*mine, *its)):
        return None
    return Likeness("".join(its if alone else its_trades), long_leads=bool(its_trades))


def _extras(one: Writing, other: Writing) -> list[str]:
    """The words that one name has besides another's."""
    return [word for word in one.words if word not in other.members]


def _may_be_one(one: Writing, other: Writing, extras: Sequence[str]) -> bool:
    """Whether these words, which another name has not, may stand beside those that both have.

    A trade may open a name, while a place closes it.
    """
    shared = [place for place, word in enumerate(one.words) if word in other.members]
    if not _tells([one.words[place] for place in shared]) or tells_apart(extras):
        return False
    opening = one.words[: shared[0]]
    return all(is_trade(word) or not is_place_word(word) for word in opening)


def _tells(shared: Sequence[str]) -> bool:
    """Whether the words that two names share tell them from all others."""
    given = grammar().given if not any(map(is_trade, shared)) else frozenset[str]()
    return is_long([word for word in shared if not is_beside(word) and word not in given])


def _may_differ(one: Writing, other: Writing, mine: Sequence[str], its: Sequence[str]) -> bool:
    """Whether each of two names may say something more: no two places by which alone they are told."""
    if len(other.core) >= _LEAST_SAFE:
        return grammar().seats.isdisjoint((*one.words, *other.words))
    return not (any(map(is_place_word, mine)) and any(map(is_place_word, its)))


def _told(words: Sequence[str]) -> list[str]:
    """The words that say more than where and in which form a payee is."""
    return [word for word in words if is_trade(word) or not is_beside(word) or word in _COUNCILS]


def _may_add(one: Writing, trades: Sequence[str]) -> bool:
    """Whether another name may say these trades more: all of them, where `one` says none."""
    return not trades or (all(map(is_trade, trades)) and not any(map(is_trade, one.words)))


def is_one_trade(word: str, other: str) -> bool:
    """Whether two words say one trade: one is a part of the other, or is it written shorter."""
    short, long = sorted((word, other), key=len)
    if long == "council" and short in _COUNCILS:
        return True
    if not is_trade(long):
        return False
    if is_trade(short):
        part = len(short) >= _LEAST_PART and short not in grammar().outfits
        return part and (long.startswith(short) or long.endswith(short))
    return abbreviates(short, long)


def run_beside(others: Core, long: Writing) -> Core:
    """The words in a row that a name has besides these, () where it has them not in one row."""
    spare = len(long.words) - len(others)
    for start in range(len(others) + 1):
        if long.words[:start] + long.words[start + spare :] == others:
            return long.words[start : start + spare]
    return ()


def initialled(one: Writing) -> Iterator[tuple[Core, str]]:
    """The other words of a name beside each that may be the first letters of some."""
    for word in one.briefs:
        rest = tuple(other for other in one.words if other != word)
        if _is_told(rest):
            yield rest, word


def are_initials(letters: str, run: Core) -> bool:
    """Whether letters are the first ones of words, and of the parts of a compound: "hoa", "tv".

    Two letters, or those of one word, are a public body's, a club's or a building's alone.
    """
    if not 0 < len(run) <= len(letters) or letters[0] != run[0][0]:
        return False
    few = len(letters) == _LEAST_INITIALS or len(run) == 1
    if few and not _is_body(run[0]):
        return False
    if len(run) == 1 and len(run[0]) < _LEAST_COMPOUND:
        return False
    left = iter("".join(run))
    if not all(letter in left for letter in letters):
        return False
    firsts = iter(letters)
    return all(word[0] in firsts for word in run)


def _is_body(word: str) -> bool:
    return word in grammar().seats or word in grammar().authorities


def _is_told(rest: Core) -> bool:
    return any(len(word) >= _LEAST_OF_CORE and not is_trade(word) for word in rest)
