"""How many of a hundred varying monthly bills are found beside so many other rows at their payee."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.quality import baseline, chain
from benchmarks.quality.figures import DETECTORS
from benchmarks.quality.scoring import judge
from benchmarks.quality.world.beside import BILLS, bills_beside

_FINDERS = (chain.findings_of, baseline.findings_of)
_HOUSEHOLDS = 10
OTHERS = range(7)

HEADINGS = (
    "Other rows in 13 months",
    *(f"Found of 100, {name}" for name in DETECTORS),
    *(f"False of 100 payees without a bill, {name}" for name in DETECTORS),
)
NUMBERS = range(5)


@dataclass(frozen=True, slots=True)
class BesideCount:
    """With so many other rows: the bills found and the false series, by detector, of a hundred each."""

    others: int
    found: tuple[int, ...]
    false: tuple[int, ...]


def count(first_seed: int, households: int | None = None) -> list[BesideCount]:
    """Judge every detector on bills with none to six other rows."""
    households = households or _HOUSEHOLDS
    return [_count(others, first_seed + 100 * others, households) for others in OTHERS]


def _count(others: int, first_seed: int, households: int) -> BesideCount:
    found, false = [0] * len(_FINDERS), [0] * len(_FINDERS)
    for seed in range(first_seed, first_seed + households):
        made = bills_beside(seed, others)
        for at, find in enumerate(_FINDERS):
            tally = judge(made, find(made)).tally
            found[at] += tally["charge recall"]
            false[at] += tally["false series"]
    return BesideCount(
        others,
        tuple(round(100 * one / (households * BILLS)) for one in found),
        tuple(round(100 * one / (households * BILLS)) for one in false),
    )


def table(counts: Sequence[BesideCount]) -> list[list[str]]:
    """The counts as lines of cells, without a heading."""
    return [[f"{one.others}", *map(str, one.found), *map(str, one.false)] for one in counts]
