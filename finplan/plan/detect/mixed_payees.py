"""The monthly bill of a payee that is paid for other things as well.

A phone company sells accessories and a clinic's plan stands beside its visits. Such a bill varies, so
no price picks it out of the rest; its day of the month does. It is taken for one when so many months
hold a like charge on that day as the payee's charges, strewn over any days, hardly ever would.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from math import comb, exp

from finplan.plan.detect.cadence import rhythm_of
from finplan.plan.detect.rhythm import Anchor, fit, slot
from finplan.plan.detect.series import Occurrence
from finplan.plan.detect.streams import LEAST_VARYING, Stream, days_of
from finplan.plan.ledger.amounts import comparable, median

_BUSIEST = 1.75
"""Where somebody pays more often a month than this, any day of the month has its charges."""

_LATEST = 72
"""How many of the last charges are looked at, which bounds the cost of a busy payee."""

_AROUND = 4
"""Days by which weekends and late payments move a bill from its day of the month."""

_NEAR = 3
"""The same once its weekend rule is known."""

_MONTH = 31
_DAYS_AROUND: Mapping[int, frozenset[int]] = {
    day: frozenset((day - 1 + off) % _MONTH + 1 for off in range(-_AROUND, _AROUND + 1))
    for day in range(1, _MONTH + 1)
}

_CANDIDATES = 2
"""So many days of the month are tried."""

_LATELY = 365

_TRIES = 93
"""Days of the month times weekend rules: any of them might have fitted by accident."""

_MOST_CHANCE = 0.005
"""The chance that may remain that the charges of a payee without a bill look like one."""


def monthly_bill(paid: Sequence[Occurrence]) -> Stream | None:
    """The bill among ordered charges that comes monthly on its day; None if chance explains it."""
    recent = paid[-_LATEST:]
    if len(recent) <= LEAST_VARYING:
        return None
    months = (recent[-1][0] - recent[0][0]) // 30 + 1
    if len(recent) > _BUSIEST * months:
        return None
    dates = [date.fromordinal(day) for day, _, _ in recent]
    for place in _fullest(Counter(each.day for each in dates)):
        near = [
            one for one, each in zip(recent, dates, strict=True) if each.day in _DAYS_AROUND[place]
        ]
        if _is_monthly(near) and (bill := _on_its_day(near, recent)):
            return bill
    return None


def _fullest(places: Mapping[int, int]) -> list[int]:
    """The days of the month around which the most charges lie, the fullest first and each apart."""
    # The month thrice makes a ring of which every stretch of days is one slice.
    ring = 3 * [places[day] for day in range(1, _MONTH + 1)]
    around = [
        (sum(ring[day + _MONTH - 1 - _AROUND : day + _MONTH + _AROUND]), count, -day)
        for day, count in places.items()
    ]
    chosen: list[int] = []
    for charges, _, day in sorted(around, reverse=True):
        if charges < LEAST_VARYING or len(chosen) == _CANDIDATES:
            break
        if not any(-day in _DAYS_AROUND[one] for one in chosen):
            chosen.append(-day)
    return chosen


def _is_monthly(near: Sequence[Occurrence]) -> bool:
    """Whether charges around a day of the month leave out few months of late: a cheap first look."""
    lately = {day // 30 for day, _, _ in near if day > near[-1][0] - _LATELY}
    return 2 * len(lately) > max(lately) - min(lately)


def _on_its_day(near: Sequence[Occurrence], recent: Sequence[Occurrence]) -> Stream | None:
    """The bill that the charges near a day of the month are, if they are one."""
    usual = median([amount for _, amount, _ in near])
    like = [one for one in near if comparable(one[1], usual)]
    if len(like) < LEAST_VARYING:
        return None
    fitted = fit("monthly", days_of(like), 30)
    # Visits keep a weekday, such as the first Saturday's shopping.
    if fitted.keeps_a_weekday():
        return None
    charges = _one_a_month(like, fitted.anchors[0], usual)
    rhythm = rhythm_of(days_of(charges))
    if rhythm is None or rhythm.cadence != "monthly":
        return None
    charges = [one for one in charges if one[0] <= rhythm.last]
    if len(charges) < LEAST_VARYING:
        return None
    alike = sum(comparable(one[1], usual) for one in recent)
    return None if _may_be_chance(charges, alike, recent) else Stream(charges, rhythm)


def _one_a_month(like: Sequence[Occurrence], anchor: Anchor, usual: int) -> list[Occurrence]:
    """The charge of each month that is nearest to the day of the bill, and then to its amount."""
    best: dict[int, tuple[int, int, Occurrence]] = {}
    for one in like:
        on = date.fromordinal(one[0])
        this = on.year * 12 + on.month - 1
        apart, month = min(
            (abs(one[0] - slot(month, anchor)), month) for month in (this - 1, this, this + 1)
        )
        rank = (apart, abs(one[1] - usual), one)
        if apart <= _NEAR and (month not in best or rank < best[month]):
            best[month] = rank
    return [best[month][2] for month in sorted(best)]


def _may_be_chance(charges: Sequence[Occurrence], alike: int, recent: Sequence[Occurrence]) -> bool:
    """Whether like charges on any days fall near one day of the month in as many months.

    `alike` is how many of the payee's charges are of a like amount.
    """
    days = recent[-1][0] - recent[0][0] + 1
    a_month = 1 - exp(-alike / days * (2 * _NEAR + 1))
    months = max(len(charges), round((charges[-1][0] - charges[0][0]) * 12 / 365.25) + 1)
    at_least = sum(
        comb(months, hits) * a_month**hits * (1 - a_month) ** (months - hits)
        for hits in range(len(charges), months + 1)
    )
    return at_least * _TRIES > _MOST_CHANCE
