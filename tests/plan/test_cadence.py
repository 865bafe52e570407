"""Cadences are told from dates alone, and what is expected next is never in the past.

Slots are weekdays of a week of the month, four weeks, and quarters in which a bill was late once; a
bill that keeps its quarter is known though it keeps neither its day nor its amount.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import islice, pairwise
from random import Random

import pytest
from hypothesis import given, strategies as st

from finplan.model.money import half_even
from finplan.model.plan import Cadence
from finplan.plan.detect.cadence import (
    DISTANCES,
    PER_MONTH,
    due_days,
    expected_days,
    grace,
    is_active,
    next_due,
    per_month,
    presence_share,
    rhythm_of,
    rhythm_of_bill,
)
from finplan.plan.detect.rhythm import Anchor, Rhythm, fit, fit_loose, slot
from finplan.plan.explain.sections import explain
from finplan.plan.ledger.books import Series
from tests.plan.households import (
    TODAY,
    Household,
    every,
    household,
    monthly,
    on_weekdays,
    semimonthly,
    with_cash,
)
from tests.plan.typical import assessed, live
from tests.present import present
from tests.says import says

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
def test_a_planted_rhythm_is_found(cadence: Cadence, first: date, times: int, roll: str) -> None:
    """Whatever day it starts on and wherever weekends go, a regular series has its own cadence."""
    assert present(rhythm_of(ordinals(planted(cadence, first, times, roll)))).cadence == cadence


@given(cadences, starts, st.integers(6, 30), rolls)
def test_a_rhythms_next_date_is_found(cadence: Cadence, first: date, times: int, roll: str) -> None:
    """The slot after the last occurrence is where the rhythm goes on, but for a weekend's shift."""
    days = planted(cadence, first, times + 1, roll)
    assert abs(present(rhythm_of(ordinals(days[:-1]))).due() - days[-1].toordinal()) <= 3


@given(cadences, starts, st.integers(8, 24), rolls, st.data())
def test_a_skipped_period_is_no_change_of_cadence(
    cadence: Cadence, first: date, times: int, roll: str, data: st.DataObject
) -> None:
    """One occurrence may be missing anywhere inside."""
    days = planted(cadence, first, times, roll)
    del days[data.draw(st.integers(1, times - 2))]
    assert present(rhythm_of(ordinals(days))).cadence == cadence


@given(cadences, starts, st.integers(3, 30), rolls)
def test_the_interval_is_the_cadences(cadence: Cadence, first: date, times: int, roll: str) -> None:
    """The interval of a cadence is near what a month holds of it."""
    rhythm = present(rhythm_of(ordinals(planted(cadence, first, times, roll))))
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
    assert present(rhythm_of(ordinals(monthly("2024-06-10", 2, 12)))).cadence == "annual"


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
    rhythm = present(rhythm_of(ordinals(monthly("2024-10-31", 5))))
    assert rhythm.cadence == "monthly"
    assert date.fromordinal(rhythm.due()) == date(2025, 3, 31)


def test_a_leap_day_is_a_month_end() -> None:
    """Pay on the last of February comes on the 29th in a leap year."""
    rhythm = present(rhythm_of(ordinals(monthly("2023-08-31", 6))))
    assert date.fromordinal(rhythm.due()) == date(2024, 2, 29)


def test_pay_before_the_weekend_is_expected_before_the_weekend() -> None:
    """Where weekends went to the weekday before, the next one does too."""
    rhythm = present(rhythm_of(ordinals(on_weekdays(monthly("2025-01-15", 10), -1))))
    # 15 November 2025 is a Saturday.
    assert date.fromordinal(rhythm.due()) == date(2025, 11, 14)


@pytest.mark.parametrize(("first", "roll"), [("2024-01-31", 1), ("2024-01-01", -1)])
def test_weekends_may_move_a_slot_into_another_month(first: str, roll: int) -> None:
    """Month-end pay after a weekend comes in the next month, pay on the first before it in the last."""
    days = on_weekdays(monthly(first, 30), roll)
    for times in range(12, 29):
        rhythm = present(rhythm_of(ordinals(days[:times])))
        assert rhythm.cost == 0
        assert date.fromordinal(rhythm.due()) == days[times]


