"""A household's payees, joined: one payee that several of its keys write."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence

from finplan.categorise.joining.likeness import ELIDED, Likeness, by_letters, by_one_word, by_words
from finplan.categorise.joining.naming import (
    are_initials,
    by_core,
    initialled,
    run_beside,
    shorter_cores,
)
from finplan.categorise.joining.words import Core, Writing, is_compared, is_trade, writing_of

_LEAST_LETTERS = 5
_NAMES_BEFORE_A_TAIL = 3
_LEAST_WORDS = 2
_LEAST_TOGETHER = 8
_MOST_LOOKED_AT = 60
_MOST_OF_ONE_CORE = 12


def joined(new: Iterable[str], held: Collection[str] = ()) -> dict[str, str]:
    """For each of the `new` keys that writes another payee's name, that payee's key.

    Payees that are `held` already stay what they are: a new key goes to one of them, or to another new
    one. Well-known payees, a bank's fees and what has no letters are written in no other way.
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
        self._held = frozenset(held)
        self._new = dict.fromkeys(key for key in new if key not in self._held)
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
                for words in {one.words, one.home}:
                    same.setdefault((one.purpose, *sorted(words)), []).append(one.key)
                if len(one.letters) >= _LEAST_TOGETHER and not (one.person or one.fixed):
                    same.setdefault((one.purpose, one.letters), []).append(one.key)
        for keys in same.values():
            first = min(keys, key=self._rank)
            for key in keys:
                self._join(key, first)

    def _rank(self, key: str) -> tuple[bool, bool, int, str]:
        """The order in which payees of the same words lead: held and well-known ones, the shortest."""
        return key not in self._held, not self._writings[key].fixed, len(key), key

    def join_fuller(self) -> None:
        """Join the names that others say more fully, the longest first."""
        index = _Index(self._writings.values())
        for key in sorted(index.beside(self._new), key=lambda key: (-len(key), key)):
            short = self._writings[key]
            if short.fixed:
                continue
            found = list(self._likenesses(short, index))
            if self._join_agreeing(key, found, found):
                retold = list(self._retold(short, index))
                self._join_agreeing(key, retold, [*found, *retold])

    def _join_agreeing(self, key: str, found: Likenesses, among: Likenesses) -> bool:
        """Join a name with those it is like, if all `among` say the same more: else it may be two."""
        if not _agree([likeness.more for likeness, _ in among]):
            return False
        for likeness, long in found:
            if likeness.long_leads:
                self._join(key, long)
            else:
                self._join(long, key)
        return True

    def _likenesses(self, short: Writing, index: "_Index") -> Iterator[tuple[Likeness, str]]:
        for long in index.opening_with(short):
            if likeness := by_letters(short, long):
                yield likeness, long.key
        for long in index.saying_more(short):
            if likeness := by_words(short, long, self._tails):
                yield likeness, long.key
        for long in index.differing_in_one(short):
            if likeness := by_one_word(short, long):
                yield likeness, long.key

    @staticmethod
    def _retold(short: Writing, index: "_Index") -> Iterator[tuple[Likeness, str]]:
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


class _Index:
    """Finds the names that may be a short one written out: by its rarest words, or by its letters."""

    def __init__(self, writings: Iterable[Writing]) -> None:
        self._all: dict[str, Writing] = {}
        self._by_word: dict[str, list[Writing]] = {}
        self._by_spelling: dict[str, list[str]] = {}
        self._by_rest: dict[tuple[int, tuple[str, ...]], list[Writing]] = {}
        self._by_core: dict[Core, list[Writing]] = {}
        by_letters = []
        for one in writings:
            self._all[one.key] = one
            if one.letters:
                by_letters.append((one.letters, one.key, one))
                self._by_spelling.setdefault(one.letters, []).append(one.key)
            for word in one.words:
                self._by_word.setdefault(word, []).append(one)
            for place_and_rest in _without_one(one.words, articles=True):
                self._by_rest.setdefault(place_and_rest, []).append(one)
            if one.core:
                self._by_core.setdefault(one.core, []).append(one)
        self._by_letters = sorted(by_letters)

    def saying_more(self, short: Writing) -> Iterator[Writing]:
        """The other names that have all words of a short one, and more."""
        if len(short.words) < _LEAST_WORDS:
            return
        rarest = min((self._by_word[word] for word in short.words), key=len)
        if len(rarest) <= _MOST_LOOKED_AT:
            yield from (one for one in rarest if short.members < one.members)

    def differing_in_one(self, short: Writing) -> Iterator[Writing]:
        """The names that write one word longer, which begins with the same letter or an article."""
        for place, rest in _without_one(short.words, articles=False):
            written = len(short.words[place])
            for one in self._by_rest.get((place, rest), ()):
                if len(one.words[place]) > written:
                    yield one

    def of_one_core(self, short: Writing) -> Iterator[Writing]:
        """The other names that have a short one's core, or all of it but for one word."""
        for core in (short.core, *shorter_cores(short.core)):
            found = self._by_core.get(core, ())
            # What more names are told by is a common word, of a chain or a town.
            if len(found) <= _MOST_OF_ONE_CORE:
                yield from (one for one in found if one.key != short.key)

    def written_out(self, short: Writing) -> Iterator[tuple[Writing, Core]]:
        """The other names that have words where a short one has their first letters, and these words."""
        for others, letters in initialled(short):
            rarest = min((self._by_word[word] for word in others), key=len)
            for one in rarest if len(rarest) <= _MOST_OF_ONE_CORE else ():
                run = () if one.person or one.fixed else run_beside(others, one)
                if are_initials(letters, run):
                    yield one, run

    def beside(self, new: Iterable[str]) -> set[str]:
        """The names that may be a short writing of a new one, and the new ones themselves."""
        longs = [self._all[key] for key in new]
        found = {long.key for long in longs}
        if len(found) == len(self._all):
            return found
        for word in {word for long in longs for word in long.words}:
            if len(self._by_word[word]) <= _MOST_LOOKED_AT:
                found.update(one.key for one in self._by_word[word])
        for letters in {long.letters for long in longs}:
            for end in range(_LEAST_LETTERS, len(letters) + 1):
                found.update(self._by_spelling.get(letters[:end], ()))
        return found

    def opening_with(self, short: Writing) -> Iterator[Writing]:
        """The other names whose letters begin with all of a short one's."""
        if len(short.letters) >= _LEAST_LETTERS:
            for place in range(
                bisect_left(self._by_letters, (short.letters,)), len(self._by_letters)
            ):
                letters, key, one = self._by_letters[place]
                if not letters.startswith(short.letters):
                    break
                if key != short.key:
                    yield one


def _without_one(
    words: tuple[str, ...], *, articles: bool
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each place, and the words with one letter for its word: the first, or that behind an article."""
    if len(words) < _LEAST_WORDS:
        return
    for place, word in enumerate(words):
        before, behind = words[:place], words[place + 1 :]
        yield place, (*before, word[0], *behind)
        if articles and len(word) > 1 and word[0] in ELIDED:
            yield place, (*before, word[1], *behind)


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


def _agree(said: Sequence[str]) -> bool:
    """Whether what longer names say more is one thing, cut off here and there."""
    longest = max(said, key=len, default="")
    return all(longest.startswith(more) for more in said)
