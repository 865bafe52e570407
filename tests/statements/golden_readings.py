"""Golden readings: what a person knows of real statement files, and how a reading is compared with it.

A golden says which rows a file has, written down with the raw file open and no reader at hand, and what
nobody can know from the file alone: that, and nothing else, a reader may ask.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args

from finplan.model.money import exponent
from finplan.statements import statement
from finplan.statements.text.descriptors import fold
from tests.statements.reading_files import Statement, read_path

READINGS = Path(__file__).parent / "readings"
Verdict = Literal["rows", "refused", "either"]
_CUT = "..."
_HINTS = {"date_order": "dateOrder", "decimal_sign": "decimalSign", "amount_column": "amountColumn"}
_ANSWERS = {"asPrinted": "in"}
_MUST_BE_ASKED = frozenset(["currency", "direction", "dateOrder"])
"""What no file that leaves it open may be read without."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class GoldenRow:
    """One row as a person reads it; `texts` are parts of which its text must tell."""

    day: str
    amount: Decimal
    currency: str
    pending: bool
    texts: tuple[str, ...]

    @property
    def money(self) -> tuple[str, Decimal, str, bool]:
        return self.day, self.amount, self.currency, self.pending


@dataclass(frozen=True)
class Golden:
    """What is known of a file; `open_` names what may be asked, and `answers` a person's answers.

    `verdict` says whether the file is a statement, is to be refused, or may be either, `kinds` of what
    kinds its accounts are. Of a long file
    only the `first` and the `last` rows are written down, and `count` of all.
    """

    set_: str
    file: str
    verdict: Verdict
    open_: frozenset[str]
    answers: Mapping[str, str]
    kinds: frozenset[str]
    count: int
    first: tuple[GoldenRow, ...]
    last: tuple[GoldenRow, ...]


def goldens(set_: str) -> Iterator[Golden]:
    """All goldens of a set of files, in the order of their names."""
    for path in sorted((READINGS / set_).glob("*.tsv")):
        yield _golden(set_, path)


def _golden(set_: str, path: Path) -> Golden:
    facts: dict[str, str] = {}
    runs: list[list[GoldenRow]] = [[]]
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# "):
            name, _, value = line.removeprefix("# ").partition(":")
            facts[name] = value.strip()
        elif line == _CUT:
            runs.append([])
        elif line.strip() and not line.startswith("day\t"):
            runs[-1].append(_row(line))
    answers = dict(each.split("=", 1) for each in _listed(facts.get("answer", ""), ";"))
    first, last = runs[0], runs[1] if len(runs) > 1 else []
    return Golden(
        set_,
        facts["file"],
        verdict_of(facts["verdict"]),
        frozenset(_listed(facts.get("open", ""), ",")),
        answers,
        frozenset(_listed(facts.get("kind", ""), ";")),
        int(facts.get("rows", len(first))),
        tuple(first),
        tuple(last),
    )


def verdict_of(word: str) -> Verdict:
    """The verdict that a word stands for."""
    return next(verdict for verdict in get_args(Verdict) if verdict == word)


def _listed(text: str, separator: str) -> list[str]:
    return [each.strip() for each in text.split(separator) if each.strip()]


def _row(line: str) -> GoldenRow:
    day, amount, currency, pending, text, *_ = line.split("\t")
    return GoldenRow(
        day, Decimal(amount), currency, bool(pending), tuple(_listed(text, " | ")),
    )  # fmt: skip


@dataclass
class Judgement:
    """How a reading of a file differs from what a person knows of it; right where nothing is said."""

    asked: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    poor: list[str] = field(default_factory=list)
    refused: str = ""

    @property
    def word(self) -> str:
        """What the reading is, in a word or two."""
        if self.wrong:
            return "wrong"
        if self.refused:
            return "refused"
        return ("asks, " if self.asked else "") + ("poor text" if self.poor else "right")


