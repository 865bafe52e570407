"""What agents are told of the plan's family: the short forms of its views, with names set apart."""

from datetime import date
from typing import Any

import pytest

from finplan.daemon.surfaces.mcp.tools.wording import write_text
from finplan.model.explain import Figure, Quantity
from finplan.model.plan import EmergencyFund
from finplan.model.snapshot import PlanView, Snapshot, Upcoming
from finplan.views import ahead, explain, live, plan
from tests.cli import made_up, made_up_plan
from tests.golden_files import kept_in
from tests.views.drawing import how

PARTS = ("categories", "incomeSources", "recurring")


def test_the_short_forms() -> None:
    """What is due and done is in few lines; a stranger's words are code spans, and nothing else is."""
    view, wealth = made_up.view(), made_up.wealth()
    untold = made_up.snapshot().period.model_copy(update={"guard": None})
    without_cash = made_up.snapshot().model_copy(update={"period": untold})
    explanation = made_up_plan.explanation()
    briefs = (
        plan.brief(made_up.provisional(view), how(), PARTS),
        plan.built(view, how()),
        live.brief(made_up.snapshot(), how()),
        live.brief(made_up.troubled_snapshot(), how()),
        live.brief(without_cash, how()),
        ahead.brief_forecast(made_up_plan.forecast(), how()),
        ahead.brief_forecast(made_up_plan.unknown(), how()),
        ahead.brief_wealth(wealth, wealth.history, how()),
        explain.brief(explanation, explanation.transactions[:1], how()),
    )
    kept_in("views")("briefs-of-the-plan", "\n\n".join(map(write_text, briefs)) + "\n")


def lines_of_plan(view: PlanView) -> list[str]:
    return write_text(plan.brief(view, how())).splitlines()


@pytest.mark.parametrize("count", [0, 1, 2])
def test_open_questions_are_counted(count: int) -> None:
    """A plan says how many questions are open, and names the tool for them; nothing of none."""
    view = made_up.view().model_copy(update={"open_tasks": tuple(made_up.tasks()[:1]) * count})
    counted = [line for line in lines_of_plan(view) if "list_tasks" in line]
    assert [line[0] for line in counted] == [str(count)] * (count > 0)


def test_a_fund_is_reached_where_its_target_is_known() -> None:
    """Of a fund without a gap, what is said tells a target that is reached from one nobody knows."""

    def line(**changed: Any) -> str:
        view = made_up.view()
        fund: EmergencyFund = view.plan.emergency_fund.model_copy(update=changed)
        one = view.plan.model_copy(update={"emergency_fund": fund})
        lines = lines_of_plan(view.model_copy(update={"plan": one}))
        return next(each for each in lines if each.startswith("Emergency fund"))

    ways = [
        line(gap=12_50),
        line(gap=0, target_amount=100, months_to_target=0),
        line(gap=0, target_amount=100, months_to_target=None),
        line(gap=0, target_amount=0, months_to_target=0),
    ]
    assert len(set(ways)) == len(ways)
    assert ["reached" in each for each in ways] == [False, True, False, False]
    assert "$12.50" in ways[0]


@pytest.mark.parametrize("more", [0, 1, 3])
def test_the_first_dozen_charges_are_named(more: int) -> None:
    """The others are counted by the last of them; without a charge nothing is said of any."""
    charge = Upcoming(date=date(2026, 3, 20), name="Rent", amount=9_00)
    now: Snapshot = made_up.snapshot().model_copy(
        update={"upcoming": (charge,) * (live.MOST_TOLD + more)}
    )
    lines = write_text(live.brief(now, how())).splitlines()
    assert lines.count("- 2026-03-20 `Rent` $9.00") == live.MOST_TOLD
    assert [line.split()[0] for line in lines if "more due" in line] == [str(more)] * (more > 0)
    assert "Rent" not in write_text(live.brief(now.model_copy(update={"upcoming": ()}), how()))


def test_a_figure_has_the_numbers_of_its_formula() -> None:
    """A value is told where a formula uses it, but one that is a figure itself is not told twice."""
    rate = Quantity(name="rate", unit="share", value=0.125)
    income = Quantity(name="income", unit="money", value=3_000_00)
    figures = (
        Figure(
            name="income", label="Income", unit="money", formula=None, values=(), result=300_000
        ),
        Figure(
            name="part",
            label="Its part",
            unit="money",
            formula="income * rate",
            values=(income, rate),
            result=375_00,
        ),
    )
    one = made_up_plan.explanation().model_copy(update={"figures": figures, "reasons": ()})
    lines = write_text(explain.brief(one, (), how())).splitlines()
    assert lines[1:] == [
        "- `Income`: $3,000.00",
        "- `Its part` (part): $375.00 = income * rate (rate 12.5%)",
    ]
