"""The manual pages are those that the code makes now, and a formatter of manuals takes them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import finplan
from finplan.cli.app import COMMANDS
from tests.handbook.reference.man import pages_of_the_manual

FOLDER = Path(finplan.__file__).parent.parent / "man"
PAGES = pages_of_the_manual()


def test_there_is_a_page_for_each_command_and_no_other() -> None:
    """Who types `man finplan-spending` finds it, and finds nothing of what is gone."""
    if os.environ.get("GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        for name, text in PAGES.items():
            (FOLDER / name).write_text(text, encoding="utf-8")
    kept = {path.name for path in FOLDER.iterdir()}
    assert kept == {"finplan.1", *(f"finplan-{name}.1" for name in COMMANDS)}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_current(name: str) -> None:
    """What the page tells is what the command says of itself; `GOLDEN=write` writes it anew."""
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name]


@pytest.mark.thorough
@pytest.mark.skipif(
    shutil.which("groff") is None, reason="groff, which formats manuals, is missing"
)
def test_a_formatter_takes_every_page() -> None:
    """No page makes the formatter of manuals warn, and each shows its name and its synopsis."""
    for name in PAGES:
        ended = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", "-Kutf8", FOLDER / name],
            capture_output=True,
            check=True,
        )
        assert ended.stderr == b""
        shown = ended.stdout.decode().replace("\N{MINUS SIGN}", "-").replace("\N{HYPHEN}", "-")
        assert f"{name.removesuffix('.1')} - " in " ".join(shown.split())
