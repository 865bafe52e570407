"""Explanations: every formula comes to the plan's own figure, and every name in it is explained."""

import json

import pytest
from hypothesis import HealthCheck, given, settings

from finplan.categorise.catalogue import Catalogue
from finplan.model.base import Wire
from finplan.model.explain import SECTIONS, Explanation, Figure
from finplan.model.plan import Plan
from finplan.plan.advise.actions import ADVISERS
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from finplan.plan.explain.lists import TRIGGERS
from finplan.plan.explain.parts import SHOWN
from finplan.plan.explain.sections import EXPLAINERS, explain, find_section
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.wealth import wealth
from tests.plan.advised import (
    habitual_payer,
    idle,
    indebted,
    solvent_revolver,
    with_second_card,
)
from tests.plan.formulas import exactly, worked_out
from tests.plan.households import Household, household
from tests.plan.strategies import TODAY, households
from tests.plan.typical import freelancer, revolver, stretched, two_earners

many = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def explained(home: Household, section: str, latest: Plan | None = None) -> Explanation:
    ledger = home.ledger()
    return explain(assess(ledger, keep_books(ledger, TODAY), TODAY), latest, section)


def everything(home: Household) -> dict[str, Explanation]:
    ledger = home.ledger()
    assessed = assess(ledger, keep_books(ledger, TODAY), TODAY)
    names = [*SECTIONS, *assessed.books.categories]
    return {section: explain(assessed, None, section) for section in names}


def results(explanation: Explanation) -> dict[str, object]:
    return {figure.name: figure.result for figure in explanation.figures}


def plain_fields(part: Wire) -> dict[str, object]:
    """The fields of a part of a plan by their outside names, lists left out."""
    fields = json.loads(part.model_dump_json())
    return {name: value for name, value in fields.items() if not isinstance(value, list)}


@many
@given(households())
def test_every_formula_comes_to_its_result(home: Household) -> None:
    """What stands before the equals sign is what stands after it, whatever the household."""
    for section, explanation in everything(home).items():
        for figure in explanation.figures:
            if figure.formula is not None:
                said = (section, figure.name, figure.formula)
                assert worked_out(figure) == exactly(figure.result), said


@pytest.mark.parametrize(
    "home",
    [
        revolver(),
        indebted(600_00, minimum_payment=200_00),
        indebted(900_00, cash=50_00, minimum_payment=300_00),
        with_second_card(950_00, 1_000_00),
        solvent_revolver(),
        habitual_payer(),
        stretched(3_100_00),
        stretched(5_200_00),
        freelancer(),
        two_earners(),
        idle(60_000_00),
    ],
)
def test_every_formula_holds_where_money_is_tight(home: Household) -> None:
    """The same for households that owe, that pay in full, and that have more than they need."""
    for section, explanation in everything(home).items():
        for figure in explanation.figures:
            if figure.formula is not None:
                assert worked_out(figure) == exactly(figure.result), (section, figure.name)


@many
@given(households())
def test_a_formula_rests_on_what_was_said_before(home: Household) -> None:
    """Names are unique; a value that is a figure of its own has that figure's result."""
    for section, explanation in everything(home).items():
        said: dict[str, object] = {}
        for figure in explanation.figures:
            assert figure.name not in said, section
            for value in figure.values:
                assert said.get(value.name, value.value) == value.value
                if value.name == "rounding":
                    limit = 0.00011 if value.unit == "share" else 1
                    assert 0 < abs(float(exactly(value.value))) <= limit
            said[figure.name] = figure.result


@many
@given(households())
def test_the_figures_are_those_of_the_plan(home: Household) -> None:
    """Each section's results are the plan's, field by field."""
    plan = build_plan(home.ledger(), TODAY)
    told = {section: results(each) for section, each in everything(home).items()}
    for section, part in (
        ("window", plan.window),
        ("snapshot", plan.snapshot),
        ("monthly", plan.monthly),
        ("emergencyFund", plan.emergency_fund),
        ("debt", plan.debt),
    ):
        assert plain_fields(part).items() <= told[section].items()
    assert told["dailyAllowance"]["dailyAllowance"] == plan.monthly.daily_allowance
    for item in plan.budget:
        assert told["budget"][f"{item.key}Target"] == item.target
        assert told["budget"][f"{item.key}Share"] == item.target_share
    for action in plan.actions:
        assert told["actions"][f"action{action.priority}"] == action.amount


@many
@given(households())
def test_the_lists_are_those_of_the_plan(home: Household) -> None:
    """Each category, source and recurring charge is explained with the plan's own figures."""
    plan = build_plan(home.ledger(), TODAY)
    told = {section: results(each) for section, each in everything(home).items()}
    for entry in plan.categories:
        assert told["categories"][entry.category] == entry.monthly
        single = told[entry.category]
        assert (single["monthly"], single["total"]) == (entry.monthly, entry.total)
        assert single["count"] == entry.count
    sources = [told["incomeSources"][f"source{n}"] for n in range(1, len(plan.income_sources) + 1)]
    assert sources == [source.monthly for source in plan.income_sources]
    charges = [told["recurring"][f"charge{n}"] for n in range(1, len(plan.recurring) + 1)]
    assert charges == [charge.monthly for charge in plan.recurring]


