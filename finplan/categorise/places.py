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

    words: frozenset[str]
    several: frozenset[str]


@cache
def _places() -> _Places:
    words = grammar()
    cities = {" ".join(city) for named in words.cities.values() for city in named}
    names = _towns().names | cities
    said = words.trades.union(*(phrases.words() for phrases in curated().words.values()))
    alone = frozenset(word for name in names for word in name.split()) - said
    return _Places(alone | words.regions, frozenset(name for name in names if " " in name))


def without_places(name: Sequence[str]) -> list[str]:
    """The words of a name that are no part of a town's or region's, in their order.

    A word that says a trade, too, goes with a town of several words ("Market Drayton", "Garden City"),
    yet not from a name that is nothing else, and stays where it is all of the town ("Tours").
    """
    places = _places()
    kept: list[str] = []
    start = 0
    while start < len(name):
        length = _named_place(name, start, places)
        if not length and name[start] not in places.words:
            kept.append(name[start])
        start += length or 1
    return kept


def _named_place(name: Sequence[str], start: int, places: _Places) -> int:
    """How many words from `start` on are a place's name of several words; 0 where that is all."""
    for length in range(min(_WORDS_OF_A_TOWN, len(name) - start), 1, -1):
        if length < len(name) and " ".join(name[start : start + length]) in places.several:
            return length
    return 0


def ending(kept: Sequence[str], start: int, mark: int, how: str, words: Grammar) -> int:
    """Where the name that starts at `start` ends; at least one word is left.

    `mark` counts the words of the name before the last branch number; what follows it is an address if
    the descriptor closes with a state or country. A town goes where a number, a state or a card
    purchase shows that the descriptor ends in one, since "Transport for London" ends in its name; a
    city also after two words of a shop ("Farmacia Lopez Murcia"), unless `how` is "rail", by which
    people are paid.
    """
    end = len(kept)
    stated = placed = False
    while end - start > 1:
        last = kept[end - 1]
        if last in words.lasts and (said := _says_how(kept, start, end, words)):
            end -= said
            continue
        if last in words.states:
            stated = True
            end -= 1
            if mark > 0 and _is_address(kept, start, mark, end, words):
                end = start + mark
                placed = True
            continue
        addressed = stated or mark > 0 or how == "card"
        if last in words.refunds or (last not in words.ends and (placed or not addressed)):
            break
        gone = _says_nothing(kept, start, end, how, words) if last in words.silent else 0
        if not gone and placed:
            gone = _before_a_town(kept, start, end, how, words)
        elif not gone:
            gone, placed = _town_or_province(kept, start, end, mark, how, stated, words)
        if not gone:
            break
        end -= gone
    return end


def _says_how(kept: Sequence[str], start: int, end: int, words: Grammar) -> int:
    """How many of the last words only say how it was paid, or who collects it; a word is left.

    "Tax refund" is what comes back, and no tax that came back.
    """
    last = kept[end - 1]
    if last in words.collectors:
        return int(end - start > 2)
    for phrase in words.suffixes.get(last, ()):
        if end - len(phrase) > start and tuple(kept[end - len(phrase) : end]) == phrase:
            return len(phrase)
    if last not in words.trailers or last in words.states:
        return 0
    return int(last not in words.refunds or kept[end - 2] not in words.levies)


def is_place(tokens: Sequence[str], words: Grammar) -> bool:
    """Whether words are the name of a town or city, with or without its state, and of nobody."""
    named = list(tokens)
    while len(named) > 1 and (named[-1] in words.states or len(named[-1]) == 2):
        del named[-1]
    if not named or not words.given.isdisjoint(named) or not words.trades.isdisjoint(named):
        return False
    return tuple(named) in words.cities.get(named[-1], ()) or " ".join(named) in _towns().names


def is_town(word: str) -> bool:
    """Whether a word is a smaller town's name, or all that is said of it ("Isny" im Allgaeu)."""
    return word in _towns().names or word in _towns().firsts


