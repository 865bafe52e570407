"""Explanations: every formula comes to the plan's own figure, and every name in it is explained.

What is safe to spend counts pending charges, what the starter's floor saves is told, and figures
are written as the person would write them.
"""

import json
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from finplan.categorise.catalogue import Catalogue
from finplan.model.base import Wire
from finplan.model.explain import SECTIONS, Explanation, Figure
from finplan.model.figures import UNDER_ONE
from finplan.model.money import half_even
from finplan.model.plan import Plan
from finplan.plan import words
from finplan.plan.advise.actions import ADVISERS
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import build_plan
from finplan.plan.explain.lists import TRIGGERS
from finplan.plan.explain.parts import SHOWN
from finplan.plan.explain.sections import EXPLAINERS, explain, find_section
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.emergency import MonthlyFunds, OwedCard, simulate_waterfall
from finplan.plan.sections.wealth import wealth
from finplan.plan.words import count, money
from tests.plan.advised import habitual_payer, idle, indebted, solvent_revolver, with_second_card
from tests.plan.formulas import exactly, worked_out
from tests.plan.households import TODAY, YEAR, Household, household, monthly, with_cash
from tests.plan.strategies import households, planning
from tests.plan.typical import assessed, freelancer, live, plan_of, revolver, stretched, two_earners
from tests.present import present

many = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def explained(home: Household, section: str, latest: Plan | None = None) -> Explanation:
    return explain(assessed(home), latest, section)


def everything(home: Household) -> dict[str, Explanation]:
    seen = assessed(home)
    names = [*SECTIONS, *seen.books.categories]
    return {section: explain(seen, None, section) for section in names}


def results(explanation: Explanation) -> dict[str, object]:
    return {figure.name: figure.result for figure in explanation.figures}


def plain_fields(part: Wire) -> dict[str, object]:
    """The fields of a part of a plan by their outside names, lists left out."""
    fields = json.loads(part.model_dump_json())
    return {name: value for name, value in fields.items() if not isinstance(value, list)}


@many
@given(households() | planning())
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
@given(households() | planning())
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
    plan = plan_of(home)
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
    plan = plan_of(home)
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


@pytest.mark.thorough
@many
@given(households())
def test_a_category_is_fed_by_all_its_rows(home: Household) -> None:
    """Shown and left out together are the rows that the category counts."""
    for entry in plan_of(home).categories:
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
    for explanation in everything(household().checking()).values():
        assert explanation.reasons
        assert explanation.transactions == ()


def test_the_latest_plan_is_compared() -> None:
    """An explanation tells whether the stored plan says the same, and nothing without one."""
    home = with_cash(5_000_00)
    home.charges(["2025-11-03", "2025-12-03"], "SAFEWAY", 90_00, "groceries")
    latest = plan_of(home)
    assert explained(home, "groceries").plan is None
    same = explained(home, "groceries", latest).plan
    home.charge("2025-12-09", "SAFEWAY", 30_00, "groceries")
    changed = {each: explained(home, each, latest).plan for each in ("groceries", "snapshot")}
    assert present(same).same
    assert changed["groceries"] is not None
    assert not changed["groceries"].same
    assert changed["snapshot"] is not None
    assert changed["snapshot"].same


def test_numbers_may_be_read_back() -> None:
    """An explanation survives its own JSON: numbers stay numbers, whole ones whole."""
    home = with_cash(5_000_00)
    home.charge("2025-12-09", "SAFEWAY", 30_00, "groceries")
    told = explained(home, "emergencyFund")
    assert Explanation.model_validate_json(told.model_dump_json()) == told
    kinds = {type(figure.result) for figure in told.figures if isinstance(figure, Figure)}
    assert {int, float} <= kinds


def in_debt(cash: int, apr: float | None) -> Household:
    """16,000 owed on one card, some cash, rent of 2,000 and a month's interest of 400."""
    home = (
        with_cash(cash)
        .earns_biweekly(1_700_00)
        .rents(2_000_00)
        .card("visa", balance=16_000_00, apr=apr, covered=YEAR)
    )
    return home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 400_00, "interest_fees")


def reasons_for(home: Household, section: str) -> str:
    return " ".join(explain(assessed(home), None, section).reasons)


@pytest.mark.parametrize("section", ["debt", "emergencyFund"])
def test_the_floor_says_what_it_saves_against_a_whole_month_first(section: str) -> None:
    """Both ways are simulated apart: the difference in months and in interest stands in the reason."""
    home = in_debt(200_00, 0.30)
    found = assessed(home)
    card, means = [OwedCard(16_000_00, 300_000, None)], found.means
    base = found.planned.essentials
    funds = MonthlyFunds(found.planned.capacity, means.card_interest, 0, base - 200_00, 25_00)
    floor = simulate_waterfall(card, replace(funds, starter=half_even(base, 4) - 200_00))
    month = simulate_waterfall(card, replace(funds, starter=base - 200_00))
    assert floor.months_to_clear is not None
    months = count(present(month.months_to_clear) - floor.months_to_clear, "month")
    saved = money(month.interest - floor.interest, "USD")
    assert month.interest > floor.interest
    told = reasons_for(home, section)
    assert f"that saves {months} and {saved} of interest." in told


