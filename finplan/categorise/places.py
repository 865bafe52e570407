"""Where a name ends, before the town, the state and the branch, and which of its words are a place's.

The towns are the cities of `descriptor.toml` and, where a descriptor shows that it closes with a place,
the smaller ones of `towns.txt` (from GeoNames, CC BY 4.0).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from finplan.categorise.curated import curated
from finplan.categorise.grammar import Grammar, grammar

_WORDS_OF_A_TOWN = 4
_WHERE = frozenset(
    ("sur", "im", "in", "on", "upon", "am", "an", "ob", "bei", "aan", "op", "di", "der")
)
_INSIDE_A_TOWN = frozenset(("sur", "di", "de", "del", "la", "on", "upon", "am", "an", "do"))


@dataclass(frozen=True, slots=True)
class _Towns:
    """Names of towns, and the last words of those that have several."""

    names: frozenset[str]
    lasts: frozenset[str]
    firsts: frozenset[str]


@cache
def _towns() -> _Towns:
    names = files(__package__).joinpath("towns.txt").read_text("ascii").splitlines()
    lasts = (name.rpartition(" ")[2] for name in names if " " in name)
    firsts = (
        first
        for first, second, *_ in map(str.split, (n for n in names if " " in n))
        if second in _WHERE
    )
    return _Towns(frozenset(names), frozenset(lasts), frozenset(firsts))


@dataclass(frozen=True, slots=True)
class _Places:
    """The words of places that say nothing else, and the names of several words."""

    tokens: frozenset[str]
    several: frozenset[str]


@cache
def _places() -> _Places:
    vocab = grammar()
    cities = {" ".join(city) for ends in vocab.cities.values() for city in ends}
    names = _towns().names | cities
    taken_words = vocab.trades.union(*(phrases.words() for phrases in curated().phrases.values()))
    alone = frozenset(token for name in names for token in name.split()) - taken_words
    return _Places(alone | vocab.regions, frozenset(name for name in names if " " in name))


def without_places(name: Sequence[str]) -> list[str]:
    """The words of a name that are no part of a town's or region's, in their order.

    A word that says a trade, too, goes with a town of several words ("Market Drayton", "Garden City"),
    yet not from a name that is nothing else, and stays where it is all of the town ("Tours").
    """
    places = _places()
    others: list[str] = []
    start = 0
    while start < len(name):
        length = _named_place(name, start, places)
        if not length and name[start] not in places.tokens:
            others.append(name[start])
        start += length or 1
    return others


def _named_place(name: Sequence[str], start: int, places: _Places) -> int:
    """How many words from `start` on are a place's name of several words; 0 where that is all."""
    for length in range(min(_WORDS_OF_A_TOWN, len(name) - start), 1, -1):
        if length < len(name) and " ".join(name[start : start + length]) in places.several:
            return length
    return 0


def ending(name: Sequence[str], start: int, mark: int, how: str, vocab: Grammar) -> int:
    """Where the name that starts at `start` ends; at least one word is left.

    `mark` counts the words of the name before the last branch number; what follows it is an address if
    the descriptor closes with a state or country. A town goes where a number, a state or a card
    purchase shows that the descriptor ends in one, since "Transport for London" ends in its name; a
    city also after two words of a shop ("Farmacia Lopez Murcia"), unless `how` is "rail", by which
    people are paid.
    """
    end = len(name)
    stated = placed = False
    while end - start > 1:
        last = name[end - 1]
        if last in vocab.lasts and (count := _says_how(name, start, end, vocab)):
            end -= count
            continue
        if last in vocab.states:
            stated = True
            end -= 1
            if mark > 0 and _is_address(name, start, mark, end, vocab):
                end = start + mark
                placed = True
            continue
        addressed = stated or mark > 0 or how == "card"
        if last in vocab.refunds or (last not in vocab.ends and (placed or not addressed)):
            break
        gone = _says_nothing(name, start, end, how, vocab) if last in vocab.silent else 0
        if not gone and placed:
            gone = _before_a_town(name, start, end, how, vocab)
        elif not gone:
            gone, placed = _town_or_province(name, start, end, mark, how, stated, vocab)
        if not gone:
            break
        end -= gone
    return end


def _says_how(name: Sequence[str], start: int, end: int, vocab: Grammar) -> int:
    """How many of the last words only say how it was paid, or who collects it; a word is left.

    "Tax refund" is what comes back, and no tax that came back.
    """
    last = name[end - 1]
    if last in vocab.collectors:
        return int(end - start > 2)
    for phrase in vocab.suffixes.get(last, ()):
        if end - len(phrase) > start and tuple(name[end - len(phrase) : end]) == phrase:
            return len(phrase)
    if last not in vocab.trailers or last in vocab.states:
        return 0
    return int(last not in vocab.refunds or name[end - 2] not in vocab.levies)


