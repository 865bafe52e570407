"""Missing accounts: each finding has its evidence, and a dismissal lasts."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from finplan.plan.bookkeeping import keep_books
from finplan.plan.sections.missing_accounts import FINDERS, MissingAccount, missing_accounts
from finplan.plan.sections.monthly import take_means
from tests.plan.households import Household, every, household, monthly

TODAY = date(2026, 1, 10)
YEAR = ("2025-01-01", TODAY)


def found(home: Household, today: date = TODAY) -> dict[str, MissingAccount]:
    ledger = home.ledger()
    books = keep_books(ledger, today)
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


def with_card_payments() -> Household:
    return settled().charges(monthly("2025-01-20", 12), "CITI CARD", 1_840_00, "unlinked_card")


def frugal(phone: int = 600_00) -> Household:
    home = household().checking(covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "ACME", 5_000_00, "wages")
    return home.charges(monthly("2025-01-01", 12), "PHONE CO", phone, "phone_internet")


def cards_alone() -> Household:
    home = household().card("visa", covered=YEAR)
    return home.charges(monthly("2025-01-02", 12), "BISTRO", 300_00, "dining")


def unpaid(since: date = date(2025, 12, 1)) -> Household:
    home = household().checking(covered=(since, TODAY))
    return home.charges(every("2025-12-22", 7, 3), "SAFEWAY", 80_00, "groceries")


def fed_from_outside(amount: int = 1_900_00, times: int = 12) -> Household:
    home = household().checking(covered=YEAR)
    home.credits(monthly("2025-12-25", times, -1), "TRANSFER FROM ALLY", amount, "transfer")
    return home.charges(monthly("2025-01-01", 12), "LANDLORD", 1_500_00, "rent")


BILLS = [1_840_17, 1_512_40, 2_001_03]


def with_a_mistaken_card(late: int = 1, cents: int = 0) -> Household:
    """A card imported as a checking account, into which the household pays its bills."""
    paid = monthly("2025-10-20", 3)
    home = settled().charges(paid, "CITI CARD", BILLS, "unlinked_card")
    home.checking("export", covered=YEAR).charges(
        every("2025-10-01", 5, 20), "SAFEWAY", 80_00, "groceries"
    )
    arrived = [day + timedelta(late) for day in paid]
    return home.credits(arrived, "PAYMENT", [bill + cents for bill in BILLS], "unknown_inflow")


def test_a_card_that_is_there_as_a_bank_account_is_named() -> None:
    """Where the payments arrive in an imported account, that account is the card; nothing is to link."""
    for late in (-3, 0, 3):
        (missing,) = found(with_a_mistaken_card(late)).values()
        assert missing.mistaken
        assert missing.account == "export"
        assert "`finplan accounts set export --kind credit`" in missing.reason
        assert "not linked" not in missing.reason


@pytest.mark.parametrize(
    "home",
    [
        with_a_mistaken_card(late=4),
        with_a_mistaken_card(late=-4),
        with_a_mistaken_card(cents=1),
        with_card_payments()
        .savings("put aside", covered=YEAR)
        .credits(monthly("2025-01-20", 12), "PAYMENT", 1_840_00, "unknown_inflow"),
        with_card_payments().credits(
            monthly("2025-01-20", 12), "PAYMENT", 1_840_00, "unknown_inflow"
        ),
        with_card_payments()
        .checking("other", covered=YEAR)
        .credit("2025-12-20", "PAYMENT", 1_840_00, "unknown_inflow"),
    ],
    ids=["too late", "too early", "other amounts", "savings", "the same account", "one payment"],
)
def test_an_account_that_gets_other_money_is_no_card(home: Household) -> None:
    """Other days, other amounts, savings, the paying account itself, or a single payment say nothing."""
    (missing,) = [each for each in found(home).values() if each.missing == "spending"]
    assert not missing.mistaken
    assert "not linked" in missing.reason


FOUND: list[tuple[str, Callable[[], Household]]] = [
    ("unlinked_cards", with_card_payments),
    ("little_spending", frugal),
    ("only_cards", cards_alone),
    ("no_pay", unpaid),
    ("outside_money", fed_from_outside),
]

NOT_FOUND: list[tuple[str, Callable[[], Household]]] = [
    ("unlinked_cards", settled),
    ("unlinked_cards", lambda: settled().charge("2025-12-20", "AMEX", 9_00, "unlinked_card")),
    ("little_spending", lambda: frugal(1_250_00)),
    ("little_spending", lambda: frugal().card("visa", covered=YEAR)),
    ("only_cards", lambda: cards_alone().checking(covered=YEAR)),
    ("no_pay", lambda: unpaid(date(2025, 12, 13))),
    ("no_pay", lambda: unpaid().credit("2026-01-02", "AUNT", 1_00, "other_income")),
    ("outside_money", lambda: fed_from_outside(700_00)),
    ("outside_money", lambda: fed_from_outside(9_000_00, times=1)),
]


def finding(name: str, home: Household) -> list[MissingAccount]:
    ledger = home.ledger()
    books = keep_books(ledger, TODAY)
    (finder,) = [each for each in FINDERS if each.__name__ == name]
    return list(finder(ledger, books, take_means(books, ledger.catalogue)))


@pytest.mark.parametrize(("name", "build"), FOUND)
def test_each_trigger_has_its_evidence(name: str, build: Callable[[], Household]) -> None:
    """Each trigger finds the household that shows it, with a reason that is a sentence."""
    found_here = finding(name, build())
    assert found_here
    assert all(each.reason.endswith(".") for each in found_here)


@pytest.mark.parametrize(("name", "build"), NOT_FOUND)
def test_no_trigger_without_evidence(name: str, build: Callable[[], Household]) -> None:
    """Each trigger leaves the household next to it alone."""
    assert finding(name, build()) == []


def test_every_trigger_is_tested_both_ways() -> None:
    """No trigger without a household that shows it and one that does not."""
    names = {finder.__name__ for finder in FINDERS}
    assert {name for name, _ in FOUND} == {name for name, _ in NOT_FOUND} == names


def test_at_most_one_is_open_for_each_side() -> None:
    """Several triggers at once open one question for income and one for spending."""
    home = fed_from_outside().charges(monthly("2025-01-20", 12), "CITI", 90_00, "unlinked_card")
    home.charges(monthly("2025-01-21", 12), "AMEX", 950_00, "unlinked_card")
    assert sum(len(finding(finder.__name__, home)) for finder in FINDERS) > 2
    assert {side: entry.account for side, entry in found(home).items()} == {
        "spending": "AMEX",
        "income": None,
    }


def test_a_dismissed_one_makes_room_for_the_next() -> None:
    """Dismissing one card asks about another subject, once; then about nothing more."""
    home = settled().charges(monthly("2025-01-20", 12), "CITI", 90_00, "unlinked_card")
    home.charges(monthly("2025-01-21", 12), "AMEX", 950_00, "unlinked_card")
    for card in ("AMEX", "CITI"):
        entry = found(home)["spending"]
        assert entry.account == card
        home.dismiss(entry.id)
    assert found(home) == {}


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


def test_pay_within_thirty_days_is_seen_in_a_short_month() -> None:
    """A window of 28 days to a day in March leaves pay of the 30th day before its end in sight."""
    today = date(2026, 3, 15)
    for day, misses in (("2026-02-14", False), ("2026-02-13", True)):
        home = household().checking(covered=("2026-02-10", today))
        home.credit(day, "AUNT", 400_00, "other_income")
        home.charges(every("2026-02-12", 7, 5), "SAFEWAY", 80_00, "groceries")
        assert ("income" in found(home, today)) is misses


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
