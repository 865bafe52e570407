"""The budget: guide shares where they fit, attainable ones where needs take more, else what is drawn."""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.plan import BudgetItem
from finplan.model.user import BudgetShares
from finplan.plan.sections.budget import LivingOnSavings, above_guide, budget_items
from finplan.plan.sections.monthly import Means, PlannedMonth
from tests.plan.strategies import shares

CARRIED = LivingOnSavings(
    applies=False,
    retired=False,
    shortfall=0,
    drawable=0,
    runway_months=None,
    horizon=24,
    regular_draws=False,
    essentials=0,
    discretionary=0,
    savings=0,
)
"""A household that its income carries."""


class Month(NamedTuple):
    """What a month was, and what is planned with."""

    means: Means
    planned: PlannedMonth


def means_of(income: int, essentials: int, discretionary: int, planned: int | None = None) -> Month:
    spend = essentials + discretionary
    return Month(
        Means(
            income=income,
            essentials=essentials,
            discretionary=discretionary,
            total_spend=spend,
            surplus=income - spend,
            saved=0,
            card_interest=0,
        ),
        PlannedMonth(
            income=income if planned is None else planned,
            spend=spend,
            essentials=essentials,
            discretionary=discretionary,
            unknown=0,
        ),
    )


def items_of(
    month: Month, own: BudgetShares | None, living: LivingOnSavings, **options: bool
) -> tuple[BudgetItem, BudgetItem, BudgetItem]:
    return budget_items(month.means, month.planned, own, living, **options)


amounts = st.integers(-1_000_00, 20_000_00)
means = st.builds(means_of, amounts, amounts, amounts, amounts)


@given(means, st.none() | shares)
def test_shares_and_targets_add_up(household: Month, own: BudgetShares | None) -> None:
    """Σ targetShare = 1, Σ target = max(0, planned income), Σ current = income, to the last unit."""
    items = items_of(household, own, CARRIED)
    assert [item.key for item in items] == ["essentials", "discretionary", "savings"]
    assert sum(round(item.target_share * 10_000) for item in items) == 10_000
    assert sum(item.target for item in items) == max(0, household.planned.income)
    assert sum(item.current for item in items) == household.means.income
    assert all(item.target >= 0 for item in items)


@given(means)
def test_what_needs_take_is_accepted(household: Month) -> None:
    """Between half and all of planned income, the essentials' target is what they are now."""
    essentials, wants, savings = items_of(household, None, CARRIED)
    if 0 < household.planned.income < 2 * household.planned.essentials:
        assert essentials.target == min(household.planned.income, household.planned.essentials)
        rest = household.planned.income - essentials.target
        assert abs(5 * wants.target - 3 * rest) <= 5
        assert abs(5 * savings.target - 2 * rest) <= 5


@given(means, shares)
def test_a_persons_own_shares_stand_untouched(household: Month, own: BudgetShares) -> None:
    """Own shares are used as given, whatever essentials take."""
    items = items_of(household, own, CARRIED)
    assert [item.target_share for item in items[:2]] == [own.essentials, own.discretionary]


@given(means, amounts)
def test_what_came_in_once_enters_no_target(household: Month, inheritance: int) -> None:
    """Observed income beyond the planned changes what is left over, and neither share nor target."""
    was = household.means
    rich = household._replace(
        means=replace(was, income=was.income + inheritance, surplus=was.surplus + inheritance)
    )
    before, after = items_of(household, None, CARRIED), items_of(rich, None, CARRIED)
    assert [item.target for item in before] == [item.target for item in after]
    assert [item.target_share for item in before] == [item.target_share for item in after]
    assert above_guide(rich.planned) == above_guide(household.planned)


@pytest.mark.parametrize("essentials", [-100_00, 0, 1_000_00, 1_600_00, 2_000_00])
def test_half_or_less_keeps_the_guide(essentials: int) -> None:
    """Essentials within the guide leave 50/30/20."""
    items = items_of(means_of(4_000_00, essentials, 1_000_00), None, CARRIED)
    assert [item.target_share for item in items] == [0.5, 0.3, 0.2]
    assert [item.target for item in items] == [2_000_00, 1_200_00, 800_00]


