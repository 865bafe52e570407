"""Near names: a slip or two of the keyboard, or a part of a longer name, and nothing else."""

import pytest

from finplan.questions.refusing import MOST_NEAR, near_names

NAMES = ("Uber", "CVS", "Target", "Groceries", "Starbucks", "Water", "Sakura House Sushi", "Car")
LABELS = {each.lower(): each for each in NAMES}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ubre", ("Uber",)),
        ("ubeer", ("Uber",)),
        ("ube", ()),
        ("uberr x", ("Uber",)),
        ("ubreer", ()),
        ("suber", ()),
        ("grocries", ("Groceries",)),
        ("grcries", ()),
        ("grocereis", ("Groceries",)),
        ("grocerei", ("Groceries",)),
        ("starbcusk", ("Starbucks",)),
        ("starbux", ()),
        ("card", ()),
        ("vs", ()),
        ("largest", ()),
        ("weather", ()),
        ("target", ()),
        ("sakura sushi", ("Sakura House Sushi",)),
        ("sushi sakura", ("Sakura House Sushi",)),
        ("house", ("Sakura House Sushi",)),
        ("sakura bar", ()),
        ("average", ()),
    ],
)
def test_near(written: str, meant: tuple[str, ...]) -> None:
    """One slip in a word of four letters, two from eight on; the first letter is seldom wrong."""
    assert near_names(written.split(), LABELS, LABELS) == meant


def test_three_at_most_and_the_nearest_first() -> None:
    """Nobody chooses among ten."""
    labels = {name: name for name in ("marketab", "marketx", "marketa", "marketb", "markets")}
    found = near_names(["marketaa"], labels, {})
    assert len(found) == MOST_NEAR
    assert found[:2] == ("marketa", "marketab")
