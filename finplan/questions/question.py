"""What a sentence was understood as, and what is said of one that was not; comparisons.

A comparison is a sentence of two halves, each takes from the other what it leaves out.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from finplan.model.characters import visible
from finplan.model.transaction import Grouping
from finplan.periods.grammar import SpokenPeriod, unit_of
from finplan.questions.names import SpokenName
from finplan.questions.signs import MeanUnit, SpokenSize

MoneySubject = Literal["spending", "income"]

_LONGEST_SHOWN = 80
_MONTHLY = {None: "", "category": "by category, ", "merchant": "by merchant, ", "month": ""}


def in_code(text: str) -> str:
    """A text that somebody else may have written, such as a payee, as data: a short code span."""
    seen = visible(text).replace("`", "'").strip()
    return f"`{seen if len(seen) <= _LONGEST_SHOWN else seen[: _LONGEST_SHOWN - 1].rstrip() + '…'}`"


class UnclearQuestion(ValueError):
    """A sentence that was not understood as a whole; it says what was not, and what may be meant.

    Where that is one stretch of its pieces, `stretch` is where it begins and ends, so that a reply can
    stand in its place; `near` are the names that may be meant.
    """

    def __init__(
        self, told: str, stretch: tuple[int, int] | None = None, near: tuple[str, ...] = ()
    ) -> None:
        super().__init__(told)
        self.stretch = stretch
        self.near = near


@dataclass(frozen=True, slots=True)
class SpokenMeasure:
    """How spending is told if not as a sum: a mean of a unit, a number of rows, or the `most` largest.

    The largest are single purchases, or the groups that the question has.
    """

    kind: Literal["mean", "count", "largest"]
    unit: MeanUnit | None = None
    most: int = 0


@dataclass(frozen=True, slots=True)
class SpokenQuestion:
    """Which spending a sentence asks for, and how to arrange it; without a period, of all days.

    `per_month` may as well ask for the mean of a month, beside each. `parts` are words of the sentence
    that call a part of a category, whose whole is answered, with the category's label; `beside` are
    merchants that are called as a category is.
    """

    period: SpokenPeriod | None
    categories: tuple[SpokenName, ...]
    merchants: tuple[SpokenName, ...]
    group_by: Grouping | None
    by_month: bool
    subject: MoneySubject = "spending"
    measure: SpokenMeasure | None = None
    size: SpokenSize | None = None
    per_month: bool = False
    parts: tuple[tuple[str, str], ...] = ()
    beside: tuple[SpokenName, ...] = ()

    @property
    def days(self) -> tuple[date | None, date | None]:
        """The first and the last day, None where there is none."""
        return (None, None) if self.period is None else (self.period.since, self.period.until)

    def told(self, quote: Callable[[str], str]) -> str:
        """What was understood, in a sentence; names are set apart as `quote` does."""
        of = " and ".join(quote(each.label) for each in self.categories)
        at = " and ".join(quote(each.label) for each in self.merchants)
        parts = (
            self._measured(),
            f"{self.subject} {'of' if self.subject == 'income' else 'on'} {of}"
            if of
            else self.subject,
            f" at {at}" if at else "",
            f", {'all days' if self.period is None else self.period.told}",
            f", {self._arranged()}" if self._arranged() else "",
            f", purchases {self.size.told} alone" if self.size is not None else "",
        )
        return "".join(parts)

    def _measured(self) -> str:
        if self.measure is None:
            return ""
        if self.measure.kind == "mean":
            return f"the mean of a {self.measure.unit} of "
        if self.measure.kind == "count":
            return "the number of rows of "
        return f"the {self.measure.most} largest of "

    def _arranged(self) -> str:
        by_month = "by month" if self.by_month or self.group_by == "month" else ""
        return f"{_MONTHLY[self.group_by]}{by_month}".strip(", ")


@dataclass(frozen=True, slots=True)
class SpokenComparison:
    """Two questions whose answers are put beside each other."""

    first: SpokenQuestion
    second: SpokenQuestion

    def told(self, quote: Callable[[str], str]) -> str:
        """What was understood, in a sentence; names are set apart as `quote` does."""
        return f"{self.first.told(quote)}; compared with {self.second.told(quote)}"


_BETWEEN_HALVES: tuple[tuple[str, ...], ...] = (
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
    for words in _BETWEEN_HALVES:
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
