"""A daemon that is killed at random moments loses nothing and does nothing twice."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.crash.__main__ import main
from tests.crash.household import Found
from tests.crash.kills import Run

KILLS = 12


@pytest.mark.slow
def test_kills_lose_nothing_and_double_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever was acknowledged is there after each kill, and what was asked again is there once."""
    code = main(["--kills", str(KILLS)])

    told = capsys.readouterr()
    assert code == 0, told
    assert told.out.startswith(f"{KILLS} kills, ")
    assert told.out.endswith(", 0 losses, 0 doubles\n")


LOST = "DELETE FROM tx WHERE no = (SELECT min(no) FROM tx)"
CHANGED = "UPDATE tx SET amount = amount - 1 WHERE no = (SELECT min(no) FROM tx)"
DOUBLED = """
    CREATE TEMP TABLE one AS SELECT * FROM tx LIMIT 1;
    UPDATE one SET no = NULL, external_id = NULL;
    INSERT INTO tx SELECT * FROM one;
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "lost", "doubled"),
    [(LOST, True, False), (CHANGED, True, True), (DOUBLED, False, True)],
    ids=["lost", "changed", "doubled"],
)
def test_rows_that_are_lost_or_doubled_are_found(
    tmp_path: Path, change: str, lost: bool, doubled: bool
) -> None:
    """A row that is gone, or there twice, or has another amount, ends the run with a word of it."""
    run = with_rows(tmp_path)
    with closing(sqlite3.connect(run.home.places.database)) as store:
        store.executescript(change)

    found = run.kill(run.tally.kills).found

    assert any(each.startswith("rows: ") for each in found.losses) == lost
    assert any(each.startswith("rows: ") for each in found.doubles) == doubled


@pytest.mark.slow
def test_what_is_carried_out_twice_is_found(tmp_path: Path) -> None:
    """A request whose reply was not kept is carried out once more, which ends the run with a word."""
    run = with_rows(tmp_path)
    with closing(sqlite3.connect(run.home.places.database)) as store:
        store.executescript("DELETE FROM kept_reply")

    found = run.kill(run.tally.kills).found

    assert any(each.endswith("once more.") for each in found.doubles)


def with_rows(home: Path) -> Run:
    """A run that has gone on until some rows were imported."""
    run = Run(home, seed=1)
    while not run.household.rows():
        run.kill(run.tally.kills + 1)
    return run


def test_values_that_differ_are_losses() -> None:
    """What has another value than was acknowledged is lost; of what is listed, each is counted."""
    found = Found()

    found.equal("The balance", 3, 3)
    found.compare("rows", ["a", "b"], iter(["b", "a"]))
    assert not found.all
    found.equal("balance", 3, 4)
    found.compare("rows", {"row_1": 1, "row_3": 1}, ["row_1", "row_1", "row_2"])

    told = [re.findall(r"balance|row_\d|\b\d", each) for each in found.losses]
    assert told == [["balance", "3", "4"], ["row_1"], ["row_2"]]
    assert [re.findall(r"row_\d", each) for each in found.doubles] == [["row_3"]]
