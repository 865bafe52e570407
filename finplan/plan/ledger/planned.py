"""Planned money by its days: when it is expected, and which of it is still to come.

An occurrence is looked for ten days before and after its day, or its month, and is overdue after that.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import takewhile

from finplan.model.plan import Cadence
from finplan.model.planned import PlannedStatus
from finplan.plan.ledger.days import add_months, date_of, last_day, month_length
from finplan.plan.ledger.ledger import PlannedMoney, Row

WAITED_DAYS = 10
"""So many days before or after its day an occurrence is looked for, and so long it is waited for."""

_DAYS_BETWEEN: Mapping[Cadence, int] = {"weekly": 7, "biweekly": 14}
_MONTHS_BETWEEN: Mapping[Cadence, int] = {
    "monthly": 1, "quarterly": 3, "twice_yearly": 6, "annual": 12,
}  # fmt: skip
_HALF_A_MONTH = 15


def occurrences(money: PlannedMoney, until: date) -> Iterator[date]:
    """The days of planned money from the first to a day, both counted, in order."""
    last = until if money.until is None else min(until, money.until)
    return takewhile(lambda day: day <= last, _every_day(money))


def _every_day(money: PlannedMoney) -> Iterator[date]:
    first, cadence = money.first, money.cadence
    if cadence is None:
        yield first
        return
    for index in range(1_000_000):
        if cadence in _DAYS_BETWEEN:
            yield first + timedelta(index * _DAYS_BETWEEN[cadence])
        elif cadence == "semimonthly":
            months, is_second = divmod(index, 2)
            day = _months_later(money, months)
            yield day + timedelta(_HALF_A_MONTH) if is_second else day
        else:
            yield _months_later(money, index * _MONTHS_BETWEEN[cadence])


def _months_later(money: PlannedMoney, count: int) -> date:
    first = money.first
    month = add_months(first.year * 100 + first.month, count)
    if money.in_month and money.incoming:
        return date_of(last_day(month))
    return date_of(month * 100 + min(first.day, month_length(month)))


def expected_between(money: PlannedMoney, day: date) -> tuple[date, date]:
    """The first and the last day on which an occurrence is expected: those of its month, or its own."""
    if not money.in_month:
        return day, day
    month = day.year * 100 + day.month
    return date_of(month * 100 + 1), date_of(last_day(month))


@dataclass(frozen=True, slots=True)
class FollowedMoney:
    """Planned money with the transactions that show it, by the day of the occurrence that each is.

    `recurring` says that finplan has found the recurring charge or the income that it is, which takes
    over. `monthly` is what is set aside for it each month, minor units.
    """

    money: PlannedMoney
    happened: Mapping[date, Row]
    recurring: bool = False
    monthly: int = 0

    def status(self, today: date) -> PlannedStatus:
        """How planned money stands on a day."""
        if self.overdue(today) is not None:
            return "overdue"
        return "happened" if self.next_day(today) is None else "planned"

    def next_day(self, today: date) -> date | None:
        """The day of the next occurrence; None where none is to come."""
        furthest = max(self.money.first, today + timedelta(2 * 366))
        return next(iter(self.ahead(today, furthest)), None)

    def ahead(self, today: date, until: date) -> Sequence[date]:
        """The days from today to another on which it is still expected; what is late falls on today."""
        if self.money.done or self.recurring:
            return ()
        return [
            max(day, today)
            for day in occurrences(self.money, until)
            if day not in self.happened and not self._is_over(day, today)
        ]

    def overdue(self, today: date) -> date | None:
        """The day of the latest occurrence if it was missed; None where it was not."""
        if self.money.done or self.recurring:
            return None
        past = [day for day in occurrences(self.money, today) if self._is_over(day, today)]
        return past[-1] if past and past[-1] not in self.happened else None

    def _is_over(self, day: date, today: date) -> bool:
        """Whether an occurrence is not waited for any longer."""
        return today > expected_between(self.money, day)[1] + timedelta(WAITED_DAYS)


def longest_gap(cadence: Cadence) -> int:
    """Days: the longest that two occurrences lie apart."""
    if cadence in _MONTHS_BETWEEN:
        return {1: 31, 3: 92, 6: 184, 12: 366}[_MONTHS_BETWEEN[cadence]]
    return _DAYS_BETWEEN.get(cadence, _HALF_A_MONTH + 1)
