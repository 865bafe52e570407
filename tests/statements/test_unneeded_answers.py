"""A word of the person that a file does not need decides nothing, and that is said in a sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest

from finplan.statements.detect import read
from finplan.statements.statement import AmbiguousStatement, Hints, SourceFile
from tests.statements.test_exports import YNAB
from tests.statements.test_ofx import COFFEE, SGML_HEADER, SIGNON
from tests.statements.test_ofx import statement as ofx_statement

Notes = Callable[..., tuple[list[int], tuple[str, ...]]]

TWO = "Date,Text,Debit,Credit\n2026-03-13,SHOP,4.50,\n2026-03-14,PAY,,9.00\n"
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

SIGNS = "the signs and the words of the file tell which way money goes."
SIDES = "the file has columns of their own for money in and money out."
MARKS = "the file marks each row as money in or money out."
BALANCE = "a running balance proves which way money goes."


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
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
        (SIGNED, "in", "needed", SIGNS),
        (SIGNED, "out", "followed", SIGNS),
        (SIGNED, "negate", "followed", SIGNS),
        (SIGNED, "marks:D", "followed", SIGNS),
        (TURNED, "out", "needed", SIGNS),
        (TURNED, "negate", "needed", SIGNS),
        (TURNED, "in", "followed", SIGNS),
        (TWO, "out", "needed", SIDES),
        (TWO, "in", "followed", SIDES),
        (OUT, "out", "needed", "the file has a column for money out alone."),
        (OUT, "in", "followed", "the file has a column for money out alone."),
        (INTO, "in", "needed", "the file has a column for money in alone."),
        (INTO, "negate", "followed", "the file has a column for money in alone."),
        (MARKED, "marks:D", "needed", MARKS),
        (MARKED, "marks:C", "followed", MARKS),
        (MARKED, "in", "followed", MARKS),
        (MARKED, "out", "followed", MARKS),
        (PROVEN, "in", "needed", BALANCE),
        (PROVEN, "out", "followed", BALANCE),
    ],
)
def test_a_direction_that_the_file_tells_is_said_to_decide_nothing(
    notes: Notes, content: str, said: str, heeded: str, why: str
) -> None:
    """The rows are those without it; the sentence tells agreement from contradiction, and why."""
    amounts, none = notes(content)
    assert none == ()
    assert notes(content, direction=said) == (
        amounts,
        (f"--direction {said} was not {heeded}: {why}",),
    )


@pytest.mark.parametrize("said", ["in", "out"])
def test_a_direction_that_is_needed_is_not_spoken_of(notes: Notes, said: str) -> None:
    """What an answer decides needs no word."""
    sign = 1 if said == "in" else -1
    assert notes(OPEN, direction=said) == ([sign * 450, sign * 200], ())


def test_a_mark_that_is_needed_is_not_spoken_of(notes: Notes) -> None:
    """The person's mark divides the rows of a file that does not tell the way itself."""
    assert notes(MARKS_OPEN, direction="marks:7") == ([-450, 200, -300], ())
    with pytest.raises(AmbiguousStatement):
        notes(MARKS_OPEN, direction="marks:9")


@pytest.mark.parametrize(
    ("content", "said", "heeded", "places"),
    [
        (SIGNED, "Amount", "needed", "“Amount” has"),
        (SIGNED, " amount ", "needed", "“Amount” has"),
        (SIGNED, "3", "needed", "“Amount” has"),
        (SIGNED, "2", "followed", "“Amount” has"),
        (PROVEN, "Balance", "followed", "“Amount” has"),
        (SIGNED, "Zzz", "followed", "“Amount” has"),
        (TWO, "Debit", "needed", "“Debit” and “Credit” have"),
        (TWO, "4", "needed", "“Debit” and “Credit” have"),
        (SIGNED.partition("\n")[2], "3", "needed", "column 3 has"),
        (SIGNED.partition("\n")[2], "1", "followed", "column 3 has"),
    ],
)
def test_a_column_of_amounts_that_the_file_tells_is_said_to_decide_nothing(
    notes: Notes, content: str, said: str, heeded: str, places: str
) -> None:
    """The amounts stay where the file has them, and the sentence says where that is."""
    amounts, _ = notes(content)
    sentence = (
        f"--amount-column “{said.strip()}” was not {heeded}: the file itself tells that {places} the"
        " amounts."
    )
    assert notes(content, amount_column=said) == (amounts, (sentence,))


def test_a_running_balance_goes_before_a_column_that_is_said(notes: Notes) -> None:
    """Without names, the column that a balance moves by has the amounts, whatever is said."""
    rows = PROVEN.partition("\n")[2]
    amounts, found = notes(rows, amount_column="4")
    assert amounts == [-300, -400, -500, -600]
    assert found == (
        "--amount-column “4” was not followed: the file itself tells that column 3 has the amounts.",
    )


def test_a_column_of_amounts_that_is_needed_is_not_spoken_of(notes: Notes) -> None:
    """Where several columns may have the amounts, the person's word decides."""
    content = "2026-03-01,SHOP,5.00,7.00\n2026-03-02,CAFE,9.00,1.00\n"
    assert notes(content, amount_column="4", direction="in") == ([700, 100], ())


def test_the_first_column_is_number_one(notes: Notes) -> None:
    """Places are counted from 1, whatever stands there."""
    content = "5.00,2026-03-01,SHOP,7.00\n9.00,2026-03-02,CAFE,1.00\n"
    assert notes(content, amount_column="1", direction="in") == ([500, 900], ())


@pytest.mark.parametrize("said", ["0", "2", "5", "Zzz"])
def test_a_column_without_numbers_is_no_answer(notes: Notes, said: str) -> None:
    """What is needed and names no column of numbers leaves the question open."""
    content = "2026-03-01,SHOP,5.00,7.00\n2026-03-02,CAFE,9.00,1.00\n"
    with pytest.raises(AmbiguousStatement, match="2 columns hold numbers"):
        notes(content, amount_column=said, direction="in")


def test_both_words_are_spoken_of(notes: Notes) -> None:
    """Each word that decides nothing has its sentence."""
    _, found = notes(SIGNED, amount_column="Amount", direction="in")
    assert len(found) == 2


def test_a_format_that_says_all_itself_needs_no_word(notes: Notes) -> None:
    """The fields of OFX and the columns of an app are known, so that no word changes them."""
    ofx = SGML_HEADER + SIGNON + ofx_statement(COFFEE)
    for content, name in ((ofx, "OFX"), (YNAB, "YNAB")):
        amounts, none = notes(content)
        assert none == ()
        assert notes(content, direction="out", amount_column="3") == (
            amounts,
            (
                f"--direction out was not needed: {name} files say themselves which way money goes.",
                f"--amount-column 3 was not needed: {name} files say themselves what the amounts are.",
            ),
        )
        assert len(notes(content, direction="out")[1]) == 1


def test_the_sentence_is_safe_to_show(notes: Notes) -> None:
    """What the person and the header say is shown without characters that hide or command."""
    _, (found,) = notes(SIGNED.replace("Amount", "Amo\u202eunt"), amount_column="\u202e3")
    assert "\u202e" not in found
