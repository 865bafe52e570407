"""Net worth of days before missing statements: what was stated then, and nothing in the hole."""

from datetime import date

import pytest

from finplan.plan.sections.wealth import wealth
from tests.plan.households import Household, household

TODAY = date(2025, 12, 10)


def _home(kind: str = "checking", *, stated: dict[str, int] | None = None) -> Household:
    """Statements to February and from July on, 100.00 out each month, and 2,500.00 today."""
    spans = [("2024-10-01", "2025-02-28"), ("2025-07-01", "2025-12-10")]
    home = household()
    add = home.card if kind == "card" else home.checking
    add("account", covered=spans, balance=2500_00)
    for month in ("2024-10", "2024-11", "2024-12", "2025-01", "2025-02", "2025-07", "2025-08",
                  "2025-09", "2025-10", "2025-11"):  # fmt: skip
        home.charge(f"{month}-15", "SHOP", 100_00, "groceries")
    for day, balance in (stated or {}).items():
        home.recorded_balance("account", day, balance)
    return home


def _points(home: Household) -> dict[str, int]:
    return {f"{point.date}": point.net_worth for point in wealth(home.ledger(), TODAY).history}


def test_a_hole_has_no_point_and_each_side_its_balance() -> None:
    """Days before the hole follow from what was stated there, days behind it from today's balance."""
    points = _points(_home(stated={"2025-02-28": 7000_00}))
    assert points["2025-12-10"] == 2500_00
    assert points["2025-10-31"] == 2600_00
    assert points["2025-07-31"] == 2900_00
    assert not {"2025-03-31", "2025-04-30", "2025-05-31", "2025-06-30"} & points.keys()
    assert points["2025-02-28"] == 7000_00
    assert points["2025-01-31"] == 7100_00
    assert points["2024-10-31"] == 7400_00


def test_a_balance_in_the_middle_tells_both_directions() -> None:
    """Rows before a stated balance are taken back from it, later ones are added to it."""
    points = _points(_home(stated={"2024-12-31": 5000_00}))
    assert points["2025-02-28"] == 4800_00
    assert points["2024-11-30"] == 5100_00


@pytest.mark.parametrize(("day", "points"), [("2024-10-01", True), ("2024-09-30", False)])
def test_a_balance_of_the_first_covered_day_counts(day: str, points: bool) -> None:
    """The end of the first day of the statements belongs to them, the day before does not."""
    assert ("2025-02-28" in _points(_home(stated={day: 7000_00}))) is points


def test_rows_before_all_statements_are_taken_back_too() -> None:
    """Rows that lie before the first statement move the balance as those within do."""
    home = _home(stated={"2024-10-31": 7000_00})
    home.charge("2024-09-10", "SHOP", 100_00, "groceries")
    assert _points(home)["2024-09-30"] == 7100_00


def test_of_balances_that_disagree_the_later_holds() -> None:
    """Without a hole between them the later one tells all days of its statements."""
    points = _points(_home(stated={"2024-10-31": 1_00, "2025-01-31": 6000_00, "2025-11-30": 9_00}))
    assert points["2024-10-31"] == 6300_00
    assert points["2025-08-31"] == 2800_00


@pytest.mark.parametrize("day", ["2025-03-01", "2025-05-10", "2025-07-01"])
def test_without_a_balance_before_the_hole_nothing_is_drawn_there(day: str) -> None:
    """A balance of the hole, or of behind it, says nothing of the days before."""
    points = _points(_home(stated={day: 7000_00}))
    assert min(points) == "2025-07-31"


def test_what_is_owed_goes_up_with_charges() -> None:
    """On a card the balance grows by what goes out."""
    points = _points(_home("card", stated={"2024-12-31": 5000_00}))
    assert points["2025-02-28"] == -5200_00
    assert points["2024-11-30"] == -4900_00


def test_a_trifling_account_with_a_hole_hides_no_point() -> None:
    """An account that hardly moves anything is told by its rows as far as they go."""
    home = household().checking(covered=("2024-10-01", "2025-12-10"), balance=1000_00)
    for month in range(1, 12):
        home.charge(f"2025-{month:02d}-15", "SHOP", 1000_00, "groceries")
    spans = [("2024-10-01", "2025-02-28"), ("2025-07-01", "2025-12-10")]
    home.savings("pocket", covered=spans, balance=10_00).charge(
        "2025-01-15", "FEE", 1_00, "groceries"
    )
    points = _points(home)
    assert points["2025-04-30"] == 1000_00 + 7 * 1000_00 + 10_00


def test_of_a_day_with_two_balances_the_later_word_holds() -> None:
    """Whichever is larger: what was said last of a day is its balance."""
    for words in ((7000_00, 6000_00), (6000_00, 7000_00)):
        home = _home()
        for balance in words:
            home.recorded_balance("account", "2025-02-28", balance)
        assert _points(home)["2025-02-28"] == words[1]
