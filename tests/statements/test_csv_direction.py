"""Which way bare amounts go: told by signs, words and balances, or asked with examples.

What comes in beside all that was spent are refunds, and payments of what is called a card.
"""

import pytest

from finplan.statements.statement import AmbiguousStatement, Choice, Question, UnreadableStatement
from finplan.statements.table.direction import WAY_OF_COLUMNS
from finplan.statements.table.row_words import spoken_direction
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


THANKS = "PAYMENT THANK YOU - WEB"
CARD = "Date,Description,Amount\n" + "".join(
    f"2026-03-{day:02},{row}\n"
    for day, row in enumerate(["TRADER,44.10", f"{THANKS},400.00", "TAXI,22.75"], start=1)
)


def test_an_answer_leaves_each_row_its_own_word(read_file: ReadFile) -> None:
    """Of amounts without any sign, a payment received comes in, whatever is said of all others."""
    question = question_of(read_file, CARD)
    assert [choice.sample for choice in question.choices] == [
        f"44.10 “TRADER” out; 400.00 “{THANKS}” in",
        f"44.10 “TRADER” in; 400.00 “{THANKS}” in",
    ]
    assert read_file(CARD, direction="out").amounts == [-4410, 40000, -2275]
    assert read_file(CARD, direction="in").amounts == [4410, 40000, 2275]
    bought = table("SHOP,Purchase,5.00", "CAFE,,9.00")
    assert read_file(bought, direction="in").amounts == [-500, 900]


DEBT = (
    "Date,Description,Amount,Balance\n"
    "2026-03-01,TRADER,40,540\n2026-03-02,MUSIC,10,550\n2026-03-03,{},400,150\n"
    "2026-03-04,TAXI,20,170\n2026-03-05,REFUND TARGET,30,140\n2026-03-06,FUEL,30,170\n"
)


def test_a_debt_that_charges_raise_shows_each_row(read_file: ReadFile) -> None:
    """Charges raise what is owed, payments and refunds lower it: that is said, or told by words."""
    content = DEBT.format("BANK")
    question = question_of(read_file, content)
    assert [(choice.value, choice.sample) for choice in question.choices] == [
        ("first:in", "40 “TRADER” in; 10 “MUSIC” in; 400 “BANK” out"),
        ("first:out", "40 “TRADER” out; 10 “MUSIC” in; 400 “BANK” out"),
        ("first:owed", "40 “TRADER” out; 10 “MUSIC” out; 400 “BANK” in"),
    ]
    owed = read_file(content, direction="out")
    assert (owed.amounts, [*owed.balances.values()]) == (
        [-4000, -1000, 40000, -2000, 3000, -3000],
        [(-17000, 20260306)],
    )
    assert read_file(content, direction="first:owed").amounts == owed.amounts
    spent = read_file(content, direction="first:out").amounts
    assert spent == [-4000, 1000, -40000, 2000, -3000, 3000]
    owned = read_file(content, direction="in")
    assert read_file(content, direction="first:in").amounts == owned.amounts
    assert (owned.amounts, [*owned.balances.values()]) == (
        [4000, 1000, -40000, 2000, -3000, 3000],
        [(17000, 20260306)],
    )
    paid = DEBT.format(THANKS)
    assert question_of(read_file, paid).text.startswith("Is 40 “TRADER” ")
    assert read_file(paid, direction="first:out").amounts == owed.amounts


def question_of(read_file: ReadFile, content: str) -> Question:
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(content, direction=None)
    (question,) = asked.value.questions
    return question


def test_a_choice_shows_rows_of_the_file(read_file: ReadFile) -> None:
    """Each answer shows what it would make of a row, and of one with a minus where there is one."""
    question = question_of(read_file, table("SHOP,,5.00", "CAFE,,9.00", "BACK,,-1.00"))
    assert [(choice.value, choice.sample) for choice in question.choices] == [
        ("out", "5.00 “SHOP” out; -1.00 “BACK” in"),
        ("in", "5.00 “SHOP” in; -1.00 “BACK” out"),
    ]


