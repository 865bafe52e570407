"""Scales whose marks stand at round amounts: from amounts to places, and how the marks are written."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from finplan.model import figures
from finplan.model.money import exponent

_PARTS = 4
"""Into how many parts a scale is divided, or a few more."""

_SHORT = ((12, "T"), (9, "B"), (6, "M"), (3, "K"))


@dataclass(frozen=True, slots=True)
class Scale:
    """A stretch of amounts in minor units with a mark at each `step`; both ends are marks."""

    low: int
    high: int
    step: int

    @classmethod
    def from_zero(cls, amounts: Iterable[int], unit: int) -> Self:
        """The scale of what has a size: nothing is on it, so that twice as much is twice as long.

        `unit` is how long it is at least, minor units.
        """
        known = [0, *amounts]
        return cls._over(min(known), max(known), unit)

    @classmethod
    def around(cls, amounts: Iterable[int], unit: int) -> Self:
        """The scale of what moves: nothing is on it, unless the amounts lie far from it for their moves.

        `amounts` are one at least.
        """
        known = list(amounts)
        low, high = min(known), max(known)
        is_far = min(abs(low), abs(high)) > 2 * (high - low) and low != high
        if not is_far:
            low, high = min(0, low), max(0, high)
        return cls._over(low, high, unit)

    @classmethod
    def _over(cls, low: int, high: int, unit: int) -> Self:
        high = max(high, low + unit) if low >= 0 or high > low else high
        step = round_up(-(-(high - low) // _PARTS))
        return cls(low // step * step, -(-high // step) * step, step)

    @property
    def marks(self) -> list[int]:
        """The amounts at which marks stand, ascending."""
        return list(range(self.low, self.high + 1, self.step))

    @property
    def is_cut(self) -> bool:
        """Whether nothing is not on the scale, which has to be said."""
        return self.low > 0 or self.high < 0

    def place(self, amount: int, start: float, end: float) -> float:
        """Where an amount lies when `low` is at `start` and `high` at `end`."""
        return start + (end - start) * ((amount - self.low) / (self.high - self.low))


def round_up(size: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 and so on that is no smaller; of less than one it is 1."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= size:
                return digit * power
        power *= 10


def unit_of(currency: str) -> int:
    """One whole unit of a currency in minor units."""
    unit: int = 10 ** exponent(currency)
    return unit


def written(scale: Scale, currency: str) -> list[str]:
    """The marks of a scale, all in the same way: "$500" and "$1,000", or "$50K" and "$100K"."""
    unit, furthest = unit_of(currency), max(abs(scale.low), abs(scale.high))
    for power, sign in _SHORT:
        short = unit * 10**power
        if scale.step % short == 0 and furthest >= 10 * short:
            return [
                minus(figures.units_money(mark // short, currency)) + (sign if mark else "")
                for mark in scale.marks
            ]
    if scale.step % unit == 0:
        return [minus(figures.units_money(mark // unit, currency)) for mark in scale.marks]
    return [minus(figures.money(mark, currency)) for mark in scale.marks]


def minus(said: str) -> str:
    """An amount as it is drawn, with a minus as wide as a figure."""
    return said.replace("-", "\N{MINUS SIGN}", 1)
