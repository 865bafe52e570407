"""What is safe to spend counts pending charges, and its explanation lists them."""

from datetime import date

import pytest

from finplan.model.explain import Explanation
from finplan.plan.explain.sections import explain
from tests.plan.households import Household, household, monthly
from tests.plan.typical import assessed, live

TODAY = date(2026, 1, 10)


def at_home() -> Household:
    """Pay on the 28th, and a dinner on the day before today that is booked."""
    home = household().checking(balance=3_000_00, covered=("2025-01-01", TODAY))
    home.credits(monthly("2025-01-28", 12), "ACME", 3_000_00, "wages")
    home.charges(
        ["2025-03-04", "2025-07-21", "2025-09-13"], "BISTRO", [41_00, 72_00, 55_00], "dining"
    )
    return home.charge("2026-01-09", "BISTRO", 38_00)


def explained(home: Household) -> Explanation:
    return explain(assessed(home, TODAY), None, "allowance")


def listed(home: Household) -> int:
    """What the rows that are listed come to, positive when money went out."""
    return -sum(row.amount for row in explained(home).transactions)


@pytest.mark.parametrize("category", ["dining", "shopping", "uncategorized"])
def test_the_rows_come_to_what_is_spent(category: str) -> None:
    """A pending charge counts as spent, of whatever category, and is among the rows."""
    home = at_home().charge("2026-01-10", "SHOP", 61_00, category, pending=True)
    assert listed(home) == live(home, TODAY).allowance.breakdown.spent == 38_00 + 61_00
    said = "What is spent holds 1 pending charge of $61, listed with the others."
    assert said in explained(home).reasons


def test_only_what_counts_is_listed() -> None:
    """Money that is to come in, essentials, and what lies before the period are no spent rows."""
    home = at_home().credit("2026-01-10", "BISTRO", 20_00, pending=True)
    home.charge("2026-01-10", "LANDLORD", 900_00, "rent", pending=True)
    home.charge("2025-12-27", "BISTRO", 44_00, pending=True)
    home.charge("2026-01-11", "BISTRO", 45_00, pending=True)
    assert listed(home) == live(home, TODAY).allowance.breakdown.spent == 38_00
    assert "pending" not in " ".join(explained(home).reasons)


def test_a_pending_charge_of_the_first_and_of_the_last_day_is_listed() -> None:
    """The period begins with the payday and goes on to today."""
    home = at_home()
    for day in ("2025-12-28", "2026-01-10"):
        home.charge(day, "BISTRO", 44_00, pending=True)
    assert listed(home) == live(home, TODAY).allowance.breakdown.spent == 38_00 + 88_00


def test_the_command_for_the_rest_lists_pending_rows_too() -> None:
    """Where more rows feed the figure than are shown, the command leaves none of them out."""
    home = at_home()
    for cents in range(12):
        home.charge("2026-01-10", "SHOP", 10_00 + cents, "shopping", pending=True)
    rest = explained(home).more
    assert rest is not None
    assert rest.count == 3
    assert rest.command.startswith("finplan transactions --from 2025-12-28 --to 2026-01-10 ")
    elsewhere = explain(assessed(home, TODAY), None, "wages").more
    assert elsewhere is not None
    assert elsewhere.command.startswith("finplan transactions --posted ")