def test_two_words_that_divide_the_rows_may_be_marks(read_file: ReadFile) -> None:
    """A column of two values that nobody knows is offered, and the answer reads it."""
    header = "Date,Description,Kode,Amount\n"
    content = table("SHOP,7,5.00", "PAY,8,9.00", "CAFE,7,3.00", header=header)
    question = question_of(read_file, content)
    assert [(choice.value, choice.sample) for choice in question.choices[2:]] == [
        ("marks:7/8", "5.00 “SHOP” out; 9.00 “PAY” in"),
        ("marks:8/7", "9.00 “PAY” out; 5.00 “SHOP” in"),
    ]
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
def test_known_marks_count_anywhere(read_file: ReadFile, name: str, out: str, inwards: str) -> None:
    """Words for in and out say the way wherever all rows have one and amounts have no sign."""
    lines = [f"SHOP,{out},5.00", f"PAY,{inwards},9.00", f"CAFE,{out},3.00"]
    content = table(*lines, header=f"Date,Description,{name},Amount\n")
    assert read_file(content, direction=None).amounts == [-500, 900, -300]
    assert read_file(table(*lines, header=""), direction=None).amounts == [-500, 900, -300]


def balanced(amounts: list[int], start: int, factor: int, text: str = "SHOP") -> str:
    lines, balance = [], start
    for amount in amounts:
        balance += factor * amount
        lines.append(f"{text},{amount}.00,{balance}.00")
    return table(*lines, header="Date,Description,Amount,Balance\n")


def test_a_balance_shows_which_way_each_unsigned_amount_goes(read_file: ReadFile) -> None:
    """Three steps of a balance are a proof, two are none; nothing shows the way of the oldest row."""
    content = balanced([5, 7, 9, 11], 100, -1)
    question = question_of(read_file, content)
    assert question.text.startswith("Is 5.00 “SHOP” ")
    assert question.choices == (
        Choice("first:out", "Money out", "5.00 “SHOP” out"),
        Choice("first:in", "Money in", "5.00 “SHOP” in"),
    )
    for word, first in FIRST.items():
        assert read_file(content, direction=word).amounts == [first * 500, -700, -900, -1100]
    assert len(question_of(read_file, balanced([5, 7, 9], 100, -1)).choices) > 1


FIRST = {"first:out": -1, "first:in": 1, "out": -1, "negate": -1, "in": 1}


STEPPED = {
    "later rows below": "1,A,5,95|2,B,7,88|3,C,50,138|4,D,8,130|5,E,1,129",
    "later rows above": "5,E,1,129|4,D,8,130|3,C,50,138|2,B,7,88|1,A,5,95",
    "one that waits has no balance": "1,A,5,95|2,B,7,88|3,C,50,138|4,D,8,130|5,E,1,129|6,F,2,",
}


@pytest.mark.parametrize("rows", STEPPED.values(), ids=STEPPED.keys())
def test_some_unsigned_amounts_may_come_in(read_file: ReadFile, rows: str) -> None:
    """A balance that rises by some amounts and falls by more says it of each row by itself."""
    content = "Date,Description,Amount,Balance\n" + "".join(
        f"2026-03-0{row}\n" for row in rows.split("|")
    )
    by_text = {"A": -500, "B": -700, "C": 5000, "D": -800, "E": -100, "F": -200}
    found = read_file(content, direction="first:out").rows
    assert {row.raw: row.amount for row in found} == {row.raw: by_text[row.raw] for row in found}


def test_the_words_of_the_oldest_row_say_its_way(read_file: ReadFile) -> None:
    """Where a balance does not show a row, its own words do, and nothing is asked."""
    rows = balanced([7, 9, 11], 100, -1).splitlines(keepends=True)
    paid = "2026-02-28,PAYMENT RECEIVED - THANK YOU,40.00,100.00\n"
    content = "".join([rows[0], paid, *rows[1:]])
    assert read_file(content, direction=None).amounts == [4000, -700, -900, -1100]


def test_a_row_without_money_goes_no_way(read_file: ReadFile) -> None:
    """An amount of 0 beside a balance that stays is no row to ask about."""
    content = balanced([5, 7, 0, 9, 11], 100, -1)
    assert question_of(read_file, content).text.startswith("Is 5.00 “SHOP” ")
    assert read_file(content, direction="first:out").amounts == [-500, -700, 0, -900, -1100]


