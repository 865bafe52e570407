"""How often something comes, by its dates alone, and when it comes next.

Amounts have no say: hourly pay on every second Friday is biweekly whatever it is. A cadence is
taken from the median distance of the dates and kept when seven in ten distances agree; a skipped
period is no disagreement. Days are ordinals. Source: plan-semantics C8 and C11, section 3.

Estimated tax in the United States falls due on four days of the law, which no distance tells: they
lie two, three and four months apart. What a person pays to the Internal Revenue Service about these
days is that tax; an instalment each month, or a balance paid once, is not. States are left to their
own rhythm, because each has days and parts of its own.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise, takewhile
from operator import sub

from finplan.model.plan import Cadence
from finplan.plan.detect.rhythm import FOUR_WEEKS, Rhythm, fit, fit_slipped
from finplan.plan.ledger.books import Series

REVENUE_SERVICE = "irs"
"""The `payeeKey` of who is paid."""

_TAX_MONTHS = (1, 4, 6, 9)
_TAX_DAY_OF_MONTH = 15
_TAX_INTERVAL = 91

_TAX_EARLY, _TAX_LATE = 14, 5
"""How many days before and after a due day a payment is for that day."""

_LEAST_TAX_DAYS = 3
"""So many due days in succession show who pays by them; fewer may be balances of two years."""

_FARTHEST_TAX_DAYS = 220
"""Days between two due days with one left out: from June to January, and what weekends add."""


@dataclass(frozen=True, slots=True)
class EstimatedTaxRhythm(Rhythm):
    """The rhythm of who pays estimated tax: its slots are the days of the law."""

    def slots(self, after: int) -> Iterator[int]:
        """The due days later than `after`, an ordinal, ascending, without end."""
        return due_days(after)


def due_days(after: int) -> Iterator[int]:
    """The days, ordinals later than `after`, on which estimated tax falls due, without end."""
    year = date.fromordinal(after).year
    while True:
        for month in _TAX_MONTHS:
            due = _tax_due(year, month).toordinal()
            if due > after:
                yield due
        year += 1


def _tax_due(year: int, month: int) -> date:
    """The fifteenth, or the next day on which the revenue service works."""
    due = date(year, month, _TAX_DAY_OF_MONTH)
    while due.weekday() >= 5 or _is_holiday(due):
        due += timedelta(1)
    return due


def _is_holiday(day: date) -> bool:
    """Whether a weekday about a due day is a holiday of the whole country or of its capital.

    These are the birthday of Martin Luther King, the third Monday of January, and Emancipation Day on
    16 April, kept on the Friday before or the Monday after a weekend.
    """
    if day.month == 1:
        return day.weekday() == 0 and 15 <= day.day <= 21
    if day.month == 4:
        emancipation_day = {5: 15, 6: 17}.get(date(day.year, 4, 16).weekday(), 16)
        return day.day == emancipation_day
    return False


def tax_rhythm(ordinals: Sequence[int]) -> EstimatedTaxRhythm:
    """The rhythm of payments on these days, which ascend."""
    cost = sum(abs(day - _tax_day_meant(day)) for day in ordinals)
    return EstimatedTaxRhythm(
        "quarterly", _TAX_INTERVAL, ordinals[-1], (), 0, 0, cost, len(ordinals)
    )


def _tax_day_meant(day: int) -> int:
    """The due day that a payment belongs to: one that has just passed, else the next."""
    return next(due_days(day - _TAX_LATE - 1))


def tax_payments(paid: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Of the ordered payments to the revenue service, those that keep the days of the law, newest run.

    A payment is a day, an amount and an account. Empty where fewer than three due days in succession
    were kept, of which one between may be left out, or where as many payments lie on other days.
    """
    punctual = [
        payment for payment in paid if _tax_day_meant(payment[0]) - payment[0] <= _TAX_EARLY
    ]
    if 2 * len(punctual) <= len(paid):
        return []
    dues = [_tax_day_meant(day) for day, _, _ in punctual]
    starts = [later for earlier, later in pairwise(dues) if later - earlier > _FARTHEST_TAX_DAYS]
    run = [
        payment
        for payment, due in zip(punctual, dues, strict=True)
        if due >= max(starts, default=0)
    ]
    return run if len({_tax_day_meant(day) for day, _, _ in run}) >= _LEAST_TAX_DAYS else []


PER_MONTH: Mapping[Cadence, Fraction] = {
    "weekly": Fraction(52, 12),
    "biweekly": Fraction(26, 12),
    "semimonthly": Fraction(2),
    "monthly": Fraction(1),
    "quarterly": Fraction(1, 3),
    "twice_yearly": Fraction(1, 6),
    "annual": Fraction(1, 12),
}
"""How many times a month each cadence comes on average."""

_DAYS_OF_MONTH = Fraction(36525, 1200)
_EVERY_FOUR_WEEKS = _DAYS_OF_MONTH / FOUR_WEEKS