@many
@given(households())
def test_the_live_figures_are_those_of_the_views(home: Household) -> None:
    """The allowance is the snapshot's and the balances are the wealth's, field by field."""
    ledger = home.ledger()
    live = live_snapshot(
        ledger, keep_books(ledger, TODAY), build_plan(ledger, TODAY), TODAY
    ).allowance
    told = results(explained(home, "allowance"))
    assert (told["today"], told["daily"], told["spentToday"]) == (
        live.today,
        live.daily,
        live.spent_today,
    )
    breakdown = plain_fields(live.breakdown)
    # What is upcoming is inside the bills already, so no formula holds it.
    del breakdown["upcoming"]
    assert breakdown.items() <= told.items()
    balances = plain_fields(wealth(ledger, TODAY).balances)
    assert balances.items() <= results(explained(home, "wealth")).items()


@many
@given(households())
def test_the_largest_transactions_feed_a_section(home: Household) -> None:
    """They stand largest first, at most ten, and the rest is counted and can be listed."""
    for explanation in everything(home).values():
        sizes = [abs(row.amount) for row in explanation.transactions]
        assert sizes == sorted(sizes, reverse=True)
        assert len(sizes) <= SHOWN
        if explanation.more is not None:
            assert len(sizes) == SHOWN
            assert explanation.more.count > 0
            # What is pending is in the allowance, and in no other section.
            posted = "" if explanation.section == "allowance" else "--posted "
            assert explanation.more.command.startswith(f"finplan transactions {posted}--from ")


@many
@given(households())
def test_a_category_is_fed_by_all_its_rows(home: Household) -> None:
    """Shown and left out together are the rows that the category counts."""
    for entry in build_plan(home.ledger(), TODAY).categories:
        found = explained(home, entry.category)
        rest = 0 if found.more is None else found.more.count
        assert len(found.transactions) + rest == entry.count


def test_the_sections_are_those_that_are_told() -> None:
    """What the interface lists is what the plan can explain; every kind of action has its trigger."""
    assert set(SECTIONS) == set(EXPLAINERS)
    assert list(TRIGGERS) == list(ADVISERS)
    fields = {shape.alias or name for name, shape in Plan.model_fields.items()}
    assert fields - {"version", "generatedOn"} <= set(SECTIONS)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("emergencyFund", "emergencyFund"),
        ("emergency-fund", "emergencyFund"),
        ("Emergency fund", "emergencyFund"),
        ("INCOME_SOURCES", "incomeSources"),
        ("daily-allowance", "dailyAllowance"),
        ("groceries", "groceries"),
        ("Restaurants and coffee", "dining"),
        ("capacity", "monthly"),
        ("net worth", "snapshot"),
        ("emergencyfunt", None),
        ("", None),
    ],
)
def test_a_section_goes_by_any_spelling(typed: str, meant: str | None) -> None:
    """Camel, kebab, words; a category's id or label; a figure's name means its section."""
    assert find_section(Catalogue(), typed) == meant


def test_no_two_things_are_spelt_alike() -> None:
    """A category or a figure never hides a section."""
    assert all(find_section(Catalogue(), section) == section for section in SECTIONS)
    assert all(
        find_section(Catalogue(), category) == category for category in Catalogue().categories
    )


def test_more_paydays_than_usual_are_not_planned_with() -> None:
    """Planned income is what the source brings in a month of two paydays and a sixth."""
    home = household().checking(covered=("2025-12-08", TODAY))
    home.credits(["2025-12-12", "2025-12-26", "2026-01-09"], "ACME", 1_200_00, "wages")
    for section in ("monthly", "budget", "incomeSources"):
        explanation = explained(home, section)
        (planned,) = [each for each in explanation.figures if each.name == "plannedIncome"]
        assert planned.formula == "runningIncome"
        assert worked_out(planned) == planned.result == 2_600_00


def test_a_household_without_anything_is_explained() -> None:
    """With no transactions every section still says so, and none fails."""
    home = household().checking()
    for explanation in everything(home).values():
        assert explanation.reasons
        assert explanation.transactions == ()


def test_the_latest_plan_is_compared() -> None:
    """An explanation tells whether the stored plan says the same, and nothing without one."""
    home = household().checking(balance=5_000_00, covered=("2025-01-01", TODAY))
    home.charges(["2025-11-03", "2025-12-03"], "SAFEWAY", 90_00, "groceries")
    latest = build_plan(home.ledger(), TODAY)
    assert explained(home, "groceries").plan is None
    same = explained(home, "groceries", latest).plan
    home.charge("2025-12-09", "SAFEWAY", 30_00, "groceries")
    changed = {each: explained(home, each, latest).plan for each in ("groceries", "snapshot")}
    assert same is not None
    assert same.same
    assert changed["groceries"] is not None
    assert not changed["groceries"].same
    assert changed["snapshot"] is not None
    assert changed["snapshot"].same


def test_numbers_may_be_read_back() -> None:
    """An explanation survives its own JSON: numbers stay numbers, whole ones whole."""
    home = household().checking(balance=5_000_00, covered=("2025-01-01", TODAY))
    home.charge("2025-12-09", "SAFEWAY", 30_00, "groceries")
    told = explained(home, "emergencyFund")
    assert Explanation.model_validate_json(told.model_dump_json()) == told
    kinds = {type(figure.result) for figure in told.figures if isinstance(figure, Figure)}
    assert {int, float} <= kinds
