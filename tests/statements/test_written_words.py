"""What the person said of one row by itself, as the files that finplan writes tell it."""

import json
from pathlib import Path

import pytest

from finplan.statements.export import (
    CounterAccount,
    CsvWriter,
    Exported,
    ExportedPart,
    ExportedRow,
    JsonWriter,
)
from finplan.statements.journal.writer import BeancountWriter, HledgerWriter
from finplan.statements.statement import StatementAccount, UnreadableStatement
from tests.statements.reading_files import read_content

COUNTERS = {
    "dining": CounterAccount("expenses", "dining"),
    "gifts": CounterAccount("expenses", "gifts"),
}
HELD = {"acc_1": StatementAccount(None, "Giro", "EUR", None, "depository", None, "acc_1")}
SPLIT = ExportedRow(
    "acc_1", 20260304, -4250, "SHOP", None, "shop", "Shop", "dining", note="Ada's birthday",
    parts=(ExportedPart(-3000, "dining"), ExportedPart(-1250, "gifts", "a book, 16:30")),
)  # fmt: skip
WHOLE = SPLIT._replace(note=None, parts=())


def test_a_split_row_has_a_posting_for_each_part() -> None:
    """In a journal each part goes to its own account, with what is noted on it as a comment."""
    hledger = HledgerWriter(Exported(HELD, COUNTERS)).body([SPLIT])
    assert hledger == (
        "\n"
        "2026-03-04 * Shop | SHOP\n"
        '    ; finplan-payee: "shop"\n'
        '    ; finplan-note: "Ada\'s birthday"\n'
        "    assets:Giro  -42.50 EUR\n"
        "    expenses:dining  30.00 EUR\n"
        "    expenses:gifts  12.50 EUR  ; a book, 16:30\n"
    )
    beancount = BeancountWriter(Exported(HELD, COUNTERS)).body([SPLIT])
    assert beancount == (
        "\n"
        '2026-03-04 * "Shop" "SHOP"\n'
        '  finplan-payee: "shop"\n'
        '  finplan-note: "Ada\'s birthday"\n'
        "  Assets:Giro  -42.50 EUR\n"
        "  Expenses:Dining  30.00 EUR\n"
        "  Expenses:Gifts  12.50 EUR\n"
        '  finplan-note: "a book, 16:30"\n'
    )


@pytest.mark.parametrize(
    ("noted", "stands"),
    [
        ("date:2026-13-45", "date 2026-13-45"),
        ("a [2026-01-01] b", "a 2026-01-01 b"),
        ("Date2:x", "Date2 x"),
        ("sum:: 1", "sum : 1"),
        ("at 16:30; home|work", "at 16:30 home work"),
    ],
)
def test_a_note_on_a_part_says_nothing_to_the_program(noted: str, stands: str) -> None:
    """What hledger and ledger would take for a date or a value, behind a posting, is none."""
    part = SPLIT.parts[1]._replace(note=noted)
    written = HledgerWriter(Exported(HELD, COUNTERS)).body([SPLIT._replace(parts=(part,))])
    assert written.endswith(f"  ; {stands}\n")


def test_a_split_row_is_one_line_of_a_table() -> None:
    """The amounts of a CSV add up to what was booked, and its last two cells say what was said."""
    note, splits = "Ada's birthday", '"dining -30.00; gifts -12.50 (a book, 16:30)"'
    head = "2026-03-04,Giro,Shop,SHOP,dining,-42.50,EUR,,shop,acc_1,,,depository,"
    writer = CsvWriter(Exported(HELD, COUNTERS))
    assert writer.body([SPLIT, WHOLE]) == f"{head},{note},{splits}\n{head},,\n"


def test_a_word_is_told_where_there_is_one() -> None:
    """The JSON has a note and the parts of the rows that have them, and is silent at all others."""
    writer = JsonWriter(Exported(HELD, COUNTERS))
    split, whole = json.loads(f"[{writer.body([SPLIT, WHOLE])}]")
    assert split["note"] == "Ada's birthday"
    assert split["splits"] == [
        {"amount": -3000, "category": "dining", "note": None},
        {"amount": -1250, "category": "gifts", "note": "a book, 16:30"},
    ]
    assert {"note", "splits"}.isdisjoint(whole)


def test_a_table_of_an_older_version_is_read(tmp_path: Path) -> None:
    """The columns of notes and parts came later; without them a file is read word for word."""
    writer = CsvWriter(Exported(HELD, COUNTERS))
    former = writer.head().replace(",note,splits\n", "\n") + writer.body([WHOLE])[:-3] + "\n"
    found = read_content(tmp_path / "former.csv", former)
    (row,) = found.rows
    assert (found.format, row.amount, row.raw) == ("finplan-csv", -4250, "SHOP")

    with pytest.raises(UnreadableStatement, match="Line 2 has 16 cells and not 14"):
        read_content(tmp_path / "mixed.csv", former.split("\n")[0] + "\n" + writer.body([WHOLE]))
