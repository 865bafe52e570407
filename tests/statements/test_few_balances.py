"""Too few balances for a proof, and answers that turn one round: what is asked, and what is said."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from finplan.statements.detect import read
from finplan.statements.statement import AmbiguousStatement, Hints, Question, SourceFile
from tests.statements.reading_files import ReadFile, Statement

HEADER = "Date,Description,Amount,Balance\n"
FALLING = ["01,PAYROLL,3200,5700", "02,RENT,1400,4300", "05,KROGER,90,4210"]
RISING = ["01,TRADER,40,540", "02,MUSIC,10,550", "05,TAXI,20,570"]
FEW = (
    "The balance moves by each amount, but so few rows do not show whether it is what you have or what"
    " you owe."
)


def table(lines: list[str], header: str = HEADER) -> str:
    return header + "".join(f"2026-10-{line}\n" for line in lines)


def question_of(read_file: ReadFile, content: str, **hints: Any) -> Question:
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(content, **{"direction": None, **hints})
    (question,) = asked.value.questions
    return question


def values(question: Question) -> list[str]:
    return [choice.value for choice in question.choices]


def closing(statement: Statement) -> list[int | None]:
    return [balance for balance, _ in statement.balances.values()]


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("is_newest_first", [False, True])
def test_few_rows_are_asked_about_as_their_balance_reads_them(
    read_file: ReadFile, count: int, is_newest_first: bool
) -> None:
    """One or two steps show each row but the first, in what you have and in what you owe."""
    order = -1 if is_newest_first else 1
    falling = table(FALLING[:count][::order])
    have, owed = [-140000, -9000][: count - 1], [140000, 9000][: count - 1]
    question = question_of(read_file, falling)
    assert (question.text, values(question)) == (FEW, ["first:in", "first:out", "first:owed"])
    for word, amounts, sign in (
        ("first:in", [320000, *have], 1), ("in", [320000, *have], 1),
        ("first:out", [-320000, *have], 1), ("out", [-320000, *have], 1),
        ("negate", [-320000, *have], 1), ("first:owed", [-320000, *owed], -1),
    ):  # fmt: skip
        found = read_file(falling, direction=word)
        last = int(FALLING[count - 1].split(",")[3]) * 100
        assert (found.amounts[::order], closing(found)) == (amounts, [sign * last])


def test_the_choices_show_a_row_of_each_kind(read_file: ReadFile) -> None:
    """The first row, one that raised the balance and one that lowered it, as each answer has them."""
    question = question_of(read_file, table([FALLING[0], FALLING[1], "05,REFUND X,90,4390"]))
    assert [choice[1:] for choice in question.choices] == [
        (
            "what you have, and the first row came in",
            "3200 “PAYROLL” in; 90 “REFUND X” in; 1400 “RENT” out",
        ),
        (
            "what you have, and the first row was spent",
            "3200 “PAYROLL” out; 90 “REFUND X” in; 1400 “RENT” out",
        ),
        (
            "what you owe, and the first row was spent",
            "3200 “PAYROLL” out; 90 “REFUND X” out; 1400 “RENT” in",
        ),
    ]


def test_charges_that_raise_few_balances_are_owed(read_file: ReadFile) -> None:
    """That rows went out while the balance rises means that it is a debt; else it is as printed."""
    content = table(RISING)
    for word in ("out", "negate", "first:owed"):
        found = read_file(content, direction=word)
        assert (found.amounts, closing(found)) == ([-4000, -1000, -2000], [-57000])
    for word, first in (("in", 4000), ("first:in", 4000), ("first:out", -4000)):
        found = read_file(content, direction=word)
        assert (found.amounts, closing(found)) == ([first, 1000, 2000], [57000])
    # As many up as down may as well be a debt.
    even = read_file(table([*RISING[:2], "05,BANK,20,530"]), direction="out")
    assert (even.amounts, closing(even)) == ([-4000, -1000, 2000], [-53000])


def test_a_first_row_that_is_told_leaves_the_balance_open(read_file: ReadFile) -> None:
    """Where its words or its size leave nothing of the first row open, only the balance is asked."""
    told = table(["01,PAYMENT RECEIVED - THANK YOU,400,150", *["02,TAXI,20,170", "03,FUEL,30,200"]])
    question = question_of(read_file, told)
    assert list(question.choices) == [
        ("first:in", "what you have", "20 “TAXI” in"),
        ("first:owed", "what you owe", "20 “TAXI” out"),
    ]
    assert read_file(told, direction="first:owed").amounts == [40000, -2000, -3000]
    assert read_file(told, direction="first:in").amounts == [40000, 2000, 3000]
    nothing = table(["01,CARD CHECK,0,150", *["02,TAXI,20,130", "03,FUEL,30,100"]])
    assert values(question_of(read_file, nothing)) == ["first:in", "first:owed"]


def test_a_word_beside_few_balances_is_no_proof(read_file: ReadFile) -> None:
    """A payment received that lowers the balance makes it likely a debt, which is asked all the same."""
    for text in ("TRADER", "PAYMENT RECEIVED"):
        paid = table([f"01,{text},40,540", "02,PAYMENT RECEIVED - THANK YOU,400,140", "03,C,9,149"])
        assert "first:owed" in values(question_of(read_file, paid))


def test_words_in_every_row_tell_few_rows(read_file: ReadFile) -> None:
    """Purchases and fees by the bank's own word went out, and nothing is asked."""
    content = table(
        ["01,Purchase,SHOP,5,95", "02,Fee,BANK,1,94"], "Date,Type,Description,Amount,Balance\n"
    )
    assert read_file(content, direction=None).amounts == [-500, -100]


