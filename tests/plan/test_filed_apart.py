"""A charge that is filed apart from its payee's others stays in their series."""

from datetime import date

import pytest

from finplan.plan.ledger.books import Series
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import RowParts, RowPlace
from tests.plan.households import Day, Household, as_date, household, monthly

TODAY = date(2025, 12, 22)
BILLS = [61_20, 58_40, 55_10, 49_90, 44_30, 41_80, 43_20, 47_70, 52_60, 57_30, 60_10, 63_40]
"""A year of a power bill."""


def at_home() -> Household:
    """A checking account that is covered until today."""
    return household().checking(covered=("2023-01-01", TODAY))


def found(home: Household) -> list[Series]:
    """The recurring charges of a household."""
    return list(home.books(TODAY).charges)


def said(home: Household, day: Day, amount: int, category: str) -> dict[RowPlace, list[RowParts]]:
    """The person's word on one row, as a payee's details hold it."""
    return {(home.number(home.here), day_of(as_date(day)), -amount): [((-amount, category),)]}


@pytest.mark.parametrize("category", ["home_upkeep", "groceries", "work_expenses", "transfer"])
@pytest.mark.parametrize("place", [1, 6, 11])
@pytest.mark.parametrize("months", [4, 12])
def test_a_charge_that_is_filed_by_itself_stays_in_its_series(
    months: int, place: int, category: str
) -> None:
    """Whatever one charge of a bill was for, the bill came that month and comes again on its day."""
    days, amounts = monthly("2025-01-10", 12)[-months:], BILLS[-months:]
    place = min(place, months - 1)
    home = at_home()
    home.payee("POWER", "utilities", by_row=said(home, days[place], amounts[place], category))
    (charge,) = found(home.charges(days, "POWER", amounts))
    assert (charge.cadence, charge.category, charge.count_all) == ("monthly", "utilities", months)
    assert (charge.last_date, charge.next_date) == (date(2025, 12, 10), date(2026, 1, 10))


@pytest.mark.parametrize("months", [5, 12])
def test_a_charge_that_a_rule_files_by_its_amount_stays_in_its_series(months: int) -> None:
    """A rule for one amount of a bill moves no date of it, and no charge out of it."""
    days, amounts = monthly("2025-01-10", 12)[-months:], BILLS[-months:]
    home = at_home().payee("POWER", "utilities", by_amount={amounts[-2]: "home_upkeep"})
    home.charges(days, "POWER", amounts).credit("2025-11-20", "POWER", 12_00)
    (charge,) = found(home)
    assert (charge.category, charge.count_all) == ("utilities", months)
    assert charge.next_date == date(2026, 1, 10)


def test_what_a_charge_was_for_stays_what_the_person_says() -> None:
    """Only the series holds the charge: the totals of both categories are as they are filed."""
    home = at_home().payee("POWER", "utilities", by_amount={BILLS[5]: "home_upkeep"})
    books = home.charges(monthly("2025-01-10", 12), "POWER", BILLS).books(TODAY)
    assert books.categories["home_upkeep"].total == BILLS[5]
    assert books.categories["utilities"].total == sum(BILLS[:11]) - BILLS[5]


def test_a_series_that_is_filed_apart_as_a_whole_stays_apart() -> None:
    """Two policies at one insurer, each under its own category, are two series of theirs."""
    home = at_home().payee("INSURER", "insurance", by_amount={80_00: "health"})
    home.charges(monthly("2025-01-10", 12), "INSURER", 84_00)
    home.charges(monthly("2025-01-20", 12), "INSURER", 80_00)
    charges = [(one.category, one.amount, one.count_all) for one in found(home)]
    assert charges == [("insurance", 84_00, 12), ("health", 80_00, 12)]


def test_a_new_price_under_a_rule_of_its_own_begins_a_series() -> None:
    """Three charges that are filed alike are a series, even where one could run on in it."""
    home = at_home().payee("CLUB", "hobbies", by_amount={30_00: "kids"})
    home.charges(monthly("2025-01-10", 9), "CLUB", 29_00)
    home.charges(monthly("2025-10-10", 3), "CLUB", 30_00)
    assert sorted((one.category, one.count_all) for one in found(home)) == [
        ("hobbies", 9),
        ("kids", 3),
    ]


@pytest.mark.parametrize("day", ["2025-06-10", "2025-06-14", "2025-06-24"])
def test_a_purchase_beside_a_bill_that_is_filed_apart_is_none_of_it(day: str) -> None:
    """A bill that came that month lacks nothing, so another charge adds nothing to it."""
    home = at_home()
    home.payee("POWER", "utilities", by_row=said(home, day, 45_00, "home_goods"))
    home.charges(monthly("2025-01-10", 12), "POWER", BILLS).charge(day, "POWER", 45_00)
    (charge,) = found(home)
    assert charge.count_all == 12
    assert [amount for _, amount in charge.recent] == BILLS


def test_charges_that_are_filed_here_and_there_by_turns_are_in_no_series() -> None:
    """Where no category holds most of them, nobody knows what the next one is for."""
    home = at_home().payee("CLUB", "hobbies", by_amount={30_00: "kids"})
    assert found(home.charges(monthly("2025-01-10", 12), "CLUB", [29_00, 30_00])) == []


def test_pay_that_is_taken_back_is_no_charge_of_its_payer() -> None:
    """What reverses income lies in no series of charges, though it fills a gap in one."""
    home = at_home().payee("ACME", "insurance", by_amount={50_00: "wages"})
    days = monthly("2025-01-10", 12)
    home.charges([*days[:6], *days[7:]], "ACME", 51_00).charge(days[6], "ACME", 50_00)
    (charge,) = found(home)
    assert charge.count_all == 11


def test_a_charge_is_in_one_series() -> None:
    """Two charges a year apart that are filed elsewhere fill gaps of a bill and are no yearly one."""
    home = at_home().payee("POWER", "utilities", by_amount={BILLS[0]: "home_upkeep"})
    home.charges(monthly("2024-01-10", 24), "POWER", BILLS)
    assert [(one.cadence, one.count_all) for one in found(home)] == [("monthly", 24)]


def test_a_refund_is_nothing_that_a_series_lacks() -> None:
    """Money that came back in a month without a bill is no charge of that month."""
    home = at_home().payee("POWER", "utilities", "other_income")
    days = monthly("2025-01-10", 12)
    home.charges([*days[:6], *days[7:]], "POWER", [*BILLS[:6], *BILLS[7:]])
    (charge,) = found(home.credit(days[6], "POWER", BILLS[6]))
    assert charge.count_all == 11
