"""What waits to be worked out shares a snapshot of the data, no older than anyone's asking."""

import asyncio
import gc
import threading
import weakref
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection, event

from finplan.model.errors import NotFound
from finplan.store.queries.people import generation_of, raise_generation
from finplan.store.store import Store

Work = Callable[[Connection], Any]
AtOnce = Callable[..., Awaitable[list[Any]]]


@pytest.fixture
def snapshots(store: Store) -> list[None]:
    """One entry for each transaction in which something is worked out."""
    seen: list[None] = []
    event.listen(store._compute_engine, "begin", lambda _connection: seen.append(None))
    return seen


@pytest.fixture
def at_once(store: Store) -> AtOnce:
    """Asks for work that all waits before the first of it begins; answers, or errors, in order."""

    async def ask(*work: Work, hung_up: int | None = None) -> list[Any]:
        gate = threading.Event()
        holding = asyncio.create_task(store._computer.alone(lambda _engine: gate.wait(10)))
        asked = [asyncio.create_task(store.compute(each)) for each in work]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        if hung_up is not None:
            asked[hung_up].cancel()
            await asyncio.sleep(0)
        gate.set()
        await holding
        return await asyncio.gather(*asked, return_exceptions=True)

    return ask


async def test_those_that_wait_see_one_snapshot(
    store: Store, owner: int, at_once: AtOnce, snapshots: list[None]
) -> None:
    """What is written between two of them is seen by neither, and by whoever asks afterwards."""
    between = threading.Event()

    def first(connection: Connection) -> int:
        seen = generation_of(connection, owner)[0]
        asyncio.run_coroutine_threadsafe(
            store.write(lambda c: raise_generation(c, owner)), loop
        ).result(10)
        between.set()
        return seen

    def second(connection: Connection) -> int:
        assert between.is_set()
        return generation_of(connection, owner)[0]

    loop = asyncio.get_running_loop()
    assert await at_once(first, second) == [0, 0]
    assert len(snapshots) == 1
    assert await store.compute(second) == 1
    assert len(snapshots) == 2


async def test_one_that_fails_takes_nothing_from_others(owner: int, at_once: AtOnce) -> None:
    """It is told its own error; those before and after it are answered."""

    def fail(_connection: Connection) -> None:
        raise NotFound("There is no such thing.")

    def see(connection: Connection) -> int:
        return generation_of(connection, owner)[0]

    first, failed, last = await at_once(see, fail, see)

    assert (first, last) == (0, 0)
    assert isinstance(failed, NotFound)


async def test_where_no_snapshot_can_be_had_everybody_is_told(
    store: Store, at_once: AtOnce
) -> None:
    """Nobody waits for ever, and what comes afterwards is worked out."""

    def refuse(_connection: object) -> None:
        raise OSError("There is no file.")

    event.listen(store._compute_engine, "begin", refuse)
    answers = await at_once(*[lambda _connection: "seen"] * 3)
    event.remove(store._compute_engine, "begin", refuse)

    assert [type(answer) for answer in answers] == [OSError] * 3
    assert await store.compute(lambda _connection: "seen") == "seen"


async def test_nothing_is_worked_out_for_who_has_hung_up(
    at_once: AtOnce, snapshots: list[None]
) -> None:
    """Those who still wait are answered; where nobody does, no snapshot is taken."""
    done = []
    answers = await at_once(lambda _: done.append(0), lambda _: done.append(1), hung_up=0)

    assert isinstance(answers[0], asyncio.CancelledError)
    assert done == [1]
    await at_once(lambda _: done.append(2), hung_up=0)
    assert done == [1]
    assert len(snapshots) == 1


async def test_where_the_disk_undoes_a_snapshot_the_next_one_gets_another(
    store: Store, owner: int, at_once: AtOnce, snapshots: list[None]
) -> None:
    """What is worked out after it sees one state of the data, as what was before it did."""

    def lose(connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        driver.execute("ROLLBACK")
        raise OSError("The disk failed.")

    def look_twice(connection: Connection) -> tuple[int, int]:
        before = generation_of(connection, owner)[0]
        asyncio.run_coroutine_threadsafe(
            store.write(lambda c: raise_generation(c, owner)), loop
        ).result(10)
        return before, generation_of(connection, owner)[0]

    loop = asyncio.get_running_loop()
    first, lost, last = await at_once(look_twice, lose, look_twice)

    assert (first, last) == ((0, 0), (1, 1))
    assert isinstance(lost, OSError)
    assert len(snapshots) == 2


@pytest.mark.parametrize("door", ["compute", "write"])
async def test_what_fails_keeps_nothing_of_what_it_has_seen(store: Store, door: str) -> None:
    """Its error is forgotten where it was told, without the garbage collector's help."""

    class Seen:
        """Something large."""

    seen = list[weakref.ref[Seen]]()

    def fail(_connection: Connection) -> None:
        large = Seen()
        seen.append(weakref.ref(large))
        raise LookupError

    gc.disable()
    try:
        for _ in range(3):
            with pytest.raises(LookupError):
                await getattr(store, door)(fail)
        # The last one may still be on its way out of the thread.
        assert [each() for each in seen[:-1]] == [None, None]
    finally:
        gc.enable()
