"""Two charges a year apart: a renewal where such things come yearly, else a coincidence."""

from datetime import date, timedelta

import pytest

from finplan.plan.detect.recurring import _YEARLY
from finplan.plan.ledger.books import Series
from tests.plan.households import Household, every, household, monthly

TODAY = date(2025, 12, 22)


def found(home: Household) -> list[Series]:
    """The annual charges of a household."""
    return [one for one in home.books(TODAY).charges if one.cadence == "annual"]


def at_home(rent: int = 1_000_00) -> Household:
    """Three years of rent, so that it is known what little money is."""
    home = household().checking(covered=("2023-01-01", TODAY))
    return home.charges(monthly("2023-01-01", 36), "LANDLORD", rent, "rent")


def paid(category: str, *charges: tuple[date, int], home: Household | None = None) -> list[Series]:
    """The annual charges when so much is paid to one payee on such days."""
    home = home or at_home()
    for day, amount in charges:
        home.charge(day, "ZORBLAX", amount, category)
    return found(home)


FIRST = date(2024, 6, 10)


@pytest.mark.parametrize("category", sorted(_YEARLY))
def test_a_renewal_is_known_from_its_second_year(category: str) -> None:
    """Insurance, taxes and the like come again next year, at the last price."""
    (one,) = paid(category, (FIRST, 1_140_00), (date(2025, 6, 10), 1_218_00))
    assert (one.amount, one.price_before, one.monthly) == (1_218_00, 1_140_00, 101_50)
    assert one.next_date == date(2026, 6, 10)


@pytest.mark.parametrize(
    "category",
    ["health", "dining", "shopping", "travel", "entertainment", "gifts_donations", "uncategorized"],
)
def test_two_equal_visits_a_year_apart_are_a_coincidence(category: str) -> None:
    """A check-up has its price, and the hotel of last summer is no contract; a third year is one."""
    again = [(FIRST, 300_00), (FIRST + timedelta(365), 300_00)]
    assert paid(category, *again) == []


@pytest.mark.parametrize(
    ("days", "is_found"), [(349, False), (350, True), (380, True), (381, False)]
)
def test_a_renewal_comes_after_a_year(days: int, is_found: bool) -> None:
    """Between 350 and 380 days, both counted."""
    again = paid("insurance", (FIRST, 300_00), (FIRST + timedelta(days), 300_00))
    assert bool(again) == is_found


@pytest.mark.parametrize(
    ("price", "is_found"), [(84_99, False), (85_00, True), (115_00, True), (115_01, False)]
)
def test_a_renewal_costs_about_the_same(price: int, is_found: bool) -> None:
    """Within 15 % of the first price, both ways."""
    again = paid("insurance", (FIRST, 100_00), (FIRST + timedelta(365), price))
    assert bool(again) == is_found


@pytest.mark.parametrize(("price", "is_found"), [(100_00, True), (90_00, False)])
def test_two_small_charges_a_year_apart_are_not_told(price: int, is_found: bool) -> None:
    """Below 2 % of a month's spending nothing hangs on it; a third charge is told all the same."""
    rent = 100_00 * 50 - price // 6  # The charge itself is spending too, or about a twelfth of it.
    again = [(FIRST, price), (date(2025, 6, 10), price)]
    assert bool(paid("subscriptions", *again, home=at_home(rent))) == is_found
    third = (date(2023, 6, 10), price)
    assert paid("subscriptions", third, *again, home=at_home(rent))


def test_a_renewal_is_not_picked_out_of_visits() -> None:
    """Among five charges two are often a year apart within 15 %; equal ones among thirteen."""
    home = at_home()
    again = [(FIRST, 300_00), (date(2025, 6, 10), 310_00)]
    for place, day in enumerate((date(2024, 2, 2), date(2024, 9, 27))):
        home.charge(day, "ZORBLAX", 90_00 + place * 47_00, "car")
    assert len(paid("car", *again, home=home)) == 1
    home.charge(date(2025, 3, 3), "ZORBLAX", 44_00, "car")
    assert found(home) == []
    home = at_home()
    for place, day in enumerate(every("2024-02-03", 17, 11)):
        home.charge(day, "ZORBLAX", 11_00 + place * 13, "hobbies")
    assert paid("hobbies", (FIRST, 95_00), (date(2025, 6, 10), 95_00), home=home) == []


def test_two_policies_at_one_insurer_are_two() -> None:
    """Each pair holds the amounts that are nearest to each other."""
    home = at_home()
    for day, amount in ((FIRST, 300_00), (FIRST + timedelta(8), 330_00)):
        home.charge(day, "ZORBLAX", amount, "insurance")
        home.charge(day + timedelta(366), "ZORBLAX", amount + 10_00, "insurance")
    assert sorted(one.amount for one in found(home)) == [310_00, 340_00]


def test_a_yearly_charge_goes_on_by_the_calendar() -> None:
    """The next one is a calendar year after the last, though the last distance was longer."""
    (one,) = paid("insurance", (FIRST, 300_00), (date(2025, 6, 20), 300_00))
    assert one.next_date == date(2026, 6, 20)
