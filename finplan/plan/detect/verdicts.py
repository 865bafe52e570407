"""The person's word on series: dismissed ones leave the plan, confirmed ones stay in it.

A verdict remembers one occurrence, so it finds its series again after a price step; where a step
parts a series in two, it holds for what follows as well. What a person judges by is how regular a
series is, in words: "6 of 6 on the 14th ± 1 day, $9.99".
"""

from calendar import day_name, monthrange
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from operator import attrgetter
from typing import Literal, NamedTuple

from finplan.model.figures import money
from finplan.plan.detect.rhythm import DAYS, FOUR_WEEKS, MONTHS, fit
from finplan.plan.detect.series import (
    AsOf,
    SeriesOrigin,
    is_likely,
    merged_by_day,
    occurrences_of,
    regular_series,
)
from finplan.plan.ledger.amounts import comparable
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import date_of, day_of, months_from
from finplan.plan.ledger.ledger import Ledger, SeriesVerdict

Kind = Literal["charge", "income"]


class JudgedSeries(NamedTuple):
    """A series with the person's verdict, if any; `has_own_id` if the verdict's id is its own."""

    series: Series
    verdict: SeriesVerdict | None
    has_own_id: bool


def apply_verdicts(
    detected: Sequence[Series], kind: Kind, ledger: Ledger, sheets: Iterable[Sheet], as_of: AsOf
) -> list[JudgedSeries]:
    """The series of one kind with the verdicts on them, and the confirmed ones that were not found.

    A confirmed series that detection does not see any more is kept by the cadence that it had, as long
    as its payee has two like charges.
    """
    by_payee: dict[str, list[int]] = {}
    for index, series in enumerate(detected):
        for key in {ledger.payees[number].key for number in series.payees}:
            by_payee.setdefault(key, []).append(index)
    holding: dict[int, tuple[SeriesVerdict, bool]] = {}
    judged_series: list[JudgedSeries] = []
    for verdict in ledger.verdicts:
        if verdict.kind != kind:
            continue
        places = [index for index in by_payee.get(verdict.payee_key, ()) if index not in holding]
        first = _meant(verdict, {index: detected[index] for index in places})
        if first is None:
            judged_series += _revived(verdict, ledger, sheets, as_of)
            continue
        holding[first] = (verdict, True)
        holding |= {
            index: (verdict, False)
            for index in _following(first, places, detected)
            if index != first
        }
    nothing: tuple[SeriesVerdict | None, bool] = (None, False)
    judged = [
        JudgedSeries(series, *holding.get(index, nothing)) for index, series in enumerate(detected)
    ]
    return judged + judged_series


def accepted_charges(
    series: Sequence[Series], ledger: Ledger, sheets: Iterable[Sheet], as_of: AsOf
) -> Sequence[Series]:
    """The recurring charges that the person lets stand, dearest month first.

    One that came so unevenly that its day is a guess stands only if the person has confirmed it.
    """
    stay = [
        judged_series.series
        for judged_series in apply_verdicts(series, "charge", ledger, sheets, as_of)
        if (
            carries_a_forecast(judged_series.series)
            if judged_series.verdict is None
            else judged_series.verdict.verdict == "confirm"
        )
    ]
    return sorted(
        stay, key=lambda charge: (-charge.monthly, charge.name, charge.payees, charge.first_date)
    )


def carries_a_forecast(series: Series) -> bool:
    """Whether a series is as likely as not to keep its day, or nothing is said of that."""
    return series.signs is None or is_likely(series.signs)


def accepted_sources(
    series: Sequence[Series], ledger: Ledger, sheets: Sequence[Sheet], as_of: AsOf
) -> Sequence[Series]:
    """The income sources, the dismissed ones without a rhythm: what they paid was paid all the same."""
    return [
        _without_rhythm(judged_series.series, as_of)
        if judged_series.verdict is not None and judged_series.verdict.verdict == "dismiss"
        else judged_series.series
        for judged_series in apply_verdicts(series, "income", ledger, sheets, as_of)
    ]


def _without_rhythm(source: Series, as_of: AsOf) -> Series:
    months = as_of.window.months
    mean = source.total / months if months else 0
    return replace(
        source,
        cadence="irregular",
        interval_days=None,
        next_date=None,
        monthly=round(mean) if source.active else 0,
    )


def _meant(verdict: SeriesVerdict, series: Mapping[int, Series]) -> int | None:
    """The place of the series that a verdict is on."""
    day = date_of(verdict.day)
    occurrence = (day, verdict.amount)
    holders = [
        index
        for index, candidate in series.items()
        if occurrence in candidate.parts or occurrence in candidate.recent
    ]
    spanning = [
        index
        for index, candidate in series.items()
        if candidate.first_date <= day <= candidate.last_date
    ]
    like = [index for index, candidate in series.items() if _alike(verdict, candidate, day)]
    for places in (holders, spanning, like):
        if places:
            return min(places, key=lambda index: abs(series[index].amount - verdict.amount))
    return None


def _alike(verdict: SeriesVerdict, series: Series, day: date) -> bool:
    """Whether a series that began later, or whose last charges are unsure, may be the one."""
    apart = min(abs((day - edge).days) for edge in (series.first_date, series.last_date))
    return (
        series.cadence == verdict.cadence
        and comparable(series.amount, verdict.amount)
        and 2 * apart <= 5 * verdict.interval_days
    )


