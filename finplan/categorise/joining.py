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
        for index in range(len(core)):
            yield core[:index] + core[index + 1 :]


def by_core(first: Writing, second: Writing) -> Likeness | None:
    """The likeness of two names that have the same core, or one that `one` writes a trade into.

    One word alone is many houses' name, so that two have to agree.
    """
    mine, its = _extra_words(first, second), _extra_words(second, first)
    my_trades, its_trades = _telling_words(mine), _telling_words(its)
    agreed = len(first.terms) - len(mine)
    for my_trade in tuple(my_trades):
        same = next((trade for trade in its_trades if is_one_trade(my_trade, trade)), None)
        if same is not None:
            my_trades.remove(my_trade)
            its_trades.remove(same)
            agreed += 1
    if agreed < _LEAST_AGREED or my_trades or not _may_add(first, its_trades):
        return None
    if not (_may_be_one(first, second, mine) and _may_be_one(second, first, its)):
        return None
    if mine and its and not _may_differ(first, second, mine, its):
        return None
    alone = len(second.core) < _LEAST_SAFE
    if alone and not grammar().small.isdisjoint((*mine, *its)):
        return None
    return Likeness("".join(its if alone else its_trades), long_leads=bool(its_trades))


def _extra_words(first: Writing, second: Writing) -> list[str]:
    """The words that one name has besides another's."""
    return [token for token in first.terms if token not in second.members]


def _may_be_one(first: Writing, second: Writing, extras: Sequence[str]) -> bool:
    """Whether these words, which another name has not, may stand beside those that both have.

    A trade may open a name, while a place closes it.
    """
    shared = [index for index, token in enumerate(first.terms) if token in second.members]
    if not _tell_enough([first.terms[index] for index in shared]) or tells_apart(extras):
        return False
    opening = first.terms[: shared[0]]
    return all(is_trade(term) or not is_place_word(term) for term in opening)


def _tell_enough(shared: Sequence[str]) -> bool:
    """Whether the words that two names share tell them from all others."""
    given_names = grammar().given if not any(map(is_trade, shared)) else frozenset[str]()
    return is_long([token for token in shared if not is_beside(token) and token not in given_names])


def _may_differ(first: Writing, second: Writing, mine: Sequence[str], its: Sequence[str]) -> bool:
    """Whether each of two names may say something more: no two places by which alone they are told."""
    if len(second.core) >= _LEAST_SAFE:
        return grammar().seats.isdisjoint((*first.terms, *second.terms))
    return not (any(map(is_place_word, mine)) and any(map(is_place_word, its)))


def _telling_words(tokens: Sequence[str]) -> list[str]:
    """The words that say more than where and in which form a payee is."""
    return [
        token for token in tokens if is_trade(token) or not is_beside(token) or token in _COUNCILS
    ]


def _may_add(writing: Writing, trades: Sequence[str]) -> bool:
    """Whether another name may say these trades more: all of them, where `one` says none."""
    return not trades or (all(map(is_trade, trades)) and not any(map(is_trade, writing.terms)))


def is_one_trade(first: str, second: str) -> bool:
    """Whether two words say one trade: one is a part of the other, or is it written shorter."""
    short, long = sorted((first, second), key=len)
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
    spare = len(long.terms) - len(others)
    for start in range(len(others) + 1):
        if long.terms[:start] + long.terms[start + spare :] == others:
            return long.terms[start : start + spare]
    return ()


def initialled(writing: Writing) -> Iterator[tuple[Core, str]]:
    """The other words of a name beside each that may be the first letters of some."""
    for brief in writing.briefs:
        others = tuple(term for term in writing.terms if term != brief)
        if any(len(token) >= _LEAST_OF_CORE and not is_trade(token) for token in others):
            yield others, brief


