"""`python -m benchmarks.quality.forecast`: the days ahead of households whose days to come are known.

The tuning part is judged unless --report asks for the other, which is looked at once for each reported
figure, with the forecast frozen.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from statistics import mean

from benchmarks.quality.forecast.judging import HORIZONS, KNOWN, METHODS, OURS, Judged, judge
from benchmarks.tables import in_columns, in_markdown

TUNING = range(5_001_000, 5_001_420)
REPORTING = range(6_001_000, 6_001_480)
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

Verdicts = Sequence[Mapping[tuple[int, str], Judged]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; a missed target is printed, never an error."""
    parser = argparse.ArgumentParser("python -m benchmarks.quality.forecast", description=__doc__)
    parser.add_argument("--report", action="store_true", help="the reporting part, frozen only")
    parser.add_argument("--markdown", action="store_true", help="the table for the handbook")
    options = parser.parse_args(arguments)
    seeds = REPORTING if options.report else TUNING
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = [each for each in pool.map(judge, seeds, chunksize=10) if each is not None]
    printed = in_markdown if options.markdown else in_columns
    print(printed([HEADINGS, *table(found)], NUMBERS))
    part = "Reporting" if options.report else "Tuning"
    print(f"\n{part}: {len(found)} households of {len(seeds)} seeds from {seeds[0]:,}.")
    return 0


def table(found: Verdicts) -> list[list[str]]:
    """A line for each method at each horizon."""
    lines = []
    for days in HORIZONS:
        base = _score([each[days, KNOWN] for each in found])
        for method in METHODS:
            judged = [each[days, method] for each in found]
            held, score = mean(one.holds for one in judged), _score(judged)
            of_base = score / base
            meets = COVERED[0] <= held <= COVERED[1] and of_base <= MOST
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


def _score(judged: Sequence[Judged]) -> float:
    return mean(one.said.score(one.truth) for one in judged)


def _whole(minor: float) -> str:
    return f"{minor / 100:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