def test_each_unshown_row_goes_the_way_of_its_own_words(read_file: ReadFile) -> None:
    """Of rows that a balance does not show, one received and one paid, each speaks for itself."""
    rows = balanced([5] * 21, 1000, -1).splitlines(keepends=True)
    rows[1] = rows[1].replace("SHOP", "PAYMENT RECEIVED")
    rows[5] = rows[5].replace(",5.00", ",6.00", 1)
    paid = "".join(rows).replace("SHOP,6.00", "Kartenzahlung,6.00")
    assert read_file(paid, direction=None).amounts == [500, *[-500] * 3, -600, *[-500] * 16]
    assert question_of(read_file, "".join(rows)).text.startswith("Is 6.00 “SHOP” ")
    returned = read_file("".join(rows), direction="first:in").amounts
    assert returned == [500, *[-500] * 3, 600, *[-500] * 16]


def test_two_columns_at_most_are_offered_as_marks(read_file: ReadFile) -> None:
    """A file with many columns of two values does not offer all of them."""
    rows = [f"SHOP {n},{'pq'[n % 2]},{'xy'[n % 2]},{'vw'[n % 2]},{n}.00" for n in range(1, 5)]
    question = question_of(read_file, table(*rows, header="Date,Description,P,Q,R,Amount\n"))
    assert [choice.value for choice in question.choices] == [
        "out", "in", "marks:q/p", "marks:p/q", "marks:y/x", "marks:x/y",
    ]  # fmt: skip


def test_a_balance_that_only_rises_may_be_a_debt(read_file: ReadFile) -> None:
    """Without any minus, deposits raise what is there, and charges what is owed: that is asked."""
    content = balanced([5, 7, 9, 11], 100, 1)
    assert question_of(read_file, content).about == "direction"
    saved = read_file(content, direction="in")
    assert (saved.amounts, [*saved.balances.values()]) == (
        [500, 700, 900, 1100],
        [(13200, 20260304)],
    )
    owed = read_file(content, direction="out")
    assert (owed.amounts, [*owed.balances.values()]) == (
        [-500, -700, -900, -1100],
        [(-13200, 20260304)],
    )
    paid = content.replace("SHOP", "DIVIDEND VTI")
    assert read_file(paid, direction=None).amounts == [500, 700, 900, 1100]


def test_more_rises_than_falls_may_be_a_debt(read_file: ReadFile) -> None:
    """Unsigned amounts by which a balance mostly rises are asked about, not taken for income."""
    assert (
        "direction"
        in question_of(
            read_file,
            "Date,Description,Amount,Balance\n2026-03-01,A,5,105\n2026-03-02,B,7,112\n"
            "2026-03-03,C,50,62\n2026-03-04,D,8,70\n",
        ).about
    )


@pytest.mark.parametrize(
    "name", ["Outstanding balance", "Balance owed", "Offener Betrag", "Dluzna castka"]
)
def test_a_balance_that_is_called_a_debt_is_one(read_file: ReadFile, name: str) -> None:
    """What raises a debt was spent, without any sign too, and the account's balance is negative."""
    content = balanced([5, 7, 9, 11], 100, 1).replace("Balance", name)
    found = read_file(content, direction="first:out")
    assert (found.amounts, found.balances) == (
        [-500, -700, -900, -1100],
        {"Girokonto": (-13200, 20260304)},
    )
    signed = balanced([-5, -7, 20, -9], 100, -1).replace("Balance", name)
    assert read_file(signed, direction=None).amounts == [-500, -700, 2000, -900]


def test_a_debt_that_only_marked_payments_lower(read_file: ReadFile) -> None:
    """Amounts of which the payments alone are marked go out, whatever the balance is called."""
    content = (
        "Date,Description,Amount,Balance owed\n2026-03-01,A,5.00,105.00\n2026-03-02,B,7.00,112.00\n"
        "2026-03-03,C,50.00 CR,62.00\n2026-03-04,D,8.00,70.00\n"
    )
    found = read_file(content, direction=None)
    assert (found.amounts, found.balances) == (
        [-500, -700, 5000, -800],
        {"Girokonto": (-7000, 20260304)},
    )


MARKED = "Date,Description,D/C,Amount,Balance\n"


