"""How regular a series is, in words: "6 of 6 on the 14th ± 1 day, $9.99"."""

from calendar import day_name, monthrange
from collections import Counter
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from operator import attrgetter

from finplan.model.figures import money
from finplan.plan.detect.rhythm import DAYS, FOUR_WEEKS, MONTHS
from finplan.plan.ledger.books import Series

_EVERY = {
    "weekly": "every week",
    "biweekly": "every second week",
    "semimonthly": "twice a month",
    "monthly": "every month",
    "quarterly": "every 3 months",
    "twice_yearly": "every 6 months",
    "annual": "every year",
}

_DAY = attrgetter("day")

_FARTHEST = 5
"""A deviation of more days than this is left unsaid: such an occurrence is an exception."""


def regularity(series: Series, currency: str) -> str:
    """On which days the last occurrences came, out of how many expected ones, and the amounts."""
    days = [day for day, _ in series.recent]
    amounts = _amounts([amount for _, amount in series.recent], currency)
    if series.cadence in DAYS:
        return f"{_on_weekdays(days, series.cadence, DAYS[series.cadence])}, {amounts}"
    if series.interval_days == FOUR_WEEKS:
        return f"{_on_weekdays(days, series.cadence, FOUR_WEEKS)}, {amounts}"
    if series.cadence == "monthly" and (on_weekday := _on_weekday_of_month(days)):
        return f"{on_weekday}, {amounts}"
    if series.cadence in MONTHS:
        return f"{_on_days_of_month(days, series.cadence)}, {amounts}"
    return f"{len(days)} times, {amounts}"


def _on_weekdays(days: Sequence[date], cadence: str, step: int) -> str:
    weekday, _ = Counter(day.weekday() for day in days).most_common(1)[0]
    strayed = [(day.weekday() - weekday + 3) % 7 - 3 for day in days]
    expected = round((days[-1] - days[0]).days / step) + 1
    every = {7: "", 14: "every second ", FOUR_WEEKS: "every fourth "}[step]
    name = day_name[weekday] + ("" if every else "s")
    return _said(strayed, expected, f"on {every}{name}", cadence)


def _on_weekday_of_month(days: Sequence[date]) -> str | None:
    """On which weekday of its week most occurrences are, if more are there than on one day."""
    places = Counter((day.weekday(), (day.day - 1) // 7 + 1) for day in days)
    (weekday, week), times = places.most_common(1)[0]
    if 4 * times < 3 * len(days) or times < 4 or times <= max(Counter(map(_DAY, days)).values()):
        return None
    months = (days[-1].year - days[0].year) * 12 + days[-1].month - days[0].month + 1
    return f"{times} of {max(months, len(days))} on the {_ordinal(week)} {day_name[weekday]}"


def _on_days_of_month(days: Sequence[date], cadence: str) -> str:
    anchors = _anchors(days, 2 if cadence == "semimonthly" else 1)
    strayed = [min((_distance(day, anchor) for anchor in anchors), key=abs) for day in days]
    months = (days[-1].year - days[0].year) * 12 + days[-1].month - days[0].month
    expected = round(months * len(anchors) / MONTHS[cadence]) + 1
    named = " and ".join(_ordinal(anchor) for anchor in anchors)
    return _said(strayed, max(expected, len(days)), f"on the {named}", cadence)


def _anchors(days: Sequence[date], count: int) -> list[int]:
    """The days of the month that occurrences keep to, 31 for the last; two lie a week apart or more."""
    times = Counter(31 if day.day == _length(day) else day.day for day in days)
    anchors: list[int] = []
    for anchor, _ in sorted(times.items(), key=lambda each: (-each[1], each[0])):
        if len(anchors) < count and all(abs(anchor - other) >= 7 for other in anchors):
            anchors.append(anchor)
    return sorted(anchors)


def _distance(day: date, anchor: int) -> int:
    """The days from the nearest such day of a month to a day."""
    length = _length(day)
    apart = day.day - min(anchor, length)
    if apart > length // 2:
        return apart - length
    return apart + length if apart < -(length // 2) else apart


def _length(day: date) -> int:
    return monthrange(day.year, day.month)[1]


def _ordinal(day: int) -> str:
    if day == 31:
        return "last day"
    ending = "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def _said(strayed: Sequence[int], expected: int, when: str, cadence: str) -> str:
    near = [abs(days) for days in strayed if abs(days) <= _FARTHEST]
    if 2 * len(near) <= len(strayed):
        return f"{len(strayed)} times, about {_EVERY[cadence]}"
    farthest = max(near)
    spread = f" ± {farthest} day{'s' if farthest > 1 else ''}" if farthest else ""
    return f"{len(near)} of {max(expected, len(near))} {when}{spread}"


def _amounts(amounts: Sequence[int], currency: str) -> str:
    last = money(amounts[-1], currency)
    if len(set(amounts)) == 1:
        return last
    if len(set(amounts)) == 2 and amounts[0] != amounts[-1] and _one_step(amounts):
        return f"{last}, before {money(amounts[0], currency)}"
    return f"{money(min(amounts), currency)} to {money(max(amounts), currency)}"


def _one_step(amounts: Sequence[int]) -> bool:
    return sum(one != other for one, other in pairwise(amounts)) == 1
