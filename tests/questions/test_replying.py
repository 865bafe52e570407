"""Replies to what was not understood: nothing of the question before is lost, and nothing is guessed."""

from datetime import date

import pytest

from finplan.questions.names import KnownNames
from finplan.questions.question import UnclearQuestion
from finplan.questions.reading import read_question, read_reply
from tests.questions.test_questions import CATEGORIES, KNOWN, TODAY

LAST_MONTH = "2026-10-01 to 2026-10-31"


def replied(asked: str, reply: str, known: KnownNames = KNOWN, today: date = TODAY) -> str:
    """What a question and its reply mean, or what is asked back."""
    try:
        return read_reply(reply, asked, known, today).told(lambda name: name)
    except UnclearQuestion as unclear:
        return f"? {unclear}"


@pytest.mark.parametrize(
    ("asked", "reply", "meant"),
    [
        ("rent last month", "category rent", f"spending on Rent, {LAST_MONTH}"),
        ("rent last month", "merchant rent", f"spending at Rent, {LAST_MONTH}"),
        ("grocries last month", "groceries", f"spending on Groceries, {LAST_MONTH}"),
        ("grocries last month", "Yes, please!", f"spending on Groceries, {LAST_MONTH}"),
        ("dining at nowhere cafe last month", "at Costco", None),
        ("grocries", "groceries", "spending on Groceries, all days"),
        ("by month grocries last month", "travel", f"spending on Travel, {LAST_MONTH}, by month"),
        ("groceries march and may", "groceries in june 2026", None),
        ("groceries march and may", "groceries all time", "spending on Groceries, all days"),
        (
            "average groceries last year",
            "a month",
            "the mean of a month of spending on Groceries, 2025-01-01 to 2025-12-31",
        ),
        ("gas last month", "fuel", f"spending on Fuel, transit, parking, {LAST_MONTH}"),
        (
            "gas last month",
            "category Power, water, heating",
            f"spending on Power, water, heating, {LAST_MONTH}",
        ),
        (
            "how much money went in january",
            "income in january",
            "income, 2026-01-01 to 2026-01-31, the latest January that has begun",
        ),
        (
            "amazon over 50 last month",
            "over $50",
            f"spending at Amazon, {LAST_MONTH}, purchases over $50 alone",
        ),
        (
            "grocries last month",
            "groceries vs travel last month",
            f"spending on Groceries, {LAST_MONTH}; compared with spending on Travel, {LAST_MONTH}",
        ),
        ("grocries last month", "pets in june 2026", "spending on Pets, 2026-06-01 to 2026-06-30"),
    ],
)
def test_a_reply_completes_its_question(asked: str, reply: str, meant: str | None) -> None:
    """It stands where the words stood that were not understood, or is a whole question."""
    told = replied(asked, reply)
    if meant is None:
        assert not told.startswith("?"), told
        assert LAST_MONTH in told or "2026-06" in told
    else:
        assert told == meant


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("groceries march and may", "groceries"),
        ("foo groceries baz last month", "groceries"),
        ("starbuks by month last month over 50", "Starbucks"),
        ("groceries last month vs travl", "travel"),
    ],
)
def test_days_are_never_lost(asked: str, reply: str) -> None:
    """A reply that cannot stand in its place and names no days is asked for them."""
    assert replied(asked, reply).startswith("? Of which days?")


def test_yes_is_no_answer_where_several_are_near() -> None:
    """Nothing is chosen for the person."""
    known = KnownNames.of(CATEGORIES, ("Starbuck", "Starbucks"))
    with pytest.raises(UnclearQuestion) as unclear:
        read_question("starbuks last month", known, TODAY)
    assert len(unclear.value.near) == 2
    assert replied("starbuks last month", "yes", known) == (
        "? I did not understand: `yes`. Write it like `groceries last quarter by month` or `spending by"
        " category in march`."
    )


def test_what_has_become_clear_is_not_answered_for_the_reply() -> None:
    """A merchant that was paid since makes the old question clear; the reply is what is asked."""
    assert replied("costco last month", "travel this year").startswith("spending on Travel, 2026")


@pytest.mark.parametrize(
    ("asked", "stretch"),
    [
        ("grocries last month", (0, 1)),
        ("last month at nowhere cafe", (2, 5)),
        ("rent last month", (0, 1)),
        ("foo groceries baz", None),
        ("groceries march and may", None),
        ("hello", None),
    ],
)
def test_where_it_was_unclear(asked: str, stretch: tuple[int, int] | None) -> None:
    """One stretch of the pieces may be replaced; several may not, nor what was asked for twice."""
    with pytest.raises(UnclearQuestion) as unclear:
        read_question(asked, KNOWN, TODAY)
    assert unclear.value.stretch == stretch
