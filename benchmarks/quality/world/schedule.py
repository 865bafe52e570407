"""On which days a stream is due, and on which of them it is booked."""

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from benchmarks.quality.world.rates import Noise
from finplan.model.plan import Cadence

STEP_DAYS: Mapping[Cadence, int] = {"weekly": 7, "biweekly": 14}
STEP_MONTHS: Mapping[Cadence, int] = {
    "semimonthly": 1,
    "monthly": 1,
    "quarterly": 3,
    "twice_yearly": 6,
    "annual": 12,
}
TWICE = ((1, 15), (15, 31), (5, 20), (10, 25), (16, 31), (7, 22))
"""The two days of the month of what comes twice a month; 31 is the last day."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """When something is due: from an origin by days, or on days of the month.

    `origin` is a due day, or any day of a month in which it is due. `weekends` is 1 when a due day on a
    weekend moves to Monday, -1 to the Friday before, 0 when it stays. Of what is monthly, `every_days`
    are the days between two due days, 0 where the calendar says, and `nth` a weekday (Monday 0) and its
    week.
    """

    cadence: Cadence
    origin: date
    month_days: tuple[int, ...]
    weekends: int
    every_days: int = 0
    nth: tuple[int, int] | None = None

    def due(self, since: date, until: date) -> Iterator[date]:
        """Every due day from one day to another, weekends heeded, ascending."""
        # A weekend moves a day by two at most, so that looking a few days further finds them all.
        for day in self._nominal(since - timedelta(4), until + timedelta(4)):
            moved = self._moved(day)
            if since <= moved <= until:
                yield moved

    def _nominal(self, since: date, until: date) -> Iterator[date]:
        step = self.every_days or STEP_DAYS.get(self.cadence, 0)
        if step:
            day = since + timedelta((self.origin - since).days % step)
            while day <= until:
                yield day
                day += timedelta(step)
            return
        step = STEP_MONTHS[self.cadence]
        first, last = _month_number(since), _month_number(until)
        first += (_month_number(self.origin) - first) % step
        for month in range(first, last + 1, step):
            if self.nth is not None:
                yield _nth_weekday(month, *self.nth)
                continue
            for day_of_month in self.month_days:
                yield _in_month(month, day_of_month)

    def _moved(self, day: date) -> date:
        beyond = day.weekday() - 4
        if beyond <= 0 or not self.weekends:
            return day
        return day + timedelta(3 - beyond if self.weekends > 0 else -beyond)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A due day and the day it is booked on."""

    due: date
    booked: date


def drawn(cadence: Cadence, today: date, weekends: int, dice: Random) -> Schedule:
    """A schedule of a cadence with days drawn at random."""
    origin = today - timedelta(dice.randrange(400))
    if cadence in STEP_DAYS:
        origin -= timedelta(max(0, origin.weekday() - 4))
        return Schedule(cadence, origin, (), 0)
    days = dice.choice(TWICE) if cadence == "semimonthly" else (_month_day(dice),)
    return Schedule(cadence, origin, days, weekends)


def on_weekday(today: date, dice: Random) -> Schedule:
    """A monthly schedule on a weekday of the first to the fourth week."""
    return Schedule("monthly", today, (), 0, nth=(dice.randrange(5), dice.randint(1, 4)))


def every_four_weeks(today: date, dice: Random) -> Schedule:
    """A monthly schedule of 28 days, on working days."""
    origin = today - timedelta(dice.randrange(28))
    origin -= timedelta(max(0, origin.weekday() - 4))
    return Schedule("monthly", origin, (), 0, every_days=28)


def occurrences(
    schedule: Schedule, dues: Iterable[date], noise: Noise, dice: Random
) -> list[Occurrence]:
    """The due days that are not skipped, each with its booking day, in the order of the latter."""
    found = [
        Occurrence(due, due + timedelta(booking_delay(schedule, noise, dice)))
        for due in dues
        if schedule.cadence == "annual" or dice.random() >= noise.skipped
    ]
    return sorted(found, key=lambda one: one.booked)


def booking_delay(schedule: Schedule, noise: Noise, dice: Random) -> int:
    """How many days after its due day something is booked; what comes rarely slips by weeks at times."""
    if schedule.cadence in {"quarterly", "twice_yearly"} and dice.random() < noise.slipped:
        return dice.randint(20, 32)
    return dice.choice(noise.jitter_days) if dice.random() < noise.jitter else 0


def period_days(cadence: Cadence) -> int:
    """About how many days lie between two due days, rather more than fewer."""
    if cadence in STEP_DAYS:
        return STEP_DAYS[cadence]
    return 15 if cadence == "semimonthly" else STEP_MONTHS[cadence] * 31


def _month_day(dice: Random) -> int:
    # The first and the last day are far more frequent than any other.
    day: int = dice.choice((1, 1, 1, 31, 15, *range(1, 32)))
    return day


def _month_number(day: date) -> int:
    return day.year * 12 + day.month - 1


def _nth_weekday(month: int, weekday: int, week: int) -> date:
    first = _in_month(month, 1)
    return first + timedelta((weekday - first.weekday()) % 7 + 7 * (week - 1))


def _in_month(month: int, day_of_month: int) -> date:
    year, place = divmod(month, 12)
    return date(year, place + 1, min(day_of_month, monthrange(year, place + 1)[1]))
