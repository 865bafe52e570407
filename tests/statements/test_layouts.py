"""Laws of the reader of CSV over drawn layouts: right, or asked; never wrong in silence."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.statements.layouts.judge import judge
from tests.statements.layouts.layout import draw
from tests.statements.layouts.tally import story, tallied

MANY, PARTS = 20_000, 5
FEW = 600
MOST_NEEDLESS = 0.1
"""The share of files that leave nothing open and may still be asked about or refused."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("layouts")


@pytest.mark.thorough
@given(st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_a_layout_is_read_right_or_asked_about(folder: Path, random: Random) -> None:
    """No day, amount, sign or currency is wrong unless it was asked; what is open is always asked."""
    verdict = judge(*draw(random), folder)
    assert not verdict.faults, story(verdict)


@pytest.mark.thorough
def test_what_a_file_shows_is_seldom_asked() -> None:
    """Nine in ten files that leave nothing open are read without a question or a refusal."""
    tally = tallied(seed=1, count=FEW)
    assert not tally.faults, tally.table()
    assert tally.read >= (1 - MOST_NEEDLESS) * tally.provable, tally.table()


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2, 2 + PARTS))
def test_no_layout_of_many_is_read_wrongly(seed: int) -> None:
    """Over 20,000 layouts nothing is wrong in silence, all that is open is asked, and little else."""
    tally = tallied(seed=seed, count=MANY // PARTS)
    print(tally.table())
    assert not tally.faults, tally.table()
    assert tally.read >= (1 - MOST_NEEDLESS) * tally.provable, tally.table()
