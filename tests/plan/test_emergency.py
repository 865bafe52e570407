"""The emergency fund's goal: how many months, and from which cash."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from finplan.model.money import half_even
from finplan.plan.advise.assessment import Assessment
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess
from finplan.plan.sections.emergency import kept_in_cash, varies
from tests.plan.households import Household, every, household, monthly

TODAY = date(2026, 1, 10)
YEAR = ("2025-01-01", TODAY)


def assessed(home: Household) -> Assessment:
    return assess(home.ledger(), keep_books(home.ledger(), TODAY), TODAY)


def earner(cash: int = 3_000_00, **settings: Any) -> Household:
    return (
        household(**settings)
        .checking(balance=cash, covered=YEAR)
        .credits(every("2025-01-03", 14, 27), "ACME", 2_000_00, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_000_00, "rent")
    )


def goal(home: Household) -> tuple[int, str]:
    target = assessed(home).target
    return target.months, target.why


def test_one_steady_earner_needs_six_months() -> None:
    """A regular salary alone: 6, of essentials and nothing added."""
    home = assessed(earner())
    assert goal(earner()) == (6, "usual")
    assert home.fund.target_amount == 6_000_00
    assert home.fund.months_covered == 3.0


def test_a_persons_own_value_comes_first() -> None:
    """Own months win over every rule, zero included."""
    assert goal(earner(target_months=4)) == (4, "own")
    none = assessed(earner(target_months=0)).fund
    assert (none.target_amount, none.gap, none.months_to_target) == (0, 0, 0)


def test_two_payers_who_can_carry_each_other_need_three() -> None:
    """3 only if income without the largest source covers half of the essentials."""
    second = earner().credits(monthly("2025-01-28", 12), "SHOP JOB", 500_00, "wages")
    assert goal(second) == (3, "two_earners")
    little = earner().credits(monthly("2025-01-28", 12), "SHOP JOB", 499_00, "wages")
    assert goal(little) == (6, "usual")


def test_interest_is_no_second_earner() -> None:
    """Salary and interest are one wage source, however large the interest."""
    home = earner().credits(monthly("2025-01-28", 12), "BANK INTEREST", 900_00, "interest")
    assert goal(home) == (6, "usual")


def test_a_second_job_that_ended_is_no_second_earner() -> None:
    """Only active sources carry a household."""
    home = earner().credits(monthly("2025-01-28", 5), "SHOP JOB", 900_00, "wages")
    assert goal(home) == (6, "usual")


def test_a_short_history_assumes_six() -> None:
    """Below three months: 6 and "assumed"."""
    home = (
        household()
        .checking(balance=500_00, covered=("2025-11-01", TODAY))
        .credits(every("2025-11-07", 14, 5), "ACME", 2_000_00, "wages")
        .charges(monthly("2025-11-01", 3), "LANDLORD", 1_000_00, "rent")
    )
    assert goal(home) == (6, "short_history")


def test_uneven_pay_needs_nine() -> None:
    """A main source that varies by more than a quarter: 9, though it comes every second Friday."""
    amounts = [900_00, 2_600_00, 1_500_00, 3_100_00]
    home = (
        household()
        .checking(balance=500_00, covered=YEAR)
        .credits(every("2025-01-03", 14, 27), "TIPS INC", amounts, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_000_00, "rent")
    )
    assert goal(home) == (9, "uneven_income")


def test_no_regular_source_needs_nine() -> None:
    """Nothing regular comes in: 9."""
    home = (
        household()
        .checking(balance=500_00, covered=YEAR)
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_000_00, "rent")
    )
    assert goal(home) == (9, "uneven_income")


def test_a_raise_is_not_uneven_pay() -> None:
    """One step from one fixed amount to another is steady."""
    home = (
        household()
        .checking(balance=500_00, covered=YEAR)
        .credits(every("2025-01-03", 14, 13), "ACME", 1_000_00, "wages")
        .credits(every("2025-07-04", 14, 14), "ACME", 1_900_00, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_000_00, "rent")
    )
    assert goal(home) == (6, "usual")


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [([100], False), ([100, 100], False), ([60, 100, 140], True), ([75, 125], False), ([], False)],
)
def test_variation_is_deviation_over_mean(amounts: list[int], expected: bool) -> None:
    """More than a quarter; exactly a quarter is not more."""
    assert varies(amounts) is expected


def carded(*, balance: int, cash: int) -> Household:
    home = earner(cash).card("visa", balance=balance, covered=YEAR)
    return home.charges(monthly("2025-10-20", 3), "INTEREST CHARGE", 20_00, "interest_fees")


def test_while_cards_revolve_the_goal_is_a_starter() -> None:
    """Paydown: one month, and the whole cash is reserve."""
    home = assessed(carded(balance=9_000_00, cash=700_00))
    assert (home.target.months, home.target.why) == (1, "starter")
    assert home.target.reserve == 700_00


def test_the_card_bill_is_spoken_for() -> None:
    """Not paydown: what cards are owed is no reserve."""
    home = assessed(carded(balance=400_00, cash=3_000_00))
    assert home.payoff.strategy == "pay_in_full"
    assert home.target.reserve == 2_600_00


def test_own_months_do_not_delay_the_cards() -> None:
    """With own months and revolving cards, only the starter's floor comes before the cards."""
    home = carded(balance=9_000_00, cash=100_00)
    home.settings = home.settings.model_copy(update={"target_months": 6})
    found = assessed(home)
    base = found.target.base
    assert found.fund.gap == 6 * base - 100_00
    assert found.fund.monthly_contribution == half_even(base, 4) - 100_00
    assert found.fund.months_to_target is not None
    assert found.payoff.waterfall.months_to_clear is not None
    assert found.fund.months_to_target > found.payoff.waterfall.months_to_clear


