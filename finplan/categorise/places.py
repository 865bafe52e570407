"""Where a name ends: before the town, the state, the branch and other words that close a descriptor."""

from collections.abc import Sequence

from finplan.categorise.curated import curated
from finplan.categorise.descriptor import Grammar


def ending(kept: Sequence[str], start: int, mark: int, how: str, words: Grammar) -> int:
    """Where the name that starts at `start` ends; at least one word is left.

    `mark` counts the words of the name before the last branch number; what follows it is an address if
    the descriptor closes with a state or country. A town goes only where a number, a state or a card
    purchase shows that the descriptor ends in one, since "Transport for London" ends in its name.
    """
    end = len(kept)
    stated = placed = False
    while end - start > 1:
        last = kept[end - 1]
        if last in words.trailers or (last == "spa" and how == "person"):
            end -= 1
        elif last in words.states:
            stated = True
            end -= 1
            if 0 < mark < end - start <= mark + 4 and curated().distinct.isdisjoint(
                kept[start + mark : end]
            ):
                end = start + mark
                placed = True
        elif placed:
            if end - start < 3 or last not in words.branches:
                break
            end -= 1
        elif (stated and last in words.provinces) or (
            how == "person" and last in words.months and end - start > 2
        ):
            end -= 1
        else:
            if last == "pay" and end - start > 2 and kept[end - 2] == "bill":
                end -= 2
                continue
            town = _town(kept, start, end, mark, stated or how == "card", words)
            if not town and not (how == "card" and _is_town_and_state(last, words)):
                break
            end -= town or 1
            placed = True
    return end


def _town(
    kept: Sequence[str], start: int, end: int, mark: int, addressed: bool, words: Grammar
) -> int:
    """How many words before `end` are a town; 0 if nothing shows that an address stands there."""
    if kept[end - 1] in words.cities:
        return _city(kept, start, end, words) if addressed or mark > 0 else 0
    stated = end < len(kept) and kept[end] in words.states
    return _unlisted_town(kept, start, end, words) if stated and mark <= 0 else 0


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
        if before in words.bound or (end - longest - start == 1 and before in words.trades):
            return 0
    return longest


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
