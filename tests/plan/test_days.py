"""Days: the three ways to write one agree."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.ledger.days import (
    ORDINAL,
    add_months,
    date_of,
    day_of,
    day_of_ordinal,
    last_day,
    month_length,
    months_from,
)

dates = st.dates(date(1970, 1, 1), date(2199, 12, 31))
months = dates.map(lambda day: day.year * 100 + day.month)


@given(dates)
def test_a_day_is_one_day_however_it_is_written(when: date) -> None:
    """Date, number and ordinal convert into each other without loss, in the same order."""
    day = day_of(when)
    assert day == int(when.strftime("%Y%m%d"))
    assert date_of(day) == when
    assert ORDINAL[day] == when.toordinal()
    assert day_of_ordinal(when.toordinal()) == day


@pytest.mark.parametrize("day", [20250229, 20251301, 20250631, 20250100, 0])
def test_a_day_that_no_calendar_has_is_refused(day: int) -> None:
    """An impossible day is an error, not a neighbour."""
    with pytest.raises(ValueError, match=r"day|month|year"):
        ORDINAL[day]


@given(months, st.integers(-500, 500))
def test_months_are_counted_both_ways(month: int, count: int) -> None:
    """Adding months and counting them are each other's reverse."""
    later = add_months(month, count)
    assert add_months(later, -count) == month
    assert months_from(month, later) == count + 1


@given(dates)
def test_the_last_day_of_a_month_is_followed_by_the_first(when: date) -> None:
    """A month ends where the next begins."""
    month = when.year * 100 + when.month
    assert day_of_ordinal(ORDINAL[last_day(month)] + 1) == add_months(month, 1) * 100 + 1
    assert last_day(month) == month * 100 + month_length(month)
