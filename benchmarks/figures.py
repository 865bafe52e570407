"""Figures: what was measured, beside its floor and its target; and the tables that show them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import finplan
from benchmarks.tables import in_columns, in_markdown

Kind = Literal["speed", "time", "size", "patience"]
"""A share of the floor's speed (more is better), a multiple of its time, megabytes or milliseconds."""

UNITS: Mapping[Kind, str] = {"speed": "×", "time": "×", "size": " MB", "patience": " ms"}


@dataclass(frozen=True, slots=True)
class Target:
    """What a figure should come to, and with how many rows."""

    bound: float
    rows: int = 100_000


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: `value` in the unit of its kind, and what it comes from, as text.

    `cost` is what the product itself took, in seconds, or in megabytes of a size: less is better.
    """

    name: str
    rows: int
    kind: Kind
    value: float
    measured: str
    floor: str
    target: float | None
    cost: float

    @property
    def shown_value(self) -> str:
        """The value with its unit."""
        digits = {"size": 0, "patience": 1}.get(self.kind, 2)
        return f"{self.value:.{digits}f}{UNITS[self.kind]}"

    @property
    def shown_target(self) -> str:
        """The target with its direction and unit, empty without one."""
        if self.target is None:
            return ""
        direction = "≥" if self.kind == "speed" else "≤"
        return f"{direction} {self.target:g}{UNITS[self.kind]}"

    @property
    def verdict(self) -> str:
        """`met` or `missed`, empty without a target."""
        if self.target is None:
            return ""
        met = self.value >= self.target if self.kind == "speed" else self.value <= self.target
        return "met" if met else "missed"


def against(
    floor: float, measured: float, name: str, rows: int, kind: Kind, target: Target | None = None
) -> Figure:
    """The figure that a measured time makes beside its floor's, both in seconds."""
    value = floor / measured if kind == "speed" else measured / floor
    bound = target.bound if target is not None and target.rows == rows else None
    return Figure(name, rows, kind, value, shown_time(measured), shown_time(floor), bound, measured)


def shown_time(seconds: float) -> str:
    """A time as a person reads it."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"


HEADINGS = ("Figure", "Rows", "Measured", "Floor", "Ratio", "Target", "")
_NUMBERS = (1, 2, 3, 4, 5)


def as_text(figures: Iterable[Figure]) -> str:
    """A table for a terminal."""
    return in_columns([HEADINGS, *map(_cells, figures)], _NUMBERS)


def as_markdown(figures: Iterable[Figure]) -> str:
    """The same table for the handbook."""
    return in_markdown([HEADINGS, *map(_cells, figures)], _NUMBERS)


def as_json(figures: Iterable[Figure]) -> str:
    """The same figures for programs, and of which copy of the product they are."""
    product = str(Path(finplan.__file__).parent)
    return json.dumps({"product": product, "figures": [asdict(figure) for figure in figures]})


def _cells(figure: Figure) -> Sequence[str]:
    return (
        figure.name,
        f"{figure.rows:,}",
        figure.measured,
        figure.floor,
        figure.shown_value,
        figure.shown_target,
        figure.verdict,
    )
