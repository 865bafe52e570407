"""What a bank calls its rows says which way amounts without a sign go, or is asked about.

An answer that lists words of a column is about these words alone, and short enough to be given.
"""

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
from finplan.statements.table.row_words import direction_of_kind
from tests.statements.reading_files import ReadFile, read_path
from tests.statements.test_csv_direction import question_of, table

OUT = ["Purchase", "FEE", "Cash Advance", "Withdrawal", "Einkauf", "Gebühr", "Achat", "Retrait",
       "Compra", "Acquisto", "Prelievo", "Aankoop", "Köp", "Kjøp", "Osto", "Zakup", "Opłata", "Nákup",
       "Výběr", "Vásárlás", "Cumpărare", "Naknada", "Pirkums", "Pirkimas", "Alışveriş",
       "Покупка"]  # fmt: skip
INTO = ["Deposit", "Refund", "Erstattung", "Remboursement", "Reembolso", "Rimborso",
        "Terugbetaling", "Återbetalning", "Tilbagebetaling", "Palautus", "Zwrot", "Povrat", "İade",
        "Возврат"]  # fmt: skip
ON_CARD = {"Sale": -1, "Interest": -1, "Payment": 1, "Return": 1, "Zahlung": 1, "Vente": -1, "Pago": 1,
           "Betaling": 1, "Maksu": 1, "Płatność": 1, "Platba": 1, "Ödeme": 1, "Платёж": 1}  # fmt: skip
NOWHERE = [
    "Transfer",
    "Adjustment",
    "Überweisung",
    "Other",
    "Online",
    "Shop",
    "",
    "Payment for rent",
]


@pytest.mark.parametrize(("words", "way"), [(OUT, -1), (INTO, 1)])
@pytest.mark.parametrize("is_card", [True, False])
def test_some_kinds_go_one_way_everywhere(words: list[str], way: int, *, is_card: bool) -> None:
    """A purchase, a fee and cash go out, a deposit and a refund come in, in many languages."""
    assert {direction_of_kind(word, is_card=is_card) for word in words} == {way}


def test_some_kinds_tell_their_way_on_a_card_alone() -> None:
    """A payment comes in on a card and goes out of a bank account, and a shop's sales come in."""
    assert {word: direction_of_kind(word, is_card=True) for word in ON_CARD} == ON_CARD
    assert {direction_of_kind(word, is_card=False) for word in ON_CARD} == {0}
    assert {direction_of_kind(word, is_card=True) for word in NOWHERE} == {0}


CARD = table(
    "SHOP,Sale,5.00", "BANK,Payment,50.00", "SHOP,Return,4.00", "BANK,Fee,2.00", "BAR,Sale,3.00"
)
READ = [-500, 5000, 400, -200, -300]


def test_the_types_of_a_card_say_which_way_its_rows_go(tmp_path: Path) -> None:
    """In a file that is called a card, a sale goes out, and a payment and a return come in."""
    path = tmp_path / "Blue Card.csv"
    path.write_text(CARD)
    assert read_path(path).amounts == READ


def test_types_that_are_known_everywhere_need_no_card(read_file: ReadFile) -> None:
    """Where each word goes one way on every account, nothing is asked, however long the file is."""
    rows = ["PAY,Deposit,9.00", "SHOP,Purchase,5.00", "BANK,Fee,1.00", "CASH,Withdrawal,3.00"]
    assert read_file(table(*rows), direction=None).amounts == [900, -500, -100, -300]
    content = table(*rows[:2]) + "2026-03-05,SHOP,Purchase,5.00\n" * 2500
    assert read_file(content, direction=None).amounts[-1] == -500
    far = content + "2026-03-06,ANN,Transfer,7.00\n"
    assert "Does “Transfer” in" in question_of(read_file, far).text
    assert read_file(far, direction="marks:Transfer").amounts[-2:] == [-500, -700]
    assert read_file(far, direction="in").amounts[-2:] == [-500, 700]
    assert read_file(far, direction="out").amounts[-2:] == [-500, -700]


def test_signs_go_before_types(read_file: ReadFile) -> None:
    """A refund that is printed with a minus is a shop's, and no word turns it round."""
    rows = ["A,Refund,-5.00", "B,Deposit,9.00", "C,Fee,-1.00"]
    assert read_file(table(*rows), direction=None).amounts == [-500, 900, -100]


