"""The derivation of a figure: its formula with the numbers in it, in the order of computing.

Explanations never compute a figure anew: each result is the plan's own, and the formula beside it
must come to it. What rounding to a whole hands to a part stands in the formula as `rounding`.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Protocol

from finplan.model.explain import Figure, Quantity, Unit, Value
from finplan.model.money import half_even

_NAME = re.compile(r"[A-Za-z_]\w*")
_FUNCTIONS = frozenset({"min", "max", "round", "floor", "ceil"})
_DECIMALS = 4
"""How many decimals a share has."""


class Derivation:
    """Collects figures; a formula may name every figure that came before it."""

    def __init__(self) -> None:
        self.figures: list[Figure] = []
        self._known: dict[str, Quantity] = {}

    def knows(self, name: str) -> bool:
        """Whether a figure of that name came before."""
        return name in self._known

    def given(self, name: str, label: str, result: Value, unit: Unit = "money") -> None:
        """Add a figure that the data give, or that a rule chose."""
        self._add(Figure(name=name, label=label, unit=unit, formula=None, values=(), result=result))

    def day(self, name: str, label: str, result: date | None) -> None:
        """Add a date."""
        self.given(name, label, None if result is None else result.isoformat(), "date")

    def derive(
        self,
        name: str,
        label: str,
        formula: str,
        result: Value,
        unit: Unit = "money",
        inputs: Sequence[Quantity] = (),
        **amounts: int,
    ) -> None:
        """Add a figure with its formula; `amounts` and `inputs` are what no figure before it holds."""
        own = {each.name: each for each in inputs} | _money(amounts)
        self._derive(name, label, formula, result, unit, own)

    def mean(self, name: str, label: str, result: int, months: Fraction, **total: int) -> None:
        """Add a mean: a window's total, which comes with its name, over `months`, known before."""
        if not months:
            self.given(name, label, result)
            return
        ((key, whole),) = total.items()
        exact = half_even(whole * months.denominator, months.numerator)
        self.part(name, label, f"round({key} / months)", exact, result, **total)

    def part(
        self, name: str, label: str, formula: str, exact: int, result: int, **amounts: int
    ) -> None:
        """Add a part of a rounded whole: `exact` is what the formula comes to by itself."""
        if result != exact:
            formula, amounts = f"{formula} + rounding", {**amounts, "rounding": result - exact}
        self._derive(name, label, formula, result, "money", _money(amounts))

    def share(self, name: str, label: str, formula: str, result: float, **amounts: int) -> None:
        """Add a share, 4 decimals."""
        self._derive(name, label, formula, result, "share", _money(amounts))

    def share_of_whole(
        self, name: str, label: str, formula: str, exact: Fraction, result: float, **amounts: int
    ) -> None:
        """Add one of several shares that add up to 1: `exact` is what its formula comes to exactly."""
        unit = 10**_DECIMALS
        off = round(result * unit) - half_even(unit * exact.numerator, exact.denominator)
        own = _money(amounts)
        whole = f"round({formula}, {_DECIMALS})"
        if off:
            own["rounding"] = Quantity(name="rounding", unit="share", value=off / unit)
            whole = f"{whole} + rounding"
        self._derive(name, label, whole, result, "share", own)

    def total(self, name: str, label: str, result: int, parts: Sequence[str]) -> None:
        """Add a sum of figures known before; a sum of nothing is given as it is."""
        if parts:
            self.derive(name, label, " + ".join(parts), result)
        else:
            self.given(name, label, result)

    def _derive(
        self,
        name: str,
        label: str,
        formula: str,
        result: Value,
        unit: Unit,
        own: Mapping[str, Quantity],
    ) -> None:
        names = dict.fromkeys(each for each in _NAME.findall(formula) if each not in _FUNCTIONS)
        values = tuple(own[each] if each in own else self._known[each] for each in names)
        self._add(
            Figure(name=name, label=label, unit=unit, formula=formula, values=values, result=result)
        )

    def _add(self, figure: Figure) -> None:
        self.figures.append(figure)
        self._known[figure.name] = Quantity(name=figure.name, unit=figure.unit, value=figure.result)


def _money(amounts: Mapping[str, int]) -> dict[str, Quantity]:
    return {key: Quantity(name=key, unit="money", value=each) for key, each in amounts.items()}


class HasMonths(Protocol):
    """What holds the divisor of the means."""

    @property
    def months(self) -> Fraction:
        """The divisor."""


def add_months_averaged(derivation: Derivation, window: HasMonths) -> Fraction:
    """Add the divisor of every mean, and answer it."""
    months = window.months
    if derivation.knows("months"):
        return months
    value = months.numerator if months.denominator == 1 else float(months)
    derivation.given("months", "Months averaged", value, "months")
    return months
