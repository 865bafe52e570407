"""The plan's page keeps its promises for any plan, not only for the made-up one."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.cli.showing.plan import NARROWEST, TWO_SCREENS, render_plan
from finplan.model import plan_words
from finplan.model.plan import Action
from finplan.model.snapshot import PlanView
from tests.cli import made_up_view

words = st.text("abcdefgh ij", min_size=1, max_size=300).filter(str.strip)
amounts = st.integers(-(10**11), 10**11)


@st.composite
def views(draw: Any) -> PlanView:
    """A plan with any number of anything in it, amounts of any size, and long texts."""
    view = made_up_view.view()
    plan = view.plan
    actions = tuple(
        Action(
            priority=place, kind="k", title=draw(words), detail=draw(words), amount=draw(amounts)
        )
        for place in range(1, draw(st.integers(0, 7)) + 1)
    )
    some = {
        "categories": plan.categories[: draw(st.integers(0, len(plan.categories)))],
        "income_sources": plan.income_sources[: draw(st.integers(0, 3))],
        "recurring": plan.recurring * draw(st.integers(0, 5)),
        "budget": tuple(
            item.model_copy(update={"current": draw(amounts), "target": abs(draw(amounts))})
            for item in plan.budget
        ),
        "actions": actions,
        "notes": tuple(draw(st.lists(words, max_size=12))),
    }
    view = made_up_view.provisional(view) if draw(st.booleans()) else view
    return view.model_copy(update={"plan": view.plan.model_copy(update=some)})


@given(views(), st.integers(20, 200))
def test_a_plan_takes_two_screens_at_most(view: PlanView, width: int) -> None:
    """A plan has at most 48 lines, none of them longer than the terminal is wide."""
    lines = render_plan(view, "USD", width).plain.split("\n")
    assert len(lines) <= TWO_SCREENS
    assert [line for line in lines if len(line) > max(width, NARROWEST)] == []


@given(views())
def test_the_whole_plan_leaves_nothing_out(view: PlanView) -> None:
    """With nothing folded, every category, action and note is there in full."""
    plain = " ".join(render_plan(view, "USD", 110, whole=True).plain.split())
    for category in view.plan.categories:
        assert category.label in plain
    for text in (*(action.detail for action in view.plan.actions), *view.plan.notes):
        assert "".join(text.split()) in plain.replace(" ", "")


def test_every_action_is_named_however_little_room_there_is() -> None:
    """When details are folded, each action keeps its line, its place and its amount."""
    view = made_up_view.view()
    long = tuple(
        action.model_copy(update={"detail": "Much to say. " * 40}) for action in view.plan.actions
    )
    page = render_plan(
        view.model_copy(update={"plan": view.plan.model_copy(update={"actions": long})}), "USD", 80
    ).plain
    for action in view.plan.actions:
        assert f" {action.priority} {action.title}" in page


def test_figures_are_in_the_currency_of_the_household() -> None:
    """No dollar sign stands in a plan of another currency, and yen have no decimals."""
    for currency in ("EUR", "JPY", "CHF"):
        page = render_plan(made_up_view.view(), currency, 80).plain
        figures = [line for line in page.split("\n") if "Mortgage  " in line or "Today" in line]
        assert figures
        assert not any("$" in line for line in figures)


def _units(page: str, label: str) -> int:
    line = next(line for line in page.split("\n") if line.startswith(f" {label}"))
    found = re.search(r"-?\$[0-9,]+", line)
    assert found is not None
    return int(found[0].replace("$", "").replace(",", ""))


@given(st.integers(0, 10**8), st.integers(0, 10**7), st.integers(0, 10**7))
def test_the_month_adds_up_as_printed(income: int, essentials: int, discretionary: int) -> None:
    """Income is essentials, discretionary and what is left over, to the printed unit."""
    view = made_up_view.view()
    current = (essentials, discretionary, income - essentials - discretionary)
    budget = tuple(
        item.model_copy(update={"current": amount})
        for item, amount in zip(view.plan.budget, current, strict=True)
    )
    monthly = view.plan.monthly.model_copy(update={"income": income, "surplus": current[2]})
    plan = view.plan.model_copy(update={"budget": budget, "monthly": monthly})
    page = render_plan(view.model_copy(update={"plan": plan}), "USD", 80).plain
    parts = [_units(page, label) for label in ("Essentials", "Discretionary", "Left over")]
    assert _units(page, "Income") == sum(parts)


@given(views(), st.integers(20, 200))
def test_no_amount_is_cut(view: PlanView, width: int) -> None:
    """No figure of the flow or of the facts ends in an ellipsis."""
    view = view.model_copy(update={"plan": view.plan.model_copy(update={"actions": ()})})
    assert not re.search(r"[$][0-9,.]*…", render_plan(view, "USD", width).plain)


def test_an_action_is_not_rounded_beside_its_title() -> None:
    """An amount that the title holds is not told again; any other is exact."""
    view = made_up_view.view()
    first = view.plan.actions[0]
    actions = (
        first.model_copy(update={"title": "Avoid about $45.50 a month", "amount": 4_550}),
        first.model_copy(update={"title": "Keep $45.50 in mind", "amount": 4_500, "priority": 2}),
    )
    plan = view.plan.model_copy(update={"actions": actions})
    page = render_plan(view.model_copy(update={"plan": plan}), "USD", 80).plain
    assert page.count("$45.50") == 2
    assert page.count("$45.00") == 1
    assert "$46" not in page


def test_an_unknown_balance_is_no_fact() -> None:
    """Where no balance of cash or of a card is known, the page says so and how to tell one."""
    view = made_up_view.view()
    snapshot = view.plan.snapshot
    unknown = tuple(each.model_copy(update={"balance": None}) for each in snapshot.accounts)
    plan = view.plan.model_copy(
        update={"snapshot": snapshot.model_copy(update={"accounts": unknown})}
    )
    page = render_plan(view.model_copy(update={"plan": plan}), "USD", 80).plain
    assert re.search(r"Emergency fund +unknown", page)
    assert "$18,425" not in page
    assert re.search(r"finplan accounts set \S+ --balance AMOUNT", page)


@pytest.mark.parametrize(("days", "kind"), [(27, "sums"), (28, "averages")])
def test_less_than_a_month_is_a_sum(days: int, kind: str) -> None:
    """From 28 days on, which a month may have, figures are averages; fewer are sums so far."""
    plan = made_up_view.view().plan
    window = plan.window.model_copy(update={"days": days})
    assert plan_words.window_said(plan.model_copy(update={"window": window})).startswith(kind)


def _with_plan(view: PlanView, **update: Any) -> PlanView:
    return view.model_copy(update={"plan": view.plan.model_copy(update=update)})


def test_all_that_follows_from_unknown_cash_is_unknown() -> None:
    """Today, each day, what the period leaves and the fund: none is a figure without a balance."""
    view = made_up_view.view()
    (cash,) = view.plan.snapshot.accounts
    untold = cash.model_copy(update={"balance": None})
    page = render_plan(made_up_view.with_accounts(view, untold), "USD", 80, whole=True).plain
    for label in ("Today", "A day's share", "Left this period", "Emergency fund"):
        assert re.search(rf"\n  {label} +unknown ", page), label


def test_what_is_drawn_is_called_so_everywhere() -> None:
    """The headline, the line of the budget and its target speak of a draw, and of no floor below 0."""
    view = made_up_view.view()
    saved = view.plan.budget[2].model_copy(
        update={"label": "Drawn from savings", "current": -1_300_00, "target": -1_250_00}
    )
    drawn = _with_plan(view, budget=(*view.plan.budget[:2], saved))
    for width, target in ((80, r"draw ≤ \$1,250"), (60, r"draw ≤ \$1,250")):
        page = render_plan(drawn, "USD", width).plain
        assert re.search("Drawn a month", page)
        assert re.search(rf"Drawn from savings .*{target}\n", page)
        assert "Left over" not in page
        assert "≥" not in page


@pytest.mark.parametrize("width", [60, 75, 76, 80, 110])
def test_the_columns_of_the_flow_are_told_apart(width: int) -> None:
    """The heads of a month's amount and of its share of income never read as one phrase."""
    page = render_plan(made_up_view.view(), "USD", width).plain
    (head,) = [line for line in page.split("\n") if line.startswith("WHERE THE MONEY GOES")]
    assert re.search(r"a month {2,}(of income|share) +target$", head)


