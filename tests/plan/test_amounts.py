"""What amounts tell: the usual one, whether it is steady, where it stepped."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.ledger.amounts import (
    amount_clusters,
    comparable,
    expected_amount,
    is_steady,
    latest_step,
    median,
    mostly_within,
    spread_within,
)

amounts = st.lists(st.integers(1, 10_000_00), min_size=1, max_size=60)


@given(amounts)
def test_the_median_has_as_many_below_as_above(values: list[int]) -> None:
    """Half of the values lie on each side, and of an even number it is the mean of the middle two."""
    middle = median(values)
    ordered = sorted(values)
    pair = (ordered[(len(values) - 1) // 2], ordered[len(values) // 2])
    assert abs(Fraction(sum(pair), 2) - middle) <= Fraction(1, 2)


@given(amounts)
def test_the_usual_amount_is_one_that_the_series_spans(values: list[int]) -> None:
    """Nothing is expected that lies outside of what was seen."""
    assert min(values) <= expected_amount(values) <= max(values)


@given(st.integers(1, 10_000_00), st.integers(1, 40))
def test_a_fixed_amount_is_steady_and_usual(amount: int, times: int) -> None:
    """One amount that never changes is the usual one, and has no step."""
    values = [amount] * times
    assert expected_amount(values) == amount
    assert is_steady(values)
    assert latest_step(values) is None


@given(st.integers(100, 1000_00), st.integers(102, 149), st.integers(2, 30), st.integers(1, 30))
def test_a_step_between_two_fixed_amounts_is_found(
    before: int, percent: int, times: int, again: int
) -> None:
    """The place of the first new amount is told, and the new amount is the usual one."""
    after = before * percent // 100
    values = [before] * times + [after] * again
    if again <= 22:
        assert latest_step(values) == times
    assert expected_amount(values) == after


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([10_00, 10_00, 15_00, 10_00, 10_00], None),
        ([10_00, 12_00], None),
        ([10_00, 10_00, 10_00, 25_00], None),
        ([10_00, 10_00, 25_00, 25_00], 2),
        ([10_00, 10_00, 12_00, 12_00, 14_00, 14_00], 4),
        ([100_00, 100_00, 100_50, 100_00], None),
        ([80_00, 60_00, 95_00, 41_00, 41_00], None),
    ],
)
def test_only_a_lasting_change_of_a_fixed_amount_is_a_step(
    values: list[int], step: int | None
) -> None:
    """One odd charge, a first price, a bonus, a cent of exchange or a varying bill is none."""
    assert latest_step(values) == step


def test_a_varying_amount_is_expected_in_the_middle_of_the_last_six() -> None:
    """Where nothing is fixed, the median of the last six is usual."""
    assert expected_amount([9_00, 90_00, 10_00, 20_00, 30_00, 40_00, 50_00, 60_00]) == 35_00


def test_an_odd_last_amount_is_usual_when_it_came_twice() -> None:
    """A bonus is not expected again, a new level is."""
    assert expected_amount([20_00] * 10 + [60_00]) == 20_00
    assert expected_amount([20_00] * 10 + [60_00] * 2) == 60_00


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([20_00, 30_00, 10_00, 10_00, 10_00], 10_00),
        ([20_00, 30_00, 10_00, 10_00, 10_05], 10_05),
        ([20_00, 30_00, 10_00, 10_00, 10_20], 10_20),
        ([20_00, 30_00, 26_00, 10_00, 10_00], 20_00),
        ([10_00, 10_00, 12_00], 12_00),
        ([10_00, 11_00, 12_00], 11_00),
    ],
)
def test_the_last_amount_is_expected_when_it_is_held_or_follows_one_step(
    values: list[int], expected: int
) -> None:
    """Three equal amounts within 1 % are a price; two after amounts that vary are none."""
    assert expected_amount(values) == expected


def test_one_charge_may_be_enough_before_a_step() -> None:
    """What is renewed yearly has one price a year."""
    assert expected_amount([1_140_00, 1_218_00], least_before=1) == 1_218_00
    assert latest_step([1_140_00, 1_218_00], least_before=1) == 1
    assert expected_amount([1_140_00, 1_218_00]) == 1_179_00


def test_spread_is_measured_at_the_middle() -> None:
    """One odd amount among many does not make a fixed price a varying one."""
    assert spread_within([10_00] * 9 + [99_00], 5)
    assert not spread_within([10_00, 14_00, 20_00, 9_00, 13_00], 5)


@given(amounts)
def test_groups_of_near_amounts_hold_every_amount_once(values: list[int]) -> None:
    """Groups do not overlap, and neighbours of two groups are a quarter apart."""
    bounds = amount_clusters(values)
    for value in values:
        assert sum(low <= value <= high for low, high in bounds) == 1
    for (_, below), (above, _) in pairwise(bounds):
        assert above * 4 > below * 5


def test_amounts_are_comparable_within_one_half() -> None:
    """Ten and fifteen may be one price at two times, ten and sixteen may not."""
    assert comparable(10_00, 15_00)
    assert comparable(15_00, 10_00)
    assert not comparable(10_00, 15_01)


def test_one_amount_in_five_may_be_an_exception() -> None:
    """A bill that varies has odd months, but of four charges none may be odd."""
    assert mostly_within([100, 92, 108, 103, 900], 20)
    assert not mostly_within([100, 92, 108, 900], 20)
    assert not mostly_within([100, 92, 108, 103, 900, 700], 20)
