"""A household's payees, joined: one payee that several of its keys write."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from finplan.categorise.joining.index import NameIndex
from finplan.categorise.joining.likeness import (
    Likeness,
    by_article,
    by_letters,
    by_one_word,
    by_words,
)
from finplan.categorise.joining.naming import by_core
from finplan.categorise.joining.words import Writing, is_compared, is_trade, writing_of

_NAMES_BEFORE_A_TAIL = 3
_LEAST_TOGETHER = 8
_LONGEST_COMPARED = 150
"""How long a name may be, in characters, that is compared with others word by word."""


def joined(new: Iterable[str], held: Collection[str] = ()) -> dict[str, str]:
    """For each of the `new` keys that writes another payee's name, that payee's key.

    Payees that are `held` already stay what they are: a new key goes to one of them, or to another new
    one. Well-known payees, a bank's fees, what has no letters and what is too long for a name are
    written in no other way.
    """
    household = _Household(new, held)
    household.join_equals()
    household.join_fuller()
    return household.answer()


Likenesses = Sequence[tuple[Likeness, str]]
"""Likenesses of one name with others, by their keys."""


class _Household:
    """A household's payees, while the new ones are joined: each is led by one, at last by itself."""

    def __init__(self, new: Iterable[str], held: Collection[str]) -> None:
        self._held = frozenset(key for key in held if len(key) <= _LONGEST_COMPARED)
        self._new = dict.fromkeys(
            key for key in new if key not in self._held and len(key) <= _LONGEST_COMPARED
        )
        keys = sorted({*self._new, *self._held}) if self._new else []
        self._writings = {key: writing_of(key) for key in keys}
        self._leads = {key: key for key in keys}
        self._tails = _tails(self._writings.values())

    def answer(self) -> dict[str, str]:
        """The payee that each new key goes to, where it is another one."""
        found = {key: self._lead(key) for key in self._new}
        return {key: lead for key, lead in found.items() if key != lead}

    def join_equals(self) -> None:
        """Join the names of the same words in any order, with or without the town behind them."""
        same: dict[tuple[str, ...], list[str]] = {}
        for one in self._writings.values():
            if is_compared(one):
                for words in (one.words, one.home) if one.home != one.words else (one.words,):
                    same.setdefault((one.purpose, *sorted(words)), []).append(one.key)
                if len(one.letters) >= _LEAST_TOGETHER and not (one.person or one.fixed):
                    same.setdefault((one.purpose, one.letters), []).append(one.key)
        for keys in same.values():
            if len(keys) > 1:
                first = min(keys, key=self._rank)
                for key in keys:
                    self._join(key, first)

    def _rank(self, key: str) -> tuple[bool, bool, int, str]:
        """The order in which payees of the same words lead: held and well-known ones, the shortest."""
        return key not in self._held, not self._writings[key].fixed, len(key), key

    def join_fuller(self) -> None:
        """Join the names that others say more fully, the longest first."""
        index = NameIndex(self._writings.values())
        for key in sorted(index.beside(self._new), key=lambda key: (-len(key), key)):
            short = self._writings[key]
            if short.fixed:
                continue
            # What is like others that say different things more may be either of them.
            found = list(self._likenesses(short, index))
            if _agree(found):
                self._join_all(key, found)
                retold = list(self._retold(short, index))
                if retold and _agree([*found, *retold]):
                    self._join_all(key, retold)

    def _join_all(self, key: str, found: Likenesses) -> None:
        """Join a name with those it is like."""
        for likeness, long in found:
            if likeness.long_leads:
                self._join(key, long)
            else:
                self._join(long, key)

    def _likenesses(self, short: Writing, index: NameIndex) -> Iterator[tuple[Likeness, str]]:
        for long in index.opening_with(short):
            if likeness := by_letters(short, long):
                yield likeness, long.key
        for long in index.saying_more(short):
            if likeness := by_words(short, long, self._tails):
                yield likeness, long.key
        for long in index.with_article(short):
            if likeness := by_article(short, long):
                yield likeness, long.key
        for long, place in index.shortening_one(short):
            if likeness := by_one_word(short, long, place):
                yield likeness, long.key

    @staticmethod
    def _retold(short: Writing, index: NameIndex) -> Iterator[tuple[Likeness, str]]:
        """The likenesses of names that say the trade or the form of a payee in other words."""
        if short.core:
            for long in index.of_one_core(short):
                if likeness := by_core(short, long):
                    yield likeness, long.key
        if short.briefs:
            for long, run in index.written_out(short):
                yield Likeness("".join(run), long_leads=True), long.key

    def _lead(self, key: str) -> str:
        while self._leads[key] != key:
            key = self._leads[key]
        return key

    def _join(self, key: str, other: str) -> None:
        """Let `other` lead `key`, unless a held payee has to lead; two held ones are never joined."""
        one, two = self._lead(key), self._lead(other)
        if one == two or (one in self._held and two in self._held):
            return
        if one in self._held or (two not in self._held and self._writings[one].fixed):
            one, two = two, one
        self._leads[one] = two


def _tails(writings: Iterable[Writing]) -> frozenset[str]:
    """The words that stand behind several other names of two words, as the household's town does."""
    heads: dict[str, set[tuple[str, ...]]] = {}
    for one in writings:
        for word in one.words[2:]:
            heads.setdefault(word, set()).add(tuple(sorted(one.words[:2])))
    return frozenset(
        word
        for word, before in heads.items()
        if len(before) >= _NAMES_BEFORE_A_TAIL and not is_trade(word)
    )


def _agree(found: Likenesses) -> bool:
    """Whether what longer names say more is one thing, cut off here and there."""
    if len(found) < 2:
        return True
    said = [likeness.more for likeness, _ in found]
    longest = max(said, key=len)
    return all(longest.startswith(more) for more in said)
