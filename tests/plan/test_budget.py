"""The budget: guide shares where they fit, attainable ones where needs take more, else what is drawn.

Households 23, 24, 28 and 29 of plan-semantics, section 14; the means of a window, and what amounts
tell.
"""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from finplan.model.plan import BudgetItem
from finplan.model.user import BudgetShares
from finplan.plan.ledger.amounts import (
    amount_clusters,
    comparable,
    expected_amount,
    is_steady,
    latest_step,
    median,
    mostly_within,
    spread_within,
)
from finplan.plan.live.view import live_view
from finplan.plan.sections.budget import (
    LEFT_OVER,
    NOT_COVERED_BY_INCOME_SEEN,
    LivingOnSavings,
    above_guide,
    budget_items,
)
from finplan.plan.sections.monthly import (
    Means,
    PlannedMonth,
    per_month,
    plan_month,
    ratio,
    take_means,
)
from finplan.plan.sections.spending import shares as shares_of
from finplan.views import live_text
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash
from tests.plan.strategies import shares
from tests.plan.typical import assessed, kinds, live, plan_of
from tests.present import present

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
    items = items_of(LIVING, None, drawing(Fraction(12), essentials=0, discretionary=0, savings=0))
    assert [item.target_share for item in items] == [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("living", "missing", "label"),
    [
        (drawing(Fraction(3)), False, "Drawn from savings"),
        (drawing(None), False, "Drawn from savings"),
        (drawing(Fraction(299, 100)), False, "Not covered"),
        (drawing(Fraction(0), regular_draws=True), False, "Drawn from savings"),
        (drawing(Fraction(30)), True, NOT_COVERED_BY_INCOME_SEEN),
        (drawing(Fraction(30), savings=0), True, "Savings and extra debt payments"),
        (CARRIED, True, "Savings and extra debt payments"),
    ],
)
def test_the_third_line_names_the_means(living: LivingOnSavings, missing: bool, label: str) -> None:
    """Three months of savings are drawn on, less do not cover it; unseen income may cover it."""
    assert items_of(LIVING, None, living, income_is_missing=missing)[2].label == label


def paying_a_card(*, by_debit: bool = True) -> Household:
    """Pay of 1,900 on the 28th; about 610 to a card that is not linked leave on the 11th, tomorrow."""
    home = with_cash(981_00)
    home.credits(monthly("2025-01-28", 12), "CITY SCHOOL", 1_900_00, "wages")
    home.rents(700_00, "2025-01-02")
    if by_debit:
        home.charges(monthly("2025-01-11", 12), "AMEX", [590_00, 640_00, 610_00], "unlinked_card")
    return home


def guard_of(home: Household) -> int | None:
    return live_view(home.ledger(), home.books(TODAY), plan_of(home), TODAY).guard.free


def test_23_the_bill_of_an_unlinked_card_is_not_offered() -> None:
    """981 in cash the evening before its 610 direct debit: 371 is all that may go until payday."""
    home = paying_a_card()
    snapshot = live(home)
    assert (TODAY + timedelta(1), "AMEX", 610_00) in {
        (each.date, each.name, each.amount) for each in snapshot.upcoming
    }
    assert guard_of(home) == 371_00
    assert snapshot.allowance.today <= 371_00 // snapshot.allowance.breakdown.days_left
    assert snapshot.allowance.breakdown.bills >= round((700_00 + 610_00) * 31 * 12 / 365)
    assert {each.category for each in plan_of(home).recurring} == {"rent", "unlinked_card"}


def test_23_without_the_card_the_money_is_free() -> None:
    """Nobody is told to hold money for a bill that there is not."""
    assert guard_of(paying_a_card(by_debit=False)) == 981_00


def test_23_the_bill_is_paid_once() -> None:
    """When it has left cash it is neither upcoming nor spent a second time."""
    home = paying_a_card()
    plan, day = plan_of(home), TODAY + timedelta(1)
    home.charge(day, "AMEX", 655_00)
    after = live(home, day, plan)
    assert "AMEX" not in {each.name for each in after.upcoming if each.date < date(2026, 2, 11)}
    assert after.allowance.spent_today == 0
    assert after.allowance.breakdown.spent == 0


