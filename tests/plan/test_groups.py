"""Money groups: themes with one line each, and what is left of them this month."""

from datetime import date

from finplan.categorise.catalogue import BUILT_IN, GROUP_LABELS, Category
from finplan.model.snapshot import MoneyGroup
from finplan.plan.build import build_plan
from finplan.plan.live.allowance import live_snapshot
from tests.plan.households import Household, household, monthly

TODAY = date(2026, 1, 10)
YEAR = ("2025-01-01", TODAY)


def groups(home: Household) -> dict[str, MoneyGroup]:
    ledger = home.ledger()
    plan = build_plan(ledger, TODAY)
    snapshot = live_snapshot(ledger, home.books(TODAY), plan, TODAY)
    return {group.key: group for group in snapshot.groups}


def housed() -> Household:
    home = household().checking(covered=YEAR)
    home.charges(monthly("2025-01-05", 13), "LANDLORD", 1_000_00, "rent")
    home.charges(monthly("2025-01-20", 12), "HOME FEES", 200_00, "home_upkeep")
    return home.charges(monthly("2025-01-15", 12), "BISTRO", 300_00, "dining")


def test_a_group_gathers_its_categories() -> None:
    """Housing holds rent and fees: usual, spent this month, still due, left."""
    housing = groups(housed())["housing"]
    assert (housing.label, housing.line) == ("Housing", "essential")
    assert (housing.monthly, housing.spent, housing.upcoming) == (1_200_00, 1_000_00, 200_00)
    assert housing.left == 0
    assert housing.share == 0.8
    assert [each.category for each in housing.categories] == ["rent", "home_upkeep"]


def test_groups_come_dearest_first() -> None:
    """By what they usually cost a month."""
    assert list(groups(housed())) == ["housing", "dining"]


def test_over_the_usual_is_below_zero() -> None:
    """More spent than usual: left is negative, "over by"."""
    dining = groups(housed().charge("2026-01-08", "BISTRO", 700_00))["dining"]
    assert (dining.spent, dining.left) == (700_00, -400_00 - dining.upcoming)


def test_a_new_theme_of_this_month_appears() -> None:
    """A category that the window lacks is shown with a usual of 0."""
    travel = groups(housed().charge("2026-01-08", "AIRLINE", 450_00, "travel"))["travel"]
    assert (travel.monthly, travel.spent, travel.left, travel.share) == (0, 450_00, -450_00, 0)


def test_a_group_has_one_line() -> None:
    """An own wish among groceries makes a group beside them."""
    wine = Category("cat_wine", "Wine", "discretionary", "spending", "groceries", custom=True)
    home = housed().category(wine)
    home.charges(monthly("2025-01-11", 12), "SAFEWAY", 400_00, "groceries")
    home.charges(monthly("2025-01-12", 12), "WINE SHOP", 60_00, "cat_wine")
    found = groups(home)
    assert (found["groceries"].line, found["groceries"].monthly) == ("essential", 400_00)
    beside = found["groceries_discretionary"]
    assert (beside.label, beside.line) == ("Groceries, discretionary", "discretionary")
    assert [each.label for each in beside.categories] == ["Wine"]


def test_a_category_that_was_deleted_since_the_plan_keeps_its_place() -> None:
    """Its money stays in the plan's averages, under its old name and line."""
    boat = Category("cat_boat", "The boat", "essential", "spending", None, custom=True)
    with_boat = housed().category(boat)
    with_boat.charges(monthly("2025-01-12", 12), "MARINA", 60_00, "cat_boat")
    plan = build_plan(with_boat.ledger(), TODAY)
    now = housed().ledger()
    snapshot = live_snapshot(now, housed().books(TODAY), plan, TODAY)
    other = next(
        group
        for group in snapshot.groups
        if group.line == "essential" and group.key.startswith("other")
    )
    assert [(each.label, each.monthly) for each in other.categories] == [("The boat", 60_00)]
    assert sum(group.monthly for group in snapshot.groups) == plan.monthly.total_spend


def test_an_own_category_without_a_theme_is_other() -> None:
    """Nothing is lost: what has no group is in "other"."""
    boat = Category("cat_boat", "The boat", "discretionary", "spending", None, custom=True)
    home = housed().category(boat).charges(monthly("2025-01-12", 12), "MARINA", 60_00, "cat_boat")
    assert groups(home)["other"].monthly == 60_00


def test_a_theme_of_one_category_has_its_title() -> None:
    """Who reads two names for one thing takes them for two; only a theme of several has its own."""
    members: dict[str, list[str]] = {}
    for category in BUILT_IN.values():
        if category.group is not None:
            members.setdefault(category.group, []).append(category.label)
    alone = {group: titles[0] for group, titles in members.items() if len(titles) == 1}
    assert {"dining", "giving", "health", "groceries"} <= alone.keys()
    assert {group: GROUP_LABELS[group] for group in alone} == alone
