"""`python -m benchmarks`: measure, and print each figure beside its floor and its target."""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks import (
    agents,
    changes,
    commands,
    credentials,
    finding,
    growth,
    imports,
    load,
    memory,
    plans,
    screens,
    spending,
    webhooks,
    words,
)
from benchmarks.figures import Figure, as_json, as_markdown, as_text
from benchmarks.ground import Ground
from benchmarks.ledgers import FEWEST_ROWS

MEASUREMENTS: Mapping[str, Callable[[Ground], list[Figure]]] = {
    "import": imports.measure,
    "formats": imports.measure_formats,
    "spending": spending.measure,
    "words": words.measure,
    "finding": finding.measure,
    "growth": growth.measure,
    "changes": changes.measure,
    "plan": plans.measure,
    "cli": commands.measure,
    "memory": memory.measure,
    "load": load.measure,
    "credentials": credentials.measure,
    "agents": agents.measure,
    "screens": screens.measure,
    "webhooks": webhooks.measure,
}
SIZES = (10_000, 100_000, 1_000_000)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for and print the table; a missed target is printed, never an error."""
    options = _parser().parse_args(arguments)
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="finplan-bench-") as folder, busy(options.busy):
        sizes = tuple(sorted(set(options.rows)))
        ground = Ground(Path(folder), sizes, options.rounds, options.seconds)
        for name in options.only:
            sys.stderr.write(f"Measuring {name} …\n")
            figures += MEASUREMENTS[name](ground)
    print(options.show(figures))
    return 0


@contextmanager
def busy(cores: int) -> Iterator[None]:
    """Have so many other processes work all the while, as on a machine that others use."""
    with ExitStack() as others:
        for _ in range(cores):
            other = others.enter_context(
                subprocess.Popen([sys.executable, "-c", "while True: pass"])
            )
            others.callback(other.kill)
        yield


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", type=_rows, nargs="+", default=SIZES, help="sizes of the ledgers")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument(
        "--only", nargs="+", choices=MEASUREMENTS, default=tuple(MEASUREMENTS), metavar="NAME",
        help=", ".join(MEASUREMENTS),
    )  # fmt: skip
    parser.add_argument("--seconds", type=float, default=60.0, help="how long clients crowd in")
    parser.add_argument(
        "--busy", type=int, default=0, help="how many other processes work meanwhile"
    )
    parser.set_defaults(show=as_text)
    form = parser.add_mutually_exclusive_group()
    for name, show, use in (
        ("--markdown", as_markdown, "the table for the handbook"),
        ("--json", as_json, "the same for programs"),
    ):
        form.add_argument(name, dest="show", action="store_const", const=show, help=use)
    return parser


def _rows(text: str) -> int:
    rows = int(text.replace("_", "").replace(",", ""))
    if rows < FEWEST_ROWS:
        raise argparse.ArgumentTypeError(f"a ledger has at least {FEWEST_ROWS:,} rows")
    return rows


if __name__ == "__main__":
    raise SystemExit(main())
