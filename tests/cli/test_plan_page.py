"""The plan's page keeps its promises for any plan, not only for the made-up one."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from finplan.cli.show_plan import NARROWEST, TWO_SCREENS, render_plan
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
    return view.model_copy(update={"plan": plan.model_copy(update=some)})


@given(views(), st.integers(20, 200))
def test_a_plan_takes_two_screens_at_most(view: PlanView, width: int) -> None:
    """A plan has at most 48 lines, none of them longer than the terminal is wide."""
    lines = render_plan(view, "USD", width).plain.split("\n")
    assert len(lines) <= TWO_SCREENS
    assert all(len(line) <= max(width, NARROWEST) for line in lines)


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