def retired() -> Household:
    """A pension of 1,800, spending of 3,000, and a brokerage account that is sold from each quarter."""
    home = with_cash(9_000_00)
    home.credits(monthly("2025-01-03", 13), "STATE PENSION", 1_800_00, "pension_benefits")
    home.rents(1_400_00, "2025-01-05")
    home.charges(every("2025-01-04", 7, 53), "SAFEWAY", 92_00, "groceries")
    home.charges(every("2025-01-07", 5, 72), "BISTRO", [170_00, 230_00], "dining")
    home.brokerage(balance=600_000_00)
    home.transfers(
        monthly("2025-02-10", 4, step=3), "brokerage", "checking", 5_000_00, category="investing"
    )
    return home.on("checking")


def test_24_a_retiree_has_money_to_spend_each_day() -> None:
    """Positive allowance, the draw is told, and nobody is told to invest what is lived on."""
    plan, snapshot = plan_of(retired()), live(retired())
    assert plan.budget[2].label == "Drawn from savings"
    assert plan.budget[2].target < 0
    assert sum(item.target for item in plan.budget) == 1_800_00
    assert plan.monthly.daily_allowance > 0
    assert snapshot.allowance.daily > 0
    assert snapshot.allowance.today > 0
    draw = present(snapshot.income.draw)
    assert draw.draw == draw.budget - draw.income > 0
    assert "invest_idle_cash" not in kinds(plan)


def test_24_between_jobs_with_fifteen_months_of_cash() -> None:
    """Without income, savings for 15 of 24 months keep that part of the wants: positive and honest."""
    home = with_cash(30_000_00)
    home.credits(monthly("2025-01-28", 6), "OLD JOB", 3_000_00, "wages")
    home.rents(1_500_00, "2025-01-05")
    home.charges(every("2025-01-07", 5, 73), "BISTRO", [40_00, 120_00], "dining")
    found, snapshot = assessed(home), live(home)
    shortfall = found.means.total_spend
    assert found.living.runway_months == pytest.approx(30_000_00 / shortfall)
    wants = found.means.discretionary
    assert found.budget[1].target == pytest.approx(wants * 30_000_00 / shortfall / 24, abs=1)
    assert 0 < found.budget[1].target < wants
    assert snapshot.allowance.daily > 0
    assert present(snapshot.income.draw).income == 0


def test_24_who_lives_on_pay_draws_nothing() -> None:
    """The same household with pay that carries it has the ordinary split and no draw."""
    home = retired().credits(monthly("2025-01-28", 12), "CITY SCHOOL", 3_000_00, "wages")
    assert plan_of(home).budget[2].label == LEFT_OVER
    assert live(home).income.draw is None


def five_weeks() -> Household:
    """Five weeks of rows with three biweekly paydays, rent and food."""
    first = TODAY - timedelta(35)
    home = with_cash(2_400_00, (first, TODAY)).earns_biweekly(1_000_00, "2025-12-10", 3)
    home.charge("2026-01-02", "LANDLORD", 1_200_00, "rent")
    return home.charges(every("2025-12-08", 4, 8), "SAFEWAY", [31_00, 62_00, 47_00], "groceries")


def test_28_five_weeks_are_stated_and_not_extrapolated() -> None:
    """Three paydays in five weeks make no more a month than they came to, and nothing is due yet."""
    home = five_weeks()
    plan, snapshot = plan_of(home), live(home)
    assert 2_000_00 <= plan.monthly.income <= 3_000_00
    assert plan.monthly.income <= sum(each.total for each in plan.income_sources)
    assert sum(item.target for item in plan.budget) <= round(1_000_00 * 26 / 12)
    assert kinds(plan).isdisjoint({"trim_discretionary", "review_essentials", "price_rise"})
    assert snapshot.upcoming == ()
    assert not live_text.knows_due(snapshot)
    assert "three months" in live_text.describe_next_due(snapshot)


