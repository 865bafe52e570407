"""Rows from elsewhere that a bank lists too: each is one at most, the nearest of its amount first."""

from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.pairing.repetition import ComparedRow, joined_rows


def test_the_nearest_day_then_the_payee() -> None:
    """A row is another one of its amount up to three days apart."""
    present = {1: ComparedRow(1, 20260610, -500), 2: ComparedRow(2, 20260611, -500)}
    assert joined_rows({"a": ComparedRow(9, 20260611, -500)}, present) == {"a": 2}
    assert joined_rows({"a": ComparedRow(9, 20260607, -500)}, present) == {"a": 1}
    assert joined_rows({"a": ComparedRow(9, 20260606, -500)}, present) == {}
    assert joined_rows({"a": ComparedRow(9, 20260610, -501)}, present) == {}
    twins = {1: ComparedRow(1, 20260610, -500), 2: ComparedRow(2, 20260610, -500)}
    assert joined_rows({"a": ComparedRow(2, 20260610, -500)}, twins) == {"a": 2}


_rows = st.lists(
    st.builds(
        ComparedRow, st.integers(1, 2), st.integers(20260601, 20260612), st.sampled_from([-5, -6])
    ),
    max_size=8,
)


@given(_rows, _rows)
def test_what_happened_twice_stays_twice(
    listed: list[ComparedRow], there: list[ComparedRow]
) -> None:
    """No row is two, amounts agree, and equal rows of a day pair up as far as both sides have them."""
    found = joined_rows(dict(enumerate(listed)), dict(enumerate(there)))
    assert len(set(found.values())) == len(found)
    assert all(listed[one].amount == there[other].amount for one, other in found.items())
    for row in listed:
        same = [one for one, each in enumerate(listed) if each[1:] == row[1:]]
        others = [each for each in there if each[1:] == row[1:]]
        assert sum(one in found for one in same) >= min(len(same), len(others))
