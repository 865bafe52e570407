"""Cadences are told from dates alone, and what is expected next is never in the past."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.money import half_even
from finplan.model.plan import Cadence
from finplan.plan.detect.cadence import (
    DISTANCES,
    PER_MONTH,
    expected_days,
    is_active,
    next_due,
    per_month,
    rhythm_of,
)
from finplan.plan.detect.rhythm import fit
from finplan.plan.ledger.books import Series
from tests.plan.households import every, household, monthly, on_weekdays, semimonthly

Plant = Callable[[date, int], list[date]]

PLANTS: dict[Cadence, Plant] = {
    "weekly": lambda first, times: every(first, 7, times),
    "biweekly": lambda first, times: every(first, 14, times),
    "semimonthly": semimonthly,
    "monthly": monthly,
    "quarterly": lambda first, times: monthly(first, times, 3),
    "twice_yearly": lambda first, times: monthly(first, times, 6),
    "annual": lambda first, times: monthly(first, times, 12),
}
ROLLS = {"anyday": None, "after": 1, "before": -1}

starts = st.dates(date(2015, 1, 1), date(2025, 12, 31))
cadences = st.sampled_from(list(PLANTS))
rolls = st.sampled_from(list(ROLLS))


def planted(cadence: Cadence, first: date, times: int, roll: str) -> list[date]:
    days = PLANTS[cadence](first, times)
    way = ROLLS[roll]
    return days if way is None else on_weekdays(days, way)


def ordinals(days: list[date]) -> list[int]:
    return sorted({day.toordinal() for day in days})


@given(cadences, starts, st.integers(6, 30), rolls)
def test_a_planted_rhythm_is_recognised(
    cadence: Cadence, first: date, times: int, roll: str
) -> None:
    """Whatever day it starts on and wherever weekends go, a regular series has its own cadence."""
    rhythm = rhythm_of(ordinals(planted(cadence, first, times, roll)))
    assert rhythm is not None
    assert rhythm.cadence == cadence


@given(cadences, starts, st.integers(6, 30), rolls)
def test_the_next_date_of_a_planted_rhythm_is_found(
    cadence: Cadence, first: date, times: int, roll: str
) -> None:
    """The slot after the last occurrence is where the rhythm goes on, but for a weekend's shift."""
    days = planted(cadence, first, times + 1, roll)
    rhythm = rhythm_of(ordinals(days[:-1]))
    assert rhythm is not None
    assert abs(rhythm.due() - days[-1].toordinal()) <= 3


@given(cadences, starts, st.integers(8, 24), rolls, st.data())
def test_a_skipped_period_is_no_change_of_cadence(
    cadence: Cadence, first: date, times: int, roll: str, data: st.DataObject
) -> None:
    """One occurrence may be missing anywhere inside."""
    days = planted(cadence, first, times, roll)
    del days[data.draw(st.integers(1, times - 2))]
    rhythm = rhythm_of(ordinals(days))
    assert rhythm is not None
    assert rhythm.cadence == cadence


@given(cadences, starts, st.integers(3, 30), rolls)
def test_the_interval_lies_in_the_cadence(
    cadence: Cadence, first: date, times: int, roll: str
) -> None:
    """The interval of a cadence is near what a month holds of it."""
    rhythm = rhythm_of(ordinals(planted(cadence, first, times, roll)))
    assert rhythm is not None
    nominal = 365 / 12 / PER_MONTH[rhythm.cadence]
    assert abs(rhythm.interval_days - nominal) <= 5


@given(st.lists(st.integers(730_000, 740_000), max_size=80, unique=True))
def test_a_rhythm_explains_the_dates_that_it_is_told_from(days: list[int]) -> None:
    """No days whatever break the recogniser, and what it finds ends on one of them."""
    rhythm = rhythm_of(sorted(days))
    if rhythm is not None:
        assert rhythm.last in days
        due = rhythm.due()
        assert due > rhythm.last
        slots = rhythm.slots(due)
        ahead = [next(slots) for _ in range(5)]
        assert all(later > earlier for earlier, later in pairwise([due, *ahead]))


@pytest.mark.parametrize("days", [[], ["2025-03-01"], ["2025-03-01", "2025-04-01"]])
def test_few_dates_are_no_rhythm(days: list[str]) -> None:
    """Two dates a month apart are always an interval, so they are none."""
    assert rhythm_of(ordinals([date.fromisoformat(day) for day in days])) is None


def test_two_dates_a_year_apart_may_be_a_rare_cadence() -> None:
    """A yearly charge is known from its second time."""
    rhythm = rhythm_of(ordinals(monthly("2024-06-10", 2, 12)))
    assert rhythm is not None
    assert rhythm.cadence == "annual"


@pytest.mark.parametrize(
    "gaps",
    [(3, 11, 2, 19, 8, 5), (40, 17, 62, 9, 28, 51, 13), (1, 1, 1, 1, 1, 1), (45, 45, 45, 45)],
)
def test_dates_without_a_common_distance_are_irregular(gaps: tuple[int, ...]) -> None:
    """Distances that disagree, or agree on what no cadence has, are no rhythm."""
    days = [date(2025, 1, 2).toordinal()]
    for gap in gaps:
        days.append(days[-1] + gap)
    assert rhythm_of(days) is None