@pytest.mark.parametrize("first", ["2025-01-03", "2025-01-08", "2025-06-27"])
def test_biweekly_pay_is_not_twice_monthly(first: str) -> None:
    """The same weekday every fourteen days is biweekly from the third payday on."""
    for times in range(3, 20):
        assert present(rhythm_of(ordinals(every(first, 14, times)))).cadence == "biweekly"


@pytest.mark.parametrize("days", [(15, 31), (1, 15), (5, 20)])
@pytest.mark.parametrize("roll", [1, -1])
def test_twice_monthly_pay_is_not_biweekly(days: tuple[int, int], roll: int) -> None:
    """Two days of the month are semimonthly from three months on, wherever weekends go."""
    for times in range(6, 24):
        rhythm = rhythm_of(ordinals(on_weekdays(semimonthly("2025-01-01", times, days), roll)))
        assert present(rhythm).cadence == "semimonthly"


def test_a_charge_every_28_days_keeps_its_distance() -> None:
    """A four-weekly charge is monthly by its band, and is expected 28 days later, not on a day."""
    rhythm = present(rhythm_of(ordinals(every("2024-01-02", 28, 20))))
    assert rhythm.due() - rhythm.last == 28


def test_five_weeks_are_no_month() -> None:
    """Distances that are even must also be a cadence's: ten a year are no monthly bill."""
    assert rhythm_of(ordinals(every("2024-01-05", 35, 12))) is None


def test_a_late_straggler_does_not_revive_a_rhythm() -> None:
    """A series that stopped ends where it stopped, though its payee charged once more years later."""
    rhythm = present(rhythm_of(ordinals([*monthly("2022-01-05", 12), date(2025, 7, 1)])))
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
    rhythm = present(rhythm_of(ordinals(PLANTS[cadence](first, times))))
    data_end = rhythm.last + silence
    assert next_due(rhythm, data_end, data_end + age) >= data_end + age


def test_a_month_holds_its_part_of_a_cadence() -> None:
    """Biweekly is 26 twelfths, not two; half-even."""
    assert per_month(1200_00, "biweekly") == 2600_00
    assert per_month(100, "weekly") == half_even(5200, 12)
    assert per_month(100, "annual") == 8
    assert per_month(30_00, "quarterly") == 10_00


def rent() -> Series:
    return household().checking().rents(900_00, "2025-01-31", 10).books("2025-11-10").charges[0]


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
def test_expected_days_keep_apart(cadence: Cadence, first: date, times: int, late: int) -> None:
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


def ordinals_in_order(days: list[date]) -> list[int]:
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
    return date.fromordinal(present(rhythm).due())


