"""What each stretch of a sentence may stand for: days, an arrangement, a name, or nothing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from finplan.model.transaction import Grouping
from finplan.periods.grammar import SpokenPeriod, UnclearPeriod
from finplan.periods.reading import find_period
from finplan.questions.names import KnownNames, NameKind, SpokenName, is_aside, words_of
from finplan.questions.signs import LONGEST_SIGN, AskedSign, signs_in

LONGEST_PERIOD = 12
"""How many words a period has at most."""

_NOUNS: dict[str, Grouping] = {
    "month": "month",
    **dict.fromkeys(("category", "categories"), "category"),
    **dict.fromkeys(("merchant", "merchants", "payee", "payees", "shop", "shops"), "merchant"),
    **dict.fromkeys(("store", "stores"), "merchant"),
}
_NOUN = f"(?:{'|'.join([*_NOUNS, 'months'])})"
_GROUPING = re.compile(
    "(?:(?:and )?(?:broken down|split|split up|grouped|group|compared|arranged|listed) )?"
    rf"(?:by|per|each|every|for each|for every|in each|at each|on each) (?:the )?{_NOUN}"
    rf"(?: (?:and |and by |and per |by |per |each ){_NOUN})?"
    "|monthly"
)
_MARKERS: dict[str, NameKind] = {
    "at": "merchant",
    **dict.fromkeys(("merchant", "payee", "shop", "store"), "merchant"),
    "category": "category",
}
INTRODUCING = frozenset({*_MARKERS, "the"})
"""Words before a name that are none of it."""

_INTRODUCES = frozenset({"from", "to", "with"})
"""Words that a merchant may follow beside a category, although days may follow them too."""

_ASKERS = frozenset({"i", "we", "you"})
"""Words that follow a `may` that is not the month."""

_NO_PERIOD = re.compile(r"(?:all|everything|now|date|(?!.*\bago$)an? .*)$")
"""Periods by the grammar that stand for something else in a sentence: `a month` asks for a mean."""

_LEADING = re.compile(r"^(?:(?:in|during|for|over|on|within|the|my) )+")


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """A stretch of a sentence, from a piece up to another one, and what it stands for."""

    first: int
    end: int
    period: SpokenPeriod | UnclearPeriod | None = None
    groupings: tuple[Grouping, ...] = ()
    names: tuple[SpokenName, ...] = ()
    introduced: bool = False
    signs: tuple[AskedSign, ...] = ()

    @property
    def rank(self) -> tuple[int, int, bool, bool, int]:
        """Which stretch is meant, of two that overlap.

        Money that "came in" leaves no days "in last month", and a filler takes no word from others.
        Then the longer one is meant, then days, then a name or a grouping, and last the first one.
        """
        length = self.end - self.first
        kinds = {sign.kind for sign in self.signs}
        order = 0 if "money_in" in kinds else 2 if "aside" in kinds else 1
        return order, -length, self.period is None, bool(self.signs), self.first


def read_spans(
    tokens: Sequence[str], known: KnownNames, today: date, paydays: Sequence[date]
) -> list[SentenceSpan]:
    """The stretches that stand for something, in their order; none overlaps another."""
    taken: list[SentenceSpan] = []
    for span in sorted(_candidates(tokens, known, today, paydays), key=lambda each: each.rank):
        if all(span.end <= each.first or each.end <= span.first for each in taken):
            taken.append(span)
    return sorted(taken, key=lambda each: each.first)


def _candidates(
    tokens: Sequence[str], known: KnownNames, today: date, paydays: Sequence[date]
) -> Iterator[SentenceSpan]:
    longest = max(LONGEST_PERIOD, LONGEST_SIGN, known.longest + 3)
    for first in range(len(tokens)):
        for end in range(first + 1, min(len(tokens), first + longest) + 1):
            pieces = tokens[first:end]
            text = " ".join(each.removesuffix("'s") for each in pieces)
            if pieces == ["may"] and not _ASKERS.isdisjoint(tokens[end : end + 1]):
                continue
            if end - first <= LONGEST_PERIOD and (found := _period(text, today, paydays)):
                yield SentenceSpan(first, end, period=found)
            if _GROUPING.fullmatch(text) or (
                text == "month by month" and not _ends_period(tokens, first, today, paydays)
            ):
                yield SentenceSpan(first, end, groupings=_groupings(text))
            yield from _names(tokens, first, end, known)
            if end - first <= LONGEST_SIGN and (signs := signs_in(text)):
                yield SentenceSpan(first, end, signs=signs)


def _called(known: KnownNames, words: tuple[str, ...]) -> list[SpokenName]:
    """What words call; a merchant that writes `&` may be called with `and`."""
    found = known.called(words)
    if found or "and" not in words[1:-1]:
        return found
    return known.called(tuple(word for word in words if word != "and"), "merchant")


def _period(text: str, today: date, paydays: Sequence[date]) -> SpokenPeriod | UnclearPeriod | None:
    if _NO_PERIOD.match(_LEADING.sub("", text)):
        return None
    try:
        return find_period(text, today, paydays)
    except UnclearPeriod as unclear:
        return unclear


def _ends_period(tokens: Sequence[str], place: int, today: date, paydays: Sequence[date]) -> bool:
    """Whether a piece ends a period that begins before it, as in "last month by month"."""
    before = " ".join(tokens[max(0, place - 1) : place + 1])
    return place > 0 and _period(before, today, paydays) is not None


def _groupings(text: str) -> tuple[Grouping, ...]:
    words = text.replace("monthly", "month").replace("months", "month").split()
    return tuple(dict.fromkeys(_NOUNS[word] for word in words if word in _NOUNS))


def _names(
    tokens: Sequence[str], first: int, end: int, known: KnownNames
) -> Iterator[SentenceSpan]:
    if tokens[first].startswith("-") or not (words_of(tokens[first]) and words_of(tokens[end - 1])):
        # A mark before or behind a name is none of it: a minus leaves it out.
        return
    words = words_of(" ".join(tokens[first:end]))
    if words and not is_aside(words) and (found := _called(known, words)):
        introduced = first > 0 and tokens[first - 1] in _INTRODUCES
        yield SentenceSpan(first, end, names=tuple(found), introduced=introduced)
    kind = _MARKERS.get(tokens[first])
    if kind is None:
        return
    rest = words[2:] if words[1:2] == ("the",) else words[1:]
    marked = known.called(words[1:], kind) or known.called(rest, kind)
    if not marked and kind == "merchant":
        marked = known.called(tuple(word for word in rest if word != "and"), kind)
    if not marked and tokens[first] == "at":
        marked = known.called(rest)
    if marked:
        yield SentenceSpan(first, end, names=tuple(marked), introduced=True)