def test_marks_that_a_balance_moves_against_are_asked_about(read_file: ReadFile) -> None:
    """Either the balance is owed, or the marks are the other way round; a card's is owed."""
    content = MARKED + (
        "2026-03-01,A,D,5.00,105.00\n2026-03-02,B,D,7.00,112.00\n"
        "2026-03-03,C,C,50.00,62.00\n2026-03-04,D,D,8.00,70.00\n"
    )
    question = question_of(read_file, content)
    assert [choice.value for choice in question.choices] == ["marks:D/C", "marks:C/D"]
    assert read_file(content, direction="marks:D").amounts == [-500, -700, 5000, -800]
    assert read_file(content, direction="marks:C").amounts == [500, 700, -5000, 800]
    assert read_file(content, direction=None, name="visa card.csv").amounts == [
        -500, -700, 5000, -800,
    ]  # fmt: skip


def test_marks_and_signs_that_disagree_are_asked_about(read_file: ReadFile) -> None:
    """A minus beside some debits and some credits leaves open what either of them means."""
    rows = "2026-03-01,A,D,-5.00,\n2026-03-02,B,D,7.00,\n2026-03-03,C,C,50.00,\n"
    assert question_of(read_file, MARKED + rows).about == "direction"
    agreeing = rows.replace("D,7.00", "D,-7.00")
    assert read_file(MARKED + agreeing, direction=None).amounts == [-500, -700, 5000]
    turned = "2026-03-01,A,D,5.00,{}\n2026-03-02,B,D,7.00,{}\n2026-03-03,C,C,-50.00,{}\n"
    assert question_of(read_file, MARKED + turned.format("", "", "")).about == "direction"
    balanced_by_marks = MARKED + turned.format(95, 88, 138)
    assert read_file(balanced_by_marks, direction=None).amounts == [-500, -700, 5000]


def owed(debit: str, credit: str, text: str = "PAY") -> str:
    """A card's charges and payments in two columns, beside what is owed after each."""
    return (
        f"Date,Description,{debit},{credit},Balance\n"
        f"2026-03-01,SHOP,5,,105\n2026-03-02,CAFE,7,,112\n2026-03-03,{text},,50,62\n"
        "2026-03-04,SHOP,8,,70\n"
    )


@pytest.mark.parametrize("names", [("Debit", "Credit"), ("Withdrawals", "Deposits")])
def test_an_opposite_balance_is_asked_about(read_file: ReadFile, names: tuple[str, str]) -> None:
    """Either it is what is owed, or the bank books from its own side; a card's words tell it."""
    content = owed(*names)
    assert question_of(read_file, content).text == WAY_OF_COLUMNS
    as_named = read_file(content, direction="out")
    assert (as_named.amounts, [*as_named.balances.values()]) == (
        [-500, -700, 5000, -800],
        [(-7000, 20260304)],
    )
    turned = read_file(content, direction="in")
    assert (turned.amounts, [*turned.balances.values()]) == (
        [500, 700, -5000, 800],
        [(7000, 20260304)],
    )
    told = read_file(owed(*names, text="PAYMENT RECEIVED - THANK YOU"), direction=None)
    assert told.amounts == [-500, -700, 5000, -800]
    assert read_file(content, direction=None, name="visa card.csv").amounts == told.amounts


@pytest.mark.parametrize(
    "names", [("Charges", "Payments"), ("Purchases", "Payments"), ("Debits", "Payments")]
)
def test_payments_beside_charges_are_asked(read_file: ReadFile, names: tuple[str, str]) -> None:
    """Payments go out of a bank account and come in on a card; no row is lost for it."""
    content = owed(*names).replace(",Balance", "").replace(",105", "").replace(",112", "")
    content = content.replace(",62\n", "\n").replace(",70\n", "\n")
    assert question_of(read_file, content).text == WAY_OF_COLUMNS
    assert read_file(content, direction="out").amounts == [-500, -700, 5000, -800]
    assert read_file(content, direction="in").amounts == [500, 700, -5000, 800]


def long_table(count: int, **changed: str) -> str:
    """Unsigned amounts beside a balance, the newest row first; `changed` replaces some by `row_N`."""
    balance, lines = 1_000_000, []
    for number in range(count, 0, -1):
        day = f"20{10 + number // 336:02}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}"
        lines.append(
            changed.get(f"row_{number}", f"{day},SHOP {number},{number}.00,{balance}.00\n")
        )
        balance += number
    return "Date,Description,Amount,Balance\n" + "".join(lines)


def test_the_row_that_is_asked_about_may_be_the_last_one(read_file: ReadFile) -> None:
    """However long the file is, the question names the row that the balance does not show."""
    assert question_of(read_file, long_table(3000)).text.startswith("Is 1.00 “SHOP 1” ")
    assert read_file(long_table(3000), direction="first:in").amounts[-2:] == [-200, 100]