def test_sixty_two_percent_shares_the_rest_sixty_to_forty() -> None:
    """Essentials of 62 % leave 38 %: 22.8 % for wants and 15.2 % over."""
    taken = means_of(6_000_00, 3_100_00, 1_500_00, planned=5_000_00)
    items = items_of(taken, None, CARRIED)
    assert [item.target_share for item in items] == [0.62, 0.228, 0.152]
    assert [item.target for item in items] == [3_100_00, 1_140_00, 760_00]
    assert above_guide(taken.planned) == 600_00


def test_all_of_income_leaves_nothing_to_split() -> None:
    """Essentials of 100 % take the whole income; no share is negative."""
    items = items_of(means_of(5_000_00, 5_000_00, 300_00), None, CARRIED)
    assert [item.target_share for item in items] == [1.0, 0.0, 0.0]
    assert [item.target for item in items] == [5_000_00, 0, 0]


def test_without_income_and_spending_the_guide_stays_and_targets_are_zero() -> None:
    """No income and nothing spent: guide shares of nothing."""
    items = items_of(means_of(0, 0, 0), None, CARRIED)
    assert [item.target_share for item in items] == [0.5, 0.3, 0.2]
    assert [item.target for item in items] == [0, 0, 0]
    assert above_guide(means_of(0, 900_00, 100_00).planned) == 0


def drawing(runway: Fraction | None, **others: int | bool) -> LivingOnSavings:
    """A household of 1,000 a month that spends 1,600, and may spend 1,500."""
    known = {"shortfall": 600_00, "essentials": 1_200_00, "discretionary": 300_00}
    figures = {**known, "savings": -500_00, **others}
    return replace(CARRIED, applies=True, runway_months=runway, **figures)  # type: ignore[arg-type]


LIVING = means_of(1_000_00, 1_200_00, 400_00)


def test_who_lives_on_savings_has_targets_beyond_income() -> None:
    """Targets add up to planned income, savings below 0; the shares are of what may be spent."""
    items = items_of(LIVING, None, drawing(Fraction(12)))
    assert [item.target for item in items] == [1_200_00, 300_00, -500_00]
    assert [item.target_share for item in items] == [0.8, 0.2, 0.0]
    assert [item.current for item in items] == [1_200_00, 400_00, -600_00]


def test_own_shares_wait_while_savings_are_drawn() -> None:
    """Shares of an income that does not carry the month would leave nothing to live on."""
    own = BudgetShares(essentials=0.4, discretionary=0.4, savings=0.2)
    items = items_of(LIVING, own, drawing(Fraction(12)))
    assert [item.target for item in items] == [1_200_00, 300_00, -500_00]


def test_nothing_to_spend_keeps_the_guides_shares() -> None:
    """Where both targets are 0 there is nothing that a share could be of, and shares still add up."""
    nothing = drawing(Fraction(12), essentials=0, discretionary=0, savings=0)
    items = items_of(LIVING, None, nothing)
    assert [item.target_share for item in items] == [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("living", "missing", "label"),
    [
        (drawing(Fraction(3)), False, "Drawn from savings"),
        (drawing(None), False, "Drawn from savings"),
        (drawing(Fraction(299, 100)), False, "Not covered"),
        (drawing(Fraction(0), regular_draws=True), False, "Drawn from savings"),
        (drawing(Fraction(30)), True, "Not covered by income seen"),
        (drawing(Fraction(30), savings=0), True, "Savings and extra debt payments"),
        (CARRIED, True, "Savings and extra debt payments"),
    ],
)
def test_the_third_line_says_where_the_money_comes_from(
    living: LivingOnSavings, missing: bool, label: str
) -> None:
    """Three months of savings are drawn on, less do not cover it; unseen income may cover it."""
    items = items_of(LIVING, None, living, income_is_missing=missing)
    assert items[2].label == label
