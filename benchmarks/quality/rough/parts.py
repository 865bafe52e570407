"""Which rough households may be tuned on, and which only report; the two have no seed in common."""

from collections.abc import Mapping

from benchmarks.quality.parts import Part

GROUP = 80
"""Households in a group."""

TUNING = tuple(range(start, start + GROUP) for start in range(30_000, 35_000, 1_000))
REPORTING = tuple(range(start, start + GROUP) for start in range(930_000, 937_000, 1_000))
"""Looked at once for each reported figure, with the product frozen; never while tuning."""

PARTS: Mapping[Part, tuple[range, ...]] = {"tuning": TUNING, "reporting": REPORTING}
