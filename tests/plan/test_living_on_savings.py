"""Who lives on savings, on how much of them, and for how long (plan-semantics, section 6a)."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from finplan.model.plan import DebtStrategy
from finplan.plan.sections.budget import LivingOnSavings, live_on_savings
from finplan.plan.sections.monthly import plan_month
from finplan.plan.sections.wealth import take_snapshot
from tests.plan.households import Household, household, monthly

TODAY = date(2026, 1, 10)
YEAR = ("2025-01-01", TODAY)


def found(
    home: Household,
    *,
    base: int | None = None,
    unknown: int = 0,
    strategy: DebtStrategy = "none",
    owed: int = 0,
) -> LivingOnSavings:
    ledger, books = home.ledger(), home.books(TODAY)
    planned = replace(plan_month(ledger, books), unknown=unknown)
    return live_on_savings(
        ledger,
        books,
        planned,
        take_snapshot(ledger),
        base=planned.essentials if base is None else base,
        strategy=strategy,
        owed=owed,
    )


def on_savings(
    income: int = 0,
    category: str = "pension_benefits",
    *,
    cash: int = 36_000_00,
    wants: int = 400_00,
) -> Household:
    """Essentials of 1,600 a month and these wants, with so much income and cash."""
    home = (
        household()
        .checking(balance=cash, covered=YEAR)
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_600_00, "rent")
        .charges(monthly("2025-01-20", 12), "BISTRO", wants, "dining")
    )
    return home.credits(monthly("2025-01-28", 12), "PAYER", income, category) if income else home


@pytest.mark.parametrize(
    ("income", "category", "applies"),
    [
        (1_599_00, "wages", True),
        (1_600_00, "wages", False),
        (1_600_00, "pension_benefits", True),
        (1_600_00, "self_employment", False),
        (2_000_00, "pension_benefits", False),
        (1_999_00, "pension_benefits", True),
    ],
)
def test_who_lives_on_savings(income: int, category: str, applies: bool) -> None:
    """Income below the base, or below spending without pay for work, is living on savings."""
    assert found(on_savings(income, category)).applies is applies


def test_the_base_decides_not_essentials_alone() -> None:
    """Regular charges of no known category raise the base above essentials, and it is what counts."""
    home = on_savings(1_700_00, "wages")
    assert not found(home).applies
    assert found(home, base=1_700_01).applies


def test_a_persons_own_income_replaces_the_planned_one() -> None:
    """Somebody who says what comes in a month is planned with that."""
    home = on_savings(1_000_00).monthly_income(3_000_00)
    assert (found(home).applies, found(home).shortfall) == (False, -1_000_00)


def test_shortfall_runway_and_months() -> None:
    """The shortfall is spending beyond income; runway is what can be drawn, divided by it."""
    seen = found(on_savings(1_200_00, cash=8_000_00))
    assert (seen.shortfall, seen.drawable, seen.runway_months) == (800_00, 8_000_00, Fraction(10))
    assert not seen.lasts


def test_without_a_shortfall_there_is_no_end() -> None:
    """Income that covers spending draws on nothing, so the savings last."""
    seen = found(on_savings(2_000_00))
    assert (seen.runway_months, seen.lasts, seen.months_told) == (None, True, None)


@pytest.mark.parametrize(("cash", "lasts"), [(48_000_00, True), (47_999_99, False)])
def test_two_years_are_long_enough_between_jobs(cash: int, lasts: bool) -> None:
    """Who is not retired needs 24 months of savings, to the cent."""
    seen = found(on_savings(cash=cash))
    assert (seen.horizon, seen.lasts) == (24, lasts)


def test_targets_keep_essentials_and_the_part_of_wants_that_lasts() -> None:
    """Savings for half the horizon keep half of the wants; the three targets add up to income."""
    seen = found(on_savings(cash=24_000_00))
    assert (seen.essentials, seen.discretionary, seen.savings) == (1_600_00, 200_00, -1_800_00)
    assert seen.months_told == Fraction(24_000_00, 1_800_00)


def test_what_is_unknown_is_kept_whole() -> None:
    """Spending in no known category may be a need, so no part of it is left out of the target."""
    seen = found(on_savings(cash=24_000_00), unknown=100_00)
    assert seen.discretionary == 100_00 + 150_00


def test_what_income_leaves_may_be_spent_without_any_savings() -> None:
    """A pension of 1,900 and essentials of 1,600 leave 300 for wants, though nothing can be drawn."""
    seen = found(on_savings(1_900_00, cash=0))
    assert (seen.applies, seen.discretionary, seen.savings) == (True, 300_00, 0)


def test_targets_add_up_to_the_income_there_is() -> None:
    """Σ targets = planned income, to the cent, whatever the runway."""
    seen = found(on_savings(1_000_07, cash=777_77))
    assert seen.essentials + seen.discretionary + seen.savings == 1_000_07


def test_cards_are_paid_before_savings_are_drawn() -> None:
    """What cards are owed is spoken for, down to nothing; under `paydown` the cash stays whole."""
    home = on_savings(cash=5_000_00).brokerage(balance=10_000_00)
    assert found(home, owed=1_000_00).drawable == 14_000_00
    assert found(home, owed=6_000_00).drawable == 10_000_00
    assert found(home, owed=6_000_00, strategy="paydown").drawable == 5_000_00


def test_an_overdraft_is_nothing_to_draw_on() -> None:
    """Cash below zero is no negative savings."""
    assert found(on_savings(cash=-100_00)).drawable == 0
    assert found(on_savings(cash=-100_00), strategy="paydown").drawable == 0


@pytest.mark.parametrize(
    ("kind", "subtype", "sold"),
    [
        ("investment", "brokerage", True),
        ("depository", "cd", True),
        ("investment", None, True),
        ("depository", "hsa", False),
        ("depository", "fsa", False),
        ("investment", "529", False),
        ("other", "property", False),
        ("other", "real estate", False),
        ("other", "vehicle", False),
        ("investment", "401k", False),
        ("investment", "Roth 401k", False),
        ("investment", "ira", False),
    ],
)
def test_what_can_be_sold(kind: str, subtype: str | None, sold: bool) -> None:
    """A house, a car, health and school money are never sold, retirement money not before its time."""
    home = on_savings(cash=0).account("it", kind, subtype, balance=9_000_00)  # type: ignore[arg-type]
    assert found(home).drawable == (9_000_00 if sold else 0)


def test_the_retired_draw_on_retirement_money_for_twenty_years() -> None:
    """A pension and no pay in half a year: retirement accounts count, the house still does not."""
    home = on_savings(1_000_00).account("ira", "investment", "ira", balance=64_000_00)
    seen = found(home.account("house", "other", "property", balance=90_000_00))
    assert (seen.retired, seen.horizon, seen.drawable) == (True, 240, 100_000_00)
    assert seen.runway_months == 100


def test_who_was_paid_in_the_last_half_year_is_not_retired() -> None:
    """Pay within 183 days of the last data says that work goes on; earlier pay does not."""
    home = on_savings(1_000_00).credit("2025-07-11", "SHOP JOB", 500_00, "wages")
    assert not found(home).retired
    home = on_savings(1_000_00).credit("2025-07-10", "SHOP JOB", 500_00, "wages")
    assert found(home).retired


def test_a_short_history_says_nothing_of_retirement() -> None:
    """Half a year must be seen before its lack of pay tells anything."""
    home = household().checking(covered=("2025-08-01", TODAY))
    home.credits(monthly("2025-08-28", 5), "PENSION", 1_000_00, "pension_benefits")
    assert not found(home).retired


@pytest.mark.parametrize(("first", "retired"), [("2025-07-11", True), ("2025-07-12", False)])
def test_half_a_year_is_counted_to_the_day(first: str, retired: bool) -> None:
    """183 days before the last data must be covered by rows."""
    home = (
        household().checking(covered=("2025-07-01", TODAY)).charge(first, "KIOSK", 1_00, "dining")
    )
    home.credits(monthly("2025-07-28", 6), "PENSION", 1_000_00, "pension_benefits")
    assert found(home).retired is retired


def test_a_pension_that_stopped_is_no_retirement() -> None:
    """Only a pension that still comes makes somebody retired."""
    home = on_savings().credits(monthly("2025-01-28", 6), "PENSION", 900_00, "pension_benefits")
    assert not found(home).retired


def drawing(times: int, *, step: int = 1) -> Household:
    home = on_savings(cash=1_000_00)
    return home.credits(monthly("2025-01-05", times, step), "FUND HOUSE", 800_00, "investing")


@pytest.mark.parametrize(("times", "step", "regular"), [(6, 2, True), (5, 2, False), (12, 1, True)])
def test_regular_draws_from_an_investment_that_is_not_linked(
    times: int, step: int, regular: bool
) -> None:
    """Draws in half of a year's months are regular: the wants that they pay for stay whole."""
    seen = found(drawing(times, step=step))
    assert (seen.regular_draws, seen.lasts) == (regular, regular)
    assert (seen.discretionary == 400_00) is regular


def test_two_draws_are_not_regular_however_short_the_window() -> None:
    """Three months with a draw are needed, money paid in is none, and nor is a linked account's."""
    home = household().checking(covered=("2025-10-01", TODAY)).brokerage()
    home.on("checking").charges(monthly("2025-10-02", 3), "BISTRO", 900_00, "dining")
    days = monthly("2025-10-05", 3)
    home.credits(days[:2], "FUND HOUSE", 800_00, "investing").charge(
        days[2], "FUND HOUSE", 800_00, "investing"
    )
    home.transfer(days[2], "brokerage", "checking", 50_00, category="investing")
    assert not found(home).regular_draws
    assert found(home.credit(days[2], "FUND HOUSE", 1_00)).regular_draws


def test_a_household_without_rows_lives_on_nothing() -> None:
    """Nothing spent is nothing drawn."""
    seen = found(household().checking(balance=500_00))
    assert (seen.applies, seen.shortfall, seen.months_told) == (False, 0, None)