def is_place(tokens: Sequence[str], vocab: Grammar) -> bool:
    """Whether words are the name of a town or city, with or without its state, and of nobody."""
    name = list(tokens)
    while len(name) > 1 and (name[-1] in vocab.states or len(name[-1]) == 2):
        del name[-1]
    if not name or not vocab.given.isdisjoint(name) or not vocab.trades.isdisjoint(name):
        return False
    return tuple(name) in vocab.cities.get(name[-1], ()) or " ".join(name) in _towns().names


def is_town(token: str) -> bool:
    """Whether a word is a smaller town's name, or all that is said of it ("Isny" im Allgaeu)."""
    return token in _towns().names or token in _towns().firsts


def _is_address(name: Sequence[str], start: int, mark: int, end: int, vocab: Grammar) -> bool:
    """Whether the words from the last branch number to a state are an address."""
    address = name[start + mark : end]
    return (
        mark < end - start <= mark + _WORDS_OF_A_TOWN
        and curated().distinct.isdisjoint(address)
        and not vocab.trades.issuperset(name[start : start + mark])
    )


def _says_nothing(name: Sequence[str], start: int, end: int, how: str, vocab: Grammar) -> int:
    """How many of the last words are no part of a name, such as an Italian "SpA" or a month.

    A month stays where all else are trades: "Cafe November" has no other name.
    """
    last = name[end - 1]
    several = end - start > 2
    if last in vocab.plain_months and not vocab.trades.issuperset(name[start : end - 1]):
        return 1
    if last == "spa":
        return int(several or how == "person")
    if last == "pay" and several and name[end - 2] not in vocab.processors:
        return 1
    return int(several and how == "person" and last in vocab.months)


def _before_a_town(name: Sequence[str], start: int, end: int, how: str, vocab: Grammar) -> int:
    """How many of the words before a town are a branch of it, or another city."""
    last = name[end - 1]
    if end - start < 3:
        return 0
    if last in vocab.branches:
        return 1
    if how == "rail" or last not in vocab.cities:
        return 0
    city = _city_of_a_shop(name, start, end, vocab)
    return 0 if vocab.trades.issuperset(name[start : end - city]) else city


def _place(name: Sequence[str], start: int, end: int, mark: int, how: str, vocab: Grammar) -> int:
    """How many words before `end` are a town, with or without a sign of an address."""
    last = name[end - 1]
    town = _town(name, start, end, mark, how == "card", vocab)
    if not town and last in vocab.cities and how != "rail":
        town = _city_of_a_shop(name, start, end, vocab)
    return town or int(how == "card" and _is_town_and_state(last, vocab))


def _town(
    name: Sequence[str], start: int, end: int, mark: int, addressed: bool, vocab: Grammar
) -> int:
    """How many words before `end` are a town; 0 if nothing shows that an address stands there."""
    if name[end - 1] in vocab.cities:
        if not addressed and mark <= 0:
            return 0
        city = _city(name, start, end, vocab)
        if name[end - 2] in _INSIDE_A_TOWN:
            return max(city, _town_of_several(name, start, end, 1))
        if city == 1 and mark <= 0 and end - start > 3:
            city = max(city, _town_of_several(name, start, end, 2))
        if city or (name[end - 1],) in vocab.cities[name[end - 1]]:
            return city
    if not addressed and not 0 < mark < end - start:
        return 0
    stated = end < len(name) and name[end] in vocab.states
    numbered = 0 < mark < end - start
    town = _small_town(name, start, end, 1 if stated or numbered else 2, vocab)
    # A number behind the state is a day or a card, and says nothing of the words before it.
    # Before a day "on" is a word, and no province.
    closed = stated and (mark <= 0 or (mark > end - start and name[end] != "on"))
    return town or (_unlisted_town(name, start, end, vocab) if closed else 0)


def _town_or_province(
    name: Sequence[str], start: int, end: int, mark: int, how: str, stated: bool, vocab: Grammar
) -> tuple[int, bool]:
    """How many words before `end` are a town or a province, and whether a town was looked for.

    A town stays where all else are trades: "Dental clinic Austin" has no other name.
    """
    if stated and len(name[end - 1]) < 4 and _is_province(name, end, vocab):
        return 1, False
    if end - start > 3 and name[end - 1] in vocab.after_cities and _ends_in_city(name, end, vocab):
        return 1, False
    gone = _place(name, start, end, mark, "card" if stated else how, vocab)
    return 0 if gone and vocab.trades.issuperset(name[start : end - gone]) else gone, True


