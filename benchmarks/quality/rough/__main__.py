"""`python -m benchmarks.quality.rough`: recurring charges where much is missed, moved and cancelled.

The tuning part is judged unless --report asks for the other, which is to be looked at once for each
reported figure, with the product frozen.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import accumulate

from benchmarks.quality.frozen import rough_digest
from benchmarks.quality.parts import Part
from benchmarks.quality.rough.judging import BINS, PARTS_OF_ONE, calibration_error, judge_group
from benchmarks.quality.rough.parts import PARTS
from benchmarks.quality.scoring import Tally
from benchmarks.tables import in_columns, in_markdown


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser("python -m benchmarks.quality.rough", description=__doc__)
    parser.add_argument("--report", action="store_true", help="the reporting part, frozen only")
    parser.add_argument("--markdown", action="store_true", help="the tables for the handbook")
    options = parser.parse_args(arguments)
    part: Part = "reporting" if options.report else "tuning"
    groups = PARTS[part]
    sys.stderr.write(f"Judging {sum(map(len, groups)):,} households …\n")
    whole: Tally = Counter()
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        for tally in pool.map(judge_group, groups):
            whole.update(tally)
    printed = in_markdown if options.markdown else in_columns
    for lines in (figures(whole), forecasts(whole)):
        print(f"{printed(lines, range(1, len(lines[0])))}\n")
    print(
        f"{part.capitalize()}: {sum(map(len, groups))} rough households, {whole['rows']:,} rows."
        f" Rough {rough_digest()}."
    )
    return 0


def figures(tally: Mapping[str, int]) -> list[list[str]]:
    """What is found, and what is said of what came once."""
    lines = [
        [shown, f"{tally[f'{name} of']}", _share(tally[name], tally[f"{name} of"])]
        for shown, name in (
            ("Noisy quarterly bills, recall", "quarterly recall"),
            ("… precision", "quarterly precision"),
        )
    ]
    expected = tally["again expected"]
    return [
        ["Figure", "Judged", "Value"],
        *lines,
        ["Series of cash withdrawals", "", f"{tally['cash series']}"],
        [
            "Came once, expected again: said",
            f"{expected}",
            _share(tally["again said"], 100 * expected),
        ],
        ["… came true", f"{expected}", _share(tally["again came"], expected)],
    ]


def forecasts(tally: Mapping[str, int]) -> list[list[str]]:
    """What is said of next charges and what came, band by band, and from each floor on."""
    lines = [["Probability", "Of", "Forecasts", "Said", "Came true", "From here on: hits", "right"]]
    for where in ("all", "cards"):
        bands = range(BINS - 1, BINS // 2 - 1, -1)
        counts = [tally[f"{where} {band} of"] for band in bands]
        hits = [tally[f"{where} {band}"] for band in bands]
        rows = zip(bands, counts, hits, accumulate(counts), accumulate(hits), strict=True)
        for band, count, came, all_of, all_came in rows:
            said = tally[f"{where} {band} said"] / PARTS_OF_ONE
            lines.append(
                [
                    f"{band / BINS:g} to {(band + 1) / BINS:g}",
                    where,
                    f"{count}",
                    f"{said / count:.3f}" if count else "",
                    _share(came, count),
                    f"{all_came}",
                    _share(all_came, all_of),
                ]
            )
        error = calibration_error(tally, where)
        lines.append(["Calibration error", where, f"{sum(counts)}", f"{error:.3f}", "", "", ""])
    return lines


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else ""


if __name__ == "__main__":
    sys.exit(main())
