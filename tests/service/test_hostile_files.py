"""No statement file stops anything, however odd or long: it is imported, asked about or refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection

from finplan.model import characters
from finplan.model.characters import LONGEST_TEXT
from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import ImportRequest
from finplan.operation import UploadedFile
from finplan.service.context import Context
from finplan.service.imports.imports import import_files
from finplan.service.imports.reading import PayeeNumbers
from finplan.statements import seen
from finplan.statements.detect import read_as_likely
from finplan.statements.statement import Hints, SourceFile, UnreadableStatement
from tests.hostile_files import HOSTILE, HOSTILE_FILES, made
from tests.service.conftest import bring
from tests.steps import growth

SIZE = 12_000
FORMATS = sorted({name.partition(" ")[0] for name in HOSTILE})


def test_there_are_hostile_files_of_every_format() -> None:
    """They are named once, and many enough."""
    assert len(HOSTILE_FILES) > 100
    assert {"csv", "ofx", "mt940", "qif", "camt", "beancount", "hledger", "own"} < set(FORMATS)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", HOSTILE)
def test_reading_takes_steps_that_grow_with_the_size_alone(tmp_path: Path, name: str) -> None:
    """Four times the file takes at most about four times as many lines of Python."""
    if HOSTILE[name].size < SIZE:
        return

    def reading(size: int) -> Callable[[], object]:
        label, content = made(name, size)
        path = tmp_path / str(size)
        path.write_bytes(content)
        return lambda: _read_all(SourceFile.of(path, label))

    assert growth(reading, SIZE) < 5


def _read_all(source: SourceFile) -> None:
    """Read a file to its end, with the payees of its rows."""
    payees = PayeeNumbers([])
    try:
        parsed, _ = read_as_likely(source, Hints(household="EUR"))
        for part in parsed.parts if parsed is not None else ():
            list(payees.of(part.rows))
    except UnreadableStatement:
        pass


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", FORMATS)
async def test_each_is_answered(context: Context, tmp_path: Path, kind: str) -> None:
    """A small one of each comes to a report, to questions, or to an error in words."""
    for name in HOSTILE:
        if name.partition(" ")[0] == kind:
            label, content = made(name, min(SIZE, HOSTILE[name].size))
            await _import(context, tmp_path / "upload", label, content)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE_FILES)
async def test_each_is_answered_at_its_limit(context: Context, tmp_path: Path, name: str) -> None:
    """So does each as large as it may be."""
    await _import(context, tmp_path / "upload", *HOSTILE_FILES[name]())


async def _import(context: Context, path: Path, label: str, content: bytes) -> None:
    path.write_bytes(content)  # noqa: ASYNC240  # Nothing else waits.
    refusal: BadRequest | Conflict | None = None
    try:
        await import_files(context, ImportRequest(), (UploadedFile(label, path),))
    except (BadRequest, Conflict) as error:
        refusal = error
    data_of_refusal = (refusal.data if refusal is not None else None) or {}
    if isinstance(refusal, Conflict):
        assert data_of_refusal["questions"]
    elif refusal is not None:
        (file,) = data_of_refusal["report"]["files"]
        assert file["error"].endswith((".", "”"))


BOUNDED = "Paid to somebody for something " * 200
UNBROKEN = "x" * 9000


def ofx(*rows: str) -> str:
    return (
        "OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD"
        "<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>"
        f"<BANKTRANLIST>{''.join(rows)}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


def row(text: str, day: str = "20261103", more: str = "") -> str:
    return f"<STMTTRN><DTPOSTED>{day}<TRNAMT>-4.50{more}<NAME>{text}</STMTTRN>"


FILES = {
    "words": ofx(row(BOUNDED)),
    "one word": ofx(row(UNBROKEN)),
    "two beginning alike": ofx(row(UNBROKEN + "a"), row(UNBROKEN + "b")),
    "ids": ofx(row("Shop", more=f"<FITID>{'7' * 1200}"), row("Shop", more=f"<FITID>{'8' * 1200}")),
    "payees": ofx(row(BOUNDED, more=f"<PAYEE><NAME>{BOUNDED}</PAYEE>")),
    "as long as may be": ofx(row("y" * LONGEST_TEXT)),
}


async def raws(context: Context) -> list[str]:
    """The texts of all rows that are stored."""

    def read(connection: Connection) -> list[str]:
        return [each[0] for each in connection.exec_driver_sql("SELECT raw FROM tx ORDER BY no")]

    return await context.store.read(read)


async def test_a_long_text_is_cut_and_the_report_says_so(context: Context) -> None:
    """What is stored has a bound, and the report counts the transactions that were cut."""
    text = ofx(row(UNBROKEN), row("Shop", "20261104"), row(BOUNDED, "20261105"))
    report = await bring(context, {"bank.ofx": text})

    (account,) = report.files[0].accounts
    assert account.new_rows == 3
    (sentence,) = account.assumed
    assert "of 2 transactions" in sentence
    assert "4,000 characters" in sentence
    assert sorted(map(len, await raws(context))) == [4, LONGEST_TEXT, LONGEST_TEXT]


@pytest.mark.parametrize("name", FILES)
async def test_a_file_that_an_earlier_version_read_adds_nothing(
    context: Context, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A row whose whole text is stored is known by the part of it that is kept now."""
    with monkeypatch.context() as earlier:
        _without_bounds(earlier)
        first = await bring(context, {"bank.ofx": FILES[name]})
    again = await bring(context, {"bank.ofx": FILES[name]})

    assert first.files[0].new == first.files[0].transactions > 0
    assert (again.files[0].new, again.files[0].known) == (0, first.files[0].new)


async def test_a_long_text_is_no_other_one_that_begins_alike(context: Context) -> None:
    """Of two rows of one day and amount each stays one, however alike their texts begin."""
    two = FILES["two beginning alike"]
    first, again = await bring(context, {"a.ofx": two}), await bring(context, {"a.ofx": two})

    assert (first.files[0].new, again.files[0].new, again.files[0].known) == (2, 0, 2)


def _without_bounds(patch: pytest.MonkeyPatch) -> None:
    """Let texts be read as they were before they had a bound."""
    patch.setattr(seen, "visible_text", characters.visible)
    patch.setattr(seen, "visible_name", characters.visible)
    for bound in ("LONGEST_TEXT", "LONGEST_NAME"):
        patch.setattr(seen, bound, 10**9)


async def test_a_file_of_one_transaction_again_and_again_is_refused(context: Context) -> None:
    """Thousands of one day and amount are no statement, and each would be compared with all others."""
    rows = "2026-11-03,Shop,-1.50\n" * 2000
    report = await bring(context, {"shop.csv": "Date,Description,Amount\n" + rows})
    with pytest.raises(BadRequest, match="2,001 transactions"):
        await bring(
            context, {"shop.csv": f"Date,Description,Amount\n{rows}2026-11-03,Other,-1.50\n"}
        )

    assert report.files[0].new == 2000
