"""A bill of the seasons is expected as it was a year before, once two years show that this says more."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from finplan.plan.explain.sections import explain
from finplan.plan.ledger.books import Series
from finplan.plan.live.expected import amount_due
from tests.plan.households import Household, household, monthly
from tests.plan.typical import assessed, live

TODAY = date(2025, 11, 23)
_YEAR = [162_10, 158_40, 121_30, 80_20, 44_90, 31_50, 29_60, 28_70, 32_80, 38_15, 77_25, 131_35]
GAS = [127_00, *[amount + 1_37 for amount in _YEAR], *_YEAR]
"""Two years of heating from December on, and the November before."""


def at_home(amounts: Sequence[int] = GAS, months: int = 25) -> Household:
    """A gas bill on the 10th of so many months up to November, and pay; amounts start over."""
    home = household().checking(balance=2_000_00, covered=("2023-01-01", TODAY))
    home.credits(monthly("2023-10-28", 25), "ACME", 3_000_00, "wages")
    days = monthly("2023-11-10", 25)
    bills = [amounts[place % len(amounts)] for place in range(25)]
    return home.charges(days[-months:], "GAS", bills[-months:], "utilities")


def the_bill(home: Household) -> Series:
    (bill,) = home.books(TODAY).charges
    return bill


def due(home: Household) -> list[tuple[date, int]]:
    """What is due of the bill in the next month."""
    shown = live(home, TODAY).upcoming
    return [(each.date, each.amount) for each in shown if each.name == "GAS"]


@pytest.mark.parametrize("months", [22, 24, 25])
def test_a_december_is_expected_as_the_last_one_was(months: int) -> None:
    """What is due is the season's; the usual amount and its month stay those of the last six."""
    home = at_home(months=months)
    assert (the_bill(home).amount, the_bill(home).monthly) == (35_48, 35_48)
    assert due(home) == [(date(2025, 12, 10), 162_10)]


def test_cash_holds_what_is_due() -> None:
    """The guard, the month's theme and the period count the amount that is listed."""
    home = at_home()
    shown = live(home, date(2025, 12, 9))
    assert [each.amount for each in shown.upcoming if each.name == "GAS"] == [162_10]
    assert shown.allowance.breakdown.upcoming == 162_10
    assert shown.period.guard == 2_000_00 - 162_10
    assert [each.upcoming for each in shown.groups if each.key == "utilities"] == [162_10]


def test_with_less_than_two_years_the_usual_amount_is_expected() -> None:
    """One year shows no season: nobody knows whether December is always so."""
    assert due(at_home(months=21)) == [(date(2025, 12, 10), 35_48)]


def test_a_bill_that_varies_by_chance_has_no_season() -> None:
    """Where a year before foretold the bills no better than the usual amount, that stays expected."""
    amounts = [
        50_00,
        61_00,
        44_00,
        57_00,
        48_00,
        63_00,
        52_00,
        46_00,
        59_00,
        51_00,
        66_00,
        43_00,
        55_00,
    ]
    home = at_home(amounts)
    assert due(home) == [(date(2025, 12, 10), the_bill(home).amount)]


def test_a_price_that_went_up_is_expected_as_it_is_now() -> None:
    """A fixed price has no season, whatever it was a year before."""
    home = at_home([30_00])
    home.charges(monthly("2023-11-15", 23), "NET", 40_00, "phone_internet")
    home.charges(monthly("2025-10-15", 2), "NET", 44_00)
    shown = live(home, TODAY).upcoming
    assert [each.amount for each in shown if each.name == "NET"] == [44_00]


def test_what_comes_more_often_than_monthly_has_no_season() -> None:
    """A week says nothing of the same week of a year before."""
    bill = the_bill(at_home())
    assert amount_due(bill, date(2025, 12, 10)) == 162_10
    assert amount_due(replace(bill, cadence="semimonthly"), date(2025, 12, 10)) == bill.amount


def test_a_month_without_a_bill_a_year_before_has_the_usual_amount() -> None:
    """Nothing is known of a month that was left out."""
    bill = the_bill(at_home())
    assert amount_due(bill, date(2026, 12, 10)) == bill.amount
    assert amount_due(bill, date(2025, 12, 24)) == 162_10
    assert amount_due(bill, date(2025, 12, 25)) == bill.amount


def test_the_explanation_says_what_is_due_and_why() -> None:
    """Two amounts of one bill are told with what each is."""
    explanation = explain(assessed(at_home(), TODAY), None, "recurring")
    assert any(
        reason.endswith(
            "; amounts vary, so its month is the middle one of the last six, and the next is expected"
            " as a year before: $162."
        )
        for reason in explanation.reasons
    )


def test_a_short_series_has_no_season() -> None:
    """Months of which none has a bill a year before tell nothing of a year."""
    assert due(at_home(months=8)) == [(date(2025, 12, 10), 35_48)]