def judge(golden: Golden, folder: Path) -> Judgement:
    """Read a file as a person would have it read, answering what may be asked, and compare."""
    judgement, hints = Judgement(), statement.Hints()
    read: Statement | None = None
    while read is None:
        try:
            read = read_path(folder / golden.file, hints)
        except statement.AmbiguousStatement as ambiguous:
            if golden.verdict == "either":
                judgement.asked.append("whether it is one")
                return judgement
            said = _answers(judgement, golden, ambiguous)
            if judgement.wrong:
                return judgement
            hints = replace(hints, **said)
        except statement.UnreadableStatement as refusal:
            judgement.refused = str(refusal)
            if golden.verdict == "rows":
                judgement.wrong.append(f"refused: {refusal}")
            return judgement
    if golden.verdict == "refused":
        judgement.wrong.append("was read, and is no statement")
    if golden.verdict != "rows":
        return judgement
    for name in sorted((golden.open_ & _MUST_BE_ASKED) - {*judgement.asked}):
        judgement.wrong.append(f"the {name} was not asked for, though nobody knows it")
    rows = [(row, account) for part in read.parts for row, account in _of(part)]
    _compare(judgement, golden, rows)
    return judgement


def parts_of(golden: Golden, folder: Path) -> list[statement.StatementPart]:
    """The parts of a statement, read as a person would have it read; questions are answered."""
    hints = statement.Hints()
    while True:
        try:
            return list(read_path(folder / golden.file, hints).parts)
        except statement.AmbiguousStatement as ambiguous:
            judgement = Judgement()
            hints = replace(hints, **_answers(judgement, golden, ambiguous))
            if judgement.wrong:
                raise


def _answers(
    judgement: Judgement, golden: Golden, ambiguous: statement.AmbiguousStatement
) -> dict[str, Any]:
    """A person's answers to questions; one that the file answers itself is wrong to be asked."""
    said = {}
    for question in ambiguous.questions:
        name = _HINTS.get(question.about, question.about)
        if name not in golden.open_ or name in judgement.asked:
            judgement.wrong.append(f"asked for {name}, which the file tells: {question.text}")
        else:
            judgement.asked.append(name)
            said[question.about] = _ANSWERS.get(golden.answers[name], golden.answers[name])
    return said


def _of(part: Any) -> Iterator[tuple[statement.StatementRow, statement.StatementAccount]]:
    for row in part.rows:
        yield row, part.account


def _compare(
    judgement: Judgement,
    golden: Golden,
    rows: list[tuple[statement.StatementRow, statement.StatementAccount]],
) -> None:
    if len(rows) != golden.count:
        judgement.wrong.append(f"{len(rows)} rows, not {golden.count}")
    found = [_read(row, account) for row, account in rows]
    # Accounts of one file are read one after the other, which says nothing of the rows.
    if golden.last or len({account for _, account in rows}) < 2:
        pairs = [*zip(golden.first, found, strict=False)]
        pairs += [*zip(golden.last[::-1], found[::-1], strict=False)]
    else:
        pairs = [
            *zip(
                sorted(golden.first, key=lambda row: row.money),
                sorted(found, key=lambda row: row.money),
                strict=False,
            )
        ]
    for expected, got in pairs:
        if expected.money != got.money:
            judgement.wrong.append(f"{got.money}, not {expected.money}")
        elif missing := [text for text in expected.texts if not _tells(got.texts[0], text)]:
            judgement.poor.append(f"{got.texts[0]!r} lacks {missing}")


def _read(row: statement.StatementRow, account: statement.StatementAccount) -> GoldenRow:
    day = f"{row.day // 10000:04d}-{row.day // 100 % 100:02d}-{row.day % 100:02d}"
    amount = Decimal(row.amount).scaleb(-exponent(account.currency))
    text = fold(" ".join(filter(None, (row.raw, row.payee))))
    return GoldenRow(day, amount, account.currency, row.pending, (text,))


def _tells(text: str, part: str) -> bool:
    return set(_WORD.findall(text.casefold())).issuperset(_WORD.findall(part.casefold()))
