"""A reader of files that are written on the spot."""

import io
from pathlib import Path
from typing import Any

import pytest

from finplan.statements.statement import Hints
from tests.statements.reading_files import BytesRead, ReadFile, Statement, read_content


@pytest.fixture
def read_file(tmp_path: Path) -> ReadFile:
    """Write a content to a file named `Girokonto.txt` and read it with hints given by name.

    Few of the files here say which way their money goes, so it comes in as printed unless a test
    leaves that open.
    """

    def write_and_read(
        content: str | bytes,
        *,
        name: str = "Girokonto.txt",
        encoding: str = "utf-8",
        direction: str | None = "in",
        **hints: str,
    ) -> Statement:
        known: Any = {"household": "USD", "direction": direction, **hints}
        return read_content(tmp_path / name, content, Hints(**known), encoding)

    return write_and_read


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> BytesRead:
    """Count the bytes that are read from files, however often the same ones."""
    read = 0
    open_uncounted = Path.open

    class Counted(io.FileIO):
        def readinto(self, buffer: Any) -> int | None:
            nonlocal read
            number = super().readinto(buffer)
            read += number or 0
            return number

        def readall(self) -> bytes:
            nonlocal read
            content = super().readall()
            read += len(content)
            return content

    def opened(path: Path, mode: str = "r", **how: Any) -> Any:
        if "r" not in mode:
            return open_uncounted(path, mode, **how)
        file = io.BufferedReader(Counted(path))
        return file if "b" in mode else io.TextIOWrapper(file, **how)

    monkeypatch.setattr(Path, "open", opened)
    return lambda: read
