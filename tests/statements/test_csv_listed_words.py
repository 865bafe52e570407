"""An answer that lists words of a column is about these words alone, and short enough to be given."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from finplan.model.statement import AmountDirection
from finplan.statements.detect import read
from finplan.statements.statement import (
    AmbiguousStatement,
    HeaderAnswers,
    Hints,
    Question,
    SourceFile,
)
from tests.statements.reading_files import ReadFile
from tests.statements.test_csv_direction import question_of, table
from tests.statements.test_csv_kinds import CARD, READ


def test_an_answer_of_another_file_has_to_name_every_word(tmp_path: Path) -> None:
    """A remembered answer is used for a file with fewer words, and asked about with another one."""
    assert remembered(tmp_path, CARD) == READ
    assert remembered(tmp_path, table("SHOP,Sale,5.00", "BANK,Payment,50.00")) == [-500, 5000]
    pair = table("SHOP,Sale,5.00", "BANK,Transfer,50.00")
    question = remembered(tmp_path, pair)
    assert isinstance(question, Question)
    assert question.choices[0].value == "marks:Sale,Transfer"
    assert "marks:Sale/Transfer" in {choice.value for choice in question.choices}
    asked = remembered(tmp_path, CARD.replace("Fee", "Adjustment"))
    assert isinstance(asked, Question)


ONE_WAY = [
    (["Interest", "Deposit"], "in", ["Chargeback", "Deposit"]),
    (["Interest", "Deposit"], "marks:/Interest,Deposit", ["Chargeback", "Deposit"]),
    (
        ["Purchase", "Transfer", "Other", "Online"],
        "out",
        ["Purchase", "Received", "Other", "Online"],
    ),
]


@pytest.mark.parametrize(("words", "said", "later"), ONE_WAY)
def test_an_answer_about_all_rows_says_nothing_of_other_words(
    tmp_path: Path, words: list[str], said: str, later: list[str]
) -> None:
    """All that came in, or went out, was of the words of one file; another word is asked about."""
    assert isinstance(remembered(tmp_path, typed(words), said), list) == (said not in ("in", "out"))
    assert isinstance(remembered(tmp_path, typed(later), said), Question)


def test_the_offered_answer_on_all_rows_is_used_for_the_same_words(tmp_path: Path) -> None:
    """Each choice lists the words, so that the next file is read by it, with fewer of them too."""
    words = ["Purchase", "Transfer", "Other", "Online"]
    asked = remembered(tmp_path, typed(words), "nothing")
    assert isinstance(asked, Question)
    for choice, sign in zip(asked.choices, (-1, 1), strict=True):
        found = remembered(tmp_path, typed(words), choice.value)
        assert found == [-500, 600 * sign, 700 * sign, 800 * sign]
    came_in = remembered(tmp_path, typed(["Payment"]), "marks:Purchase/Payment")
    assert came_in == [500]


def test_one_of_two_words_says_nothing_of_a_third(tmp_path: Path) -> None:
    """What was said beside Q and Z is used for Q and Z alone; W does not come in by it."""
    header = "Date,Description,X,Amount\n"
    pair = table(*(f"SHOP {word},{word},5.00" for word in "QZQZ"), header=header)
    asked = remembered(tmp_path, pair, "nothing")
    assert isinstance(asked, Question)
    value = next(each.value for each in asked.choices if each.value.startswith("marks:Q"))
    assert remembered(tmp_path, pair, value) == [-500, 500, -500, 500]
    for said in (value, "marks:Q"):
        assert isinstance(remembered(tmp_path, pair.replace(",Z,", ",W,"), said), Question)


def test_a_word_in_two_lines_is_one_word(read_file: ReadFile) -> None:
    """A quoted cell may break a line or have several blanks; its answer is one line, and is followed."""
    content = table('A,"Card\npayment",5.00', "B,Purchase,7.00", 'C,"Card  payment",9.00')
    values = [choice.value for choice in question_of(read_file, content).choices]
    assert values == ["marks:Card payment,Purchase", "marks:Purchase/Card payment"]
    assert [read_file(content, direction=value).amounts for value in values] == [
        [-500, -700, -900], [500, -700, 900],
    ]  # fmt: skip
    assert read_file(content, direction="marks:card   payment").amounts == [-500, -700, -900]


@pytest.mark.parametrize("opened", [["x" * 40], ["x" * 20, "y" * 19]])
@pytest.mark.parametrize("last", range(20, 41))
def test_every_offered_answer_may_be_given(
    read_file: ReadFile, opened: list[str], last: int
) -> None:
    """However long the words are, what is offered is as short as an answer has to be, and followed."""
    words = ["Purchase", "Refund", "Cash withdrawal", "Overdraft fee", "Mobile deposit", *opened]
    words += ["Debit card purchase", "Foreign transaction fee", "ATM withdrawal", "z" * last]
    content = typed(words)
    choices = question_of(read_file, content).choices
    is_listed = len("marks:" + ",".join(words)) <= 196
    assert {choice.value.startswith("marks:") for choice in choices} == {is_listed}
    for choice in choices:
        taken = TypeAdapter(AmountDirection).validate_python(choice.value)
        assert len(read_file(content, direction=taken).amounts) == len(words)


def test_known_words_too_long_to_list_are_asked_about(read_file: ReadFile) -> None:
    """Marks that a balance moves against mean what they usually do, or each the opposite."""
    out = [
        "withdrawal",
        "expenses",
        "outgoing",
        "lastschrift",
        "belastung",
        "uscita",
        "odchadzajuce",
    ]
    out += ["despesa", "wydatek", "obciazenie", "utbetaling"]
    into = ["incoming", "deposit", "gutschrift", "entrata", "einnahme", "ingreso", "innskudd"]
    into += ["odobrenje", "innbetaling"]
    ways = [(-1 if word in out else 1, word) for word in [*out, *into]]
    balance, lines = 1000, []
    for way, word in ways:
        balance -= way * 5
        lines.append(f"Shop,{word},5.00,{balance}.00")
    content = table(*lines, header="Date,Merchant,D/C,Amount,Balance\n")
    choices = question_of(read_file, content).choices
    found = {each.value: read_file(content, direction=each.value).amounts for each in choices}
    usual = [way * 500 for way, _ in ways]
    assert set(found) == {"in", "out"}
    assert list(found.values()) == [usual, [-each for each in usual]]
    for value in found:
        TypeAdapter(AmountDirection).validate_python(value)


def test_a_word_of_nothing_but_zeros_is_no_example(read_file: ReadFile) -> None:
    """A choice shows rows that moved money, and says no way of none."""
    content = table("A,Payment,0.00", "B,Deposit,7.00", "C,Payment,0.00")
    samples = [choice.sample for choice in question_of(read_file, content).choices]
    assert samples == ["", ""]


def typed(words: list[str]) -> str:
    return table(*(f"SHOP,{word},{place}.00" for place, word in enumerate(words, start=5)))


def remembered(
    folder: Path, content: str, said: str = "marks:Sale,Fee/Payment,Return"
) -> list[int] | Question:
    path = folder / "export.csv"
    path.write_text(content)
    profiles = _Everywhere(HeaderAnswers(direction=said))
    try:
        parsed = read(SourceFile.of(path), Hints(household="USD", profiles=profiles))
    except AmbiguousStatement as asked:
        return asked.questions[0]
    return [row.amount for part in parsed.parts for row in part.rows]


class _Everywhere(dict[str, HeaderAnswers]):
    """The same answers for every header."""

    def __init__(self, answers: HeaderAnswers) -> None:
        self._answers = answers

    def get(self, _signature: str, _default: object = None) -> HeaderAnswers:
        return self._answers
