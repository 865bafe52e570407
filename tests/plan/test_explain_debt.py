"""Explanations of the fund and the cards: what the starter's floor saves, and what the base holds."""

from dataclasses import replace

import pytest

from finplan.model.money import half_even
from finplan.plan.explain.sections import explain
from finplan.plan.sections.emergency import MonthlyFunds, OwedCard, simulate_waterfall
from finplan.plan.words import count, money
from tests.plan.formulas import exactly, worked_out
from tests.plan.households import Household, every, household, monthly
from tests.plan.typical import YEAR, assessed


def in_debt(cash: int, apr: float | None) -> Household:
    """16,000 owed on one card, some cash, rent of 2,000 and a month's interest of 400."""
    home = (
        household()
        .checking(balance=cash, covered=YEAR)
        .credits(every("2025-01-03", 14, 27), "ACME", 1_700_00, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 2_000_00, "rent")
        .card("visa", balance=16_000_00, apr=apr, covered=YEAR)
    )
    return home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 400_00, "interest_fees")


def reasons_for(home: Household, section: str) -> str:
    return " ".join(explain(assessed(home), None, section).reasons)


@pytest.mark.parametrize("section", ["debt", "emergencyFund"])
def test_the_floor_says_what_it_saves_against_a_whole_month_first(section: str) -> None:
    """Both ways are simulated apart: the difference in months and in interest stands in the reason."""
    home = in_debt(200_00, 0.30)
    found = assessed(home)
    card, means = [OwedCard(16_000_00, 300_000, None)], found.means
    base = found.planned.essentials
    funds = MonthlyFunds(found.planned.capacity, means.card_interest, 0, base - 200_00, 25_00)
    floor = simulate_waterfall(card, replace(funds, starter=half_even(base, 4) - 200_00))
    month = simulate_waterfall(card, replace(funds, starter=base - 200_00))
    assert floor.months_to_clear is not None
    assert month.months_to_clear is not None
    months = count(month.months_to_clear - floor.months_to_clear, "month")
    saved = money(month.interest - floor.interest, "USD")
    assert month.interest > floor.interest
    told = reasons_for(home, section)
    assert f"Against a whole month first that saves {months} and {saved} of interest." in told


def test_a_floor_without_a_known_rate_saves_months_alone() -> None:
    """Interest that nobody knows is not told as saved; the rate is taken for a high one."""
    told = reasons_for(in_debt(200_00, None), "debt")
    assert "of interest." not in told
    assert "A rate that is not known is taken for a high one." in told


def test_nothing_is_saved_where_a_whole_month_is_there_or_comes_first() -> None:
    """With a month in cash, or cards that cost little, there is nothing to compare."""
    assert "Against a whole month" not in reasons_for(in_debt(2_500_00, 0.30), "debt")
    cheap = reasons_for(in_debt(200_00, 0.05), "debt")
    assert "Against a whole month" not in cheap
    assert "No card's rate reaches 10%, so a whole month of cash" in cheap


def test_when_cards_are_clear_is_not_told_while_one_is_unknown() -> None:
    """The reason why the months are missing stands beside them."""
    home = in_debt(200_00, 0.30)
    sentence = "cannot be told while it is not known what they owe"
    assert sentence not in reasons_for(home, "debt")
    assert sentence in reasons_for(home.card("other", balance=None), "debt")


def test_an_unknown_regular_charge_is_a_part_of_the_base() -> None:
    """While provisional the base is a figure of its own: essentials and what is regular but unknown."""
    home = (
        in_debt(200_00, 0.30).on("checking").charges(monthly("2025-01-12", 12), "ZORBLAX", 900_00)
    )
    found = assessed(home)
    for section in ("debt", "emergencyFund"):
        figures = {each.name: each for each in explain(found, None, section).figures}
        assert figures["base"].result == found.planned.essentials + 900_00
        assert figures["base"].formula == "runningEssentials + regularUnknown"
    assert "The plan is an estimate" in reasons_for(home, "emergencyFund")
    firm = explain(assessed(in_debt(200_00, 0.30)), None, "emergencyFund")
    assert "base" not in {each.name for each in firm.figures}


@pytest.mark.parametrize("section", ["debt", "emergencyFund"])
@pytest.mark.parametrize("apr", [None, 0.30, 0.05])
def test_every_formula_about_a_debt_comes_to_its_result(section: str, apr: float | None) -> None:
    """The minimum with and without a rate, the base with unknown charges, the floor of each part."""
    home = in_debt(200_00, apr).on("checking").charges(monthly("2025-01-12", 12), "ZORBLAX", 900_00)
    for figure in explain(assessed(home), None, section).figures:
        if figure.formula is not None:
            assert worked_out(figure) == exactly(figure.result), figure.name
