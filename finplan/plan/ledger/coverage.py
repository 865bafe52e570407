"""Which days an account is known for: intervals, and the holes between them.

A source states the days that it covers, or its rows alone tell. Two intervals are one when so little
lies between them that no statement can be missing there, or when the balances stated on both sides agree
with the rows between. Source: plan-semantics, section 3.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from finplan.plan.ledger.days import ORDINAL, day_of_ordinal

WIDENED = 3
"""How many days before its first row and after its last a source without stated days may cover."""

_JOINED = 14
"""A pause of two weeks is no hole: accounts stand still for so long, and statements overlap badly."""


class Interval(NamedTuple):
    """Days YYYYMMDD, both covered; an end that is not stated is the day of a row."""

    since: int
    until: int
    since_stated: bool = True
    until_stated: bool = True


class Hole(NamedTuple):
    """The first and the last day YYYYMMDD that nothing is known of."""

    first: int
    last: int


Agree = Callable[[Interval, Interval], bool]
"""Whether stated balances show that no row is missing between one interval and the next."""


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """Intervals in order; those that overlap or touch, the next day following, are one."""
    return _joined(intervals, lambda before, after: _days_between(before, after) <= 0)


def joined(intervals: Iterable[Interval], agree: Agree) -> list[Interval]:
    """Intervals in order, with real holes between them."""

    def is_no_hole(before: Interval, after: Interval) -> bool:
        apart = _days_between(before, after) - _margin(before.until_stated)
        return apart - _margin(after.since_stated) <= _JOINED or agree(before, after)

    return _joined(merged(intervals), is_no_hole)


def holes(intervals: Sequence[Interval]) -> list[Hole]:
    """The days between intervals that are in order."""
    return [
        Hole(_moved(before.until, 1), _moved(after.since, -1))
        for before, after in pairwise(intervals)
    ]


def widened(interval: Interval) -> Interval:
    """The days that an interval is taken to cover: an end that only rows tell lies farther out."""
    return interval._replace(
        since=_moved(interval.since, -_margin(interval.since_stated)),
        until=_moved(interval.until, _margin(interval.until_stated)),
    )


def _joined(
    intervals: Iterable[Interval], belong: Callable[[Interval, Interval], bool]
) -> list[Interval]:
    found: list[Interval] = []
    for interval in sorted(intervals):
        if found and belong(found[-1], interval):
            found[-1] = _union(found[-1], interval)
        else:
            found.append(interval)
    return found


def _union(first: Interval, second: Interval) -> Interval:
    """Both intervals as one; an end is stated when an interval that ends there states it."""
    since, until = min(first.since, second.since), max(first.until, second.until)
    return Interval(
        since,
        until,
        any(each.since_stated for each in (first, second) if each.since == since),
        any(each.until_stated for each in (first, second) if each.until == until),
    )


def _days_between(before: Interval, after: Interval) -> int:
    return ORDINAL[after.since] - ORDINAL[before.until] - 1


def _margin(is_stated: bool) -> int:
    return 0 if is_stated else WIDENED


def _moved(day: int, days: int) -> int:
    return day_of_ordinal(ORDINAL[day] + days)
