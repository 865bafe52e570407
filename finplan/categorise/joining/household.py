"""A household's payees, joined: one payee that several of its keys write."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence

from finplan.categorise.joining.likeness import Likeness, by_letters, by_words
from finplan.categorise.joining.words import Writing, is_compared, is_trade, writing_of

_LEAST_LETTERS = 5
_NAMES_BEFORE_A_TAIL = 3
_RAREST_WORDS = 2
_MOST_LOOKED_AT = 100


def joined(new: Iterable[str], held: Collection[str] = ()) -> dict[str, str]:
    """For each of the `new` keys that writes another payee's name, that payee's key.

    Payees that are `held` already stay what they are: a new key goes to one of them, or to another new
    one. Well-known payees, a bank's fees and what has no letters are written in no other way.
    """
    household = _Household(new, held)
    household.join_equals()
    household.join_fuller()
    return household.answer()


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
        for key in sorted(self._writings, key=lambda key: (-len(key), key)):
            short = self._writings[key]
            found = [] if short.fixed else list(self._likenesses(short, index))
            if not _agree([likeness.more for likeness, _ in found]):
                continue
            for likeness, long in found:
                if likeness.long_leads:
                    self._join(key, long)
                else:
                    self._join(long, key)

    def _likenesses(self, short: Writing, index: "_Index") -> Iterator[tuple[Likeness, str]]:
        for long in index.opening_with(short):
            if likeness := by_letters(short, long):
                yield likeness, long.key
        for long in index.sharing_words(short):
            if likeness := by_words(short, long, self._tails):
                yield likeness, long.key

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
        self._by_word: dict[str, list[Writing]] = {}
        by_letters = []
        for one in writings:
            if one.letters:
                by_letters.append((one.letters, one.key, one))
            for word in one.words:
                self._by_word.setdefault(word, []).append(one)
        self._by_letters = sorted(by_letters)

    def sharing_words(self, short: Writing) -> Iterator[Writing]:
        """The other names that share one of the rarest words, each once."""
        if len(short.words) > 1:
            sharing = sorted((self._by_word[word] for word in short.words), key=len)
            lists = [one for one in sharing[:_RAREST_WORDS] if len(one) <= _MOST_LOOKED_AT]
            found = {one.key: one for listed in lists for one in listed}
            found.pop(short.key, None)
            yield from found.values()

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
