"""Comparisons: a sentence of two halves, each takes from the other what it leaves out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from finplan.periods.spans import SpokenPeriod, unit_of
from finplan.questions.question import SpokenComparison, SpokenQuestion, UnclearQuestion

_BETWEEN: tuple[tuple[str, ...], ...] = (
    *(
        ("compared", "to"),
        ("compared", "with"),
        ("in", "comparison", "to"),
        ("as", "opposed", "to"),
    ),
    *(("up", "on"), ("down", "on"), ("vs",), ("versus",), ("against",), ("than",)),
)
_OPENS: tuple[tuple[str, ...], ...] = (("difference", "between"), ("compare",), ("comparing",))
_AFTER_OPENING = ("with", "to", "and", "or")
_CHOOSES = frozenset(
    {
        "more",
        "less",
        "higher",
        "lower",
        "bigger",
        "smaller",
        "cheaper",
        "pricier",
        "compare",
        "most",
    }
)
_MORE = _CHOOSES - {"compare", "most"} | {"which"}


@dataclass(frozen=True, slots=True)
class TwoHalves:
    """The pieces of a sentence before and behind what compares them."""

    first: tuple[str, ...]
    second: tuple[str, ...]


def halves_of(tokens: Sequence[str]) -> TwoHalves | None:
    """The two halves of a sentence that compares, None for any other."""
    cut = _cut(tuple(tokens))
    if cut is None:
        return None
    first, second = cut
    if _cut(second) is not None or _cut(first) is not None:
        raise UnclearQuestion("Two can be compared at a time: ask for each two by themselves.")
    return TwoHalves(_plain(first), _plain(second))


def _cut(tokens: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    for words in _BETWEEN:
        place = _find(tokens, words)
        if place is not None and not _is_size(tokens, place + len(words)):
            return tokens[:place], tokens[place + len(words) :]
    for words in _OPENS:
        place = _find(tokens, words)
        for each in _AFTER_OPENING if place is not None else ():
            rest = (*tokens[:place], *tokens[place + len(words) :]) if place is not None else ()
            if each in rest:
                return rest[: rest.index(each)], rest[rest.index(each) + 1 :]
    if "or" in tokens and not _CHOOSES.isdisjoint(tokens):
        return tokens[: tokens.index("or")], tokens[tokens.index("or") + 1 :]
    return None


def _find(tokens: tuple[str, ...], words: tuple[str, ...]) -> int | None:
    places = range(len(tokens) - len(words) + 1)
    return next((each for each in places if tokens[each : each + len(words)] == words), None)


def _is_size(tokens: tuple[str, ...], place: int) -> bool:
    """Whether what stands behind `than` is an amount, and nothing to compare with."""
    after = tokens[place] if place < len(tokens) else ""
    return re.fullmatch(r"[$€£¥₹]\S*|\d{1,3}(?:\.\d+)?", after) is not None


def _plain(half: tuple[str, ...]) -> tuple[str, ...]:
    """A half without the words that say which of the two may be larger."""
    return tuple(each for each in half if each not in _MORE)


def put_together(
    first: SpokenQuestion, second: SpokenQuestion, today: date, *, apart: bool
) -> SpokenComparison:
    """Two halves as whole questions. Raises UnclearQuestion where they are one and the same.

    `apart` are halves of which one is of income and the other of spending.
    """
    for each in (first, second):
        if each.group_by is not None or each.size is not None:
            raise UnclearQuestion(
                "Sums, means and numbers are compared as a whole: leave out `by …` and sizes, or ask for"
                " each by itself."
            )
    whole, other = (first, second) if apart else (_named(first, second), _named(second, first))
    same_names = not apart and (whole.categories, whole.merchants) == (
        other.categories,
        other.merchants,
    )
    if whole.period is None and other.period is not None and same_names:
        whole = replace(whole, period=_present(other.period, today))
    whole = replace(whole, period=whole.period or other.period)
    other = replace(other, period=other.period or whole.period)
    if whole.days == other.days and replace(whole, period=other.period) == other:
        raise UnclearQuestion(
            "Both halves are the same. Name two periods, or two categories or merchants, like"
            " `groceries in january vs february`."
        )
    return SpokenComparison(whole, other)


def _named(half: SpokenQuestion, other: SpokenQuestion) -> SpokenQuestion:
    """A half with the names, the subject and the measure of the other where it has none."""
    measure = half.measure or other.measure
    if measure is not None and measure.kind != "mean":
        raise UnclearQuestion("Sums and means are compared: ask for each of these by itself.")
    if half.categories or half.merchants:
        return replace(half, measure=measure)
    return replace(
        half,
        categories=other.categories,
        merchants=other.merchants,
        parts=other.parts,
        beside=other.beside,
        subject="income" if "income" in (half.subject, other.subject) else "spending",
        measure=measure,
    )


def _present(before: SpokenPeriod, today: date) -> SpokenPeriod:
    """The days up to today that an earlier unit of the calendar is compared with."""
    if before.since is not None:
        for unit in ("day", "week", "month", "quarter", "year"):
            if unit_of(unit, before.since)[:2] == (before.since, before.until):
                return SpokenPeriod(unit_of(unit, today).first, today, f"this {unit} so far")
    raise UnclearQuestion("Compared with which days? Name both, like `this month vs last month`.")
