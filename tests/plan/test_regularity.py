"""Regularity in words: how many of how many, on which days, how far off, and for how much."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from finplan.plan.detect.verdicts import regularity
from finplan.plan.ledger.books import Series


def _series(cadence: Any, days: list[date], amounts: list[int]) -> Series:
    return Series(
        payees=(1,),
        name="Netflix",
        category="subscriptions",
        cadence=cadence,
        interval_days=30,
        amount=amounts[-1],
        monthly=amounts[-1],
        total=sum(amounts),
        count=len(days),
        count_all=len(days),
        first_date=days[0],
        last_date=days[-1],
        next_date=None,
        active=True,
        steady=True,
        recent=tuple(zip(days, amounts, strict=True)),
        account=1,
    )


def _months(*days: int, first: int = 1) -> list[date]:
    return [date(2026, first + place, day) for place, day in enumerate(days)]


FRIDAYS = [date(2026, 1, 2) + timedelta(7 * week) for week in range(8)]


@pytest.mark.parametrize(
    ("cadence", "days", "amounts", "said"),
    [
        (
            "monthly",
            _months(14, 14, 15, 14, 13, 14),
            [999] * 6,
            "6 of 6 on the 14th ± 1 day, $9.99",
        ),
        ("monthly", _months(31, 28, 31, 30), [999] * 4, "4 of 4 on the last day, $9.99"),
        ("monthly", [*_months(1, 1, 1), date(2026, 5, 1)], [999] * 4, "4 of 5 on the 1st, $9.99"),
        ("weekly", FRIDAYS, [500] * 8, "8 of 8 on Fridays, $5.00"),
        ("weekly", [*FRIDAYS[:3], *FRIDAYS[4:]], [500] * 7, "7 of 8 on Fridays, $5.00"),
        ("biweekly", FRIDAYS[::2], [500] * 4, "4 of 4 on every second Friday, $5.00"),
        (
            "semimonthly",
            [date(2026, month, day) for month in (1, 2, 3) for day in (1, 15)],
            [100] * 6,
            "6 of 6 on the 1st and 15th, $1.00",
        ),
        (
            "quarterly",
            [date(2025, 1, 3), date(2025, 4, 14), date(2025, 7, 24), date(2025, 10, 9)],
            [100, 120, 90, 100],
            "4 times, about every 3 months, $0.90 to $1.20",
        ),
        (
            "annual",
            [date(2024, 2, 29), date(2025, 2, 28)],
            [100] * 2,
            "2 of 2 on the last day, $1.00",
        ),
        (
            "monthly",
            _months(5, 5, 5, 5),
            [899, 899, 999, 999],
            "4 of 4 on the 5th, $9.99, before $8.99",
        ),
        ("irregular", _months(5, 9), [100, 100], "2 times, $1.00"),
    ],
)
def test_what_is_said(cadence: str, days: list[date], amounts: list[int], said: str) -> None:
    """One sentence tells a person whether to believe it."""
    assert regularity(_series(cadence, days, amounts), "USD") == said


def test_a_weekday_of_the_month_is_said_as_such() -> None:
    """Most dates on the second Wednesday say so; three of them, or one day of the month, do not."""
    wednesdays = _months(14, 11, 11, 8, 13, 10)
    said = regularity(_series("monthly", wednesdays, [999] * 6), "USD")
    assert said == "6 of 6 on the 2nd Wednesday, $9.99"
    strayed = [*wednesdays[:4], date(2026, 5, 14), wednesdays[5]]
    said = regularity(_series("monthly", strayed, [999] * 6), "USD")
    assert said == "5 of 6 on the 2nd Wednesday, $9.99"
    assert "Wednesday" not in regularity(_series("monthly", wednesdays[:3], [999] * 3), "USD")
    on_a_day = _months(11, 11, 11, 8, 11, 10)
    assert "11th" in regularity(_series("monthly", on_a_day, [999] * 6), "USD")


def test_four_weeks_are_said_as_such() -> None:
    """What comes every 28 days is on every fourth Friday."""
    series = replace(_series("monthly", FRIDAYS[::4], [999] * 2), interval_days=28)
    assert regularity(series, "USD") == "2 of 2 on every fourth Friday, $9.99"
