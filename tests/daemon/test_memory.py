"""The daemon's memory: given back once after each busy time."""

import asyncio
import gc

from finplan.daemon.memory import COLLECTION_THRESHOLDS, rest_when_idle, spare_the_collector


async def test_it_rests_once_after_each_busy_time() -> None:
    """It rests when nothing was asked for a while, not before, and again only after a new answer."""
    answered, rested, rests = asyncio.Event(), asyncio.Event(), []

    async def rest() -> None:
        rests.append(answered.is_set())
        rested.set()

    resting = asyncio.create_task(rest_when_idle(answered, rest, pause=0.01))
    for busy_times in (1, 2):
        answered.set()
        await asyncio.wait_for(rested.wait(), 10)
        rested.clear()
        assert rests == [False] * busy_times
    resting.cancel()


async def test_an_answer_puts_the_rest_off() -> None:
    """After the last answer there is at least the whole pause until it rests."""
    answered, rested, pause = asyncio.Event(), asyncio.Event(), 0.05
    loop = asyncio.get_running_loop()
    last_answer = 0.0

    async def rest() -> None:
        rested.set()

    def answer() -> None:
        nonlocal last_answer
        last_answer = loop.time()
        answered.set()

    resting = asyncio.create_task(rest_when_idle(answered, rest, pause))
    answer()
    loop.call_later(pause / 2, answer)
    first_answer = last_answer
    await asyncio.wait_for(rested.wait(), 10)
    resting.cancel()

    assert last_answer > first_answer
    assert loop.time() - last_answer >= pause


def test_the_collector_leaves_what_was_loaded_alone() -> None:
    """What exists when the daemon has started is never collected again, and thresholds are high."""
    thresholds = gc.get_threshold()
    try:
        spare_the_collector()
        assert gc.get_freeze_count() > 1000
        assert gc.get_threshold() == COLLECTION_THRESHOLDS
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
