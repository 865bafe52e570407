"""A monthly bill among other charges of its payee is known by its day, and visits are no bill."""

import random
from datetime import date, timedelta

import pytest

from finplan.plan.detect.series import Occurrence
from finplan.plan.detect.varying_bills import monthly_bill
from tests.plan.households import every, household, monthly

TODAY = date(2025, 12, 22)
FIRST = date(2024, 11, 14)
DAYS = 395


def bill(chance: random.Random, months: int = 13, sway: float = 0.2) -> list[Occurrence]:
    """A monthly bill that varies, up to two days late."""
    return [
        ((day + timedelta(chance.choice((0, 0, 0, 1, 2)))).toordinal(), amount, 1)
        for day in monthly(FIRST, months)
        if (amount := round(80_00 * chance.uniform(1 - sway, 1 + sway)))
    ]


def others(chance: random.Random, count: int) -> list[Occurrence]:
    """Charges on any days of thirteen months, of any amounts."""
    return [
        (FIRST.toordinal() + chance.randrange(DAYS), chance.randint(10_00, 240_00), 1)
        for _ in range(count)
    ]


@pytest.mark.parametrize("count", [1, 3, 6])
def test_a_bill_is_found_beside_other_charges(count: int) -> None:
    """Of a hundred bills with up to six other charges in thirteen months, 95 are found whole."""
    found = 0
    for seed in range(100):
        chance = random.Random(seed)  # Different payees, the same ones on every run.
        charges = bill(chance)
        stream = monthly_bill(sorted(charges + others(chance, count)))
        held = set() if stream is None else set(stream.charges)
        found += len(held & set(charges)) >= 11 and len(held - set(charges)) <= 1
    assert found >= 95


def test_a_payee_without_a_bill_has_none() -> None:
    """Of two hundred payees that are paid on any days, four at most look like a bill."""
    false = 0
    for seed in range(200):
        chance = random.Random(seed)  # Different payees, the same ones on every run.
        charges = others(chance, chance.randint(6, 20))
        false += monthly_bill(sorted(charges)) is not None
    assert false <= 4


def test_a_busy_payee_is_not_looked_at() -> None:
    """Where somebody pays twice a month and more, each day of the month has its charges."""
    chance = random.Random(1)  # The same payee on every run.
    few, many = others(chance, 8), others(chance, 14)
    assert monthly_bill(sorted(bill(chance) + few)) is not None
    assert monthly_bill(sorted(bill(chance) + many)) is None


def test_visits_on_a_weekday_are_no_bill() -> None:
    """The first Saturday's shopping keeps a weekday, and so it does with two visits beside it."""
    chance = random.Random(3)  # The same amounts on every run.
    saturdays = [day for day in every("2024-01-06", 7, 102) if day.day <= 7]
    visits = [(day.toordinal(), chance.randrange(150_00, 200_00), 1) for day in saturdays]
    assert monthly_bill(sorted([*visits, *others(chance, 2)])) is None


def test_a_few_charges_are_no_bill_among_others() -> None:
    """Four on their day may be an accident beside others; with ten months they are none."""
    chance = random.Random(2)  # The same payee on every run.
    beside = others(chance, 4)
    assert monthly_bill(sorted(bill(chance, 4) + beside)) is None
    assert monthly_bill(sorted(bill(chance, 11) + beside)) is not None


def test_amounts_that_are_far_apart_are_no_bill() -> None:
    """Somebody who goes there on pay day spends this and that."""
    chance = random.Random(4)  # The same amounts on every run.
    visits = [(day.toordinal(), chance.randint(5_00, 300_00), 1) for day in monthly(FIRST, 13)]
    assert monthly_bill(sorted([*visits, *others(chance, 3)])) is None


def test_the_plan_holds_the_bill_and_not_what_is_beside_it() -> None:
    """The phone bill is recurring at about its amount; the accessories are not."""
    chance = random.Random(7)  # The same payee on every run.
    home = household().checking(covered=("2024-01-01", TODAY))
    charges = bill(chance, 14)
    for day, amount, _ in charges + others(chance, 5):
        home.charge(date.fromordinal(day), "ZORBLAX", amount)
    (one,) = home.books(TODAY).charges
    assert (one.cadence, one.active) == ("monthly", True)
    assert 64_00 <= one.amount <= 96_00
    assert one.count_all in range(13, 16)
