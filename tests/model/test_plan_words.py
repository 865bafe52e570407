"""What a plan's figures are called, what its targets mean, and what to do about a question."""

from datetime import date
from typing import Any

import pytest

from finplan.model import plan_words, standing_words
from finplan.model.plan import BudgetKey, Plan
from finplan.model.task import (
    CategorizePayee,
    Charge,
    ConnectMissingAccount,
    DailyAllowance,
    Effect,
    ReconnectConnection,
)
from tests.cli import made_up, made_up_plan


def planned(current: int, target: int, label: str, *cash: int | None) -> Plan:
    """The made-up plan with this line of savings, and accounts that hold this cash."""
    plan = made_up_plan.plan()
    line: dict[str, Any] = {"current": current, "target": target, "label": label}
    held = next(each for each in plan.snapshot.accounts if each.role == "cash")
    accounts = tuple(held.model_copy(update={"balance": balance}) for balance in cash)
    return plan.model_copy(
        update={
            "budget": (*plan.budget[:2], plan.budget[2].model_copy(update=line)),
            "snapshot": plan.snapshot.model_copy(update={"accounts": accounts}),
        }
    )


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
    plan = planned(current, target, "Drawn from savings")
    assert plan_words.left_over_label(plan.budget[2]) == label


@pytest.mark.parametrize(
    ("current", "target", "label", "headline"),
    [
        (-1_300_00, -1_300_00, "Drawn from savings", ("Drawn a month", 1)),
        (-1_300_00, -1, "Not covered", ("Not covered", 1)),
        (-1_300_00, -1, "Not covered by income seen", ("Not covered", 1)),
        (-1_300_00, 42_00, "Savings and extra debt payments", ("Left over a month", -1)),
        (1_300_00, 42_00, "Savings and extra debt payments", ("Left over a month", 1)),
    ],
)
def test_the_headline_calls_what_is_drawn_as_its_line_does(
    current: int, target: int, label: str, headline: tuple[str, int]
) -> None:
    """What is drawn is told under its own name and without a sign; what is lacking else keeps it."""
    plan = planned(current, target, label)
    told, sign = headline
    units = plan_words.month_units(plan, "USD")["savings"]
    assert plan_words.left_over_headline(plan, "USD") == (told, sign * abs(units))


@pytest.mark.parametrize(
    ("target", "label", "limit"),
    [
        (0, "Savings and extra debt payments", ("≥", 1)),
        (-1, "Drawn from savings", ("draw ≤", -1)),
        (-1, "Not covered", ("gap ≤", -1)),
    ],
)
def test_what_is_drawn_has_a_ceiling(target: int, label: str, limit: tuple[str, int]) -> None:
    """Savings have a floor; what is drawn has a ceiling, told without a minus sign; spending has one."""
    plan = planned(-100_00, target, label, 5_00)
    assert plan_words.target_limit(plan, "savings") == limit
    assert plan_words.target_limit(plan, "essentials") == ("≤", 1)
    assert plan_words.target_limit(plan, "discretionary") == ("≤", 1)


@pytest.mark.parametrize(
    ("target", "unknown"), [(0, set[BudgetKey]()), (-1, {"discretionary", "savings"})]
)
def test_a_target_that_hangs_on_unknown_cash_is_unknown(
    target: int, unknown: set[BudgetKey]
) -> None:
    """How much of what is drawn for may be spent follows from cash; what essentials take does not."""
    plan = planned(-100_00, target, "Not covered", None)
    keys: tuple[BudgetKey, ...] = ("essentials", "discretionary", "savings")
    assert {key for key in keys if plan_words.target_limit(plan, key) is None} == unknown


@pytest.mark.parametrize(
    ("cash", "unknown"),
    [
        ((None,), True),
        ((None, None), True),
        ((None, 0), True),
        ((None, 5), False),
        ((0,), False),
        ((), False),
        ((-5, None), False),
    ],
)
def test_cash_is_unknown_where_nothing_but_zeros_is_told(
    cash: tuple[int | None, ...], *, unknown: bool
) -> None:
    """One rule says so for what is safe to spend and for what cash, the fund and net worth are worth."""
    accounts = planned(0, 0, "", *cash).snapshot.accounts
    assert plan_words.cash_is_unknown(accounts) is unknown
    worths = standing_words.worths(accounts, None)
    assert (worths.cash == "unknown") is unknown
    assert (worths.net_worth == "unknown") is unknown
    assert (worths.available == "unknown") is unknown


def test_a_question_that_no_category_answers_says_what_to_do() -> None:
    """It names a command that answers it; one that may be dismissed names the id to type."""
    missing = ConnectMissingAccount(id="task_0af5b1", missing="spending", reason="You pay a card.")
    said = plan_words.way_on(missing, "task_0af5")
    assert "`finplan import FILE`" in said
    assert "`finplan tasks answer task_0af5 --dismiss`" in said


@pytest.mark.parametrize(
    ("allowance", "told"),
    [
        (
            DailyAllowance(before=28_00, after=31_00, known=True),
            "; safe to spend a day goes from $28.00 to $31.00",
        ),
        (
            DailyAllowance(before=28_00, after=28_00, known=True),
            "; safe to spend a day stays at $28.00",
        ),
        (DailyAllowance(before=0, after=0, known=True), "; safe to spend a day stays at $0.00"),
        (DailyAllowance(before=28_00, after=31_00, known=False), ""),
    ],
)
def test_an_answer_says_what_it_does_to_a_day(allowance: DailyAllowance, told: str) -> None:
    """What is safe to spend a day is told before and after, and not at all where nobody knows it."""
    effect = Effect(charges=14, total=1_240_00, monthly=103_33, allowance=allowance)
    said = plan_words.effect_said(effect, "USD")
    assert said == f"Moves 14 charges, $1,240.00 in all, $103.33 a month{told}."
    none = effect.model_copy(update={"charges": 0})
    assert plan_words.effect_said(none, "USD") == f"Moves no charge{told}."


AGAIN = "Harbour wants you to sign in again"
SIGN_IN = "Sign in: `finplan connect plaid --reconnect Harbour`."
HOW = "`finplan connections` says how; then: `finplan sync`."


@pytest.mark.parametrize(
    ("error", "asked", "told"),
    [
        (None, f"{AGAIN}.", HOW),
        ("the password has changed", f"{AGAIN} (the password has changed).", HOW),
        (f"{AGAIN}. {SIGN_IN}", f"{AGAIN}.", SIGN_IN),
        (f"{AGAIN}.", f"{AGAIN}.", HOW),
        ("Your consent has ended.", f"{AGAIN}.", f"Your consent has ended. {HOW}"),
        ("Sign in at https://b.example.", f"{AGAIN}.", "Sign in at https://b.example."),
    ],
)
def test_a_bank_that_wants_one_to_sign_in_says_it_once(
    error: str | None, asked: str, told: str
) -> None:
    """Its own sentence stands beside the question and does not repeat it; how one goes on is there."""
    task = ReconnectConnection(
        id="task_1", connection_id="c", institution_name="Harbour", error=error
    )
    assert plan_words.question(task) == asked
    assert plan_words.way_on(task, "task_1") == told


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
