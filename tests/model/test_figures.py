"""Figures as text say exactly what they are given."""

import re
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model import figures
from finplan.model.base import LARGEST
from finplan.model.money import exponent

amounts = st.integers(-LARGEST, LARGEST)
currencies = st.sampled_from(["USD", "EUR", "JPY", "KWD", "CHF", "CAD"])


@given(amounts, currencies)
def test_money_keeps_every_digit(amount: int, currency: str) -> None:
    """What is written reads back as the same amount, whatever the sign and the separators."""
    text = figures.money(amount, currency)
    number = Decimal(re.sub(r"[^0-9.]", "", text))
    assert number.scaleb(exponent(currency)) == abs(amount)
    assert text.startswith("-") == (amount < 0)


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (184_025, "USD", "$1,840.25"),
        (-184_025, "USD", "-$1,840.25"),
        (5, "GBP", "£0.05"),
        (1_000_000, "JPY", "¥1,000,000"),
        (1_234_567, "KWD", "KWD 1,234.567"),
        (-500, "CHF", "-CHF 5.00"),
    ],
)
def test_money_is_written_as_people_write_it(amount: int, currency: str, text: str) -> None:
    """A sign where it names one currency without doubt, else the code; the minus stands first."""
    assert figures.money(amount, currency) == text


@pytest.mark.parametrize(
    ("amount", "text"), [(50, "$0"), (150, "$2"), (-150, "-$2"), (-50, "$0"), (99_950, "$1,000")]
)
def test_whole_money_rounds_half_to_even(amount: int, text: str) -> None:
    """Whole units round half to even, and nothing is written as minus nothing."""
    assert figures.whole_money(amount, "USD") == text


def test_a_difference_has_its_sign() -> None:
    """A rise has a plus, a fall a minus, and no change is not written."""
    written = [figures.difference(amount, "USD") for amount in (12_345, -12_345, 0)]
    assert written == ["+$123", "-$123", ""]


@given(st.integers(-(10**9), 10**9), st.integers(-100, 10**9))
def test_a_percentage_needs_a_whole(part: int, whole: int) -> None:
    """A percentage is written of positive wholes alone."""
    assert bool(figures.percent(part, whole)) == (whole > 0)


@pytest.mark.parametrize(
    ("ratio", "text"), [(0.0, "0 %"), (0.001, "<1 %"), (0.294, "29 %"), (1.0, "100 %")]
)
def test_a_small_share_is_not_nothing(ratio: float, text: str) -> None:
    """A share that rounds to nothing is still told from nothing."""
    assert figures.share(ratio) == text


@pytest.mark.parametrize(
    ("since", "until", "text"),
    [
        (date(2024, 11, 1), date(2025, 10, 31), "Nov 2024 – Oct 2025"),
        (date(2025, 2, 1), date(2025, 2, 28), "February 2025"),
        (date(2025, 2, 3), date(2025, 2, 28), "3 Feb 2025 – 28 Feb 2025"),
        (date(2025, 2, 1), date(2025, 2, 27), "1 Feb 2025 – 27 Feb 2025"),
    ],
)
def test_a_window_of_whole_months_is_named_by_months(since: date, until: date, text: str) -> None:
    """Whole months are named as such, anything else by its days."""
    assert figures.month_span(since, until) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (7_300, "2 hours ago"),
        (172_800, "2 days ago"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(seconds: int, text: str) -> None:
    """An age is whole units of its largest kind; what never happened is "never"."""
    now = datetime(2025, 11, 21, tzinfo=UTC)
    assert figures.age(int((now.timestamp() - seconds) * 1000), now) == text
    assert figures.age(None, now) == "never"


@pytest.mark.parametrize(
    ("since", "until", "text"),
    [
        (date(2026, 7, 1), date(2026, 7, 1), "1 Jul 2026"),
        (date(2026, 7, 1), date(2026, 7, 30), "1 – 30 Jul 2026"),
        (date(2026, 7, 1), date(2026, 11, 30), "1 Jul – 30 Nov 2026"),
        (date(2025, 7, 1), date(2026, 7, 30), "1 Jul 2025 – 30 Jul 2026"),
    ],
)
def test_days_are_named_as_shortly_as_they_can(since: date, until: date, text: str) -> None:
    """What both ends have in common is said once."""
    assert figures.day_span(since, until) == text


@pytest.mark.parametrize(
    ("amounts", "usual"),
    [
        ([], None),
        ([0, 0, 5], None),
        ([1, 2, 3, 4], None),
        ([10, 10, 10, 41], 10),
        ([10, 10, 10, -41, 0, 0], 10),
        ([10, 10, 10, 40], None),
        ([10, 10, 40, 81, 10], 40),
        ([10, 10, 40, 80, 10], None),
        ([10, 10, 90], None),
        ([10, 10, 10, 10, 10, 10, 90, 99], 10),
        ([10, 10, 10, 10, 10, 90, 99], None),
    ],
)
def test_what_is_huge_stands_out_of_a_row(amounts: list[int], usual: int | None) -> None:
    """More than four times the middle one and twice the next, and at most one of four."""
    assert figures.largest_usual(amounts) == usual
