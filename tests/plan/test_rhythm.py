"""Slots: weekdays of a week of the month, four weeks, and quarters in which a bill was late once."""

from datetime import date, timedelta
from fractions import Fraction

import pytest

from finplan.model.plan import Cadence
from finplan.plan.detect.cadence import (
    next_due,
    per_month,
    rhythm_of,
    rhythm_of_bill,
    share_seen,
)
from finplan.plan.detect.rhythm import Anchor, Rhythm, fit, slot
from tests.plan.households import every, monthly


def ordinals(days: list[date]) -> list[int]:
    return [day.toordinal() for day in days]


def nth(weekday: int, week: int, months: int, first: date = date(2024, 1, 1)) -> list[date]:
    """A weekday of a week of so many months; the fifth is the last."""
    found = []
    for start in monthly(first, months):
        days = [start + timedelta(off) for off in range(31)]
        like = [d for d in days if d.month == start.month and d.weekday() == weekday]
        found.append(like[-1] if week == 5 else like[week - 1])
    return found


def following(rhythm: Rhythm | None) -> date:
    assert rhythm is not None
    return date.fromordinal(rhythm.due())


@pytest.mark.parametrize("week", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("weekday", range(7))
def test_a_weekday_of_a_week_goes_on_so(weekday: int, week: int) -> None:
    """The second Wednesday is followed by the second Wednesday, the last Friday by the last."""
    days = nth(weekday, week, 14)
    for seen in range(8, 14):
        rhythm = rhythm_of(ordinals(days[:seen]))
        assert rhythm is not None
        assert rhythm.cadence == "monthly"
        assert rhythm.interval_days != 28
        assert following(rhythm) == days[seen], (weekday, week, seen)


def test_four_dates_tell_a_weekday_and_three_do_not() -> None:
    """Three dates on one weekday are as likely a day of the month."""
    days = nth(2, 2, 5)
    rhythm = fit("monthly", ordinals(days[:4]), 28)
    assert rhythm.anchors == (Anchor(2, 0, 2),)
    assert fit("monthly", ordinals(days[:3]), 28).anchors[:1] != (Anchor(2, 0, 2),)
    mondays = nth(0, 1, 4)
    mondays[1] -= timedelta(2)
    assert fit("monthly", ordinals(mondays), 28).anchors == (Anchor(1, 0),)


def test_one_longer_pause_is_not_four_weeks() -> None:
    """Thirty-five days and then twice twenty-eight are a weekday of the month."""
    mondays = nth(0, 1, 4)
    assert fit("monthly", ordinals(mondays), 28).anchors == (Anchor(1, 0, 0),)
    mondays[0] -= timedelta(1)
    assert fit("monthly", ordinals(mondays), 28).anchors != ()


def test_a_slot_on_a_weekday_lies_in_its_month() -> None:
    """Every month has the first to the fourth of a weekday, and a last one."""
    for month in range(2024 * 12, 2028 * 12):
        for weekday in range(7):
            days = [date.fromordinal(slot(month, Anchor(week, 0, weekday))) for week in range(1, 6)]
            assert all(
                (day.year * 12 + day.month - 1, day.weekday()) == (month, weekday) for day in days
            )
            assert [(day.day - 1) // 7 for day in days[:4]] == [0, 1, 2, 3]
            assert (days[4] + timedelta(7)).month != days[4].month


def test_four_weeks_stay_four_weeks() -> None:
    """Every 28 days is monthly, thirteen times a year and a bit, and a day's delay moves nothing."""
    days = every("2024-01-05", 28, 12)
    days[5] += timedelta(1)
    rhythm = rhythm_of(ordinals(days))
    assert rhythm is not None
    assert (rhythm.cadence, rhythm.interval_days, rhythm.anchors) == ("monthly", 28, ())
    assert following(rhythm) == date(2024, 1, 5) + timedelta(12 * 28)
    assert per_month(100_00, "monthly", 28) == 108_71
    assert per_month(100_00, "monthly", 29) == 100_00
    assert per_month(100_00, "biweekly", 28) == 216_67


def test_a_day_of_the_month_is_never_told_as_four_weeks() -> None:
    """February makes one month 28 days long, and no more than that."""
    rhythm = rhythm_of(ordinals([date(2025, 1, 31), date(2025, 2, 28), date(2025, 3, 31)]))
    assert rhythm is not None
    assert rhythm.interval_days >= 29


@pytest.mark.parametrize(("cadence", "months"), [("quarterly", 3), ("twice_yearly", 6)])
@pytest.mark.parametrize("late", [3, 4, 6])
def test_a_bill_that_was_late_once_keeps_its_months(
    cadence: Cadence, months: int, late: int
) -> None:
    """Where the most dates lie is where the next one does, not where the last one was."""
    days = monthly("2023-01-15", 7, months)
    expected = monthly("2023-01-15", 8, months)[7]
    days[late] += timedelta(25)
    rhythm = rhythm_of_bill(ordinals(days))
    assert rhythm is not None
    assert rhythm.cadence == cadence
    assert following(rhythm) == expected


def test_three_dates_of_which_one_was_late_are_a_bill() -> None:
    """Two that are a year apart hold the third between them."""
    days = [date(2025, 7, 1), date(2026, 2, 1), date(2026, 7, 1)]
    rhythm = rhythm_of_bill(ordinals(days))
    assert rhythm is not None
    assert (rhythm.cadence, following(rhythm)) == ("twice_yearly", date(2027, 1, 1))


@pytest.mark.parametrize(
    "days",
    [
        ["2025-01-01", "2025-02-20", "2025-07-01"],
        ["2025-01-01", "2025-05-10", "2025-06-20", "2025-10-01"],
        ["2025-01-20", "2025-04-01", "2025-07-25", "2025-10-03"],
        ["2025-01-01", "2025-04-01", "2025-04-20", "2025-10-01"],
    ],
)
def test_dates_of_which_too_many_stray_are_no_bill(days: list[str]) -> None:
    """Three in five keep their day, a late one comes in its own period, and no period has two."""
    assert rhythm_of_bill(ordinals([date.fromisoformat(day) for day in days])) is None


def test_income_that_is_late_by_weeks_has_no_rhythm() -> None:
    """Nobody plans with a payment that comes some weeks late."""
    days = ordinals([date(2025, 7, 1), date(2026, 2, 1), date(2026, 7, 1)])
    assert rhythm_of(days) is None


def test_thirteen_weeks_are_a_quarter() -> None:
    """A charge every 91 days goes on every 91 days."""
    days = every("2023-01-05", 91, 9)
    assert following(rhythm_of(ordinals(days))) == date(2023, 1, 5) + timedelta(9 * 91)


@pytest.mark.parametrize(
    ("cadence", "days", "grace"),
    [("weekly", 7, 2), ("biweekly", 14, 3), ("monthly", 30, 5), ("quarterly", 91, 5)],
)
def test_what_is_late_beyond_its_grace_was_left_out(
    cadence: Cadence, days: int, grace: int
) -> None:
    """Some days late is expected today; later than that, at its next slot."""
    plants: dict[str, list[date]] = {
        "weekly": every("2025-01-06", 7, 12),
        "biweekly": every("2025-01-06", 14, 12),
        "monthly": monthly("2025-01-06", 12),
        "quarterly": monthly("2023-01-06", 12, 3),
    }
    rhythm = rhythm_of(ordinals(plants[cadence]))
    assert rhythm is not None
    due = rhythm.due()
    for late in range(1, days):
        expected = due + late if late <= grace else next(rhythm.slots(due))
        assert next_due(rhythm, due + late, due + late) == expected


def test_the_share_of_periods_seen() -> None:
    """Eleven of twelve months, thirteen of thirteen four-week periods, and never more than all."""
    days = monthly("2025-01-06", 12)
    del days[6]
    rhythm = rhythm_of(ordinals(days))
    assert rhythm is not None
    assert share_seen(rhythm, ordinals(days)) == Fraction(11, 12)
    steady = every("2025-01-06", 28, 13)
    rhythm = rhythm_of(ordinals(steady))
    assert rhythm is not None
    assert share_seen(rhythm, ordinals(steady)) == 1
    assert share_seen(rhythm, ordinals([*steady, steady[-1] + timedelta(1)])) == 1
