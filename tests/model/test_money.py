"""Money is an integer, and parts always add up to the whole."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.money import (
    apportion,
    exponent,
    half_even,
    split,
    to_minor,
    to_text,
    typed_amount,
)

AMOUNTS = st.integers(-(2**53) + 1, 2**53 - 1)
CURRENCIES = st.sampled_from(["USD", "EUR", "JPY", "KWD", "CLF"])


@given(AMOUNTS, CURRENCIES)
def test_text_and_minor_units_are_the_same_amount(amount: int, currency: str) -> None:
    """Writing an amount and reading it again gives the amount, in every exponent."""
    assert to_minor(Decimal(to_text(amount, currency)), currency) == amount


def test_exponents_are_the_standards() -> None:
    """ISO 4217 knows currencies of no, two, three and four digits."""
    assert [exponent(code) for code in ("JPY", "USD", "KWD", "CLF")] == [0, 2, 3, 4]


@given(AMOUNTS, st.lists(st.integers(0, 10**9)))
def test_a_split_adds_up(whole: int, weights: list[int]) -> None:
    """The parts of a split add up to the whole, above and below zero."""
    parts = split(whole, weights)

    assert len(parts) == len(weights)
    assert sum(parts) == (whole if weights else 0)


@given(AMOUNTS, st.lists(st.integers(1, 10**6), min_size=1))
def test_a_part_is_off_by_less_than_one(whole: int, weights: list[int]) -> None:
    """No part differs from its exact share by a unit or more."""
    exact = [Fraction(whole * weight, sum(weights)) for weight in weights]

    assert all(
        abs(part - share) < 1 for part, share in zip(split(whole, weights), exact, strict=True)
    )


@given(st.lists(AMOUNTS, min_size=1), st.integers(1, 12))
def test_means_add_up_to_the_mean_of_the_sum(totals: list[int], months: int) -> None:
    """Monthly parts add up to the monthly whole, which is rounded once."""
    whole = half_even(sum(totals), months)

    assert sum(apportion(whole, [Fraction(total, months) for total in totals])) == whole


@given(st.integers(-(10**6), 10**6), st.integers(1, 1000))
def test_half_even_is_pythons_rounding(numerator: int, denominator: int) -> None:
    """Rounding agrees with the standard library's exact rounding half to even."""
    assert half_even(numerator, denominator) == round(Fraction(numerator, denominator))


@pytest.mark.parametrize(
    ("typed", "currency", "amount"),
    [
        ("1840.25", "EUR", 184_025),
        ("1,840.25", "EUR", 184_025),
        ("1,840", "EUR", 184_000),
        ("1840.5", "EUR", 184_050),
        ("-3", "EUR", -300),
        ("1.840", "KWD", 1_840),
        ("1,840", "JPY", 1_840),
    ],
)
def test_an_amount_is_read_as_it_is_typed(typed: str, currency: str, amount: int) -> None:
    """A dot stands before decimals and commas between thousands, in every currency."""
    assert typed_amount(typed, currency, "The balance") == amount


@pytest.mark.parametrize(
    ("typed", "currency"),
    [("1.840", "EUR"), ("1840.250", "EUR"), ("1.8", "JPY"), ("1.8400", "KWD"), ("0.000", "USD")],
)
def test_a_dot_between_thousands_is_never_taken_for_decimals(typed: str, currency: str) -> None:
    """More decimals than a currency has are refused even where they are zeros, with what to write."""
    with pytest.raises(ValueError, match="thousands are written like 1,840 or 1840"):
        typed_amount(typed, currency, "The balance")