def test_a_minus_far_below_is_a_sign(read_file: ReadFile) -> None:
    """Amounts of which one has a minus are not without signs, wherever in the file it stands."""
    balance = 1_000_000 + sum(range(41, 2501))
    content = long_table(2500, row_40=f"2010-02-12,BACK,-40.00,{balance}.00\n")
    amounts = read_file(content, direction=None).amounts
    assert (amounts[-40], amounts[-1]) == (4000, -100)


def test_a_step_over_a_row_without_balance_is_by_both(read_file: ReadFile) -> None:
    """A row below one that states no balance may have moved it either way, whatever its size is."""
    content = balanced(
        [5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41], 900, -1
    )
    rows = content.splitlines(keepends=True)
    blank = "2026-02-27,SHOP,20.00,\n"
    after = "2026-02-28,CAFE,10.00,900.00\n"
    first = "2026-02-26,SHOP,1.00,890.00\n"
    question = question_of(read_file, "".join([rows[0], first, blank, after, *rows[1:]]))
    assert question.text.startswith("Are 1.00 “SHOP”, 20.00 “SHOP” and 10.00 “CAFE” ")


def test_a_mark_that_nobody_spoke_of_is_refused(read_file: ReadFile) -> None:
    """The person says what two words mean; a third one, far below, means neither of them."""
    rows = [f"SHOP,{'X' if n < 350 else 'Y'},{n}.00" for n in range(1, 400)]
    content = "Date,Description,Flow,Amount\n" + "".join(f"2026-03-02,{row}\n" for row in rows)
    question = question_of(read_file, content)
    assert [choice.value for choice in question.choices][2:] == ["marks:X/Y", "marks:Y/X"]
    assert read_file(content, direction="marks:X").amounts[348:350] == [-34900, 35000]
    far = content + "2026-03-02,SHOP,X,5.00\n" * 2000 + "2026-03-02,SHOP,Z,5.00\n"
    with pytest.raises(UnreadableStatement, match="Line 2401: the file"):
        read_file(far, direction="marks:X")


def test_a_balance_of_one_day_proves_no_sign(read_file: ReadFile) -> None:
    """Rows of one day may be the other way round, with the balance before each; that is asked."""
    content = (
        "Date,Description,Amount,Balance\n2026-03-01,A,5,105\n2026-03-01,B,7,112\n"
        "2026-03-01,C,-50,62\n2026-03-01,D,8,70\n"
    )
    assert question_of(read_file, content).about == "direction"
    spent = content.replace("B,7,112", "B,-7,98").replace("62", "48").replace("D,8,70", "D,-8,40")
    assert read_file(spent, direction=None).amounts == [500, -700, -5000, -800]


def test_rows_that_wait_count_among_the_signs(read_file: ReadFile) -> None:
    """Most rows without a minus leave the way open, be they booked or not."""
    header = "Date,Description,Status,Amount\n"
    rows = [f"SHOP {n},pending,{n}.00" for n in range(1, 4)] + ["A,booked,-5.00", "B,booked,-6.00"]
    assert question_of(read_file, table(*rows, header=header)).about == "direction"


def test_a_balance_may_follow_rows_that_wait(read_file: ReadFile) -> None:
    """Where a balance is printed beside rows that wait, they prove the signs with the booked ones."""
    header = "Date,Description,Status,Amount,Balance\n"
    rows = ["A,Completed,-5,-5", "B,Pending,5,0", "C,Completed,-7,-7", "D,Pending,7,0",
            "E,Completed,9,9"]  # fmt: skip
    found = read_file(table(*rows, header=header), direction=None)
    assert found.amounts == [-500, 500, -700, 700, 900]


NAMELESS = "2026-03-01,A,{},\n2026-03-02,B,,{}\n2026-03-03,C,{},\n2026-03-04,D,,{}\n"


@pytest.mark.parametrize(
    ("cells", "amounts"),
    [
        (("-5", "7", "-9", "1"), [-500, 700, -900, 100]),
        (("5", "-7", "9", "-1"), [500, -700, 900, -100]),
    ],
)
def test_of_nameless_columns_the_one_with_a_minus_goes_out(
    read_file: ReadFile, cells: tuple[str, ...], amounts: list[int]
) -> None:
    """A minus in all cells of one of two columns, and in none of the other, says which is which."""
    assert read_file(NAMELESS.format(*cells), direction=None).amounts == amounts


