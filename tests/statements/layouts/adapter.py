"""How the judge asks the reader: a file read, its questions, and the true answer to each of them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import chain
from pathlib import Path
from typing import Any

from finplan.statements.statement import AmbiguousStatement, Hints, Question, UnreadableStatement
from tests.statements.layouts.layout import Layout
from tests.statements.layouts.truth import TrueRow, Truth
from tests.statements.layouts.writing import Written
from tests.statements.reading_files import Statement, read_path

SUBJECTS: Mapping[str, str] = {
    "date_order": "day order",
    "direction": "direction",
    "amount_column": "amount column",
    "decimal_sign": "decimal sign",
    "currency": "currency",
}
"""Which subject each question of the reader is about; any other question is about none of them."""

_MOST_ROUNDS = 8
_AMOUNTS = ("amount", "debit", "credit")


@dataclass(frozen=True)
class Answered:
    """A file read after its questions were answered from the truth.

    `statement` is None when it was refused, for the reason `refusal`, or when a question, named in
    `unanswerable`, had no true choice.
    """

    statement: Statement | None
    asked: tuple[str, ...]
    refusal: str = ""
    unanswerable: str = ""


def read_and_answer(path: Path, truth: Truth, layout: Layout, written: Written) -> Answered:
    """Read a file as a first import, answering what is asked."""
    hints, asked = Hints(), list[str]()
    for _ in range(_MOST_ROUNDS):
        try:
            statement = read_path(path, hints)
        except UnreadableStatement as error:
            return Answered(None, tuple(asked), refusal=str(error))
        except AmbiguousStatement as error:
            for question in error.questions:
                hint = question.about
                if hint in asked:
                    return Answered(None, tuple(asked), refusal=f"asked twice: {error}")
                asked.append(hint)
                answer = _answer(question, truth, layout, written)
                if answer is None:
                    return Answered(None, tuple(asked), unanswerable=hint)
                hints = _with_answer(hints, hint, answer)
        else:
            return Answered(statement, tuple(asked))
    return Answered(None, tuple(asked), refusal="asked without an end")


def _with_answer(hints: Hints, hint: str, answer: str) -> Hints:
    known = {field.name for field in fields(Hints)}
    answers: dict[str, Any] = {hint: answer} if hint in known else {}
    return replace(hints, **answers)


def _answer(question: Question, truth: Truth, layout: Layout, written: Written) -> str | None:
    """The true choice of a question, None where there is none."""
    hint, choices = question.about, [choice.value for choice in question.choices]
    if hint == "currency":
        # Whoever is asked may name a currency that was not among the choices.
        return truth.currency
    if hint == "encoding":
        return written.charset
    true = _true_choices(question, truth, layout, written)
    return next((choice for choice in choices if choice in true), None)


def _true_choices(question: Question, truth: Truth, layout: Layout, written: Written) -> set[str]:
    match question.about:
        case "date_order":
            return {layout.dates.order}
        case "decimal_sign":
            return {layout.numbers.decimal}
        case "direction":
            return _directions(truth, layout, written, about_columns="two columns" in question.text)
        case "amount_column":
            # Of two columns, either one names both.
            places = [layout.columns.index(name) for name in _AMOUNTS if layout.has(name)]
            names = (written.header[place : place + 1] for place in places)
            return {*(str(place + 1) for place in places), *chain.from_iterable(names)}
        case _:
            return set()


def _unshown(truth: Truth, layout: Layout, written: Written) -> list[TrueRow]:
    """The booked rows whose way neither a balance, with the one before it, nor a thank-you shows."""
    before = (None, *written.balances[:-1])
    return [
        row
        for row, *balances in zip(truth.booked, before, written.balances, strict=True)
        if None in balances and not (layout.thanks and row.amount > 0)
    ]


def _directions(truth: Truth, layout: Layout, written: Written, *, about_columns: bool) -> set[str]:
    """The answers that are true of every row: which way goes what has no minus, or which mark is out.

    `about_columns` says that the question is which one of two columns goes out; where only one of the
    two is ever filled, it may be about that one's amounts. An answer on the rows that a balance does
    not show is true of all of them.
    """
    amounts = [row.amount for row in truth.rows]
    if about_columns and layout.signs != "two_columns":
        return set()
    if about_columns:
        debit, credit = map(layout.columns.index, ("debit", "credit"))
        return {"out"} if debit < credit else {"in"}
    true = {f"marks:{'/'.join(layout.marks)}"} if layout.signs == "mark" else set[str]()
    ways = {row.amount > 0 for row in _unshown(truth, layout, written)}
    true |= {"first:in" if way else "first:out" for way in ways} if len(ways) == 1 else set()
    is_outward_minus = layout.signs == "two_columns" and layout.debit_minus
    if layout.signs == "inverse":
        true |= {"out", "negate"}
    elif (
        layout.signs == "signed"
        or layout.marked_and_signed
        or is_outward_minus
        or all(amount > 0 for amount in amounts)
    ):
        true |= {"in"}
    elif all(amount < 0 for amount in amounts):
        true |= {"out", "negate"}
    return true
