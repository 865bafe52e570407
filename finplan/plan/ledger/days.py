"""Calendar days as bulk rows hold them, and which of them an account is known for.

Days are integers YYYYMMDD, months YYYYMM, and proleptic ordinals where days are counted. Coverage
is intervals of days, and the holes between them.
"""

from bisect import bisect_right
from calendar import monthrange
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cache
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple


def day_of(when: date) -> int:
    """The day of a date as YYYYMMDD."""
    return when.year * 10000 + when.month * 100 + when.day


def date_of(day: int) -> date:
    """The date of a day YYYYMMDD. Raises ValueError for a day that no calendar has."""
    return date(day // 10000, day // 100 % 100, day % 100)


class _Ordinals(dict[int, int]):
    """Every day asked for so far with its ordinal; a decade is 3,653 entries."""

    def __missing__(self, day: int) -> int:
        ordinal = self[day] = date_of(day).toordinal()
        return ordinal


ORDINAL = _Ordinals()
"""Day YYYYMMDD to ordinal, as fast as a dictionary; ValueError for a day that no calendar has."""


def day_of_ordinal(ordinal: int) -> int:
    """The day YYYYMMDD of an ordinal."""
    return day_of(date.fromordinal(ordinal))


@cache
def month_length(month: int) -> int:
    """How many days a month YYYYMM has."""
    return monthrange(month // 100, month % 100)[1]


def last_day(month: int) -> int:
    """The last day, YYYYMMDD, of a month YYYYMM."""
    return month * 100 + month_length(month)


def add_months(month: int, count: int) -> int:
    """The month YYYYMM that lies `count` months after another, or before it when negative."""
    years, month_index = divmod(month // 100 * 12 + month % 100 - 1 + count, 12)
    return years * 100 + month_index + 1


def months_from(first: int, last: int) -> int:
    """How many months lie from one month YYYYMM to another, both counted; below 1 if reversed."""
    return (last // 100 - first // 100) * 12 + last % 100 - first % 100 + 1


WIDENED = 3
"""How many days before its first row and after its last a source without stated days may cover."""

_JOINED_PAUSE = 14
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
    return _joined_intervals(intervals, lambda before, after: _days_between(before, after) <= 0)


def join_intervals(intervals: Iterable[Interval], agree: Agree) -> list[Interval]:
    """Intervals in order, with real holes between them."""

    def is_no_hole(before: Interval, after: Interval) -> bool:
        apart = _days_between(before, after) - _margin_of_end(before.until_stated)
        return apart - _margin_of_end(after.since_stated) <= _JOINED_PAUSE or agree(before, after)

    return _joined_intervals(merged(intervals), is_no_hole)


def balances_agree(
    stated: Sequence[tuple[int, int]],
    moved: Callable[[int, int], int],
    before: Interval,
    after: Interval,
) -> bool:
    """Whether the rows between two stated balances, on both sides of a pause, explain the later one.

    `stated` are days and balances, in order; `moved` tells what the rows after a day and up to another
    change the balance by.
    """
    index = bisect_right(stated, before.until, key=itemgetter(0))
    later = next(
        (later_balance for later_balance in stated[index:] if later_balance[0] >= after.since), None
    )
    if index == 0 or later is None:
        return False
    (first, begun), (last, ended) = stated[index - 1], later
    return ended - begun == moved(first, last)


def holes(intervals: Sequence[Interval]) -> list[Hole]:
    """The days between intervals that are in order."""
    return [
        Hole(_moved_day(before.until, 1), _moved_day(after.since, -1))
        for before, after in pairwise(intervals)
    ]


def widened(interval: Interval) -> Interval:
    """The days that an interval is taken to cover: an end that only rows tell lies farther out."""
    return interval._replace(
        since=_moved_day(interval.since, -_margin_of_end(interval.since_stated)),
        until=_moved_day(interval.until, _margin_of_end(interval.until_stated)),
    )


def _joined_intervals(
    intervals: Iterable[Interval], belong: Callable[[Interval, Interval], bool]
) -> list[Interval]:
    intervals_joined: list[Interval] = []
    for interval in sorted(intervals):
        if intervals_joined and belong(intervals_joined[-1], interval):
            intervals_joined[-1] = _union_of_intervals(intervals_joined[-1], interval)
        else:
            intervals_joined.append(interval)
    return intervals_joined


def _union_of_intervals(first: Interval, second: Interval) -> Interval:
    """Both intervals as one; an end is stated when an interval that ends there states it."""
    since, until = min(first.since, second.since), max(first.until, second.until)
    return Interval(
        since,
        until,
        any(interval.since_stated for interval in (first, second) if interval.since == since),
        any(interval.until_stated for interval in (first, second) if interval.until == until),
    )


def _days_between(before: Interval, after: Interval) -> int:
    return ORDINAL[after.since] - ORDINAL[before.until] - 1


def _margin_of_end(is_stated: bool) -> int:
    return 0 if is_stated else WIDENED


def _moved_day(day: int, days: int) -> int:
    return day_of_ordinal(ORDINAL[day] + days)
