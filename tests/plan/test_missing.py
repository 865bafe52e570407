"""Missing accounts: each finding has its evidence, and a dismissal lasts."""

from datetime import date, timedelta

from finplan.plan.bookkeeping import keep_books
from finplan.plan.missing import Missing, missing_accounts
from finplan.plan.monthly import take_means
from tests.plan.households import Household, every, household, monthly

TODAY = date(2026, 1, 10)
YEAR = ("2025-01-01", TODAY)


def found(home: Household) -> dict[str, Missing]:
    ledger = home.ledger()
    books = keep_books(ledger, TODAY)
    entries = missing_accounts(ledger, books, take_means(books, ledger.catalogue))
    assert len({entry.missing for entry in entries}) == len(entries)
    return {entry.missing: entry for entry in entries}


def settled() -> Household:
    return (
        household()
        .checking(balance=2_000_00, covered=YEAR)
        .credits(every("2025-01-03", 14, 27), "ACME", 2_000_00, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_500_00, "rent")
    )


def test_a_settled_household_misses_nothing() -> None:
    """Pay and spending are there."""
    assert found(settled()) == {}


def test_payments_to_an_unlinked_card_are_named() -> None:
    """Two payments in 90 days: the card's name and about how much a month."""
    home = settled().charges(monthly("2025-01-20", 12), "CITI CARD", 1_840_00, "unlinked_card")
    entry = found(home)["spending"]
    assert entry.reason == "You pay CITI CARD about $1,840 a month, but that card is not linked."
    assert entry.monthly == 1_840_00


def test_one_payment_is_no_evidence() -> None:
    """A single payment, or two long ago, asks nothing."""
    assert found(settled().charge("2025-12-20", "CITI CARD", 900_00, "unlinked_card")) == {}
    old = settled().charges(monthly("2025-03-20", 3), "CITI CARD", 900_00, "unlinked_card")
    assert found(old) == {}


def test_little_spending_means_that_it_happens_elsewhere() -> None:
    """Less than a quarter of income is spent, and no card is linked."""
    home = (
        household()
        .checking(covered=YEAR)
        .credits(monthly("2025-01-28", 12), "ACME", 5_000_00, "wages")
        .charges(monthly("2025-01-01", 12), "PHONE CO", 600_00, "phone_internet")
    )
    assert found(home)["spending"].reason == "Only 12% of your income is spent here."
    home.charges(monthly("2025-01-02", 12), "GYM", 649_00, "hobbies")
    assert "spending" in found(home)
    home.charges(monthly("2025-01-02", 12), "PARKING", 1_00, "transport")
    assert "spending" not in found(home)


def test_with_a_card_linked_little_spending_is_no_question() -> None:
    """Where a card is linked, little spending is a fact about the person."""
    home = household().checking(covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "ACME", 5_000_00, "wages")
    home.charges(monthly("2025-01-01", 12), "PHONE CO", 600_00, "phone_internet")
    assert "spending" in found(home)
    assert "spending" not in found(home.card("visa", covered=YEAR))


def test_only_cards_show_no_income() -> None:
    """A household of credit accounts alone."""
    home = household().card("visa", covered=YEAR)
    home.charges(monthly("2025-01-02", 12), "BISTRO", 300_00, "dining")
    assert found(home)["income"].reason == "A card shows spending only."


def test_spending_without_pay_misses_the_pay() -> None:
    """Thirty covered days with spending and no income at all."""
    home = household().checking(covered=("2025-12-01", TODAY))
    home.charges(every("2025-12-02", 7, 5), "SAFEWAY", 80_00, "groceries")
    assert found(home)["income"].reason == "No pay arrives in the linked accounts."


def test_few_days_without_pay_say_nothing() -> None:
    """Twenty days may lie between two paydays."""
    home = household().checking(covered=("2025-12-22", TODAY))
    home.charges(every("2025-12-22", 7, 3), "SAFEWAY", 80_00, "groceries")
    assert found(home) == {}


def test_a_source_that_stopped_is_not_a_missing_account() -> None:
    """Pay that was seen once and ended is `income_stopped`, not a question."""
    home = (
        household()
        .checking(covered=("2024-01-01", TODAY))
        .credits(every("2024-01-05", 14, 20), "ACME", 2_000_00, "wages")
        .charges(monthly("2024-01-01", 25), "LANDLORD", 900_00, "rent")
    )
    assert found(home) == {}


def test_money_from_an_own_account_that_is_not_linked() -> None:
    """Two inflows in 90 days that cover half of spending."""
    home = (
        household()
        .checking(covered=YEAR)
        .credits(monthly("2025-01-25", 12), "TRANSFER FROM ALLY", 1_900_00, "transfer")
        .charges(monthly("2025-01-01", 12), "LANDLORD", 1_500_00, "rent")
        .credit("2025-05-05", "BANK", 1_00, "interest")
    )
    assert found(home)["income"].reason == (
        "$1,900 a month comes from an account that is not linked."
    )
    home.charges(monthly("2025-01-02", 12), "CAR SHOP", 3_000_00, "car")
    assert "income" not in found(home)


def test_a_dismissal_lasts_and_only_another_subject_asks_again() -> None:
    """The id is stable over time; the next card has its own."""
    home = settled().charges(monthly("2025-01-20", 12), "CITI CARD", 1_840_00, "unlinked_card")
    first = found(home)["spending"].id
    assert first.startswith("task_")
    home.charge(TODAY - timedelta(2), "CITI CARD", 5_00)
    assert found(home)["spending"].id == first
    home.dismiss(first)
    assert found(home) == {}
    home.charges(monthly("2025-10-21", 3), "AMEX", 300_00, "unlinked_card")
    assert found(home)["spending"].id != first
