"""Which tests `make test` leaves to `make test-slow`, and which of those `make test-drawn` runs.

`thorough` marks what `make test` leaves out. `sampled(n)` marks a test of many cases of which one in n,
always the same ones, says in minutes nearly what all of them say; the others are `thorough`.

What is `slow` or `thorough` and not `judged` is drawn from: one test in `ONE_IN`, by a seed.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import groupby
from random import Random

import pytest

ONE_IN = 4
"""How many of the tests that take long stand for one that is drawn."""


def leave_to_the_thorough(items: Iterable[pytest.Item]) -> None:
    """Mark as `thorough` the cases of `sampled` tests that are not picked."""
    for test, cases in groupby(items, lambda item: item.nodeid.partition("[")[0]):
        # What is slow runs elsewhere anyway, and would take the places of what is not.
        found = [each for each in cases if each.get_closest_marker("slow") is None]
        mark = found[0].get_closest_marker("sampled") if found else None
        if mark is not None:
            picked = picked_of(test, len(found), *mark.args)
            for place in set(range(len(found))).difference(picked):
                found[place].add_marker("thorough")


def picked_of(test: str, cases: int, one_in: int) -> Sequence[int]:
    """The places of the cases that are picked of a test's: one in so many, and one at least."""
    return Random(test).sample(range(cases), -(-cases // one_in))


def is_drawn(test: str, seed: str) -> bool:
    """Whether a seed draws a test, by its node id; it hangs on no other test and on no process."""
    return int.from_bytes(sha256(f"{seed} {test}".encode()).digest()[:8]) % ONE_IN == 0
