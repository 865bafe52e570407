"""Cash that is taken out regularly is never a recurring charge, however its payee is filed."""

import pytest

from tests.plan.households import household, monthly
from tests.plan.typical import TODAY

CASH = [
    "VYBER",
    "VYBER KARTOU",
    "Výběr hotovosti",
    "cash",
    "Cash withdrawal",
    "CASH WITHDRAWAL AT BRANCH",
    "ATM",
    "ATM 4471 MAIN ST",
    "Withdrawal",
    "withdrawal in cash",
    "Bargeld",
    "BARGELDAUSZAHLUNG",
    "Geldautomat Berlin Mitte",
    "Barauszahlung",
    "retrait",
    "RETRAIT DAB 1204",
    "Retrait especes",
    "RETIRO CAJERO",
    "Retirada de efectivo",
    "PRELIEVO BANCOMAT",
    "Prelievo contanti",
    "GELDOPNAME",
    "Saque dinheiro",
    "Wyplata z bankomatu",
    "Kontantuttag",
    "Uttag Bankomat",
    "Kateisnosto",
    "Cashpoint 12",
]


@pytest.mark.parametrize("category", ["uncategorized", "rent", "utilities", "shopping", "taxes"])
@pytest.mark.parametrize("payee", CASH)
def test_cash_is_never_recurring(payee: str, category: str) -> None:
    """A fixed sum on a fixed day, in whatever category, makes no series at a payee that is cash."""
    home = household().checking(covered=("2024-01-01", TODAY))
    home.charges(monthly("2024-01-05", 24), "LANDLORD", 1_000_00, "rent")
    home.charges(monthly("2024-01-08", 24), payee, 200_00, category)
    assert {one.name for one in home.books(TODAY).charges} == {"LANDLORD"}


@pytest.mark.parametrize(
    ("payee", "category"),
    [
        ("Cash Converters", "uncategorized"),
        ("John (Cash App)", "uncategorized"),
        ("Johnny Cash", "uncategorized"),
        ("Otto", "uncategorized"),
        ("Cash and Carry Storage", "uncategorized"),
        ("ATM Milano", "transport"),
        ("Dab Motors", "uncategorized"),
        ("Bank of Kent", "uncategorized"),
        ("Del Banco Trust", "loan_payment"),
        ("Carte Blanche", "uncategorized"),
        ("Service Karte", "uncategorized"),
    ],
)
def test_a_payee_that_only_sounds_like_cash_may_bill(payee: str, category: str) -> None:
    """A shop, a payment service, a person and a transit company keep their charges."""
    home = household().checking(covered=("2024-01-01", TODAY))
    home.charges(monthly("2024-01-08", 24), payee, 20_00, category)
    assert {one.name for one in home.books(TODAY).charges} == {payee}
