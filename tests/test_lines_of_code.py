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
    assert count_source(CODE) == Count(files=1, code=7, data=3)


def test_packed_lines_are_counted_as_little_less_as_they_say_less() -> None:
    """A call that is spread over lines has no line more for its closing brackets."""
    assert count_source("run(\n    a\n)\n").code == count_source("run(\n    a)\n").code == 2


def test_a_room_has_its_sub_rooms_in_it(tmp_path: Path) -> None:
    """Each folder has a count, and a folder's is the sum of all below; tests are no product."""
    for place in ("finplan/a.py", "finplan/plan/b.py", "finplan/plan/live/c.py", "tests/d.py"):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("X = 1\nprint(X)\n", "utf-8")
    (tmp_path / "finplan" / "plan" / "words.toml").write_text("a = 1\n", "utf-8")
    assert count_rooms(tmp_path) == {
        "finplan": Count(3, 3, 3),
        "finplan/plan": Count(2, 2, 2),
        "finplan/plan/live": Count(1, 1, 1),
    }


def test_checkouts_stand_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three columns are of each checkout; where one has not a room, they are empty."""
    for checkout, room in (("old", "desk"), ("new", "live")):
        folder = tmp_path / checkout / "finplan" / room
        folder.mkdir(parents=True)
        (folder / "a.py").write_text("print(1)\n", "utf-8")
    assert main([str(tmp_path / "old"), str(tmp_path / "new"), "--markdown"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "| finplan | 1 | 1 | 0 | 1 | 1 | 0 |",
        "| finplan/desk | 1 | 1 | 0 |  |  |  |",
        "| finplan/live |  |  |  | 1 | 1 | 0 |",
    ]


def test_a_folder_without_the_product_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path that holds no product ends with a sentence that says so."""
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert f"There is no finplan in {tmp_path}." in capsys.readouterr().err