def _is_address(kept: Sequence[str], start: int, mark: int, end: int, words: Grammar) -> bool:
    """Whether the words from the last branch number to a state are an address."""
    address = kept[start + mark : end]
    return (
        mark < end - start <= mark + _WORDS_OF_A_TOWN
        and curated().distinct.isdisjoint(address)
        and not words.trades.issuperset(kept[start : start + mark])
    )


def _says_nothing(kept: Sequence[str], start: int, end: int, how: str, words: Grammar) -> int:
    """How many of the last words are no part of a name, such as an Italian "SpA" or a month.

    A month stays where all else are trades: "Cafe November" has no other name.
    """
    last = kept[end - 1]
    several = end - start > 2
    if last in words.plain_months and not words.trades.issuperset(kept[start : end - 1]):
        return 1
    if last == "spa":
        return int(several or how == "person")
    if last == "pay" and several and kept[end - 2] not in words.processors:
        return 1
    return int(several and how == "person" and last in words.months)


def _before_a_town(kept: Sequence[str], start: int, end: int, how: str, words: Grammar) -> int:
    """How many of the words before a town are a branch of it, or another city."""
    last = kept[end - 1]
    if end - start < 3:
        return 0
    if last in words.branches:
        return 1
    if how == "rail" or last not in words.cities:
        return 0
    city = _city_of_a_shop(kept, start, end, words)
    return 0 if words.trades.issuperset(kept[start : end - city]) else city


def _place(kept: Sequence[str], start: int, end: int, mark: int, how: str, words: Grammar) -> int:
    """How many words before `end` are a town, with or without a sign of an address."""
    last = kept[end - 1]
    town = _town(kept, start, end, mark, how == "card", words)
    if not town and last in words.cities and how != "rail":
        town = _city_of_a_shop(kept, start, end, words)
    return town or int(how == "card" and _is_town_and_state(last, words))


def _town(
    kept: Sequence[str], start: int, end: int, mark: int, addressed: bool, words: Grammar
) -> int:
    """How many words before `end` are a town; 0 if nothing shows that an address stands there."""
    if kept[end - 1] in words.cities:
        if not addressed and mark <= 0:
            return 0
        city = _city(kept, start, end, words)
        if kept[end - 2] in _INSIDE_A_TOWN:
            return max(city, _town_of_several(kept, start, end, 1))
        if city == 1 and mark <= 0 and end - start > 3:
            city = max(city, _town_of_several(kept, start, end, 2))
        if city or (kept[end - 1],) in words.cities[kept[end - 1]]:
            return city
    if not addressed and not 0 < mark < end - start:
        return 0
    stated = end < len(kept) and kept[end] in words.states
    numbered = 0 < mark < end - start
    town = _small_town(kept, start, end, 1 if stated or numbered else 2, words)
    # A number behind the state is a day or a card, and says nothing of the words before it.
    # Before a day "on" is a word, and no province.
    closed = stated and (mark <= 0 or (mark > end - start and kept[end] != "on"))
    return town or (_unlisted_town(kept, start, end, words) if closed else 0)


def _town_or_province(
    kept: Sequence[str], start: int, end: int, mark: int, how: str, stated: bool, words: Grammar
) -> tuple[int, bool]:
    """How many words before `end` are a town or a province, and whether a town was looked for.

    A town stays where all else are trades: "Dental clinic Austin" has no other name.
    """
    if stated and len(kept[end - 1]) < 4 and _is_province(kept, end, words):
        return 1, False
    if end - start > 3 and kept[end - 1] in words.after_cities and _ends_in_city(kept, end, words):
        return 1, False
    gone = _place(kept, start, end, mark, "card" if stated else how, words)
    return 0 if gone and words.trades.issuperset(kept[start : end - gone]) else gone, True


def _is_province(kept: Sequence[str], end: int, words: Grammar) -> bool:
    """Whether a word is a part of a country, as in "Torino TO ITA" or "Hobart TA AU"."""
    last = kept[end - 1]
    return last in words.provinces or (
        len(last) == 2 and last.isalpha() and end > 2 and kept[end - 2] in words.cities
    )


