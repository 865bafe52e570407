"""How sure a ratio is that was measured in pairs: its 95 % interval.

The logarithms of the paired ratios are taken to be normal around the true one, with Student's t for as
few as they are; so a ratio and its inverse have inverse intervals, and what slows both of a pair cancels
out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import fmean, stdev

# Student's t at 97.5 %, for one degree of freedom and more.
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Interval:
    """A ratio, and where it lies with a confidence of 95 %."""

    ratio: float
    low: float
    high: float


def interval_of(before: Sequence[float], after: Sequence[float]) -> Interval:
    """The ratio of `after` to `before`, positive numbers in pairs; ValueError below two pairs."""
    if len(before) < 2:
        raise ValueError("One pair tells nothing of how sure its ratio is.")
    logarithms = [log(new / old) for old, new in zip(before, after, strict=True)]
    middle = fmean(logarithms)
    # Of more pairs than the table has, its last line leaves the interval a little too wide.
    t = _T[min(len(logarithms) - 1, len(_T)) - 1]
    reach = t * stdev(logarithms) / sqrt(len(logarithms))
    return Interval(exp(middle), exp(middle - reach), exp(middle + reach))
