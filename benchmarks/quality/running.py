"""Running the detectors over groups of households, on every core."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from benchmarks.quality import baseline, chain
from benchmarks.quality.claims import Findings
from benchmarks.quality.figures import DETECTORS
from benchmarks.quality.scoring import Miss, Tally, judge
from benchmarks.quality.world.household import household
from benchmarks.quality.world.rates import Level
from benchmarks.quality.world.truth import Household

FINDERS: Mapping[str, Callable[[Household], Findings]] = dict(
    zip(DETECTORS, (chain.findings_of, baseline.findings_of), strict=True)
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A group's tallies by detector, the product's misses, the rows and the seconds it took for them."""

    tallies: Mapping[str, Tally]
    misses: Sequence[Miss]
    rows: int
    seconds: float


def run(groups: Sequence[Sequence[int]], level: Level) -> list[Outcome]:
    """Judge every detector on every group of seeds."""
    with ProcessPoolExecutor(max_workers=min(len(groups), os.cpu_count() or 1)) as pool:
        return list(pool.map(partial(run_group, level=level), groups))


def run_group(seeds: Sequence[int], level: Level) -> Outcome:
    """Judge every detector on one group of seeds."""
    tallies: dict[str, Tally] = {name: Counter() for name in FINDERS}
    misses: list[Miss] = []
    rows, seconds = 0, 0.0
    for seed in seeds:
        made = household(seed, level)
        rows += len(made.rows)
        for name, find in FINDERS.items():
            findings = find(made)
            verdict = judge(made, findings)
            tallies[name] += verdict.tally
            if name == DETECTORS[0]:
                misses += verdict.misses
                seconds += findings.seconds
    return Outcome(tallies, misses, rows, seconds)
