"""The days on which American banks work, and the months between two days."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

ONE_DAY = timedelta(days=1)


@lru_cache(maxsize=256)
def holidays(year: int) -> frozenset[date]:
    """Every day of a year on which the Federal Reserve is closed besides weekends.

    A fixed holiday on a Sunday is kept on Monday; one on a Saturday is not moved (frbservices.org).
    """
    fixed = [date(year, month, day) for month, day in ((1, 1), (6, 19), (7, 4), (11, 11), (12, 25))]
    return frozenset(
        [day + ONE_DAY if day.weekday() == 6 else day for day in fixed]
        + [
            _weekday_of(year, 1, 0, 3),  # Martin Luther King
            _weekday_of(year, 2, 0, 3),  # Presidents
            _weekday_of(year, 6, 0, 1) - 7 * ONE_DAY,  # Memorial: the last Monday of May
            _weekday_of(year, 9, 0, 1),  # Labor
            _weekday_of(year, 10, 0, 2),  # Columbus
            _weekday_of(year, 11, 3, 4),  # Thanksgiving
        ]
    )


def _weekday_of(year: int, month: int, weekday: int, nth: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


def is_workday(day: date) -> bool:
    """A day is a workday when it is neither at a weekend nor a bank holiday."""
    return day.weekday() < 5 and day not in holidays(day.year)


def workday_from(day: date) -> date:
    """The first workday on or after a day: when a bill that falls on it is taken."""
    while not is_workday(day):
        day += ONE_DAY
    return day


def workday_until(day: date) -> date:
    """The last workday on or before a day: when pay that falls on it arrives."""
    while not is_workday(day):
        day -= ONE_DAY
    return day


def month_of(day: date, later: int = 0) -> date:
    """The first day of a day's month, or of the one so many months later."""
    year, month = divmod(day.year * 12 + day.month - 1 + later, 12)
    return date(year, month + 1, 1)


def month_end(day: date) -> date:
    """The last day of a day's month."""
    return month_of(day, 1) - ONE_DAY


def months_between(start: date, day: date) -> int:
    """How many months a day's month lies after the start's month."""
    return (day.year - start.year) * 12 + day.month - start.month


def months(start: date, through: date) -> Iterator[tuple[int, date]]:
    """Each month that two days span, as its number counted from the start's and its first day."""
    for number in range(months_between(start, through) + 1):
        yield number, month_of(start, number)
