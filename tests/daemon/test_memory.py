"""The daemon's memory: given back once after each busy time."""

import asyncio
import gc
import subprocess
import sys
import weakref

import pytest

from finplan.daemon.memory import COLLECTION_THRESHOLDS, give_back, rest_when_idle
from tests.daemon.conftest import Jump
from tests.patience import LONG_ENOUGH


@pytest.mark.thorough
async def test_it_rests_once_after_each_busy_time() -> None:
    """It rests when nothing was asked for a while, not before, and again only after a new answer."""
    answered, rested, rests = asyncio.Event(), asyncio.Event(), []

    async def rest() -> None:
        rests.append(answered.is_set())
        rested.set()

    resting = asyncio.create_task(rest_when_idle(answered, rest, pause=0.01))
    for busy_times in (1, 2):
        answered.set()
        await asyncio.wait_for(rested.wait(), LONG_ENOUGH)
        rested.clear()
        assert rests == [False] * busy_times
    resting.cancel()


async def test_an_answer_puts_the_rest_off(jump: Jump) -> None:
    """After the last answer there is at least the whole pause until it rests, and at most two."""
    answered, rested = asyncio.Event(), asyncio.Event()

    async def rest() -> None:
        rested.set()

    resting = asyncio.create_task(rest_when_idle(answered, rest, LONG_ENOUGH))
    for _ in range(3):
        answered.set()
        await all_that_is_due()
        jump(0.6 * LONG_ENOUGH)
        await all_that_is_due()
        assert not rested.is_set()
    for _ in range(2):
        jump(LONG_ENOUGH)
        await all_that_is_due()
    assert rested.is_set()
    resting.cancel()


async def all_that_is_due() -> None:
    """Let the loop look at its clock and do what that tells, a few times over."""
    for _ in range(5):
        await asyncio.sleep(0)


SPARED = """
import gc
from finplan.daemon.memory import spare_the_collector
before = gc.get_freeze_count()
spare_the_collector()
print(before, gc.get_freeze_count(), *gc.get_threshold())
"""
"""In a process of its own: this one's collector is spared already."""


def test_the_collector_leaves_what_was_loaded_alone() -> None:
    """What exists when the daemon has started is never collected again, and thresholds are high."""
    told = subprocess.run(
        [sys.executable, "-c", SPARED], capture_output=True, text=True, check=True
    ).stdout
    before, frozen, *thresholds = map(int, told.split())
    assert before == 0
    assert frozen > 1000
    assert tuple(thresholds) == COLLECTION_THRESHOLDS


def test_what_only_refers_to_itself_is_given_back() -> None:
    """At rest nothing waits for a collector that was told to look less often."""

    class Closed:
        """Refers to itself."""

        def __init__(self) -> None:
            self.itself = self

    gc.disable()
    try:
        over = weakref.ref(Closed())
        assert over() is not None
        give_back()
        assert over() is None
    finally:
        gc.enable()
