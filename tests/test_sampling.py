"""What `make test` leaves out is run by `make test-slow`, and nothing is left out by both."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling import picked_of

CASES = """
import pytest

@pytest.mark.sampled(10)
@pytest.mark.parametrize("case", range(35))
def test_many(case: int) -> None: ...

@pytest.mark.sampled(10)
def test_one() -> None: ...

@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "case", [0, 1, 2, *(pytest.param(case, marks=pytest.mark.slow) for case in range(3, 30))]
)
def test_mixed(case: int) -> None: ...

@pytest.mark.thorough
def test_long() -> None: ...

def test_usual() -> None: ...
"""


def collected(folder: Path, expression: str) -> list[str]:
    """The tests of a folder with this suite's conftest that an expression of marks picks."""
    collect = ("pytest", "--collect-only", "-q", "-m", expression, "-p", "tests.conftest")
    run = subprocess.run(
        [sys.executable, "-m", *collect, "-c", "pyproject.toml", str(folder)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.rpartition("::")[2] for line in run.stdout.splitlines() if "::" in line]


USUAL, LONG, ALL = "not slow and not thorough", "thorough and not slow", "slow or not slow"


@pytest.mark.thorough
def test_each_case_is_run_by_one_of_both(tmp_path: Path) -> None:
    """A tenth of 35 cases is picked, rounded up, a single case always; the rest are thorough.

    Of cases that are slow none is picked, since they run elsewhere: it is one in three of the others.
    """
    (tmp_path / "test_cases.py").write_text(CASES, encoding="utf-8")
    usual = set(collected(tmp_path, USUAL))
    thorough = set(collected(tmp_path, LONG))
    slow = set(collected(tmp_path, "slow"))
    assert not usual & thorough
    many = {f"test_many[{case}]" for case in range(35)}
    mixed = {f"test_mixed[{case}]" for case in range(3)}
    assert len(usual & many) == 4
    assert len(usual & mixed) == 1
    assert usual - many - mixed == {"test_one", "test_usual"}
    assert thorough - many - mixed == {"test_long"}
    assert many | mixed <= usual | thorough
    assert slow == {f"test_mixed[{case}]" for case in range(3, 30)}


@pytest.mark.thorough
def test_a_file_with_a_slow_test_begins_first(tmp_path: Path) -> None:
    """It keeps its own order, as do the others behind it."""
    for name, text in (("test_a", "def test_usual(): ..."), ("test_b", CASES)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    assert collected(tmp_path, ALL)[-2:] == ["test_usual", "test_usual"]


@pytest.mark.parametrize(
    ("cases", "one_in", "picked"), [(1, 5, 1), (5, 5, 1), (6, 5, 2), (7, 1, 7)]
)
def test_what_is_picked_is_always_the_same(cases: int, one_in: int, picked: int) -> None:
    """Each worker, and each run, picks the same cases of a test, and one at least."""
    places = picked_of("test", cases, one_in)
    assert len(set(places)) == picked
    assert set(places) <= set(range(cases))
    assert places == picked_of("test", cases, one_in)
