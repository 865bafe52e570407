"""Compares what a reader makes of a file with the truth, for one drawn file or for many.

How the judge asks the reader: a file read, its questions, and the true answer to each of them.
Many are added up, and the smallest file of each class of fault is told as a story.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from finplan.statements.statement import AmbiguousStatement, Hints, Question, UnreadableStatement
from finplan.statements.table.direction import WAY_OF_COLUMNS
from tests.statements.layouts.labels import Labels, label
from tests.statements.layouts.layout import Layout, TrueRow, Truth, draw, exponent
from tests.statements.layouts.writing import Written, write
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
            return _directions(
                truth, layout, written, about_columns=question.text == WAY_OF_COLUMNS
            )
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


ROWS, STATES, DATES = "rows", "states", "date column"
"""Subjects that no question is about: rows that are missing, rows too many that wait or were declined,
and days taken from the second column of dates."""


@dataclass(frozen=True)
class Verdict:
    """What became of one file.

    `silent` are the subjects that were read wrongly without a question about them, `answered` those
    read wrongly although the question was answered with the truth, and `taken` the open ones that were
    taken without a question.
    """

    truth: Truth
    layout: Layout
    written: Written
    labels: Labels
    outcome: Answered
    silent: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()

    @property
    def asked(self) -> set[str]:
        """The subjects that were asked about, and other questions by their own name."""
        return {SUBJECTS.get(hint, hint) for hint in self.outcome.asked}

    @property
    def is_needless(self) -> bool:
        """Say whether a file that leaves nothing open was asked about or refused."""
        return self.labels.is_provable and bool(self.outcome.asked or self.outcome.refusal)

    @property
    def faults(self) -> list[str]:
        """What must never happen, as classes of fault."""
        found = {
            "silent": self.silent,
            "wrong after the answer": self.answered,
            "taken": self.taken,
        }
        return [
            f"{fault}: {subject}"
            for fault, subjects in found.items()
            for subject in sorted(subjects)
        ]


def judge(truth: Truth, layout: Layout, folder: Path) -> Verdict:
    """Write a file into a folder, have it read, and compare."""
    written = write(truth, layout)
    path = folder / written.name
    path.write_bytes(written.content)
    labels = label(truth, layout, written)
    outcome = read_and_answer(path, truth, layout, written)
    verdict = Verdict(truth, layout, written, labels, outcome)
    if outcome.statement is None:
        return verdict
    wrong = differences(outcome.statement, truth, layout, written)
    asked = verdict.asked
    opened = {subject for subject, is_ in labels.of.items() if is_ == "open"}
    return Verdict(
        truth, layout, written, labels, outcome,
        silent=frozenset(wrong - asked),
        answered=frozenset(wrong & asked),
        taken=frozenset(opened - asked - wrong),
    )  # fmt: skip


def differences(statement: Statement, truth: Truth, layout: Layout, written: Written) -> set[str]:
    """Name the subjects in which the booked rows of a reading differ from the truth.

    A row that waits may be left out or read as waiting; a declined one is none.
    """
    booked = [row for row in statement.rows if not row.pending]
    true = truth.booked[::-1] if layout.newest_first else truth.booked
    if len(booked) != len(true):
        return {STATES if len(booked) > len(true) else ROWS}
    found = set[str]()
    days = [row.day for row in booked]
    if days != [row.number for row in true]:
        found.add(DATES if days == _value_days(written) else "day order")
    wrong = {account.currency for account in statement.accounts} - {truth.currency}
    found |= {"currency"} if wrong else set()
    # In another currency, the same printed number is another number of minor units.
    lost = exponent(truth.currency) - exponent(min(wrong, default=truth.currency))
    pairs = [(row.amount, is_.amount) for row, is_ in zip(booked, true, strict=True)]
    return found | _in_amounts(pairs, lost)


def _value_days(written: Written) -> list[int]:
    """The second date of each booked row, its only one where that is blank."""
    both = zip(written.rows, written.value_days, strict=True)
    return [
        row.number if day is None else day.year * 10000 + day.month * 100 + day.day
        for row, day in both
        if row.state == "booked"
    ]


def _in_amounts(pairs: list[tuple[int, int]], lost: int) -> set[str]:
    """Compare amounts read with true ones, which have `lost` more decimals."""
    sizes = [(abs(amount), abs(true) / 10**lost) for amount, true in pairs]
    if all(abs(amount - true) < 1 for amount, true in sizes):
        is_turned = any(amount * true < 0 for amount, true in pairs)
        return {"direction"} if is_turned else set()
    powers = [10.0**power for power in range(-6, 7)]
    is_scaled = any(all(amount == true * power for amount, true in sizes) for power in powers)
    return {"decimal sign"} if is_scaled else {"amount column"}


TABLE = ("day order", "direction", "amount column", "decimal sign", "currency", DATES, ROWS, STATES)
_COUNTED = ("provable", "asked", "either", "asked", "open", "asked", "taken", "silent", "answered")
_FAULTS = ("taken", "silent", "wrong after the answer")


@dataclass
class Tally:
    """Counts over many files, and the smallest file of each class of fault."""

    files: int = 0
    provable: int = 0
    read: int = 0
    labels: Counter[tuple[str, str]] = field(default_factory=Counter)
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    needless: Counter[str] = field(default_factory=Counter)
    smallest: dict[str, Verdict] = field(default_factory=dict)

    def add(self, verdict: Verdict) -> None:
        """Take in one file."""
        self.files += 1
        for subject, is_ in verdict.labels.of.items():
            self.labels[subject, is_] += 1
            self.asked[subject, is_] += subject in verdict.asked
        classes = list(verdict.faults)
        self.faults.update(classes)
        if verdict.labels.is_provable:
            self.provable += 1
            self.read += not (verdict.is_needless or verdict.faults)
        if verdict.is_needless:
            classes += [f"needless: {what}" for what in verdict.asked or {"refused"}]
            self.needless.update(f"needless: {what}" for what in verdict.asked or {"refused"})
        for each in classes:
            self._keep_smallest(each, verdict)

    def _keep_smallest(self, fault: str, verdict: Verdict) -> None:
        known = self.smallest.get(fault)
        if known is None or len(verdict.written.content) < len(known.written.content):
            self.smallest[fault] = verdict

    def table(self) -> str:
        """The counts as a page: a line for each subject."""
        head = ("subject", *_COUNTED)
        lines = [head, *(self._line(subject) for subject in TABLE)]
        widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
        page = ["  ".join(_cells(line, widths)) for line in lines]
        share = self.read / max(1, self.provable)
        page.append(
            f"{self.files} layouts, {self.provable} provable in every subject;"
            f" of these {share:.1%} read right without a question."
        )
        return "\n".join(page)

    def _line(self, subject: str) -> tuple[str, ...]:
        counts = [
            count
            for is_ in ("provable", "either", "open")
            for count in (self.labels[subject, is_], self.asked[subject, is_])
        ]
        faults = (self.faults[f"{fault}: {subject}"] for fault in _FAULTS)
        return (subject, *map(str, counts), *map(str, faults))


def _cells(line: tuple[str, ...], widths: list[int]) -> Iterable[str]:
    for place, (cell, width) in enumerate(zip(line, widths, strict=True)):
        yield cell.ljust(width) if place == 0 else cell.rjust(width)


def tallied(seed: int, count: int) -> Tally:
    """Judge so many drawn files; file N of a seed is the same each time."""
    tally = Tally()
    with TemporaryDirectory() as folder:
        for number in range(count):
            try:
                tally.add(judge(*draw(Random(f"{seed}/{number}")), Path(folder)))
            except Exception as error:
                error.add_note(f"while layout {number} of seed {seed} was read")
                raise
    return tally


def story(verdict: Verdict) -> str:
    """Tell of one file: what it says, what is true, what the labels are, and what was read."""
    outcome, written = verdict.outcome, verdict.written
    text = written.content.decode(written.charset)
    true = [f"{row.number} {row.amount} {row.state}" for row in verdict.written.rows]
    read = ["nothing"]
    if outcome.statement is not None:
        found = outcome.statement
        currencies = " ".join(account.currency for account in found.accounts)
        states = {True: "pending", False: "booked"}
        read = [f"{row.day} {row.amount} {states[row.pending]}" for row in found.rows]
        read.append(f"in {currencies}, {found.encoding}")
    return "\n".join(
        [
            f"file {written.name}, {written.charset}",
            f"layout: {verdict.layout.language.code}, {verdict.layout.header}, {verdict.layout.signs}",
            text,
            "labels: "
            + ", ".join(f"{subject} {is_}" for subject, is_ in verdict.labels.of.items()),
            f"asked: {outcome.asked} {outcome.unanswerable and 'no true choice'} {outcome.refusal}",
            f"faults: {verdict.faults}",
            f"true, in {verdict.truth.currency}: " + "; ".join(true),
            "read: " + "; ".join(read),
        ]
    )
