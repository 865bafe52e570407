"""What may become of the days ahead: paths drawn from what was seen, and what most keep to.

A path draws for each pay, bill and card whether it comes, when and how large, each from its own
series, and past weeks of usual days in runs, so that a dear month is dear for weeks. No week is
larger than one that was, one-offs apart. The same household draws the same paths. Source:
plan-semantics, 7a and C36.

Draws are the same for the same seed, on every machine and in every version of Python: SplitMix64
(Steele, Lea and Flood, 2014), a counter through a mixing function. The plan is pure, so that chance
is arithmetic on a number that its caller gives.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from statistics import median_low
from typing import TypeVar

from finplan.model.money import half_even
from finplan.model.snapshot import FURTHEST_DAY_AHEAD
from finplan.plan.ledger.books import Series
from finplan.plan.live.schedule import CashStep
from finplan.plan.live.usual import CardPace, UsualDays

_DRAW_MASK = 2**64 - 1
_DRAW_STEP = 0x9E3779B97F4A7C15

Drawn = TypeVar("Drawn")


class Draws:
    """A sequence of draws from a seed, an integer; `share` draws from 0 to 1, 1 left out."""

    def __init__(self, seed: int) -> None:
        self.share: Callable[[], float] = _shares(seed).__next__

    def choice(self, among: Sequence[Drawn]) -> Drawn:
        """One of some things, each as likely as another."""
        return among[int(self.share() * len(among))]


def _shares(seed: int) -> Iterator[float]:
    state = seed & _DRAW_MASK
    while True:
        state = (state + _DRAW_STEP) & _DRAW_MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _DRAW_MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _DRAW_MASK
        yield ((mixed ^ (mixed >> 31)) >> 11) * 2**-53


PATHS = 400
LOW, HIGH = PATHS // 10, PATHS - PATHS // 10 - 1
"""The places of the tenth and the ninetieth percentile among ordered paths."""

STRETCH = 1.2
"""How much wider the range is than the paths'. Tuned on households and accounts whose days to come are
known, as is `_SURPRISE`."""

_SURPRISE = 0.14
"""What of all dated money a path may bring more or less: a bill that is new, pay that rose or ended."""

_RUN_WEEKS = 4
"""So many past weeks in turn are drawn together."""

_LATEST = 12
"""So many of a series' last amounts say how far the next one strays."""

_LEAST = 3
"""Of fewer amounts nobody knows how far they stray."""

_PAY_ARRIVES = 0.96
_UNKNOWN_ARRIVES = 0.9
_LATE = (1, 1, 1, 2, 2, 3, 4, 7, 30, FURTHEST_DAY_AHEAD + 1)
"""Days that what does not come on its day is late by; the last of them: not at all."""

_ENDS = 0.006
"""The chance at each monthly date that a series is over; of what comes more often, its share."""

_MONTH = 30


@dataclass(frozen=True, slots=True)
class CashRange:
    """What cash stays between at the end of a day on four of five paths.

    `below_zero` is the share of paths on which there was less than nothing by then, 0..1.
    """

    low: int
    high: int
    below_zero: float = 0.0


def ranges(
    expected: Sequence[int],
    steps: Sequence[CashStep],
    usual: UsualDays,
    paces: Mapping[int, CardPace],
    days: Sequence[date],
) -> list[CashRange]:
    """The range of each of the `days`, which follow each other from today.

    `steps` are all that is expected on these, `expected` is cash at the end of each. Paths stray around
    their own mean, so that the range says how far cash strays and never where it goes.
    """
    dice = Draws(expected[0] + sum(step.day.toordinal() * step.amount for step in steps))
    series = _series_of_steps(steps, paces, days[0].toordinal())
    weeks = _Weeks(usual, days)
    dated = sum(abs(step.amount) for step in steps) / len(days)
    paths = []
    for _ in range(PATHS):
        moved = weeks.draw(dice)
        for one_series in series:
            one_series.draw(dice, moved)
        surprise = round(_SURPRISE * dated * (2 * dice.share() - 1))
        # What is due today is no surprise.
        moved[1:] = [level + surprise for level in moved[1:]]
        paths.append(list(accumulate(moved)))
    lows, highs, empty = [], [], []
    for middle, evening in zip(expected, zip(*paths, strict=True), strict=True):
        ordered = sorted(evening)
        mean = half_even(sum(ordered), PATHS)
        lows.append(middle + round(STRETCH * (ordered[LOW] - mean)))
        highs.append(middle + round(STRETCH * (ordered[HIGH] - mean)))
        # A path stretched as the range is holds less than nothing where it holds less than this.
        empty.append(mean - middle / STRETCH)
    fallen = _fallen(paths, empty)
    return [CashRange(*bounds) for bounds in zip(lows, highs, fallen, strict=True)]


def _fallen(paths: Sequence[Sequence[int]], least: Sequence[float]) -> Iterator[float]:
    """On what share of the paths some evening so far held less than the `least` of that evening."""
    begun = Counter(
        next((index for index, cash in enumerate(path) if cash < least[index]), len(least))
        for path in paths
    )
    return (count / PATHS for count in accumulate(begun[index] for index in range(len(least))))