def test_a_balance_goes_before_types(read_file: ReadFile) -> None:
    """A balance that shows the way of each row is not overruled by a word that is open."""
    header = "Date,Description,Type,Amount,Balance\n"
    rows = ["A,Purchase,5,95", "B,Payment,7,88", "C,Deposit,20,108", "D,Payment,8,100"]
    assert read_file(table(*rows, header=header), direction=None).amounts == [
        -500,
        -700,
        2000,
        -800,
    ]


def test_a_balance_goes_before_words_that_are_known(read_file: ReadFile) -> None:
    """A fee that is given back raises the balance, whatever the bank calls the row."""
    header = "Date,Description,Type,Amount,Balance\n"
    rows = ["A,Purchase,5,95", "B,Fee,7,102", "C,Deposit,20,122", "D,Purchase,8,114",
            "E,Purchase,4,110", "F,Purchase,3,107"]  # fmt: skip
    found = read_file(table(*rows, header=header), direction=None)
    assert found.amounts == [-500, 700, 2000, -800, -400, -300]


def test_one_word_in_all_rows_is_enough(read_file: ReadFile) -> None:
    """A file of refunds alone says that they came in."""
    rows = ["A,Refund,5.00", "B,Refund,7.00"]
    assert read_file(table(*rows), direction=None).amounts == [500, 700]


def test_short_marks_are_no_words_among_types(read_file: ReadFile) -> None:
    """“D” beside a fee may be any code of the bank's, and not debit."""
    question = question_of(read_file, table("A,Fee,5.00", "B,D,7.00", "C,Fee,8.00"))
    assert "Does “D” in" in question.text


def test_a_row_without_a_word_leaves_the_column_alone(read_file: ReadFile) -> None:
    """A column with a blank cell says nothing of that row, so that no answer rests on it."""
    typed = question_of(read_file, table("A,Purchase,5.00", "B,Deposit,7.00", "C,,9.00"))
    coded = table("A,7,5.00", "B,7,7.00", "C,,9.00", header="Date,Description,Kode,Amount\n")
    for question in (typed, question_of(read_file, coded)):
        assert [choice.value for choice in question.choices] == ["out", "in"]


def test_as_many_words_as_rows_are_no_marks(read_file: ReadFile) -> None:
    """Words of which none comes twice may be anything."""
    content = table("A,7,5.00", "B,8,7.00", header="Date,Description,Kode,Amount\n")
    values = [choice.value for choice in question_of(read_file, content).choices]
    assert values == ["out", "in"]
    more = content + "2026-03-03,C,7,9.00\n"
    assert len(question_of(read_file, more).choices) == 4


def test_a_word_that_may_be_a_state_is_offered_beside_another(read_file: ReadFile) -> None:
    """“Paid” is a state beside “Pending”, and money out beside what is no state."""
    rows = ["A,Paid,5.00", "B,Got,7.00", "C,Paid,9.00"]
    question = question_of(read_file, table(*rows, header="Date,Description,X,Amount\n"))
    assert [choice.value for choice in question.choices][2:] == ["marks:Paid/Got", "marks:Got/Paid"]


def test_open_words_are_asked_about_with_both_ways(read_file: ReadFile) -> None:
    """On an account that nobody calls a card, a sale and a payment are asked about, a fee is not."""
    question = question_of(read_file, CARD)
    assert "“Sale”, “Payment” and “Return” in column" in question.text
    assert [(choice.value, choice.sample) for choice in question.choices] == [
        ("marks:Sale,Fee/Payment,Return", "5.00 “SHOP” out; 50.00 “BANK” in; 4.00 “SHOP” in"),
        ("marks:Payment,Return,Fee/Sale", "50.00 “BANK” out; 4.00 “SHOP” out; 5.00 “SHOP” in"),
    ]
    out, into = question.choices[0].label.split(" out, ")
    assert ("“Sale” and “Fee”" in out, "“Payment” and “Return”" in into) == (True, True)
    assert read_file(CARD, direction=question.choices[0].value).amounts == READ
    turned = [500, -5000, -400, -200, 300]
    assert read_file(CARD, direction=question.choices[1].value).amounts == turned


def test_two_open_words_are_offered_with_every_way(read_file: ReadFile) -> None:
    """Each of two words may go out or come in, whatever the other one does."""
    content = table("A,Purchase,5.00", "B,Payment,7.00", "C,Transfer,8.00", "D,Deposit,9.00")
    values = [choice.value for choice in question_of(read_file, content).choices]
    assert sorted(values) == [
        "marks:Purchase,Payment,Transfer/Deposit",
        "marks:Purchase,Payment/Transfer,Deposit",
        "marks:Purchase,Transfer/Payment,Deposit",
        "marks:Purchase/Payment,Transfer,Deposit",
    ]


