"""Scales: marks at round amounts, from one end to the other, written alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.pictures.plot import Scale, round_up, unit_of, written

LARGEST = 2**53 - 1
amounts = st.lists(st.integers(-LARGEST, LARGEST), min_size=1, max_size=9)


@given(amounts, st.sampled_from([1, 100, 1000]), st.booleans())
def test_every_amount_lies_between_the_ends(known: list[int], unit: int, from_zero: bool) -> None:
    """The ends are round and are marks, no amount lies beyond, and there are two to seven marks."""
    scale = (Scale.from_zero if from_zero else Scale.around)(known, unit)

    assert scale.low <= min(known) <= max(known) <= scale.high
    assert 2 <= len(scale.marks) <= 7
    assert (scale.marks[0], scale.marks[-1]) == (scale.low, scale.high)
    assert str(scale.step).rstrip("0") in {"1", "2", "5"}
    assert scale.low % scale.step == scale.high % scale.step == 0
    if from_zero:
        assert not scale.is_cut
    assert scale.place(scale.low, 10, 20) == 10
    assert scale.place(scale.high, 10, 20) == 20


@given(amounts, st.sampled_from(["USD", "JPY", "KWD", "CHF"]))
def test_no_two_marks_read_the_same(known: list[int], currency: str) -> None:
    """Marks are as many different texts, and none is longer than sixteen characters."""
    scale = Scale.around(known, unit_of(currency))
    texts = written(scale, currency)

    assert len(set(texts)) == len(scale.marks)
    assert max(map(len, texts)) <= 16


@pytest.mark.parametrize(
    ("known", "currency", "texts"),
    [
        ([0, 1_850_00], "USD", ["$0", "$500", "$1,000", "$1,500", "$2,000"]),
        ([0, 0], "CHF", ["CHF 0.00", "CHF 0.50", "CHF 1.00"]),
        ([-300_00, 100_00], "EUR", ["−€300", "−€200", "−€100", "€0", "€100"]),
        ([0, 41_000_00], "USD", ["$0", "$20K", "$40K", "$60K"]),
        ([0, 9_000_000], "JPY", ["¥0", "¥5M", "¥10M"]),
        ([0, 41_000_000], "JPY", ["¥0", "¥20M", "¥40M", "¥60M"]),
        ([0, 7], "USD", ["$0.00", "$0.50", "$1.00"]),
        ([5_000_00, 5_000_00], "USD", ["$0", "$2,000", "$4,000", "$6,000"]),
        ([90_000_00, 91_000_00], "USD", ["$90,000", "$90,500", "$91,000"]),
    ],
)
def test_marks_as_they_are_written(known: list[int], currency: str, texts: list[str]) -> None:
    """Round amounts in the household's currency, short where they are large."""
    assert written(Scale.around(known, unit_of(currency)), currency) == texts


def test_nothing_is_on_the_scale_unless_it_is_far() -> None:
    """What moves by half of its size or more is drawn from nothing, the rest from near it."""
    assert not Scale.around([200, 300], 1).is_cut
    assert Scale.around([201, 300], 1).is_cut
    assert Scale.around([-300, -201], 1).is_cut
    assert not Scale.around([-300, -200], 1).is_cut


@given(st.integers(-5, 10**20))
def test_rounding_up(size: int) -> None:
    """The result is 1, 2 or 5 times a power of ten, no smaller, and the next smaller one would be."""
    rounded = round_up(size)
    assert rounded >= size
    before = rounded * 2 // 5 if str(rounded)[0] == "5" else rounded // 2
    assert before < size or rounded == 1