def test_a_floor_without_a_known_rate_saves_months_alone() -> None:
    """Interest that nobody knows is not told as saved; the rate is taken for a high one."""
    told = reasons_for(in_debt(200_00, None), "debt")
    assert "of interest." not in told
    assert "counts as high." in told


def test_nothing_is_saved_where_a_whole_month_is_there_or_comes_first() -> None:
    """With a month in cash, or cards that cost little, there is nothing to compare."""
    assert "Compared with a" not in reasons_for(in_debt(2_500_00, 0.30), "debt")
    cheap = reasons_for(in_debt(200_00, 0.05), "debt")
    assert "Compared with a" not in cheap
    assert "No card charges" in cheap


def test_when_cards_are_clear_is_not_told_while_one_is_unknown() -> None:
    """The reason why the months are missing stands beside them."""
    home = in_debt(200_00, 0.30)
    missing = "balance is missing."
    assert missing not in reasons_for(home, "debt")
    assert missing in reasons_for(home.card("other", balance=None), "debt")


def test_an_unknown_regular_charge_is_a_part_of_the_base() -> None:
    """While provisional the base is a figure of its own: essentials and what is regular but unknown."""
    home = (
        in_debt(200_00, 0.30).on("checking").charges(monthly("2025-01-12", 12), "ZORBLAX", 900_00)
    )
    found = assessed(home)
    for section in ("debt", "emergencyFund"):
        figures = {each.name: each for each in explain(found, None, section).figures}
        assert figures["base"].result == found.planned.essentials + 900_00
        assert figures["base"].formula == "runningEssentials + regularUnknown"
    assert "is an estimate" in reasons_for(home, "emergencyFund")
    firm = explain(assessed(in_debt(200_00, 0.30)), None, "emergencyFund")
    assert "base" not in {each.name for each in firm.figures}


@pytest.mark.parametrize("section", ["debt", "emergencyFund"])
@pytest.mark.parametrize("apr", [None, 0.30, 0.05])
def test_every_formula_about_a_debt_comes_to_its_result(section: str, apr: float | None) -> None:
    """The minimum with and without a rate, the base with unknown charges, the floor of each part."""
    home = in_debt(200_00, apr).on("checking").charges(monthly("2025-01-12", 12), "ZORBLAX", 900_00)
    for figure in explain(assessed(home), None, section).figures:
        if figure.formula is not None:
            assert worked_out(figure) == exactly(figure.result), figure.name


def at_home() -> Household:
    """Pay on the 28th, and a dinner on the day before today that is booked."""
    home = with_cash(3_000_00).earns(3_000_00)
    home.charges(
        ["2025-03-04", "2025-07-21", "2025-09-13"], "BISTRO", [41_00, 72_00, 55_00], "dining"
    )
    return home.charge("2026-01-09", "BISTRO", 38_00)


def allowance_explained(home: Household) -> Explanation:
    return explain(assessed(home, TODAY), None, "allowance")


def listed(home: Household) -> int:
    """What the rows that are listed come to, positive when money went out."""
    return -sum(row.amount for row in allowance_explained(home).transactions)


@pytest.mark.parametrize("category", ["dining", "shopping", "uncategorized"])
def test_the_rows_come_to_what_is_spent(category: str) -> None:
    """A pending charge counts as spent, of whatever category, and is among the rows."""
    home = at_home().charge("2026-01-10", "SHOP", 61_00, category, pending=True)
    assert listed(home) == live(home, TODAY).allowance.breakdown.spent == 38_00 + 61_00
    reasons = allowance_explained(home).reasons
    assert any("1 pending charge, $61 " in each for each in reasons)


def test_only_what_counts_is_listed() -> None:
    """Money that is to come in, essentials, and what lies before the period are no spent rows."""
    home = at_home().credit("2026-01-10", "BISTRO", 20_00, pending=True)
    home.charge("2026-01-10", "LANDLORD", 900_00, "rent", pending=True)
    home.charge("2025-12-27", "BISTRO", 44_00, pending=True)
    home.charge("2026-01-11", "BISTRO", 45_00, pending=True)
    assert listed(home) == live(home, TODAY).allowance.breakdown.spent == 38_00
    assert "pending charge" not in " ".join(allowance_explained(home).reasons)


