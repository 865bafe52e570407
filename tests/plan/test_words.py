"""Figures are written as the person would write them."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.plan import words

TODAY = date(2026, 1, 10)


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (184_000, "USD", "$1,840"),
        (1_499, "USD", "$14.99"),
        (1_500, "USD", "$15"),
        (10_050, "USD", "$100"),
        (9_999, "USD", "$99.99"),
        (-12_345_67, "USD", "−$12,346"),
        (0, "USD", "$0"),
        (184_000, "JPY", "¥184,000"),
        (99, "JPY", "¥99"),
        (184_000, "CHF", "CHF\N{NO-BREAK SPACE}1,840"),
        (1_250, "KWD", "KWD\N{NO-BREAK SPACE}1.250"),
        (5, "EUR", "€0.05"),
    ],
)
def test_money_is_whole_from_a_hundred_on(amount: int, currency: str, text: str) -> None:
    """Cents are shown below a hundred only, and only when there are any."""
    assert words.money(amount, currency) == text


@given(st.integers(-(10**12), 10**12))
def test_money_never_strays_by_more_than_half_a_unit(amount: int) -> None:
    """What is read back from the text differs from the amount by half a unit at most."""
    text = words.money(amount, "USD").replace("$", "").replace(",", "").replace("−", "-")
    assert abs(round(float(text) * 100) - amount) <= 50


def test_days_and_months_say_the_year_only_when_it_is_another() -> None:
    """A day of this year needs no year."""
    assert words.day(date(2026, 4, 3), TODAY) == "3 April"
    assert words.day(date(2025, 12, 31), TODAY) == "31 December 2025"
    assert words.month(date(2026, 4, 3), TODAY) == "April"
    assert words.month(date(2025, 4, 3), TODAY) == "April 2025"


def test_two_days_of_two_years_both_have_a_year() -> None:
    """Nobody may read that a span ends before it begins."""
    today = date(2026, 11, 29)
    assert (
        words.days(date(2025, 7, 1), date(2026, 6, 30), today) == "from 1 July 2025 to 30 June 2026"
    )
    assert words.days(date(2026, 3, 1), date(2026, 6, 30), today) == "from 1 March to 30 June"
    assert (
        words.days(date(2025, 3, 1), date(2025, 6, 30), today)
        == "from 1 March 2025 to 30 June 2025"
    )


def test_percent_never_says_zero_for_something() -> None:
    """A share that rounds to nothing is less than one percent, and nothing is 0%."""
    assert words.percent(62, 100) == "62%"
    assert words.percent(1, 1000) == "less than 1%"
    assert words.percent(0, 100) == "0%"
    assert words.percent(5, 0) == "0%"


def test_counts_lists_and_spans_read_as_sentences() -> None:
    """One thing, several things, names in a row, and long times in years."""
    assert words.count(1, "charge") == "1 charge"
    assert words.count(1200, "charge") == "1,200 charges"
    assert words.count(2, "entry", "entries") == "2 entries"
    assert words.listed([]) == ""
    assert words.listed(["A"]) == "A"
    assert words.listed(["A", "B", "C"]) == "A, B and C"
    assert words.span(1) == "1 month"
    assert words.span(24) == "24 months"
    assert words.span(36) == "about 3 years"
    assert words.span(42) == "about 3½ years"


@pytest.mark.parametrize(
    ("months", "text"),
    [
        (Fraction(1, 9), "less than a week"),
        (Fraction(1, 4), "about 1 week"),
        (Fraction(299, 100), "about 12 weeks"),
        (Fraction(3), "3 months"),
        (Fraction(1199, 100), "11 months"),
        (Fraction(24), "24 months"),
        (Fraction(2499, 100), "24 months"),
        (Fraction(25), "about 2 years"),
        (Fraction(359, 10), "about 2 years"),
        (Fraction(36), "about 3 years"),
    ],
)
def test_what_lasts_is_never_rounded_up(months: Fraction, text: str) -> None:
    """Who counts on money for a time is told of no day too many, in weeks below three months."""
    assert words.lasting(months) == text
