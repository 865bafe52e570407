"""Measuring in turns: what is compared runs A B A B … in one process run, on whatever machine it is.

The machine may be shared and its speed may change while it measures, so that only ratios of medians
of one race mean anything; times of two runs do not compare.
"""

import gc
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter
from typing import TypeVar

from finplan.daemon.memory import spare_the_collector

Name = TypeVar("Name")

Contestant = Callable[[], float]
"""Prepares what it needs, does its work once, and answers how many seconds the work took."""


def race(contestants: Mapping[Name, Contestant], rounds: int) -> dict[Name, float]:
    """Let each contestant run once a round, and answer the median of each.

    Those that run in this process find the garbage collector as the daemon sets it, and none of what
    others have left.
    """
    times: dict[Name, list[float]] = {name: [] for name in contestants}
    thresholds = gc.get_threshold()
    try:
        for _ in range(rounds):
            for name, run in contestants.items():
                spare_the_collector()
                times[name].append(run())
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
    return {name: median(taken) for name, taken in times.items()}


def timed(work: Callable[[], object]) -> float:
    """How many seconds some work takes."""
    start = perf_counter()
    work()
    return perf_counter() - start
