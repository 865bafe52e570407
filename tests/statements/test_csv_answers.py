"""What a person's answers decide of a table, and what they do not.

What was said of earlier files with one header answers what a file leaves open, and nothing else. A
word that a file does not need decides nothing, and that is said. Too few balances for a proof, and
answers that turn one round: what is asked, and what is said.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from finplan.statements.detect import read
from finplan.statements.statement import (
    AmbiguousStatement,
    Header,
    HeaderAnswers,
    Hints,
    ParsedStatement,
    Question,
    SourceFile,
    StatementRow,
)
from finplan.statements.table.direction import BALANCE_OF_FEW, TAKEN_AS_DEBT, TAKEN_AS_MONEY
from finplan.statements.table.reader import header_of
from finplan.statements.table.table import Table
from finplan.statements.text.encoding import Charset
from tests.statements.reading_files import ReadFile, Statement
from tests.statements.test_exports import YNAB
from tests.statements.test_ofx import COFFEE, SGML_HEADER, SIGNON, statement as ofx_statement

OPEN_DATES = "Date,Description,Amount\n03/04/2026,RENT,-1200.00\n05/04/2026,SHOP,-3.50\n"
OPEN_NUMBERS = "Datum;Text;Betrag\n2026-03-04;RENT;-1.200\n2026-03-05;SHOP;-3.400\n"
GREEK = "Date;Κείμενο;Amount\n2026-03-04;ΕΝΟΙΚΙΟ;-1200,00\n2026-03-05;ΑΓΟΡΑ;-3,50\n"

Take = Callable[..., tuple[ParsedStatement, list[StatementRow]]]
CurrencyOf = Callable[[str, HeaderAnswers], str]


@pytest.fixture
def take(tmp_path: Path) -> Take:
    """Read a file after this was said of files with its header; give the reading and its rows."""

    def write_and_read(
        content: str | bytes,
        said: HeaderAnswers | None = None,
        *,
        like: str | None = None,
        **hints: Any,
    ) -> tuple[ParsedStatement, list[StatementRow]]:
        path = tmp_path / "Girokonto.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        profiles = {} if said is None else {signature(like or str(content)): said}
        reading = read(SourceFile.of(path), Hints(household="EUR", profiles=profiles, **hints))
        return reading, [row for part in reading.parts for row in part.rows]

    return write_and_read


@pytest.fixture
def currency_of(tmp_path: Path) -> CurrencyOf:
    """Read a file after this was said of files with its header; give its account's currency."""

    def read_currency(content: str, said: HeaderAnswers) -> str:
        path = tmp_path / "Girokonto.csv"
        path.write_text(content)
        reading = read(
            SourceFile.of(path), Hints(household="EUR", profiles={signature(content): said})
        )
        return next(reading.parts).account.currency

    return read_currency


def signature(content: str) -> str:
    """The signature of a content's first line."""
    line = content.splitlines()[0]
    delimiter = ";" if ";" in line else ","
    return header(*line.split(delimiter), delimiter=delimiter).signature


def header(*names: str, delimiter: str = ",") -> Header:
    found = header_of(Table(Path(), Charset("utf-8"), delimiter, (), names, len(names)))
    assert found is not None
    return found


def test_what_was_said_is_not_asked_again(take: Take) -> None:
    """An order of dates or a decimal sign that was said before decides, and is told to have done so."""
    reading, rows = take(OPEN_DATES, HeaderAnswers(date_order="dmy", decimal_sign=","))
    assert [row.day for row in rows] == [20260403, 20260405]
    assert reading.used == HeaderAnswers(date_order="dmy")

    reading, rows = take(OPEN_NUMBERS, HeaderAnswers(date_order="dmy", decimal_sign=","))
    assert [row.amount for row in rows] == [-120_000, -340_000]
    assert reading.used == HeaderAnswers(decimal_sign=",")


def test_two_open_questions_are_both_answered(take: Take) -> None:
    """A file that leaves dates and numbers open is read when both were said."""
    text = "Datum;Text;Betrag\n03/04/2026;RENT;-1.200\n05/04/2026;SHOP;-3.400\n"
    reading, rows = take(text, HeaderAnswers(date_order="mdy", decimal_sign="."))
    assert [(row.day, row.amount) for row in rows] == [(20260304, -120), (20260504, -340)]
    assert reading.used == HeaderAnswers(date_order="mdy", decimal_sign=".")

    with pytest.raises(AmbiguousStatement) as asked:
        take(text, HeaderAnswers(date_order="mdy"))
    assert [question.about for question in asked.value.questions] == ["decimal_sign"]


