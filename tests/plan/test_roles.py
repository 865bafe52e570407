"""Roles: what each account is to the plan."""

import pytest

from finplan.model.account import AccountKind
from finplan.model.plan import Role
from finplan.plan.ledger.classes import counts_in_totals, is_savings_type, nature_of, role_of
from finplan.plan.ledger.ledger import LedgerAccount


def account(
    kind: AccountKind, subtype: str | None = None, *, currency: str = "USD", hidden: bool = False
) -> LedgerAccount:
    """An account of a kind and subtype."""
    return LedgerAccount(
        "acc_1", "con_1", "Bank", "Account", None, kind, subtype, currency, 0, hidden=hidden
    )


@pytest.mark.parametrize(
    ("kind", "subtype", "role", "counts"),
    [
        ("depository", "checking", "cash", True),
        ("depository", None, "cash", True),
        ("depository", "money market", "cash", True),
        ("depository", "HSA", "investment", False),
        ("depository", "fsa", "investment", False),
        ("depository", "529", "investment", False),
        ("depository", "CD", "investment", False),
        ("credit", "credit card", "debt", True),
        ("loan", "mortgage", "debt", False),
        ("investment", "401k", "investment", False),
        ("other", "Real Estate", "investment", False),
        ("other", "vehicle", "investment", False),
        ("other", None, "none", False),
    ],
)
def test_a_role_follows_from_kind_and_subtype(
    kind: AccountKind, subtype: str | None, role: Role, counts: object
) -> None:
    """Only cash and cards count; what is set aside is an investment, whatever the bank calls it."""
    assert role_of(account(kind, subtype), "USD") == role
    assert counts_in_totals(account(kind, subtype), "USD") is counts


def test_a_foreign_currency_has_no_role_and_counts_nowhere() -> None:
    """Another currency is left out of totals, though its nature is known."""
    abroad = account("depository", "checking", currency="EUR")
    assert role_of(abroad, "USD") == "none"
    assert nature_of(abroad) == "cash"
    assert not counts_in_totals(abroad, "USD")
    assert counts_in_totals(abroad, "EUR")


def test_a_hidden_account_keeps_its_role_and_counts_nowhere() -> None:
    """Hiding takes an account's rows out of totals."""
    assert role_of(account("credit", hidden=True), "USD") == "debt"
    assert not counts_in_totals(account("credit", hidden=True), "USD")


@pytest.mark.parametrize(
    ("kind", "subtype", "savings"),
    [
        ("depository", "savings", True),
        ("depository", "MONEYMRKT", True),
        ("depository", "money_market", True),
        ("depository", "checking", False),
        ("depository", "cd", False),
        ("investment", "savings", False),
    ],
)
def test_savings_accounts_are_savings_and_money_market(
    kind: AccountKind, subtype: str, savings: object
) -> None:
    """Money on a bank's savings or money market account is put aside."""
    assert is_savings_type(account(kind, subtype)) is savings