def test_28_three_months_tell_that_nothing_is_due() -> None:
    """With three months of rows and no rhythm among them, nothing is expected, and that is said."""
    home = with_cash(2_400_00, ("2025-10-01", TODAY))
    home.charges(["2025-10-03", "2025-11-21", "2025-12-29"], "SHOP", 80_00, "shopping")
    snapshot = live(home)
    assert live_text.knows_due(snapshot)
    assert live_text.describe_next_due(snapshot) == "none found"


def on_a_pension(essentials: int, cash: int) -> Household:
    """A pension of 2,400 and spending of 5,000, of which so much is essential."""
    home = with_cash(cash)
    home.credits(monthly("2025-01-03", 13), "STATE PENSION", 2_400_00, "pension_benefits")
    home.rents(essentials, "2025-01-05")
    return home.charges(monthly("2025-01-20", 12), "TRAVELS", 5_000_00 - essentials, "travel")


@pytest.mark.parametrize("cash", [0, 3_000_00, 90_000_00, 2_000_000_00])
def test_29_a_dollar_of_rent_moves_the_allowance_by_cents(cash: int) -> None:
    """Essentials a dollar below the pension and a dollar above: the same rule, the same day."""
    below, above = (live(on_a_pension(rent, cash)).allowance for rent in (2_399_00, 2_401_00))
    assert abs(below.daily - above.daily) <= 10
    one, other = (plan_of(on_a_pension(rent, cash)) for rent in (2_399_00, 2_401_00))
    assert abs(one.budget[1].target - other.budget[1].target) <= 3_00
    assert abs(one.monthly.daily_allowance - other.monthly.daily_allowance) <= 10


def test_29_a_house_is_nothing_to_live_on() -> None:
    """Jobless with a house and 3,000 of cash: the money lasts for weeks, and it is not covered."""
    home = with_cash(3_000_00)
    home.account("home", "other", "property", balance=400_000_00).on("checking")
    home.credits(monthly("2025-01-28", 6), "OLD JOB", 3_000_00, "wages")
    home.rents(1_500_00, "2025-01-05")
    home.charges(monthly("2025-01-20", 12), "TRAVELS", 500_00, "travel")
    found = assessed(home)
    months = present(found.living.months_by_targets)
    assert 1 < months < 3
    assert found.budget[2].label == "Not covered"


def test_29_savings_for_a_quarter_are_drawn_on() -> None:
    """With cash for three months the same household draws on it."""
    home = with_cash(6_000_00)
    home.credits(monthly("2025-01-28", 6), "OLD JOB", 3_000_00, "wages")
    home.rents(1_500_00, "2025-01-05")
    home.charges(monthly("2025-01-20", 12), "TRAVELS", 500_00, "travel")
    assert assessed(home).budget[2].label == "Drawn from savings"


def test_29_income_that_is_not_seen_is_asked_about() -> None:
    """Where no pay arrives at all, its account may be missing: nothing is said of savings."""
    home = with_cash(6_000_00).rents(1_500_00, "2025-01-05")
    assert assessed(home).budget[2].label == NOT_COVERED_BY_INCOME_SEEN


lists_of_amounts = st.lists(st.integers(1, 10_000_00), min_size=1, max_size=60)


@given(lists_of_amounts)
def test_the_median_has_as_many_below_as_above(values: list[int]) -> None:
    """Half of the values lie on each side, and of an even number it is the mean of the middle two."""
    middle = median(values)
    ordered = sorted(values)
    pair = (ordered[(len(values) - 1) // 2], ordered[len(values) // 2])
    assert abs(Fraction(sum(pair), 2) - middle) <= Fraction(1, 2)


@given(lists_of_amounts)
def test_the_usual_amount_is_one_that_the_series_spans(values: list[int]) -> None:
    """Nothing is expected that lies outside of what was seen."""
    assert min(values) <= expected_amount(values) <= max(values)


@given(st.integers(1, 10_000_00), st.integers(1, 40))
def test_a_fixed_amount_is_steady_and_usual(amount: int, times: int) -> None:
    """One amount that never changes is the usual one, and has no step."""
    values = [amount] * times
    assert expected_amount(values) == amount
    assert is_steady(values)
    assert latest_step(values) is None


@given(st.integers(100, 1000_00), st.integers(102, 149), st.integers(2, 30), st.integers(1, 30))
def test_steps_between_amounts_are_found(before: int, percent: int, times: int, again: int) -> None:
    """The place of the first new amount is told, and the new amount is the usual one."""
    after = before * percent // 100
    values = [before] * times + [after] * again
    if again <= 22:
        assert latest_step(values) == times
    assert expected_amount(values) == after


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([10_00, 10_00, 15_00, 10_00, 10_00], None),
        ([10_00, 12_00], None),
        ([10_00, 10_00, 10_00, 25_00], None),
        ([10_00, 10_00, 25_00, 25_00], 2),
        ([10_00, 10_00, 12_00, 12_00, 14_00, 14_00], 4),
        ([100_00, 100_00, 100_50, 100_00], None),
        ([80_00, 60_00, 95_00, 41_00, 41_00], None),
    ],
)
def test_only_a_lasting_change_of_amount_is_a_step(values: list[int], step: int | None) -> None:
    """One odd charge, a first price, a bonus, a cent of exchange or a varying bill is none."""
    assert latest_step(values) == step