def test_income_without_a_rhythm_is_told_by_the_month() -> None:
    """What an irregular payer brings a month stands beside its name, and that it is irregular."""
    view = made_up_view.view()
    source = view.plan.income_sources[0].model_copy(
        update={"name": "DoorDash payouts", "cadence": "irregular", "amount": 80_00}
    )
    source = source.model_copy(update={"monthly": 267_00})
    twice = source.model_copy(
        update={"name": "Orion", "cadence": "semimonthly", "amount": 5_850_00}
    )
    page = render_plan(_with_plan(view, income_sources=(source, twice)), "USD", 80).plain
    assert re.search(r"\n DoorDash payouts +\$267 /mo irregular ", page)
    assert re.search(r"\n Orion +\$5,850 2× a month ", page)
    assert "$80" not in page


def test_interest_is_no_regular_charge() -> None:
    """Interest on cards is a line of its own under the bills, which are counted without it."""
    view = made_up_view.view()
    bill = view.plan.recurring[0].model_copy(update={"monthly": 900_00, "amount": 900_00})
    interest = bill.model_copy(
        update={"name": "INTEREST", "category": "interest_fees", "monthly": 50_00}
    )
    other = interest.model_copy(update={"name": "INTEREST 2"})
    page = render_plan(_with_plan(view, recurring=(interest, other, bill)), "USD", 80).plain
    assert re.search("REGULAR CHARGES +1, \\$900 a month", page)
    assert re.search(r" \+ Interest and bank fees +\$100 /mo", page)
    assert "INTEREST" not in page
