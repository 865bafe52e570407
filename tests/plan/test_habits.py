"""What comes again and is no bill: visits, whoever is visited and however regularly."""

import random
from datetime import date, timedelta
from itertools import accumulate

import pytest

from finplan.plan.ledger.books import Series
from tests.plan.households import Household, every, household, monthly

TODAY = date(2025, 12, 22)

VISITED = ["groceries", "transport", "dining", "shopping", "entertainment"]


def found(home: Household) -> list[Series]:
    """The recurring charges of a household."""
    return list(home.books(TODAY).charges)


def at_home() -> Household:
    """A checking account that is covered until today."""
    return household().checking(covered=("2023-01-01", TODAY))


@pytest.mark.parametrize("category", VISITED)
def test_weekly_visits_are_a_habit(category: str) -> None:
    """The same coffee, ticket or shopping every Friday at the same price is no bill."""
    assert found(at_home().charges(every("2025-01-03", 7, 50), "CAFE", 24_50, category)) == []


@pytest.mark.parametrize("category", VISITED)
def test_a_fixed_price_on_its_day_is_a_bill_even_where_people_go(category: str) -> None:
    """A parking space, a rail pass, a museum's membership: evidence of the rows goes before a name."""
    home = at_home().charges(monthly("2025-01-05", 12), "CORNER", 55_00, category)
    assert [(one.cadence, one.amount) for one in found(home)] == [("monthly", 55_00)]


def test_a_box_of_food_may_come_every_second_week() -> None:
    """Nobody's shopping comes to the same cent each time, but a delivered box does."""
    home = at_home().charges(every("2025-01-08", 14, 25), "FARM BOX", 38_50, "groceries")
    assert [one.cadence for one in found(home)] == ["biweekly"]
    assert found(at_home().charges(every("2025-01-08", 14, 25), "LUNCH", 38_50, "dining")) == []


def test_a_monthly_grocery_run_is_a_habit() -> None:
    """A large shop on the first Saturday of each month is no bill, in its category or in none."""
    saturdays = [day for day in every("2024-01-06", 7, 102) if day.day <= 7]
    chance = random.Random(3)  # The same amounts on every run.
    amounts = [chance.randrange(90_00, 320_00) for _ in saturdays]
    for category in ("groceries", "uncategorized"):
        assert found(at_home().charges(saturdays, "MARKET", amounts, category)) == []


def test_withdrawals_are_never_bills() -> None:
    """The same cash every month is still no charge."""
    assert found(at_home().charges(monthly("2025-01-02", 12), "ATM", 200_00, "cash")) == []


@pytest.mark.parametrize("category", ["personal_care", "uncategorized"])
def test_a_barber_is_no_monthly_bill(category: str) -> None:
    """One price every four to six weeks keeps neither a day of the month nor a distance."""
    for seed in range(30):
        chance = random.Random(seed)  # Different people, the same ones on every run.
        gaps = [chance.randint(28, 42) for _ in range(20)]
        days = [date(2024, 1, 5) + timedelta(days) for days in accumulate(gaps)]
        assert found(at_home().charges(days, "BARBER", 32_00, category)) == []


def test_a_coffee_is_a_habit_where_nothing_is_known_of_the_payee() -> None:
    """Little money a week is a visit; a lesson at its price each week is a bill."""
    weekly = every("2025-01-03", 7, 50)
    assert found(at_home().charges(weekly, "QUUX", 5_50)) == []
    chance = random.Random(2)  # The same orders on every run.
    orders = [chance.choice((4_20, 5_50, 12_10)) for _ in weekly]
    assert found(at_home().charges(weekly, "QUUX", orders)) == []
    (lesson,) = found(at_home().charges(weekly, "QUUX", 45_00))
    assert (lesson.cadence, lesson.count_all) == ("weekly", 50)


def test_weekly_visits_of_differing_prices_are_a_habit() -> None:
    """A restaurant on Fridays is no bill where nothing else is known of it."""
    chance = random.Random(5)  # The same dinners on every run.
    fridays = every("2024-01-05", 7, 100)
    dinners = [chance.randrange(25_00, 80_00) for _ in fridays]
    assert found(at_home().charges(fridays, "QUUX", dinners)) == []


def test_an_unknown_payee_that_bills_is_found() -> None:
    """Two prices on two days of the month are two bills, whoever charges them."""
    home = at_home().charges(monthly("2025-01-05", 12), "ZORBLAX", 9_99)
    home.charges(monthly("2025-01-19", 12), "ZORBLAX", 2_99)
    assert [one.amount for one in found(home)] == [9_99, 2_99]


def test_a_bill_that_varies_is_known_by_its_day_alone() -> None:
    """Power at a payee that is in no category comes on its day, though the meter says otherwise."""
    meter = [120_00, 96_00, 101_00, 78_00, 74_00, 88_00, 112_00, 125_00, 90_00, 70_00, 80_00]
    home = at_home().charges(monthly("2025-01-12", 12), "ZORBLAX", meter)
    assert [one.cadence for one in found(home)] == ["monthly"]
