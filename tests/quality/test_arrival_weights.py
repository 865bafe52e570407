"""The weights of a probability: fitted alike each time, and right on what they were fitted to."""

from math import exp, log

import pytest

from benchmarks.quality.arrival import fitted
from benchmarks.quality.calibration import comes_true, coming_of, is_as_large, is_on_its_day
from benchmarks.quality.chain import expected_of
from benchmarks.quality.world.household import household


def test_weights_are_the_log_odds_of_what_was_seen() -> None:
    """Of a hundred with a sign 80 came, of a hundred without it half: its weight says so."""
    seen = [({"always": 1}, place < 50) for place in range(100)]
    seen += [({"always": 1, "sign": 1}, place < 80) for place in range(100)]
    weights = fitted(seen)
    assert weights["always"] == pytest.approx(0, abs=0.06)
    assert weights["sign"] == pytest.approx(log(4), abs=0.15)
    together = 1 / (1 + exp(-weights["always"] - weights["sign"]))
    assert together == pytest.approx(0.8, abs=0.02)


def test_a_sign_that_was_hardly_seen_gets_little() -> None:
    """One charge is no evidence, whichever way it went."""
    seen = [({"always": 1}, place < 50) for place in range(100)]
    assert 0 < fitted([*seen, ({"always": 1, "once": 1}, True)])["once"] < 0.5


def test_what_was_expected_of_a_household_is_held_against_what_came() -> None:
    """A claim comes true when its next charge is on its day and as large."""
    made = household(1000, "noisy")
    expected = expected_of(made)
    assert len(expected) > 5
    for series, claim in expected:
        assert series.signs is not None
        coming = coming_of(made, claim)
        is_true = coming is not None and is_on_its_day(claim, coming) and is_as_large(claim, coming)
        assert comes_true(made, claim) == is_true