def test_a_varying_amount_is_expected_in_the_middle_of_the_last_six() -> None:
    """Where nothing is fixed, the median of the last six is usual."""
    assert expected_amount([9_00, 90_00, 10_00, 20_00, 30_00, 40_00, 50_00, 60_00]) == 35_00


def test_an_odd_last_amount_is_usual_when_it_came_twice() -> None:
    """A bonus is not expected again, a new level is."""
    assert expected_amount([20_00] * 10 + [60_00]) == 20_00
    assert expected_amount([20_00] * 10 + [60_00] * 2) == 60_00


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([20_00, 30_00, 10_00, 10_00, 10_00], 10_00),
        ([20_00, 30_00, 10_00, 10_00, 10_05], 10_05),
        ([20_00, 30_00, 10_00, 10_00, 10_20], 10_20),
        ([20_00, 30_00, 26_00, 10_00, 10_00], 20_00),
        ([10_00, 10_00, 12_00], 12_00),
        ([10_00, 11_00, 12_00], 11_00),
    ],
)
def test_the_last_amount_is_expected_if_held_or_a_step(values: list[int], expected: int) -> None:
    """Three equal amounts within 1 % are a price; two after amounts that vary are none."""
    assert expected_amount(values) == expected


def test_one_charge_may_be_enough_before_a_step() -> None:
    """What is renewed yearly has one price a year."""
    assert expected_amount([1_140_00, 1_218_00], least_before=1) == 1_218_00
    assert latest_step([1_140_00, 1_218_00], least_before=1) == 1
    assert expected_amount([1_140_00, 1_218_00]) == 1_179_00


def test_spread_is_measured_at_the_middle() -> None:
    """One odd amount among many does not make a fixed price a varying one."""
    assert spread_within([10_00] * 9 + [99_00], 5)
    assert not spread_within([10_00, 14_00, 20_00, 9_00, 13_00], 5)


@given(lists_of_amounts)
def test_groups_of_near_amounts_hold_every_amount_once(values: list[int]) -> None:
    """Groups do not overlap, and neighbours of two groups are a quarter apart."""
    bounds = amount_clusters(values)
    for value in values:
        assert sum(low <= value <= high for low, high in bounds) == 1
    for (_, below), (above, _) in pairwise(bounds):
        assert above * 4 > below * 5


def test_amounts_are_comparable_within_one_half() -> None:
    """Ten and fifteen may be one price at two times, ten and sixteen may not."""
    assert comparable(10_00, 15_00)
    assert comparable(15_00, 10_00)
    assert not comparable(10_00, 15_01)


def test_one_amount_in_five_may_be_an_exception() -> None:
    """A bill that varies has odd months, but of four charges none may be odd."""
    assert mostly_within([100, 92, 108, 103, 900], 20)
    assert not mostly_within([100, 92, 108, 900], 20)
    assert not mostly_within([100, 92, 108, 103, 900, 700], 20)


def means_taken(home: Household) -> Means:
    return take_means(home.books(TODAY), home.catalogue)


def planned(home: Household) -> PlannedMonth:
    return plan_month(home.ledger(), home.books(TODAY))


