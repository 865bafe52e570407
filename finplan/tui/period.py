"""The days that a screen shows: a month to step through, or whatever was said in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from finplan.model import figures
from finplan.periods.reading import read_period


@dataclass(frozen=True, slots=True)
class ShownPeriod:
    """Days from `since` to `until`, both included; `told` is what they are called."""

    since: date | None
    until: date | None
    told: str

    def stepped(self, step: int, today: date) -> "ShownPeriod":
        """As many days or months earlier or later; what has no beginning stays as it is."""
        if self.since is None:
            return self
        until = self.until or today
        if self.since.day == 1 and (_is_month_end(until) or self.until is None or until == today):
            months = (until.year - self.since.year) * 12 + until.month - self.since.month + 1
            return whole_months(_month_from(self.since, step * months), months)
        days = (until - self.since).days + 1
        since, last = self.since + timedelta(days * step), until + timedelta(days * step)
        return ShownPeriod(since, last, figures.day_span(since, last))


def month_of(day: date) -> ShownPeriod:
    """The calendar month of a day."""
    return whole_months(day.replace(day=1), 1)


def whole_months(first: date, months: int) -> ShownPeriod:
    """So many months from the first day of one on."""
    until = _month_from(first, months) - timedelta(1)
    return ShownPeriod(first, until, figures.month_span(first, until))


def spoken(text: str, today: date, paydays: Sequence[date] = ()) -> ShownPeriod:
    """The days that words mean; an empty text means all. Raises UnclearPeriod."""
    if not text.strip():
        return ShownPeriod(None, None, "all days")
    found = read_period(text, today, paydays)
    return ShownPeriod(found.since, found.until, found.told)


def _month_from(first: date, months: int) -> date:
    number = first.year * 12 + first.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def _is_month_end(day: date) -> bool:
    return (day + timedelta(1)).day == 1
