"""Calendar days as bulk rows hold them: integers YYYYMMDD, months YYYYMM, and proleptic ordinals.

Rows carry a day as an integer because a ledger may hold a million of them; arithmetic needs
ordinals (`date.toordinal`); people and shapes need `date`. Here one becomes another.
"""

from calendar import monthrange
from datetime import date


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


def month_length(month: int) -> int:
    """How many days a month YYYYMM has."""
    return monthrange(month // 100, month % 100)[1]


def last_day(month: int) -> int:
    """The last day, YYYYMMDD, of a month YYYYMM."""
    return month * 100 + month_length(month)


def add_months(month: int, count: int) -> int:
    """The month YYYYMM that lies `count` months after another, or before it when negative."""
    years, rest = divmod(month // 100 * 12 + month % 100 - 1 + count, 12)
    return years * 100 + rest + 1


def months_from(first: int, last: int) -> int:
    """How many months lie from one month YYYYMM to another, both counted; below 1 if reversed."""
    return (last // 100 - first // 100) * 12 + last % 100 - first % 100 + 1
