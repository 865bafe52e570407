"""One-offs: what is large, unlike anything else, and comes from no series; with what came back of it."""

import pytest

from finplan.plan.bookkeeping import keep_books
from tests.plan.households import Household, household, monthly
from tests.plan.strategies import TODAY
from tests.plan.typical import YEAR

MONTH_OF_SPENDING = 2_000_00 + 300_00


def family() -> Household:
    """Pay of 4,000, rent of 2,000 and food of 300 a month, for a year."""
    return (
        household()
        .checking(balance=9_000_00, covered=YEAR)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 2_000_00, "rent")
        .charges(monthly("2025-01-11", 12), "SAFEWAY", 300_00, "groceries")
    )


def one_offs(home: Household) -> list[tuple[str, int]]:
    """Payee and amount of each, by payee."""
    ledger = home.ledger()
    found = keep_books(ledger, TODAY).running.one_offs
    return sorted((ledger.payees[row[0]].name, row[3]) for row in found)


def test_a_household_without_a_large_row_has_none() -> None:
    assert one_offs(family()) == []


@pytest.mark.parametrize(
    ("category", "amount", "is_one"),
    [
        ("shopping", MONTH_OF_SPENDING, True),
        ("shopping", MONTH_OF_SPENDING - 1, False),
        ("car", 2 * MONTH_OF_SPENDING, True),
        ("car", 2 * MONTH_OF_SPENDING - 1, False),
        ("travel", 2 * MONTH_OF_SPENDING - 1, False),
        ("taxes", 5 * MONTH_OF_SPENDING, False),
        ("insurance", 5 * MONTH_OF_SPENDING, False),
    ],
)
def test_it_is_a_month_of_spending_or_two_of_what_comes_now_and_then(
    category: str, amount: int, is_one: bool
) -> None:
    """What is due each year is none at any size."""
    home = family().charge("2025-06-14", "SELLER", amount, category)
    assert one_offs(home) == ([("SELLER", -amount)] if is_one else [])


@pytest.mark.parametrize(("amount", "is_one"), [(4_500_00, True), (4_499_99, False)])
def test_it_is_three_usual_months_of_its_category(amount: int, is_one: bool) -> None:
    """Beside 1,500 a month at a mall, what is dearer than a month of all spending may be usual."""
    home = family().charges(monthly("2025-01-17", 12), "MALL", 1_500_00, "shopping")
    home.charge("2025-06-14", "SELLER", amount, "shopping")
    assert one_offs(home) == ([("SELLER", -amount)] if is_one else [])


@pytest.mark.parametrize(("last_year", "is_one"), [(2_800_00, False), (2_799_99, True)])
def test_nothing_is_like_it(last_year: int, is_one: bool) -> None:
    """A holiday each July is no one-off, wherever it leads: 2,800 is within 30 % of 4,000."""
    home = household().checking(balance=9_000_00, covered=("2024-01-01", TODAY))
    home.charges(monthly("2024-01-01", 25), "LANDLORD", 1_000_00, "rent")
    home.charge("2024-07-10", "ISLAND", last_year, "travel")
    home.charge("2025-07-12", "LAKE", 4_000_00, "travel")
    assert (("LAKE", -4_000_00) in one_offs(home)) == is_one


def test_a_third_one_within_a_year_stays_in_the_mean() -> None:
    """Car, boiler and dentist: the two largest are one-offs."""
    home = family().charge("2025-03-14", "DEALER", 9_000_00, "car")
    home.charge("2025-06-14", "BOILERS", 6_000_00, "home_upkeep")
    home.charge("2025-10-14", "DENTIST", 5_000_00, "health")
    assert one_offs(home) == [("BOILERS", -6_000_00), ("DEALER", -9_000_00)]


def test_what_came_back_of_it_goes_with_it() -> None:
    """Its payee's refund, and what an insurer paid of it, but not what was paid back before."""
    home = family().charge("2025-06-14", "CLINIC", 8_000_00, "health")
    home.credit("2025-05-20", "CLINIC", 50_00, "health")
    home.credit("2025-07-01", "CLINIC", 100_00, "health")
    home.credit("2025-08-01", "INSURER", 5_000_00, "health")
    home.credit("2025-08-02", "PHARMACY", 5_00, "health")
    assert one_offs(home) == [
        ("CLINIC", -8_000_00),
        ("CLINIC", 100_00),
        ("INSURER", 5_000_00),
    ]


def test_of_money_in_a_median_month_of_it_counts() -> None:
    home = family().credit("2025-06-14", "NOTARY", 4_000_00, "unknown_inflow")
    assert one_offs(home) == [("NOTARY", 4_000_00)]
    less = family().credit("2025-06-14", "NOTARY", 3_999_99, "unknown_inflow")
    assert one_offs(less) == []


def test_words_of_an_inheritance_are_enough() -> None:
    home = family().payee("ESTATE", "uncategorized", "other_income", inflow_sign="windfall")
    home.credit("2025-06-14", "ESTATE", 100_00)
    assert one_offs(home) == [("ESTATE", 100_00)]


def test_what_comes_in_a_rhythm_is_none() -> None:
    """Pay of eight times what it was, in its rhythm."""
    home = household().checking(balance=0, covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "JOB", [500_00] * 9 + [4_000_00] * 3, "wages")
    home.charges(monthly("2025-01-01", 12), "LANDLORD", 300_00, "rent")
    assert one_offs(home) == []


def test_a_paired_move_between_own_accounts_is_none() -> None:
    home = family().savings("rainy day", balance=0, covered=YEAR)
    home.transfer("2025-06-14", "checking", "rainy day", 9_000_00)
    assert one_offs(home) == []


def test_a_payment_to_a_broker_that_was_made_once_is_one() -> None:
    home = family().brokerage(balance=9_000_00)
    home.transfer(
        "2025-06-14", "checking", "brokerage", 9_000_00, category="investing", counts=False
    )
    assert one_offs(home) == [("TRANSFER", -9_000_00)]


def test_without_a_full_month_nothing_is_told() -> None:
    home = household().checking(balance=0, covered=("2026-01-02", TODAY))
    home.charge("2026-01-05", "DEALER", 9_000_00, "car")
    assert one_offs(home) == []


def test_adding_one_changes_no_running_figure() -> None:
    """The invariant of section 2a: income and costs from now on stay as they are to the unit."""
    before = keep_books(family().ledger(), TODAY).running
    home = family().charge("2025-06-14", "DEALER", 18_500_00, "car")
    home.payee("ESTATE", "uncategorized", "other_income", inflow_sign="windfall")
    home.credit("2025-06-20", "ESTATE", 40_000_00)
    after = keep_books(home.ledger(), TODAY).running
    assert (before.income, before.spend) == (after.income, after.spend)
    assert len(after.one_offs) == 2
