"""Rows of equal amounts pair with the nearest that is left, however many are equal."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial

from hypothesis import example, given
from hypothesis import strategies as st

from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.repetition import DAYS_APART, DatedAmount, pair_nearest
from tests.steps import growth


def _day(place: int) -> int:
    return int(f"{date(2026, 2, 20) + timedelta(place):%Y%m%d}")


def _looked_through(ours: list[DatedAmount], theirs: list[DatedAmount]) -> list[tuple[int, int]]:
    """The same by looking at every pair, the nearest first."""
    near = sorted(
        (abs(ORDINAL[day] - ORDINAL[other_day]), one, other)
        for one, (day, amount) in enumerate(ours)
        for other, (other_day, other_amount) in enumerate(theirs)
        if amount == other_amount and abs(ORDINAL[day] - ORDINAL[other_day]) <= DAYS_APART
    )
    found: list[tuple[int, int]] = []
    for _, one, other in near:
        if all(one != taken and other != other_taken for taken, other_taken in found):
            found.append((one, other))
    return found


dated = st.lists(st.tuples(st.integers(0, 12).map(_day), st.integers(1, 3)), max_size=25)


@example(ours=[(_day(5), 1)], theirs=[(_day(6), 1), (_day(4), 1)])
@example(ours=[(_day(5), 1)], theirs=[(_day(4), 1), (_day(6), 1)])
@given(ours=dated, theirs=dated)
def test_the_nearest_pair_first(ours: list[DatedAmount], theirs: list[DatedAmount]) -> None:
    """Pairs are those that looking through all of them finds, in that order."""
    assert pair_nearest(ours, theirs) == _looked_through(ours, theirs)


def _crowd(size: int) -> Callable[[], object]:
    """Pairing rows of one amount within nine days, so many on either side."""
    ours = [(_day(place % 7), -2_90) for place in range(size)]
    theirs = [(_day(place % 7 + 2), -2_90) for place in range(size)]
    return partial(pair_nearest, ours, theirs)


def test_equal_rows_take_steps_by_their_number() -> None:
    """Of rows all alike four times as many take about four times the steps, not sixteen."""
    assert growth(_crowd, 500) < 5