def earner() -> Household:
    return household().checking(covered=YEAR).earns_biweekly(1_200_00)


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
    found = [round(share * 10_000) for share in shares_of(totals)]
    assert sum(found) == (10_000 if any(total > 0 for total in totals) else 0)
    assert all(share == 0 for share, total in zip(found, totals, strict=True) if total <= 0)


def test_neither_a_gift_nor_a_lost_job_is_planned_with() -> None:
    """A gift raises what was observed, a lost job lowers what runs."""
    plain = earner()
    assert means_taken(plain).income == planned(plain).income == 2_600_00
    gift = earner().credit("2025-05-05", "GRANDMA", 12_000_00, "other_income")
    assert (means_taken(gift).income, planned(gift).income) == (3_600_00, 2_600_00)
    # Four months before the window's end no interval of grace is left.
    lost = household().checking(covered=YEAR).earns_biweekly(1_200_00, times=13)
    lost.rents(100_00, "2025-01-05")
    assert (means_taken(lost).income, planned(lost).income) == (1_300_00, 0)


def test_two_credits_are_no_running_income() -> None:
    """A half-yearly bonus is income, and not what months are planned with."""
    home = earner().credits(["2025-03-15", "2025-09-15"], "BONUS", 3_000_00, "wages")
    assert means_taken(home).income == 3_100_00
    assert planned(home).income == 2_600_00


@pytest.mark.parametrize(("months", "income"), [(2, 500_00), (3, 0)])
def test_a_short_history_without_a_source_plans_with_what_came(months: int, income: int) -> None:
    """Below three months nobody can know a source."""
    first = date(2026, 1 - months + 12, 1) if months > 0 else TODAY
    home = household().checking(covered=(first.replace(year=2025), TODAY))
    days = monthly(first.replace(year=2025), months)
    for payer, day in zip(["GRANDMA", "AUNT", "UNCLE"], days, strict=False):
        home.credit(day, payer, 500_00, "other_income")
    assert (means_taken(home).income, planned(home).income) == (500_00, income)


def test_three_paydays_of_one_month_are_planned_as_26_a_year() -> None:
    """Five weeks with pay every second week: 26/12 of the pay; a gift is nothing to count on."""
    home = household().checking(covered=("2025-12-08", TODAY))
    home.earns_biweekly(1_200_00, "2025-12-12", 3)
    home.credit("2025-12-24", "GRANDMA", 100_00, "other_income")
    assert means_taken(home).income == 3_700_00
    assert planned(home).income == planned(home).capacity == 2_600_00


def test_sources_and_charges_come_largest_month_first() -> None:
    """The order in which a person reads them: what a month holds most of first."""
    home = earner().credits(monthly("2025-01-28", 12), "SIDE JOB", 3_000_00, "wages")
    home.rents(900_00, "2025-01-05")
    home.charges(monthly("2025-01-06", 13), "STREAMFLIX", 15_00, "subscriptions")
    home.charges(monthly("2025-01-07", 13), "BIG DAYCARE", 950_00, "childcare")
    plan = plan_of(home)
    assert [source.name for source in plan.income_sources] == ["SIDE JOB", "ACME"]
    assert [charge.name for charge in plan.recurring] == ["BIG DAYCARE", "LANDLORD", "STREAMFLIX"]


def test_capacity_is_never_below_zero() -> None:
    """Spending beyond income leaves nothing, not a negative plan."""
    home = earner().rents(9_000_00, "2025-01-05")
    assert means_taken(home).surplus < 0
    assert planned(home).surplus < 0
    assert planned(home).capacity == 0


@pytest.mark.parametrize(("own", "capacity"), [(0, 0), (900_00, 600_00)])
def test_a_persons_own_income_is_the_planned_one(own: int, capacity: int) -> None:
    """Whatever is seen, the person's figure is planned with, and a figure of 0 is one, too."""
    home = household().checking(covered=("2025-01-01", TODAY))
    home.credits(monthly("2025-01-28", 12), "PAYER", 2_000_00, "wages")
    home.rents(300_00, "2025-01-05", 12)
    home.own_income = own
    found = planned(home)
    assert means_taken(home).income == 2_000_00
    assert (found.income, found.capacity) == (own, capacity)
