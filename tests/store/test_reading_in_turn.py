"""Reading in turn: what many long downloads read leaves a reading thread for everybody else."""

import asyncio
import threading
from functools import partial

import pytest
from sqlalchemy import Connection

from finplan.store.offload import Turns
from finplan.store.store import READERS, Store
from tests.patience import LONG_ENOUGH


async def test_a_thread_is_left_however_many_read_in_turn(store: Store) -> None:
    """While more of them than there are threads wait for their turn, another reader is answered."""
    go_on, begun = threading.Event(), asyncio.Queue[int]()
    loop = asyncio.get_running_loop()

    def read(_connection: Connection, number: int) -> int:
        loop.call_soon_threadsafe(begun.put_nowait, number)
        assert go_on.wait(LONG_ENOUGH)
        return number

    many = [
        asyncio.create_task(store.read_in_turn(partial(read, number=number)))
        for number in range(READERS * 3)
    ]
    for _ in range(READERS - 1):
        await begun.get()

    assert await asyncio.wait_for(store.read(lambda _: "answered"), LONG_ENOUGH) == "answered"
    assert begun.empty()
    assert not any(each.done() for each in many)

    go_on.set()
    assert await asyncio.gather(*many) == list(range(READERS * 3))


async def test_they_read_in_the_order_of_asking(store: Store) -> None:
    """Each download goes on: none that asks again and again comes before one that waits."""
    read: list[int] = []
    many = [store.read_in_turn(partial(_note, read, number)) for number in range(20)]

    await asyncio.gather(*many)

    assert read == sorted(read)


async def test_who_has_many_downloads_waits_for_their_own(store: Store) -> None:
    """Of a hundred pieces of one and three of another, the three wait for one each, not for all."""
    read: list[int] = []
    many = [store.read_in_turn(partial(_note, read, 1), "many") for _ in range(100)]
    few = [store.read_in_turn(partial(_note, read, 2), "few") for _ in range(3)]

    await asyncio.gather(*many, *few)

    assert read == [1, 1, 2, 1, 2, 1, 2] + [1] * 96


@pytest.mark.parametrize("is_called", [False, True])
async def test_who_leaves_while_they_wait_holds_nobody_up(is_called: bool) -> None:
    """A turn goes on to the next who is there, also of one who left just as they were called."""
    turns = Turns(1)
    came: list[str] = []

    async def come(name: str) -> None:
        async with turns.turn(name):
            came.append(name)

    async with turns.turn("first"):
        leaves, stays = (asyncio.create_task(come(name)) for name in ("leaves", "stays"))
        await asyncio.sleep(0)
        if not is_called:
            leaves.cancel()
    leaves.cancel()
    await asyncio.wait_for(stays, LONG_ENOUGH)
    async with turns.turn("last"):
        came.append("last")

    assert came == ["stays", "last"]


async def test_one_that_fails_gives_its_turn_back(store: Store) -> None:
    """After more failures than there are threads the next one is read."""
    for _ in range(READERS + 1):
        failed = await asyncio.gather(store.read_in_turn(_fail), return_exceptions=True)
        assert isinstance(failed[0], ZeroDivisionError)

    assert await asyncio.wait_for(store.read_in_turn(lambda _: 1), LONG_ENOUGH) == 1


def _note(read: list[int], number: int, _connection: Connection) -> None:
    read.append(number)


def _fail(_connection: Connection) -> float:
    return 1 / 0
