"""What is advised while much is unknown, and in which order (plan-semantics, section 10)."""

from collections.abc import Sequence

import pytest

from finplan.model.plan import Action
from finplan.plan.advise.tasks import open_tasks
from finplan.plan.build import build_plan
from tests.plan.advised import (
    TODAY,
    YEAR,
    idle,
    indebted,
    rising_essentials,
    short_of_cash,
    spent_on_wants,
    steady,
    stopped,
    subscribed,
    unknown,
    unlinked_card,
)
from tests.plan.households import Household, every, household, monthly
from tests.plan.typical import assessed


def actions(home: Household) -> Sequence[Action]:
    return build_plan(home.ledger(), TODAY).actions


def kinds(home: Household) -> list[str]:
    return [each.kind for each in actions(home)]


def said(home: Household, kind: str) -> Action:
    (found,) = [each for each in actions(home) if each.kind == kind]
    return found


FIRM = [
    ("trim_discretionary", spent_on_wants(1_300_00)),
    ("review_essentials", rising_essentials(320_00)),
    ("review_subscriptions", subscribed(260_00)),
    ("invest_idle_cash", idle(60_000_00)),
]


@pytest.mark.parametrize(("kind", "home"), FIRM, ids=[kind for kind, _ in FIRM])
@pytest.mark.parametrize("category", ["uncategorized", "unlinked_card"])
def test_a_provisional_plan_says_nothing_firm(kind: str, home: Household, category: str) -> None:
    """Once a tenth of spending is unknown, nothing is trimmed, reviewed or invested."""
    assert kind in kinds(home)
    spent = build_plan(home.ledger(), TODAY).monthly.total_spend
    veiled = Household(**{**vars(home), "payees": dict(home.payees), "numbers": dict(home.numbers)})
    veiled.rows = list(home.rows)
    veiled.charges(monthly("2025-01-23", 12), "ZORBLAX", spent // 8, category)
    assert kind not in kinds(veiled)


def test_a_tenth_in_no_category_is_asked_about_right_after_what_cannot_wait() -> None:
    """Sign-ins, a gap in cash and missing minimums come before the questions, all else after."""
    home = short_of_cash().charges(monthly("2025-01-22", 12), "ZORBLAX", 700_00)
    home.connection("bank", "login_required", provider="aggregator")
    home.charges(monthly("2025-01-23", 12), "CITI CARD", 300_00, "unlinked_card")
    assert kinds(home)[:4] == [
        "reconnect_bank",
        "cover_cash_gap",
        "answer_questions",
        "connect_account",
    ]


def test_missing_minimums_come_before_questions() -> None:
    """A payment that is about to be missed cannot wait for answers."""
    home = indebted(600_00, minimum_payment=400_00).on("checking")
    found = kinds(home.charges(monthly("2025-01-22", 12), "ZORBLAX", 300_00))
    assert found.index("cover_minimums") + 1 == found.index("answer_questions")
    assert found.index("answer_questions") < found.index("cover_shortfall")


def test_questions_say_what_they_decide() -> None:
    """The share, the month's money, what rests on it, whom to name first, and how to answer."""
    home = unknown(400_00).charges(monthly("2025-01-23", 12), "QUUX", 200_00)
    found = said(home, "answer_questions")
    assert found.title == "Answer 2 questions about $7,200"
    assert found.detail == (
        "The plan is an estimate: 19% of your spending ($600 a month) has no category yet. Your answers"
        " change your essentials, your fund and what is safe to spend. Largest: ZORBLAX ($4,800) and"
        " QUUX ($2,400). Answer with `finplan tasks answer`."
    )


def test_questions_say_what_their_list_says() -> None:
    """Refunds are deducted in the action as in the list of questions, so that no payee has two sums."""
    home = unknown(400_00).credits(monthly("2025-01-25", 12), "ZORBLAX", 250_00)
    home.charges(monthly("2025-01-23", 12), "QUUX", 200_00)
    home.credit("2025-06-26", "TERRVIX", 500_00)
    listed = {each.payee.name: each.total for each in assessed(home).questions}
    assert listed == {"ZORBLAX": 1_800_00, "QUUX": 2_400_00, "TERRVIX": -500_00}
    found = said(home, "answer_questions")
    assert found.amount == 1_800_00 + 2_400_00 + 500_00
    assert found.title == "Answer 3 questions about $4,700"
    assert "Largest: QUUX ($2,400) and ZORBLAX ($1,800)." in found.detail


@pytest.mark.parametrize(("amount", "first"), [(3_377_77, False), (3_377_78, True)])
def test_a_tenth_is_counted_to_the_cent(amount: int, first: bool) -> None:
    """The known rows come to 30,400: one cent decides whether the plan is called an estimate."""
    home = steady().charge("2025-06-06", "ZORBLAX", amount // 2)
    home.charge("2025-07-01", "ZORBLAX", amount - amount // 2)
    assert ("an estimate" in said(home, "answer_questions").detail) is first


def test_below_a_tenth_questions_come_last() -> None:
    """A few unknown charges change nothing that is urgent."""
    home = unknown(60_00).charges(monthly("2025-01-12", 12), "STREAMFLIX", 260_00, "subscriptions")
    assert kinds(home)[-1] == "answer_questions"
    assert "review_subscriptions" in kinds(home)
    assert "an estimate" not in said(home, "answer_questions").detail


def test_questions_about_money_in_come_before_a_gap() -> None:
    """A tenth of what came in is unexplained: what it was is asked, and no gap is known."""
    home = spent_on_wants(1_900_00).credits(monthly("2025-01-03", 12), "FLATMATE", 99_99)
    home.charges(monthly("2025-01-12", 12), "STREAMFLIX", 260_00, "subscriptions")
    home.connection("bank", "login_required", provider="aggregator")
    found = kinds(home)
    assert found.index("cover_shortfall") < found.index("answer_questions") == len(found) - 1
    home.credits(monthly("2025-01-04", 12), "AUNT", 460_00)
    assert kinds(home)[:2] == ["reconnect_bank", "answer_questions"]
    assert "cover_shortfall" not in kinds(home)


def test_only_an_unlinked_card_puts_the_account_there() -> None:
    """Where a card hides what makes the plan provisional, linking it takes the questions' place."""
    home = unlinked_card().charges(monthly("2025-01-23", 12), "ZORBLAX", 50_00)
    home.credits(monthly("2025-01-15", 9), "OLD JOB", 2_500_00, "wages")
    home.connection("bank", "login_required", provider="aggregator")
    assert kinds(home)[:3] == ["reconnect_bank", "connect_account", "income_stopped"]
    assert kinds(home)[-1] == "answer_questions"
    assert "an estimate" not in said(home, "answer_questions").detail
    short = short_of_cash().charges(monthly("2025-01-23", 12), "CITI CARD", 700_00, "unlinked_card")
    assert kinds(short)[:2] == ["cover_cash_gap", "connect_account"]
    assert kinds(stopped())[0] == "income_stopped"


def test_a_little_that_is_unlinked_is_linked_before_a_gap_is_covered() -> None:
    """Where the plan stands, accounts come in the order of the table."""
    home = short_of_cash().charges(monthly("2025-01-23", 12), "CITI CARD", 100_00, "unlinked_card")
    assert kinds(home)[:2] == ["connect_account", "cover_cash_gap"]


def test_dismissed_questions_are_not_counted() -> None:
    """The action counts the questions that are open, and is silent when none is."""
    home = unknown(400_00).charges(monthly("2025-01-23", 12), "QUUX", 200_00)
    asked = [
        task
        for task in open_tasks(home.ledger(), home.books(TODAY), TODAY)
        if task.kind == "categorize_payee"
    ]
    assert said(home, "answer_questions").title.startswith(f"Answer {len(asked)} questions")
    home.dismiss(asked[0].id)
    assert said(home, "answer_questions").title.startswith("Answer 1 question about $2,400")
    home.dismiss(asked[1].id)
    assert "answer_questions" not in kinds(home)


def test_action_note_and_question_state_one_figure_for_an_unlinked_card() -> None:
    """The month's payment to a card is one number, wherever it is told."""
    home = unlinked_card()
    plan = build_plan(home.ledger(), TODAY)
    found = said(home, "connect_account")
    assert found.amount == 300_00
    assert "about $300 a month" in found.detail
    assert any("CITI CARD ($300 a month)" in note for note in plan.notes)


@pytest.mark.parametrize(
    "home",
    [
        idle(60_000_00).card("visa", balance=None),
        idle(60_000_00).credits(monthly("2025-01-15", 12), "STUDIO", 900_00, "self_employment"),
        idle(60_000_00).charge("2025-12-20", "CITI", 5_00, "unlinked_card"),
    ],
    ids=["card untold", "before tax", "card not linked"],
)
def test_cash_that_may_be_owed_is_not_idle(home: Household) -> None:
    """A card of unknown size, or tax that is not paid, may need the cash."""
    assert "invest_idle_cash" not in kinds(home)


def test_an_unknown_loan_qualifies_what_to_do_with_idle_cash() -> None:
    """Its rate may be better to pay than what cash can earn, and nothing else waits for it."""
    known, unknown = idle(60_000_00), idle(60_000_00).loan("car", balance=None)
    assert "interest rate first" not in said(known, "invest_idle_cash").detail
    assert said(unknown, "invest_idle_cash").detail.endswith(
        "Balance missing for car. Compare the interest rate first."
    )


def test_who_draws_on_savings_is_not_told_to_invest_them() -> None:
    """Less pay than is spent, or more taken out of savings than put in, is living on them."""
    idle_home = idle(90_000_00)
    assert "invest_idle_cash" in kinds(idle_home)
    drawing = idle(90_000_00).savings(balance=50_000_00)
    for day in monthly("2025-01-22", 12):
        drawing.transfer(day, "savings", "checking", 100_00)
    assert "invest_idle_cash" not in kinds(drawing)
    given = (
        household()
        .checking(balance=90_000_00, covered=YEAR)
        .credits(every("2025-01-03", 14, 27), "ACME", 800_00, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_200_00, "rent")
        .charges(monthly("2025-01-20", 12), "BISTRO", 900_00, "dining")
    )
    given.credit("2025-03-03", "GRANDMA", 30_000_00, "other_income")
    plan = build_plan(given.ledger(), TODAY)
    assert plan.monthly.surplus > 0
    assert "invest_idle_cash" not in kinds(given)


@pytest.mark.parametrize(("since", "told"), [("2025-07-01", True), ("2025-08-01", False)])
def test_six_months_are_needed_to_call_cash_idle(since: str, told: bool) -> None:
    """A shorter history does not show what comes once a year."""
    home = household().checking(balance=90_000_00, covered=(since, TODAY))
    days = [day for day in every("2025-01-03", 14, 27) if f"{day}" >= since]
    home.credits(days, "ACME", 2_000_00, "wages")
    rents = [day for day in monthly("2025-01-01", 13) if f"{day}" >= since]
    home.charges(rents, "LANDLORD", 1_200_00, "rent")
    assert ("invest_idle_cash" in kinds(home)) is told


def test_an_employer_who_repays_trips_pays_no_more_for_it() -> None:
    """Eight trips of 500 and seven repaid: pay without them, and what is outstanding to claim."""
    home = steady()
    plain = build_plan(home.ledger(), TODAY).monthly
    for place, day in enumerate(monthly("2025-01-11", 8)):
        home.charge(day, "AIRLINE", 500_00, "work_expenses")
        if place < 7:
            home.credit(day.replace(day=26), "ACME EXPENSES", 500_00, "work_expenses")
    plan = build_plan(home.ledger(), TODAY)
    assert plan.monthly == plain
    assert [source.name for source in plan.income_sources] == ["ACME"]
    assert said(home, "claim_reimbursement").amount == 500_00
    assert any("$500 of costs to be repaid has been outstanding" in note for note in plan.notes)
    home.credit("2025-09-26", "ACME EXPENSES", 500_00)
    assert "claim_reimbursement" not in kinds(home)


def insured(price: int) -> Household:
    """1,140 a year for a car's insurance, lately so much, beside essentials that rise a little."""
    home = rising_essentials(200_00)
    home.charges(["2023-11-20", "2024-11-20"], "CAR INSURER", 1_140_00, "insurance")
    home.charges(monthly("2023-02-25", 23), "OLD RENT", 1_00, "rent")
    return home.charge("2025-11-20", "CAR INSURER", price)


@pytest.mark.parametrize(("price", "monthly_part"), [(1_218_00, 101_50), (1_140_00, 95_00)])
def test_annual_insurance_that_rose_is_a_price_not_a_habit(price: int, monthly_part: int) -> None:
    """1,140 a year, then 1,218: it recurs, its price rose, and no essential is to be reviewed.

    At the same price it recurs, and nothing is said of it.
    """
    home = insured(price)
    plan = build_plan(home.ledger(), TODAY)
    (bill,) = [each for each in plan.recurring if each.name == "CAR INSURER"]
    assert (bill.cadence, bill.amount, bill.monthly) == ("annual", price, monthly_part)
    assert ("price_rise" in kinds(home)) is (price > 1_140_00)
    if price > 1_140_00:
        assert said(home, "price_rise").amount == 78_00
    assert "review_essentials" not in kinds(home)
