"""The budget: guide shares where they fit, attainable ones where needs take more."""

from hypothesis import given
from hypothesis import strategies as st

from finplan.model.user import BudgetShares
from finplan.plan.sections.budget import above_guide, budget_items
from finplan.plan.sections.monthly import Means
from tests.plan.strategies import shares


def means_of(income: int, essentials: int, discretionary: int) -> Means:
    spend = essentials + discretionary
    return Means(
        income=income,
        essentials=essentials,
        discretionary=discretionary,
        total_spend=spend,
        surplus=income - spend,
        saved=0,
        running=income,
        planned=income,
        capacity=max(0, income - spend),
        card_interest=0,
    )


means = st.builds(
    means_of,
    st.integers(-1_000_00, 20_000_00),
    st.integers(-1_000_00, 20_000_00),
    st.integers(-1_000_00, 20_000_00),
)


@given(means, st.none() | shares)
def test_shares_and_targets_add_up(household: Means, own: BudgetShares | None) -> None:
    """Σ targetShare = 1, Σ target = max(0, income), Σ current = income: always, to the last unit."""
    items = budget_items(household, own)
    assert [item.key for item in items] == ["essentials", "discretionary", "savings"]
    assert sum(round(item.target_share * 10_000) for item in items) == 10_000
    assert sum(item.target for item in items) == max(0, household.income)
    assert sum(item.current for item in items) == household.income
    assert all(item.target >= 0 for item in items)


@given(means)
def test_what_needs_take_is_accepted(household: Means) -> None:
    """Between half and all of income, the essentials' target is what they are now."""
    essentials, wants, savings = budget_items(household, None)
    if household.income > 0 and household.income < 2 * household.essentials:
        assert essentials.target == min(household.income, household.essentials)
        rest = household.income - essentials.target
        assert abs(5 * wants.target - 3 * rest) <= 5
        assert abs(5 * savings.target - 2 * rest) <= 5


@given(means, shares)
def test_a_persons_own_shares_stand_untouched(household: Means, own: BudgetShares) -> None:
    """Own shares are used as given, whatever essentials take."""
    items = budget_items(household, own)
    assert [item.target_share for item in items[:2]] == [own.essentials, own.discretionary]


def test_half_or_less_keeps_the_guide() -> None:
    """Essentials within the guide leave 50/30/20."""
    items = budget_items(means_of(4_000_00, 2_000_00, 1_000_00), None)
    assert [item.target_share for item in items] == [0.5, 0.3, 0.2]
    assert [item.target for item in items] == [2_000_00, 1_200_00, 800_00]


def test_sixty_two_percent_shares_the_rest_sixty_to_forty() -> None:
    """Essentials of 62 % leave 38 %: 22.8 % for wants and 15.2 % over."""
    items = budget_items(means_of(5_000_00, 3_100_00, 1_500_00), None)
    assert [item.target_share for item in items] == [0.62, 0.228, 0.152]
    assert [item.target for item in items] == [3_100_00, 1_140_00, 760_00]
    assert above_guide(means_of(5_000_00, 3_100_00, 1_500_00)) == 600_00


def test_more_than_everything_leaves_nothing_to_split() -> None:
    """Essentials of 104 % take the whole income; no share is negative."""
    items = budget_items(means_of(5_000_00, 5_200_00, 300_00), None)
    assert [item.target_share for item in items] == [1.0, 0.0, 0.0]
    assert [item.target for item in items] == [5_000_00, 0, 0]


def test_without_income_the_guide_stays_and_targets_are_zero() -> None:
    """No income: guide shares of nothing."""
    items = budget_items(means_of(0, 900_00, 100_00), None)
    assert [item.target_share for item in items] == [0.5, 0.3, 0.2]
    assert [item.target for item in items] == [0, 0, 0]
    assert above_guide(means_of(0, 900_00, 100_00)) == 0
