"""Names of the same words but for what they sell, in which form, and where: one payee, or two.

A name is told by its *core*: the words that are no trade, no place and no filler. Beside one core a
trade may be written shorter ("phcie"), as a part of another ("praxis", "zahnarztpraxis") or by its first
letters ("elc"); two trades that have nothing in common are two payees.
"""

from collections.abc import Iterator, Sequence

from finplan.categorise.grammar import grammar
from finplan.categorise.joining.likeness import Likeness, abbreviates
from finplan.categorise.joining.words import (
    Writing,
    is_place_word,
    is_trade,
    says_nothing,
    tells_apart,
)

Core = tuple[str, ...]

_LEAST_ALONE = 5
_LEAST_OF_CORE = 4
_LEAST_PART = 4
_LEAST_SAFE = 2
_LEAST_INITIALS = 2
_MOST_INITIALS = 4
_LEAST_COMPOUND = 8
_LEAST_TOGETHER = 6
_COUNCILS = frozenset(("bc", "cc", "dc", "mbc", "rbc", "lb"))
"""Kinds of councils by their first letters."""


def cores_of(one: Writing) -> tuple[Core, ...]:
    """What a name is told by, then the same without each word that may be a trade written shorter."""
    core = core_of(one)
    if not core:
        return ()
    shorter = tuple(
        (*core[:place], *core[place + 1 :]) for place in range(len(core)) if len(core) > 1
    )
    return (core, *shorter)


def core_of(one: Writing) -> Core:
    """What a name is told by, () where that is too little: a person, a public body, a common word."""
    if one.person or one.fixed or one.purpose:
        return ()
    core = tuple(sorted(word for word in one.words if len(word) > 1 and not _is_beside(word)))
    return core if _is_long(core) else ()


def _is_long(core: Sequence[str]) -> bool:
    """Whether words have letters enough to tell a payee: one of them, or all together."""
    together = len(core) > 1 and sum(map(len, core)) >= _LEAST_TOGETHER
    return together or any(len(word) >= _LEAST_OF_CORE for word in core)


def by_core(one: Writing, other: Writing) -> Likeness | None:
    """The likeness of two names that have the same core, or one that `one` writes a trade into."""
    mine, its = _extras(one, other), _extras(other, one)
    if mine is None or its is None or (mine and its and not _may_differ(one, other, mine, its)):
        return None
    my_trades, its_trades = _told(mine), _told(its)
    for word in tuple(my_trades):
        same = next((trade for trade in its_trades if is_one_trade(word, trade)), None)
        if same is not None:
            my_trades.remove(word)
            its_trades.remove(same)
    alone = len(core_of(other)) < _LEAST_SAFE
    bound = alone and not grammar().small.isdisjoint((*mine, *its))
    if my_trades or bound or not _may_add(one, its_trades):
        return None
    return Likeness("".join(its if alone else its_trades), long_leads=bool(its_trades))


def _extras(one: Writing, other: Writing) -> list[str] | None:
    """The words that one name has besides another's; None where they make another payee of it.

    A trade may open a name, while a place closes it.
    """
    shared = [place for place, word in enumerate(one.words) if word in other.members]
    extras = [word for word in one.words if word not in other.members]
    if not _tells([one.words[place] for place in shared]) or tells_apart(extras):
        return None
    opening = one.words[: shared[0]]
    return extras if all(is_trade(word) or not is_place_word(word) for word in opening) else None


def _tells(shared: Sequence[str]) -> bool:
    """Whether the words that two names share tell them from all others."""
    given = grammar().given if not any(map(is_trade, shared)) else frozenset[str]()
    core = [word for word in shared if not _is_beside(word) and word not in given]
    return _is_long(core) and (len(shared) > 1 or len(core[0]) >= _LEAST_ALONE)


def _may_differ(one: Writing, other: Writing, mine: Sequence[str], its: Sequence[str]) -> bool:
    """Whether each of two names may say something more: no two places by which alone they are told."""
    if len(core_of(other)) >= _LEAST_SAFE:
        return grammar().seats.isdisjoint((*one.words, *other.words))
    return not (any(map(is_place_word, mine)) and any(map(is_place_word, its)))


def _told(words: Sequence[str]) -> list[str]:
    """The words that say more than where and in which form a payee is."""
    return [word for word in words if is_trade(word) or not _is_beside(word)]


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
        return len(short) >= _LEAST_PART and (long.startswith(short) or long.endswith(short))
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
    if one.person or one.fixed or len(one.words) < _LEAST_INITIALS:
        return
    for place, word in enumerate(one.words):
        rest = (*one.words[:place], *one.words[place + 1 :])
        if _LEAST_INITIALS <= len(word) <= _MOST_INITIALS and not is_trade(word) and _is_told(rest):
            yield rest, word


def are_initials(letters: str, run: Core) -> bool:
    """Whether letters are the first ones of words, and of the parts of a compound: "hoa", "tv"."""
    if not 0 < len(run) <= len(letters) or letters[0] != run[0][0]:
        return False
    if len(letters) > _LEAST_INITIALS and run[0].startswith(letters):
        return False
    if len(run) == 1 and not (len(run[0]) >= _LEAST_COMPOUND and _is_body(run[0])):
        return False
    left = iter("".join(run))
    if not all(letter in left for letter in letters):
        return False
    firsts = iter(letters)
    return all(word[0] in firsts for word in run)


def _is_body(word: str) -> bool:
    return is_trade(word) or word in grammar().seats or word in grammar().authorities


def _is_told(rest: Core) -> bool:
    return any(len(word) >= _LEAST_OF_CORE and not is_trade(word) for word in rest)


def _is_beside(word: str) -> bool:
    return is_trade(word) or says_nothing(word) or is_place_word(word)