def test_beside_sales_a_refund_is_open(read_file: ReadFile) -> None:
    """A shop's own export has the words of a card's the other way round, refunds among them."""
    content = table("A,Sale,5.00", "B,Refund,7.00", "C,Sale,9.00", "D,Fee,1.00")
    choices = question_of(read_file, content).choices
    shop = next(each for each in choices if each.value == "marks:Refund,Fee/Sale")
    assert read_file(content, direction=shop.value).amounts == [500, -700, 900, -100]


def test_money_that_all_came_in_is_a_choice(read_file: ReadFile) -> None:
    """One open word goes out or comes in, also where all others come in."""
    content = table("A,Payment,5.00", "B,Deposit,7.00", "C,Payment,9.00")
    choices = question_of(read_file, content).choices
    values = [each.value for each in choices]
    assert values == ["marks:/Payment,Deposit", "marks:Payment/Deposit"]
    assert [" out, " in each.label for each in choices] == [False, True]
    for said in ("in", "marks:/Payment,Deposit"):
        assert read_file(content, direction=said).amounts == [500, 700, 900]


def test_many_open_words_are_listed_by_the_person(read_file: ReadFile) -> None:
    """Where there are too many ways, the question says how to list the words of money out."""
    rows = ["A,Purchase,5.00", "B,Transfer,7.00", "C,Adjustment,8.00", "D,Other,9.00"]
    question = question_of(read_file, table(*rows))
    assert question.text.endswith(": --direction marks:WORD,WORD.")
    assert [choice.value for choice in question.choices] == [
        "marks:Purchase,Transfer,Adjustment,Other",
        "marks:Purchase/Transfer,Adjustment,Other",
    ]
    for said in ("out", question.choices[0].value):
        assert read_file(table(*rows), direction=said).amounts == [-500, -700, -800, -900]
    for said in ("in", question.choices[1].value):
        assert read_file(table(*rows), direction=said).amounts == [-500, 700, 800, 900]
    assert read_file(table(*rows), direction="marks:other, transfer").amounts == [
        -500, -700, 800, -900,
    ]  # fmt: skip


def test_listed_words_go_out_and_others_as_they_are_known(read_file: ReadFile) -> None:
    """A fee that is not listed goes out all the same; who says that it comes in is heeded."""
    assert read_file(CARD, direction="marks:Sale").amounts == READ
    assert read_file(CARD, direction="marks:Sale,Fee").amounts == READ
    assert read_file(CARD, direction="marks:Sale/Fee,Payment,Return").amounts == [
        -500, 5000, 400, 200, -300,
    ]  # fmt: skip
    mixed = table("A,Purchase,5.00", "B,Deposit,7.00", "C,Transfer,8.00")
    assert read_file(mixed, direction="marks:Transfer").amounts == [-500, 700, -800]
    assert read_file(mixed, direction="marks:Deposit,Transfer").amounts == [500, -700, -800]
    assert read_file(CARD, direction="marks:Payment,return").amounts == [
        500,
        -5000,
        -400,
        -200,
        300,
    ]


def test_words_may_stand_in_any_column_and_have_commas(read_file: ReadFile) -> None:
    """Of a column of three unknown words, those that are listed go out, a comma within them or not."""
    header = "Date,Description,Kode,Amount\n"
    content = table('A,"x, y",5.00', "B,u/v,7.00", "C,w,8.00", "D,w,9.00", header=header)
    assert read_file(content, direction="marks:x, y").amounts == [-500, 700, 800, 900]
    assert read_file(content, direction="marks:w,u/v").amounts == [500, -700, -800, -900]
    assert read_file(content, direction="marks:x, y/u/v,w").amounts == [-500, 700, 800, 900]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Foo", "“Foo” is not one of the words “Sale”, “Payment”, “Return” and “Fee”. "),
        (
            "Sale/Payment",
            "“marks:Sale/Payment” does not list “Return” and “Fee”. ",
        ),
    ],
)  # fmt: skip
def test_words_not_followed_are_refused_with_why(read_file: ReadFile, said: str, why: str) -> None:
    """Who lists words that no column has, or leaves one out of two lists, is told so and asked."""
    with pytest.raises(AmbiguousStatement) as asked:
        read_file(CARD, direction=f"marks:{said}")
    (question,) = asked.value.questions
    assert question.text.startswith(why)