def _following(first: int, places: Sequence[int], series: Sequence[Series]) -> list[int]:
    """The series that continue one at another price: same cadence, the next beginning where it ends."""
    chain = [first]
    for index in sorted(places, key=lambda index: series[index].first_date):
        last, later = series[chain[-1]], series[index]
        pause = (later.first_date - last.last_date).days
        if (
            index != first
            and later.cadence == last.cadence
            and last.interval_days is not None
            and 0 < 2 * pause <= 5 * last.interval_days
            and comparable(last.recent[-1][1], later.recent[0][1])
        ):
            chain.append(index)
    return chain


def _revived(
    verdict: SeriesVerdict, ledger: Ledger, sheets: Iterable[Sheet], as_of: AsOf
) -> list[JudgedSeries]:
    """The confirmed series of a verdict, from its payee's charges of a like amount."""
    if verdict.verdict != "confirm" or verdict.kind != "charge":
        return []
    for sheet in sheets:
        if sheet.flow != "spending" or ledger.payees[sheet.payee].key != verdict.payee_key:
            continue
        like = [
            occurrence
            for occurrence in occurrences_of(sheet.rows, outflows=True)
            if comparable(occurrence[1], verdict.amount)
        ]
        days = [day for day, _, _ in merged_by_day(like)]
        if len(days) >= 2:
            rhythm = fit(verdict.cadence, days, verdict.interval_days)
            origin = SeriesOrigin((sheet.payee,), ledger.payees[sheet.payee].name, sheet.category)
            return [
                JudgedSeries(regular_series(origin, like, rhythm, as_of), verdict, has_own_id=True)
            ]
    return []


_EVERY_SAID = {
    "weekly": "every week",
    "biweekly": "every two weeks",
    "semimonthly": "twice a month",
    "monthly": "every month",
    "quarterly": "every 3 months",
    "twice_yearly": "every 6 months",
    "annual": "every year",
}

_DAY_OF_DATE = attrgetter("day")

_FARTHEST_SAID = 5
"""A deviation of more days than this is left unsaid: such an occurrence is an exception."""


def regularity(series: Series, currency: str) -> str:
    """On which days the last occurrences came, out of how many expected ones, and the amounts."""
    days = [day for day, _ in series.recent]
    amounts = _describe_amounts([amount for _, amount in series.recent], currency)
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
    return _describe_occurrences(strayed, expected, f"on {every}{name}", cadence)


def _on_weekday_of_month(days: Sequence[date]) -> str | None:
    """On which weekday of its week most occurrences are, if more are there than on one day."""
    places = Counter((day.weekday(), (day.day - 1) // 7 + 1) for day in days)
    (weekday, week), times = places.most_common(1)[0]
    if (
        4 * times < 3 * len(days)
        or times < 4
        or times <= max(Counter(map(_DAY_OF_DATE, days)).values())
    ):
        return None
    months = months_from(day_of(days[0]) // 100, day_of(days[-1]) // 100)
    return f"{times} of {max(months, len(days))} on the {_ordinal(week)} {day_name[weekday]}"


def _on_days_of_month(days: Sequence[date], cadence: str) -> str:
    anchors = _days_kept_to(days, 2 if cadence == "semimonthly" else 1)
    strayed = [min((_days_from_anchor(day, anchor) for anchor in anchors), key=abs) for day in days]
    months = months_from(day_of(days[0]) // 100, day_of(days[-1]) // 100) - 1
    expected = round(months * len(anchors) / MONTHS[cadence]) + 1
    ordinals = " and ".join(_ordinal(anchor) for anchor in anchors)
    return _describe_occurrences(strayed, max(expected, len(days)), f"on the {ordinals}", cadence)


def _days_kept_to(days: Sequence[date], count: int) -> list[int]:
    """The days of the month that occurrences keep to, 31 for the last; two lie a week apart or more."""
    times = Counter(31 if day.day == _length_of_month(day) else day.day for day in days)
    anchors: list[int] = []
    for anchor, _ in sorted(times.items(), key=lambda counted: (-counted[1], counted[0])):
        if len(anchors) < count and all(abs(anchor - chosen) >= 7 for chosen in anchors):
            anchors.append(anchor)
    return sorted(anchors)


def _days_from_anchor(day: date, anchor: int) -> int:
    """The days from the nearest such day of a month to a day."""
    length = _length_of_month(day)
    apart = day.day - min(anchor, length)
    if apart > length // 2:
        return apart - length
    return apart + length if apart < -(length // 2) else apart


def _length_of_month(day: date) -> int:
    return monthrange(day.year, day.month)[1]


def _ordinal(day: int) -> str:
    if day == 31:
        return "last day"
    ending = "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def _describe_occurrences(strayed: Sequence[int], expected: int, when: str, cadence: str) -> str:
    near = [abs(days) for days in strayed if abs(days) <= _FARTHEST_SAID]
    if 2 * len(near) <= len(strayed):
        return f"{len(strayed)} times, about {_EVERY_SAID[cadence]}"
    farthest = max(near)
    spread = f" ± {farthest} day{'s' if farthest > 1 else ''}" if farthest else ""
    return f"{len(near)} of {max(expected, len(near))} {when}{spread}"


def _describe_amounts(amounts: Sequence[int], currency: str) -> str:
    last = money(amounts[-1], currency)
    if len(set(amounts)) == 1:
        return last
    if sum(amount != following for amount, following in pairwise(amounts)) == 1:
        return f"{last}, previously {money(amounts[0], currency)}"
    return f"{money(min(amounts), currency)} to {money(max(amounts), currency)}"
