"""Bills that mingle at one payee are told apart by their amounts and days."""

import random
from datetime import date, timedelta

import pytest

from finplan.plan.ledger.books import Series
from tests.plan.households import (
    Household,
    every,
    household,
    monthly,
    on_weekdays,
    semimonthly,
)

TODAY = date(2025, 12, 22)


def found(home: Household) -> list[Series]:
    """The recurring charges of a household, the dearest first."""
    return list(home.books(TODAY).charges)


def at_home() -> Household:
    """A checking account that is covered until today."""
    return household().checking(covered=("2023-01-01", TODAY))


def readings(usual: int, times: int, seed: int) -> list[int]:
    """What a meter says each time, up to 8 % from the usual."""
    chance = random.Random(seed)  # The same meter on every run.
    return [round(usual * chance.uniform(0.92, 1.08)) for _ in range(times)]


@pytest.mark.parametrize("category", ["utilities", "uncategorized"])
@pytest.mark.parametrize("second", ["2024-01-04", "2024-01-19"])
def test_two_meters_at_one_supplier_are_two(category: str, second: str) -> None:
    """Bills that vary are told apart on the same day and on another, known or unknown."""
    home = at_home().charges(
        monthly("2024-01-04", 24), "SUPPLIER", readings(80_00, 24, 1), category
    )
    home.charges(monthly(second, 24), "SUPPLIER", readings(31_00, 24, 2))
    dear, cheap = found(home)
    assert (dear.cadence, dear.count_all, cheap.cadence, cheap.count_all) == (
        "monthly", 24, "monthly", 24,
    )  # fmt: skip
    assert min(amount for _, amount in dear.recent) > max(amount for _, amount in cheap.recent)


def test_a_skipped_bill_is_not_made_up_by_the_other() -> None:
    """Where one of two bills is missing, the other's charge does not take its place."""
    first, second = monthly("2024-01-04", 24), monthly("2024-01-04", 24)
    del first[9], second[15]
    home = at_home().charges(first, "SUPPLIER", readings(80_00, 23, 3), "utilities")
    home.charges(second, "SUPPLIER", readings(57_00, 23, 4))
    assert [one.count_all for one in found(home)] == [23, 23]


def test_halves_of_a_rent_are_one_series() -> None:
    """Alike amounts by turns are one charge that comes twice a month."""
    days = [day for first in monthly("2025-01-01", 12) for day in (first, first.replace(day=15))]
    (rent,) = found(at_home().charges(days[:-1], "LANDLORD", 600_00, "rent"))
    assert rent.cadence == "semimonthly"


@pytest.mark.parametrize("category", ["health", "uncategorized", "home_upkeep", "utilities"])
@pytest.mark.parametrize("dearest", [40_01, 60_00])
def test_visits_are_not_cut_into_chains(category: str, dearest: int) -> None:
    """Any visits hold some that are a month apart; a bill explains nearly all charges or nothing."""
    for seed in range(20):
        chance = random.Random(seed)  # Different payees, the same ones on every run.
        home = at_home()
        for _ in range(48):
            day = date(2024, 1, 1) + timedelta(chance.randrange(700))
            home.charge(day, "VISITED", chance.randrange(40_00, dearest), category)
        assert found(home) == []


@pytest.mark.parametrize("category", ["home_upkeep", "uncategorized"])
def test_visits_at_one_price_are_no_three_quarterly_bills(category: str) -> None:
    """Prices tell bills apart: monthly visits at one price could be cut into any number of chains."""
    for seed in range(30):
        chance = random.Random(seed)  # Different people, the same ones on every run.
        gaps = [chance.randint(28, 36) for _ in range(20)]
        days = [date(2024, 1, 5) + timedelta(sum(gaps[:place])) for place in range(20)]
        assert all(
            one.cadence == "monthly" for one in found(at_home().charges(days, "V", 32_00, category))
        )


def test_a_price_step_of_what_comes_twice_a_month_is_one_series() -> None:
    """The few charges at the new price are a fortnight apart, and go on where the old price ended."""
    days = on_weekdays(semimonthly("2025-01-01", 23, (7, 22)), -1)
    prices = [90_00] * (len(days) - 3) + [95_00] * 3
    (charge,) = found(at_home().charges(days, "INSURER", prices, "insurance"))
    assert (charge.cadence, charge.amount, charge.price_before) == ("semimonthly", 95_00, 90_00)


def test_a_cancelled_membership_is_not_revived_by_purchases() -> None:
    """Where purchases of such amounts come near any day, none of them is the next charge."""
    chance = random.Random(9)  # The same purchases on every run.
    home = at_home().charges(monthly("2024-01-14", 18), "SHOP", 14_99, "shopping")
    for day in every("2024-01-02", 3, 230):
        home.charge(day, "SHOP", chance.randrange(10_00, 20_00))
    (charge,) = found(home)
    assert (charge.count_all, charge.active) == (18, False)


def test_three_charges_with_one_skipped_are_known_at_one_price_only() -> None:
    """Two distances, one of them double, say little; the same cent three times says more."""
    days = ["2025-01-14", "2025-07-14", "2025-10-14"]
    uneven = at_home().charges(days, "SUPPLIER", [60_00, 66_00, 62_50], "utilities")
    assert found(uneven) == []
    even = at_home().charges(days, "SUPPLIER", 60_00, "utilities")
    assert [one.cadence for one in found(even)] == ["quarterly"]


def test_five_thousand_charges_of_one_payee_are_no_burden() -> None:
    """A busy payee is read from what repeats and from its latest charges, and no visit is a bill."""
    chance = random.Random(8)  # The same payee on every run.
    home = household().checking(covered=("2016-01-01", TODAY))
    for day in every("2016-01-03", 1, 3_600):
        home.charge(day, "MARKETPLACE", chance.randrange(5_00, 90_00), "uncategorized")
    home.charges(monthly("2023-01-14", 35), "MARKETPLACE", 114_99)
    assert [(one.amount, one.count_all) for one in found(home)] == [(114_99, 35)]
