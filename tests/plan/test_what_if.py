"""What if: no change is the plan, a change that is tried is the change that is made, loans add up."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from finplan.plan.ledger.books import Series
from finplan.plan.what_if import (
    Tried,
    active_charges,
    active_sources,
    figures_of,
    loan_terms,
    month_later,
    with_balance,
    with_charge,
    with_income,
    with_planned,
    without_source,
)
from tests.plan.households import TODAY, Household, as_date, every, monthly, with_cash
from tests.plan.strategies import households

some = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def paid(balance: int = 20_000_00) -> Household:
    """Pay of 4,000 on the 28th, a lodger's 500 on the 2nd, rent of 1,500, food of 70 a week, a gym."""
    return (
        with_cash(balance)
        .credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
        .credits(monthly("2025-01-02", 13), "LODGER", 500_00, "other_income")
        .rents(1_500_00)
        .charges(every("2025-01-04", 7, 53), "SAFEWAY", 70_00, "groceries")
        .charges(monthly("2025-01-12", 12), "GYM", 40_00, "subscriptions")
    )


def tried(home: Household) -> Tried:
    return Tried(home.ledger(), home.books(TODAY))


def named(series: list[Series], name: str) -> Series:
    return next(each for each in series if each.name == name)


@some
@given(
    home=households(),
    amount=st.integers(1, 9_000_00),
    days=st.integers(0, 100),
    repeats=st.booleans(),
)
def test_what_is_tried_is_what_is_planned(
    home: Household, amount: int, days: int, *, repeats: bool
) -> None:
    """A payment that is only tried gives the figures that it gives once it is planned."""
    before = tried(home)
    cadence = "monthly" if repeats else None
    home.plans_money("Boat", amount, TODAY + timedelta(days), cadence=cadence)
    only_tried = with_planned(before, home.planned[-1], TODAY)
    assert figures_of(*only_tried, TODAY, 60) == figures_of(*tried(home), TODAY, 60)


@some
@given(households())
def test_what_is_tried_and_ended_leaves_the_plan(home: Household) -> None:
    """Ending what is not there moves nothing: each change is made on what was before."""
    before = tried(home)
    figures = figures_of(*before, TODAY, 60)
    same = with_balance(before, 1, before.ledger.accounts[1].balance or 0)
    if before.ledger.accounts[1].balance is not None:
        assert figures_of(*same, TODAY, 60) == figures


@some
@given(households())
def test_running_figures_still_add_up(home: Household) -> None:
    """Whatever is cancelled or changed: categories add up to spending, and spending to its two lines."""
    for charge in active_charges(home.books(TODAY)):
        for amount in (None, charge.amount, 2 * charge.amount + 1):
            household = tried(home)
            (same,) = [
                each
                for each in active_charges(household.books)
                if (each.payees, each.first_date, each.amount, each.account)
                == (charge.payees, charge.first_date, charge.amount, charge.account)
            ][:1]
            running = with_charge(household, same, amount).books.running
            assert sum(running.by_category.values()) == running.spend
            assert running.essentials + running.discretionary == running.spend


def test_a_lost_income_is_in_nothing() -> None:
    """Planned income falls by what the source brings a month, and cash has it on no day."""
    home = tried(paid())
    source = named([*active_sources(home.books)], "LODGER")
    before, after = home, without_source(home, source)
    figures = [figures_of(*each, TODAY, 60) for each in (before, after)]
    assert figures[0].planned_income - figures[1].planned_income == 500_00
    assert figures[0].capacity - figures[1].capacity == 500_00
    assert figures[0].low is not None
    assert figures[1].low is not None
    assert figures[1].low.expected <= figures[0].low.expected
    both = without_source(after, named([*active_sources(after.books)], "CITY SCHOOL"))
    alone = figures_of(*both, TODAY, 60)
    assert alone.planned_income == 0
    assert alone.runway_months == 20_000_00 * 10 // alone.running_spend / 10


def test_income_counts_from_today() -> None:
    """An income that begins today is planned with: 300 every second week are 650 a month."""
    home = tried(paid())
    figures = figures_of(*with_income(home, 300_00, "biweekly", "Side job", TODAY), TODAY, 60)
    assert figures.planned_income == figures_of(*home, TODAY, 60).planned_income + 650_00


@pytest.mark.parametrize(("amount", "moved"), [(None, -40_00), (65_00, 25_00), (40_00, 0)])
def test_a_charge_ends_or_costs_another_amount(amount: int | None, moved: int) -> None:
    """Spending a month moves by the difference; the forecast has the new amount on its day."""
    home = tried(paid())
    gym = named([*active_charges(home.books)], "GYM")
    figures = [figures_of(*each, TODAY, 60) for each in (home, with_charge(home, gym, amount))]
    assert figures[1].running_spend - figures[0].running_spend == moved
    assert figures[1].capacity - figures[0].capacity == -moved


def test_a_balance_is_another() -> None:
    """Net worth and the lowest day move by the difference."""
    home = tried(paid())
    figures = [figures_of(*each, TODAY, 60) for each in (home, with_balance(home, 1, 25_000_00))]
    assert figures[1].net_worth - figures[0].net_worth == 5_000_00
    assert figures[0].low is not None
    assert figures[1].low is not None
    assert figures[1].low.expected - figures[0].low.expected == 5_000_00


def test_a_persons_own_income_moves_with_its_source() -> None:
    """Who set their income themselves loses what the source brings of it."""
    home = tried(paid().monthly_income(4_200_00))
    lost = without_source(home, named([*active_sources(home.books)], "LODGER"))
    assert figures_of(*lost, TODAY, 60).planned_income == 3_700_00


@pytest.mark.parametrize(
    ("amount", "apr", "months", "payment", "interest"),
    [
        # Worked examples of textbooks and of the Consumer Financial Protection Bureau.
        (100_000_00, 0.06, 360, 599_56, 115_838_45),
        (20_000_00, 0.05, 60, 377_43, 2_645_48),
        (10_000_00, 0.12, 12, 888_49, 661_85),
        (1_200_00, 0.0, 12, 100_00, 0),
        (1_000_00, 0.0, 3, 333_34, 0),
    ],
)
def test_a_loan_is_paid_back(
    amount: int, apr: float, months: int, payment: int, interest: int
) -> None:
    """The payment of a level loan, rounded up to the cent, and all the interest that it costs."""
    terms = loan_terms(amount, apr, months)
    assert (terms.payment, terms.months) == (payment, months)
    assert abs(terms.interest - interest) <= 2 * months


@given(
    st.integers(1, 900_000_00),
    st.floats(0, 0.4).map(lambda rate: round(rate, 4)),
    st.integers(1, 480),
)
def test_no_loan_outlives_its_months(amount: int, apr: float, months: int) -> None:
    """All payments cover the loan and its interest, which is never below zero."""
    terms = loan_terms(amount, apr, months)
    assert terms.interest >= 0
    assert amount + terms.interest <= terms.payment * months


def test_a_month_later_is_the_same_day() -> None:
    """Or the last one of a shorter month."""
    assert str(month_later(as_date("2026-01-31"))) == "2026-02-28"
    assert str(month_later(as_date("2026-11-30"), 4)) == "2027-03-30"
