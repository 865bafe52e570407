"""Laws of the reader of CSV over drawn layouts: right, or asked; never wrong in silence.

`layouts/not_yet.toml` tells how far the reader is from the laws: how many layouts of those drawn by
each seed are wrong in silence or taken without a question, by subject. It may only become less.
"""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.statements.layouts.tally import Tally, tallied

NOT_YET = tomllib.loads(
    (Path(__file__).parent / "layouts" / "not_yet.toml").read_text(encoding="utf-8")
)


def exceeded(tally: Tally, bounds: dict[str, int]) -> dict[str, int]:
    """The classes of fault that more layouts show than are known to."""
    return dict(Counter(tally.faults) - Counter(bounds))


@pytest.mark.parametrize("size", ["few", pytest.param("many", marks=pytest.mark.slow)])
def test_no_more_layouts_are_read_wrongly_than_are_known(size: str) -> None:
    """What is wrong was asked about, but for as many layouts as are known not to be."""
    known = NOT_YET[size]
    tally = tallied(known["seed"], known["count"])
    print(tally.table())
    assert exceeded(tally, known["faults"]) == {}, tally.table()
    assert tally.read >= known["read"] * tally.provable, tally.table()
