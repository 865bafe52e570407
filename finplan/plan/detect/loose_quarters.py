"""Quarterly bills that keep neither their day nor their amount, such as a meter that is read by hand.

Their distances agree with no cadence, since each is up to twelve days early or late, but none leaves its
quarter for three years. Visits about three months apart stray further with each one. Only what is billed
at all, and payees that nobody knows, are looked at.
"""

from collections.abc import Sequence

from finplan.plan.detect.rhythm import Rhythm, fit_loose
from finplan.plan.detect.series import Occurrence, merged_by_day
from finplan.plan.detect.streams import Stream, days_of
from finplan.plan.ledger.amounts import mostly_within

_LEAST = 6
"""So many quarters in succession are no accident."""

_MOST = 20
"""More payments than these in all are visits, or a bill that comes more often."""

_SPREAD = 35
"""Percent by which amounts may stray from their median."""

_MOST_CHANCE = 0.004
"""The chance that may remain that payments on any days keep to their quarters by accident."""


def loose_quarterly(paid: Sequence[Occurrence]) -> Stream | None:
    """The quarterly bill that all of a payee's ordered charges are, None where chance explains them."""
    merged = merged_by_day(paid)
    if not _LEAST <= len(merged) <= _MOST or not mostly_within([one[1] for one in merged], _SPREAD):
        return None
    rhythm = fit_loose(days_of(merged))
    if rhythm is None or rhythm.is_punctual() or _may_be_chance(rhythm):
        return None
    return Stream(list(paid), rhythm)


def _may_be_chance(rhythm: Rhythm) -> bool:
    """Whether as many payments on any days lie as near to the middle of quarters by accident.

    Those that lie anywhere in a stretch stray by half of its half from the middle of it on average.
    """
    stretch = (4 * rhythm.cost / rhythm.seen + 1) / rhythm.step
    return rhythm.seen * stretch ** (rhythm.seen - 1) > _MOST_CHANCE