def test_a_pending_charge_of_the_first_and_of_the_last_day_is_listed() -> None:
    """The period begins with the payday and goes on to today."""
    home = at_home()
    for day in ("2025-12-28", "2026-01-10"):
        home.charge(day, "BISTRO", 44_00, pending=True)
    assert listed(home) == live(home, TODAY).allowance.breakdown.spent == 38_00 + 88_00


def test_the_command_for_the_rest_lists_pending_rows_too() -> None:
    """Where more rows feed the figure than are shown, the command leaves none of them out."""
    home = at_home()
    for cents in range(12):
        home.charge("2026-01-10", "SHOP", 10_00 + cents, "shopping", pending=True)
    rest = present(allowance_explained(home).more)
    assert rest.count == 3
    assert rest.command.startswith("finplan transactions --from 2025-12-28 --to 2026-01-10 ")
    elsewhere = present(explain(assessed(home, TODAY), None, "wages").more)
    assert elsewhere.command.startswith("finplan transactions --posted ")


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (184_000, "USD", "$1,840"),
        (1_499, "USD", "$14.99"),
        (1_500, "USD", "$15"),
        (10_050, "USD", "$100"),
        (9_999, "USD", "$99.99"),
        (-12_345_67, "USD", "−$12,346"),
        (0, "USD", "$0"),
        (184_000, "JPY", "¥184,000"),
        (99, "JPY", "¥99"),
        (184_000, "CHF", "CHF\N{NO-BREAK SPACE}1,840"),
        (1_250, "KWD", "KWD\N{NO-BREAK SPACE}1.250"),
        (5, "EUR", "€0.05"),
    ],
)
def test_money_is_whole_from_a_hundred_on(amount: int, currency: str, text: str) -> None:
    """Cents are shown below a hundred only, and only when there are any."""
    assert words.money(amount, currency) == text


@given(st.integers(-(10**12), 10**12))
def test_money_never_strays_by_more_than_half_a_unit(amount: int) -> None:
    """What is read back from the text differs from the amount by half a unit at most."""
    text = words.money(amount, "USD").replace("$", "").replace(",", "").replace("−", "-")
    assert abs(round(float(text) * 100) - amount) <= 50


def test_days_and_months_say_the_year_only_when_it_is_another() -> None:
    """A day of this year needs no year."""
    assert words.day(date(2026, 4, 3), TODAY) == "3 April"
    assert words.day(date(2025, 12, 31), TODAY) == "31 December 2025"
    assert words.month(date(2026, 4, 3), TODAY) == "April"
    assert words.month(date(2025, 4, 3), TODAY) == "April 2025"


@pytest.mark.parametrize(
    ("since", "until", "said"),
    [
        (date(2025, 7, 1), date(2026, 6, 30), "from 1 July 2025 to 30 June 2026"),
        (date(2026, 3, 1), date(2026, 6, 30), "from 1 March to 30 June"),
        (date(2025, 3, 1), date(2025, 6, 30), "from 1 March 2025 to 30 June 2025"),
    ],
)
def test_two_days_of_two_years_both_have_a_year(since: date, until: date, said: str) -> None:
    """Nobody may read that a span ends before it begins."""
    assert words.days(since, until, date(2026, 11, 29)) == said


def test_percent_never_says_zero_for_something() -> None:
    """A share that rounds to nothing is under one percent, and nothing is 0%."""
    assert words.percent(62, 100) == "62%"
    assert words.percent(1, 1000) == UNDER_ONE
    assert words.percent(1, 200) == UNDER_ONE
    assert words.percent(0, 100) == "0%"
    assert words.percent(5, 0) == "0%"


def test_counts_lists_and_spans_read_as_sentences() -> None:
    """One thing, several things, names in a row, and long times in years."""
    assert words.count(1, "charge") == "1 charge"
    assert words.count(1200, "charge") == "1,200 charges"
    assert words.count(2, "entry", "entries") == "2 entries"
    assert words.listed([]) == ""
    assert words.listed(["A"]) == "A"
    assert words.listed(["1", "2", "3"]) == "1, 2 and 3"
    assert words.span(1) == "1 month"
    assert words.span(24) == "24 months"
    assert words.span(36) == "about 3 years"
    assert words.span(42) == "about 3½ years"


@pytest.mark.parametrize(
    ("months", "text"),
    [
        (Fraction(1, 9), "less than a week"),
        (Fraction(1, 4), "about 1 week"),
        (Fraction(299, 100), "about 12 weeks"),
        (Fraction(3), "3 months"),
        (Fraction(1199, 100), "11 months"),
        (Fraction(24), "24 months"),
        (Fraction(2499, 100), "24 months"),
        (Fraction(25), "about 2 years"),
        (Fraction(359, 10), "about 2 years"),
        (Fraction(36), "about 3 years"),
    ],
)
def test_what_lasts_is_never_rounded_up(months: Fraction, text: str) -> None:
    """Who counts on money for a time is told of no day too many, in weeks below three months."""
    assert words.lasting(months) == text
