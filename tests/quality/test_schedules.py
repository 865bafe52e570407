"""When a generated stream is due."""

from datetime import date, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality.world.rates import NOISE
from benchmarks.quality.world.schedule import Schedule, drawn, occurrences
from finplan.model.plan import Cadence

_CADENCES: tuple[Cadence, ...] = (
    "weekly",
    "biweekly",
    "semimonthly",
    "monthly",
    "quarterly",
    "twice_yearly",
    "annual",
)
_TIMES_IN_FOUR_YEARS = {
    "weekly": (208, 210),
    "biweekly": (104, 105),
    "semimonthly": (95, 97),
    "monthly": (47, 49),
    "quarterly": (15, 17),
    "twice_yearly": (7, 9),
    "annual": (3, 5),
}


def test_the_last_day_of_the_month_moves_with_its_length() -> None:
    """What is due on the 31st is due on the last day of shorter months, on the 29th in a leap year."""
    schedule = Schedule("monthly", date(2024, 1, 31), (31,), 0)
    due = list(schedule.due(date(2024, 1, 1), date(2024, 4, 30)))
    assert due == [date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 31), date(2024, 4, 30)]


@pytest.mark.parametrize(
    ("rule", "day"),
    [(1, date(2026, 8, 17)), (-1, date(2026, 8, 14)), (0, date(2026, 8, 15))],
)
def test_a_weekend_goes_where_the_rule_says(rule: int, day: date) -> None:
    """The 15th of August 2026 is a Saturday: Monday, the Friday before, or the day itself."""
    schedule = Schedule("monthly", date(2026, 8, 15), (15,), rule)
    assert list(schedule.due(date(2026, 8, 1), date(2026, 8, 31))) == [day]


@given(
    cadence=st.sampled_from(_CADENCES),
    seed=st.integers(0, 10_000),
    rule=st.sampled_from((-1, 0, 1)),
    today=st.dates(date(2020, 1, 1), date(2030, 1, 1)),
)
def test_a_cadence_is_due_as_often_as_it_says(
    cadence: Cadence, seed: int, rule: int, today: date
) -> None:
    """Over four years a schedule is due as often as its cadence says, each day once, in order."""
    schedule = drawn(cadence, today, rule, Random(seed))
    due = list(schedule.due(today, today + timedelta(1461)))
    least, most = _TIMES_IN_FOUR_YEARS[cadence]
    assert least <= len(due) <= most
    assert due == sorted(set(due))
    if rule:
        assert all(day.weekday() < 5 for day in due)


def test_noise_is_as_frequent_as_it_says() -> None:
    """Of many due days 15 % are booked beside the due day, at most two days off, and 3 % are skipped."""
    dice, today = Random(1), date(2026, 6, 30)
    schedule = Schedule("weekly", today, (), 0)
    since = today - timedelta(7 * 9_999)
    seen = occurrences(schedule, schedule.due(since, today), NOISE["noisy"], dice)
    assert len(seen) / 10_000 == pytest.approx(0.97, abs=0.01)
    off = [(one.booked - one.due).days for one in seen if one.booked != one.due]
    assert len(off) / len(seen) == pytest.approx(0.15, abs=0.015)
    assert set(off) == {-1, 1, 2}
