"""The rent that nobody has named is suggested, with what speaks for it, before all other questions."""

from collections.abc import Callable

import pytest

from finplan.model.task import CategorizePayee
from finplan.plan.advise.tasks import categorize_payee, open_tasks, payee_questions
from tests.plan.households import Day, Household, every, household, monthly
from tests.plan.typical import TODAY, YEAR, plan_of

LANDLORD = "OAK STREET REALTY"


def earning() -> Household:
    """Pay, food, and an unknown shop that decides more money than any rent."""
    home = household().checking(balance=2_000_00, covered=YEAR)
    home.credits(every("2025-01-03", 14, 27), "ACME", 2_000_00, "wages")
    home.charges(every("2025-01-04", 7, 53), "SAFEWAY", 90_00, "groceries")
    return home.charges(
        ["2025-02-11", "2025-06-27", "2025-10-09"], "ZORBLAX", [9_000_00, 4_000_00, 5_000_00]
    )


def renting(
    payee: str = LANDLORD, amount: int = 1_200_00, day: str = "2025-01-01", times: int = 13
) -> Household:
    return earning().charges(monthly(day, times), payee, amount, None)


def first_question(home: Household) -> CategorizePayee:
    task = open_tasks(home.ledger(), home.books(TODAY), TODAY)[0]
    assert isinstance(task, CategorizePayee)
    return task


def suggestions(home: Household) -> dict[str, str]:
    """The payees whose question suggests that they are paid the rent, each with what speaks for it."""
    questions = payee_questions(home.ledger(), home.books(TODAY), TODAY)
    return {each.payee.name: each.rent for each in questions if each.rent}


def test_the_likely_rent_is_asked_about_first_with_its_evidence() -> None:
    """Before a payee that decides more money, as rent, with how sure that is and why."""
    task = first_question(renting())
    assert (task.payee, task.suggested, task.confidence) == (LANDLORD, "rent", 0.7)
    evidence = (
        "OAK STREET REALTY looks like your rent: $1,200 at the start of the month, 13 times since 1"
        " January 2025, to what may be a landlord, while no rent or mortgage is known."
    )
    assert suggestions(renting()) == {LANDLORD: evidence}
    (advice,) = [each for each in plan_of(renting()).actions if each.kind == "answer_questions"]
    assert f"{evidence} Answer with" in advice.detail
    assert "Largest: ZORBLAX ($18,000) and OAK STREET REALTY ($15,600)." in advice.detail
    assert "rent" not in {each.category for each in task.alternatives}


@pytest.mark.parametrize(
    "payee",
    ["J SMITH", "MARIA LOPEZ", "ZQ PROPERTY 4411", "IMMOBILIEN KRAUSE", "SCI LILAS", "MAPLE COURT"],
)
def test_landlords_are_companies_houses_and_people(payee: str) -> None:
    """Words of letting in several languages, and the names of people."""
    assert list(suggestions(renting(payee))) == [payee]


@pytest.mark.parametrize("day", ["2025-01-01", "2025-01-07"])
def test_the_first_week_is_the_start_of_a_month(day: str) -> None:
    """A weekend and a holiday may move the first day of a month by a few."""
    assert list(suggestions(renting(day=day))) == [LANDLORD]


def test_one_late_payment_of_six_is_no_other_habit() -> None:
    """Five on the first days and one later are still the start of the month."""
    days: list[Day] = [*monthly("2025-01-02", 11), "2025-12-08", "2026-01-02"]
    assert list(suggestions(earning().charges(days, LANDLORD, 1_200_00, None))) == [LANDLORD]


def test_of_two_the_larger_one_is_the_rent() -> None:
    """Only one is suggested; the other is asked about as always."""
    home = renting().charges(monthly("2025-01-02", 13), "HANS MEIER", 600_00, None)
    assert list(suggestions(home)) == [LANDLORD]
    (other,) = [
        each
        for each in open_tasks(home.ledger(), home.books(TODAY), TODAY)
        if isinstance(each, CategorizePayee) and each.payee == "HANS MEIER"
    ]
    assert other.confidence is None


def known_as(category: str, confidence: float) -> Household:
    return renting().payee(LANDLORD, "uncategorized", suggested=category, confidence=confidence)


