"""Which way bare amounts go: told by signs, words and balances, or asked with examples."""

import pytest

from finplan.statements.statement import AmbiguousStatement, Choice, Question
from tests.statements.reading_files import ReadFile

NAMED = "Date,Description,Type,Amount\n"


def table(*lines: str, header: str = NAMED) -> str:
    return header + "".join(f"2026-03-{day:02},{line}\n" for day, line in enumerate(lines, start=1))


TOLD = {
    "most have a minus": (["SHOP,,-5.00", "RENT,,-9.00", "PAY,,20.00"], [-500, -900, 2000]),
    "all have a minus": (["SHOP,,-5.00", "RENT,,-9.00"], [-500, -900]),
    "as many of both": (["SHOP,,-5.00", "PAY,,20.00"], [-500, 2000]),
    "a payment received has the minus": (
        ["SHOP,,5.00", "FOOD,,7.00", "PAYMENT - THANK YOU,,-12.00"],
        [-500, -700, 1200],
    ),
    "as many of both, and a payment received has the minus": (
        ["SHOP,,5.00", "Pagamento recebido,,-5.00"],
        [-500, 500],
    ),
    "a payment received has none": (
        ["SHOP,,-5.00", "PAYMENT RECEIVED,,7.00", "Zahlung erhalten,,12.00"],
        [-500, 700, 1200],
    ),
    "all rows are purchases": (["SHOP,Purchase,5.00", "FEE,Fee,1.00"], [-500, -100]),
    "a debit has the minus": (
        ["LASTSCHRIFT STROM,,-5.00", "GUTSCHRIFT A,,7.00", "GUTSCHRIFT B,,8.00"],
        [-500, 700, 800],
    ),
    "all are zero": (["SHOP,,0.00"], [0]),
}


@pytest.mark.parametrize(("lines", "amounts"), TOLD.values(), ids=TOLD.keys())
def test_signs_and_words_that_agree_tell_the_way(
    read_file: ReadFile, lines: list[str], amounts: list[int]
) -> None:
    """No question is asked where the printed signs, or the words of rows, leave one reading."""
    assert read_file(table(*lines), direction=None).amounts == amounts


OPEN = {
    "no amount has a sign": ["SHOP,,5.00", "CAFE,,9.00"],
    "some rows say it, others do not": ["SHOP,Purchase,5.00", "CAFE,,9.00"],
    "words contradict each other": ["SHOP,Purchase,5.00", "PAYMENT RECEIVED,,7.00", "X,,-1.00"],
    "few have a minus": ["SHOP,,5.00", "CAFE,,9.00", "BACK,,-1.00"],
    "most have a minus, and a payment received too": [
        "BACK,,-5.00", "BACK,,-6.00", "PAYMENT RECEIVED,,-7.00", "SHOP,,1.00",
    ],
}  # fmt: skip