@pytest.mark.parametrize("name", ["Balance owed", "Offener Betrag"])
def test_few_rows_of_a_named_debt_ask_about_the_first(read_file: ReadFile, name: str) -> None:
    """The header says that it is a debt, so that is not asked; charges raise it."""
    content = table(RISING).replace("Balance", name)
    question = question_of(read_file, content)
    assert values(question) == ["first:out", "first:in"]
    found = read_file(content, direction="first:in")
    assert (found.amounts, closing(found)) == ([4000, -1000, -2000], [-57000])
    paid = table(["01,TRADER,40,540", "02,A,10,530", "03,B,20,510", "04,C,30,480"])
    question = question_of(read_file, paid.replace("Balance", name))
    assert values(question) == ["first:out", "first:in"]


def test_words_that_fit_a_named_debt_leave_it_one(read_file: ReadFile) -> None:
    """A payment received lowers a debt, as it does what its header calls one."""
    content = DEBT.replace("X", "PAYMENT RECEIVED").replace("Balance", "Balance owed")
    found = read_file(content, direction="first:out")
    assert (found.amounts, closing(found)) == ([-4000, -1000, 40000, -2000, -3000], [-20000])


UNSHOWN = {
    "a step by no amount": ["01,A,40,540", "02,B,10,550", "03,C,20,900"],
    "one row": ["01,A,40,540"],
    "rows of one day": ["01,A,40,540", "01,B,10,550"],
}


@pytest.mark.parametrize("lines", UNSHOWN.values(), ids=UNSHOWN.keys())
def test_a_balance_that_shows_nothing_is_stored_as_printed(
    read_file: ReadFile, lines: list[str]
) -> None:
    """Whichever way amounts are said to go, the balance is the one that the file prints."""
    content = table(lines)
    assert values(question_of(read_file, content))[:2] == ["out", "in"]
    printed = [int(lines[-1].split(",")[3]) * 100]
    for word, sign in (("in", 1), ("out", -1)):
        found = read_file(content, direction=word)
        assert found.amounts[0] == sign * 4000
        # A balance that contradicts the amounts is none to store.
        assert closing(found) == ([] if "900" in content else printed)


def test_a_card_owes_what_its_file_prints(read_file: ReadFile) -> None:
    """Where charges have no sign on what is called a card, a balance that shows nothing is owed."""
    content = table(UNSHOWN["one row"])
    found = read_file(content, direction="out", name="visa card.csv")
    assert (found.amounts, closing(found)) == ([-4000], [-54000])
    found = read_file(content, direction="in", name="visa card.csv")
    assert (found.amounts, closing(found)) == ([4000], [54000])