DISTANCES: Mapping[Cadence, tuple[int, int]] = {
    "weekly": (5, 9),
    "biweekly": (11, 17),
    "semimonthly": (11, 20),
    "monthly": (25, 36),
    "quarterly": (82, 101),
    "twice_yearly": (168, 197),
    "annual": (345, 386),
}
"""The fewest and most days between two dates of a cadence, weekends and holidays allowed for."""

_CADENCES_AT: Mapping[int, tuple[Cadence, ...]] = {
    days: tuple(cadence for cadence, band in DISTANCES.items() if band[0] <= days <= band[1])
    for fewest, most in DISTANCES.values()
    for days in range(fewest, most + 1)
}
"""The cadences that a median distance may be of."""

_RARE = ("twice_yearly", "annual")
"""The cadences that two dates alone may suggest."""

_GRACE: Mapping[Cadence, int] = {"weekly": 2, "biweekly": 3, "semimonthly": 3}
_ELSE_GRACE = 5
_LOOSE_GRACE = 14

_SLIPPING: Mapping[Cadence, float] = {"quarterly": 365.25 / 4, "twice_yearly": 365.25 / 2}
"""The cadences of which a bill may be some weeks late, and their periods in days."""

_RECENT_RARE = 12

_PAUSE_HALF_PERIODS = 7
"""Half periods: a distance beyond this many parts a series into runs."""

_LEAST_PAUSE = 45
"""Days: a shorter silence is no pause."""

_YEAR = 365
_SAME_SEASON = 30
"""Days by which the same season of two years may lie apart."""

_LATEST_DATES = 36
"""How many of the last dates are looked at: enough for any cadence, and a bound on the cost."""


