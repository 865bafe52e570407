"""`finplan export`: the file as the daemon sends it, on stdout or on disk, whole or not at all."""

import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.stub import Stub

CONTENT = b'date,amount\n2026-03-04,"-4,50"\n'


@pytest.fixture
def exporting(stub: Stub) -> Stub:
    stub.answer("GET", "/export", CONTENT)
    return stub


def test_stdout_gets_the_file_byte_for_byte(exporting: Stub, finplan: Run) -> None:
    """Nothing is added, and the format is JSON when nothing says otherwise."""
    ended = finplan("export")
    assert (ended.code, ended.out, ended.err) == (0, CONTENT, "")
    assert exporting.asked[-1].query == {"format": ["json"]}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("a.json", "json"),
        ("a.CSV", "csv"),
        ("a.journal", "hledger"),
        ("a.ledger", "hledger"),
        ("a.beancount", "beancount"),
    ],
)
def test_a_files_name_says_its_format(
    exporting: Stub, finplan: Run, tmp_path: Path, name: str, wanted: str
) -> None:
    """The file is written whole, for its owner alone, and stdout stays empty."""
    path = tmp_path / name
    ended = finplan("export", str(path))

    assert (ended.code, ended.out) == (0, b"")
    assert f"Wrote {path}" in ended.err
    assert exporting.asked[-1].query == {"format": [wanted]}
    assert path.read_bytes() == CONTENT
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not list(tmp_path.glob(".finplan-*"))


def test_what_a_file_cannot_hold_is_said(exporting: Stub, finplan: Run, tmp_path: Path) -> None:
    """Whoever saves rows alone is told where the rest would be; the whole household needs no word."""
    said = {
        "a.json": "",
        "a.csv": "It holds the booked transactions and their accounts. Settings,",
        "a.journal": "It holds the booked transactions and their accounts. Settings,",
        "a.beancount": "It holds the booked transactions and their accounts. Settings,",
    }
    for name, sentence in said.items():
        _, *remarks = finplan("export", str(tmp_path / name)).err.splitlines()
        assert " ".join(remarks).startswith(sentence)
        assert bool(remarks) == bool(sentence)
    _, *remarks = finplan("export", str(tmp_path / "b.json"), "--from", "2025").err.splitlines()
    assert " ".join(remarks).startswith("It holds the transactions that the filters name")


def test_filters_are_passed_on(exporting: Stub, finplan: Run) -> None:
    """Days, merchants and accounts are those of `finplan transactions`."""
    ended = finplan(
        "export", "--format", "csv", "--from", "2025", "--to", "2025-06", "--merchant", "Blue Bottle",
        "--account", "acc_0000000000000000000000000",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert exporting.asked[-1].query == {
        "format": ["csv"],
        "from": ["2025-01-01"],
        "to": ["2025-06-30"],
        "merchant": ["Blue Bottle"],
        "account": ["acc_0000000000000000000000000"],
    }


def test_a_file_is_not_overwritten_unasked(exporting: Stub, finplan: Run, tmp_path: Path) -> None:
    """What is there stays, unless --force says otherwise."""
    path = tmp_path / "a.csv"
    path.write_text("mine")
    ended = finplan("export", str(path))
    assert (ended.code, path.read_text()) == (3, "mine")
    assert "--force" in ended.err

    assert finplan("export", str(path), "--force").code == 0
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a.xlsx"], 2, "ends like no format"),
        (["--format", "xml"], 2, "--format"),
        (["--json", "--format", "csv"], 2, "cannot be csv as well"),
        (["nowhere/a.csv"], 1, "could not be written"),
    ],
)
def test_what_cannot_be_is_a_sentence(
    exporting: Stub, finplan: Run, arguments: list[str], code: int, said: str
) -> None:
    """A wrong format or place is said, and nothing is written."""
    ended = finplan("export", *arguments)
    assert (ended.code, ended.out) == (code, b"")
    assert said in ended.err


def test_a_refusal_leaves_no_file(stub: Stub, finplan: Run, tmp_path: Path) -> None:
    """When the daemon refuses, its sentence is shown and the folder stays as it was."""
    stub.refuse("GET", "/export", 400, "BAD_REQUEST", "There is no account acc_1.")
    ended = finplan("export", str(tmp_path / "a.csv"))
    assert (ended.code, ended.out) == (3, b"")
    assert "There is no account acc_1." in ended.err
    assert not list(tmp_path.glob("*.csv"))
    assert not list(tmp_path.glob(".finplan-*"))
