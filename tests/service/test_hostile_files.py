"""No statement file stops anything: each is imported, asked about, or refused in a sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest

from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import ImportRequest
from finplan.operation import UploadedFile
from finplan.service.context import Context
from finplan.service.imports.imports import import_files
from finplan.service.imports.reading import PayeeNumbers
from finplan.statements.detect import read_as_likely
from finplan.statements.statement import Hints, SourceFile, UnreadableStatement
from tests.hostile_files import HOSTILE, HOSTILE_FILES, made
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
