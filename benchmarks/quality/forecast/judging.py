"""The ranges of one household, finplan's and two plain ones, held against what truly came.

The interval score of a range of four fifths is its width, and ten times what the truth lies outside of
it (Gneiting and Raftery, 2007): who says a wide range pays for the width, who says a narrow one for
being wrong. Lower is better.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from statistics import pstdev
from typing import NamedTuple

from benchmarks.quality.forecast.accounts import RealAccount, real_future
from benchmarks.quality.forecast.futures import DAYS, Future, future
from finplan.model.snapshot import USUAL_DAYS_AHEAD, Forecast
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, plan_of
from finplan.plan.ledger.books import Books
from finplan.plan.live.forecast import forecast, look_ahead
from finplan.plan.live.schedule import cash_schedule
from finplan.plan.live.view import LiveView, live_view

HORIZONS = (14, 30, 60)
OURS, KNOWN, PAST = METHODS = ("finplan", "known bills and pay", "past windows")

_OUTSIDE = 10
"""Two divided by the fifth that a range leaves outside."""

_TENTH = 1.2816
"""How many standard deviations from the mean a normal distribution leaves a tenth outside."""

_A_YEAR = 365
_A_MONTH = 365.25 / 12

_BEFORE = 10
_LIKELY = 0.25
"""A warning is to come so many days before, and to give so much to what it warns of."""


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


@dataclass(frozen=True, slots=True)
class Middle:
    """Expected cash of one case, and what it is held against; minor units.

    `turnover` is what came in and went out in a month of the last year. `ours`, `net_flow` and `truth`
    are by horizon; `net_flow` goes on as the last year did and `start` is what nothing changes leaves.
    `shown` says that expected cash falls below zero, `fell` that cash truly did, `warned` that ten days
    before that finplan gave it a quarter or more by that day, and by the last day that it shows; None
    where it did not fall.
    """

    turnover: float
    start: int
    ours: Mapping[int, int]
    net_flow: Mapping[int, float]
    truth: Mapping[int, int]
    shown: bool
    fell: bool
    warned: tuple[bool, bool] | None


class Verdict(NamedTuple):
    """Each method's range at each horizon, and the middle."""

    ranges: Mapping[tuple[int, str], Judged]
    middle: Middle


def judge(seed: int) -> Verdict | None:
    """Judge the household of a seed; None for a household that is left out."""
    return judge_future(partial(future, seed))


def judge_account(account: RealAccount) -> Verdict | None:
    """Judge a real account; None without a month that the averages could be taken over."""
    return judge_future(partial(real_future, account))


def judge_future(known: Callable[[int], Future | None]) -> Verdict | None:
    """Judge what is `known` so many days after the first of the hidden ones, none to begin with."""
    made = known(0)
    if made is None:
        return None
    books, live = _seen(made)
    found = forecast(made.ledger, books, live, DAYS)
    cash = live.schedule.cash
    last = made.today + timedelta(DAYS)
    known_bills = cash_schedule(
        made.ledger, books, live.cards, cash, (), live.period, made.today, last
    )
    judged = {}
    for days in HORIZONS:
        day, truth = found.days[days], made.true[days - 1]
        if day.low is None or day.high is None or found.start is None:
            return None
        (evening,) = known_bills.evenings(day.date, day.date)
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
    return Verdict(judged, _middle_of(made, found, known))


def _seen(made: Future) -> tuple[Books, LiveView]:
    books = keep_books(made.ledger, made.today)
    plan = plan_of(assess(made.ledger, books, made.today))
    return books, live_view(made.ledger, books, plan, made.today)


def _middle_of(made: Future, found: Forecast, known: Callable[[int], Future | None]) -> Middle:
    start, year = found.start or 0, made.past[-_A_YEAR:]
    fell_on = next((day for day, cash in enumerate(made.true, start=1) if cash < 0), None)
    fell = start < 0 or fell_on is not None
    return Middle(
        turnover=sum(map(abs, year)) / len(year) * _A_MONTH,
        start=start,
        ours={days: found.days[days].expected for days in HORIZONS},
        net_flow={days: start + sum(year) / len(year) * days for days in HORIZONS},
        truth={days: made.true[days - 1] for days in HORIZONS},
        shown=min(day.expected for day in found.days) < 0,
        fell=fell,
        warned=None if start < 0 or fell_on is None else _warned(known, fell_on),
    )


def _warned(known: Callable[[int], Future | None], fell_on: int) -> tuple[bool, bool]:
    """Whether ten days before the day of the fall a quarter of the paths fell by then, and by the last.

    The last is that of the days which are shown where nobody says how many.
    """
    later = max(0, fell_on - _BEFORE)
    made = known(later)
    assert made is not None
    books, live = _seen(made)
    outlook = look_ahead(
        made.ledger, books, live.cards, live.schedule.cash, (), live.period, made.today
    )
    by_then, by_the_last = (
        outlook.below_zero(days) for days in (fell_on - later, USUAL_DAYS_AHEAD)
    )
    return by_then >= _LIKELY, by_the_last >= _LIKELY


def _spread_of_days(made: Future) -> float:
    """How far cash moved on the days of the last year, as a standard deviation."""
    return pstdev(made.past[-_A_YEAR:])


def _windows(made: Future, days: int) -> Sequence[int]:
    """What cash gained in each of the last year's stretches of so many days, ascending."""
    first = max(days, len(made.past) - _A_YEAR)
    return sorted(sum(made.past[end - days : end]) for end in range(first, len(made.past) + 1))
