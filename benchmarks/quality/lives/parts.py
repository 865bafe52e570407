"""Which lives may be tuned on, and which only report; the two have no seed in common.

Of each seed there is a life of every kind. A figure is computed for each group, and the median of the
groups is the figure.
"""

from collections.abc import Mapping

from benchmarks.quality.parts import Part

GROUP = 30
"""Lives of a kind in a group."""

TUNING = tuple(range(start, start + GROUP) for start in range(20_000, 25_000, 1_000))
REPORTING = tuple(range(start, start + GROUP) for start in range(820_000, 827_000, 1_000))
"""Looked at once for each reported figure, with the product frozen; never while tuning."""

PARTS: Mapping[Part, tuple[range, ...]] = {"tuning": TUNING, "reporting": REPORTING}
