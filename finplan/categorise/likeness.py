"""How a payee's key is compared with others, and what tells that it writes another payee's name.

Some words say who it is, and some say nothing. A key writes another's name by the same letters or
words, cut off or with more.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from finplan.categorise.curated import curated, find_merchant, merchant_at
from finplan.categorise.grammar import Grammar, grammar
from finplan.categorise.payments import fee_in, payer_of, purpose_of
from finplan.categorise.people import is_full_name
from finplan.categorise.places import is_town
from finplan.categorise.wording import plain_word

_LEAST_TOLD = 8
_SHORT_FORMS = frozenset(("eg", "ev", "ag", "kg", "sas", "nv"))
_SAINTS = {"st": "saint", "ste": "sainte", "sta": "santa", "sto": "santo"}
_TITLES = frozenset(("dr", "dra", "dott", "prof", "med", "ldo", "lda", "dipl", "inh", "inhaber"))
"""Titles, which banks write before a name, behind it, or not at all."""
_FAMILIES = frozenset(
    ("freres", "fils", "hijos", "hermanos", "figli", "filhos", "sohne", "sons", "cie")
)
"""What a family's firm adds to its name, which some rows leave out."""
_LEAST_WORD = 4
_WRITINGS = 16_384
"""How many keys are remembered as they are compared; each new row's is compared with all of them."""
_LEAST_TRADE = 5
_LEAST_TRADE_TOGETHER = 6
_LEAST_BRIEF = 2
_MOST_BRIEF = 4


Core = tuple[str, ...]


class Writing(NamedTuple):
    """A payee's key as it is compared.

    `terms` (and `members`, the same without an order) say who it is, in one spelling; `letters` are
    theirs as they are written, and `home` are the words without the town that closes them. `core` are
    those that say neither trade nor place, in the alphabet's order, () where they are too few; `briefs`
    are short ones, which may be the first letters of others. `purpose` is
    for what the payer sends money; `person` says that the words are a full name, `fixed` that the payee
    is well known or named by none of its words.
    """

    key: str
    terms: tuple[str, ...]
    members: frozenset[str]
    letters: str
    home: tuple[str, ...]
    core: Core
    briefs: Core
    purpose: str
    person: bool
    fixed: bool


@lru_cache(_WRITINGS)
def writing_of(key: str) -> Writing:
    """A key as it is compared."""
    vocab = grammar()
    purpose = purpose_of(key)
    payer = key if purpose is None else payer_of(key, purpose)
    tokens = payer.split()
    who = _who(tokens, vocab)
    terms = tuple(dict.fromkeys(map(_whole_word, who)))
    person = is_full_name(list(terms), vocab)
    fixed = not terms or _is_fixed(payer, tokens, vocab)
    home = terms if person or fixed else _without_town(terms)
    purpose_name = "" if purpose is None else purpose.name
    core = () if person or fixed or purpose_name else _core_of(terms)
    briefs = () if person or fixed or len(terms) < _LEAST_BRIEF else _briefs(terms)
    return Writing(
        key, terms, frozenset(terms), "".join(who), home, core, briefs, purpose_name, person, fixed
    )


def _briefs(tokens: Sequence[str]) -> Core:
    short = [token for token in tokens if _LEAST_BRIEF <= len(token) <= _MOST_BRIEF]
    return tuple([token for token in short if not is_trade(token) and not says_nothing(token)])


def _core_of(tokens: Sequence[str]) -> Core:
    core = sorted([token for token in tokens if len(token) > 1 and not is_beside(token)])
    return tuple(core) if is_long(core) else ()


def is_long(core: Sequence[str]) -> bool:
    """Whether words have letters enough to tell a payee: one of them, or all together."""
    together = len(core) > 1 and sum(map(len, core)) >= _LEAST_TRADE_TOGETHER
    return together or max(map(len, core), default=0) >= _LEAST_WORD


@lru_cache(32768)
def is_beside(token: str) -> bool:
    """Whether a word says what a payee sells, where it is, or nothing."""
    return is_trade(token) or says_nothing(token) or is_place_word(token)


@lru_cache(32768)
def _whole_word(token: str) -> str:
    """A word in its one spelling, and whole where it can only be a trade that was cut off."""
    return _SAINTS.get(token) or grammar().whole_trades.get(token) or plain_word(token)


