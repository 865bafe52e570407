"""The ranges of one household, finplan's and two plain ones, held against what truly came.

The interval score of a range of four fifths is its width, and ten times what the truth lies outside of
it (Gneiting and Raftery, 2007): who says a wide range pays for the width, who says a narrow one for
being wrong. Lower is better.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import pstdev
from typing import NamedTuple

from benchmarks.quality.forecast.futures import DAYS, Future, future
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, plan_of
from finplan.plan.live.forecast import forecast
from finplan.plan.live.schedule import cash_schedule
from finplan.plan.live.view import live_view

HORIZONS = (14, 30, 60)
OURS, KNOWN, PAST = METHODS = ("finplan", "known bills and pay", "past windows")

_OUTSIDE = 10
"""Two divided by the fifth that a range leaves outside."""

_TENTH = 1.2816
"""How many standard deviations from the mean a normal distribution leaves a tenth outside."""

_A_YEAR = 365


class Range(NamedTuple):
    """What a method says that cash stays between, minor units."""

    low: int
    high: int

    def score(self, truth: int) -> int:
        """The interval score against what truly came."""
        outside = max(0, self.low - truth) + max(0, truth - self.high)
        return self.high - self.low + _OUTSIDE * outside


@dataclass(frozen=True, slots=True)
class Judged:
    """A method's range of one evening and the truth; `expected` is its middle where it says one."""

    said: Range
    expected: int
    truth: int

    @property
    def holds(self) -> bool:
        """Whether the truth lies in the range."""
        return self.said.low <= self.truth <= self.said.high


def judge(seed: int) -> Mapping[tuple[int, str], Judged] | None:
    """Each method's range of a household at each horizon; None for a household that is left out."""
    made = future(seed)
    if made is None:
        return None
    books = keep_books(made.ledger, made.today)
    plan = plan_of(assess(made.ledger, books, made.today))
    live = live_view(made.ledger, books, plan, made.today)
    found = forecast(made.ledger, books, live, DAYS)
    cash = live.schedule.cash
    last = made.today + timedelta(DAYS)
    known = cash_schedule(made.ledger, books, live.cards, cash, (), live.period, made.today, last)
    judged = {}
    for days in HORIZONS:
        day, truth = found.days[days], made.true[days - 1]
        if day.low is None or day.high is None or found.start is None:
            return None
        (evening,) = known.evenings(day.date, day.date)
        spread = round(_TENTH * _spread_of_days(made) * days**0.5)
        windows = _windows(made, days)
        for method, said, middle in (
            (OURS, Range(day.low, day.high), day.expected),
            (KNOWN, Range(evening.cash - spread, evening.cash + spread), evening.cash),
            (
                PAST,
                Range(
                    found.start + windows[len(windows) // 10],
                    found.start + windows[-1 - len(windows) // 10],
                ),
                found.start + windows[len(windows) // 2],
            ),
        ):
            judged[days, method] = Judged(said, middle, truth)
    return judged


def _spread_of_days(made: Future) -> float:
    """How far cash moved on the days of the last year, as a standard deviation."""
    return pstdev(made.past[-_A_YEAR:])


def _windows(made: Future, days: int) -> Sequence[int]:
    """What cash gained in each of the last year's stretches of so many days, ascending."""
    first = max(days, len(made.past) - _A_YEAR)
    return sorted(sum(made.past[end - days : end]) for end in range(first, len(made.past) + 1))
