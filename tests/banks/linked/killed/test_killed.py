"""Wherever a process is killed amid a link or a sync, the store ends as if nothing had happened."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from tests.banks.linked.killed.deeds import Deed
from tests.banks.linked.killed.mortal_home import (
    BankName,
    MortalHome,
    mortal_home,
    some_days,
    some_months,
)
from tests.webhooks.receiver import Authority

# Each kill takes some processes of its own.
pytestmark = pytest.mark.slow

EVERY = 50
"""Of so many statements that follow each other, one is died at, which dice choose."""


def some_of(steps: int) -> Iterator[int]:
    """At which of a deed's steps it is killed, each time in a household of its own."""
    dice = Random(steps)
    for first in range(0, steps, EVERY):
        yield min(dice.randrange(first, first + EVERY), steps - 1)


@pytest.fixture(params=get_args(BankName))
def home(
    request: pytest.FixtureRequest, tmp_path: Path, empty_store: Path, authority: Authority
) -> Iterator[MortalHome]:
    with mortal_home(request.param, tmp_path, empty_store, authority) as made:
        yield made


def test_a_link_that_is_killed_is_done_again(home: MortalHome, tmp_path: Path) -> None:
    """Whoever asks again has the bank linked once, with all its rows, or is told how to begin anew."""
    some_months(home)
    whole = home.copied(tmp_path / "whole")
    first = whole.sign_in()
    steps = whole.does(first).steps
    whole.sync_whole(*whole.connections())
    whole.must_have_lost_no_access()

    for step in some_of(steps):
        mortal = home.copied(tmp_path / f"{step:04}")
        deed = mortal.sign_in()
        assert mortal.do(deed, step) is None, f"no step {step}"
        mortal.link_whole(deed)
        places = mortal.has_its_first_item
        assert mortal.holds(places=places) == whole.holds(places=places), f"killed at {step}"
        mortal.must_have_counted(attended=True)
        mortal.must_have_lost_no_access()


def test_a_sync_that_is_killed_is_done_again(home: MortalHome, tmp_path: Path) -> None:
    """The next sync brings what one that died did not: rows, words, places and counts are the same."""
    household = some_months(home)
    linked = home.link_whole(home.sign_in())
    for text in ("BOOKS BY POST", "RISTORANTE LUIGI"):
        assert home.does(Deed("speak", text)).error is None
    some_days(home, *household)
    whole = home.copied(tmp_path / "whole")
    steps = whole.does(Deed("sync", linked)).steps
    whole.sync_whole(linked)

    for step in some_of(steps):
        mortal = home.copied(tmp_path / f"{step:04}")
        assert mortal.do(Deed("sync", linked), step) is None, f"no step {step}"
        mortal.sync_whole(linked)
        assert mortal.holds() == whole.holds(), f"killed at {step}"
        mortal.must_have_counted()


def test_a_relink_that_is_killed_is_done_again(home: MortalHome, tmp_path: Path) -> None:
    """A new access takes the place of the former one, whose accounts and words stay."""
    household = some_months(home)
    linked = home.link_whole(home.sign_in())
    for text in ("BOOKS BY POST", "RISTORANTE LUIGI"):
        assert home.does(Deed("speak", text)).error is None
    some_days(home, *household)
    home.lose_access()
    whole = home.copied(tmp_path / "whole")
    deed = whole.sign_in(linked)
    steps = whole.does(deed).steps
    whole.sync_whole(linked)

    for step in some_of(steps):
        mortal = home.copied(tmp_path / f"{step:04}")
        deed = mortal.sign_in(linked)
        assert mortal.do(deed, step) is None, f"no step {step}"
        assert mortal.link_whole(deed, linked) == linked
        places = mortal.has_its_first_item
        assert mortal.holds(places=places) == whole.holds(places=places), f"killed at {step}"
        mortal.must_have_counted(attended=True)