def test_the_file_proves_more_than_was_said(take: Take) -> None:
    """A date or an amount that allows one reading only is read so, whatever was said before."""
    said = HeaderAnswers(date_order="mdy", decimal_sign=",")
    reading, rows = take(OPEN_DATES + "31/12/2026,SHOP,-1.25\n", said)
    assert [row.day for row in rows] == [20260403, 20260405, 20261231]
    assert [row.amount for row in rows] == [-120_000, -350, -125]
    assert reading.used == HeaderAnswers()


def test_an_order_that_no_date_allows_is_asked_for(take: Take) -> None:
    """What was said decides only where it is one of the choices."""
    with pytest.raises(AmbiguousStatement):
        take(OPEN_DATES, HeaderAnswers(date_order="ymd"))


def test_what_is_typed_wins(take: Take) -> None:
    """A hint overrules what was said, and nothing is remembered then."""
    said = {"date_order": "mdy", "currency": "EUR"}
    reading, rows = take(OPEN_DATES, HeaderAnswers(date_order="dmy"), **said)
    assert rows[0].day == 20260304
    assert reading.used == HeaderAnswers()


def test_another_header_knows_nothing(take: Take) -> None:
    """What was said of one header says nothing of another."""
    with pytest.raises(AmbiguousStatement):
        take(OPEN_DATES, HeaderAnswers(date_order="dmy"), like=OPEN_NUMBERS)


def test_a_table_without_a_header_is_never_known(take: Take) -> None:
    """Rows alone have no header to be known by."""
    reading, _ = take("2026-03-04,RENT,-1.00\n2026-03-05,SHOP,-2.00\n")
    assert reading.header is None


def test_a_currency_is_assumed_where_none_is_named(take: Take, currency_of: CurrencyOf) -> None:
    """The currency of before is a file's that names none, and settles a sign that many share."""
    bare = "Date,Description,Amount\n2026-03-04,RENT,-1200.00\n"
    assert currency_of(bare, HeaderAnswers(currency="CHF")) == "CHF"
    assert take(bare, HeaderAnswers(currency="CHF"))[0].used == HeaderAnswers(currency="CHF")

    kroner = "Date,Description,Amount\n2026-03-04,RENT,-1200.00 kr\n"
    with pytest.raises(AmbiguousStatement) as asked:
        take(kroner)
    assert [question.about for question in asked.value.questions] == ["currency"]
    assert currency_of(kroner, HeaderAnswers(currency="SEK")) == "SEK"

    named = "Date,Description,Amount,Currency\n2026-03-04,RENT,-1200.00,GBP\n"
    assert currency_of(named, HeaderAnswers(currency="EUR")) == "GBP"
    assert take(named, HeaderAnswers(currency="EUR"))[0].used == HeaderAnswers()


def test_an_encoding_is_remembered_where_the_file_proves_none(take: Take) -> None:
    """Bytes that may be of several code pages are read in the one that was named for this header."""
    content = GREEK.encode("iso8859_7")
    reading, rows = take(content, HeaderAnswers(encoding="iso8859_7"), like=GREEK)
    assert [row.raw for row in rows] == ["ΕΝΟΙΚΙΟ", "ΑΓΟΡΑ"]
    assert (reading.encoding, reading.used) == ("iso8859-7", HeaderAnswers(encoding="iso8859_7"))

    guessed, _ = take(content)
    assert guessed.encoding != "iso8859-7"


def test_text_that_is_utf_8_proves_it(take: Take) -> None:
    """An encoding of before is left alone where the bytes say what they are."""
    reading, rows = take(GREEK, HeaderAnswers(encoding="iso8859_7"))
    assert [row.raw for row in rows] == ["ΕΝΟΙΚΙΟ", "ΑΓΟΡΑ"]
    assert (reading.encoding, reading.used) == ("utf-8", HeaderAnswers())


