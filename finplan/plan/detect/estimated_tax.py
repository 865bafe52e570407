"""Estimated tax in the United States: it falls due on four days of the law, which no distance tells.

The four lie two, three and four months apart. What a person pays to the Internal Revenue Service about
these days is that tax; an instalment each month, or a balance paid once, is not. States are left to
their own rhythm, because each has days and parts of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from finplan.plan.detect.rhythm import Rhythm

REVENUE_SERVICE = "irs"
"""The `payeeKey` of who is paid."""

_MONTHS = (1, 4, 6, 9)
_DAY_OF_MONTH = 15
_INTERVAL = 91

_EARLY, _LATE = 14, 5
"""How many days before and after a due day a payment is for that day."""

_LEAST = 3
"""So many due days in succession show who pays by them; fewer may be balances of two years."""

_FARTHEST = 220
"""Days between two due days with one left out: from June to January, and what weekends add."""


@dataclass(frozen=True, slots=True)
class EstimatedTaxRhythm(Rhythm):
    """The rhythm of who pays estimated tax: its slots are the days of the law."""

    def slots(self, after: int) -> Iterator[int]:
        """The due days later than `after`, an ordinal, ascending, without end."""
        return due_days(after)


def due_days(after: int) -> Iterator[int]:
    """The days, ordinals later than `after`, on which estimated tax falls due, without end."""
    year = date.fromordinal(after).year
    while True:
        for month in _MONTHS:
            due = _due(year, month).toordinal()
            if due > after:
                yield due
        year += 1


def _due(year: int, month: int) -> date:
    """The fifteenth, or the next day on which the revenue service works."""
    due = date(year, month, _DAY_OF_MONTH)
    while due.weekday() >= 5 or _is_holiday(due):
        due += timedelta(1)
    return due


def _is_holiday(day: date) -> bool:
    """Whether a weekday about a due day is a holiday of the whole country or of its capital.

    These are the birthday of Martin Luther King, the third Monday of January, and Emancipation Day on
    16 April, kept on the Friday before or the Monday after a weekend.
    """
    if day.month == 1:
        return day.weekday() == 0 and 15 <= day.day <= 21
    if day.month == 4:
        kept = {5: 15, 6: 17}.get(date(day.year, 4, 16).weekday(), 16)
        return day.day == kept
    return False


def tax_rhythm(ordinals: Sequence[int]) -> EstimatedTaxRhythm:
    """The rhythm of payments on these days, which ascend."""
    cost = sum(abs(day - _meant_for(day)) for day in ordinals)
    return EstimatedTaxRhythm("quarterly", _INTERVAL, ordinals[-1], (), 0, 0, cost, len(ordinals))


def _meant_for(day: int) -> int:
    """The due day that a payment belongs to: one that has just passed, else the next."""
    return next(due_days(day - _LATE - 1))


def tax_payments(paid: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Of the ordered payments to the revenue service, those that keep the days of the law, newest run.

    A payment is a day, an amount and an account. Empty where fewer than three due days in succession
    were kept, of which one between may be left out, or where as many payments lie on other days.
    """
    kept = [payment for payment in paid if _meant_for(payment[0]) - payment[0] <= _EARLY]
    if 2 * len(kept) <= len(paid):
        return []
    dues = [_meant_for(day) for day, _, _ in kept]
    starts = [later for earlier, later in pairwise(dues) if later - earlier > _FARTHEST]
    run = [
        payment for payment, due in zip(kept, dues, strict=True) if due >= max(starts, default=0)
    ]
    return run if len({_meant_for(day) for day, _, _ in run}) >= _LEAST else []
