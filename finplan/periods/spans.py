"""Days that belong together: the units of the calendar, and what a text is read as."""

import calendar
from datetime import date, timedelta
from typing import NamedTuple

_MONTHS_OF = {"month": 1, "quarter": 3, "half": 6, "year": 12}


class UnclearPeriod(ValueError):
    """A text that means no days, or several; it says which, and what to write instead."""


class SpokenPeriod(NamedTuple):
    """The days that a text means, both inclusive; None where it has no first or no last one.

    `remark` says what was taken of several things that it could mean; it is empty where there is one.
    """

    since: date | None
    until: date | None
    remark: str = ""

    @property
    def told(self) -> str:
        """The days, as a person reads them."""
        if self.since is None:
            days = "all days" if self.until is None else f"all days up to {self.until}"
        else:
            days = f"{self.since}" if self.since == self.until else f"{self.since} to {self.until}"
        return f"{days}, {self.remark}" if self.remark else days


class DaySpan(NamedTuple):
    """From a first day to a last one, both inclusive, with the remark that its text asks for.

    `remark` says which of several was taken, `extent` how far it reaches: that is told of a period by
    itself, and would be false of a longer one that begins or ends with it.
    """

    first: date
    last: date
    remark: str = ""
    extent: str = ""


def one_day(day: date, remark: str = "") -> DaySpan:
    """A day by itself."""
    return DaySpan(day, day, remark)


def unit_of(unit: str, day: date, step: int = 0) -> DaySpan:
    """The calendar unit that holds a day, or the one so many steps later."""
    unit = unit[:4] if unit.startswith("half") else unit
    if unit == "day":
        return one_day(day + timedelta(step))
    if unit == "week":
        monday = day - timedelta(day.weekday() - 7 * step)
        return DaySpan(monday, monday + timedelta(6))
    months = _MONTHS_OF[unit]
    first = (day.year * 12 + day.month - 1) // months * months + step * months
    return span_of_months(first, months)


def span_of_months(first: int, count: int) -> DaySpan:
    """So many months from one that is counted from year 0."""
    last = first + count - 1
    length = calendar.monthrange(last // 12, last % 12 + 1)[1]
    return DaySpan(date(first // 12, first % 12 + 1, 1), date(last // 12, last % 12 + 1, length))


def iso_week(year: int, week: int) -> DaySpan:
    """A week of ISO 8601, from its Monday. Raises ValueError where a year has no such week."""
    monday = date.fromisocalendar(year, week, 1)
    return DaySpan(monday, monday + timedelta(6))