def test_text_that_is_utf_8_proves_it_below_any_header(take: Take) -> None:
    """Also where the header is the same in every encoding, the rows say what they are."""
    text = "Date;Text;Amount\n2026-03-04;CAFÉ MÜLLER;-1,00\n2026-03-05;BÄCKEREI;-2,50\n"
    reading, rows = take(text, HeaderAnswers(encoding="cp437"))
    assert rows[0].raw == "CAFÉ MÜLLER"
    assert (reading.encoding, reading.used) == ("utf-8", HeaderAnswers())


def test_an_encoding_that_does_not_fit_is_passed_over(take: Take) -> None:
    """Bytes that the encoding of before cannot be are read as if nothing had been said."""
    text = "Date;Text;Amount\n2026-03-04;CAFÉ MÜLLER;-1,00\n2026-03-05;BÄCKEREI;-2,50\n"
    reading, rows = take(text.encode("cp1252"), HeaderAnswers(encoding="euc_kr"), like=text)
    assert rows[0].raw == "CAFÉ MÜLLER"
    assert (reading.encoding, reading.used) == ("cp1252", HeaderAnswers())


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), min_size=1, max_size=5))
def test_case_and_white_space_do_not_make_another_header(names: list[str]) -> None:
    """A header is known again however its names are spaced, and only with its own delimiter."""
    spaced = [f"  {name}\t" for name in names]
    assert header(*spaced).signature == header(*names).signature
    assert header(*names, delimiter=";").signature != header(*names).signature
    assert header(*names, "more").signature != header(*names).signature
    assert header("DATE", "Amount").signature == header("date", "AMOUNT").signature


def test_where_a_name_ends_makes_a_difference() -> None:
    """Names that run into one another are not the same header."""
    assert header("ab", "c").signature != header("a", "bc").signature