class _Weeks:
    """Runs of usual days as they were."""

    def __init__(self, usual: UsualDays, days: Sequence[date]) -> None:
        self._length = len(days)
        tomorrow = days[0].toordinal() % 7
        begun = {
            index: _whole_weeks(usual.weekdays, index)
            for index, weekday in enumerate(usual.weekdays)
            if weekday == tomorrow
        }
        longest = max(begun.values(), default=0)
        runs = [
            usual.days[index : index + 7 * weeks]
            for index, weeks in begun.items()
            if weeks == longest > 0
        ]
        # Of days that make a week nowhere nobody knows how weekdays differ.
        self._runs = runs or [usual.days]

    def draw(self, dice: Draws) -> list[int]:
        """What is usual on each of the days but today, which is nearly over."""
        drawn = [0]
        while len(drawn) < self._length:
            drawn += dice.choice(self._runs)
        return drawn[: self._length]


def _whole_weeks(weekdays: Sequence[int], start: int) -> int:
    """How many weeks follow each other from a place on, as many as are drawn together at most.

    Behind a hole in the history, or at its end, what follows would fall on other weekdays.
    """
    weeks = 0
    while weeks < _RUN_WEEKS:
        index = start + 7 * weeks
        week = weekdays[index : index + 7]
        if len(week) < 7 or (week[0], week[-1]) != (weekdays[start], (weekdays[start] + 6) % 7):
            break
        weeks += 1
    return weeks


@dataclass(frozen=True, slots=True)
class _Spread:
    """What amounts were, of what is usual, and the `least` and the `most` of them, without sign.

    By itself it is that of amounts that do not stray.

    What is expected now may be of another size than what was usual for a year: pay that is ten times
    what it was in spring will not be ten times that. So nothing is drawn beyond what was seen or is
    expected.
    """

    shares: Sequence[float] = (1.0,)
    least: int = 0
    most: int = 0

    def draw(self, amount: int, dice: Draws) -> int:
        """What may come where an amount is expected; it keeps its sign."""
        size = abs(amount)
        drawn = round(size * dice.choice(self.shares))
        drawn = min(max(drawn, min(size, self.least)), max(size, self.most))
        return drawn if amount > 0 else -drawn


@dataclass(frozen=True, slots=True)
class _DatedSeries:
    """The steps of one series or card, with how far they stray, how likely they come, and end.

    `steps` are days counted from the first one, and amounts.
    """

    steps: Sequence[tuple[int, int]]
    spread: _Spread
    chance: float
    ends: float

    def draw(self, dice: Draws, moved: MutableSequence[int]) -> None:
        """Add what comes to the days on which it comes."""
        share, ends, chance, spread = dice.share, self.ends, self.chance, self.spread
        strays = len(spread.shares) > 1
        for index, amount in self.steps:
            if ends and share() < ends:
                return
            day = index if share() < chance else index + dice.choice(_LATE)
            if strays:
                drawn = spread.draw(amount, dice)
            else:
                # A draw is taken all the same, so that no other one depends on whether this one strays.
                share()
                drawn = amount
            if day < len(moved):
                moved[day] += drawn


def _series_of_steps(
    steps: Iterable[CashStep], paces: Mapping[int, CardPace], first: int
) -> list[_DatedSeries]:
    """The dated steps, by what each is the next of."""
    groups: dict[tuple[str, int, int | None, str], list[CashStep]] = {}
    for step in steps:
        groups.setdefault((step.kind, id(step.source), step.card, step.name), []).append(step)
    return [
        _DatedSeries(
            [(cash_step.day.toordinal() - first, cash_step.amount) for cash_step in group],
            _spread(group[0], paces),
            _chance(group[0]),
            _chance_of_end(group[0].source),
        )
        for group in groups.values()
    ]


def _chance_of_end(source: Series | None) -> float:
    return 0.0 if source is None else _ENDS * (source.interval_days or _MONTH) / _MONTH


def _spread(step: CashStep, paces: Mapping[int, CardPace]) -> _Spread:
    """How far the amounts of a step strayed in the past."""
    amounts: Sequence[int] = ()
    if step.source is not None and not step.source.steady:
        amounts = [amount for _, amount in step.source.recent]
    elif step.kind == "later bill" and (pace := paces.get(step.card or 0)) is not None:
        amounts = pace.paid
    if len(amounts) < _LEAST:
        return _Spread()
    lately = amounts[-_LATEST:]
    # What occurs moves money, so that the middle of it is never 0.
    usual = median_low(lately)
    return _Spread([amount / usual for amount in lately], min(amounts), max(amounts))


def _chance(step: CashStep) -> float:
    """How likely a step comes on its day."""
    if step.kind == "income":
        return _PAY_ARRIVES
    if step.source is None or step.source.arrival is None:
        return _UNKNOWN_ARRIVES if step.source is not None else 1.0
    return step.source.arrival