@pytest.mark.parametrize("lines", OPEN.values(), ids=OPEN.keys())
def test_what_nothing_tells_is_asked(read_file: ReadFile, lines: list[str]) -> None:
    """The person is asked, and either answer is heeded in every row."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(table(*lines), direction=None)
    assert [question.about for question in asked.value.questions] == ["direction"]
    came_in = read_file(table(*lines), direction="in").amounts
    assert came_in[0] == int(lines[0].split(",")[2].replace(".", ""))
    for word in ("out", "negate"):
        assert read_file(table(*lines), direction=word).amounts == [-each for each in came_in]


def question_of(read_file: ReadFile, content: str) -> Question:
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(content, direction=None)
    (question,) = asked.value.questions
    return question


def test_a_choice_shows_rows_of_the_file(read_file: ReadFile) -> None:
    """Each answer shows what it would make of a row, and of one with a minus where there is one."""
    question = question_of(read_file, table("SHOP,,5.00", "CAFE,,9.00", "BACK,,-1.00"))
    assert question.choices == (
        Choice("out", "an amount without a minus was spent", "5.00 “SHOP” out; -1.00 “BACK” in"),
        Choice("in", "an amount without a minus came in", "5.00 “SHOP” in; -1.00 “BACK” out"),
    )


def test_two_words_that_divide_the_rows_may_be_marks(read_file: ReadFile) -> None:
    """A column of two values that nobody knows is offered, and the answer reads it."""
    header = "Date,Description,Kode,Amount\n"
    content = table("SHOP,7,5.00", "PAY,8,9.00", "CAFE,7,3.00", header=header)
    question = question_of(read_file, content)
    assert question.choices[2:] == (
        Choice(
            "marks:7",
            "“7” in “Kode” means money out, “8” money in",
            "5.00 “SHOP” out; 9.00 “PAY” in",
        ),
        Choice(
            "marks:8",
            "“8” in “Kode” means money out, “7” money in",
            "9.00 “PAY” out; 5.00 “SHOP” in",
        ),
    )
    assert read_file(content, direction="marks:7").amounts == [-500, 900, -300]
    assert read_file(content, direction="marks:8").amounts == [500, -900, 300]


@pytest.mark.parametrize(
    ("name", "out", "inwards"),
    [
        ("Kode", "Debit", "Credit"), ("CreditDebet", "D", "C"), ("Flag", "O", "I"),
        ("Richtung", "Ausgang", "Eingang"), ("Typ", "wydatek", "wpływ"), ("X", "支出", "收入"),
        ("Tipo", "Débito", "Crédito"), ("Znak", "-", "+"), ("Тип", "расход", "приход"),
    ],
)  # fmt: skip
def test_known_marks_count_under_any_name(
    read_file: ReadFile, name: str, out: str, inwards: str
) -> None:
    """Words for in and out say the way wherever all rows have one and amounts have no sign."""
    lines = [f"SHOP,{out},5.00", f"PAY,{inwards},9.00", f"CAFE,{out},3.00"]
    content = table(*lines, header=f"Date,Description,{name},Amount\n")
    assert read_file(content, direction=None).amounts == [-500, 900, -300]
    headless = table(*lines, header="")
    assert read_file(headless, direction=None).amounts == [-500, 900, -300]


def balanced(amounts: list[int], start: int, factor: int, text: str = "SHOP") -> str:
    lines, balance = [], start
    for amount in amounts:
        balance += factor * amount
        lines.append(f"{text},{amount}.00,{balance}.00")
    return table(*lines, header="Date,Description,Amount,Balance\n")


def test_a_falling_balance_proves_that_unsigned_amounts_go_out(read_file: ReadFile) -> None:
    """Three steps of a balance are a proof, two are none."""
    content = balanced([5, 7, 9, 11], 100, -1)
    assert read_file(content, direction=None).amounts == [-500, -700, -900, -1100]
    question_of(read_file, balanced([5, 7, 9], 100, -1))


def test_a_balance_that_breaks_too_often_proves_nothing(read_file: ReadFile) -> None:
    """Nineteen of twenty steps have to be explained."""
    rows = balanced([5] * 21, 1000, -1).splitlines(keepends=True)
    one = [*rows[:5], rows[5].replace(",5.00", ",6.00", 1), *rows[6:]]
    assert set(read_file("".join(one), direction=None).amounts) == {-500, -600}
    two = [*one[:9], one[9].replace(",5.00", ",6.00", 1), *one[10:]]
    question_of(read_file, "".join(two))


def test_a_balance_that_runs_against_signs_is_owed_where_most_is_spent(read_file: ReadFile) -> None:
    """Charges with a minus raise what a card is owed on; charges without one lower what is there."""
    owed = read_file(balanced([-5, -7, 20, -9], 100, -1), direction=None)
    assert (owed.amounts, [*owed.balances.values()]) == (
        [-500, -700, 2000, -900],
        [(-10100, 20260304)],
    )
    own = read_file(balanced([5, 7, -20, 9], 100, -1), direction=None)
    assert (own.amounts, [*own.balances.values()]) == ([-500, -700, 2000, -900], [(9900, 20260304)])
    question_of(read_file, balanced([5, -7, -20, 9], 100, -1))


def test_a_balance_settles_few_minus_signs(read_file: ReadFile) -> None:
    """A balance that moves with what is printed leaves no doubt, even by one step."""
    assert read_file(balanced([20, 30, -1], 100, 1), direction=None).amounts == [2000, 3000, -100]


def test_which_column_has_the_amounts_is_asked(read_file: ReadFile) -> None:
    """Without names and without a balance that runs, the person picks among columns of numbers."""
    content = "2026-03-01,SHOP,5.00,7.00\n2026-03-02,CAFE,9.00,1.00\n"
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(content)
    (question,) = asked.value.questions
    assert question.about == "amount_column"
    assert question.choices == (("3", "column 3", "5.00 SHOP"), ("4", "column 4", "7.00 SHOP"))
    assert read_file(content, amount_column="3").amounts == [500, 900]
    assert read_file(content, amount_column="4").amounts == [700, 100]


def test_a_header_names_what_is_picked(read_file: ReadFile) -> None:
    """Columns under unknown names are offered by them, and picked by name or place."""
    content = "Tid,Wat,Eins,Zwei\n2026-03-01,SHOP,5.00,7.00\n2026-03-02,CAFE,9.00,1.00\n"
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(content)
    assert [choice.value for choice in asked.value.questions[0].choices] == ["Eins", "Zwei"]
    for said in ("Zwei", " zwei ", "4"):
        assert read_file(content, amount_column=said).amounts == [700, 100]


def test_one_signed_column_beside_others_has_the_amounts(read_file: ReadFile) -> None:
    """Of several columns of numbers the one with minus signs is taken, given three rows."""
    content = "2026-03-01,SHOP,7.00,-5.00\n2026-03-02,CAFE,1.00,-9.00\n"
    with pytest.raises(AmbiguousStatement):
        read_file(content)
    assert read_file(content + "2026-03-03,PAY,3.00,4.00\n").amounts == [-500, -900, 400]


def test_all_questions_of_a_file_come_at_once(read_file: ReadFile) -> None:
    """A file that leaves its days and its direction open asks for both together."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_file("Date,Text,Amount\n03/04/2026,SHOP,5.00\n04/04/2026,CAFE,7.00\n", direction=None)
    assert [question.about for question in asked.value.questions] == ["date_order", "direction"]