def are_initials(letters: str, run: Core) -> bool:
    """Whether letters are the first ones of words, and of the parts of a compound: "hoa", "tv".

    Two letters, or those of one word, are a public body's, a club's or a building's alone.
    """
    if not 0 < len(run) <= len(letters) or letters[0] != run[0][0]:
        return False
    few = len(letters) == _LEAST_INITIALS or len(run) == 1
    vocab = grammar()
    if few and run[0] not in vocab.seats and run[0] not in vocab.authorities:
        return False
    if len(run) == 1 and len(run[0]) < _LEAST_COMPOUND:
        return False
    sequence = iter("".join(run))
    if not all(letter in sequence for letter in letters):
        return False
    firsts = iter(letters)
    return all(token[0] in firsts for token in run)


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
        self._all = {writing.key: writing for writing in writings}
        self._by_spelling: dict[str, list[Writing]] = {}
        self._by_word: dict[str, list[Writing]] = {}
        self._of_many_words: dict[str, list[Writing]] = {}
        self._by_opened: dict[tuple[int, Core], list[Writing]] = {}
        self._alike: dict[str, list[tuple[int, list[Writing]]]] = {}
        self._with_article: dict[Core, list[Writing]] = {}
        self._by_core: dict[Core, list[Writing]] = {}
        for writing in self._all.values():
            self._by_spelling.setdefault(writing.letters, []).append(writing)
            for token in writing.terms:
                self._by_word.setdefault(token, []).append(writing)
                if len(writing.terms) > _LEAST_WORDS:
                    self._of_many_words.setdefault(token, []).append(writing)
            if not (writing.person or writing.fixed):
                self._take_shortened(writing)
            if writing.core:
                self._by_core.setdefault(writing.core, []).append(writing)
        self._spellings = sorted(self._by_spelling)

    def _take_shortened(self, writing: Writing) -> None:
        """Note a name by its words when one of them is opened alone, or has lost its article."""
        alike = self._alike[writing.key] = []
        for index, opened in _opened(writing.terms):
            group = self._by_opened.setdefault((index, opened), [])
            group.append(writing)
            alike.append((index, group))
        for tokens in _without_article(writing.terms):
            self._with_article.setdefault(tokens, []).append(writing)

    def saying_more(self, short: Writing) -> Sequence[Writing]:
        """The other names that have all words of a short one, and more."""
        if len(short.terms) < _LEAST_WORDS:
            return ()
        fewest = min([self._of_many_words.get(token, ()) for token in short.terms], key=len)
        longer = [writing for writing in fewest if short.members < writing.members]
        rarest = min([len(self._by_word[token]) for token in short.terms]) if longer else 0
        return longer if rarest <= _MOST_LOOKED_AT else ()

    def shortening_one(self, short: Writing) -> Iterator[tuple[Writing, int]]:
        """The names that write one word longer, of the same first letter, and that word's place."""
        for index, group in self._alike.get(short.key, ()):
            for writing in group:
                if len(writing.terms[index]) > len(short.terms[index]):
                    yield writing, index

    def with_article(self, short: Writing) -> Sequence[Writing]:
        """The names of the same words, one of which begins with an article: "(l')horloge"."""
        return () if short.person else self._with_article.get(short.terms, ())

    def of_one_core(self, short: Writing) -> Iterator[Writing]:
        """The other names that have a short one's core, or all of it but for one word."""
        for core in (short.core, *shorter_cores(short.core)):
            writings = self._by_core.get(core, ())
            # What more names are told by is a common word, of a chain or a town.
            if len(writings) <= _MOST_OF_ONE_CORE:
                yield from (writing for writing in writings if writing.key != short.key)

    def written_out(self, short: Writing) -> Iterator[tuple[Writing, Core]]:
        """The other names that have words where a short one has their first letters, and these words."""
        for others, letters in initialled(short):
            rarest = min((self._by_word[token] for token in others), key=len)
            for writing in rarest if len(rarest) <= _MOST_OF_ONE_CORE else ():
                run = () if writing.person or writing.fixed else run_beside(others, writing)
                if are_initials(letters, run):
                    yield writing, run

    def beside(self, new: Iterable[str]) -> set[str]:
        """The names that may be a short writing of a new one, and the new ones themselves."""
        longs = [self._all[key] for key in new]
        keys = {long.key for long in longs}
        if len(keys) == len(self._all):
            return keys
        for token in {token for long in longs for token in long.terms}:
            if len(self._by_word[token]) <= _MOST_LOOKED_AT:
                keys.update(writing.key for writing in self._by_word[token])
        for letters in {long.letters for long in longs}:
            for end in range(_LEAST_LETTERS, len(letters) + 1):
                keys.update(writing.key for writing in self._by_spelling.get(letters[:end], ()))
        return keys

    def opening_with(self, short: Writing) -> Sequence[Writing]:
        """The other names whose letters begin with all of a short one's."""
        if len(short.letters) < _LEAST_LETTERS:
            return ()
        writings = [writing for writing in self._by_spelling[short.letters] if writing is not short]
        # Behind a name's letters, in the alphabet's order, come those that begin with them.
        for index in range(bisect_right(self._spellings, short.letters), len(self._spellings)):
            letters = self._spellings[index]
            if not letters.startswith(short.letters):
                break
            writings += self._by_spelling[letters]
        return writings


