"""A reader of files that are written on the spot."""

from pathlib import Path

import pytest

from finplan.statements.statement import Hints
from tests.statements.reading_files import ReadFile, Statement, read_content


@pytest.fixture
def read_file(tmp_path: Path) -> ReadFile:
    """Write a content to a file named `Girokonto.txt` and read it with hints given by name."""

    def write_and_read(
        content: str | bytes, *, name: str = "Girokonto.txt", encoding: str = "utf-8", **hints: str
    ) -> Statement:
        return read_content(tmp_path / name, content, Hints(**hints), encoding)  # type: ignore[arg-type]

    return write_and_read