def test_days_that_wander_gather_around_the_middle_one() -> None:
    """The slot is the day from which all the occurrences stray least, though the oldest alone had it."""
    days = ["2025-04-13", "2025-05-10", "2025-06-16", "2025-07-11", "2025-08-15"]
    (anchor,) = fit("monthly", ordinals([date.fromisoformat(day) for day in days]), 30).anchors
    assert anchor.day == 13


def test_pay_moves_from_the_31st_to_the_28th_and_back() -> None:
    """Month-end pay is monthly, and its next date is the end of the next month."""
    rhythm = rhythm_of(ordinals(monthly("2024-10-31", 5)))
    assert rhythm is not None
    assert rhythm.cadence == "monthly"
    assert date.fromordinal(rhythm.due()) == date(2025, 3, 31)


def test_a_leap_day_is_a_month_end() -> None:
    """Pay on the last of February comes on the 29th in a leap year."""
    rhythm = rhythm_of(ordinals(monthly("2023-08-31", 6)))
    assert rhythm is not None
    assert date.fromordinal(rhythm.due()) == date(2024, 2, 29)


def test_pay_before_the_weekend_is_expected_before_the_weekend() -> None:
    """Where weekends went to the weekday before, the next one does too."""
    rhythm = rhythm_of(ordinals(on_weekdays(monthly("2025-01-15", 10), -1)))
    assert rhythm is not None
    # 15 November 2025 is a Saturday.
    assert date.fromordinal(rhythm.due()) == date(2025, 11, 14)


@pytest.mark.parametrize(("first", "roll"), [("2024-01-31", 1), ("2024-01-01", -1)])
def test_weekends_may_move_a_slot_into_another_month(first: str, roll: int) -> None:
    """Month-end pay after a weekend comes in the next month, pay on the first before it in the last."""
    days = on_weekdays(monthly(first, 30), roll)
    for times in range(12, 29):
        rhythm = rhythm_of(ordinals(days[:times]))
        assert rhythm is not None
        assert rhythm.cost == 0
        assert date.fromordinal(rhythm.due()) == days[times]


@pytest.mark.parametrize("first", ["2025-01-03", "2025-01-08", "2025-06-27"])
def test_biweekly_pay_is_not_twice_monthly(first: str) -> None:
    """The same weekday every fourteen days is biweekly from the third payday on."""
    for times in range(3, 20):
        rhythm = rhythm_of(ordinals(every(first, 14, times)))
        assert rhythm is not None
        assert rhythm.cadence == "biweekly"


@pytest.mark.parametrize("days", [(15, 31), (1, 15), (5, 20)])
@pytest.mark.parametrize("roll", [1, -1])
def test_twice_monthly_pay_is_not_biweekly(days: tuple[int, int], roll: int) -> None:
    """Two days of the month are semimonthly from three months on, wherever weekends go."""
    for times in range(6, 24):
        rhythm = rhythm_of(ordinals(on_weekdays(semimonthly("2025-01-01", times, days), roll)))
        assert rhythm is not None
        assert rhythm.cadence == "semimonthly"


def test_a_charge_every_28_days_keeps_its_distance() -> None:
    """A four-weekly charge is monthly by its band, and is expected 28 days later, not on a day."""
    rhythm = rhythm_of(ordinals(every("2024-01-02", 28, 20)))
    assert rhythm is not None
    assert rhythm.due() - rhythm.last == 28


def test_five_weeks_are_no_month() -> None:
    """Distances that are even must also be a cadence's: ten a year are no monthly bill."""
    assert rhythm_of(ordinals(every("2024-01-05", 35, 12))) is None


def test_a_late_straggler_does_not_revive_a_rhythm() -> None:
    """A series that stopped ends where it stopped, though its payee charged once more years later."""
    rhythm = rhythm_of(ordinals([*monthly("2022-01-05", 12), date(2025, 7, 1)]))
    assert rhythm is not None
    assert date.fromordinal(rhythm.last) == date(2022, 12, 5)


def test_a_rhythm_is_active_for_one_and_a_half_periods_and_five_days() -> None:
    """The grace ends exactly there."""
    assert is_active(1000, 30, 1050)
    assert not is_active(1000, 30, 1051)


