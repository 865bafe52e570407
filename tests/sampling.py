"""Which tests `make test` leaves to `make test-slow`, and which of those begin first.

`thorough` marks what `make test` leaves out. `sampled(n)` marks a test of many cases of which one in n,
always the same ones, says in minutes nearly what all of them say; the others are `thorough`.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from random import Random

import pytest


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


def begin_with_the_slow(items: list[pytest.Item]) -> None:
    """Put files with a `slow` test first: one that began last would keep a single process busy."""
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    items.sort(key=lambda item: item.path not in slow)
