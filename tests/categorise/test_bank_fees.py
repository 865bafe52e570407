"""A bank's fees are apart by what they are for."""

import pytest

from finplan.categorise.bank_fees import fee_named
from finplan.categorise.payee import payee_of
from finplan.plan.advise.fees import kind_of_fee
from finplan.plan.ledger.ledger import LedgerPayee


@pytest.mark.parametrize(
    ("raw", "key", "kind"),
    [
        ("OVERDRAFT FEE", "overdraft fee", "overdraft"),
        ("RETURNED ITEM FEE", "returned payment fee", "overdraft"),
        ("CHQ BOUNCE CHARGES", "returned payment fee", "overdraft"),
        ("OVERDRAFT ITEM FEE FOR ACTIVITY OF 03-11", "overdraft fee", "overdraft"),
        ("LATE PAYMENT FEE", "late fee", "late payment"),
        ("PAST DUE FEE", "late fee", "late payment"),
        ("NON-NETWORK ATM FEE", "atm fee", "cash machine"),
        ("INTERNATIONAL ATM FEE", "atm fee", "cash machine"),
        ("FOREIGN TRANSACTION FEE", "foreign transaction fee", "foreign transaction"),
        ("CURRENCY EXCHANGE FEE", "foreign transaction fee", "foreign transaction"),
        ("MONTHLY MAINTENANCE FEE", "account fee", "account"),
        ("MONTHLY FEE BUSINESS FUNDAMENTALS", "account fee", "account"),
        ("ANNUAL MEMBERSHIP FEE", "annual fee", "bank"),
        ("STOP PAYMENT FEE", "bank fee", "bank"),
    ],
)
def test_a_fee_keeps_its_kind(raw: str, key: str, kind: str) -> None:
    """The key of a fee names its kind, is its own key, and tells advice which kind it is."""
    payee = payee_of(raw)
    assert (payee.key, payee_of(payee.key).key) == (key, key)
    assert kind_of_fee(LedgerPayee(payee.key, payee.name, "x", "x", {})).name == kind


def test_of_two_kinds_the_worse_one_holds() -> None:
    """A returned payment abroad is a returned payment, and no kind is a fee of the bank."""
    assert fee_named({"international", "returned", "payment", "fee"}) == "returned payment fee"
    assert fee_named({"stop", "payment", "fee"}) == "bank fee"