def rhythm_of(ordinals: Sequence[int]) -> Rhythm | None:
    """The rhythm of distinct ascending ordinals, None when they have none.

    Three dates are needed, two for the rare cadences; whoever asks must judge whether two are enough.
    A rhythm that stopped long before a late straggler ends where it stopped: see its `last`.
    """
    recent = ordinals[-_LATEST_DATES:]
    distances = list(map(sub, recent[1:], recent))
    if not distances:
        return None
    middle = sorted(distances)[(len(distances) - 1) // 2]
    return _even(recent, distances, middle)


def rhythm_of_bill(ordinals: Sequence[int]) -> Rhythm | None:
    """The rhythm of a bill, which may have been sent some weeks late now and then.

    Income that comes so unevenly has no rhythm to plan with.
    """
    return rhythm_of(ordinals) or _slipped(ordinals[-_LATEST_DATES:])


def _even(recent: Sequence[int], distances: Sequence[int], middle: int) -> Rhythm | None:
    """The rhythm of dates whose distances agree; `middle` is their median."""
    if middle not in _CADENCES_AT:
        return None
    periods = [days for days in distances if 2 * days <= _PAUSE_HALF_PERIODS * middle]
    run = _latest_run(recent, _PAUSE_HALF_PERIODS * middle // 2)
    if run is None or 4 * (len(distances) - len(periods)) > len(distances):
        return None
    lately = list(map(sub, run[1:], run))
    fitted = [
        fit(cadence, run, interval)
        for cadence in _CADENCES_AT[middle]
        if (len(run) > 2 or cadence in _RARE)
        and _agreed(periods, cadence)
        and (interval := _agreed(lately, cadence))
    ]
    punctual = (fit for fit in fitted if fit.is_punctual())
    return min(punctual, key=lambda rhythm: rhythm.cost, default=None)


def _slipped(recent: Sequence[int]) -> Rhythm | None:
    """The rhythm of a quarterly or twice-yearly bill that was sent some weeks late now and then.

    One late bill makes one distance too long and the next too short, so that few distances agree.
    """
    if not 3 <= len(recent) <= _RECENT_RARE:
        return None
    days = recent[-1] - recent[0]
    for cadence, period in _SLIPPING.items():
        periods = round(days / period)
        if len(recent) - 1 <= periods <= len(recent) - 1 + len(recent) // 4:
            rhythm = fit_slipped(cadence, recent, round(period))
            if rhythm is not None and rhythm.is_punctual():
                return rhythm
    return None


def _latest_run(recent: Sequence[int], longest: int) -> Sequence[int] | None:
    """The last dates, three at least, with no longer distance between them; two if they are all."""
    stop = len(recent)
    for index in range(len(recent) - 1, -1, -1):
        if index == 0 or recent[index] - recent[index - 1] > longest:
            if stop - index >= min(3, len(recent)):
                return recent[index:stop]
            stop = index
    return None


def _agreed(distances: Sequence[int], cadence: Cadence) -> int | None:
    """The median of the distances that are one period, if enough of all distances agree with it.

    Seven in ten must be one period, or two or three where some were skipped; six in ten must be one,
    or half of them where a year holds too few to ask for more.
    """
    fewest, most = DISTANCES[cadence]
    single = sorted(days for days in distances if fewest <= days <= most)
    skipped = sum(
        2 * fewest <= days <= 2 * most or 3 * fewest <= days <= 3 * most
        for days in distances
        if days > most
    )
    count, least = len(distances), 5 if fewest > 60 else 6
    if 10 * (len(single) + skipped) < 7 * count or 10 * len(single) < least * count:
        return None
    return single[(len(single) - 1) // 2]


def is_active(last: int, interval_days: int, data_end: int) -> bool:
    """Whether a rhythm goes on at the end of the data: one and a half periods and five days of grace.

    `last`, the latest occurrence, and `data_end` are ordinals.
    """
    return 2 * (data_end - last) <= 3 * interval_days + 10


def grace(rhythm: Rhythm) -> int:
    """How many days late something may be and still be expected at once, not at its next slot."""
    if rhythm.is_loose():
        return _LOOSE_GRACE
    return _GRACE.get(rhythm.cadence, _ELSE_GRACE)


def next_due(rhythm: Rhythm, data_end: int, today: int) -> int:
    """The next expected ordinal of an active rhythm, never before today.

    What should have been seen in the data and is late by some days of grace is expected today; later
    than that, it was left out once. What fell due after the data end came unseen. Of both the next slot
    is given.
    """
    due = rhythm.due()
    if due >= today:
        return due
    following = next(rhythm.slots(due))
    if due <= data_end <= due + grace(rhythm) and following > today:
        return today
    return next(rhythm.slots(today - 1))


def times_a_month(cadence: Cadence, interval_days: int | None = None) -> Fraction:
    """How many times a month something comes: every four weeks is 13 times a year and a bit."""
    if cadence == "monthly" and interval_days == FOUR_WEEKS:
        return _EVERY_FOUR_WEEKS
    return PER_MONTH[cadence]


def per_month(amount: int, cadence: Cadence, interval_days: int | None = None) -> int:
    """What an amount in minor units that comes at this cadence makes a month, half-even."""
    return round(amount * times_a_month(cadence, interval_days))


def latest_resumption(
    rhythm: Rhythm, ordinals: Sequence[int], unseen: Callable[[int, int], int]
) -> int | None:
    """The ordinal on which a rhythm went on after its latest pause, None where it never paused.

    A pause is 2.5 intervals and 45 days long at least. One that came at the same season a year before
    is none: a teacher's summer. `unseen` counts the days between two ordinals that no source covers.
    Source: plan-semantics, C29.
    """
    least = max(Fraction(_LEAST_PAUSE), Fraction(5 * rhythm.interval_days, 2))
    pauses = [
        (earlier, later)
        for earlier, later in pairwise(ordinals)
        if later - earlier >= least and later - earlier - unseen(earlier, later) >= least
    ]
    for began, ended in reversed(pauses):
        if not any(
            abs(abs(began - pause_start) - _YEAR) <= _SAME_SEASON for pause_start, _ in pauses
        ):
            return ended
    return None


def is_between_seasons(interval_days: int, ordinals: Sequence[int], data_end: int) -> bool:
    """Whether what is silent now was silent at the same season a year before, and for as long.

    `ordinals` are the days on which it came, ascending. Ten instalments of a year's tax are not over.
    """
    silent = data_end - ordinals[-1]
    least = max(_LEAST_PAUSE, 5 * interval_days // 2)
    return any(
        later - earlier >= least
        and silent <= later - earlier + _SAME_SEASON
        and abs(ordinals[-1] - earlier - _YEAR) <= _SAME_SEASON
        for earlier, later in pairwise(ordinals)
    )


def presence_share(rhythm: Rhythm, ordinals: Sequence[int]) -> Fraction:
    """In what share of its periods, from the first to the last, a rhythm was seen; at most 1."""
    days = ordinals[-1] - ordinals[0]
    a_month = times_a_month(rhythm.cadence, rhythm.interval_days)
    periods = round(days * a_month / _DAYS_OF_MONTH) + 1
    return min(Fraction(1), Fraction(len(ordinals), periods))


def rhythm_of_series(series: Series, ordinals: Iterable[int]) -> Rhythm:
    """The slots of a regular series that was seen on these days."""
    assert series.cadence != "irregular"
    assert series.interval_days is not None
    if series.by_law:
        return tax_rhythm(sorted(ordinals))
    return fit(series.cadence, sorted(ordinals), series.interval_days)


def expected_days(series: Series, since: date, until: date) -> list[date]:
    """The days from `since` to `until`, both counted, on which an active series is expected.

    One that is late is expected once: a slot nearer than two of a cadence ever are is not another one.
    """
    if series.next_date is None or series.cadence == "irregular" or series.interval_days is None:
        return []
    rhythm = rhythm_of_series(series, series.days)
    due = series.next_date.toordinal()
    is_late = next(rhythm.slots(due - 1)) != due
    # Days of the law are as many apart as the law says, from one to the next.
    from_then = due + DISTANCES[series.cadence][0] if is_late and not series.by_law else due + 1
    later = takewhile(lambda day: day <= until.toordinal(), rhythm.slots(from_then - 1))
    expected = [series.next_date, *map(date.fromordinal, later)]
    return [day for day in expected if since <= day <= until]
