"""Laws of the judge of drawn layouts: what it calls wrong, asked, taken and needless."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from finplan.statements.statement import (
    AmbiguousStatement,
    Choice,
    Hints,
    Question,
    StatementAccount,
    StatementPart,
    StatementRow,
    StatementRows,
    UnreadableStatement,
)
from tests.statements.layouts import adapter
from tests.statements.layouts.judge import Verdict, judge
from tests.statements.layouts.languages import languages
from tests.statements.layouts.layout import Balance, Layout
from tests.statements.layouts.printing import NUMBERS, YEAR_FIRST
from tests.statements.layouts.tally import Tally, story
from tests.statements.layouts.truth import TrueRow, Truth
from tests.statements.reading_files import Statement

PLAIN = Layout(
    languages()[0],
    "named",
    ("date", "text", "amount", "value_date", "status"),
    "signed",
    YEAR_FIRST[0],
    NUMBERS[0],
    "header",
)
CARD = replace(PLAIN, signs="inverse")
TRUTH = Truth(
    (
        TrueRow(date(2024, 3, 10), -1250, "Orvella"),
        TrueRow(date(2024, 3, 11), 4200, "Brastik"),
        TrueRow(date(2024, 3, 12), -999, "Quandor"),
        TrueRow(date(2024, 3, 12), -50, "Milvane", "pending"),
        TrueRow(date(2024, 3, 12), -70, "Pextol", "declined"),
    ),
    "EUR",
    0,
)
RIGHT = [(20240310, -1250), (20240311, 4200), (20240312, -999)]


def reading(rows: list[tuple[int, int]], currency: str = "EUR", waiting: int = 1) -> Statement:
    """A statement with some booked rows, and others that wait."""
    found = [StatementRow(day, amount, "text") for day, amount in rows]
    found += [StatementRow(20240312, -50, "text", pending=True)] * waiting
    account = StatementAccount(None, "export", currency)
    return Statement("csv", "utf-8", (StatementPart(account, StatementRows.of(found)),))


class Reader:
    """Stands in for the reader: asks its questions in turn, then gives a statement or refuses."""

    def __init__(self, result: Statement | Exception, *questions: AmbiguousStatement) -> None:
        self.hints: list[Hints] = []
        self._result = result
        self._questions = list(questions)

    def __call__(self, _: Path, hints: Hints) -> Statement:
        self.hints.append(hints)
        if self._questions:
            raise self._questions.pop(0)
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


class Judged:
    """Judges what a stand-in reader makes of the truth."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._patch = patch

    def __call__(self, reader: Reader, layout: Layout = PLAIN, truth: Truth = TRUTH) -> Verdict:
        self._patch.setattr(adapter, "read_path", reader)
        return judge(truth, layout, self._folder)


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judged:
    return Judged(tmp_path, monkeypatch)


@pytest.mark.parametrize("waiting", [0, 1])
def test_a_right_reading_has_no_fault(judged: Judged, waiting: int) -> None:
    """The booked rows count; one that waits may be left out, and a declined one must be."""
    verdict = judged(Reader(reading(RIGHT, waiting=waiting)))
    assert verdict.faults == []
    assert not verdict.is_needless


