"""Draws that are the same for the same seed, on every machine and in every version of Python.

SplitMix64 (Steele, Lea and Flood, 2014): a counter through a mixing function. The plan is pure, so that
chance is arithmetic on a number that its caller gives.
"""

from collections.abc import Sequence
from typing import TypeVar

_MASK = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15

Drawn = TypeVar("Drawn")


class Draws:
    """A sequence of draws from a seed, an integer."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def share(self) -> float:
        """A share from 0 to 1, 1 left out."""
        self._state = mixed = (self._state + _STEP) & _MASK
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((mixed ^ (mixed >> 31)) >> 11) / 2**53

    def choice(self, among: Sequence[Drawn]) -> Drawn:
        """One of some things, each as likely as another."""
        return among[int(self.share() * len(among))]