def test_a_word_that_no_column_has_is_told(read_file: ReadFile) -> None:
    """Where no column has types, who lists words is told so before the question."""
    content = table("A,,5.00", "B,,7.00")
    with pytest.raises(AmbiguousStatement, match=r"^No column.*“Foo”"):
        read_file(content, direction="marks:Foo")


@pytest.mark.parametrize(
    ("header", "words"),
    [("Category", "Food,Home"), ("Status", "Posted,Pending"), ("State", "Booked,Settled"),
     ("X", "Posted,Pending"), ("Merchant", "Abc,Def"), ("Tags", "One,Two"), ("Kategorie", "A,B")],
)  # fmt: skip
def test_two_odd_words_are_not_offered(read_file: ReadFile, header: str, words: str) -> None:
    """A category, a state or a shop says nothing of the way, however many of them there are."""
    first, second = words.split(",")
    rows = [f"A,{first},5.00", f"B,{second},7.00", f"C,{first},9.00"]
    question = question_of(read_file, table(*rows, header=f"Date,Description,{header},Amount\n"))
    assert [choice.value for choice in question.choices] == ["out", "in"]


def clues_in(read_file: ReadFile, content: str) -> list[str]:
    """Why a table is taken for a credit card."""
    parts = read_file(content).parts
    return [clue.why for part in parts for clue in part.kind_clues if clue.kinds == ("credit",)]


ROWS_BELOW = "Date,Text,Amount\n2026-03-13,A,-5.00\n2026-03-14,B,-6.00\n"


@pytest.mark.parametrize(
    ("above", "is_card"),
    [
        ("Total Debit Amount,11.00,Total Credit Amount,0.00\n", False),
        ("Number of debits,2\nNumber of credit transactions,0\n", False),
        ("Total debits,11.00\nYour credit card,*1234\n", True),
        ("Credit card statement\n", True),
        ("Credit,*1234\n", True),
        ("Debit card,*1234\n", False),
    ],
)
def test_credits_beside_debits_are_no_card(read_file: ReadFile, above: str, is_card: bool) -> None:
    """A line above the rows speaks of a card where it names one, or a credit without any debit."""
    assert bool(clues_in(read_file, f"{above}\n{ROWS_BELOW}")) == is_card


def test_a_product_that_only_some_rows_name_tells_no_kind(read_file: ReadFile) -> None:
    """An app that calls what a card paid “Card” does not call the account one."""
    header, rows = "Date,Text,Amount,Product\n", ("2026-03-13,A,-5.00", "2026-03-14,B,-6.00")
    for others, is_card in (("Card", True), ("Current", False), ("", True)):
        clues = clues_in(read_file, f"{header}{rows[0]},Card\n{rows[1]},{others}\n")
        assert any("type column" in clue for clue in clues) is is_card


def test_what_was_paid_by_card_is_no_card(read_file: ReadFile) -> None:
    """A shop's terminal lists sums in a column of that name; a card has digits without cents."""
    card = "Date,Text,Amount,Card\n2026-03-13,A,-5.00,{}\n2026-03-14,B,-6.00,{}\n"
    for cells, is_card in ((("1234", "1234"), True), (("$5.00", "$0.00"), False)):
        clues = clues_in(read_file, card.format(*cells))
        assert any("names a card" in clue for clue in clues) is is_card


def test_an_answer_of_another_file_has_to_name_every_word(tmp_path: Path) -> None:
    """A remembered answer is used for a file with fewer words, and asked about with another one."""
    assert remembered(tmp_path, CARD) == READ
    assert remembered(tmp_path, table("SHOP,Sale,5.00", "BANK,Payment,50.00")) == [-500, 5000]
    question = remembered(tmp_path, table("SHOP,Sale,5.00", "BANK,Transfer,50.00"))
    assert isinstance(question, Question)
    assert question.choices[0].value == "marks:Sale,Transfer"
    assert "marks:Sale/Transfer" in {choice.value for choice in question.choices}
    assert isinstance(remembered(tmp_path, CARD.replace("Fee", "Adjustment")), Question)


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
    assert remembered(tmp_path, typed(["Payment"]), "marks:Purchase/Payment") == [500]


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
def test_every_offer_may_be_taken(read_file: ReadFile, opened: list[str], last: int) -> None:
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
