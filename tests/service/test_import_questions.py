"""Imports that leave something open: all is asked at once, nothing is stored, and answers are heeded."""

from pathlib import Path
from typing import Any

import pytest

from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import ImportRequest
from finplan.operation import UploadedFile
from finplan.service.context import Context
from finplan.service.imports.imports import import_files

OPEN_WAY = "Date,Description,Amount\n2026-03-13,SHOP,4.50\n2026-03-14,CAFE,2.00\n"
OPEN_DAYS = "Date,Text,Debit,Credit\n03/04/2026,SHOP,4.50,\n05/04/2026,PAY,,9.00\n"
CLEAR = "Date,Text,Debit,Credit\n2026-03-13,SHOP,4.50,\n2026-03-14,PAY,,9.00\n"


async def run(
    context: Context, folder: Path, files: dict[str, str], **said: Any
) -> list[tuple[int, int]]:
    """Import files as a program does that says only what is given; the new rows and pending of each."""
    uploaded = []
    for place, (name, text) in enumerate(files.items()):
        path = folder / f"{place}.upload"
        path.write_text(text)
        uploaded.append(UploadedFile(name, path))
    request = ImportRequest(**{"account_kind": "checking", **said})
    report = await import_files(context, request, tuple(uploaded))
    return [(file.new, file.pending) for file in report.files]


async def asked(context: Context, folder: Path, files: dict[str, str], **said: Any) -> list[Any]:
    with pytest.raises(Conflict) as refusal:
        await run(context, folder, files, **said)
    assert refusal.value.data is not None
    return [(each["file"], each["about"]) for each in refusal.value.data["questions"]]


async def test_all_questions_of_a_batch_come_at_once(
    context: Context, tmp_path: Path, dump: Any
) -> None:
    """Each file that leaves something open is asked about, and no file of the batch is stored."""
    before = await dump()
    files = {"a.csv": OPEN_WAY, "b.csv": CLEAR, "c.csv": OPEN_DAYS}
    for dry_run in (True, False):
        found = await asked(context, tmp_path, files, dry_run=dry_run)
        assert found == [(0, "direction"), (2, "dateOrder")]
    assert await dump() == before


async def test_an_answer_is_for_its_file_alone(context: Context, tmp_path: Path) -> None:
    """Answers name a file by place or name and go before the field for all files."""
    files = {"a.csv": OPEN_WAY, "b.csv": OPEN_WAY.replace("SHOP", "BAR")}
    first = [{"file": "a.csv", "about": "direction", "value": "out"}]
    assert await asked(context, tmp_path, files, answers=first) == [(1, "direction")]
    both = [*first, {"file": 1, "about": "direction", "value": "in"}]
    said = {"answers": both, "direction": "out", "same_account": "new"}
    assert await run(context, tmp_path, files, **said) == [(2, 0), (2, 0)]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"file": 1, "about": "direction", "value": "out"}, "only a.csv came"),
        ({"file": "b.csv", "about": "direction", "value": "out"}, "only a.csv came"),
        (
            {"file": 0, "about": "direction", "value": "up"},
            "which is in or out for amounts",
        ),
        (
            {"file": 0, "about": "dateOrder", "value": "dym"},
            "dateOrder, which is 'dmy', 'mdy'",
        ),
        (
            {"file": 0, "about": "currency", "value": "euro"},
            "which is a code of three",
        ),
        ({"file": 0, "about": "currency", "value": "XBT"}, "XBT is no currency of ISO 4217"),
    ],
)
async def test_an_answer_that_is_none_is_refused(
    context: Context, tmp_path: Path, answer: dict[str, Any], told: str
) -> None:
    """An answer on a file that did not come, or that no question has, is told as such."""
    with pytest.raises(BadRequest, match=told):
        await run(context, tmp_path, {"a.csv": OPEN_WAY}, answers=[answer])


async def test_an_unknown_currency_is_refused(context: Context, tmp_path: Path) -> None:
    """A code that ISO 4217 does not know is never taken for one with two decimals."""
    with pytest.raises(BadRequest, match="XBT is no currency of ISO 4217"):
        await run(context, tmp_path, {"a.csv": OPEN_WAY}, currency="XBT")


async def test_what_was_answered_is_known_of_the_next_file(
    context: Context, tmp_path: Path
) -> None:
    """An answer is remembered for the layout, and only an answer to what the file leaves open."""
    await run(context, tmp_path, {"a.csv": OPEN_WAY}, direction="out")
    later = OPEN_WAY.replace("2026-03", "2026-04")
    path = tmp_path / "next.csv"
    path.write_text(later)
    report = await import_files(context, ImportRequest(), (UploadedFile("a.csv", path),))
    assert report.files[0].remembered is not None
    assert report.files[0].remembered.direction == "out"


@pytest.mark.parametrize("dry_run", [True, False])
async def test_an_answer_that_a_file_does_not_need_is_told_in_its_report(
    context: Context, tmp_path: Path, dry_run: bool
) -> None:
    """Of a batch, only the files that tell it by themselves say that it was not needed."""
    uploaded = []
    for name, text in {"open.csv": OPEN_WAY, "clear.csv": CLEAR}.items():
        (tmp_path / name).write_text(text)
        uploaded.append(UploadedFile(name, tmp_path / name))
    request = ImportRequest(account_kind="checking", direction="in", dry_run=dry_run)
    report = await import_files(context, request, tuple(uploaded))
    told = [[note for note in file.notes if "--direction" in note] for file in report.files]
    assert told[0] == []
    assert [note.partition(":")[0] for note in told[1]] == ["--direction in was not followed"]


async def test_a_file_that_cannot_be_read_comes_before_questions(
    context: Context, tmp_path: Path
) -> None:
    """A batch with an unreadable file is refused for it, whatever else is open."""
    with pytest.raises(BadRequest, match=r"^b\.csv: "):
        await run(context, tmp_path, {"a.csv": OPEN_WAY, "b.csv": "no statement"})
