"""Households that hold nothing but varying monthly bills with other rows at their payee.

In all of thirteen months each bill has the same number of other rows beside it, and for each bill there
is a payee without one that has as many rows or fewer.
"""

from dataclasses import replace
from datetime import timedelta
from random import Random

from benchmarks.quality.world.household import closed, opened
from benchmarks.quality.world.mixed import DAYS_OF_OTHERS, write_mixed_bill, write_purchases
from benchmarks.quality.world.truth import Household

BILLS = 10
"""Bills in a household, and payees without a bill."""

_ROWS_OF_A_BILL = 13


def bills_beside(seed: int, others: int) -> Household:
    """A household whose bills have so many other rows each."""
    diary = opened(Random(seed), "noisy")
    # What is judged is the rows beside a bill, not how a bank words them.
    diary.writer = replace(diary.writer, manner="usual")
    diary.holes = {}
    diary.dead = None
    diary.since = diary.today - timedelta(DAYS_OF_OTHERS)
    for _ in range(BILLS):
        write_mixed_bill(diary, others)
        write_purchases(diary, diary.dice.randint(4, _ROWS_OF_A_BILL + others))
    return closed(diary, seed)
