"""Work that several ask for at once is done once for all who asked before it began."""

import asyncio

import pytest

from finplan.service.derived.joining import Joined
from tests.patience import LONG_ENOUGH


class Work:
    """Counts how often it is done, says which time it was, and may be held up."""

    def __init__(self) -> None:
        self.times = 0
        self.may_go_on = asyncio.Event()

    async def __call__(self) -> int:
        self.times += 1
        time = self.times
        await self.may_go_on.wait()
        if time == 3:
            raise LookupError
        return time


async def begun(work: Work, times: int) -> None:
    """Wait until it has begun so often."""
    async with asyncio.timeout(LONG_ENOUGH):
        while work.times < times:  # noqa: ASYNC110 - each turn of the loop is a step of the work.
            await asyncio.sleep(0)


async def test_who_asks_while_it_runs_gets_the_next_one() -> None:
    """What runs may have read too early, so all who come meanwhile share the one after it."""
    joined, work = Joined[int](), Work()
    first = asyncio.create_task(joined.done("name", work))
    await begun(work, 1)
    later = [asyncio.create_task(joined.done("name", work)) for _ in range(5)]
    await asyncio.sleep(0)
    work.may_go_on.set()

    assert await first == 1
    assert await asyncio.gather(*later) == [2] * 5
    assert work.times == 2
    assert joined.running("name") is None


async def test_names_do_not_wait_for_each_other() -> None:
    """Each name's work is its own; what is given for it is done where nothing of the name runs."""
    joined, work, other = Joined[int](), Work(), Work()
    held = asyncio.create_task(joined.done("held", work))
    await begun(work, 1)
    other.may_go_on.set()

    assert await joined.done("other", work, at_once=other) == 1
    assert (work.times, other.times) == (1, 1)
    work.may_go_on.set()
    assert await held == 1


async def test_one_who_gives_up_takes_it_from_nobody() -> None:
    """A client that hangs up ends neither what runs nor what waits."""
    joined, work = Joined[int](), Work()
    asked = [asyncio.create_task(joined.done("name", work))]
    await begun(work, 1)
    asked += [asyncio.create_task(joined.done("name", work)) for _ in range(2)]
    await asyncio.sleep(0)
    asked[0].cancel()
    asked[1].cancel()
    work.may_go_on.set()

    assert await asked[2] == 2


async def test_a_failure_is_told_to_all_who_share_it() -> None:
    """And the next one is tried again."""
    joined, work = Joined[int](), Work()
    work.may_go_on.set()
    assert [await joined.done("name", work) for _ in range(2)] == [1, 2]
    first = asyncio.create_task(joined.done("name", work))
    await begun(work, 3)
    with pytest.raises(LookupError):
        await first
    assert await joined.done("name", work) == 4
