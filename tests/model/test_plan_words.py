"""What the live view says in words: why nothing is safe to spend, and until when."""

from datetime import date
from typing import Any

import pytest

from finplan.model import plan_words
from finplan.model.snapshot import Snapshot
from finplan.model.task import CategorizePayee, Charge
from tests.cli import made_up, made_up_plan, made_up_view

PAYDAY = date(2025, 11, 28)


def shown(*, again: date | None = None, **figures: Any) -> Snapshot:
    """The made-up live view with other figures of the allowance or its breakdown."""
    calm = made_up_view.snapshot()
    allowance = calm.allowance
    period = {
        key: each for key, each in figures.items() if key in type(allowance.breakdown).model_fields
    }
    others = {key: each for key, each in figures.items() if key not in period}
    others["breakdown"] = allowance.breakdown.model_copy(update=period)
    update = {"allowance": allowance.model_copy(update=others), "spendable_from": again}
    return calm.model_copy(update=update)


def test_who_may_spend_is_told_nothing() -> None:
    """A positive figure needs no explanation, not even one unit of it."""
    assert plan_words.short_said(shown(), "USD") == ""
    assert plan_words.short_said(shown(today=1), "USD") == ""


@pytest.mark.parametrize(
    ("figures", "why"),
    [
        ({"today": -2_310}, "Cash is $23.10 short of what is due before payday, Fri 28 Nov."),
        ({"today": 0}, "All cash is needed for what is due before payday, Fri 28 Nov."),
        ({"today": -2_310, "payday": None}, "Cash is $23.10 short of what is due before the month"),
        ({"today": -500, "spent_today": 8_420}, "Today took $5.00 more than its share."),
        ({"today": 0, "spent_today": 7_920}, "Today's share is spent."),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": 0},
            "What was free this period is spent.",
        ),
        (
            {"today": -700, "daily": 0, "spent_today": 700, "remaining": -1_250},
            "What was free this period is spent, and $12.50 more.",
        ),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": -9, "available": -5_000},
            "Bills, needs and what is set aside take $50.00 more than this period has.",
        ),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": 0, "available": 0},
            "Bills, needs and what is set aside take all that this period has.",
        ),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": 1, "available": 1, "spent": 0},
            "Bills, needs and what is set aside take all that this period has.",
        ),
        (
            {"today": 0, "daily": 0, "spent_today": 0, "remaining": 1, "available": 2, "spent": 1},
            "What was free this period is spent.",
        ),
    ],
)
def test_a_figure_that_is_not_positive_says_why(figures: dict[str, Any], why: str) -> None:
    """Each cause has its own sentence: cash, bills, the period's money or today's share."""
    assert plan_words.short_said(shown(**figures), "USD").startswith(why)


@pytest.mark.parametrize(
    ("again", "payday", "until"),
    [
        (date(2025, 11, 22), PAYDAY, "Something is safe to spend again from Sat 22 Nov."),
        (PAYDAY, PAYDAY, "Something is safe to spend again from Fri 28 Nov (payday)."),
        (date(2025, 12, 1), None, "Something is safe to spend again from Mon 1 Dec."),
        (None, PAYDAY, "The bills after it need that pay, too."),
        (None, None, "No income that is expected changes that."),
    ],
)
def test_it_says_until_when(again: date | None, payday: date | None, until: str) -> None:
    """The day on which something is safe to spend again ends the sentence, or that there is none."""
    said = plan_words.short_said(shown(again=again, today=-100, payday=payday), "USD")
    assert said.endswith(until)


def test_a_period_without_more_is_not_waited_for() -> None:
    """Where no cash is lacking, what is expected brings nothing either: the next period is as this."""
    spent: dict[str, Any] = {
        "today": 0,
        "daily": 0,
        "spent_today": 0,
        "remaining": 0,
        "available": 0,
    }
    assert plan_words.short_said(shown(**spent), "USD").endswith("The next period has no more.")


def test_the_remark_of_today_is_short_where_a_sentence_says_more() -> None:
    """Cash that lowers a positive figure is remarked on; a negative one has its own sentence."""
    assert plan_words.today_said(shown(today=100), "USD") == plan_words.CASH_RUNS_SHORT
    assert plan_words.today_said(shown(today=0), "USD") == "$18.00 spent today"
    assert plan_words.today_said(shown(today=-100), "USD") == "$18.00 spent today"


