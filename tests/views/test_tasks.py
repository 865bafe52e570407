"""Questions to the person: what is asked and shown, what answers move, and what they say afterwards."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from finplan.model.detection import Transfer, TransferLeg
from finplan.model.task import (
    EACH,
    Alternative,
    CategorizePayee,
    Charge,
    ConnectMissingAccount,
    DailyAllowance,
    Effect,
    ReconnectConnection,
    Task,
)
from finplan.terminal.lines import Look
from finplan.terminal.pages import draw_blocks
from finplan.views import tasks as view
from finplan.views.answering import offers_transfer
from finplan.views.page import Page, PageBlock, Sentence, of as page_of, plain
from tests.cli import made_up, made_up_bank
from tests.cli.made_up_bank import transfer
from tests.cli.test_partial_answers import VENMO, _row
from tests.golden_files import kept_in
from tests.views.drawing import drawn, how

golden = kept_in("cli")
AGAIN = "Harbour wants you to sign in again"
HOW = "See `finplan connections`, then sync: `finplan sync`."


def text(shown: Page, width: int = 80) -> str:
    """A page as the command line shows it, of which no line is too long."""
    lines = drawn(shown, width).plain.splitlines()
    assert [line for line in lines if len(line) > width] == []
    return "".join(f"{line}\n" for line in lines)


def asked_page(task: Task, candidates: Sequence[Transfer] = ()) -> str:
    """A question as the walk of the command line asks it."""
    question = Sentence(("1 of 3  ", *view.question(task)), "strong")
    asked = view.question_lines(task, how(), (), candidates)
    return text(page_of(Sentence(""), question, asked, view.ways(task, how())))


def test_a_question_that_no_category_answers_says_what_to_do() -> None:
    """It names a command that answers it; one that may be dismissed names the id to type."""
    missing = ConnectMissingAccount(id="task_0af5b1", missing="spending", reason="You pay a card.")
    said = view.way_on(missing, "task_0af5")
    assert "`finplan import FILE`" in said
    assert "`finplan tasks answer task_0af5 --dismiss`" in said


@pytest.mark.parametrize(
    ("allowance", "told"),
    [
        (
            DailyAllowance(before=28_00, after=31_00, known=True),
            " Safe to spend changes from $28.00 to $31.00 a day.",
        ),
        (
            DailyAllowance(before=28_00, after=28_00, known=True),
            " Safe to spend stays $28.00 a day.",
        ),
        (
            DailyAllowance(before=0, after=0, known=True),
            " Safe to spend stays $0.00 a day.",
        ),
        (DailyAllowance(before=28_00, after=31_00, known=False), ""),
    ],
)
def test_an_answer_says_what_it_does_to_a_day(allowance: DailyAllowance, told: str) -> None:
    """What is safe to spend a day is told before and after, and not at all where nobody knows it."""
    effect = Effect(charges=14, total=1_240_00, monthly=103_33, allowance=allowance)
    said = view.describe_effect(effect, how())
    assert said == f"Changes 14 transactions ($1,240.00, about $103 a month).{told}"
    none = effect.model_copy(update={"charges": 0})
    assert view.describe_effect(none, how()) == f"Changes no transactions.{told}"


@pytest.mark.parametrize(
    ("error", "asked", "told"),
    [
        (None, f"{AGAIN}.", HOW),
        ("the password has changed", f"{AGAIN} (the password has changed).", HOW),
        ("Your consent has ended.", f"{AGAIN}.", f"Your consent has ended. {HOW}"),
    ],
)
def test_a_bank_that_wants_a_sign_in_says_it_once(error: str | None, asked: str, told: str) -> None:
    """A reason stands in the question, a sentence of the bank beside it, and then how one goes on."""
    task = ReconnectConnection(
        id="task_1", connection_id="c", institution_name="Harbour", error=error
    )
    assert plain(view.question(task)) == asked
    assert view.way_on(task, "task_1") == told


def asked(days: tuple[int, ...], amounts: tuple[int, ...], **more: Any) -> CategorizePayee:
    """A question about charges on these days of the last months, newest first."""
    task = made_up.tasks()[0]
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
            "first week of a month, $1,200.00 each.",
        ),
        ((1, 3, 2), (1_210_00, 1_200_00, 1_205_00), "a month, $1,200.00 to $1,210.00 each."),
        ((1, 3, 8), (1_200_00,) * 3, ""),
        ((1, 3), (1_200_00,) * 2, ""),
    ],
)
def test_signs_of_rent_are_told(days: tuple[int, ...], amounts: tuple[int, ...], said: str) -> None:
    """Three charges in the first week of their months speak for a suggested rent, and nothing less."""
    task = asked(days, amounts)
    found = view.explain_suggestion(task, how())
    assert said in found if said else found == ""
    for other in ({"suggested": "dining"}, {"confidence": None}):
        assert view.explain_suggestion(task.model_copy(update=other), how()) == ""


def _task(suggested: str = "transfer", other: str = "rent") -> CategorizePayee:
    return CategorizePayee(
        id="tsk_1",
        payee_key="t ashworth",
        payee="T Ashworth",
        count=3,
        total=2_700_00,
        charges=(),
        suggested=suggested,
        suggested_label=suggested,
        confidence=0.7,
        alternatives=(Alternative(category=other, label=other),),
        options=(),
        last_date=date(2026, 9, 2),
        answer=None,
    )


def _leg(account: str, payee: str, amount: int) -> TransferLeg:
    return TransferLeg(
        transaction_id="tx_1",
        account_id="acc_1",
        account=account,
        payee_key=payee,
        date=date(2026, 9, 2),
        amount=amount,
        currency="GBP",
        raw=payee.upper(),
    )


def _transfer(out: str, into: str) -> Transfer:
    return Transfer(
        id="trf_1",
        status="candidate",
        source=None,
        currency="GBP",
        out=_leg("Current", out, -900_00),
        into=_leg("Monzo", into, 900_00),
        why="Same amount, same day.",
    )


def test_the_row_on_the_other_account_is_named() -> None:
    """For money out where it came in, for money in where it left; how often, if more than once."""
    out, into = _transfer("t ashworth", "77 lm"), _transfer("order", "t ashworth")
    came = "May be a transfer: £900.00 arrived in Monzo on Wed 2 Sep (“77 LM”)."
    assert view.describe_twin(_task(), [out]) == came
    assert view.describe_twin(_task(), [out, out, into]) == f"{came} 3 possible matches."
    left = "May be a transfer: £900.00 left Current on Wed 2 Sep (“ORDER”)."
    assert view.describe_twin(_task(), [into]) == left
    assert view.describe_twin(_task(), [_transfer("other", "77 lm")]) == ""


def test_candidates_are_asked_for_only_where_a_transfer_is_offered() -> None:
    """As the suggestion or as another choice."""
    assert offers_transfer([_task()])
    assert offers_transfer([_task("dining", "transfer")])
    assert not offers_transfer([_task("dining")])
    assert not offers_transfer([])


def test_an_effect_says_only_what_it_moves() -> None:
    """Nothing moved, a month without it, and an allowance that stays are said as such.

    So is where it goes, and what money in under a spending category counts as. What is safe for want of
    a balance alone is not said.
    """
    still = DailyAllowance(before=5_00, after=5_00, known=True)
    none = Effect(charges=0, total=0, monthly=0, allowance=still)
    came = Effect(charges=1, total=-9_00, monthly=0, allowance=still)
    free = Effect(charges=1, total=0, monthly=0, allowance=still)
    nothing_known, unsafe = (
        Effect(
            charges=2,
            total=9_00,
            monthly=0,
            allowance=DailyAllowance(before=1, after=0, known=known),
        )
        for known in (False, True)
    )
    dining, pay = made_up.category_choices()[1], made_up.PAY
    stays = "Safe to spend stays $5.00 a day."
    told = (
        (nothing_known, None),
        (unsafe, None),
        (none, None),
        (none, dining),
        (came, None),
        (came, pay),
        (came, dining),
        (free, dining),
    )
    said = [view.describe_effect(effect, how(), where) for effect, where in told]
    assert said == [
        "Changes 2 transactions ($9.00).",
        "Changes 2 transactions ($9.00). Safe to spend changes from $0.01 to $0.00 a day.",
        f"Changes no transactions. {stays}",
        f"Puts nothing in Restaurants and coffee. {stays}",
        f"Changes 1 transaction (+$9.00). {stays}",
        f"Puts 1 transaction (+$9.00) in Pay. {stays}",
        (
            "Puts 1 transaction (+$9.00) in Restaurants and coffee. It counts as a refund, not income,"
            f" and lowers spending in Restaurants and coffee. {stays}"
        ),
        f"Puts 1 transaction ($0.00) in Restaurants and coffee. {stays}",
    ]


def test_questions_about_rows_are_told_apart() -> None:
    """Rows of one payee are listed with their days, and a payee asked about each time says so."""
    listed = text(view.listed([_row(4), _row(18)], how()), 100)
    assert "Venmo, 4 November 2025" in listed
    assert "Venmo, 18 November 2025" in listed
    alone = text(view.listed([_row(4)], how()), 100)
    assert "Venmo, " not in alone
    each = VENMO.model_copy(update={"answer": EACH})
    told = text(view.listed([each], how(), {}), 100)
    assert view.EACH_TIME in told


def test_a_question_without_a_guess_shows_none() -> None:
    """What stands in where nothing is known is no suggestion, and is not shown as one."""
    known, *_ = made_up.tasks()
    unknown = known.model_copy(update={"confidence": None})
    listed = text(view.listed([unknown], how()), 80)
    assert known.suggested_label not in listed


def test_money_in_is_asked_about_with_a_plus() -> None:
    """A sum that came in has the sign that it has everywhere."""
    task = made_up.tasks()[0]
    paid_in = task.model_copy(
        update={
            "count": 6,
            "total": -14_400_00,
            "charges": (Charge(date=date(2025, 11, 3), amount=-2_400_00),),
        }
    )
    listed = text(view.listed([paid_in], how()), 80)
    asked = asked_page(paid_in)
    filed = view.describe_decision(paid_in.model_copy(update={"answer": "pay"}), {}, how())
    assert "+$14,400.00" in listed
    assert "6 transactions, +$14,400.00" in asked
    assert "+$2,400.00 on 3 Nov" in asked
    assert "6 transactions, +$14,400.00" in filed
    assert "-$" not in listed + asked + filed


def test_tasks() -> None:
    """Questions are listed with what they decide, and asked with what helps to answer."""
    questions = made_up.tasks()
    listed = text(view.listed(questions, how()), 80)
    asked = [asked_page(each) for each in questions]
    golden("tasks", "".join([listed, *asked]))


def test_a_suggested_rent_shows_what_speaks_for_it() -> None:
    """The walk says it below the charges, and of another suggestion nothing."""
    task = made_up.tasks()[0]
    charges = tuple(Charge(date=date(2025, month, 2), amount=1_200_00) for month in (11, 10, 9))
    rent = task.model_copy(update={"charges": charges, "suggested": "rent", "confidence": 0.7})
    assert "Looks like rent" in asked_page(rent)
    other = rent.model_copy(update={"suggested": "dining"})
    assert "Looks like rent" not in asked_page(other)


def test_a_question_shows_the_row_on_the_other_account() -> None:
    """Below the charges, where one may be half of a transfer."""
    task = made_up.tasks()[0]
    candidate = transfer("1", "candidate", 500_00, 500_00)
    out = candidate.out.model_copy(update={"payee_key": task.payee_key})
    twins = [candidate.model_copy(update={"out": out})]
    page = asked_page(task, twins)
    assert "$500.00 arrived in Savings" in page
    assert "Savings" not in asked_page(task)


def effects(*, known: bool = True) -> dict[str, Effect]:
    """What each of three answers moves, where it is known what is safe to spend."""
    return {
        key: Effect(
            charges=14,
            total=31_144,
            monthly=2_595,
            allowance=DailyAllowance(before=4_000, after=4_000 + change, known=known),
        )
        for key, change in (("groceries", 125), ("dining", -250), ("shopping", 0))
    }


@pytest.mark.parametrize("width", [41, 60, 96])
def test_a_question_with_its_rows(width: int) -> None:
    """With what each answer moves, and while that and the rows are looked up, it fits at any width."""
    payee = made_up.tasks()[0]
    rows = made_up_bank.transactions() * 4
    shown = (
        (payee, None, {}, 6),
        (payee, rows[:8], effects(), 6),
        (payee, rows[:1], effects(known=False), 6),
        (payee, rows, effects(), 2),
        *((each, (), {}, 6) for each in made_up.tasks()[1:]),
    )
    drawn_so = (
        lines(
            view.entry(task, how(), marked=task is payee),
            Sentence(view.question(task), "strong"),
            view.ways(task, how(), moves, searches=True),
            *view.question_lines(task, how(), some, most=most),
            width=width,
        )
        for task, some, moves, most in shown
    )
    pages = "\n".join(drawn_so)
    if width == 60:
        golden("question", pages)


def lines(*blocks: PageBlock, width: int) -> str:
    """Blocks in so many columns, of which no line is too long and no amount is cut."""
    drawn_lines = draw_blocks(blocks, Look(width, ids=False))
    assert [line.plain for line in drawn_lines if line.cell_len > width] == []
    return "".join(f"{line.plain.rstrip()}\n" for line in drawn_lines)
