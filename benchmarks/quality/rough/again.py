"""What came once and is expected again after a year, held against what truly comes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchmarks.quality.chain import chain_of
from benchmarks.quality.rough.household import rough_household
from benchmarks.quality.world.truth import Coming, Household
from finplan.plan.bookkeeping import keep_books
from finplan.plan.detect.expected_again import LAPSED
from finplan.plan.ledger.books import Series

AMOUNT_WITHIN = 1 / 3
"""A year's payment is the one that was expected if it is as large, give or take a third."""


class Expected(NamedTuple):
    """A single payment that is expected again: its signs, what is said of it, and whether it comes."""

    signs: Mapping[str, int]
    probability: float
    comes: bool


def expected_again_of(made: Household) -> list[Expected]:
    """Every single payment of a household that is expected again."""
    books = keep_books(chain_of(made).ledger, made.today)
    return [
        Expected(one.signs, one.probability, _comes(one, _coming_of(made, one)))
        for one in books.expected_again
        if one.signs is not None and one.probability is not None and one.parts
    ]


def count_again(seeds: Sequence[int]) -> Counter[str]:
    """How many single payments of a group of households are expected again, and how many come."""
    tally: Counter[str] = Counter()
    for seed in seeds:
        for one in expected_again_of(rough_household(seed)):
            tally["expected"] += 1
            tally["said"] += round(100 * one.probability)
            tally["came"] += one.comes
    return tally


def _coming_of(made: Household, series: Series) -> Coming | None:
    """What truly comes next of the payment that a series was seen by."""
    day, amount = series.parts[0]
    stream = next(
        (row.stream for row in made.rows if row.day == day and row.amount == -amount), None
    )
    return next((one.next for one in made.streams if one.number == stream), None)


def _comes(series: Series, coming: Coming | None) -> bool:
    return (
        coming is not None
        and series.next_date is not None
        and abs((coming.day - series.next_date).days) <= LAPSED
        and abs(coming.amount - series.amount) <= AMOUNT_WITHIN * series.amount
    )
