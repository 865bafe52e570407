"""What is said of days that rows do not reach: each end by itself, and all of them."""

from datetime import date

import pytest

from finplan.model.transaction import NO_ROWS, RecordedDays, beyond_rows

FIRST, LAST = date(2026, 2, 10), date(2026, 3, 15)
RECORDED = RecordedDays(since=FIRST, until=LAST)
BEFORE = "The first row is of 2026-02-10, after these days: nothing of them is known."
BEHIND = "The last row is of 2026-03-15, before these days: nothing of them is known."
BEGINS, ENDS = "The first row is of 2026-02-10.", "The last row is of 2026-03-15."


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [
        (FIRST, LAST, None),
        (date(2026, 3, 1), date(2026, 3, 1), None),
        (date(2026, 1, 1), date(2026, 2, 9), BEFORE),
        (date(2026, 1, 1), FIRST, BEGINS),
        (date(2026, 2, 9), LAST, BEGINS),
        (LAST, date(2026, 3, 16), ENDS),
        (date(2026, 3, 16), date(2026, 3, 31), BEHIND),
        (date(2026, 1, 1), date(2026, 12, 31), f"{BEGINS} {ENDS}"),
    ],
)
def test_each_end_is_told(since: date, until: date, told: str | None) -> None:
    """The first and the last day that a row is of are known; the days beside them are not."""
    assert beyond_rows(since, until, RECORDED) == told


def test_without_rows_nothing_is_known() -> None:
    """Zero of nothing is no figure."""
    assert beyond_rows(FIRST, LAST, None) == NO_ROWS
