"""The slots of a rhythm: on which days, past and to come, something regular is expected.

Weekly and biweekly rhythms keep a weekday, the others a day of the month, or two; a day that a month
lacks is its last, and a slot on a weekend may be moved to the weekday before or after it. What comes
each month may keep a weekday of a week (the second Wednesday), or come every four weeks. All days here
are ordinals (`date.toordinal`); months are counted from year 0 (`year * 12 + month - 1`).
"""

from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import count
from typing import NamedTuple

from finplan.model.plan import Cadence

DAYS: dict[str, int] = {"weekly": 7, "biweekly": 14}
"""The cadences that keep a weekday, and their distance in days."""

MONTHS: dict[str, int] = {
    "semimonthly": 1,
    "monthly": 1,
    "quarterly": 3,
    "twice_yearly": 6,
    "annual": 12,
}
"""The cadences that keep a day of the month, and how many months apart they are."""

_STRAYS: Mapping[Cadence, Fraction] = {
    "weekly": Fraction(4, 3),
    "biweekly": Fraction(4, 3),
    "semimonthly": Fraction(5, 2),
    "monthly": Fraction(5, 2),
    "quarterly": Fraction(3),
    "twice_yearly": Fraction(3),
    "annual": Fraction(3),
}
"""How many days occurrences may stray from their slots on average.

A day of the month that keeps a weekday, such as the third Wednesday, strays by less than two days; days
that are anywhere in two weeks stray by four.
"""

_RECENT = 12
"""How many of the last occurrences tell where the slots are now."""

_QUARTER = 91
"""Thirteen weeks."""

_EXACT_QUARTER = 365.25 / 4

_LOOSEST = 12
"""So many days before or after the middle of its quarter may a bill come that keeps no day."""

_FARTHEST = 5
"""A deviation counts as no more than this many days: beyond it, it is another kind of event."""


FOUR_WEEKS = 28
"""The interval in days of what comes every four weeks, which no day of the month has."""

_SHORTEST_MONTH = 29
"""The least interval that is told for a day of the month, so that it is never taken for four weeks."""

_MIDDLE = range(14, 18)
"""The days about the middle of a month, whose half a month later is its end."""

_LEAST_WEEKDAYS = 4
"""So many dates on one weekday of one week of their months are no accident of the calendar."""


