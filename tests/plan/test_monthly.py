"""The means of a window, and what is planned with."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.build import build_plan
from finplan.plan.sections.monthly import (
    Means,
    PlannedMonth,
    per_month,
    plan_month,
    ratio,
    take_means,
)
from finplan.plan.sections.spending import shares
from tests.plan.households import Household, every, household, monthly

TODAY = date(2026, 1, 10)
YEAR = ("2025-01-01", TODAY)


def means(home: Household) -> Means:
    return take_means(home.books(TODAY), home.catalogue)


def planned(home: Household) -> PlannedMonth:
    return plan_month(home.ledger(), home.books(TODAY))


def earner() -> Household:
    home = household().checking(covered=YEAR)
    return home.credits(every("2025-01-03", 14, 27), "ACME", 1_200_00, "wages")


@given(st.integers(-(10**9), 10**9), st.integers(1, 12))
def test_a_mean_is_off_by_half_a_unit_at_most(total: int, months: int) -> None:
    """The mean × months differs from the total by at most half a unit a month."""
    assert abs(2 * (per_month(total, Fraction(months)) * months - total)) <= months


def test_a_mean_over_nothing_is_zero() -> None:
    """Without months there is no mean."""
    assert per_month(0, Fraction(0)) == 0


@given(st.integers(-(10**9), 10**9), st.integers(-5, 10**9))
def test_a_ratio_has_four_decimals(part: int, whole: int) -> None:
    """Half-even to the fourth; 0 where the denominator is not positive."""
    found = ratio(part, whole)
    if whole <= 0:
        assert found == 0
    else:
        assert abs(Fraction(str(found)) - Fraction(part, whole)) <= Fraction(1, 20_000)


@given(st.lists(st.integers(-1_000, 10**7), max_size=9))
def test_shares_are_of_the_positive_totals(totals: list[int]) -> None:
    """What was refunded beyond its cost has no share; the others add up to exactly 1."""
    found = [round(share * 10_000) for share in shares(totals)]
    assert sum(found) == (10_000 if any(total > 0 for total in totals) else 0)
    assert all(share == 0 for share, total in zip(found, totals, strict=True) if total <= 0)


def test_neither_a_gift_nor_a_lost_job_is_planned_with() -> None:
    """A gift raises what was observed, a lost job lowers what runs."""
    plain = earner()
    assert means(plain).income == planned(plain).income == 2_600_00
    gift = earner().credit("2025-05-05", "GRANDMA", 12_000_00, "other_income")
    assert (means(gift).income, planned(gift).income) == (3_600_00, 2_600_00)
    # Four months before the window's end no interval of grace is left.
    lost = household().checking(covered=YEAR)
    lost.credits(every("2025-01-03", 14, 13), "ACME", 1_200_00, "wages")
    lost.charges(monthly("2025-01-05", 13), "LANDLORD", 100_00, "rent")
    assert (means(lost).income, planned(lost).income) == (1_300_00, 0)


def test_two_credits_are_no_running_income() -> None:
    """A half-yearly bonus is income, and not what months are planned with."""
    home = earner().credits(["2025-03-15", "2025-09-15"], "BONUS", 3_000_00, "wages")
    assert means(home).income == 3_100_00
    assert planned(home).income == 2_600_00


@pytest.mark.parametrize(("months", "income"), [(2, 500_00), (3, 0)])
def test_a_short_history_without_a_source_plans_with_what_came(months: int, income: int) -> None:
    """Below three months nobody can know a source."""
    first = date(2026, 1 - months + 12, 1) if months > 0 else TODAY
    home = household().checking(covered=(first.replace(year=2025), TODAY))
    days = monthly(first.replace(year=2025), months)
    for payer, day in zip(["GRANDMA", "AUNT", "UNCLE"], days, strict=False):
        home.credit(day, payer, 500_00, "other_income")
    assert (means(home).income, planned(home).income) == (500_00, income)


def test_three_paydays_of_one_month_are_planned_as_26_a_year() -> None:
    """Five weeks with pay every second week: 26/12 of the pay; a gift is nothing to count on."""
    home = household().checking(covered=("2025-12-08", TODAY))
    home.credits(every("2025-12-12", 14, 3), "ACME", 1_200_00, "wages")
    home.credit("2025-12-24", "GRANDMA", 100_00, "other_income")
    assert means(home).income == 3_700_00
    assert planned(home).income == planned(home).capacity == 2_600_00


def test_sources_and_charges_come_largest_month_first() -> None:
    """The order in which a person reads them: what a month holds most of first."""
    home = earner().credits(monthly("2025-01-28", 12), "SIDE JOB", 3_000_00, "wages")
    home.charges(monthly("2025-01-05", 13), "LANDLORD", 900_00, "rent")
    home.charges(monthly("2025-01-06", 13), "STREAMFLIX", 15_00, "subscriptions")
    home.charges(monthly("2025-01-07", 13), "BIG DAYCARE", 950_00, "childcare")
    plan = build_plan(home.ledger(), TODAY)
    assert [source.name for source in plan.income_sources] == ["SIDE JOB", "ACME"]
    assert [charge.name for charge in plan.recurring] == ["BIG DAYCARE", "LANDLORD", "STREAMFLIX"]


def test_capacity_is_never_below_zero() -> None:
    """Spending beyond income leaves nothing, not a negative plan."""
    home = earner().charges(monthly("2025-01-05", 13), "LANDLORD", 9_000_00, "rent")
    assert means(home).surplus < 0
    assert planned(home).surplus < 0
    assert planned(home).capacity == 0


@pytest.mark.parametrize(("own", "capacity"), [(0, 0), (900_00, 600_00)])
def test_a_persons_own_income_is_the_planned_one(own: int, capacity: int) -> None:
    """Whatever is seen, the person's figure is planned with, and a figure of 0 is one, too."""
    home = household().checking(covered=("2025-01-01", TODAY))
    home.credits(monthly("2025-01-28", 12), "PAYER", 2_000_00, "wages")
    home.charges(monthly("2025-01-05", 12), "LANDLORD", 300_00, "rent")
    home.own_income = own
    found = planned(home)
    assert means(home).income == 2_000_00
    assert (found.income, found.capacity) == (own, capacity)