def at_rate(apr: float | None, cash: int = 100_00) -> Household:
    home = carded(balance=9_000_00, cash=cash)
    home.accounts["visa"] = replace(home.accounts["visa"], apr=apr)
    return home


@pytest.mark.parametrize(("apr", "part"), [(None, 4), (0.30, 4), (0.10, 4), (0.0999, 1), (0.0, 1)])
def test_a_dear_card_leaves_a_quarter_of_a_month_before_it(apr: float | None, part: int) -> None:
    """From 10 % a year on, or where the rate is unknown, the floor is a quarter; else a month."""
    target = assessed(at_rate(apr)).target
    assert (target.part, target.floor) == (part, half_even(target.base, part))
    assert target.starter == target.floor - 100_00


def test_one_dear_card_among_cheap_ones_is_enough() -> None:
    """A single unknown rate keeps the floor at a quarter; a card that owes nothing has no say."""
    home = at_rate(0.05).card("other", balance=500_00, covered=YEAR)
    home.charges(monthly("2025-11-20", 2), "INTEREST CHARGE", 5_00)
    assert assessed(home).target.part == 4
    home.accounts["other"] = replace(home.accounts["other"], balance=0)
    assert assessed(home).target.part == 1


def test_uneven_income_needs_half_a_month_before_the_cards() -> None:
    """Pay that varies by more than a quarter doubles the floor beside a dear card alone."""
    for apr, part in ((0.30, 2), (0.05, 1)):
        home = at_rate(apr)
        home.rows = [row for row in home.rows if row[0] != home.payee_number("ACME")]
        amounts = [900_00, 2_600_00, 1_500_00, 3_100_00]
        home.on("checking").credits(every("2025-01-03", 14, 27), "TIPS INC", amounts, "wages")
        assert assessed(home).target.part == part


def test_what_cash_holds_beyond_the_floor_goes_to_the_cards() -> None:
    """With the floor in cash nothing is put aside, though the starter month is not full."""
    fund = assessed(at_rate(0.30, cash=700_00)).fund
    assert fund.gap > 0
    assert fund.monthly_contribution == 0


def test_an_overdrawn_account_fills_the_gap_and_no_more() -> None:
    """Cash below zero asks for no more than the gap of the fund."""
    target = assessed(at_rate(0.30, cash=-9_000_00)).target
    assert target.starter == target.gap == target.amount


def test_the_floor_is_never_more_than_the_persons_own_target() -> None:
    """Own months of none leave no floor."""
    home = at_rate(0.05)
    home.settings = home.settings.model_copy(update={"target_months": 0})
    assert assessed(home).target.floor == 0


def half_known(unknown: int, cash: int = 30_000_00) -> Household:
    """Rent of 1,000 that is known, and a regular charge that is not."""
    home = earner(cash).charges(monthly("2025-01-12", 12), "ZORBLAX", unknown)
    return home.charges(["2025-03-03", "2025-06-09"], "ODD SHOP", 300_00)


def test_what_is_regular_and_unknown_is_in_the_base_while_provisional() -> None:
    """Base = essentials and recurring charges of no known category; single ones are left out."""
    found = assessed(half_known(500_00))
    assert found.standing.provisional
    assert found.target.base == found.means.essentials + 500_00 == 1_500_00
    assert found.fund.target_amount == 6 * 1_500_00
    assert found.fund.months_covered == 20.0
    firm = assessed(half_known(50_00))
    assert not firm.standing.provisional
    assert firm.target.base == firm.means.essentials == 1_000_00


def test_nothing_is_reached_while_provisional() -> None:
    """Gap 0 says "reached" only of a firm plan whose debts are known."""
    assert assessed(half_known(50_00)).fund.months_to_target == 0
    for home in (
        half_known(500_00),
        half_known(50_00).card("untold", balance=None),
        half_known(50_00).account("car", "loan", balance=None),
    ):
        fund = assessed(home).fund
        assert (fund.gap, fund.months_to_target) == (0, None)


def test_a_gap_is_told_in_months_though_much_is_unknown() -> None:
    """What is missing of a provisional plan is still filled at its pace."""
    fund = assessed(half_known(100_00, cash=1_000_00)).fund
    assert fund.gap > 0
    assert fund.months_to_target is not None


@pytest.mark.parametrize(("planned", "kept"), [(1_000_00, 1_000_00), (999_99, 3_000_00)])
def test_three_months_stay_in_cash_while_income_does_not_cover_needs(
    planned: int, kept: int
) -> None:
    """Kept in cash: a month of the base; three while planned income is below it; never below zero."""
    assert kept_in_cash(1_000_00, planned) == kept
    assert kept_in_cash(-5, planned) == 0


def test_unknown_essentials_complete_nothing() -> None:
    """No essentials: target, gap and months covered are 0, and months to target is unknown."""
    home = household().checking(balance=9_000_00, covered=YEAR)
    home.charges(monthly("2025-01-05", 12), "BISTRO", 100_00, "dining")
    fund = assessed(home).fund
    assert (fund.target_amount, fund.gap, fund.months_covered) == (0, 0, 0)
    assert fund.monthly_contribution == 0
    assert fund.months_to_target is None
