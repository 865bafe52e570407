"""Costs to be repaid: the oldest is settled first."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.sections.reimbursements import OutstandingReimbursement, outstanding_reimbursement
from tests.plan.households import Household, household

TODAY = date(2026, 1, 10)


def found(home: Household, age: int = 0) -> OutstandingReimbursement | None:
    return outstanding_reimbursement(home.ledger(), home.books(TODAY), TODAY, age)


def spent(*costs: tuple[str, int]) -> Household:
    home = household().checking(covered=("2025-01-01", TODAY))
    for day, amount in costs:
        home.charge(day, "CONFERENCE", amount, "work_expenses")
    return home


def test_money_back_settles_the_oldest_cost_first() -> None:
    """300 back of 200 in May and 400 in June: 300 of June is left."""
    home = spent(("2025-05-01", 200_00), ("2025-06-01", 400_00))
    home.credit("2025-07-01", "CONFERENCE", 300_00)
    assert found(home) == OutstandingReimbursement(300_00, date(2025, 6, 1))


def test_an_advance_settles_what_comes_later() -> None:
    """Money that came first pays the costs that follow."""
    home = household().checking(covered=("2025-01-01", TODAY))
    home.credit("2025-04-01", "EMPLOYER", 500_00, "work_expenses")
    home.charge("2025-05-01", "CONFERENCE", 600_00, "work_expenses")
    assert found(home) == OutstandingReimbursement(100_00, date(2025, 5, 1))


def test_recent_costs_are_not_outstanding_yet() -> None:
    """Only what is older than the age asked for counts."""
    home = spent(("2025-11-01", 200_00), ("2026-01-05", 400_00))
    assert found(home, 30) == OutstandingReimbursement(200_00, date(2025, 11, 1))
    assert found(spent(("2026-01-05", 400_00)), 30) is None


def test_costs_from_before_the_window_are_history() -> None:
    """Nobody is asked for ever about a cost of three years ago."""
    home = spent(("2022-05-01", 200_00))
    assert found(home.charge("2025-12-30", "SHOP", 5_00, "shopping")) is None


@given(st.lists(st.integers(-500_00, 500_00).filter(bool), max_size=12))
def test_outstanding_is_what_went_out_less_what_came_back(amounts: list[int]) -> None:
    """However costs and repayments alternate, what is left is out - back, unless more came back."""
    home = household().checking(covered=("2025-01-01", TODAY))
    home.payee("CONFERENCE", "work_expenses")
    for place, amount in enumerate(amounts):
        day = date(2025, 3, 1 + place)
        if amount < 0:
            home.charge(day, "CONFERENCE", -amount)
        else:
            home.credit(day, "CONFERENCE", amount)
    left = found(home)
    assert (left.amount if left else 0) == max(0, -sum(amounts))
