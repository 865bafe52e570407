"""Fees are told by their own kind, which their rows name."""

import pytest

from finplan.model.plan import Action
from finplan.plan.advise.fees import kind_of_fee
from finplan.plan.build import build_plan
from finplan.plan.ledger.ledger import LedgerPayee
from tests.plan.advised import TODAY, steady
from tests.plan.households import Household, every, household, monthly


def said(home: Household) -> Action | None:
    actions = build_plan(home.ledger(), TODAY).actions
    return next((each for each in actions if each.kind == "avoid_fees"), None)


def charged(name: str, times: int, amount: int, home: Household | None = None) -> Household:
    return (home or steady()).charges(monthly("2025-02-12", times), name, amount, "interest_fees")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("OVERDRAFT FEE", "overdraft"),
        ("NSF Returned Item Fee", "overdraft"),
        ("UNARRANGED BORROWING FEE", "overdraft"),
        ("NON-NETWORK ATM FEE", "cash machine"),
        ("Cash machine charge", "cash machine"),
        ("FOREIGN TRANSACTION FEE", "foreign transaction"),
        ("NON-STERLING CASH FEE", "foreign transaction"),
        ("International ATM fee", "foreign transaction"),
        ("LATE FEE", "late payment"),
        ("PAST DUE FEE", "late payment"),
        ("PAYDAY LOAN FEE", "payday loan"),
        ("CASH ADVANCE INTEREST", "cash advance"),
        ("MONTHLY MAINTENANCE FEE", "account"),
        ("TRANSLATION FEE", "bank"),
        ("Gebuehr", "bank"),
    ],
)
def test_a_fee_is_of_the_kind_that_its_row_names(name: str, kind: str) -> None:
    """A word decides where it begins one; a row without such words is a fee of the bank."""
    assert kind_of_fee(LedgerPayee(name.lower(), name, "x", "x", {})).name == kind


def test_the_key_of_a_payee_names_the_kind_too() -> None:
    """A payee that is called by its bank keeps the words of its rows in its key."""
    payee = LedgerPayee("first bank overdraft", "First Bank", "x", "x", {})
    assert kind_of_fee(payee).name == "overdraft"


def test_advice_is_of_the_kind_that_takes_most() -> None:
    """Several kinds are one action: each with its sum, and the step that avoids the largest."""
    home = charged("FOREIGN TRANSACTION FEE", 3, 8_00, charged("OVERDRAFT FEE", 2, 35_00))
    found = said(home)
    assert found is not None
    assert found.title == "Avoid about $94 a year in fees"
    assert found.amount == 94_00
    assert found.detail == (
        "Overdraft fees of $70 and foreign transaction fees of $24 came in 3 of 12 months. Ask the"
        " bank to waive them, and set an alert before the balance runs low."
    )


def test_a_fee_abroad_is_never_called_an_overdraft() -> None:
    """The text holds nothing of a kind that no row names."""
    found = said(charged("FOREIGN TRANSACTION FEE", 3, 30_00))
    assert found is not None
    assert found.title == "Avoid about $90 a year in foreign transaction fees"
    assert "overdraft" not in found.detail.lower()
    assert "balance runs low" not in found.detail


def test_a_fee_that_was_given_back_is_not_told() -> None:
    """A kind that nets to nothing is not among those named."""
    home = charged("LATE FEE", 2, 30_00, charged("OVERDRAFT FEE", 2, 35_00))
    home.credits(monthly("2025-05-12", 2), "LATE FEE", 30_00)
    found = said(home)
    assert found is not None
    assert found.amount == 70_00
    assert "late" not in found.detail.lower()


@pytest.mark.parametrize(
    ("times", "amount", "told"), [(2, 30_00, True), (2, 29_99, False), (1, 90_00, False)]
)
def test_little_and_single_fees_are_left_alone(times: int, amount: int, told: bool) -> None:
    """Two months with fees and sixty a year are the least."""
    assert (said(charged("OVERDRAFT FEE", times, amount)) is not None) is told


def test_the_year_is_made_of_the_months_that_are_known() -> None:
    """Fees of a half year count twice for a year."""
    home = household().checking(balance=9_000_00, covered=("2025-07-01", TODAY))
    home.credits(every("2025-07-04", 14, 14), "ACME", 2_000_00, "wages")
    home.charges(monthly("2025-07-02", 7), "LANDLORD", 900_00, "rent")
    found = said(home.charges(monthly("2025-08-12", 2), "OVERDRAFT FEE", 20_00, "interest_fees"))
    assert found is not None
    assert found.amount == 80_00
