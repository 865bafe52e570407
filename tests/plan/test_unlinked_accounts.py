"""Loans and savings that regular payments show and nobody linked: plan-semantics, C19."""

import pytest

from finplan.model.account import AccountKind
from finplan.model.plan import Bound
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import build_plan
from finplan.plan.sections.standing import Standing, take_standing
from tests.plan.advised import TODAY, indebted, steady
from tests.plan.households import Household, monthly


def standing(home: Household) -> Standing:
    ledger = home.ledger()
    return take_standing(ledger, keep_books(ledger, TODAY))


def with_car() -> Household:
    return steady().charges(monthly("2025-01-22", 12), "TOYOTA", 318_00, "loan_payment")


def with_broker(times: int = 12, first: str = "2025-01-17") -> Household:
    return steady().charges(monthly(first, times), "VANGUARD", 400_00, "investing")


@pytest.mark.parametrize(
    ("home", "worth"),
    [
        (steady(), "exact"),
        (with_car(), "at most"),
        (with_broker(), "at least"),
        (with_car().charges(monthly("2025-01-17", 12), "VANGUARD", 40_00, "savings"), "unknown"),
        (steady().charges(monthly("2025-01-22", 12), "WELLS", 900_00, "mortgage"), "exact"),
    ],
)
def test_what_is_paid_to_and_not_linked_bounds_net_worth(home: Household, worth: Bound) -> None:
    """A loan makes it at most, savings at least, both unknown; a mortgage lacks its home as well."""
    found = standing(home)
    assert found.worth == worth
    assert not found.cards_unknown
    assert not found.cash_unknown
    kinds = {"exact": (), "at most": ("loan",), "at least": ("savings",)}
    assert found.view().unlinked == kinds.get(worth, ("loan", "savings"))


@pytest.mark.parametrize(
    ("kind", "subtype", "worth"),
    [
        ("other", "property", "at most"),
        ("other", "vehicle", "exact"),
        ("investment", "brokerage", "exact"),
    ],
)
def test_a_home_that_counts_without_its_mortgage_bounds_net_worth(
    kind: AccountKind, subtype: str, worth: Bound
) -> None:
    """A linked home whose mortgage is not linked makes net worth too high; a car or shares do not."""
    home = steady().charges(monthly("2025-01-22", 12), "WELLS", 900_00, "mortgage")
    found = standing(home.account("possession", kind, subtype, balance=300_000_00))
    assert found.worth == worth
    assert found.view().unlinked == (("loan",) if worth == "at most" else ())


def test_the_note_names_who_is_paid() -> None:
    """Whoever reads the figure learns which account it lacks."""
    (note,) = [each for each in build_plan(with_car().ledger(), TODAY).notes if "at most" in each]
    assert note == (
        "Net worth is at most what is shown, and debts at least: what is owed on TOYOTA is not known."
    )
    (note,) = [each for each in build_plan(with_broker().ledger(), TODAY).notes if "least" in each]
    assert note == "Net worth is at least what is shown: what VANGUARD holds is not known."


def test_cards_are_cleared_as_without_the_loan() -> None:
    """A loan is no card: what cards owe, how long they take and what is said of it stay."""
    plain, indebted_too = indebted(apr=0.2), indebted(apr=0.2).on("checking")
    indebted_too.charges(monthly("2025-01-22", 12), "TOYOTA", 1_00, "loan_payment")
    one, other = (build_plan(home.ledger(), TODAY) for home in (plain, indebted_too))
    assert one.debt.total == other.debt.total
    assert other.debt.months_to_clear is not None
    (action,) = [each for each in other.actions if each.kind == "pay_down_card"]
    assert "clears it in" in action.detail


def test_a_linked_loan_that_no_row_reaches_may_be_the_one_that_is_paid() -> None:
    """Only another loan of its kind, or one that its own payments reach, leaves the payee unlinked."""
    assert standing(with_car().loan("car", balance=9_000_00)).unlinked.loans == ()
    assert standing(with_car().loan("house", "mortgage", balance=1)).unlinked.loans == ("TOYOTA",)
    paired = with_car().loan("student", "student", balance=9_000_00)
    for day in monthly("2025-01-05", 12):
        paired.transfer(day, "checking", "student", 200_00, category="loan_payment")
    assert standing(paired).unlinked.loans == ("TOYOTA",)


def test_a_loan_that_is_paid_no_more_or_was_paid_once_is_none() -> None:
    """A debt is known by payments that go on, in a rhythm."""
    once = steady().charge("2025-11-22", "TOYOTA", 318_00, "loan_payment")
    over = steady().charges(monthly("2025-01-22", 6), "TOYOTA", 318_00, "loan_payment")
    assert standing(once).unlinked.loans == standing(over).unlinked.loans == ()


@pytest.mark.parametrize(
    ("home", "named"),
    [
        (with_broker(6, "2025-07-17"), True),
        (with_broker(5, "2025-08-17"), False),
        (with_broker(6, "2025-05-17"), True),
        (with_broker(6, "2025-04-17"), False),
        (with_broker().brokerage(balance=9_000_00), False),
        (with_broker().savings("jar", balance=9_000_00), False),
        (with_broker().account("home", "other", "property", balance=9_000_00), True),
        (with_broker().brokerage(balance=9_000_00, hidden=True), True),
    ],
)
def test_savings_are_known_by_half_of_the_months_and_lately(home: Household, named: bool) -> None:
    """Six of twelve months, the last within ninety days; a linked account without rows may be it."""
    assert standing(home).unlinked.assets == (("VANGUARD",) if named else ())


def test_money_that_an_investment_gives_shows_it_as_well() -> None:
    """Regular draws come from something that is owned."""
    home = steady().credits(monthly("2025-01-17", 12), "VANGUARD", 400_00, "investing")
    assert standing(home).unlinked.assets == ("VANGUARD",)


def test_what_is_paired_with_a_linked_account_is_linked() -> None:
    """A transfer to an own savings account names nobody."""
    home = steady().savings("jar", balance=900_00)
    for day in monthly("2025-01-20", 12):
        home.transfer(day, "checking", "jar", 100_00)
    assert standing(home).unlinked.assets == ()


def test_an_account_that_its_own_transfers_reach_is_not_the_one_that_is_paid() -> None:
    """Beside savings that are linked and paired, an investment may be missing."""
    home = with_broker().savings("jar", balance=900_00)
    for day in monthly("2025-01-20", 12):
        home.transfer(day, "checking", "jar", 100_00)
    assert standing(home).unlinked.assets == ("VANGUARD",)