@pytest.mark.parametrize("cells", [("-5", "7", "9", "1"), ("-5", "-7", "-9", "-1")])
def test_a_minus_in_some_cells_names_no_column(read_file: ReadFile, cells: tuple[str, ...]) -> None:
    """Where a minus may mean that a row was taken back, the person says which column goes out."""
    assert question_of(read_file, NAMELESS.format(*cells)).text == WAY_OF_COLUMNS


def test_a_balance_that_breaks_too_often_proves_nothing(read_file: ReadFile) -> None:
    """Nineteen of twenty steps have to be explained; a row that breaks one is asked about too."""
    rows = balanced([5] * 21, 1000, -1).splitlines(keepends=True)
    one = [*rows[:5], rows[5].replace(",5.00", ",6.00", 1), *rows[6:]]
    question = question_of(read_file, "".join(one))
    assert question.text.startswith("Are 5.00 “SHOP” and 6.00 “SHOP” ")
    assert [choice.label for choice in question.choices] == ["All money out", "All money in"]
    assert set(read_file("".join(one), direction="first:out").amounts) == {-500, -600}
    two = [*one[:9], one[9].replace(",5.00", ",6.00", 1), *one[10:]]
    assert "direction" in question_of(read_file, "".join(two)).about
    assert "The balance shows" not in question_of(read_file, "".join(two)).text


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
    assert question.choices == (("3", "Column 3", "5.00 SHOP"), ("4", "Column 4", "7.00 SHOP"))
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


@pytest.mark.parametrize(
    ("out", "inwards"),
    [
        ("расход", "доход"), ("Витрата", "Дохід"), ("разход", "приход"), ("Gastos", "Ingresos"),
        ("dépense", "revenu"), ("Ausgaben", "Einnahmen"), ("Money Out", "Money In"),
        ("PAID_OUT", "PAID_IN"), ("Udgift", "Indtægt"), ("지출", "수입"), ("έξοδο", "έσοδο"),
        ("Khoản chi", "Khoản thu"), ("הוצאה", "הכנסה"), ("مدين", "دائن"), ("Sent", "Received"),
    ],
)  # fmt: skip
def test_many_languages_name_income_and_cost(read_file: ReadFile, out: str, inwards: str) -> None:
    """Each word is known by itself, so that rows of one kind alone are read as well."""
    lines = [f"SHOP,{out},5.00", f"PAY,{inwards},9.00"]
    assert read_file(table(*lines), direction=None).amounts == [-500, 900]
    assert read_file(table(*lines[:1]), direction=None).amounts == [-500]
    assert read_file(table(*lines[1:]), direction=None).amounts == [900]


@pytest.mark.parametrize(("words", "offered"), [("0,12", 0), ("0,3", 0), ("0,1", 2), ("7,12", 2)])
def test_a_count_that_may_be_none_is_no_mark(read_file: ReadFile, words: str, offered: int) -> None:
    """Points and rates are nought in most rows; a flag is nought or one."""
    one, other = words.split(",")
    lines = [f"A,{one},5.00", f"B,{other},9.00", f"C,{one},3.00"]
    question = question_of(read_file, table(*lines, header="Date,Description,Points,Amount\n"))
    assert len(question.choices[2:]) == offered


RETURNS = (
    "REFUND HARBOR BOOKS",
    "Remboursement Librairie",
    "退货 海边书店",
    "Vratka, knihy",
    "返金",
)


@pytest.mark.parametrize("text", RETURNS)
def test_a_refund_comes_in_where_all_else_was_spent(read_file: ReadFile, text: str) -> None:
    """Who says that amounts without a sign were spent does not mean those that a text calls a refund."""
    content = table(f'"{text}",,3.00', "SHOP,,5.00", "Harbor refund desk,,2.00")

    assert read_file(content, direction="out", currency="USD").amounts == [300, -500, -200]
    assert read_file(content, direction="in", currency="USD").amounts == [300, 500, 200]
    out, came_in = question_of(read_file, content).choices
    assert out.sample == f"5.00 “SHOP” out; 3.00 “{text}” in"
    assert came_in.sample == "5.00 “SHOP” in"


