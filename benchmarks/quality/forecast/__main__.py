"""`python -m benchmarks.quality.forecast`: the days ahead of households whose days to come are known.

With --accounts FILE, real accounts in the layout that `accounts` says; no such file is part of finplan.

The tuning part is judged unless --report asks for the other, which is looked at once for each reported
figure, with the forecast frozen.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from operator import attrgetter
from pathlib import Path
from statistics import mean

from benchmarks.quality.forecast.accounts import parts
from benchmarks.quality.forecast.judging import (
    HORIZONS,
    KNOWN,
    METHODS,
    OURS,
    PAST,
    Judged,
    Middle,
    judge,
    judge_account,
)
from benchmarks.tables import in_columns, in_markdown

TUNING = range(5_001_000, 5_001_420)
REPORTING = range(6_001_000, 6_001_900)
"""Seeds that the forecast was never tuned on."""

COVERED = (0.75, 0.85)
MOST = 0.8
"""The share of days that a range of four fifths may hold, and of the baseline's score at most."""

HEADINGS = (
    "Days ahead",
    "Range of",
    "Households",
    "Held",
    "Above it",
    "Mean width",
    "Mean score",
    "Of the baseline's",
    "Expected off by",
    "",
)
NUMBERS = frozenset((0, 2, 3, 4, 5, 6, 7, 8))

MIDDLE_HEADINGS = (
    "Days ahead",
    "Mean error, months of turnover",
    "Lowest third",
    "Middle third",
    "Highest third",
    "Off by",
    "Nothing changes: off by",
    "Mean net flow: off by",
)

Verdicts = Sequence[Mapping[tuple[int, str], Judged]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; a missed target is printed, never an error."""
    parser = argparse.ArgumentParser("python -m benchmarks.quality.forecast", description=__doc__)
    parser.add_argument("--report", action="store_true", help="the reporting part, frozen only")
    parser.add_argument("--markdown", action="store_true", help="the table for the handbook")
    parser.add_argument("--accounts", type=Path, nargs="+", help="files of real accounts")
    options = parser.parse_args(arguments)
    seeds = REPORTING if options.report else TUNING
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        if options.accounts:
            chosen = parts(options.accounts)[options.report]
            verdicts = list(pool.map(judge_account, chosen, chunksize=10))
            of = f"real accounts of {len(chosen)}"
        else:
            verdicts = list(pool.map(judge, seeds, chunksize=10))
            of = f"households of {len(seeds)} seeds from {seeds[0]:,}"
    found = [each for each in verdicts if each is not None]
    middles = [each.middle for each in found]
    printed = in_markdown if options.markdown else in_columns
    ranges = [each.ranges for each in found]
    # Real accounts hold few bills, so that what is known is no baseline there.
    lines = table(ranges, PAST, 1.0) if options.accounts else table(ranges)
    print(printed([HEADINGS, *lines], NUMBERS))
    print()
    print(printed([MIDDLE_HEADINGS, *middle_table(middles)], range(len(MIDDLE_HEADINGS))))
    part = "Reporting" if options.report else "Tuning"
    print(f"\n{below_zero(middles)}\n\n{part}: {len(found)} {of}.")
    return 0


def table(found: Verdicts, baseline: str = KNOWN, most: float = MOST) -> list[list[str]]:
    """A line for each method at each horizon; `most` is what a score may be of the baseline's."""
    lines = []
    for days in HORIZONS:
        base = _score([each[days, baseline] for each in found])
        for method in METHODS:
            judged = [each[days, method] for each in found]
            held, score = mean(one.holds for one in judged), _score(judged)
            of_base = score / base
            meets = COVERED[0] <= held <= COVERED[1] and of_base <= most
            lines.append(
                [
                    str(days),
                    method,
                    str(len(judged)),
                    f"{held:.3f}",
                    f"{mean(one.truth > one.said.high for one in judged):.3f}",
                    _whole(mean(one.said.high - one.said.low for one in judged)),
                    _whole(score),
                    f"{of_base:.2f}",
                    _whole(mean(abs(one.truth - one.expected) for one in judged)),
                    ("met" if meets else "missed") if method == OURS else "",
                ]
            )
    return lines


def middle_table(found: Sequence[Middle]) -> list[list[str]]:
    """A line for each horizon: how far the middle is off on the whole, in thirds, and case by case."""
    by_size = sorted(found, key=attrgetter("turnover"))
    third = len(by_size) // 3
    thirds = (by_size[:third], by_size[third:-third], by_size[-third:])
    return [
        [
            str(days),
            f"{_bias(found, days):+.3f}",
            *(f"{_bias(part, days):+.3f}" if part else "" for part in thirds),
            _whole(mean(abs(one.ours[days] - one.truth[days]) for one in found)),
            _whole(mean(abs(one.start - one.truth[days]) for one in found)),
            _whole(mean(abs(one.net_flow[days] - one.truth[days]) for one in found)),
        ]
        for days in HORIZONS
    ]


def _bias(found: Sequence[Middle], days: int) -> float:
    """The mean error in months of turnover."""
    error = mean(one.ours[days] - one.truth[days] for one in found)
    return error / mean(one.turnover for one in found)


def below_zero(found: Sequence[Middle]) -> str:
    """How many were shown below zero and never were, and of how many that fell one was warned."""
    falsely = sum(one.shown and not one.fell for one in found)
    warned = [one.warned for one in found if one.warned is not None]
    return (
        f"Shown below zero, and never was: {falsely} of {len(found)}."
        f" Fell below zero: {len(warned)}. Ten days before, a fall by that day had 25 % or more in"
        f" {sum(by_then for by_then, _ in warned)}, a fall by the last day shown in"
        f" {sum(by_the_last for _, by_the_last in warned)}."
    )


def _score(judged: Sequence[Judged]) -> float:
    return mean(one.said.score(one.truth) for one in judged)


def _whole(minor: float) -> str:
    return f"{minor / 100:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
