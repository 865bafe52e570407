"""What needs will still take of cash before payday leaves out what is bought by card."""

from datetime import date, timedelta

import pytest

from finplan.plan.explain.sections import explain
from tests.plan.households import Household, every, household, monthly
from tests.plan.typical import assessed, live

TODAY = date(2026, 1, 10)
YEAR = ("2025-01-01", TODAY)


def home_with(*, by_card: int, by_cash: int) -> Household:
    """Food of so much each week, by card and from cash; on the last payday nothing was bought yet."""
    weeks = [day for day in every("2025-01-02", 7, 52) if day < date(2025, 12, 27)]
    home = household().checking(balance=100_00, covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "ACME", 3_000_00, "wages")
    home.charges(monthly("2025-01-05", 13), "LANDLORD", 900_00, "rent")
    home.charges(weeks, "MARKET HALL", by_cash, "groceries")
    home.card("Visa", balance=0, covered=YEAR)
    return home.charges([day + timedelta(1) for day in weeks], "SAFEWAY", by_card, "groceries")


@pytest.mark.parametrize(
    ("by_card", "by_cash", "weeks"), [(100_00, 0, 0), (0, 100_00, 52), (60_00, 40_00, 52)]
)
def test_food_that_is_bought_by_card_takes_no_cash(by_card: int, by_cash: int, weeks: int) -> None:
    """Cash pays it with the card's bill, so only what is usually paid from cash is still needed."""
    shown = live(home_with(by_card=by_card, by_cash=by_cash), TODAY)
    a_month = round(by_cash * weeks / 12)
    assert shown.period.needs == round(a_month * 31 * 12 / 365)
    assert shown.allowance.breakdown.groceries > 400_00


@pytest.mark.parametrize(("by_card", "said"), [(100_00, False), (0, True)])
def test_nobody_is_warned_of_food_that_a_card_pays(by_card: int, said: bool) -> None:
    """That cash does not carry what needs take is said where they take cash."""
    home = home_with(by_card=by_card, by_cash=100_00 - by_card)
    reasons = explain(assessed(home, TODAY), None, "allowance").reasons
    assert any("of this period's usual sum to come" in each for each in reasons) is said