def _is_province(name: Sequence[str], end: int, vocab: Grammar) -> bool:
    """Whether a word is a part of a country, as in "Torino TO ITA" or "Hobart TA AU"."""
    last = name[end - 1]
    return last in vocab.provinces or (
        len(last) == 2 and last.isalpha() and end > 2 and name[end - 2] in vocab.cities
    )


def _ends_in_city(name: Sequence[str], end: int, vocab: Grammar) -> bool:
    """Whether the words before the last one close with a city, as in "bar do tico goiania go"."""
    return any(
        tuple(name[end - 1 - len(city) : end - 1]) == city
        for city in vocab.cities.get(name[end - 2], ())
    )


def _city_of_a_shop(tokens: Sequence[str], start: int, end: int, vocab: Grammar) -> int:
    """How many words before `end` are the city of a shop whose name has two words before it.

    A seat ("University College London") and a person ("Emma Louise London") keep theirs.
    """
    if end - start < 3:
        return 0
    length = _city(tokens, start, end, vocab)
    name = tokens[start : end - length]
    named_by_two = len(name) - (name[0] == "the") > 1
    if not length or not named_by_two or (length == 1 and tokens[end - 1] in vocab.wordy):
        return 0
    if name[-1] in vocab.articles:
        return 0
    return length if vocab.seats.isdisjoint(name) and vocab.given.isdisjoint(name) else 0


def _town_of_several(name: Sequence[str], start: int, end: int, least: int) -> int:
    """How many words before `end` are a smaller town of several words, as in "Casalecchio di Reno"."""
    towns = _towns()
    if name[end - 1] not in towns.lasts:
        return 0
    longest = 0
    for length in range(2, min(_WORDS_OF_A_TOWN, end - start - least) + 1):
        if " ".join(name[end - length : end]) in towns.names:
            longest = length
    return longest


def _small_town(name: Sequence[str], start: int, end: int, least: int, vocab: Grammar) -> int:
    """How many words before `end` are one of the smaller towns; `least` words of the name are left."""
    last = name[end - 1]
    towns = _towns()
    longest = _town_of_several(name, start, end, least)
    if not longest and last in towns.names and end - start > least:
        longest = 1
    if not longest:
        return 0
    before = name[end - longest - 1]
    alone = end - longest - start == 1
    if before in vocab.articles or (alone and before in vocab.trades):
        return 0
    return 0 if _is_bound(name, start, end - longest, vocab) else longest


def _is_town_and_state(token: str, vocab: Grammar) -> bool:
    """Whether a word is a city that has run into its state, as in "austintx"."""
    return token[-2:] in vocab.states and (token[:-2],) in vocab.cities.get(token[:-2], ())


def _city(name: Sequence[str], start: int, end: int, vocab: Grammar) -> int:
    """How many words before `end` are a city that is an address, not a part of the name."""
    longest = 0
    for city in vocab.cities[name[end - 1]]:
        length = len(city)
        if longest < length < end - start and tuple(name[end - length : end]) == city:
            longest = length
    if longest:
        before = name[end - longest - 1]
        if _is_bound(name, start, end - longest, vocab):
            return 0
        if end - longest - start == 1 and before in vocab.trades:
            return 0
    return longest


def _is_bound(name: Sequence[str], start: int, end: int, vocab: Grammar) -> bool:
    """Whether the words up to a town belong to it: "port of", "bank", but not a "creperie du port"."""
    last = name[end - 1]
    if last not in vocab.bound:
        return False
    return last in vocab.small or end - start < 3 or name[end - 2] not in vocab.small


def _unlisted_town(name: Sequence[str], start: int, end: int, vocab: Grammar) -> int:
    """How many words before a state are a town that is not listed; two words of the name must be left.

    Every card purchase closes with town and state, so what is no trade ("oyster bar NY") is the town.
    """
    last = name[end - 1]
    if not last.isalpha() or len(last) < 3 or last in vocab.trades or last in vocab.plain:
        return 0
    length = 1
    before = name[end - 2]
    if before in vocab.town_starts or (last in vocab.town_ends and before not in vocab.trades):
        length = 2
    if end - start - length < 2:
        length = 1
    if end - start - length < 2 or name[end - length - 1] in vocab.bound:
        return 0
    return length