@pytest.mark.parametrize(
    ("months", "is_due", "known", "said"),
    [
        (2.0, False, False, "three months of rows tell what comes again"),
        (3.0, False, True, "none expected"),
        (1.0, True, True, "first Pacific Gas & Electric, Fri 28 Nov"),
        (0.0, False, False, "three months of rows tell what comes again"),
    ],
)
def test_nothing_due_is_known_from_three_months_on(
    months: float, is_due: bool, known: bool, said: str
) -> None:
    """Over a shorter time that nothing comes again is not seen, so no "none expected" is said."""
    calm = made_up_view.snapshot()
    update = {
        "window": calm.window.model_copy(update={"months": months}),
        "upcoming": calm.upcoming if is_due else (),
    }
    snapshot = calm.model_copy(update=update)
    assert plan_words.due_is_known(snapshot) is known
    assert plan_words.next_due_said(snapshot) == said


def test_one_sentence_ties_the_plans_pace_to_what_is_safe_to_spend() -> None:
    """The pace stands beside the live figure in one sentence, which says how they differ."""
    said = plan_words.pace_said(made_up_plan.plan(), "USD")
    assert said.count(".") == 1
    assert "$91 a day" in said
    assert "what is safe to spend" in said


@pytest.mark.parametrize(
    ("current", "target", "label"),
    [
        (-600_00, -500_00, "Drawn from savings"),
        (100_00, -500_00, "Left over"),
        (-600_00, 0, "Left over"),
        (100_00, 200_00, "Left over"),
        (0, -1, "Left over"),
    ],
)
def test_what_is_drawn_is_not_called_left_over(current: int, target: int, label: str) -> None:
    """Only a month that lacks money, in a plan that draws it, has a line of that name."""
    item = (
        made_up_plan.plan()
        .budget[2]
        .model_copy(update={"label": "Drawn from savings", "current": current, "target": target})
    )
    assert plan_words.left_over_label(item) == label


@pytest.mark.parametrize(
    ("left", "currency", "exact", "whole"),
    [
        (5_480, "USD", "$54.80", "$55"),
        (0, "USD", "$0.00", "$0"),
        (-1, "USD", "over by $0.01", "$0"),
        (-2_310, "USD", "over by $23.10", "over by $23"),
        # What is too long for its column is told in whole units.
        (-123_456_00, "USD", "over by $123,456", "over by $123,456"),
        (-1_234_56, "CHF", "over by CHF 1,235", "over by CHF 1,235"),
        (-900, "JPY", "over by ¥900", "over by ¥900"),
    ],
)
def test_what_is_beyond_the_usual_is_no_debt(
    left: int, currency: str, exact: str, whole: str
) -> None:
    """Below zero the word "over" stands where a minus would read as money owed; zero is over nothing."""
    assert plan_words.rest_said(left, currency, 17) == exact
    assert plan_words.rest_said(left, currency) == whole


@pytest.mark.parametrize(("saved", "said"), [(-1, True), (0, False)])
def test_a_period_that_savings_pay_for_does_not_call_it_income(saved: int, *, said: bool) -> None:
    """Where the plan's target of savings is below zero, the first figure holds what is drawn."""
    plan = made_up_plan.plan()
    savings = plan.budget[2].model_copy(update={"target": saved})
    plan = plan.model_copy(update={"budget": (*plan.budget[:2], savings)})
    snapshot = shown()
    (label, amount, _), *others = plan_words.breakdown_rows(snapshot, plan)
    assert label == ("Income and planned draw" if said else "Income")
    assert amount == snapshot.allowance.breakdown.income
    assert plan_words.breakdown_rows(snapshot) == (("Income", amount, False), *others)


def asked(days: tuple[int, ...], amounts: tuple[int, ...], **more: Any) -> CategorizePayee:
    """A question about charges on these days of the last months, newest first."""
    (task, *_) = (each for each in made_up.tasks() if isinstance(each, CategorizePayee))
    charges = tuple(
        Charge(date=date(2025, 11 - place, day), amount=amount)
        for place, (day, amount) in enumerate(zip(days, amounts, strict=True))
    )
    return task.model_copy(
        update={"charges": charges, "suggested": "rent", "confidence": 0.7} | more
    )


@pytest.mark.parametrize(
    ("days", "amounts", "said"),
    [
        (
            (1, 3, 7),
            (1_200_00,) * 3,
            "the last 3 charges came at the start of a month, $1,200.00 each",
        ),
        ((1, 3, 2), (1_210_00, 1_200_00, 1_205_00), "a month, $1,200.00 to $1,210.00 each."),
        ((1, 3, 8), (1_200_00,) * 3, ""),
        ((1, 3), (1_200_00,) * 2, ""),
    ],
)
def test_what_speaks_for_rent_is_said(
    days: tuple[int, ...], amounts: tuple[int, ...], said: str
) -> None:
    """Three charges in the first week of their months speak for a suggested rent, and nothing less."""
    task = asked(days, amounts)
    found = plan_words.suggestion_said(task, "USD")
    assert said in found if said else found == ""
    for other in ({"suggested": "dining"}, {"confidence": None}):
        assert plan_words.suggestion_said(task.model_copy(update=other), "USD") == ""
