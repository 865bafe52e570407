"""`finplan plan show` as files: the daemon's page as it is, the pictures on it, nothing by halves."""

import stat
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree as ET

import pytest

from finplan.cli.commands.plan import PictureName
from tests.cli.conftest import Run
from tests.cli.stub import Stub
from tests.pictures import drawn

PICTURES = {each.name: each for each in drawn.a_household()}
PAGE = (
    "<!DOCTYPE html><title>Your plan of today – finplan</title><svg class='bar'></svg><p>"
    + "</p><p>".join(each.svg() for each in PICTURES.values())
).encode()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawing(stub: Stub) -> Stub:
    """A daemon that has a page."""
    stub.answer("GET", "/plan/view", PAGE)
    return stub


def names(file: bytes) -> list[str]:
    """The pictures in a file."""
    return [
        each.attrib["id"].removeprefix("picture-")
        for each in ET.fromstring(file).iter(f"{SVG}svg")
        if "id" in each.attrib
    ]


def test_every_picture_has_its_name() -> None:
    """What may be asked for is what there is."""
    assert set(get_args(PictureName)) == set(PICTURES)


def test_the_page_is_written_as_it_came(drawing: Stub, finplan: Run, tmp_path: Path) -> None:
    """Byte for byte, whole, for its owner alone; stdout stays empty, and a page is asked for."""
    file = tmp_path / "plan.html"
    ended = finplan("plan", "show", "--html", str(file))

    assert (ended.code, ended.out, ended.err) == (0, b"", f"Wrote {file} ({len(PAGE):,} bytes).\n")
    assert file.read_bytes() == PAGE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.accept for each in drawing.asked if each.path.endswith("/plan/view")] == [
        "text/html"
    ]


def test_all_pictures_are_written(drawing: Stub, finplan: Run, tmp_path: Path) -> None:
    """In the order of the page, each as it is there; of page and pictures one question is asked."""
    page, file = tmp_path / "plan.html", tmp_path / "plan.svg"
    ended = finplan("plan", "show", "--html", str(page), "--svg", str(file), "--quiet")

    assert (ended.code, ended.out, ended.err) == (0, b"", "")
    assert names(file.read_bytes()) == list(PICTURES)
    assert ET.fromstring(file.read_bytes())[0].text == "Your plan of today – finplan"
    assert len([each for each in drawing.asked if each.path.endswith("/plan/view")]) == 1
    for picture in PICTURES.values():
        assert picture.drawing in file.read_text("utf-8")


def test_one_picture_is_written(drawing: Stub, finplan: Run) -> None:
    """By its name, to standard output too, where nothing else stands."""
    ended = finplan("plan", "show", "--svg", "-", "--picture", "net-worth")

    assert (ended.code, ended.err) == (0, "")
    assert names(ended.out) == ["net-worth"]


def test_no_file_is_overwritten_unasked(drawing: Stub, finplan: Run, tmp_path: Path) -> None:
    """Where one of two files is there already none is written, and the daemon is not asked."""
    page, file = tmp_path / "plan.html", tmp_path / "plan.svg"
    file.write_text("mine")
    ended = finplan("plan", "show", "--html", str(page), "--svg", str(file))

    assert (ended.code, ended.out) == (3, b"")
    assert ended.err == f"finplan: {file} is there already; --force overwrites it.\n"
    assert (page.exists(), file.read_text()) == (False, "mine")
    assert not [each for each in drawing.asked if each.path.endswith("/plan/view")]
    assert finplan("plan", "show", "--svg", str(file), "--force").code == 0
    assert names(file.read_bytes()) == list(PICTURES)


def test_what_is_not_drawn_is_said(stub: Stub, finplan: Run, tmp_path: Path) -> None:
    """A picture that the page lacks is no empty file; the sentence says where the reason stands."""
    stub.answer("GET", "/plan/view", b"<title>Plan</title>" + PICTURES["bills"].svg().encode())
    file = tmp_path / "plan.svg"
    missing = finplan("plan", "show", "--svg", str(file), "--picture", "net-worth")
    stub.answer("GET", "/plan/view", b"<title>Plan</title>")
    none = finplan("plan", "show", "--svg", str(file))

    assert (missing.code, none.code, file.exists()) == (4, 4, False)
    assert missing.err.startswith(
        "finplan: There is no net-worth now. The page says what is not known:"
    )
    assert none.err.startswith("finplan: The plan has no pictures yet.")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--picture", "bills"], 2, "Say where to"),
        (["--force"], 2, "Say where to"),
        (["--json", "--svg", "a.svg"], 2, "--json"),
        (["--html", "-", "--svg", "-"], 3, "need two files"),
        (["--svg", "a.svg", "--picture", "pie"], 2, "net-worth"),
        (["--svg", "no/such/folder.svg"], 1, "could not be written"),
    ],
)
def test_what_cannot_be_is_refused(
    drawing: Stub,
    finplan: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    """Each with a sentence, and no file."""
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    ended = finplan("plan", "show", *arguments)

    assert (ended.code, ended.out) == (code, b"")
    assert said in " ".join(ended.err.split())
    assert set(tmp_path.iterdir()) == before
