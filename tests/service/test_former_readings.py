"""Homes of an earlier version: its readings of real files are in the store, and the files come again."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from finplan.intake.misreadings import MisreadImport, MisreadImports
from finplan.model.errors import Conflict
from finplan.model.money import exponent
from finplan.model.statement import ImportAnswer, ImportReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.plan.pairing.repetition import ENOUGH
from finplan.service.context import Context
from finplan.service.imports.imports import import_files
from finplan.statements import detect, statement
from tests.service.conftest import dump
from tests.statements.golden_readings import goldens

SHARED = Path(
    os.environ.get("FINPLAN_SAMPLES", Path(__file__).parents[3] / "shared" / "samples")
).parent
FORMER = Path(__file__).parent / "former"
SETS = ("samples", "samples2")
Likely = tuple[statement.ParsedStatement | None, tuple[statement.Question, ...]]
Read = Callable[[statement.SourceFile, statement.Hints], Likely]
_READ: Read = detect.read_as_likely
Money = tuple[str, Decimal, str, bool]

pytestmark = pytest.mark.skipif(
    not all((SHARED / each / "index.tsv").exists() for each in SETS),
    reason=f"the samples are not in {SHARED} (FINPLAN_SAMPLES)",
)


@dataclass(frozen=True)
class FormerReading:
    """What was read of a file once, and what the person answered."""

    set_: str
    file: str
    answers: dict[str, Any]
    parts: tuple[statement.StatementPart, ...]

    @property
    def path(self) -> Path:
        return SHARED / self.set_ / self.file

    @property
    def name(self) -> str:
        return f"{self.set_}/{self.file}"


def former_readings() -> Iterator[FormerReading]:
    for set_ in SETS:
        for line in (FORMER / f"{set_}.jsonl").read_text("utf-8").splitlines():
            known = json.loads(line)
            parts = (
                statement.StatementPart(
                    statement.StatementAccount(*account),
                    statement.StatementRows.of([statement.StatementRow(*row) for row in rows]),
                )
                for account, rows in known["parts"]
            )
            yield FormerReading(set_, known["file"], known["answers"], tuple(parts))


READINGS = list(former_readings())


async def _import(context: Context, former: FormerReading, request: ImportRequest) -> ImportReport:
    """Import a copy, since the stage is made beside the file."""
    copy = copyfile(former.path, context.store.path.with_name("upload"))
    return await import_files(context, request, (UploadedFile(former.path.name, copy),))


GOLDENS = {(each.set_, each.file): each for set_ in SETS for each in goldens(set_)}


def _read_of(former: FormerReading) -> Counter[Money]:
    return Counter(
        (
            f"{row.day // 10000:04d}-{row.day // 100 % 100:02d}-{row.day % 100:02d}",
            Decimal(row.amount).scaleb(-exponent(part.account.currency)),
            part.account.currency,
            row.pending,
        )
        for part in former.parts
        for row in part.rows
    )


def _expected_of(former: FormerReading) -> Counter[Money]:
    golden = GOLDENS[former.set_, former.file]
    return Counter(row.money for row in (*golden.first, *golden.last))


def _was_right(former: FormerReading) -> bool:
    """Say whether days, amounts and currencies were read as a person reads them."""
    read = _read_of(former)
    count = GOLDENS[former.set_, former.file].count
    return read.total() == count and not _expected_of(former) - read


def _never_read(former: FormerReading) -> int:
    """How many rows were not read at all, where all that were read were right: these are new."""
    expected, read = _expected_of(former), _read_of(former)
    return 0 if read - expected else (expected - read).total()


@contextmanager
def _read_as(patch: pytest.MonkeyPatch, read: Read) -> Iterator[None]:
    with patch.context() as within:
        within.setattr(detect, "read_as_likely", read)
        yield


def _later_half(source: statement.SourceFile, hints: statement.Hints) -> Likely:
    """Read of a file the later half of each part, as a file that overlaps it holds it."""
    parsed, questions = _READ(source, hints)
    if parsed is None:
        return None, questions
    halves = (replace(part, rows=_half(part.rows)) for part in parsed.parts)
    return replace(parsed, parts=halves), questions


def _answers(former: FormerReading, refusal: Conflict) -> tuple[ImportAnswer, ...] | None:
    """What a person answers who knows the file; None where what the store holds is in doubt."""
    said = GOLDENS[former.set_, former.file].answers
    asked = (refusal.data or {})["questions"]
    if "account" in {each["about"] for each in asked}:
        return None
    words = {"asPrinted": "in"}
    return tuple(
        ImportAnswer(file=0, about=each["about"], value=words.get(value, value))
        for each in asked
        for value in [said[each["about"]]]
    )


def _half(rows: statement.StatementRows) -> statement.StatementRows:
    columns = {each.name: getattr(rows, each.name) for each in fields(rows)}
    return statement.StatementRows(
        **{name: column[len(rows) // 2 :] for name, column in columns.items()}
    )


@pytest.mark.sampled(8)
@pytest.mark.parametrize("former", READINGS, ids=lambda former: former.name)
async def test_a_file_that_was_read_before_adds_nothing(
    former: FormerReading, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same file and an overlapping one are known rows; a wrong reading is to be undone first.

    A row that was not read before is new. Of a file that was read wrongly, another one that overlaps
    it proves nothing by one or two rows of an account: a refund is as equal to its purchase. The file
    itself is known by its name and its number of rows, however few these are.
    """
    # What kind of account it is no former version asked.
    request = ImportRequest(**{"account_kind": "depository", **former.answers})
    parsed = statement.ParsedStatement("CSV", "utf-8", iter(former.parts))
    with _read_as(monkeypatch, lambda *_: (parsed, ())):
        first = await _import(context, former, request)
    held = Counter((await dump(context))["tx"])

    for read in (_READ, _later_half):
        with _read_as(monkeypatch, read):
            report, refused = await _import_again(context, former, request)
        is_proof = read is _READ or _was_right(former)
        added = _added(report, least=1 if is_proof else ENOUGH)
        assert added == (_never_read(former) if read is _READ else 0)
        now = Counter((await dump(context))["tx"])
        assert not held - now
        assert (now - held).total() == _added(report, least=1)
        held = now
        assert not (refused and _was_right(former))
        assert {each.id for each in refused if isinstance(each, MisreadImport)} <= {first.id}


def _added(report: ImportReport | None, *, least: int) -> int:
    """How many rows were added to accounts of which the file has so many at least."""
    return sum(
        account.new_rows + account.ambiguous
        for file in (report.files if report is not None else ())
        for account in file.accounts
        if account.transactions >= least
    )


async def _import_again(
    context: Context, former: FormerReading, request: ImportRequest
) -> tuple[ImportReport | None, tuple[MisreadImport | str, ...]]:
    """Import the file as a person does who knows it; answers the report, or why it was refused."""
    try:
        return await _import(context, former, request), ()
    except MisreadImports as refusal:
        return None, refusal.found
    except Conflict as refusal:
        answers = _answers(former, refusal)
        if answers is None:
            return None, (str(refusal),)
        said = request.model_copy(update={"answers": answers})
        return await _import_again(context, former, said)
