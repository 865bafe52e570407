"""Many drawn files judged and added up, and the smallest file of each class of fault told as a story."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.statements.layouts.judge import DATES, ROWS, STATES, Verdict, judge
from tests.statements.layouts.layout import draw

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