@pytest.fixture
def notes(tmp_path: Path) -> Callable[..., tuple[str, ...]]:
    """What is said of a file that is read with an answer."""

    def read_and_note(content: str, direction: str) -> tuple[str, ...]:
        path = tmp_path / "Giro.txt"
        path.write_text(content)
        return read(SourceFile.of(path), Hints(household="USD", direction=direction)).notes

    return read_and_note


OWED = (
    "As that is answered, what is spent raises the balance, so it is taken for what you owe. If it is"
    " what you have, the answer is wrong."
)
BY_MARKS = table(
    ["01,A,D,5,105", "02,B,D,7,112", "03,X,C,50,62", "04,E,D,8,70"],
    "Date,Description,D/C,Amount,Balance\n",
)
PAID_DOWN = table(
    ["01,A,D,5,105", "02,B,D,7,98", "03,X,C,50,148", "04,E,D,8,140"],
    "Date,Description,D/C,Amount,Balance owed\n",
)
TWO = table(
    ["01,A,5,,105", "02,B,7,,112", "03,X,,50,62", "04,E,8,,70"],
    "Date,Description,Debit,Credit,Balance\n",
)
SIGNED = table(["01,A,5,105", "02,B,-7,98", "03,X,-50,48", "04,E,8,56"])
AGAINST = table(["01,A,5,95", "02,B,-7,102", "03,X,-50,152", "04,E,8,144"])
FEW_AGAINST = table(["01,A,5,95", "02,B,7,88", "03,X,-50,138"])
DEBT = table(["01,A,40,540", "02,B,10,550", "03,X,400,150", "04,E,20,170", "05,F,30,200"])


@pytest.mark.parametrize(
    ("content", "said", "is_told"),
    [
        (BY_MARKS, "marks:D", True),
        (BY_MARKS, "marks:C", False),
        (BY_MARKS.replace("Balance", "Balance owed"), "marks:D", False),
        (BY_MARKS.replace("Balance", "Balance owed"), "marks:C", False),
        (BY_MARKS.replace("D,", "7,").replace("C,50", "8,50"), "marks:7", True),
        (BY_MARKS.replace("D,", "7,").replace("C,50", "8,50"), "marks:8", False),
        (TWO, "out", True),
        (TWO, "in", False),
        (AGAINST, "in", True),
        (AGAINST, "out", False),
        (FEW_AGAINST, "in", True),
        (FEW_AGAINST, "out", False),
        (DEBT, "out", True),
        (DEBT, "first:owed", False),
        (DEBT, "first:out", False),
        (DEBT.replace("X", "PAYMENT THANK YOU"), "first:out", False),
        (table(RISING), "out", True),
        (table(FALLING), "out", False),
        (table(UNSHOWN["one row"]), "out", False),
        (table(UNSHOWN["rows of one day"]), "out", False),
    ],
)
def test_an_answer_that_turns_a_balance_round_is_spoken_of(
    notes: Callable[..., tuple[str, ...]], content: str, said: str, is_told: bool
) -> None:
    """By a wrong answer the balance is a debt, and the report says so where the header does not."""
    found = [note for note in notes(content, said) if "--direction" not in note]
    assert found == [OWED] * is_told


def test_an_answer_that_makes_no_debt_of_a_named_one_is_spoken_of(
    notes: Callable[..., tuple[str, ...]],
) -> None:
    """A header that calls the balance a debt is right, or the answer is."""
    assert notes(PAID_DOWN, "marks:C") == ()
    (note,) = notes(PAID_DOWN, "marks:D")
    assert note == (
        "As that is answered, what comes in raises the balance, which is called a debt and is taken for"
        " what you have. If it is a debt, the answer is wrong."
    )


def test_a_choice_says_that_the_balance_is_owed_by_it(read_file: ReadFile) -> None:
    """Before anything is answered, it is seen which answer makes a debt of the balance."""
    owed = ", and the balance is what you owe"
    for content, is_owed in (
        (BY_MARKS, [True, False]), (TWO, [True, False]), (FEW_AGAINST, [False, True]),
        (AGAINST, [False, True]), (PAID_DOWN, [False, True]),
    ):  # fmt: skip
        labels = [choice.label for choice in question_of(read_file, content).choices]
        assert [label.endswith(owed) for label in labels] == is_owed