def _opened(tokens: Core) -> Iterator[tuple[int, Core]]:
    """Each place whose word other words tell of, and these behind its first letter."""
    for index, term in enumerate(tokens):
        others = tokens[:index] + tokens[index + 1 :]
        if any(len(token) >= _LEAST_TELLING and not is_trade(token) for token in others):
            yield index, (term[0], *others)


def _without_article(tokens: Core) -> Iterator[Core]:
    """The words, each time without the article that one of them begins with."""
    for index, token in enumerate(tokens):
        if token[0] in _ELIDED and len(token) >= _LEAST_ELIDED and token[1] in _SOUNDS:
            yield (*tokens[:index], token[1:], *tokens[index + 1 :])


_NAMES_BEFORE_A_TAIL = 3
_LEAST_RUN_TOGETHER = 8
_LONGEST_COMPARED = 150
"""How long a name may be, in characters, that is compared with others word by word."""


def join_keys(new: Iterable[str], stored: Collection[str] = ()) -> dict[str, str]:
    """For each of the `new` keys that writes another payee's name, that payee's key.

    Payees that are `held` already stay what they are: a new key goes to one of them, or to another new
    one. Well-known payees, a bank's fees, what has no letters and what is too long for a name are
    written in no other way.
    """
    household = _Household(new, stored)
    household.join_equals()
    household.join_fuller()
    return household.answer()


Likenesses = Sequence[tuple[Likeness, str]]
"""Likenesses of one name with others, by their keys."""


class _Household:
    """A household's payees, while the new ones are joined: each is led by one, at last by itself."""

    def __init__(self, new: Iterable[str], stored: Collection[str]) -> None:
        self._held = frozenset(key for key in stored if len(key) <= _LONGEST_COMPARED)
        self._new = dict.fromkeys(
            key for key in new if key not in self._held and len(key) <= _LONGEST_COMPARED
        )
        keys = sorted({*self._new, *self._held}) if self._new else []
        self._writings = {key: writing_of(key) for key in keys}
        self._leads = {key: key for key in keys}
        self._tails = _tails(self._writings.values())

    def answer(self) -> dict[str, str]:
        """The payee that each new key goes to, where it is another one."""
        leads = {key: self._lead(key) for key in self._new}
        return {key: lead for key, lead in leads.items() if key != lead}

    def join_equals(self) -> None:
        """Join the names of the same words in any order, with or without the town behind them."""
        same: dict[tuple[str, ...], list[str]] = {}
        for writing in self._writings.values():
            if is_compared(writing):
                for tokens in (
                    (writing.terms, writing.home)
                    if writing.home != writing.terms
                    else (writing.terms,)
                ):
                    same.setdefault((writing.purpose, *sorted(tokens)), []).append(writing.key)
                if len(writing.letters) >= _LEAST_RUN_TOGETHER and not (
                    writing.person or writing.fixed
                ):
                    same.setdefault((writing.purpose, writing.letters), []).append(writing.key)
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
            likenesses = list(self._likenesses(short, index))
            if _agree(likenesses):
                self._join_all(key, likenesses)
                retold = list(self._retold(short, index))
                if retold and _agree([*likenesses, *retold]):
                    self._join_all(key, retold)

    def _join_all(self, key: str, likenesses: Likenesses) -> None:
        """Join a name with those it is like."""
        for likeness, long in likenesses:
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
        for long, at in index.shortening_one(short):
            if likeness := by_one_word(short, long, at):
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

    def _join(self, key: str, other_key: str) -> None:
        """Let `other` lead `key`, unless a held payee has to lead; two held ones are never joined."""
        lead, two = self._lead(key), self._lead(other_key)
        if lead == two or (lead in self._held and two in self._held):
            return
        if lead in self._held or (two not in self._held and self._writings[lead].fixed):
            lead, two = two, lead
        self._leads[lead] = two


def _tails(writings: Iterable[Writing]) -> frozenset[str]:
    """The words that stand behind several other names of two words, as the household's town does."""
    heads: dict[str, set[tuple[str, ...]]] = {}
    for writing in writings:
        for token in writing.terms[2:]:
            heads.setdefault(token, set()).add(tuple(sorted(writing.terms[:2])))
    return frozenset(
        term
        for term, before in heads.items()
        if len(before) >= _NAMES_BEFORE_A_TAIL and not is_trade(term)
    )


def _agree(likenesses: Likenesses) -> bool:
    """Whether what longer names say more is one thing, cut off here and there."""
    extras = [likeness.extra for likeness, _ in likenesses]
    longest = max(extras, key=len, default="")
    return all(longest.startswith(extra) for extra in extras)
