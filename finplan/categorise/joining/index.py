"""Where a household's names are looked up: those that may be a short name, written out."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from finplan.categorise.joining.naming import are_initials, initialled, run_beside, shorter_cores
from finplan.categorise.joining.words import Core, Writing, is_trade

_LEAST_LETTERS = 5
_LEAST_WORDS = 2
_LEAST_TELLING = 4
_LEAST_ELIDED = 6
_ELIDED = frozenset("ld")
_SOUNDS = frozenset("aeiouyh")
_MOST_LOOKED_AT = 60
_MOST_OF_ONE_CORE = 12


class NameIndex:
    """Finds the names that may be a short one written out: by its rarest words, or by its letters."""

    def __init__(self, writings: Iterable[Writing]) -> None:
        self._all = {one.key: one for one in writings}
        self._by_spelling: dict[str, list[Writing]] = {}
        self._by_word: dict[str, list[Writing]] = {}
        self._of_many_words: dict[str, list[Writing]] = {}
        self._by_opened: dict[tuple[int, Core], list[Writing]] = {}
        self._alike: dict[str, list[tuple[int, list[Writing]]]] = {}
        self._with_article: dict[Core, list[Writing]] = {}
        self._by_core: dict[Core, list[Writing]] = {}
        for one in self._all.values():
            self._by_spelling.setdefault(one.letters, []).append(one)
            for word in one.words:
                self._by_word.setdefault(word, []).append(one)
                if len(one.words) > _LEAST_WORDS:
                    self._of_many_words.setdefault(word, []).append(one)
            if not (one.person or one.fixed):
                self._take_shortened(one)
            if one.core:
                self._by_core.setdefault(one.core, []).append(one)
        self._spellings = sorted(self._by_spelling)
        # Behind a name's letters, in the alphabet's order, come those that begin with them.
        beginning = (one for one, other in pairwise(self._spellings) if other.startswith(one))
        self._beginnings = frozenset(beginning)

    def _take_shortened(self, one: Writing) -> None:
        """Note a name by its words when one of them is opened alone, or has lost its article."""
        alike = self._alike[one.key] = []
        for place, opened in _opened(one.words):
            group = self._by_opened.setdefault((place, opened), [])
            group.append(one)
            alike.append((place, group))
        for words in _without_article(one.words):
            self._with_article.setdefault(words, []).append(one)

    def saying_more(self, short: Writing) -> Sequence[Writing]:
        """The other names that have all words of a short one, and more."""
        if len(short.words) < _LEAST_WORDS:
            return ()
        fewest = min([self._of_many_words.get(word, ()) for word in short.words], key=len)
        found = [one for one in fewest if short.members < one.members]
        rarest = min([len(self._by_word[word]) for word in short.words]) if found else 0
        return found if rarest <= _MOST_LOOKED_AT else ()

    def shortening_one(self, short: Writing) -> Iterator[tuple[Writing, int]]:
        """The names that write one word longer, of the same first letter, and that word's place."""
        for place, group in self._alike.get(short.key, ()):
            for one in group:
                if len(one.words[place]) > len(short.words[place]):
                    yield one, place

    def with_article(self, short: Writing) -> Sequence[Writing]:
        """The names of the same words, one of which begins with an article: "(l')horloge"."""
        return () if short.person else self._with_article.get(short.words, ())

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
                found.update(one.key for one in self._by_spelling.get(letters[:end], ()))
        return found

    def opening_with(self, short: Writing) -> Sequence[Writing]:
        """The other names whose letters begin with all of a short one's."""
        if len(short.letters) < _LEAST_LETTERS:
            return ()
        found = [one for one in self._by_spelling[short.letters] if one is not short]
        if short.letters not in self._beginnings:
            return found
        for place in range(bisect_right(self._spellings, short.letters), len(self._spellings)):
            letters = self._spellings[place]
            if not letters.startswith(short.letters):
                break
            found += self._by_spelling[letters]
        return found


def _opened(words: Core) -> Iterator[tuple[int, Core]]:
    """Each place whose word other words tell of, and these behind its first letter."""
    for place, word in enumerate(words):
        others = words[:place] + words[place + 1 :]
        if any(map(_tells_of_others, others)):
            yield place, (word[0], *others)


def _tells_of_others(word: str) -> bool:
    return len(word) >= _LEAST_TELLING and not is_trade(word)


def _without_article(words: Core) -> Iterator[Core]:
    """The words, each time without the article that one of them begins with."""
    for place, word in enumerate(words):
        if word[0] in _ELIDED and len(word) >= _LEAST_ELIDED and word[1] in _SOUNDS:
            yield (*words[:place], word[1:], *words[place + 1 :])