@pytest.mark.parametrize(
    ("rows", "currency", "fault"),
    [
        ([(20240310, -1250), (20240311, 4200), (20240312, 999)], "EUR", "direction"),
        ([(20240310, -1250), (20240311, 4200), (20240312, -998)], "EUR", "amount column"),
        ([(day, amount * 100) for day, amount in RIGHT], "EUR", "decimal sign"),
        ([(day, amount // 10 * 10) for day, amount in RIGHT], "EUR", "amount column"),
        ([(20240310, -1250), (20241103, 4200), (20240312, -999)], "EUR", "day order"),
        ([(20240310, -1250), (20240312, 4200), (20240314, -999)], "EUR", "date column"),
        (RIGHT, "USD", "currency"),
        ([(day, round(amount / 100)) for day, amount in RIGHT], "JPY", "currency"),
        (RIGHT[:2], "EUR", "rows"),
        ([*RIGHT, (20240312, -70)], "EUR", "states"),
    ],
)
def test_what_is_wrong_without_a_question_is_silent(
    judged: Judged, rows: list[tuple[int, int]], currency: str, fault: str
) -> None:
    """A day, size, sign or currency that differs is a fault of its subject, and of no other."""
    verdict = judged(Reader(reading(rows, currency)))
    assert verdict.faults == [f"silent: {fault}"]
    assert f"silent: {fault}" in story(verdict)


def test_newest_first_is_the_order_of_the_file(judged: Judged) -> None:
    """Rows are compared in the order in which the file has them."""
    upward = replace(PLAIN, newest_first=True)
    assert judged(Reader(reading(RIGHT[::-1])), upward).faults == []
    assert "silent: day order" in judged(Reader(reading(RIGHT)), upward).faults


def question(hint: str, *choices: str) -> AmbiguousStatement:
    return AmbiguousStatement(Question(hint, "Which?", tuple(Choice(each, "") for each in choices)))


@pytest.mark.parametrize(
    ("asked", "layout", "field", "answer"),
    [
        (question("date_order", "dmy", "ymd"), PLAIN, "date_order", "ymd"),
        (question("decimal_sign", ",", "."), PLAIN, "decimal_sign", "."),
        (question("currency", "USD"), PLAIN, "currency", "EUR"),
        (question("encoding", "cp1252"), PLAIN, "encoding", "utf-8"),
    ],
)
def test_a_question_is_answered_from_the_truth(
    judged: Judged, asked: AmbiguousStatement, layout: Layout, field: str, answer: str
) -> None:
    """The reader is asked again with the true answer, and the question was a needless one."""
    reader = Reader(reading(RIGHT), asked)
    verdict = judged(reader, layout)
    assert getattr(reader.hints[-1], field) == answer
    assert verdict.faults == []
    assert verdict.is_needless


@pytest.mark.parametrize(
    ("signs", "columns", "truth", "choices", "is_answered"),
    [
        ("signed", ("amount",), TRUTH, ("in",), True),
        ("signed", ("amount",), TRUTH, ("out", "negate"), False),
        ("inverse", ("amount",), TRUTH, ("out",), True),
        ("inverse", ("amount",), TRUTH, ("in",), False),
        ("two_columns", ("debit", "credit"), TRUTH, ("out", "in"), False),
        ("two_columns", ("debit", "credit"), replace(TRUTH, rows=TRUTH.rows[:1]), ("out",), True),
        ("unsigned", ("amount", "balance"), TRUTH, ("first:out",), True),
        ("unsigned", ("amount", "balance"), TRUTH, ("first:in",), False),
        ("unsigned", ("amount",), TRUTH, ("first:out", "first:in"), False),
        ("mark", ("amount", "mark"), TRUTH, ("marks:Debit/Credit",), True),
        ("mark", ("amount", "mark"), TRUTH, ("in", "marks:Credit/Debit"), False),
        ("unsigned", ("amount",), TRUTH, ("in", "out"), False),
        ("unsigned", ("amount",), replace(TRUTH, rows=TRUTH.rows[:1]), ("in",), False),
        ("unsigned", ("amount",), replace(TRUTH, rows=TRUTH.rows[:1]), ("out",), True),
        ("unsigned", ("amount",), replace(TRUTH, rows=TRUTH.rows[1:2]), ("in",), True),
    ],
)
def test_a_direction_is_answered_where_a_choice_is_true(
    judged: Judged, signs: Any, columns: tuple[str, ...], truth: Truth, choices: tuple[str, ...],
    is_answered: bool,
) -> None:  # fmt: skip
    """A choice is true when it is so of every row; where none is, nothing can be answered."""
    balance: Balance = "after" if "balance" in columns else "none"
    layout = replace(PLAIN, signs=signs, columns=("date", "text", *columns), balance=balance)
    verdict = judged(Reader(reading(RIGHT), question("direction", *choices)), layout, truth)
    assert (verdict.outcome.unanswerable == "") == is_answered


@pytest.mark.parametrize(
    ("columns", "choice", "is_answered"),
    [
        (("debit", "credit"), "out", True),
        (("debit", "credit"), "in", False),
        (("credit", "debit"), "out", False),
        (("credit", "debit"), "in", True),
    ],
)
def test_of_two_columns_the_first_one_is_meant(
    judged: Judged, columns: tuple[str, ...], choice: str, *, is_answered: bool
) -> None:
    """A question on two columns is answered by their places, whatever the rows are."""
    layout = replace(PLAIN, signs="two_columns", columns=("date", "text", *columns))
    asked = AmbiguousStatement(
        Question("direction", "Which of the two columns goes out?", (Choice(choice, ""),))
    )
    verdict = judged(Reader(reading(RIGHT), asked), layout)
    assert (verdict.outcome.unanswerable == "") == is_answered


def test_an_open_subject_must_be_asked(judged: Judged) -> None:
    """What nothing in the file shows is a fault when it is taken, even rightly, but not when asked."""
    assert judged(Reader(reading(RIGHT)), CARD).faults == ["taken: direction"]
    asked = judged(Reader(reading(RIGHT), question("direction", "out")), CARD)
    assert asked.faults == []
    assert not asked.is_needless
    assert judged(Reader(UnreadableStatement("No.")), CARD).faults == []


def test_wrong_after_the_answer_is_a_fault_of_its_own(judged: Judged) -> None:
    """A question answered with the truth leads to a right reading."""
    turned = [(day, -amount) for day, amount in RIGHT]
    verdict = judged(Reader(reading(turned), question("direction", "out")), CARD)
    assert verdict.faults == ["wrong after the answer: direction"]


def test_a_question_that_comes_back_is_a_refusal(judged: Judged) -> None:
    """A reader that asks the same again has not heard the answer."""
    asks = question("date_order", "ymd")
    verdict = judged(Reader(reading(RIGHT), asks, asks))
    assert verdict.outcome.refusal.startswith("asked twice")
    assert verdict.is_needless


def test_the_table_counts_by_subject(judged: Judged) -> None:
    """Right, needless and faulty files are counted apart, and the smallest of each fault is kept."""
    tally = Tally()
    tally.add(judged(Reader(reading(RIGHT))))
    tally.add(judged(Reader(UnreadableStatement("No."))))
    tally.add(judged(Reader(reading(RIGHT, "USD"))))
    short = replace(TRUTH, rows=TRUTH.rows[:1])
    tally.add(judged(Reader(reading(RIGHT[:1], "USD")), PLAIN, short))
    tally.add(judged(Reader(reading(RIGHT)), CARD))
    assert (tally.files, tally.provable, tally.read) == (5, 3, 1)
    assert tally.faults == {"silent: currency": 2, "taken: direction": 1}
    assert tally.needless == {"needless: refused": 1}
    assert len(tally.smallest["silent: currency"].truth.rows) == 1
    direction = tally.table().splitlines()[2].split()
    assert direction == ["direction", "3", "0", "1", "0", "1", "0", "1", "0", "0"]
    assert "5 layouts, 3 provable" in tally.table()
