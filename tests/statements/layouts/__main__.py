"""Judge the reader of CSV statements on drawn layouts: `python -m tests.statements.layouts`.

Prints a table by subject, and writes the smallest file of each class of fault into a folder.
"""

import argparse
from pathlib import Path

from tests.statements.layouts.judge import story, tallied


def main() -> None:
    """Draw as many layouts as wanted; layout N of a seed is the same each time."""
    parser = argparse.ArgumentParser(prog="python -m tests.statements.layouts", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="how many layouts")
    parser.add_argument("--seed", type=int, default=1, help="which layouts")
    parser.add_argument("--to", type=Path, help="a folder for the smallest file of each fault")
    options = parser.parse_args()
    tally = tallied(options.seed, options.count)
    print(tally.table())
    for fault, count in (tally.faults + tally.needless).most_common():
        print(f"{count:6} {fault}")
    if options.to is not None:
        options.to.mkdir(parents=True, exist_ok=True)
        for fault, verdict in tally.smallest.items():
            name = fault.replace(":", "").replace(" ", "-")
            (options.to / f"{name}.csv").write_bytes(verdict.written.content)
            (options.to / f"{name}.txt").write_text(story(verdict) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
