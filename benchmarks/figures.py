"""Figures: what was measured, beside its floor and its target; and the tables that show them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

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
    """One figure: `value` in the unit of its kind, and what it comes from, as text."""

    name: str
    rows: int
    kind: Kind
    value: float
    measured: str
    floor: str
    target: float | None

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
    return Figure(name, rows, kind, value, shown_time(measured), shown_time(floor), bound)


def shown_time(seconds: float) -> str:
    """A time as a person reads it."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"


HEADINGS = ("Figure", "Rows", "Measured", "Floor", "Ratio", "Target", "")
_NUMBERS = (1, 2, 3, 4, 5)


def as_text(figures: Iterable[Figure]) -> str:
    """A table for a terminal."""
    lines = _aligned([list(HEADINGS), *map(_cells, figures)])
    return "\n".join("  ".join(line).rstrip() for line in lines)


def as_markdown(figures: Iterable[Figure]) -> str:
    """The same table for the handbook."""
    rule = ["---:" if place in _NUMBERS else "---" for place in range(len(HEADINGS))]
    lines = [list(HEADINGS), rule, *map(_cells, figures)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(figure: Figure) -> list[str]:
    return [
        figure.name,
        f"{figure.rows:,}",
        figure.measured,
        figure.floor,
        figure.shown_value,
        figure.shown_target,
        figure.verdict,
    ]


def _aligned(table: Sequence[list[str]]) -> list[list[str]]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        [
            _put(cell, width, place in _NUMBERS)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        for line in table
    ]


def _put(cell: str, width: int, right: bool) -> str:
    justify: Callable[[int], str] = cell.rjust if right else cell.ljust
    return justify(width)
