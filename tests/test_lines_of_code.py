"""What counts as a line of code, and whose it is."""

from pathlib import Path

import pytest

from benchmarks.lines import Count, count_rooms, count_source, main

CODE = '''\
"""A module."""

import os  # One.

TABLE = {
    "a": 1,
    "b": 2,
}
"""What the table is for."""

# A comment.
def add(a: int, b: int) -> int:
    """Add.

    Carefully.
    """
    text = """

    two
    """
    return sum(
        (a, b),
    )
'''


def test_a_line_is_code_when_it_says_something() -> None:
    """Blank lines, comments, docstrings and lone brackets are none, and tables are data."""
    assert count_source(CODE) == Count(files=1, small=1, code=7, data=3, imports=1)


def test_packed_lines_are_counted_as_little_less_as_they_say_less() -> None:
    """A call that is spread over lines has no line more for its closing brackets."""
    assert count_source("run(\n    a\n)\n").code == count_source("run(\n    a)\n").code == 2


def test_a_room_has_its_sub_rooms_in_it(tmp_path: Path) -> None:
    """Each folder has a count, and a folder's is the sum of all below; all tests are one line."""
    for place in ("finplan/a.py", "finplan/plan/b.py", "finplan/plan/live/c.py", "tests/x/d.py"):
        write(tmp_path / place, "X = 1\nprint(X)\n")
    one = Count(files=1, small=1, code=1, data=1)
    assert count_rooms(tmp_path) == {
        "finplan": Count(files=3, small=3, code=3, data=3),
        "finplan/plan": Count(files=2, small=2, code=2, data=2),
        "finplan/plan/live": one,
        "tests": one,
    }


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_what_is_no_python_has_columns_of_its_own(tmp_path: Path) -> None:
    """Styles, pages, tables and scripts count by their lines that are not blank; others do not."""
    write(tmp_path / "finplan" / "a.py", "print(1)\n")
    for name in ("a.css", "a.tcss", "a.html", "a.sql", "a.toml", "a.js", "a.js", "a.txt", "a.md"):
        write(tmp_path / "finplan" / name, "one\n\ntwo\n")
    assert count_rooms(tmp_path)["finplan"] == Count(
        files=1, small=1, code=1, pages=8, toml=2, js=2
    )


@pytest.mark.parametrize(("lines", "small"), [(39, 1), (40, 0)])
def test_a_file_is_small_below_forty_lines_of_code_and_data(lines: int, small: int) -> None:
    """Code and data count together, comments and docstrings do not."""
    source = '"""One\ntwo.\n"""\n# Comment.\nX = 1\n' + "print(X)\n" * (lines - 1)
    assert count_source(source).small == small


def test_checkouts_stand_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Eight columns are of each checkout; where one has not a room, they are empty."""
    for checkout, room in (("old", "desk"), ("new", "live")):
        write(tmp_path / checkout / "finplan" / room / "a.py", "print(1)\n")
    assert main([str(tmp_path / "old"), str(tmp_path / "new"), "--markdown"]) == 0
    numbers = "1 | 1 | 1 | 0 | 0 | 0 | 0 | 0"
    nothing = " | ".join([""] * 8)
    assert capsys.readouterr().out.splitlines()[2:] == [
        f"| finplan | {numbers} | {numbers} |",
        f"| finplan/desk | {numbers} | {nothing} |",
        f"| finplan/live | {nothing} | {numbers} |",
    ]


def test_a_wrong_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path that holds no product ends with a sentence that says so."""
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert f"no finplan in {tmp_path}." in capsys.readouterr().err