def is_compared(writing: Writing) -> bool:
    """Whether a payee is known by its words alone, whatever else its key says.

    Two words are needed, or one that is no common word and stands before a legal form somewhere.
    """
    if len(writing.terms) > 1:
        return not writing.fixed
    letters = writing.letters
    return (
        len(letters) >= _LEAST_WORD
        and letters.isalpha()
        and (writing.fixed or not is_whole(letters))
    )


def _is_fixed(payer: str, tokens: list[str], vocab: Grammar) -> bool:
    """Whether a payee is well known, a fee, or known by a number alone."""
    return (
        find_merchant(payer) is not None
        or not any(map(str.isalpha, tokens))
        or tokens[0] == "account"
        or (not vocab.fee_nouns.isdisjoint(tokens) and fee_in(tokens, vocab) is not None)
    )


def _who(tokens: list[str], vocab: Grammar) -> list[str]:
    """The words without how it was paid around them, and without a rail before two or more."""
    start = _behind_how(tokens, 0, vocab)
    rail = _rail_at(tokens, start)
    if rail and len(tokens) - start - rail > 1:
        start = _behind_how(tokens, start + rail, vocab)
    end = next(
        (at for at in range(start + 1, len(tokens)) if _is_legal(tokens[at], at - start, vocab)),
        len(tokens),
    )
    while end - start > 2 and says_how(tokens[end - 1]) and not is_trade(tokens[end - 1]):
        end -= 1
    if (
        end - start > 2
        and len(tokens[start]) > 2
        and is_full_name(tokens[start : start + 2], vocab)
    ):
        # Behind a full name a word for how it was paid opens a note.
        notes = (at for at in range(start + 2, end) if tokens[at] in vocab.mechanics)
        end = next(notes, end)
    untitled = [token for token in tokens[start:end] if token not in _TITLES]
    return untitled if len(untitled) > 1 else tokens[start:end]


def _is_legal(term: str, index: int, vocab: Grammar) -> bool:
    """Whether a word is a legal form, behind which a note stands; short ones are after two words."""
    return term in vocab.legal or term == "spa" or (index > 1 and term in _SHORT_FORMS)


def _rail_at(tokens: list[str], start: int) -> int:
    """How many words from `start` on are a rail over which people are paid."""
    if start >= len(tokens):
        return 0
    alone = find_merchant(tokens[start])
    if alone is not None and alone.people:
        return 1
    merchant = merchant_at(tokens, start)
    return merchant[0] if merchant is not None and merchant[1].people else 0


def _behind_how(tokens: list[str], start: int, vocab: Grammar) -> int:
    while len(tokens) - start > 2 and (
        tokens[start] in vocab.mechanics
        or tokens[start] in vocab.rail_leads
        or tokens[start] in vocab.honorifics
        or tokens[start] in vocab.articles
    ):
        start += 1
    return start