OTHERS: dict[str, Callable[[], Household]] = {
    "a card payment": lambda: earning().charges(
        monthly("2025-01-01", 13), LANDLORD, 1_200_00, "unlinked_card"
    ),
    "a loan": lambda: earning().charges(
        monthly("2025-01-01", 13), LANDLORD, 1_200_00, "loan_payment"
    ),
    "a transfer of savings": lambda: earning().charges(
        monthly("2025-01-01", 13), LANDLORD, 1_200_00, "savings"
    ),
    "something else by a guess": lambda: known_as("childcare", 0.5),
    "rent that is known": lambda: renting().charges(
        monthly("2025-01-03", 13), "LETTINGS", 900_00, "rent"
    ),
    "a mortgage that is known": lambda: renting().charges(
        monthly("2025-01-03", 13), "HOME LOAN", 900_00, "mortgage"
    ),
    "a firm that lets nothing": lambda: renting("BRIGHTSTAR SUPPLY"),
    "a home for the old": lambda: renting("MANOR CARE RESIDENCE"),
    "the eighth of a month": lambda: renting(day="2025-01-08", times=12),
    "every second week": lambda: earning().charges(
        every("2025-01-03", 14, 27), LANDLORD, 600_00, None
    ),
    "every quarter": lambda: earning().charges(
        monthly("2025-01-01", 5, step=3), LANDLORD, 3_000_00, None
    ),
    "too little": lambda: renting(amount=200_00),
    "over": lambda: renting(times=6),
    "nothing regular": lambda: earning().charges(
        ["2025-01-01", "2025-04-02", "2025-05-03", "2025-11-04"], LANDLORD, 1_200_00, None
    ),
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_is_something_else_is_no_rent(what: str) -> None:
    """It is not suggested, and the unknown payee that decides most money is asked about first."""
    home = OTHERS[what]()
    assert suggestions(home) == {}
    assert payee_questions(home.ledger(), home.books(TODAY), TODAY)[0].payee.name == "ZORBLAX"


def test_a_guess_that_is_unsure_does_not_stand_against_rent() -> None:
    """Below an even chance nothing is known of a payee, and rent itself is no other guess."""
    assert list(suggestions(known_as("childcare", 0.49))) == [LANDLORD]
    assert list(suggestions(known_as("rent", 0.6))) == [LANDLORD]


def test_a_question_that_was_dismissed_stays_away() -> None:
    """Nobody is asked again, and no smaller payment takes its place."""
    home = renting()
    home.dismissed.add(first_question(home).id)
    assert suggestions(home) == {}
    assert first_question(home).payee == "ZORBLAX"


def test_money_that_comes_in_is_not_rent() -> None:
    """A part of the question that is about payments back is not suggested as rent."""
    home = renting().credit("2025-12-20", LANDLORD, 400_00)
    question = payee_questions(home.ledger(), home.books(TODAY), TODAY)[0]
    back = question.part("in", None)
    assert back is not None
    assert question.rent
    task = categorize_payee(back, home.catalogue)
    assert (task.total, task.confidence) == (-400_00, None)


def choices(home: Household) -> dict[str, list[str]]:
    """What each question offers to pick, the first of all beforehand."""
    return {
        each.payee: [each.suggested, *(other.category for other in each.alternatives)]
        for each in open_tasks(home.ledger(), home.books(TODAY), TODAY)
        if isinstance(each, CategorizePayee)
    }


@pytest.mark.parametrize("payee", ["CHECK", "BRIGHTSTAR SUPPLY", LANDLORD])
def test_rent_is_a_choice_for_whatever_comes_as_rent(payee: str) -> None:
    """Cheques of one sum on the first days of months offer rent, and nothing is said to be sure."""
    offered = choices(renting(payee))
    assert offered[payee][0] == "rent"
    assert "rent" not in offered["ZORBLAX"]
    task = next(
        each
        for each in open_tasks(renting("CHECK").ledger(), renting("CHECK").books(TODAY), TODAY)
        if isinstance(each, CategorizePayee) and each.payee == "CHECK"
    )
    assert (task.suggested, task.confidence) == ("rent", None)


def test_rent_stands_behind_what_is_known_of_a_payee() -> None:
    """A guess that is unsure stays the first choice, and rent is the next one."""
    home = renting("CHECK").payee(
        "CHECK", "uncategorized", suggested="childcare", confidence=0.4, alternatives=("taxes",)
    )
    assert choices(home)["CHECK"][:3] == ["childcare", "taxes", "rent"]


@pytest.mark.parametrize(
    "what",
    [
        "rent that is known",
        "a mortgage that is known",
        "the eighth of a month",
        "every quarter",
        "too little",
        "over",
        "something else by a guess",
    ],
)
def test_rent_is_no_choice_for_what_comes_otherwise(what: str) -> None:
    """Where a home is paid for, or a payment keeps another rhythm, rent is not offered."""
    assert all("rent" not in offered for offered in choices(OTHERS[what]()).values())


def test_money_back_offers_no_rent() -> None:
    """The part of a question that is about money in has the choices of money in."""
    home = renting("CHECK").credit("2025-12-20", "CHECK", 400_00)
    question = next(
        each
        for each in payee_questions(home.ledger(), home.books(TODAY), TODAY)
        if each.payee.name == "CHECK"
    )
    back = question.part("in", None)
    assert back is not None
    task = categorize_payee(back, home.catalogue)
    assert "rent" not in [task.suggested, *(each.category for each in task.alternatives)]
