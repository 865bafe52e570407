"""Two accounts are likely one where most rows of their common days are the same."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.pairing.repetition import DatedAmount, Repetition, count_repeated


def _day(place: int) -> int:
    return int(f"{date(2026, 2, 20) + timedelta(place):%Y%m%d}")


def _rows(count: int, *, first: int = 0, cents: int = 0, shift: int = 0) -> list[DatedAmount]:
    """A row a day of ever other amounts; `cents` makes them those of another account."""
    return [(_day(place + shift), -100 * place - cents) for place in range(first, first + count)]


def test_common_days_are_those_that_both_cover() -> None:
    """Rows before the later beginning and after the earlier end are not compared."""
    seen = count_repeated(_rows(20), _rows(20, first=12))
    assert seen == Repetition(8, 8, 8, 0, 8, 8, _day(12), _day(19))
    assert count_repeated(_rows(5), _rows(5, first=5)) == Repetition(since=_day(5), until=_day(4))
    assert count_repeated([], _rows(5)) == Repetition()


@pytest.mark.parametrize(("shift", "near"), [(1, 17), (3, 13), (4, 0)])
def test_days_may_be_three_apart(shift: int, near: int) -> None:
    """Equal amounts pair over three days at most, also across the end of a month."""
    whole = [*_rows(1, cents=7), *_rows(18), *_rows(1, first=18, cents=7)]
    moved = _rows(18, shift=shift)
    seen = count_repeated(whole, moved)
    assert (seen.same, seen.near) == (0, near)


def test_a_row_pairs_once() -> None:
    """Two rows of one side never pair with one row of the other."""
    ours = [(_day(1), -5), (_day(1), -5), (_day(2), -5), (_day(9), -1)]
    theirs = [(_day(1), -5), (_day(3), -5), (_day(9), -1)]
    seen = count_repeated(ours, theirs)
    assert (seen.same, seen.near, seen.shared) == (2, 1, 3)


@pytest.mark.parametrize(
    ("seen", "likely"),
    [
        (Repetition(3, 3, same=3, amounts=3, all_amounts=3), True),
        (Repetition(3, 3, same=3, amounts=2, all_amounts=2), False),
        (Repetition(2, 2, same=2, amounts=3, all_amounts=3), False),
        (Repetition(10, 16, same=8, amounts=3, all_amounts=3), True),
        (Repetition(10, 16, same=7, amounts=3, all_amounts=3), False),
        (Repetition(10, 17, same=8, amounts=3, all_amounts=3), False),
        (Repetition(17, 10, same=8, amounts=3, all_amounts=3), False),
        (Repetition(10, 10, same=2, near=6, amounts=2, all_amounts=6), True),
        (Repetition(10, 10, same=2, near=6, amounts=2, all_amounts=5), False),
        (Repetition(10, 10, same=2, near=5, amounts=2, all_amounts=6), False),
    ],
)
def test_what_is_likely(seen: Repetition, likely: bool) -> None:
    """Three rows and amounts, four fifths of the fewer, half of the more; six amounts for other days."""
    assert seen.is_likely == likely


@pytest.mark.parametrize(
    ("seen", "nearly"),
    [
        (Repetition(20, 20, same=19, all_amounts=6), True),
        (Repetition(20, 20, same=10, near=9, all_amounts=6), True),
        (Repetition(20, 20, same=18, all_amounts=6), False),
        (Repetition(19, 21, same=19, all_amounts=6), False),
        (Repetition(20, 20, same=20, all_amounts=5), False),
    ],
)
def test_what_is_nearly_all(seen: Repetition, nearly: bool) -> None:
    """Nineteen of twenty rows of the side that has more, and six amounts."""
    assert seen.is_nearly_all == nearly


dated = st.lists(st.tuples(st.integers(0, 40).map(_day), st.integers(1, 4)), max_size=40)


@given(ours=dated, theirs=dated)
def test_both_sides_see_the_same(ours: list[DatedAmount], theirs: list[DatedAmount]) -> None:
    """Which side is ours changes nothing, no row pairs twice, and equal sides share every row."""
    seen, back = count_repeated(ours, theirs), count_repeated(theirs, ours)
    assert (seen.same, seen.near, seen.amounts) == (back.same, back.near, back.amounts)
    assert seen.shared <= min(seen.ours, seen.theirs)
    whole = count_repeated(ours, ours)
    assert (whole.same, whole.near) == (len(ours), 0)