def _ends_in_city(kept: Sequence[str], end: int, words: Grammar) -> bool:
    """Whether the words before the last one close with a city, as in "bar do tico goiania go"."""
    return any(
        tuple(kept[end - 1 - len(city) : end - 1]) == city
        for city in words.cities.get(kept[end - 2], ())
    )


def _city_of_a_shop(kept: Sequence[str], start: int, end: int, words: Grammar) -> int:
    """How many words before `end` are the city of a shop whose name has two words before it.

    A seat ("University College London") and a person ("Emma Louise London") keep theirs.
    """
    if end - start < 3:
        return 0
    length = _city(kept, start, end, words)
    name = kept[start : end - length]
    named_by_two = len(name) - (name[0] == "the") > 1
    if not length or not named_by_two or (length == 1 and kept[end - 1] in words.wordy):
        return 0
    if name[-1] in words.articles:
        return 0
    return length if words.seats.isdisjoint(name) and words.given.isdisjoint(name) else 0


def _town_of_several(kept: Sequence[str], start: int, end: int, least: int) -> int:
    """How many words before `end` are a smaller town of several words, as in "Casalecchio di Reno"."""
    towns = _towns()
    if kept[end - 1] not in towns.lasts:
        return 0
    longest = 0
    for length in range(2, min(_WORDS_OF_A_TOWN, end - start - least) + 1):
        if " ".join(kept[end - length : end]) in towns.names:
            longest = length
    return longest


def _small_town(kept: Sequence[str], start: int, end: int, least: int, words: Grammar) -> int:
    """How many words before `end` are one of the smaller towns; `least` words of the name are left."""
    last = kept[end - 1]
    towns = _towns()
    longest = _town_of_several(kept, start, end, least)
    if not longest and last in towns.names and end - start > least:
        longest = 1
    if not longest:
        return 0
    before = kept[end - longest - 1]
    alone = end - longest - start == 1
    if before in words.articles or (alone and before in words.trades):
        return 0
    return 0 if _is_bound(kept, start, end - longest, words) else longest


def _is_town_and_state(word: str, words: Grammar) -> bool:
    """Whether a word is a city that has run into its state, as in "austintx"."""
    return word[-2:] in words.states and (word[:-2],) in words.cities.get(word[:-2], ())


def _city(kept: Sequence[str], start: int, end: int, words: Grammar) -> int:
    """How many words before `end` are a city that is an address, not a part of the name."""
    longest = 0
    for city in words.cities[kept[end - 1]]:
        length = len(city)
        if longest < length < end - start and tuple(kept[end - length : end]) == city:
            longest = length
    if longest:
        before = kept[end - longest - 1]
        if _is_bound(kept, start, end - longest, words):
            return 0
        if end - longest - start == 1 and before in words.trades:
            return 0
    return longest


def _is_bound(kept: Sequence[str], start: int, end: int, words: Grammar) -> bool:
    """Whether the words up to a town belong to it: "port of", "bank", but not a "creperie du port"."""
    last = kept[end - 1]
    if last not in words.bound:
        return False
    return last in words.small or end - start < 3 or kept[end - 2] not in words.small


def _unlisted_town(kept: Sequence[str], start: int, end: int, words: Grammar) -> int:
    """How many words before a state are a town that is not listed; two words of the name must be left.

    Every card purchase closes with town and state, so what is no trade ("oyster bar NY") is the town.
    """
    last = kept[end - 1]
    if not last.isalpha() or len(last) < 3 or last in words.trades or last in words.plain:
        return 0
    length = 1
    before = kept[end - 2]
    if before in words.town_starts or (last in words.town_ends and before not in words.trades):
        length = 2
    if end - start - length < 2:
        length = 1
    if end - start - length < 2 or kept[end - length - 1] in words.bound:
        return 0
    return length
