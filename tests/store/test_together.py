"""Readings that wait are done together: on one snapshot, no older than when each was asked for."""

import asyncio
import threading
from collections.abc import AsyncIterator
from functools import partial

import pytest
from sqlalchemy import Connection, event

from finplan.model.errors import NotFound
from finplan.store.queries.people import get_person, raise_generation
from finplan.store.store import Store
from finplan.store.together import memory_of


def generation(connection: Connection, owner: int) -> int:
    return int(get_person(connection, owner)["generation"])


def snapshot(connection: Connection) -> int:
    """Which transaction of its connection a reading sees the data in."""
    memory = memory_of(connection)
    memory.setdefault("seen", []).append(connection)
    return len({id(each) for each in memory["seen"]})


class Held:
    """A reading that goes on until it is let go."""

    def __init__(self) -> None:
        self.begun, self.let_go = threading.Event(), threading.Event()

    def __call__(self, _connection: Connection) -> str:
        self.begun.set()
        assert self.let_go.wait(10)
        return "held"


@pytest.fixture
async def held(store: Store) -> AsyncIterator[Held]:
    """A reading that runs while others come."""
    held = Held()
    running = asyncio.create_task(store.consider(held))
    assert await asyncio.to_thread(held.begun.wait, 10)
    yield held
    held.let_go.set()
    assert await running == "held"


async def test_those_that_wait_see_one_snapshot(store: Store, held: Held) -> None:
    """Whatever waits for a reading is done in one transaction after it."""
    waiting = [asyncio.create_task(store.consider(snapshot)) for _ in range(5)]
    await asyncio.sleep(0)
    held.let_go.set()

    assert await asyncio.gather(*waiting) == [1] * 5
    assert await store.consider(snapshot) == 2


async def test_a_reading_sees_all_that_had_changed_when_it_was_asked_for(
    store: Store, owner: int, held: Held
) -> None:
    """It does not join a snapshot that was taken before."""
    await store.write(lambda c: raise_generation(c, owner))
    waiting = asyncio.create_task(store.consider(partial(generation, owner=owner)))
    await asyncio.sleep(0)
    held.let_go.set()

    assert await waiting == 1


async def test_one_that_fails_fails_alone(store: Store, held: Held) -> None:
    """Those that share its snapshot are answered."""

    def fail(_connection: Connection) -> None:
        raise NotFound("There is no such thing.")

    waiting = [asyncio.create_task(store.consider(work)) for work in (snapshot, fail, snapshot)]
    await asyncio.sleep(0)
    held.let_go.set()
    first, second, third = await asyncio.gather(*waiting, return_exceptions=True)

    assert (first, third) == (1, 1)
    assert isinstance(second, NotFound)


async def test_who_hung_up_is_not_worked_for(store: Store, held: Held) -> None:
    """What nobody waits for any more is not begun, and keeps nobody else from an answer."""
    done: list[None] = []
    gone = asyncio.create_task(store.consider(lambda _c: done.append(None)))
    stays = asyncio.create_task(store.consider(snapshot))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    held.let_go.set()

    assert await stays == 1
    assert done == []


async def test_only_readers_remember(store: Store) -> None:
    """What is remembered is found again by the next reading, not by a writer, and not after a rest."""

    def look(connection: Connection) -> int | None:
        memory = memory_of(connection)
        found: int | None = memory.get("answer")
        memory["answer"] = 42
        return found

    assert await store.consider(look) is None
    assert await store.consider(look) == 42
    assert [await store.write(look), await store.write(look)] == [None, None]
    await store.rest()
    assert await store.consider(look) is None


async def test_a_store_that_cannot_be_read_is_told_to_those_who_wait(
    store: Store, held: Held
) -> None:
    """Nobody waits for ever, and the next reading is done."""

    def refuse(_connection: object) -> None:
        raise LookupError

    engine = store._together._engine
    event.listen(engine, "begin", refuse)
    waiting = [asyncio.create_task(store.consider(snapshot)) for _ in range(2)]
    await asyncio.sleep(0)
    held.let_go.set()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    event.remove(engine, "begin", refuse)

    assert [type(answer) for answer in answers] == [LookupError] * 2
    assert await store.consider(snapshot) == 1
