"""Copies: a row that two sources each list once is asked about; equal rows of one source are two."""

from typing import Any

import pytest

from finplan.plan.pairing.duplicates import (
    Copy,
    PendingCharge,
    likely_duplicate_rows,
    likely_posted_pending,
)

BOUNDS = [("a", 20260901), ("a", 20260930), ("b", 20260901), ("b", 20260930)]


def _copy(number: int, day: int, origin: str, **more: Any) -> Copy:
    values = {"account": 1, "amount": -120_00, "payee": 1, "raw": "PLUMBER", "seen_in": frozenset()}
    return Copy(number=number, day=20260900 + day, origin=origin, **{**values, **more})


def _found(*copies: Copy) -> list[tuple[int, int]]:
    """What is found among copies in two sources that both cover September."""
    bounds = [
        Copy(100 + place, 1, day, place, 9, "BOUND", origin, frozenset())
        for place, (origin, day) in enumerate(BOUNDS)
    ]
    return [(one.number, other.number) for one, other in likely_duplicate_rows([*copies, *bounds])]


def test_a_row_dated_differently_by_two_sources() -> None:
    """One gives the day of booking, the other that of value."""
    assert _found(_copy(1, 5, "a"), _copy(2, 7, "b")) == [(1, 2)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (_copy(1, 5, "a"), _copy(2, 5, "a")),
        (_copy(1, 5, "a"), _copy(2, 9, "b")),
        (_copy(1, 5, "a"), _copy(2, 6, "b", amount=-121_00)),
        (_copy(1, 5, "a"), _copy(2, 6, "b", account=2)),
        (_copy(1, 5, "a", seen_in=frozenset({"b"})), _copy(2, 6, "b")),
        (_copy(1, 5, "a"), _copy(2, 6, "b", payee=2, raw="DENTIST")),
        (_copy(1, 5, "a"), _copy(2, 6, "c")),
    ],
    ids=["one source", "days apart", "amount", "account", "seen by both", "payee", "not covered"],
)
def test_what_is_no_copy(first: Copy, second: Copy) -> None:
    """Each condition alone is enough to leave two rows alone."""
    assert _found(first, second) == []


def test_a_row_is_in_one_pair_and_the_nearest_win() -> None:
    """Of three like rows the two nearest are asked about."""
    assert _found(_copy(1, 5, "a"), _copy(2, 8, "b"), _copy(3, 9, "a")) == [(2, 3)]


@pytest.mark.parametrize(
    ("day", "amount", "payee", "found"),
    [
        (5, -20_00, 1, True),
        (6, -27_00, 1, True),
        (6, -27_01, 1, False),
        (6, -19_99, 1, False),
        (13, -20_00, 1, False),
        (4, -20_00, 1, False),
        (6, -20_00, 2, False),
    ],
)
def test_a_pending_charge_that_posted(day: int, amount: int, payee: int, found: bool) -> None:
    """Up to a week later, as large or up to 35 % larger, at the same payee."""
    pending = PendingCharge(7, 1, 20260905, -20_00, 1)
    posted = _copy(1, day, "a", amount=amount, payee=payee)
    assert bool(likely_posted_pending([pending], [posted])) is found
