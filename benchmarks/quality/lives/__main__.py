"""`python -m benchmarks.quality.lives`: what finplan plans with when a life changes.

The tuning part is judged unless --report asks for the other, which is to be looked at once for each
reported figure, with the product frozen.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import median
from typing import NamedTuple

from benchmarks.quality.frozen import lives_digest
from benchmarks.quality.lives.judging import judge_group
from benchmarks.quality.lives.life import KINDS
from benchmarks.quality.lives.parts import PARTS
from benchmarks.quality.parts import Part
from benchmarks.quality.scoring import Tally
from benchmarks.tables import in_columns, in_markdown


class Page(NamedTuple):
    """A table: its title, and its headings with the figures in the tallies."""

    title: str
    figures: Mapping[str, str]


PAGES = (
    Page(
        "What a month brings and costs from now on",
        {
            "Income right": "income right",
            "Income off by": "income off",
            "Spending right": "spending right",
            "Spending off by": "spending off",
            "Shortfall reported": "shortfall",
            "Lost source reported": "lost source",
        },
    ),
    Page(
        "What changed, and what comes",
        {
            "Level": "level",
            "Over": "end",
            "Next payment": "next payment",
            "Bill ahead": "bill ahead",
            "Pairs right": "pairs right",
            "Paired": "paired",
            "Paired or asked": "paired or asked",
        },
    ),
    Page(
        "Cash ahead, errors in months of turnover",
        {
            f"{days} days: {shown}": f"{name} {days}"
            for days in (14, 30, 60)
            for shown, name in (
                ("off by", "off"),
                ("unchanged", "unchanged off"),
                ("bias", "bias"),
                ("held", "held"),
            )
        }
        | {"Below 0 falsely": "below zero"},
    ),
)

Groups = Sequence[Tally]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser("python -m benchmarks.quality.lives", description=__doc__)
    parser.add_argument("--report", action="store_true", help="the reporting part, frozen only")
    parser.add_argument("--markdown", action="store_true", help="the tables for the handbook")
    parser.add_argument("--kinds", nargs="+", choices=[*KINDS], default=[*KINDS], metavar="KIND")
    options = parser.parse_args(arguments)
    part: Part = "reporting" if options.report else "tuning"
    groups = PARTS[part]
    sys.stderr.write(f"Judging {len(options.kinds) * sum(map(len, groups)):,} lives …\n")
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        groups_by_kind = {
            kind: list(pool.map(partial(judge_group, kind), groups)) for kind in options.kinds
        }
    printed = in_markdown if options.markdown else in_columns
    for page in PAGES:
        lines = table(page, groups_by_kind)
        print(f"{page.title}:\n\n{printed(lines, range(1, len(lines[0])))}\n")
    count = sum(map(len, groups))
    print(
        f"{part.capitalize()}: {count} lives of each kind, medians of {len(groups)} groups."
        f" Lives {lives_digest()}."
    )
    return 0


def table(page: Page, groups_by_kind: Mapping[str, Groups]) -> list[list[str]]:
    """The headings, and a line for each kind."""
    figures = page.figures
    lines = [
        [kind, *(_figure(groups, name) for name in figures.values())]
        for kind, groups in groups_by_kind.items()
    ]
    return [["Kind of life", *figures], *lines]


def _figure(groups: Iterable[Tally], name: str) -> str:
    """The median of the groups, empty where nothing was judged."""
    shares = [tally[name] / tally[f"{name} of"] for tally in groups if tally[f"{name} of"]]
    return f"{median(shares):.3f}" if shares else ""


if __name__ == "__main__":
    sys.exit(main())
