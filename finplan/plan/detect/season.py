"""What a monthly bill comes to in its season: heating in December is no median of the summer.

The semantics give a series one amount, its usual one, from which its month follows. What is due on a day
is told apart from it where two years of bills show that the same month a year before says more.
"""

from collections.abc import Sequence
from datetime import date

from finplan.plan.ledger.amounts import expected_amount
from finplan.plan.ledger.books import Series

_LEAST = 10
"""So many of the last twelve months must have a bill a year before, or nobody knows the seasons."""

_YEAR = 12
_HALF_A_MONTH = 15

Bills = Sequence[tuple[date, int]]
"""The bills of a series, oldest first: day and amount."""


def amount_due(series: Series, day: date) -> int:
    """What is expected on a day: as a year before if that foretells the bills better, else as usual."""
    if series.cadence != "monthly" or series.steady:
        return series.amount
    before = _a_year_before(series.recent, day)
    return before if before is not None and _has_seasons(series.recent) else series.amount


def _has_seasons(bills: Bills) -> bool:
    """Whether a year ago told the bills of the last twelve months better than the usual amount did."""
    amounts = [amount for _, amount in bills]
    judged = [
        (abs(amounts[place] - before), abs(amounts[place] - expected_amount(amounts[:place])))
        for place in range(max(1, len(bills) - _YEAR), len(bills))
        if (before := _a_year_before(bills[:place], bills[place][0])) is not None
    ]
    by_season, by_usual = (sum(each[way] for each in judged) for way in (0, 1))
    return len(judged) >= _LEAST and by_season < by_usual


def _a_year_before(bills: Bills, day: date) -> int | None:
    """The amount of the bill nearest to the day a year before, None without one in that month."""
    apart, _, amount = min((abs((day - each).days - 365), each, amount) for each, amount in bills)
    return amount if apart < _HALF_A_MONTH else None
