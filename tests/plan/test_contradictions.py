"""Stated balances and the rows between them: said to disagree only where nothing else explains it."""

from collections.abc import Mapping, Sequence
from datetime import date

import pytest

from finplan.plan.sections.standing import contradictions
from tests.plan.households import Household, household

COVERED = [("2025-01-01", "2025-03-31"), ("2025-06-01", "2025-07-31")]
OLDEST = 20240100


def _home(
    stated: Mapping[str, int], rows: Sequence[tuple[str, int]] = (), kind: str = "checking"
) -> Household:
    """An account covered for two spans, with charges by day, and with balances that statements state."""
    home = household()
    getattr(home, kind)("account", covered=COVERED, balance=7_00)
    home.charge("2025-02-10", "SHOP", 10_00, "groceries")
    for day, amount in rows:
        home.charge(day, "CAFE", amount, "dining")
    for day, balance in stated.items():
        home.recorded_balance("account", day, balance, stated=True)
    return home


def _missing(home: Household, oldest: int = OLDEST) -> list[int]:
    return [each.missing for each in contradictions(home.ledger(), oldest)]


@pytest.mark.parametrize(
    ("kind", "balance", "missing"),
    [
        ("checking", 90_00, []),
        ("checking", 89_00, [-1_00]),
        ("checking", 91_00, [1_00]),
        ("card", 110_00, []),
        ("card", 109_00, [1_00]),
        ("loan", 109_00, []),
        ("savings", 99_00, [9_00]),
    ],
)
def test_a_balance_follows_from_the_one_before(kind: str, balance: int, missing: list[int]) -> None:
    """The rows between two stated balances explain the later; what is owed goes the other way.

    A loan's balance moves by interest that no row tells of.
    """
    home = _home({"2025-01-31": 100_00, "2025-02-28": balance}, kind=kind)
    assert _missing(home) == missing


def test_across_a_hole_nothing_is_compared() -> None:
    """Missing statements explain any difference; within each span balances are compared."""
    stated = {"2025-03-30": 100_00, "2025-06-01": 1_00, "2025-07-31": 2_00}
    assert _missing(_home(stated)) == [1_00]


def test_only_statements_contradict_each_other() -> None:
    """What the person says of a day is no statement."""
    home = _home({"2025-01-31": 100_00, "2025-03-31": 90_00})
    home.recorded_balance("account", "2025-02-28", 1_00)
    assert _missing(home) == []


@pytest.mark.parametrize("oldest", [20250131, 20250201])
def test_old_balances_are_left_alone(oldest: int) -> None:
    """A balance before the oldest day is not compared."""
    home = _home({"2025-01-31": 100_00, "2025-02-28": 1_00})
    assert bool(_missing(home, oldest)) is (oldest == 20250131)


@pytest.mark.parametrize(
    ("rows", "balance", "missing"),
    [
        ([("2025-02-28", 5_00)], 85_00, []),
        ([("2025-02-28", 5_00)], 90_00, []),
        ([("2025-02-28", 5_00)], 84_00, [-1_00]),
        ([("2025-02-28", 5_00), ("2025-02-28", 3_00)], 87_00, []),
        ([("2025-01-31", 5_00)], 90_00, []),
        ([("2025-01-31", 5_00)], 85_00, []),
        ([("2025-01-31", 5_00)], 95_00, [5_00]),
        ([("2025-02-27", 5_00)], 90_00, [5_00]),
        ([("2025-02-01", 5_00)], 90_00, [5_00]),
        ([("2025-02-28", 1_00 + place) for place in range(10)], 1_00, [-78_55]),
        ([("2025-02-28", 1_00 + place) for place in range(11)], 1_00, []),
    ],
)
def test_rows_of_the_day_of_a_balance_may_count_in_it_or_not(
    rows: list[tuple[str, int]], balance: int, missing: list[int]
) -> None:
    """A balance may have been fetched in the middle of its day, before some of that day's rows."""
    assert _missing(_home({"2025-01-31": 100_00, "2025-02-28": balance}, rows)) == missing


def test_accounts_that_no_total_holds_are_left_alone() -> None:
    """The rows of an account in another currency or of a hidden one are not known here."""
    home = _home({"2025-01-31": 100_00, "2025-02-28": 1_00})
    for name, details in (("francs", {"currency": "CHF"}), ("hidden", {"hidden": True})):
        home.checking(name, covered=("2025-01-01", date(2025, 12, 31)), **details)
        for day in ("2025-01-31", "2025-02-28"):
            home.recorded_balance(name, day, int(day[-2:]), stated=True)
    assert [each.account.name for each in contradictions(home.ledger(), OLDEST)] == ["account"]
