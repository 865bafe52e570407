"""Which seeds detectors may be tuned on, and which only report; the two have no seed in common.

A figure is computed for each group of households, and the median of the groups is the figure.
"""

from typing import Literal

Part = Literal["tuning", "reporting"]

GROUP = 80
"""Households in a group."""

TUNING = tuple(range(start, start + GROUP) for start in (1_000, 2_000, 3_000, 4_000, 5_000))
REPORTING = tuple(
    range(start, start + GROUP)
    for start in (710_000, 720_000, 730_000, 740_000, 750_000, 760_000, 770_000)
)
"""Looked at once for each reported figure, with the detectors frozen; never while tuning."""

PARTS: dict[Part, tuple[range, ...]] = {"tuning": TUNING, "reporting": REPORTING}

BESIDE: dict[Part, int] = {"tuning": 6_000, "reporting": 780_000}
"""The first seed of the bills that have other rows beside them."""
