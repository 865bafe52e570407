"""Charges of one name on several accounts name theirs, so that no two lines of a list read the same."""

from finplan.plan.explain.sections import explain
from tests.plan.households import Household, household, monthly
from tests.plan.typical import YEAR, assessed, live, plan_of


def cards(*, months: int = 12) -> Household:
    """Interest of 155.00 on one card, and of 93.00 on another one for so many months."""
    home = household().checking(balance=900_00, covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "ACME", 3_000_00, "wages")
    home.card("Visa 1111", balance=6_000_00, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 155_00, "interest_fees")
    home.card("Amex 2222", balance=4_000_00, covered=YEAR)
    return home.charges(monthly("2025-01-20", months), "INTEREST CHARGE", 93_00)


def names(home: Household) -> set[str]:
    return {each.name for each in plan_of(home).recurring}


def test_charges_on_two_cards_name_their_card() -> None:
    """The list of the plan and its explanation tell which card each is on."""
    wanted = {"INTEREST CHARGE · Visa 1111", "INTEREST CHARGE · Amex 2222"}
    assert names(cards()) == wanted
    explanation = explain(assessed(cards()), None, "recurring")
    assert {f"{name} a month" for name in wanted} <= {each.label for each in explanation.figures}
    assert all(any(name in reason for reason in explanation.reasons) for name in wanted)


def test_what_is_due_names_its_card() -> None:
    """Two equal subscriptions on two cards are two lines of what is due, and are spent once."""
    home = cards(months=0)
    for card in ("Visa 1111", "Amex 2222"):
        home.on(card).charges(monthly("2025-01-05", 13), "MUSIC", 12_00, "subscriptions")
    due = [each.name for each in live(home).upcoming if each.name.startswith("MUSIC")]
    assert due == ["MUSIC · Amex 2222", "MUSIC · Visa 1111"]
    assert live(home).allowance.breakdown.spent == 0


def test_one_that_is_over_does_not_count() -> None:
    """A card that charged the same last year needs no telling apart."""
    assert names(cards(months=4)) == {"INTEREST CHARGE"}


def test_charges_on_one_account_keep_their_name() -> None:
    """Two prices of one payee on one card differ by their amounts; the account tells nothing."""
    home = cards(months=0).on("Visa 1111")
    for amount in (12_00, 30_00):
        home.charges(monthly("2025-01-15", 12), "MUSIC", amount, "subscriptions")
    assert names(home) == {"INTEREST CHARGE", "MUSIC"}
    assert len(plan_of(home).recurring) == 3