class Anchor(NamedTuple):
    """A day of the month, 31 for the last, and where its weekends go: 0 nowhere, 1 after, -1 before.

    With a `weekday` (0 is Monday), it is that weekday of the month's week `day`, 5 for the last.
    """

    day: int
    roll: int
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Rhythm:
    """A cadence with its slots.

    `last` is the latest occurrence. The slots were fitted to the last `fitted` occurrences, which stray
    from them by `cost` days in all; where nothing but the distances is even, they stray from those.
    `anchors` are one day of the month or two; without any, `phase` is a day on which a slot lies, and
    slots are `step` days apart. With anchors, slots lie in months that are `phase` modulo `step`.
    """

    cadence: Cadence
    interval_days: int
    last: int
    anchors: tuple[Anchor, ...]
    step: int
    phase: int
    cost: int
    fitted: int

    def strays_at_most(self, days: Fraction | int) -> bool:
        """Whether occurrences stray from their slots by so many days on average, or less."""
        return self.cost <= days * self.fitted

    def is_punctual(self) -> bool:
        """Whether occurrences stray little enough to be billed, and not visits about that far apart."""
        return self.strays_at_most(_STRAYS[self.cadence])

    def is_loose(self) -> bool:
        """Whether occurrences keep their quarter, and no day of it."""
        return self.cadence == "quarterly" and self.step == _QUARTER and not self.is_punctual()

    def keeps_a_weekday(self) -> bool:
        """Whether slots are on one weekday, as visits are."""
        if not self.anchors:
            return self.step % 7 == 0
        return self.anchors[0].weekday is not None

    def slots(self, after: int) -> Iterator[int]:
        """The expected days later than `after`, ascending, without end."""
        if not self.anchors:
            return count(after + 1 + (self.phase - after - 1) % self.step, self.step)
        return self._monthly_slots(after)

    def _monthly_slots(self, after: int) -> Iterator[int]:
        month = _month_of(after) - 1
        month += (self.phase - month) % self.step
        while True:
            for day in sorted(slot(month, anchor) for anchor in self.anchors):
                if day > after:
                    yield day
            month += self.step

    def due(self) -> int:
        """The slot that follows the latest occurrence, which may itself be early or late."""
        return next(self.slots(self.last + self.interval_days // 2))


@cache
def _bounds(month: int) -> tuple[int, int]:
    """The ordinal of the day before a month's first, and its length."""
    year, of_year = month // 12, month % 12 + 1
    return date(year, of_year, 1).toordinal() - 1, monthrange(year, of_year)[1]


def _month_of(ordinal: int) -> int:
    day = date.fromordinal(ordinal)
    return day.year * 12 + day.month - 1


@cache
def slot(month: int, anchor: Anchor) -> int:
    """The ordinal on which a month's slot lies; months are counted from year 0."""
    before, length = _bounds(month)
    day_of_month, roll, weekday = anchor
    if weekday is not None:
        # The ordinal of a Monday has the remainder 1.
        first = before + 1 + (weekday - before) % 7
        return min(first + 7 * (day_of_month - 1), first + (before + length - first) // 7 * 7)
    day = before + min(day_of_month, length)
    # Ordinal 1 was a Monday, so the remainder is 6 on Saturdays and 0 on Sundays.
    remainder = day % 7
    if roll and remainder in {6, 0}:
        if roll > 0:
            return day + (2 if remainder == 6 else 1)
        return day - (1 if remainder == 6 else 2)
    return day


def fit(cadence: Cadence, ordinals: Sequence[int], interval_days: int) -> Rhythm:
    """The slots that best explain the last occurrences of a known cadence; `ordinals` ascend.

    `interval_days` is the median distance between them.
    """
    recent = ordinals[-_RECENT:]
    last = ordinals[-1]
    if cadence in DAYS:
        return replace(_fit_step(cadence, recent, DAYS[cadence]), interval_days=interval_days)
    anchors, cost = _fit_two_days(recent) if cadence == "semimonthly" else _fit_day(recent)
    if cadence == "monthly":
        if cost and len(recent) >= _LEAST_WEEKDAYS and (nth := _weekday_of_month(recent)):
            by_weekday = sum(_strays(day, _month_of(day), nth) for day in recent)
            if _tells_more(by_weekday, cost, recent):
                anchors, cost = (nth,), by_weekday
        if cost > 0 and abs(interval_days - FOUR_WEEKS) <= 1 and len(recent) > 2:
            even = _fit_step(cadence, recent, FOUR_WEEKS)
            if even.cost <= len(recent) and _tells_more(even.cost, cost, recent):
                return even
        interval_days = max(interval_days, _SHORTEST_MONTH)
    elif cadence == "quarterly" and cost and interval_days == _QUARTER:
        even = _fit_step(cadence, recent, _QUARTER)
        if len(recent) >= _LEAST_WEEKDAYS and _tells_more(even.cost, cost, recent):
            return even
    step = MONTHS[cadence]
    phase = _phase(recent, anchors[0], step)
    fitted = Rhythm(cadence, interval_days, last, anchors, step, phase, cost, len(recent))
    loose = fit_loose(recent) if cadence == "quarterly" and not fitted.is_punctual() else None
    return loose or fitted


def fit_loose(ordinals: Sequence[int]) -> Rhythm | None:
    """The middle of each quarter that occurrences keep to within twelve days before or after.

    In no quarter are two, and at most one in five has none. None if there are no such quarters.
    """
    recent = ordinals[-_RECENT:]
    first, last = recent[0], recent[-1]
    quarters = [round((day - first) / _EXACT_QUARTER) for day in recent]
    count = quarters[-1] + 1
    if len(set(quarters)) < len(recent) or 5 * (count - len(recent)) > count:
        return None
    strays = [
        day - first - quarter * _EXACT_QUARTER
        for day, quarter in zip(recent, quarters, strict=True)
    ]
    middle = (min(strays) + max(strays)) / 2
    if max(strays) - middle > _LOOSEST:
        return None
    phase = first + round(middle + quarters[-1] * _EXACT_QUARTER)
    cost = sum(round(abs(stray - middle)) for stray in strays)
    return Rhythm("quarterly", _QUARTER, last, (), _QUARTER, phase, cost, len(recent))


def fit_slipped(cadence: Cadence, ordinals: Sequence[int], interval_days: int) -> Rhythm | None:
    """The slots that three in five occurrences keep, two at least, when the others are late ones.

    A late one lies between its slot and the middle of its period, and in no period are two. None if
    there are no such slots. `ordinals` ascend, and the cadence is of several months.
    """
    anchors, _ = _fit_day(ordinals)
    step = MONTHS[cadence]
    phase = _phase(ordinals, anchors[0], step)
    rhythm = Rhythm(cadence, interval_days, ordinals[-1], anchors, step, phase, 0, len(ordinals))
    slots = rhythm.slots(ordinals[0] - interval_days)
    due, following = next(slots), next(slots)
    cost, on_time, before = 0, 0, None
    for day in ordinals:
        while following - _FARTHEST <= day:
            due, following = following, next(slots)
        late = day - due
        if due == before or not -_FARTHEST <= late <= interval_days // 2:
            return None
        before = due
        on_time += late <= _FARTHEST
        cost += min(abs(late), _FARTHEST)
    if on_time < 2 or 5 * on_time < 3 * len(ordinals):
        return None
    return replace(rhythm, cost=cost)


def _tells_more(cost: int, by_day: int, recent: Sequence[int]) -> bool:
    """Whether other slots explain dates that stray from a day of the month: exactly, or much better."""
    return cost == 0 or (cost < by_day and by_day > len(recent))


def _phase(recent: Sequence[int], anchor: Anchor, step: int) -> int:
    """The months, modulo the step, that the most occurrences lie in; the latest of equally many.

    A bill that is three weeks late once does not move those that follow.
    """
    if step == 1:
        return 0
    months = [_nearest_month(day, anchor) % step for day in reversed(recent)]
    return Counter(months).most_common(1)[0][0]


def _weekday_of_month(recent: Sequence[int]) -> Anchor | None:
    """The weekday of a week of the month that most occurrences are on, four at least."""
    places: Counter[tuple[int, int]] = Counter()
    for day in recent:
        before, length = _bounds(_month_of(day))
        weekday, week = (day - 1) % 7, (day - before - 1) // 7 + 1
        places[weekday, week] += 1
        if week == 4 and day + 7 > before + length:
            # The fourth of a weekday is the last in two months of three.
            places[weekday, 5] += 1
    (weekday, week), times = places.most_common(1)[0]
    if times < _LEAST_WEEKDAYS or 2 * times <= len(recent):
        return None
    return Anchor(week, 0, weekday)


def _fit_step(cadence: Cadence, recent: Sequence[int], step: int) -> Rhythm:
    """The slots so many days apart from which the occurrences stray least, the latest of equals."""
    costs = [
        (sum(_around(day, phase, step) for day in recent), -index, phase)
        for index, phase in enumerate(recent)
    ]
    cost, _, phase = min(costs)
    return Rhythm(cadence, step, recent[-1], (), step, phase, cost, len(recent))


def _around(day: int, phase: int, step: int) -> int:
    """How many days lie between a day and the nearest slot."""
    distance = (day - phase) % step
    return min(distance, step - distance, _FARTHEST)


def _fit_day(recent: Sequence[int]) -> tuple[tuple[Anchor, ...], int]:
    """The day of the month, with its weekend rule, from which the occurrences stray least."""
    dated = [(ordinal, _month_of(ordinal)) for ordinal in recent]
    rolls = (0,) if any(ordinal % 7 in {6, 0} for ordinal in recent) else (0, 1, -1)
    best, least = Anchor(1, 0), _FARTHEST * len(recent) + 1
    for day in _candidate_days(dated):
        for roll in rolls:
            anchor, cost = Anchor(day, roll), 0
            for ordinal, month in dated:
                cost += _strays(ordinal, month, anchor)
                if cost >= least:
                    break
            else:
                best, least = anchor, cost
    return (best,), least


def _candidate_days(dated: Sequence[tuple[int, int]]) -> list[int]:
    """The days of the month seen most often, the last day among them when a month's end was seen."""
    counts = Counter(ordinal - _bounds(month)[0] for ordinal, month in reversed(dated))
    days = [day for day, _ in counts.most_common(5)]
    if 31 not in days and any(ordinal == sum(_bounds(month)) for ordinal, month in dated):
        days.append(31)
    return days


def _strays(ordinal: int, month: int, anchor: Anchor) -> int:
    """How many days lie between an occurrence and the nearest month's slot."""
    distance = ordinal - slot(month, anchor)
    if distance > 15:
        distance = ordinal - slot(month + 1, anchor)
    elif distance < -15:
        distance = ordinal - slot(month - 1, anchor)
    return min(abs(distance), _FARTHEST)


def _nearest_month(ordinal: int, anchor: Anchor) -> int:
    month = _month_of(ordinal)
    return min((month, month - 1, month + 1), key=lambda near: abs(ordinal - slot(near, anchor)))


def _fit_two_days(recent: Sequence[int]) -> tuple[tuple[Anchor, ...], int]:
    """The two days of the month, about half a month apart, that occurrences gather around."""
    places = [_place_in_month(ordinal) for ordinal in recent]
    counts = Counter(places)
    nearby = [sum(counts[(day + off) % 31] for off in range(-2, 3)) for day in range(31)]
    weights = [nearby[index] + counts[index] / 64 for index in range(31)]
    first_day, second_day, most = 0, 0, -1.0
    for first, weight in enumerate(weights):
        for apart in range(12, 20):
            second = (first + apart) % 31
            if weight + weights[second] > most:
                first_day, second_day, most = first, second, weight + weights[second]
    halves: tuple[list[int], list[int]] = ([], [])
    for ordinal, day_of_month in zip(recent, places, strict=True):
        nearer_other = _around(day_of_month, second_day, 31) < _around(day_of_month, first_day, 31)
        halves[nearer_other].append(ordinal)
    if not all(halves):
        # Of one day alone the other is half a month away, at the month's end about its middle.
        (anchor,), cost = _fit_day(recent)
        other_day = 31 if anchor.day in _MIDDLE else 15 if anchor.day > _MIDDLE.stop + 10 else 0
        other_day = other_day or (anchor.day + 15 if anchor.day <= 15 else anchor.day - 15)
        both = sorted((anchor, anchor._replace(day=other_day)), key=lambda first_day: first_day.day)
        return tuple(both), cost
    fitted = [_fit_day(half) for half in halves]
    anchors = sorted((anchor for (anchor,), _ in fitted), key=lambda anchor: anchor.day)
    return tuple(anchors), sum(cost for _, cost in fitted)


def _place_in_month(ordinal: int) -> int:
    """The day of the month, where the ends of long and short months are one place: 0 is the last."""
    before, length = _bounds(_month_of(ordinal))
    day = ordinal - before
    return day if day <= 26 else (day - length) % 31