@pytest.mark.parametrize("week", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("weekday", range(7))
def test_a_weekday_of_a_week_goes_on_so(weekday: int, week: int) -> None:
    """The second Wednesday is followed by the second Wednesday, the last Friday by the last."""
    days = nth(weekday, week, 14)
    for seen in range(8, 14):
        rhythm = present(rhythm_of(ordinals_in_order(days[:seen])))
        assert rhythm.cadence == "monthly"
        assert rhythm.interval_days != 28
        assert following(rhythm) == days[seen], (weekday, week, seen)


def test_four_dates_tell_a_weekday_and_three_do_not() -> None:
    """Three dates on one weekday are as likely a day of the month."""
    days = nth(2, 2, 5)
    assert fit("monthly", ordinals_in_order(days[:4]), 28).anchors == (Anchor(2, 0, 2),)
    assert fit("monthly", ordinals_in_order(days[:3]), 28).anchors[:1] != (Anchor(2, 0, 2),)
    mondays = nth(0, 1, 4)
    mondays[1] -= timedelta(2)
    assert fit("monthly", ordinals_in_order(mondays), 28).anchors == (Anchor(1, 0),)


def test_one_longer_pause_is_not_four_weeks() -> None:
    """Thirty-five days and then twice twenty-eight are a weekday of the month."""
    mondays = nth(0, 1, 4)
    assert fit("monthly", ordinals_in_order(mondays), 28).anchors == (Anchor(1, 0, 0),)
    mondays[0] -= timedelta(1)
    assert fit("monthly", ordinals_in_order(mondays), 28).anchors != ()


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
    rhythm = present(rhythm_of(ordinals_in_order(days)))
    assert (rhythm.cadence, rhythm.interval_days, rhythm.anchors) == ("monthly", 28, ())
    assert following(rhythm) == date(2024, 1, 5) + timedelta(12 * 28)
    assert per_month(100_00, "monthly", 28) == 108_71
    assert per_month(100_00, "monthly", 29) == 100_00
    assert per_month(100_00, "biweekly", 28) == 216_67


def test_a_day_of_the_month_is_never_told_as_four_weeks() -> None:
    """February makes one month 28 days long, and no more than that."""
    rhythm = rhythm_of(ordinals_in_order([date(2025, 1, 31), date(2025, 2, 28), date(2025, 3, 31)]))
    assert present(rhythm).interval_days >= 29


@pytest.mark.parametrize(("cadence", "months"), [("quarterly", 3), ("twice_yearly", 6)])
@pytest.mark.parametrize("late", [3, 4, 6])
def test_a_bill_that_was_late_keeps_its_months(cadence: Cadence, months: int, late: int) -> None:
    """Where the most dates lie is where the next one does, not where the last one was."""
    days = monthly("2023-01-15", 7, months)
    expected = monthly("2023-01-15", 8, months)[7]
    days[late] += timedelta(25)
    rhythm = present(rhythm_of_bill(ordinals_in_order(days)))
    assert rhythm.cadence == cadence
    assert following(rhythm) == expected


def test_three_dates_of_which_one_was_late_are_a_bill() -> None:
    """Two that are a year apart hold the third between them."""
    days = [date(2025, 7, 1), date(2026, 2, 1), date(2026, 7, 1)]
    rhythm = present(rhythm_of_bill(ordinals_in_order(days)))
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
    assert rhythm_of_bill(ordinals_in_order([date.fromisoformat(day) for day in days])) is None


def test_income_that_is_late_by_weeks_has_no_rhythm() -> None:
    """Nobody plans with a payment that comes some weeks late."""
    days = ordinals_in_order([date(2025, 7, 1), date(2026, 2, 1), date(2026, 7, 1)])
    assert rhythm_of(days) is None


def test_thirteen_weeks_are_a_quarter() -> None:
    """A charge every 91 days goes on every 91 days."""
    days = every("2023-01-05", 91, 9)
    assert following(rhythm_of(ordinals_in_order(days))) == date(2023, 1, 5) + timedelta(9 * 91)


@pytest.mark.parametrize(
    ("cadence", "days", "grace"),
    [("weekly", 7, 2), ("biweekly", 14, 3), ("monthly", 30, 5), ("quarterly", 91, 5)],
)
def test_what_is_later_than_its_grace_is_left_out(cadence: Cadence, days: int, grace: int) -> None:
    """Some days late is expected today; later than that, at its next slot."""
    plants: dict[str, list[date]] = {
        "weekly": every("2025-01-06", 7, 12),
        "biweekly": every("2025-01-06", 14, 12),
        "monthly": monthly("2025-01-06", 12),
        "quarterly": monthly("2023-01-06", 12, 3),
    }
    rhythm = present(rhythm_of(ordinals_in_order(plants[cadence])))
    due = rhythm.due()
    for late in range(1, days):
        expected = due + late if late <= grace else next(rhythm.slots(due))
        assert next_due(rhythm, due + late, due + late) == expected


def test_the_share_of_periods_seen() -> None:
    """Eleven of twelve months, thirteen of thirteen four-week periods, and never more than all."""
    days = monthly("2025-01-06", 12)
    del days[6]
    rhythm = present(rhythm_of(ordinals_in_order(days)))
    assert presence_share(rhythm, ordinals_in_order(days)) == Fraction(11, 12)
    steady = every("2025-01-06", 28, 13)
    rhythm = present(rhythm_of(ordinals_in_order(steady)))
    assert presence_share(rhythm, ordinals_in_order(steady)) == 1
    assert presence_share(rhythm, ordinals_in_order([*steady, steady[-1] + timedelta(1)])) == 1


DUE = monthly("2023-02-14", 12, step=3)
STRAYS = (9, -8, -10, 3, 10, 8, -2, -9, 7, 0, -10, 5)
AMOUNTS = (
    310_00,
    205_00,
    290_00,
    240_00,
    330_00,
    260_00,
    215_00,
    300_00,
    232_00,
    221_00,
    280_00,
    270_00,
)
LOOSE = [day + timedelta(off) for day, off in zip(DUE, STRAYS, strict=True)]


def paying(
    days: Sequence[date], category: str = "utilities", amounts: Sequence[int] = AMOUNTS
) -> Household:
    home = household().checking(covered=("2023-01-01", TODAY)).rents(1_000_00, "2023-01-03", 37)
    return home.charges(days, "ZORBLAX", amounts, category)


def found(home: Household, today: date = TODAY) -> list[Series]:
    return [one for one in home.books(today).charges if one.name == "ZORBLAX"]


@pytest.mark.parametrize(
    "category", ["insurance", "utilities", "taxes", "education", "home_upkeep", "uncategorized"]
)
def test_a_bill_about_every_three_months_is_quarterly(category: str) -> None:
    """Days stray by ten and amounts by a third; the next one is expected in the middle of its days."""
    (one,) = found(paying(LOOSE, category))
    assert (one.cadence, one.interval_days, one.count_all, one.active) == (
        "quarterly",
        91,
        12,
        True,
    )
    assert abs((present(one.next_date) - date(2026, 2, 14)).days) <= 5
    assert one.amount == 251_00
    assert one.monthly == 83_67
    # Its day is a guess, so that no certainty is stated.
    assert present(one.probability) < 0.5


@pytest.mark.parametrize("category", ["dining", "shopping", "health", "travel", "personal_care"])
def test_visits_about_every_three_months_are_no_bill(category: str) -> None:
    """Where people go, only a price or a day shows a bill."""
    assert found(paying(LOOSE, category)) == []


def test_fewer_than_six_may_be_chance() -> None:
    """Five payments may lie so by accident."""
    assert found(paying(LOOSE[-5:], "uncategorized")) == []
    assert len(found(paying(LOOSE[-7:], "uncategorized"))) == 1


def test_amounts_that_differ_by_more_are_not_one_bill() -> None:
    """More than one in five beyond a third of the median."""
    assert found(paying(LOOSE, "uncategorized", [100_00, 300_00, 60_00])) == []


def test_payments_now_and_then_are_no_bill() -> None:
    """Of a hundred payees paid every one to five months so, at most two look like a bill."""
    dice, false = Random(7), 0
    for _ in range(100):
        day, days = date(2023, 1, dice.randint(5, 28)), []
        while day < TODAY:
            days.append(day)
            day += timedelta(dice.randint(30, 150))
        amounts = [dice.randint(200_00, 330_00) for _ in days]
        false += bool(found(paying(days, "uncategorized", amounts)))
    assert false <= 2


def test_one_quarter_may_be_left_out_and_no_more_than_one_in_five() -> None:
    """A bill that was not sent leaves a hole of half a year."""
    assert len(found(paying([*LOOSE[:5], *LOOSE[6:]]))) == 1
    holes = [LOOSE[place] for place in (0, 1, 3, 4, 6, 7, 9, 10)]
    assert fit_loose([day.toordinal() for day in holes]) is None


def test_it_is_late_only_after_two_weeks() -> None:
    """Within its days it is expected today, not a quarter later."""
    (one,) = found(paying(LOOSE, "utilities"), TODAY)
    due = present(one.next_date)
    home = paying(LOOSE, "utilities")
    home.checking(covered=("2023-01-01", due + timedelta(14)))
    (late,) = found(home, due + timedelta(14))
    assert late.next_date == due + timedelta(14)
    (over,) = found(home.checking(covered=("2023-01-01", due + timedelta(15))), due + timedelta(15))
    assert over.next_date == due + timedelta(91)


def test_a_punctual_quarter_is_none_of_these() -> None:
    """What keeps its day has the grace of its cadence, and its own rhythm."""
    (one,) = found(paying(DUE))
    assert one.interval_days != 91 or one.next_date == date(2026, 2, 14)
    loose = present(fit_loose([day.toordinal() for day in DUE]))
    assert not loose.is_loose()
    assert grace(loose) == 5
    assert fit_loose([day.toordinal() for day in every("2023-02-14", 91, 6)]) is not None


DUE_BY_LAW = ("2025-01-15", "2025-04-15", "2025-06-16", "2025-09-15")
"""Of 2025; the fifteenth of June is a Sunday."""


def paying_tax(
    *days: str, payee: str = "irs", category: str = "taxes", until: date = TODAY
) -> Household:
    home = with_cash(5_000_00, ("2024-01-01", until)).rents(1_000_00, "2024-01-03", 24)
    return home.charges(days, payee, 450_00, category)


def series_of(home: Household, today: date = TODAY, payee: str = "irs") -> list[Series]:
    return [each for each in home.books(today).charges if each.name == payee]


@pytest.mark.parametrize(
    ("year", "days"),
    [
        # The 15th of January 2022 was a Saturday before a holiday, and that of April a holiday itself.
        (2022, ("01-18", "04-18", "06-15", "09-15")),
        # A Sunday before a holiday; a Saturday before a holiday that was a Sunday.
        (2023, ("01-17", "04-18", "06-15", "09-15")),
        # The 15th of January was the holiday.
        (2024, ("01-16", "04-15", "06-17", "09-16")),
        (2025, ("01-15", "04-15", "06-16", "09-15")),
        # A Sunday before a holiday that fell on a Monday.
        (2018, ("01-16", "04-17", "06-15", "09-17")),
    ],
)
def test_the_days_are_those_that_the_revenue_service_told(year: int, days: tuple[str, ...]) -> None:
    """The fifteenth of four months, or the next day that is no weekend and no federal holiday."""
    found = islice(due_days(date(year - 1, 12, 31).toordinal()), 4)
    assert [f"{date.fromordinal(day):%m-%d}" for day in found] == list(days)


def test_a_due_day_comes_after_the_day_asked_for() -> None:
    """Asked on a due day, the next one is meant; the day before, that day."""
    due = date(2025, 6, 16)
    assert next(due_days(due.toordinal())) == date(2025, 9, 15).toordinal()
    assert next(due_days(due.toordinal() - 1)) == due.toordinal()


@pytest.mark.parametrize(
    ("days", "today", "following"),
    [
        (DUE_BY_LAW, TODAY, date(2026, 1, 15)),
        (DUE_BY_LAW[1:], TODAY, date(2026, 1, 15)),
        # Early and late payments are for the day that they are near.
        (("2025-04-01", "2025-06-20", "2025-09-12"), TODAY, date(2026, 1, 15)),
        ((*DUE_BY_LAW, "2026-01-12"), date(2026, 1, 20), date(2026, 4, 15)),
        # One day left out says nothing of the others.
        (("2024-06-17", "2024-09-16", *DUE_BY_LAW[1:]), TODAY, date(2026, 1, 15)),
        # Paid on one day in two parts.
        ((*DUE_BY_LAW, DUE_BY_LAW[-1]), TODAY, date(2026, 1, 15)),
    ],
)
def test_days_of_law_follow_each_other(days: tuple[str, ...], today: date, following: date) -> None:
    """Three due days in succession, and the next payment is expected on the day of the law."""
    (tax,) = series_of(paying_tax(*days, until=today), today)
    assert (tax.cadence, tax.next_date, tax.by_law) == ("quarterly", following, True)
    assert tax.monthly == 150_00


@pytest.mark.parametrize(
    ("days", "payee", "category"),
    [
        # Two days only; a pause of a year between; payments nowhere near the days.
        (DUE_BY_LAW[2:], "irs", "taxes"),
        (("2024-04-15", "2025-06-16", "2025-09-15"), "irs", "taxes"),
        # Two due days in succession were left out.
        (("2024-06-17", "2024-09-16", "2025-06-16", "2025-09-15"), "irs", "taxes"),
        (("2025-03-03", "2025-05-28", "2025-08-25"), "irs", "taxes"),
        # A day too early, and one too late.
        (("2025-04-15", "2025-06-16", "2025-08-31"), "irs", "taxes"),
        (("2025-04-15", "2025-06-16", "2025-09-21"), "irs", "taxes"),
        # An instalment each month meets four of the days.
        (tuple(str(day) for day in monthly("2025-01-15", 12)), "irs", "taxes"),
        (DUE_BY_LAW, "california franchise tax board", "taxes"),
        (DUE_BY_LAW, "irs", "uncategorized"),
    ],
)
def test_odd_days_are_no_estimated_tax(days: tuple[str, ...], payee: str, category: str) -> None:
    """Balances, instalments, and other payees or purposes are read like any other charge."""
    assert not any(
        each.by_law for each in series_of(paying_tax(*days, payee=payee, category=category))
    )


def test_instalments_beside_estimated_tax_are_a_charge_of_their_own() -> None:
    """What is paid to the service on other days keeps its own rhythm."""
    home = paying_tax(*DUE_BY_LAW)
    home.charges(["2025-09-28", "2025-10-28", "2025-11-28"], "irs", 75_00)
    tax, instalment = sorted(series_of(home), key=lambda each: -each.amount)
    assert (tax.by_law, tax.amount) == (True, 450_00)
    assert (instalment.by_law, instalment.cadence) == (False, "monthly")


def test_every_later_day_is_one_of_the_law() -> None:
    """Over a year ahead the expected days are the four due days, each once."""
    (tax,) = series_of(paying_tax(*DUE_BY_LAW))
    expected = expected_days(tax, TODAY, TODAY + timedelta(365))
    assert [f"{day:%Y-%m-%d}" for day in expected] == [
        "2026-01-15",
        "2026-04-15",
        "2026-06-15",
        "2026-09-15",
    ]


def test_a_late_payment_puts_off_none_that_follows() -> None:
    """That of April is still out on the 18th; that of June is due 59 days later all the same."""
    today = date(2026, 4, 18)
    (tax,) = series_of(paying_tax(*DUE_BY_LAW, "2026-01-15", until=today), today)
    late, *later = expected_days(tax, today, today + timedelta(365))
    assert late < date(2026, 4, 25)
    assert [f"{day:%Y-%m-%d}" for day in later] == [
        "2026-06-15",
        "2026-09-15",
        "2027-01-15",
        "2027-04-15",
    ]


def test_a_payment_that_is_pending_is_not_due_again() -> None:
    """Sent before its day, the payment of January is pending, and none is due in thirty days."""
    home = paying_tax(*DUE_BY_LAW)
    assert [each.date for each in live(home).upcoming if each.name == "irs"] == [date(2026, 1, 15)]
    home.charge(TODAY, "irs", 450_00, pending=True)
    assert [each.date for each in live(home).upcoming if each.name == "irs"] == []


def test_the_explanation_tells_the_days() -> None:
    """It does not come every three months, and is not said to."""
    said = " ".join(explain(assessed(paying_tax(*DUE_BY_LAW)), None, "recurring").reasons)
    assert says(said, "irs recurs on", "estimated-tax due dates", "4 times")