def test_a_refund_among_signs_is_read_as_printed(read_file: ReadFile) -> None:
    """Where some amounts have a minus, an answer is about the signs, of which a refund has its own."""
    content = table("SHOP,,5.00", "REFUND,,-3.00", "MORE,,2.00")
    assert read_file(content, direction="out").amounts == [-500, 300, -200]


@pytest.mark.parametrize(
    ("name", "amount"),
    [
        ("信用卡2026.csv", 300),
        ("Visa card.csv", 300),
        ("Konto.csv", -300),
        ("debit card.csv", -300),
    ],
)
@pytest.mark.parametrize(
    "text", ["信用卡还款 银行", "ONLINE PAYMENT 4471", "Card payment received"]
)
def test_a_cards_payment_comes_in(read_file: ReadFile, name: str, amount: int, text: str) -> None:
    """A bank account pays a card and a card is paid; a shop may have the single word in its name."""
    content = table("SHOP,,5.00", f"{text},,3.00", "PAYMENT PROTECTION LTD,,2.00")
    if "received" in text:
        amount = 300
    found = read_file(content, name=name, direction="out", currency="USD")
    assert found.amounts == [-500, amount, -200]


RECEIVED = [
    "PAYMENT RECEIVED - THANK YOU", "Online payment, thank you", "PAIEMENT RECU MERCI", "PAGO RECIBIDO",
    "Pagamento recebido", "ZAHLUNG ERHALTEN DANKE", "Zahlungseingang", "PLATBA PŘIJATA DĚKUJEME",
    "Platba prijatá - ďakujeme", "KÖSZÖNJÜK A BEFIZETÉST, BEFIZETÉS JÓVÁÍRVA", "MAKSE LAEKUNUD - TÄNAME",
    "MAKSĀJUMS SAŅEMTS", "MOKĖJIMAS GAUTAS", "PLAČILO PREJETO", "UPLATA PRIMLJENA", "ÖDEMENİZ ALINDI",
    "ΠΛΗΡΩΜΗ ΕΛΗΦΘΗ", "ПЛАТЁЖ ПОЛУЧЕН", "ПЛАТІЖ ОТРИМАНО", "ПОЛУЧЕНО ПЛАЩАНЕ",
    "ご入金ありがとうございました",
    "お支払いありがとうございました 支払", "收到还款", "您的付款已收到 谢谢", "결제대금 입금 감사합니다",
    "ได้รับชำระเงินแล้ว", "ชำระแล้ว ขอบคุณ", "PEMBAYARAN DITERIMA", "ĐÃ NHẬN THANH TOÁN", "תשלום התקבל",
]  # fmt: skip
SILENT = [
    "THANK YOU CAFE", "PAYMENT 4711", "ありがとう食堂", "入金", "谢谢茶楼", "付款", "ชำระเงิน", "ขอบคุณ",
    "감사 식당", "입금", "CAM ON", "THANH TOAN", "Obrigado Bar", "",
]  # fmt: skip


@pytest.mark.parametrize("text", RECEIVED)
def test_a_payment_that_was_received_comes_in(text: str) -> None:
    """Words for a payment beside words for thanks or receipt mean money in; capitals do not matter."""
    assert (spoken_direction("", text), spoken_direction(text.lower(), "")) == (1, 1)


@pytest.mark.parametrize("text", SILENT)
def test_either_word_alone_says_nothing(text: str) -> None:
    """A shop may be called by a word of thanks, and anybody may be paid."""
    assert spoken_direction("", text) == 0


@pytest.mark.parametrize(
    ("kind", "text", "direction"),
    [
        ("Purchase", "SHOP", -1),
        ("Kauf", "GUTSCHRIFT", -1),
        ("", "SEPA-Lastschrift Strom", -1),
        ("Gutschrift", "LOHN", 1),
        ("DIV", "ORDINARY DIVIDEND~CSKO", 1),
        ("", "Dividende Siemens AG", 1),
        ("", "Dividend tax", 0),
        ("Reinvestment", "DIVIDEND VTI", 0),
        ("Rücklastschrift", "STROM", 0),
        ("", "Storno Gutschrift", 0),
        ("Retour", "PRELEVEMENT", 0),
    ],
)
def test_what_a_bank_calls_a_row(kind: str, text: str, direction: int) -> None:
    """A purchase and a debit go out, a credit comes in; what was taken back says neither."""
    assert spoken_direction(kind, text) == direction
