"""Which payees of a household are one: names turned round, cut off, or with a place behind them.

A descriptor alone does not tell whether "Fundy Tide Chow" is cut off and "Gasthaus Krone Isny" closes
with a town. Beside the household's other payees it does: a name is another writing of one of them if
nothing else there may be meant.

Names of the same words but for what they sell, in which form, and where are one payee, or two. A name
is told by its *core*: the words that are no trade, no place and no filler. Beside one core a trade may
be written shorter ("phcie"), as a part of another ("praxis", "zahnarztpraxis") or by its first letters
("elc"); two trades that have nothing in common are two payees.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from finplan.categorise.grammar import grammar
from finplan.categorise.likeness import (
    Core,
    Likeness,
    Writing,
    abbreviates,
    by_article,
    by_letters,
    by_one_word,
    by_words,
    is_beside,
    is_compared,
    is_long,
    is_place_word,
    is_trade,
    tells_apart,
    writing_of,
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
    mine, its = _extra_words(one, other), _extra_words(other, one)
    my_trades, its_trades = _telling_words(mine), _telling_words(its)
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


def _extra_words(one: Writing, other: Writing) -> list[str]:
    """The words that one name has besides another's."""
    return [word for word in one.words if word not in other.members]


def _may_be_one(one: Writing, other: Writing, extras: Sequence[str]) -> bool:
    """Whether these words, which another name has not, may stand beside those that both have.

    A trade may open a name, while a place closes it.
    """
    shared = [place for place, word in enumerate(one.words) if word in other.members]
    if not _tell_enough([one.words[place] for place in shared]) or tells_apart(extras):
        return False
    opening = one.words[: shared[0]]
    return all(is_trade(word) or not is_place_word(word) for word in opening)


def _tell_enough(shared: Sequence[str]) -> bool:
    """Whether the words that two names share tell them from all others."""
    given = grammar().given if not any(map(is_trade, shared)) else frozenset[str]()
    return is_long([word for word in shared if not is_beside(word) and word not in given])


def _may_differ(one: Writing, other: Writing, mine: Sequence[str], its: Sequence[str]) -> bool:
    """Whether each of two names may say something more: no two places by which alone they are told."""
    if len(other.core) >= _LEAST_SAFE:
        return grammar().seats.isdisjoint((*one.words, *other.words))
    return not (any(map(is_place_word, mine)) and any(map(is_place_word, its)))


def _telling_words(words: Sequence[str]) -> list[str]:
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
        if any(len(each) >= _LEAST_OF_CORE and not is_trade(each) for each in rest):
            yield rest, word


def are_initials(letters: str, run: Core) -> bool:
    """Whether letters are the first ones of words, and of the parts of a compound: "hoa", "tv".

    Two letters, or those of one word, are a public body's, a club's or a building's alone.
    """
    if not 0 < len(run) <= len(letters) or letters[0] != run[0][0]:
        return False
    few = len(letters) == _LEAST_INITIALS or len(run) == 1
    words = grammar()
    if few and run[0] not in words.seats and run[0] not in words.authorities:
        return False
    if len(run) == 1 and len(run[0]) < _LEAST_COMPOUND:
        return False
    left = iter("".join(run))
    if not all(letter in left for letter in letters):
        return False
    firsts = iter(letters)
    return all(word[0] in firsts for word in run)


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
        # Behind a name's letters, in the alphabet's order, come those that begin with them.
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
        if any(len(each) >= _LEAST_TELLING and not is_trade(each) for each in others):
            yield place, (word[0], *others)


def _without_article(words: Core) -> Iterator[Core]:
    """The words, each time without the article that one of them begins with."""
    for place, word in enumerate(words):
        if word[0] in _ELIDED and len(word) >= _LEAST_ELIDED and word[1] in _SOUNDS:
            yield (*words[:place], word[1:], *words[place + 1 :])


_NAMES_BEFORE_A_TAIL = 3
_LEAST_RUN_TOGETHER = 8
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
                if len(one.letters) >= _LEAST_RUN_TOGETHER and not (one.person or one.fixed):
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
    said = [likeness.more for likeness, _ in found]
    longest = max(said, key=len, default="")
    return all(longest.startswith(more) for more in said)