class TestNextDue:
    """The next date: never in the past, today when late, rolled on when the data are old."""

    rhythm = rhythm_of(ordinals(monthly("2025-01-10", 6)))

    def due(self, data_end: str, today: str) -> date:
        assert self.rhythm is not None
        ends = (date.fromisoformat(day).toordinal() for day in (data_end, today))
        return date.fromordinal(next_due(self.rhythm, *ends))

    def test_ahead(self) -> None:
        """What is still to come is expected on its day."""
        assert self.due("2025-07-01", "2025-07-01") == date(2025, 7, 10)
        assert self.due("2025-07-10", "2025-07-10") == date(2025, 7, 10)

    def test_late(self) -> None:
        """What should have come and did not is expected today."""
        assert self.due("2025-07-15", "2025-07-15") == date(2025, 7, 15)
        assert self.due("2025-07-14", "2025-07-15") == date(2025, 7, 15)

    def test_a_whole_period_late(self) -> None:
        """When the next period has begun, the missed one is not expected any more."""
        assert self.due("2025-08-12", "2025-08-12") == date(2025, 9, 10)

    def test_unseen(self) -> None:
        """What fell due after the data end has come unseen, so the next slot is told."""
        assert self.due("2025-06-30", "2025-07-15") == date(2025, 8, 10)
        assert self.due("2025-06-30", "2025-11-01") == date(2025, 11, 10)


@given(cadences, starts, st.integers(3, 30), st.integers(0, 200), st.integers(0, 200))
def test_the_next_date_is_never_in_the_past(
    cadence: Cadence, first: date, times: int, silence: int, age: int
) -> None:
    """Whatever the data's age, an expected date is today or later."""
    rhythm = rhythm_of(ordinals(PLANTS[cadence](first, times)))
    assert rhythm is not None
    data_end = rhythm.last + silence
    assert next_due(rhythm, data_end, data_end + age) >= data_end + age


def test_a_month_holds_its_part_of_a_cadence() -> None:
    """Biweekly is 26 twelfths, not two; half-even."""
    assert per_month(1200_00, "biweekly") == 2600_00
    assert per_month(100, "weekly") == half_even(5200, 12)
    assert per_month(100, "annual") == 8
    assert per_month(30_00, "quarterly") == 10_00


def rent() -> Series:
    books = (
        household()
        .checking()
        .charges(monthly("2025-01-31", 10), "LANDLORD", 900_00, "rent")
        .books("2025-11-10")
    )
    return books.charges[0]


def test_occurrences_are_the_expected_days_of_a_range() -> None:
    """A series is expected on its slots, both ends of the range counted."""
    expected = [date(2025, 11, 30), date(2025, 12, 31), date(2026, 1, 31)]
    assert expected_days(rent(), date(2025, 11, 30), date(2026, 1, 31)) == expected
    assert expected_days(rent(), date(2025, 12, 1), date(2026, 1, 30)) == expected[1:2]
    assert expected_days(rent(), date(2025, 11, 10), date(2025, 11, 29)) == []


def test_a_late_charge_is_expected_today_and_then_on_its_slots() -> None:
    """Being late moves one occurrence, not the rhythm."""
    late = replace(rent(), next_date=date(2025, 12, 3))
    assert expected_days(late, date(2025, 12, 3), date(2026, 1, 31)) == [
        date(2025, 12, 3),
        date(2025, 12, 31),
        date(2026, 1, 31),
    ]


def test_a_charge_that_did_not_come_is_expected_once() -> None:
    """Twelve days late, the next slot is too near to be another charge: it is the same one."""
    skipped = replace(rent(), next_date=date(2025, 12, 12))
    assert expected_days(skipped, date(2025, 12, 12), date(2026, 1, 11)) == [date(2025, 12, 12)]
    assert expected_days(skipped, date(2025, 12, 12), date(2026, 1, 31)) == [
        date(2025, 12, 12),
        date(2026, 1, 31),
    ]


@given(cadences, starts, st.integers(6, 24), st.integers(0, 40))
def test_no_two_expected_days_are_nearer_than_the_cadence_allows(
    cadence: Cadence, first: date, times: int, late: int
) -> None:
    """Whenever one looks, the days on which a series is expected could all be charges of it."""
    days = PLANTS[cadence](first, times)
    home = household().checking().charges(days, "LANDLORD", 900_00, "rent")
    today = days[-1] + timedelta(late)
    for series in home.books(today).charges:
        expected = expected_days(series, today, today + timedelta(400))
        assert series.cadence != "irregular"
        least = DISTANCES[series.cadence][0]
        assert all((b - a).days >= least for a, b in pairwise(expected))


def test_an_inactive_series_is_not_expected() -> None:
    """Without a next date there are no occurrences."""
    stopped = replace(rent(), next_date=None, active=False)
    assert expected_days(stopped, date(2025, 11, 1), date(2026, 11, 1)) == []


@given(cadences, starts, st.integers(6, 24))
def test_occurrences_continue_what_was_planted(cadence: Cadence, first: date, times: int) -> None:
    """The expected days of the next periods are the days that the plant goes on with."""
    days = PLANTS[cadence](first, times + 3)
    seen, ahead = days[:times], days[times:]
    books = (
        household().checking().charges(seen, "X", 50_00, "utilities").books(seen[-1] + timedelta(1))
    )
    (series,) = books.charges
    found = expected_days(series, seen[-1] + timedelta(1), ahead[-1] + timedelta(3))[:3]
    assert len(found) == 3
    assert all(abs((one - other).days) <= 3 for one, other in zip(found, ahead, strict=True))
