"""The days from one payday to the next, over which an allowance is spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from finplan.plan.detect.rhythm import fit
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.days import month_length
from finplan.plan.sections.emergency import wage_sources

_LONGEST_GAP = 35
"""Days: pay that comes less often than monthly paces nobody's spending."""


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to the day before `end`; `payday` is `end`, or None in a calendar month."""

    start: date
    end: date
    payday: date | None

    @property
    def days(self) -> int:
        """How many days the period has."""
        return (self.end - self.start).days

    @property
    def months(self) -> Fraction:
        """The period's length in months: what a monthly figure is multiplied with."""
        return Fraction(self.days * 12, 365)


def period_of(sources: Sequence[Series], today: date) -> Period:
    """The period that holds today: between paydays of the largest regular pay, else the month."""
    pay = primary_source(sources)
    if pay is not None:
        return _between_paydays(pay, today)
    start = today.replace(day=1)
    length = month_length(today.year * 100 + today.month)
    return Period(start, start + timedelta(length), None)


def primary_source(sources: Sequence[Series]) -> Series | None:
    """The active wage source with the largest month that pays at least every 35 days."""
    frequent = [
        source
        for source in wage_sources(sources)
        if source.active and source.interval_days and source.interval_days <= _LONGEST_GAP
    ]
    return max(frequent, key=lambda source: (source.monthly, source.name), default=None)


def _between_paydays(pay: Series, today: date) -> Period:
    """From the last payday to the next.

    Pay that is late, or too recent to be in the data, counts as paid on its day: a period must not
    start anew each morning until the money arrives.
    """
    assert pay.cadence != "irregular"
    assert pay.interval_days is not None
    seen = sorted({day.toordinal() for day, _ in pay.recent})
    slots = fit(pay.cadence, seen, pay.interval_days).slots(seen[-1] + pay.interval_days // 2)
    start = seen[-1]
    for slot in slots:
        if slot > today.toordinal():
            return Period(date.fromordinal(start), date.fromordinal(slot), date.fromordinal(slot))
        start = slot
    raise AssertionError("A rhythm has slots without end.")
