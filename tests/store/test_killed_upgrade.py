"""An upgrade that is killed at any step leaves a store that opens with every row, and whole copies."""

import subprocess
import sys
from pathlib import Path

import pytest

from finplan.store.backup import back_up, remove_backups
from finplan.store.migrate import HEAD, revision
from finplan.store.store import Store
from tests.patience import LONG_ENOUGH
from tests.store.kept import FIRST, content, lasting, make_first

pytestmark = pytest.mark.thorough

FEWEST_STEPS = 80
"""How many statements, pieces of the copy and commits the way from the first release has at least."""

STRIDES = [12, pytest.param(1, marks=pytest.mark.slow)]
"""From how many steps one is killed at."""

OPENED = 8
"""Of so many killed upgrades one is opened again: what a store holds is looked at after each."""


@pytest.mark.parametrize("stride", STRIDES)
def test_an_upgrade_is_killed_at_each_step(tmp_path: Path, stride: int) -> None:
    """The store is at the old or at the new revision, never between, and whoever comes next goes on.

    A copy is there only as a whole.
    """
    store, folder = tmp_path / "finplan.db", tmp_path / "killed"
    folder.mkdir()
    columns = make_first(store)
    before, lasts = content(store, columns), content(store, lasting(columns))
    subprocess.run(
        [sys.executable, "-m", "tests.store.dying", store, folder, str(stride)],
        check=True,
        cwd=Path(__file__).parents[2],
        timeout=LONG_ENOUGH,
    )
    steps = sorted(folder.iterdir())
    assert len(steps) * stride >= FEWEST_STEPS
    reached, halves = [], 0
    for place, step in enumerate(steps):
        path, copies = step / "finplan.db", step / "backups"
        present = revision(path) or ""
        reached.append(present)
        expected, of = (before, columns) if present == FIRST else (lasts, lasting(columns))
        assert content(path, of) == expected, step
        halves += any(copies.glob("*.part"))
        for copy in copies.glob("*.db"):
            assert (revision(copy), content(copy, columns)) == (FIRST, before), step
        if place % OPENED == 0 or present == HEAD:
            Store.open(path, copies).close()
            assert (revision(path), content(path, lasting(columns))) == (HEAD, lasts), step
            (copy,) = copies.glob("*.db")
            assert (revision(copy), content(copy, columns)) == (FIRST, before), step
    # Some died while the copy was made; the last but one of all steps after the commit.
    assert halves
    assert reached == sorted(reached)
    assert reached.count(HEAD) == 2 if stride == 1 else reached[-1] == HEAD


def test_a_copy_that_was_cut_short_is_no_copy(tmp_path: Path) -> None:
    """While a copy is made the one from before stands; what is left of one goes with all others."""
    path, copies = tmp_path / "finplan.db", tmp_path / "backups"
    columns = make_first(path)
    back_up(path, copies / "before.db")
    half = copies / "before.part"
    half.write_bytes(path.read_bytes()[:5000])
    assert content(copies / "before.db", columns) == content(path, columns)

    back_up(path, copies / "before.db")
    assert {copy.name for copy in copies.iterdir()} == {"before.db", "before.digest"}
    half.write_bytes(b"half")
    assert remove_backups(copies) == ("before.db", "before.part")
    assert list(copies.iterdir()) == []
