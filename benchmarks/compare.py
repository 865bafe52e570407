"""`python -m benchmarks.compare OLD NEW`: the same measurements of two checkouts, in turns.

These benchmarks measure both products from outside, each with its own interpreter. In a round each
measurement is taken of one checkout and then of the other, and the next round begins with the other one.
For each figure the table has the ratio of what the new product takes to what the old one takes, with its
95 % interval, and marks those whose interval lies wholly above 1.10.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.__main__ import MEASUREMENTS
from benchmarks.checkouts import link_benchmarks, python_of, run_with
from benchmarks.figures import shown_time
from benchmarks.intervals import interval_of
from benchmarks.tables import in_columns, in_markdown

WORSE = 1.10
"""The ratio from which on a figure is worse for sure when its whole interval lies above."""

HEADINGS = ("Figure", "Rows", "Old", "New", "New / old", "95 % interval", "")
_NUMBERS = (1, 2, 3, 4, 5)


class NotMeasured(Exception):
    """A measurement failed; the text says why."""


Key = tuple[str, int, str]
"""A figure's name, how many of its name and kind stand before it, and its kind.

A household that a figure is taken of may have a few more rows tomorrow, so rows say nothing of identity.
"""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout of the product, the Python it runs with, and what was seen of it, by round."""

    path: Path
    python: Path
    seen: defaultdict[Key, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    rows: dict[Key, int] = field(default_factory=dict)

    def measure(self, arguments: Sequence[str], round_: int, folder: Path) -> None:
        """Take measurements in a process of their own; `folder` has these benchmarks and no product.

        Raises NotMeasured, also when another copy of the product was found than this checkout's.
        """
        command = ("-m", "benchmarks", "--json", *arguments)
        done = run_with(self.path, self.python, folder, *command)
        if done.returncode:
            raise NotMeasured((done.stderr.strip() or "It said nothing.").splitlines()[-1])
        said: Mapping[str, Any] = json.loads(done.stdout)
        if Path(said["product"]).resolve().parent != self.path:
            raise NotMeasured(f"{self.python} runs {said['product']} and not {self.path}.")
        before = Counter[tuple[str, str]]()
        for each in said["figures"]:
            name, kind = each["name"], each["kind"]
            key = name, before[name, kind], kind
            before[name, kind] += 1
            self.seen[key][round_] = each["cost"]
            self.rows[key] = each["rows"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure in turns and print the table; a figure that got worse is printed, never an error."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.rounds < 2:
        parser.error("Two rounds at least: one pair tells nothing of how sure its ratio is.")
    old = _checkout(options.old, options.old_python)
    new = _checkout(options.new, options.new_python)
    passed_on = ("--rounds", options.repeats, "--seconds", options.seconds, "--rows", *options.rows)
    failed = alternate(old, new, options.only, options.rounds, tuple(map(str, passed_on)))
    show = in_markdown if options.markdown else in_columns
    print(show([HEADINGS, *lines_of(old, new)], _NUMBERS))
    for sentence in (*failed, *left_out(old, new)):
        print(sentence)
    return 0


def alternate(
    old: Checkout, new: Checkout, names: Iterable[str], rounds: int, arguments: Sequence[str]
) -> list[str]:
    """Let the checkouts take turns; answers a sentence for each measurement that failed.

    A measurement that failed once of a checkout is taken of neither from then on.
    """
    failed: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="finplan-compare-") as scratch:
        folder = Path(scratch)
        link_benchmarks(folder)
        for round_ in range(rounds):
            for name in names:
                for checkout in (old, new) if round_ % 2 == 0 else (new, old):
                    if name in failed:
                        continue
                    sys.stderr.write(f"Round {round_ + 1}: {name}, {checkout.path} …\n")
                    try:
                        checkout.measure(("--only", name, *arguments), round_, folder)
                    except NotMeasured as error:
                        failed[name] = f"{name} was not measured of {checkout.path}: {error}"
    return list(failed.values())


def lines_of(old: Checkout, new: Checkout) -> list[tuple[str, ...]]:
    """A line of cells for each figure that was seen of both checkouts in two rounds at least."""
    return [
        _line(key, new.rows[key], old.seen[key], new.seen[key])
        for key in old.seen
        if _is_paired(key, old, new)
    ]


def left_out(old: Checkout, new: Checkout) -> list[str]:
    """A sentence for each figure that has no line."""
    return [
        f"Left out, since it was not seen of both in two rounds: {key[0]}, {rows:,} rows"
        for key, rows in {**old.rows, **new.rows}.items()
        if not _is_paired(key, old, new)
    ]


def _is_paired(key: Key, old: Checkout, new: Checkout) -> bool:
    return len(old.seen.get(key, {}).keys() & new.seen.get(key, {}).keys()) >= 2


def _line(
    key: Key, rows: int, old: Mapping[int, float], new: Mapping[int, float]
) -> tuple[str, ...]:
    name, _, kind = key
    pairs = [(old[round_], new[round_]) for round_ in old if round_ in new]
    before, after = zip(*pairs, strict=True)
    interval = interval_of(before, after)
    shown = _shown_size if kind == "size" else shown_time
    return (
        name,
        f"{rows:,}",
        shown(median(before)),
        shown(median(after)),
        f"{interval.ratio:.2f}",
        f"{interval.low:.2f} to {interval.high:.2f}",
        "worse" if interval.low > WORSE else "",
    )


def _shown_size(megabytes: float) -> str:
    return f"{megabytes:.0f} MB"


def _checkout(path: Path, python: Path | None) -> Checkout:
    """A checkout with its own interpreter, where none is named."""
    path = path.resolve()
    return Checkout(path, python or python_of(path))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks.compare", description=__doc__)
    parser.add_argument("old", type=Path, help="a checkout of the product")
    parser.add_argument("new", type=Path, help="another one")
    for side in ("old", "new"):
        parser.add_argument(
            f"--{side}-python", type=Path, metavar="PYTHON",
            help=f"the interpreter of the {side} checkout, else its .venv's, else this one",
        )  # fmt: skip
    parser.add_argument(
        "--rounds", type=int, default=7, help="how many pairs there are of each figure"
    )
    parser.add_argument(
        "--repeats", type=int, default=1, help="how often each is measured in a round"
    )
    parser.add_argument(
        "--rows", type=int, nargs="+", default=(100_000,), help="sizes of the ledgers"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="how long clients crowd in")
    parser.add_argument(
        "--only", nargs="+", choices=MEASUREMENTS, default=tuple(MEASUREMENTS), metavar="NAME",
        help=", ".join(MEASUREMENTS),
    )  # fmt: skip
    parser.add_argument("--markdown", action="store_true", help="the same table as Markdown")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
