"""The figures of a run: medians over the groups of households, beside the plain way and the target."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import get_args

from benchmarks.quality.scoring import Tally
from benchmarks.quality.world.rates import Level
from finplan.model.plan import Cadence

DETECTORS = ("finplan", "median gap")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A figure to show: its name in the tallies, its title, and its target on noisy data.

    The target is the least that is wanted, or the most of a figure that counts mistakes.
    """

    tallied: str
    shown: str
    target: float | None = None
    is_mistakes: bool = False


_CADENCES = get_args(Cadence)

WANTED: tuple[Wanted, ...] = (
    Wanted("charge recall", "Recurring charges, recall", 0.95),
    Wanted("charge precision", "Recurring charges, precision", 0.98),
    Wanted("charge precision without cash", "… without cash withdrawals", None),
    Wanted("false series", "False series per payee without a bill", 0.02, is_mistakes=True),
    Wanted("annual precision", "Annual charges, precision", 0.90),
    Wanted("annual recall", "Annual charges, recall"),
    *(Wanted(f"cadence {one}", f"Cadence exact, {one}", 0.90) for one in _CADENCES),
    *(Wanted(f"cadence {one}, of those found", f"… {one}, of those found") for one in _CADENCES),
    Wanted("charge next date and amount", "Charges, next date and amount", 0.93),
    Wanted("next date", "Next date within 3 days, income too", 0.90),
    Wanted("income next date", "… of income, the date alone"),
    Wanted("charge active", "Active or dormant, charges"),
    Wanted("income recall", "Income sources, recall", 0.97),
    Wanted("income recall, regular", "… of those with a cadence"),
    Wanted("income precision", "Income sources, precision"),
    Wanted("transfer precision", "Transfers, precision", 0.998),
    Wanted("transfer recall", "Transfers, recall", 0.97),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with the detectors' medians; `judged` is how many things a group judges, in the median.

    `spread` is the least and the largest group of the product. A value is None when nothing was judged.
    """

    shown: str
    judged: int
    values: tuple[float | None, ...]
    spread: tuple[float, float] | None
    target: float | None
    is_mistakes: bool = False

    @property
    def verdict(self) -> str:
        """`met` or `missed`, empty without a target or a value."""
        value = self.values[0]
        if self.target is None or value is None:
            return ""
        is_met = value <= self.target if self.is_mistakes else value >= self.target
        return "met" if is_met else "missed"

    @property
    def aim(self) -> str:
        """The target as it is printed, empty without one."""
        if self.target is None:
            return ""
        return f"{'≤' if self.is_mistakes else '≥'} {self.target:g}"


def figures(tallies: Sequence[Mapping[str, Tally]], level: Level) -> list[Figure]:
    """The figures of the groups, each given as the tally of each detector."""
    return [_figure(wanted, tallies, level) for wanted in WANTED]


def _figure(wanted: Wanted, tallies: Sequence[Mapping[str, Tally]], level: Level) -> Figure:
    shares = [_shares(wanted.tallied, [group[name] for group in tallies]) for name in DETECTORS]
    own = shares[0]
    judged = [group[DETECTORS[0]][f"{wanted.tallied} of"] for group in tallies]
    return Figure(
        shown=wanted.shown,
        judged=round(median(judged)),
        values=tuple(median(one) if one else None for one in shares),
        spread=(min(own), max(own)) if own else None,
        target=wanted.target if level == "noisy" else None,
        is_mistakes=wanted.is_mistakes,
    )


def _shares(figure: str, tallies: Iterable[Tally]) -> list[float]:
    return [tally[figure] / tally[f"{figure} of"] for tally in tallies if tally[f"{figure} of"] > 0]


HEADINGS = ("Figure", "Judged", *DETECTORS, "Groups", "Target", "")
_NUMBERS = range(1, 6)


def table(found: Iterable[Figure]) -> list[list[str]]:
    """The figures as lines of cells, without a heading."""
    return [
        [
            figure.shown,
            f"{figure.judged}",
            *(_shown(value) for value in figure.values),
            "–".join(map(_shown, figure.spread)) if figure.spread else "",
            figure.aim,
            figure.verdict,
        ]
        for figure in found
    ]


def as_text(headings: Sequence[str], lines: Sequence[Sequence[str]], numbers: Iterable[int]) -> str:
    """A table for a terminal; the columns of numbers are flush right."""
    right = set(numbers)
    every = [headings, *lines]
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in every
    )


def as_markdown(
    headings: Sequence[str], lines: Sequence[Sequence[str]], numbers: Iterable[int]
) -> str:
    """The same table for the handbook."""
    right = set(numbers)
    rule = ["---:" if place in right else "---" for place in range(len(headings))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (headings, rule, *lines))


def columns_of_numbers() -> Sequence[int]:
    """Which columns of the table of figures are flush right."""
    return _NUMBERS


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