HEADER = "Date,Description,Amount,Balance\n"
FALLING = ["01,PAYROLL,3200,5700", "02,RENT,1400,4300", "05,KROGER,90,4210"]
RISING = ["01,TRADER,40,540", "02,MUSIC,10,550", "05,TAXI,20,570"]


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
    assert (question.text, values(question)) == (
        BALANCE_OF_FEW,
        ["first:in", "first:out", "first:owed"],
    )
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
    assert [(choice.value, choice.sample) for choice in question.choices] == [
        ("first:in", "3200 “PAYROLL” in; 90 “REFUND X” in; 1400 “RENT” out"),
        ("first:out", "3200 “PAYROLL” out; 90 “REFUND X” in; 1400 “RENT” out"),
        ("first:owed", "3200 “PAYROLL” out; 90 “REFUND X” out; 1400 “RENT” in"),
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
        ("first:in", "Money you have", "20 “TAXI” in"),
        ("first:owed", "Money you owe", "20 “TAXI” out"),
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
def test_a_useless_balance_is_stored_as_printed(read_file: ReadFile, lines: list[str]) -> None:
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
    assert found == [TAKEN_AS_DEBT] * is_told


def test_an_answer_that_takes_away_a_debt_is_told(notes: Callable[..., tuple[str, ...]]) -> None:
    """A header that calls the balance a debt is right, or the answer is."""
    assert notes(PAID_DOWN, "marks:C") == ()
    assert notes(PAID_DOWN, "marks:D") == (TAKEN_AS_MONEY,)


def test_a_choice_says_that_the_balance_is_owed_by_it(read_file: ReadFile) -> None:
    """Before anything is answered, it is seen which answer makes a debt of the balance."""
    for content, is_owed in (
        (BY_MARKS, [True, False]), (TWO, [True, False]), (FEW_AGAINST, [False, True]),
        (AGAINST, [False, True]), (PAID_DOWN, [False, True]),
    ):  # fmt: skip
        labels = [choice.label for choice in question_of(read_file, content).choices]
        assert [label.endswith("balance owed") for label in labels] == is_owed


Notes = Callable[..., tuple[list[int], tuple[str, ...]]]

TWO_COLUMNS = "Date,Text,Debit,Credit\n2026-03-13,SHOP,4.50,\n2026-03-14,PAY,,9.00\n"
OUT = "Date,Text,Debit\n2026-03-13,SHOP,4.50\n2026-03-14,CAFE,9.00\n"
INTO = OUT.replace("Debit", "Credit")
SIGNED = "Date,Text,Amount\n2026-03-13,SHOP,-4.50\n2026-03-14,PAY,9.00\n2026-03-15,X,-1.00\n"
MARKED = "Date,Text,Amount,D/C\n2026-03-13,SHOP,4.50,D\n2026-03-14,PAY,9.00,C\n"
TURNED = "Date,Text,Amount\n2026-03-13,SHOP,4.50\n2026-03-14,PAYMENT RECEIVED THANK YOU,-9.00\n"
PROVEN = "Date,Text,Amount,Balance\n" + "".join(
    f"2026-03-1{day},SHOP,{-day}.00,{left}.00\n"
    for day, left in ((3, 97), (4, 93), (5, 88), (6, 82))
)
OPEN = "Date,Text,Amount\n2026-03-13,SHOP,4.50\n2026-03-14,CAFE,2.00\n"
MARKS_OPEN = OPEN.replace("Amount\n", "Amount,Kind\n").replace("50\n", "50,7\n").replace(
    "00\n", "00,8\n"
) + "2026-03-15,BAR,3.00,7\n"  # fmt: skip

SIGNS = "the file's signs and words show which amounts are money in."
SIDES = "the file has separate columns for money in and money out."
MARKS = "the file marks each row as money in or money out."
BALANCE = "the running balance proves which amounts are money in."


@pytest.fixture
def amounts_and_notes(tmp_path: Path) -> Notes:
    """Read a file with what the person says, and answer its amounts and what is said of that."""

    def read_and_note(content: str, **said: str) -> tuple[list[int], tuple[str, ...]]:
        path = tmp_path / "Giro.txt"
        path.write_text(content)
        parsed = read(SourceFile.of(path), Hints(household="USD", **said))  # type: ignore[arg-type]
        return [row.amount for part in parsed.parts for row in part.rows], parsed.notes

    return read_and_note


@pytest.mark.parametrize(
    ("content", "said", "heeded", "why"),
    [
        (SIGNED, "in", "not needed", SIGNS),
        (SIGNED, "out", "ignored", SIGNS),
        (SIGNED, "negate", "ignored", SIGNS),
        (SIGNED, "marks:D", "ignored", SIGNS),
        (TURNED, "out", "not needed", SIGNS),
        (TURNED, "negate", "not needed", SIGNS),
        (TURNED, "in", "ignored", SIGNS),
        (TWO_COLUMNS, "out", "not needed", SIDES),
        (TWO_COLUMNS, "in", "ignored", SIDES),
        (OUT, "out", "not needed", "the file only has a column for money out."),
        (OUT, "in", "ignored", "the file only has a column for money out."),
        (INTO, "in", "not needed", "the file only has a column for money in."),
        (INTO, "negate", "ignored", "the file only has a column for money in."),
        (MARKED, "marks:D", "not needed", MARKS),
        (MARKED, "marks:C", "ignored", MARKS),
        (MARKED, "in", "ignored", MARKS),
        (MARKED, "out", "ignored", MARKS),
        (PROVEN, "in", "not needed", BALANCE),
        (PROVEN, "out", "ignored", BALANCE),
    ],
)
def test_a_direction_that_the_file_tells_is_said_to_decide_nothing(
    amounts_and_notes: Notes, content: str, said: str, heeded: str, why: str
) -> None:
    """The rows are those without it; the sentence tells agreement from contradiction, and why."""
    amounts, none = amounts_and_notes(content)
    assert none == ()
    assert amounts_and_notes(content, direction=said) == (
        amounts,
        (f"--direction {said} was {heeded}: {why}",),
    )


@pytest.mark.parametrize("said", ["in", "out"])
def test_a_direction_that_is_needed_is_not_spoken_of(amounts_and_notes: Notes, said: str) -> None:
    """What an answer decides needs no word."""
    sign = 1 if said == "in" else -1
    assert amounts_and_notes(OPEN, direction=said) == ([sign * 450, sign * 200], ())


def test_a_mark_that_is_needed_is_not_spoken_of(amounts_and_notes: Notes) -> None:
    """The person's mark divides the rows of a file that does not tell the way itself."""
    assert amounts_and_notes(MARKS_OPEN, direction="marks:7") == ([-450, 200, -300], ())
    with pytest.raises(AmbiguousStatement):
        amounts_and_notes(MARKS_OPEN, direction="marks:9")


@pytest.mark.parametrize(
    ("content", "said", "heeded", "places"),
    [
        (SIGNED, "Amount", "not needed", "“Amount” has"),
        (SIGNED, " amount ", "not needed", "“Amount” has"),
        (SIGNED, "3", "not needed", "“Amount” has"),
        (SIGNED, "2", "ignored", "“Amount” has"),
        (PROVEN, "Balance", "ignored", "“Amount” has"),
        (SIGNED, "Zzz", "ignored", "“Amount” has"),
        (TWO_COLUMNS, "Debit", "not needed", "“Debit” and “Credit” have"),
        (TWO_COLUMNS, "4", "not needed", "“Debit” and “Credit” have"),
        (SIGNED.partition("\n")[2], "3", "not needed", "column 3 has"),
        (SIGNED.partition("\n")[2], "1", "ignored", "column 3 has"),
    ],
)
def test_a_column_of_amounts_that_the_file_tells_is_said_to_decide_nothing(
    amounts_and_notes: Notes, content: str, said: str, heeded: str, places: str
) -> None:
    """The amounts stay where the file has them, and the note says where that is."""
    amounts, _ = amounts_and_notes(content)
    same, (note,) = amounts_and_notes(content, amount_column=said)
    assert same == amounts
    assert note.startswith(f"--amount-column “{said.strip()}” was {heeded}: ")
    assert f" {places} " in note


def test_a_running_balance_goes_before_a_column_that_is_said(amounts_and_notes: Notes) -> None:
    """Without names, the column that a balance moves by has the amounts, whatever is said."""
    amounts, found = amounts_and_notes(PROVEN.partition("\n")[2], amount_column="4")
    assert amounts == [-300, -400, -500, -600]
    (note,) = found
    assert note.startswith("--amount-column “4”")
    assert "column 3 has" in note


def test_a_column_of_amounts_that_is_needed_is_not_spoken_of(amounts_and_notes: Notes) -> None:
    """Where several columns may have the amounts, the person's word decides."""
    content = "2026-03-01,SHOP,5.00,7.00\n2026-03-02,CAFE,9.00,1.00\n"
    assert amounts_and_notes(content, amount_column="4", direction="in") == ([700, 100], ())


def test_the_first_column_is_number_one(amounts_and_notes: Notes) -> None:
    """Places are counted from 1, whatever stands there."""
    content = "5.00,2026-03-01,SHOP,7.00\n9.00,2026-03-02,CAFE,1.00\n"
    assert amounts_and_notes(content, amount_column="1", direction="in") == ([500, 900], ())


@pytest.mark.parametrize("said", ["0", "2", "5", "Zzz"])
def test_a_column_without_numbers_is_no_answer(amounts_and_notes: Notes, said: str) -> None:
    """What is needed and names no column of numbers leaves the question open."""
    content = "2026-03-01,SHOP,5.00,7.00\n2026-03-02,CAFE,9.00,1.00\n"
    with pytest.raises(AmbiguousStatement, match="these 2 columns"):
        amounts_and_notes(content, amount_column=said, direction="in")


def test_both_words_are_spoken_of(amounts_and_notes: Notes) -> None:
    """Each word that decides nothing has its sentence."""
    _, found = amounts_and_notes(SIGNED, amount_column="Amount", direction="in")
    assert len(found) == 2


def test_a_format_that_says_all_itself_needs_no_word(amounts_and_notes: Notes) -> None:
    """The fields of OFX and the columns of an app are known, so that no word changes them."""
    ofx = SGML_HEADER + SIGNON + ofx_statement(COFFEE)
    for content, name in ((ofx, "OFX"), (YNAB, "YNAB")):
        amounts, none = amounts_and_notes(content)
        assert none == ()
        same, notes = amounts_and_notes(content, direction="out", amount_column="3")
        assert same == amounts
        starts = [
            f"--{said} was not needed: {name} " for said in ("direction out", "amount-column 3")
        ]
        assert [*map(str.startswith, notes, starts)] == [True, True]
        assert len(amounts_and_notes(content, direction="out")[1]) == 1


def test_the_sentence_is_safe_to_show(amounts_and_notes: Notes) -> None:
    """What the person and the header say is shown without characters that hide or command."""
    _, (found,) = amounts_and_notes(
        SIGNED.replace("Amount", "Amo\u202eunt"), amount_column="\u202e3"
    )
    assert "\u202e" not in found
