"""`python -m benchmarks.quality`: judge what finplan detects on households whose truth is known.

The tuning part is judged unless --report asks for the other, which is to be looked at once for each
reported figure, with the detectors frozen.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import groupby

from benchmarks.quality import beside, calibration, figures, speed
from benchmarks.quality.frozen import generator_digest
from benchmarks.quality.parts import BESIDE, GROUP, PARTS, Part
from benchmarks.quality.running import Outcome, run
from benchmarks.quality.scoring import Miss


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables that were asked for; a missed target is printed, never an error."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.report and options.misses:
        parser.error("--misses shows what to tune, and the reporting part is not tuned on.")
    if options.report and options.seeds:
        parser.error("--report has its own seeds; leave --seeds out.")
    printed = figures.as_markdown if options.markdown else figures.as_text
    if not options.speed_only:
        part: Part = "reporting" if options.report else "tuning"
        groups = _groups(options.seeds) if options.seeds else PARTS[part]
        sys.stderr.write(f"Judging {sum(map(len, groups))} households, {options.noise} …\n")
        outcomes = run(groups, options.noise)
        lines = figures.table(figures.figures([one.tallies for one in outcomes], options.noise))
        print(printed(figures.HEADINGS, lines, figures.columns_of_numbers()))
        print(f"\n{_told(outcomes, 'own seeds' if options.seeds else part, options.noise)}")
        bands = calibration.table([one.tallies[figures.DETECTORS[0]] for one in outcomes])
        if bands:
            print("\n" + printed(calibration.HEADINGS, bands, calibration.NUMBERS))
        else:
            print("\nProbabilities: not given.")
        if not options.seeds:
            lines = beside.table(beside.count(BESIDE[part]))
            print("\n" + printed(beside.HEADINGS, lines, beside.NUMBERS))
        if options.misses:
            _print_misses([miss for one in outcomes for miss in one.misses], options.misses)
    if options.speed or options.speed_only:
        sys.stderr.write("Timing …\n")
        lines = speed.table(speed.measure(speed.SIZES))
        print("\n" + printed(speed.HEADINGS, lines, speed.NUMBERS))
    return 0


def _told(outcomes: Sequence[Outcome], part: str, level: str) -> str:
    rows = sum(one.rows for one in outcomes)
    seconds = sum(one.seconds for one in outcomes)
    return (
        f"{part.capitalize()}, {level}: medians of {len(outcomes)} groups;"
        f" {rows:,} rows, {seconds:.1f} s of detection. Generator {generator_digest()}."
    )


def _print_misses(misses: Sequence[Miss], most: int) -> None:
    for figure, group in groupby(
        sorted(misses, key=lambda one: one.figure), lambda one: one.figure
    ):
        texts = [one.text for one in group]
        print(f"\n{figure}: {len(texts)} wrong")
        # Every n-th, so that examples come from all households.
        for text in texts[:: max(1, len(texts) // most)][:most]:
            print(f"  {text}")


def _groups(seeds: Sequence[int]) -> list[Sequence[int]]:
    """Seeds of the caller's own, in groups as large as those of the parts."""
    return [seeds[start : start + GROUP] for start in range(0, len(seeds), GROUP)]


def _seeds(text: str) -> list[int]:
    """One seed, or a range of them such as 1000-1039."""
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--report", action="store_true", help="the reporting part, frozen only")
    parser.add_argument("--noise", choices=("noisy", "clean"), default="noisy")
    parser.add_argument("--seeds", type=_seeds, help="seeds of your own, such as 1000-1039")
    parser.add_argument("--markdown", action="store_true", help="the tables for the handbook")
    parser.add_argument("--misses", type=int, metavar="N", help="N examples of what went wrong")
    parser.add_argument("--speed", action="store_true", help="also time detection by ledger size")
    parser.add_argument("--speed-only", action="store_true", help="only time detection")
    return parser


if __name__ == "__main__":
    sys.exit(main())