def _without_town(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The words without the places that close them, as long as a shop is still told by the others.

    Of a public body or a building the place is a part of its name.
    """
    end = len(tokens)
    if not grammar().seats.isdisjoint(tokens):
        return tokens
    while (
        end > 2
        and is_place_word(tokens[end - 1])
        and not is_trade(tokens[end - 1])
        and tells(tokens[: end - 1])
    ):
        end -= 1
    return tokens[:end]


def tells(tokens: Sequence[str]) -> bool:
    """Whether words tell one shop from all others: one of them is no trade, no city and no filler.

    A public body is told by its town.
    """
    vocab = grammar()
    if len(tokens) > 1 and not vocab.authorities.isdisjoint(tokens):
        return True
    return (
        len(tokens) > 1
        and sum(map(len, tokens)) >= _LEAST_TOLD
        and any(
            len(token) >= _LEAST_WORD
            and not is_trade(token)
            and token not in vocab.given
            and token not in vocab.regions
            and (len(tokens) > 2 or (token,) not in vocab.cities.get(token, ()))
            and not says_nothing(token)
            for token in tokens
        )
    )


@lru_cache(32768)
def is_trade(token: str) -> bool:
    """Whether a word says what a payee sells, or is a compound that closes with such a word."""
    trades = grammar().trades
    return (
        token in trades
        or token in grammar().authorities
        or any(token[at:] in trades for at in range(3, len(token) - _LEAST_TRADE + 1))
    )


@lru_cache(32768)
def is_place_word(token: str) -> bool:
    """Whether a word may be a town or a region."""
    vocab = grammar()
    return token in vocab.regions or (token,) in vocab.cities.get(token, ()) or is_town(token)


@lru_cache(32768)
def is_whole(token: str) -> bool:
    """Whether a word is known for a whole one, and so for none that was cut off."""
    vocab = grammar()
    return is_trade(token) or token in vocab.given or token in vocab.outfits or is_place_word(token)


def says_how(token: str) -> bool:
    """Whether a word behind a name says only how it was paid, or in which form the payee trades."""
    return token in _words_of_how()


def says_nothing(token: str) -> bool:
    """Whether a word beside a name says nothing of who it is: how, when, where or what for."""
    return token in _silent_words() or not token.isalpha()


def tells_apart(extras: Sequence[str]) -> bool:
    """Whether words beside a name make another payee of it: a shop's card or pumps, or a purpose."""
    return not _words_that_tell_apart().isdisjoint(extras)


@cache
def _words_that_tell_apart() -> frozenset[str]:
    vocab = grammar()
    wings = {
        token for token, wing in vocab.wings.items() if wing.category in ("transport", "health")
    }
    return curated().distinct | wings | vocab.lines.keys() | vocab.purpose_words


@cache
def _words_of_how() -> frozenset[str]:
    vocab = grammar()
    return vocab.mechanics.union(
        vocab.legal, vocab.states, vocab.honorifics, vocab.trailers, vocab.months, vocab.noise
    )


@cache
def _silent_words() -> frozenset[str]:
    vocab = grammar()
    closers = {token for token, role in vocab.roles.items() if role == "closer"}
    beside = vocab.small, vocab.links, vocab.articles, vocab.note_words, vocab.rail_notes
    wordlists = vocab.outfits, vocab.plainly, vocab.regions, _FAMILIES
    return _words_of_how().union(closers, *beside, *wordlists)


_LEAST_CUT = 6
_LEAST_TOGETHER = 8
_LEAST_OF_A_PERSON = 14
_LEAST_NAMED = 8
_LEAST_OPENING = 11
_LATE_IN_A_NAME = 15
_LEAST_SHORTENED = 3
_LEAST_PLURAL = 4
_VOWELS = frozenset("aeiouy")


class Likeness(NamedTuple):
    """That a short name may be a long one: its `extra` words, and whether its name is kept.

    Where a short name is like several, these must agree on what they say more; nothing more agrees with
    everything.
    """

    extra: str
    long_leads: bool


_NO_MORE = Likeness("", long_leads=False)
_FULLER = Likeness("", long_leads=True)


def by_letters(short: Writing, long: Writing) -> Likeness | None:
    """The likeness of a name whose letters begin with those of one that was run together or cut off."""
    if short.purpose != long.purpose:
        return None
    if _runs_together(short, long):
        return _FULLER
    end = len(short.terms)
    if long.fixed or not 1 < end <= len(long.terms) or short.terms[:-1] != long.terms[: end - 1]:
        return None
    if short.terms[-1] == long.terms[end - 1]:
        return None
    if short.person or long.person:
        return _cut_person(short, long.terms[end - 1 :])
    return _cut(short, long.terms[end - 1 :])


def _cut_person(short: Writing, others: Sequence[str]) -> Likeness | None:
    """The likeness of a person's name that was cut off late, or before the last name began.

    "Lucas Petit" is another than Lucas Petitjean; "Suresh Vit" lacks the surname of Suresh Vitthal Rao.
    """
    cut = short.terms[-1]
    if len(short.letters) >= _LEAST_OF_A_PERSON:
        return _FULLER
    before_last = (
        len(others) > 1 and len(cut) >= _LEAST_SHORTENED and len(short.letters) >= _LEAST_CUT
    )
    return Likeness("".join(others), long_leads=True) if before_last else None


def _runs_together(short: Writing, long: Writing) -> bool:
    """Whether a name of one word has the letters of a longer one, all or up to where it was cut off."""
    if len(short.terms) != 1 or len(long.terms) < 2 or short.fixed:
        return False
    if short.letters == long.letters:
        return True
    beyond_first = len(short.letters) > len(long.terms[0]) + 2
    return len(short.letters) >= _LEAST_TOGETHER and beyond_first and not is_whole(short.letters)


def _cut(short: Writing, others: Sequence[str]) -> Likeness | None:
    """The likeness of a name that goes on with `rest` where a short one was cut off inside a word.

    A whole word is no cut one, unless it stands as late as banks cut names off.
    """
    cut = short.terms[-1]
    if len(short.letters) < _LEAST_CUT or tells_apart(others[1:]):
        return None
    if len(cut) > 2 and len(short.letters) < _LATE_IN_A_NAME and is_whole(cut):
        return None
    return Likeness("".join(others), long_leads=True)


def abbreviates(short: str, full: str) -> bool:
    """Whether a word is another one's beginning or some of its letters: "imob", "mgmt", "blgerie"."""
    if len(short) < _LEAST_SHORTENED or len(short) >= len(full) or short[0] != full[0]:
        return False
    is_cut = full.startswith(short)
    if not is_cut and short[-1] != full[-1]:
        return False
    is_common = is_trade(full) or full in grammar().outfits or says_nothing(full)
    if is_cut:
        return is_common and not is_whole(short)
    if 2 * len(short) < len(full) - 1 or (is_common and is_whole(short)):
        return False
    consonants = _VOWELS.isdisjoint(short[1:-1])
    if not consonants and not (is_common and short[-2:] == full[-2:]):
        return False
    letters = iter(full)
    return all(letter in letters for letter in short)


def _is_code(token: str) -> bool:
    """Whether a word before a name is a processor's or a bank's code."""
    vocab = grammar()
    is_house = token in vocab.processors or token in vocab.collectors
    return is_house or len(token) < _LEAST_SHORTENED or _VOWELS.isdisjoint(token)


def _may_collect(extras: Sequence[str]) -> bool:
    """Whether what stands before the full name of a shop may be who collects for it, or its town."""
    vocab = grammar()
    first, *others = extras
    if first in vocab.town_starts or first in vocab.given:
        return False
    return all(len(token) == 1 or token in vocab.town_starts for token in others)


def by_article(short: Writing, long: Writing) -> Likeness | None:
    """The likeness of a name of the same words, of which a long one writes one with its article."""
    return _FULLER if short.purpose == long.purpose else None


def by_one_word(short: Writing, long: Writing, index: int) -> Likeness | None:
    """The likeness of two names that differ in the word at one place alone, which is written shorter."""
    token, full = short.terms[index], long.terms[index]
    is_plural = full == f"{token}s" and len(token) >= _LEAST_PLURAL
    is_same = short.purpose == long.purpose and (is_plural or abbreviates(token, full))
    return _FULLER if is_same else None


def by_words(short: Writing, long: Writing, tails: frozenset[str]) -> Likeness | None:
    """The likeness of a name that has the words of a short one, and more."""
    if short.purpose != long.purpose or long.fixed:
        return None
    extras = [token for token in long.terms if token not in short.terms]
    if short.person or long.person:
        initials = [term for term in extras if len(term) == 1]
        noted = short.person and all(map(says_nothing, (set(extras).difference(initials))))
        return Likeness("".join(initials), long_leads=False) if noted else None
    return _saying_more(short.terms, long.terms, extras, tails)


def _saying_more(
    short: tuple[str, ...], long: tuple[str, ...], extras: Sequence[str], tails: frozenset[str]
) -> Likeness | None:
    """The likeness of a name that has all words of a short one, and the extras besides."""
    if not tells(short) or tells_apart(extras):
        return None
    opens, closes = long[: len(short)] == short, long[-len(short) :] == short
    if closes and all(map(_is_code, extras)):
        return _NO_MORE
    if all(token in tails or _is_beside(token) for token in extras):
        # A name goes on with a place that "of" binds to it: "Sabor da Serra" and "Sabor da Ilha".
        return Likeness("".join(extras) if extras[0] in grammar().small else "", long_leads=False)
    if any(map(is_trade, extras)):
        return _selling_more(short, extras, opens=opens)
    goes_on = opens or (closes and _may_collect(extras))
    if not goes_on or not any(map(is_trade, short)):
        return None
    # A shop with its trade and a name of some letters is told by them; what follows is a note or place.
    letters = sum(len(term) for term in short if not is_trade(term))
    extra_text = "" if letters >= _LEAST_NAMED else "".join(extras)
    return Likeness(extra_text, long_leads=False)


def _selling_more(short: Sequence[str], extras: Sequence[str], *, opens: bool) -> Likeness | None:
    """The likeness of a name that says more of what is sold than a short one, or says it at all."""
    if all(is_trade(token) or _is_beside(token) for token in extras):
        is_telling = opens or not any(map(is_trade, short))
    else:
        is_telling = opens and sum(map(len, short)) >= _LEAST_OPENING
    return Likeness("".join(extras), long_leads=True) if is_telling else None


def _is_beside(token: str) -> bool:
    return says_nothing(token) or is_place_word(token)
