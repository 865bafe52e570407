"""Laws of the judge of drawn layouts: what it calls wrong, asked, taken and needless.

Laws of the labels: what a careful person can know from a file, and what nobody can.
"""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from finplan.statements import statement
from finplan.statements.table.direction import WAY_OF_COLUMNS
from tests.statements.layouts import judge as judging, printing
from tests.statements.layouts.judge import Tally, Verdict, judge, story
from tests.statements.layouts.labels import Label, Subject, label
from tests.statements.layouts.layout import Balance, Layout, TrueRow, Truth
from tests.statements.layouts.writing import write
from tests.statements.reading_files import Statement

PLAIN = Layout(
    printing.languages()[0],
    "named",
    ("date", "text", "amount", "value_date", "status"),
    "signed",
    printing.YEAR_FIRST[0],
    printing.NUMBERS[0],
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
    found = [statement.StatementRow(day, amount, "text") for day, amount in rows]
    found += [statement.StatementRow(20240312, -50, "text", pending=True)] * waiting
    account = statement.StatementAccount(None, "export", currency)
    return Statement(
        "csv", "utf-8", (statement.StatementPart(account, statement.StatementRows.of(found)),)
    )


class Reader:
    """Stands in for the reader: asks its questions in turn, then gives a statement or refuses."""

    def __init__(
        self, result: Statement | Exception, *questions: statement.AmbiguousStatement
    ) -> None:
        self.hints: list[statement.Hints] = []
        self._result = result
        self._questions = list(questions)

    def __call__(self, _: Path, hints: statement.Hints) -> Statement:
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
        self._patch.setattr(judging, "read_path", reader)
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


def question(hint: str, *choices: str) -> statement.AmbiguousStatement:
    return statement.AmbiguousStatement(
        statement.Question(hint, "Which?", tuple(statement.Choice(each, "") for each in choices))
    )


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
    judged: Judged, asked: statement.AmbiguousStatement, layout: Layout, field: str, answer: str
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
    asked = statement.AmbiguousStatement(
        statement.Question("direction", WAY_OF_COLUMNS, (statement.Choice(choice, ""),))
    )
    verdict = judged(Reader(reading(RIGHT), asked), layout)
    assert (verdict.outcome.unanswerable == "") == is_answered


def test_an_open_subject_must_be_asked(judged: Judged) -> None:
    """What nothing in the file shows is a fault when it is taken, even rightly, but not when asked."""
    assert judged(Reader(reading(RIGHT)), CARD).faults == ["taken: direction"]
    asked = judged(Reader(reading(RIGHT), question("direction", "out")), CARD)
    assert asked.faults == []
    assert not asked.is_needless
    assert judged(Reader(statement.UnreadableStatement("No.")), CARD).faults == []


def test_wrong_after_the_answer_is_a_fault_of_its_own(judged: Judged) -> None:
    """A question answered with the truth leads to a right reading."""
    turned = [(day, -amount) for day, amount in RIGHT]
    verdict = judged(Reader(reading(turned), question("direction", "out")), CARD)
    assert verdict.answered == {"direction"}
    assert len(verdict.faults) == 1


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
    tally.add(judged(Reader(statement.UnreadableStatement("No."))))
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


ENGLISH = printing.languages()[0]
POLISH = next(each for each in printing.languages() if each.code == "pl")
BRAZIL = next(each for each in printing.languages() if each.code == "pt-BR")
CROATIAN = next(each for each in printing.languages() if each.code == "hr")
GERMAN = next(each for each in printing.languages() if each.code == "de")
PLAIN_ENGLISH = Layout(
    ENGLISH,
    "named",
    ("date", "text", "amount"),
    "signed",
    printing.YEAR_FIRST[0],
    printing.NUMBERS[0],
    "column",
)
SPENT = (-1250, -4200, 150_000, -999, -1, -75_000)


def account(amounts: tuple[int, ...] = SPENT, start: str = "2024-03-10", **other: object) -> Truth:
    """An account with a row each day, in euros."""
    first = date.fromisoformat(start)
    rows = tuple(
        TrueRow(first + timedelta(days=place), amount, "Orvella")
        for place, amount in enumerate(amounts)
    )
    return replace(Truth(rows, "EUR", 100_000), **other)  # type: ignore[arg-type]


def is_(subject: Subject, truth: Truth, **choices: object) -> Label:
    """Label a plain layout with some other choices."""
    layout = replace(PLAIN_ENGLISH, **choices)  # type: ignore[arg-type]
    return label(truth, layout, write(truth, layout)).of[subject]


@pytest.mark.parametrize(
    ("start", "style", "labelled"),
    [
        ("2024-03-10", printing.YEAR_FIRST[0], "provable"),
        ("2024-03-10", printing.NAMED[0], "provable"),
        ("2024-03-10", printing.DAY_FIRST[0], "provable"),
        ("2024-03-01", printing.DAY_FIRST[0], "open"),
        ("2024-03-01", printing.MONTH_FIRST[0], "open"),
        ("2024-03-01", printing.DAY_FIRST[1], "either"),
        ("2024-03-01", printing.SHORT_YEAR_FIRST[0], "either"),
        ("2024-03-07", printing.DAY_FIRST[0], "open"),
        ("2024-03-08", printing.DAY_FIRST[0], "provable"),
    ],
)
def test_order_of_days(start: str, style: object, labelled: Label) -> None:
    """A year in front, a month's name or a day above 12 shows the order; points come near to it."""
    assert is_("day order", account(start=start), dates=style) == labelled


def test_days_in_order_in_one_reading_alone() -> None:
    """Four days that only one reading puts in order prove it; three may stand so by chance."""
    days = [date(2024, 1, 3), date(2024, 2, 9), date(2024, 3, 2), date(2024, 4, 1)]
    rows = tuple(TrueRow(day, -100, "Orvella") for day in days)
    assert is_("day order", Truth(rows, "EUR", 0), dates=printing.DAY_FIRST[0]) == "provable"
    assert is_("day order", Truth(rows[:3], "EUR", 0), dates=printing.DAY_FIRST[0]) == "either"


def test_day_and_month_that_are_equal_have_no_order() -> None:
    """Where day and month are the same number, every reading is the same."""
    rows = (TrueRow(date(2024, 2, 2), -1, "Orvella"),) * 2
    columns = ("date", "text", "amount", "value_date")
    assert is_("day order", Truth(rows, "EUR", 0), dates=printing.DAY_FIRST[0]) == "provable"
    assert (
        is_("day order", Truth(rows, "EUR", 0), dates=printing.DAY_FIRST[0], columns=columns)
        == "provable"
    )


def test_another_language_hardly_puts_the_month_first() -> None:
    """Below words of another language than English, whoever takes the day to be first may."""
    truth = account(start="2024-03-01")
    assert is_("day order", truth, dates=printing.DAY_FIRST[0], language=GERMAN) == "either"
    assert (
        is_("day order", truth, dates=printing.DAY_FIRST[0], language=GERMAN, header="none")
        == "open"
    )


def test_a_month_of_two_languages_shows_no_order_by_itself() -> None:
    """Croatia's October is the November of others, unless a word or another month tells the language."""
    october = account(start="2024-10-10")
    made: dict[str, object] = {"dates": printing.NAMED[0], "language": CROATIAN}
    assert is_("day order", october, **made) == "provable"
    assert is_("day order", october, header="none", **made) == "open"
    assert is_("day order", october, header="none", footer=("total",), **made) == "provable"
    assert is_("day order", account(start="2024-10-29"), header="none", **made) == "provable"
    assert is_("day order", account(start="2024-09-10"), header="none", **made) == "provable"


@pytest.mark.parametrize(
    ("signs", "amounts", "labelled"),
    [
        ("signed", SPENT, "provable"),
        ("signed", (-5, 3, 2), "open"),
        ("signed", (-5, 3), "either"),
        ("signed", (-5, -3), "either"),
        ("signed", (5, 3), "open"),
        ("suffix", SPENT, "provable"),
        ("inverse", SPENT, "open"),
        ("payment_plus", SPENT, "provable"),
        ("payment_cr", SPENT, "provable"),
        ("payment_cr", (-5, -3), "open"),
        ("unsigned", SPENT, "open"),
    ],
)
def test_printed_direction(signs: str, amounts: tuple[int, ...], labelled: Label) -> None:
    """Both signs where they should be, or CR and DR, show the direction; none or turned ones do not."""
    assert is_("direction", account(amounts), signs=signs) == labelled


def test_thanks_show_who_paid() -> None:
    """A payment's thank-you shows it with a sign of its own; without any it comes near to it."""
    assert is_("direction", account(), signs="inverse", thanks=True) == "provable"
    assert is_("direction", account(), signs="unsigned", thanks=True) == "either"
    assert is_("direction", account((-5, -3)), signs="inverse", thanks=True) == "open"


@pytest.mark.parametrize(
    ("choices", "labelled"),
    [
        ({}, "provable"),
        ({"marks": ("D", "C")}, "provable"),
        ({"mark_is_named": False}, "provable"),
        ({"mark_is_named": False, "marks": ("D", "C")}, "either"),
        ({"marks": ("X", "Y"), "marks_are_known": False}, "either"),
        ({"marks": ("X", "Y"), "marks_are_known": False, "mark_is_named": False}, "open"),
        ({"marks": ("O", "I"), "marks_are_known": False, "mark_is_named": False}, "either"),
        ({"marks": ("X", "Y"), "marks_are_known": False, "marked_and_signed": True}, "provable"),
    ],
)
def test_marks(choices: dict[str, object], labelled: Label) -> None:
    """Words for in and out show the direction; a letter needs a name, and X and Y say nothing."""
    columns = ("date", "text", "amount", "mark")
    assert is_("direction", account(), signs="mark", columns=columns, **choices) == labelled


@pytest.mark.parametrize(
    ("choices", "labelled"),
    [
        ({}, "provable"),
        ({"header": "none"}, "open"),
        ({"header": "none", "fill": "zero"}, "open"),
        ({"header": "none", "debit_minus": True}, "provable"),
        ({"header": "unknown", "debit_minus": True, "fill": "dash"}, "either"),
    ],
)
def test_two_columns(choices: dict[str, object], labelled: Label) -> None:
    """The names of two columns, or a minus in one of them, show which one goes out."""
    columns = ("date", "text", "debit", "credit")
    assert is_("direction", account(), signs="two_columns", columns=columns, **choices) == labelled


@pytest.mark.parametrize(
    ("amounts", "choices", "labelled"),
    [
        (SPENT, {"signs": "inverse"}, "provable"),
        (SPENT[:4], {"signs": "inverse"}, "provable"),
        (SPENT[:3], {"signs": "inverse"}, "open"),
        (SPENT, {"signs": "inverse", "contradicted": 2}, "open"),
        (SPENT, {"signs": "inverse", "balance": "before"}, "either"),
        (SPENT, {"signs": "inverse", "balance": "owed"}, "either"),
        (SPENT[:3], {"signs": "inverse", "balance": "owed"}, "open"),
        (SPENT, {"signs": "signed", "contradicted": 2}, "either"),
        (SPENT, {"signs": "signed", "balance": "owed"}, "either"),
        (SPENT, {"signs": "unsigned"}, "either"),
        ((-1, -2, -3, -4), {"signs": "unsigned"}, "either"),
        ((-1, -2, -3, -4), {"signs": "inverse"}, "either"),
        ((-1, -2, -3, -4), {"signs": "signed"}, "provable"),
        ((1, 2, 3, 4), {"signs": "unsigned"}, "either"),
        ((1, 2, 3, 4), {"signs": "signed"}, "either"),
        ((1, 2, 3, 4), {"signs": "signed", "plus": True}, "provable"),
        ((1, 2, 3, -4), {"signs": "signed"}, "provable"),
        ((1, 2), {"signs": "signed"}, "either"),
        ((1, 2), {"signs": "signed", "balance": "before"}, "open"),
        ((-1, -2, -3), {"signs": "unsigned"}, "open"),
    ],
)
def test_a_running_balance(
    amounts: tuple[int, ...], choices: dict[str, object], labelled: Label
) -> None:
    """Three steps of a balance show the direction, unless one contradicts them; a debt's nearly does."""
    columns = ("date", "text", "amount", "balance")
    made: dict[str, object] = {"columns": columns, "balance": "after"} | choices
    assert is_("direction", account(amounts), **made) == labelled


def test_rows_of_one_day_do_not_say_which_came_first() -> None:
    """Where all rows are of one day, a balance could also have been printed the other way round."""
    rows = tuple(replace(row, day=date(2024, 3, 10)) for row in account().rows)
    columns = ("date", "text", "amount", "balance")
    truth = Truth(rows, "EUR", 0)
    assert is_("direction", truth, signs="inverse", columns=columns, balance="after") == "either"


@pytest.mark.parametrize(
    ("columns", "choices", "labelled"),
    [
        (("amount",), {}, "provable"),
        (("amount", "foreign"), {}, "either"),
        (("amount", "rate"), {}, "either"),
        (("amount", "balance"), {"balance": "after"}, "provable"),
        (("amount", "balance"), {"balance": "after", "contradicted": 2}, "either"),
        (("amount", "balance", "fee"), {"balance": "after"}, "either"),
        (("debit", "credit"), {"signs": "two_columns"}, "provable"),
        (("debit", "credit", "price"), {"signs": "two_columns"}, "either"),
        (("amount", "price"), {"signs": "unsigned"}, "open"),
        (("amount", "fee"), {"signs": "unsigned"}, "open"),
        (
            ("debit", "credit", "balance"),
            {"signs": "two_columns", "balance": "after", "contradicted": 2},
            "either",
        ),
    ],
)
def test_amounts_without_names(
    columns: tuple[str, ...], choices: dict[str, object], labelled: Label
) -> None:
    """Without names, a single column, two in turns or the steps of a balance show the amounts."""
    made: dict[str, object] = {"columns": ("date", "text", *columns), **choices}
    assert is_("amount column", account(), header="none", **made) == labelled
    assert is_("amount column", account(), header="named", **made) == "provable"


def test_a_column_of_zeros_is_no_rival() -> None:
    """Nobody takes a column of nothing but zeros for the amounts."""
    made: dict[str, object] = {"columns": ("date", "text", "amount", "fee"), "signs": "unsigned"}
    rows = account(SPENT[:3])
    assert is_("amount column", rows, header="none", names=1, **made) == "either"
    assert is_("amount column", rows, header="none", names=0, **made) == "open"


def test_a_third_column_in_turns_leaves_the_amounts_open() -> None:
    """A foreign amount beside every row that goes out takes turns with what comes in, too."""
    columns = ("date", "text", "debit", "credit", "foreign")
    made: dict[str, object] = {"columns": columns, "signs": "two_columns", "header": "none"}
    assert is_("amount column", account((-5, 7, -9)), names=1, **made) == "either"
    assert is_("amount column", account((5, -7, -9)), names=0, **made) == "open"


def test_decimal_sign() -> None:
    """Other than three digits behind a sign show that it is decimal; else the currency may."""
    dinars = account((-1250, -4200, -1_250_000), currency="TND")
    assert is_("decimal sign", account()) == "provable"
    assert is_("decimal sign", dinars) == "provable"
    whole = account((-123_400, -567_800))
    trimmed = replace(printing.NUMBERS[1], trimmed=True)
    assert is_("decimal sign", whole, numbers=trimmed) == "open"
    assert is_("decimal sign", whole, numbers=trimmed, unit="nowhere") == "either"
    rated = ("date", "text", "amount", "rate")
    assert is_("decimal sign", whole, numbers=trimmed, columns=rated) == "either"
    four = account((-123_400, -567_800, -123_400, -567_800))
    stated: dict[str, object] = {"balance": "after", "columns": (*rated[:3], "balance")}
    assert is_("decimal sign", four, numbers=trimmed, **stated) == "either"
    forints = account((-123_400, -567_800), currency="HUF")
    assert is_("decimal sign", forints, numbers=trimmed) == "provable"
    assert is_("decimal sign", dinars, numbers=printing.NUMBERS[1]) == "provable"
    assert is_("decimal sign", dinars, unit="nowhere") == "either"
    assert is_("decimal sign", dinars, unit="nowhere", numbers=printing.NUMBERS[1]) == "provable"
    assert is_("decimal sign", account((-125, -999), currency="JPY"), unit="nowhere") == "provable"


@pytest.mark.parametrize(
    ("choices", "currency", "labelled"),
    [
        ({"unit": "column"}, "EUR", "provable"),
        ({"unit": "iban"}, "EUR", "provable"),
        ({"unit": "cell symbol"}, "EUR", "provable"),
        ({"unit": "cell symbol"}, "USD", "open"),
        ({"unit": "file name"}, "EUR", "either"),
        ({"unit": "nowhere"}, "EUR", "open"),
        ({"unit": "nowhere", "language": POLISH}, "PLN", "provable"),
        ({"unit": "nowhere", "language": POLISH, "header": "none"}, "PLN", "open"),
        ({"unit": "nowhere", "language": POLISH, "columns": ("date", "amount")}, "PLN", "either"),
        ({"unit": "nowhere", "language": GERMAN}, "EUR", "open"),
        ({"unit": "nowhere", "language": BRAZIL, "names": 2}, "BRL", "open"),
        ({"unit": "nowhere", "language": BRAZIL, "names": 0}, "BRL", "either"),
    ],
)
def test_currency(choices: dict[str, object], currency: str, labelled: Label) -> None:
    """A code, an own symbol, an IBAN or the language of one country names the currency."""
    assert is_("currency", account(currency=currency), **choices) == labelled
