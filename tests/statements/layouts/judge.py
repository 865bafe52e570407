"""Compares what a reader makes of a file with the truth."""

from dataclasses import dataclass
from pathlib import Path

from tests.statements.layouts.adapter import SUBJECTS, Answered, read_and_answer
from tests.statements.layouts.labels import Labels, label
from tests.statements.layouts.layout import Layout
from tests.statements.layouts.truth import Truth, exponent
from tests.statements.layouts.writing import Written, write
from tests.statements.reading_files import Statement

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
