"""Changes that wait for the writer share a transaction: each whole or not at all."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from finplan.model.errors import NotFound, StorageFull
from finplan.store import writer
from finplan.store.queries.people import change_person, get_person, raise_generation
from finplan.store.store import Store

Change = Callable[[Connection], Any]
Together = Callable[..., Awaitable[list[Any]]]


@pytest.fixture
def commits(store: Store) -> list[None]:
    """One entry for each commit of the writer."""
    seen: list[None] = []
    event.listen(store._write_engine, "commit", lambda _connection: seen.append(None))
    return seen


@pytest.fixture
def at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> Together:
    """Asks for changes that all wait before the first of them begins; answers, or errors, in order."""
    monkeypatch.setattr(writer, "LONGEST", 10.0)

    async def ask(*changes: Change) -> list[Any]:
        gate = threading.Event()
        holding = asyncio.create_task(store._writer.alone(lambda _engine: gate.wait(10)))
        asked = [asyncio.create_task(store.write(change)) for change in changes]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gate.set()
        await holding
        return await asyncio.gather(*asked, return_exceptions=True)

    return ask


def generation(connection: Connection, owner: int) -> int:
    return int(get_person(connection, owner)["generation"])


async def test_those_that_wait_are_committed_together(
    store: Store, owner: int, at_once: Together, commits: list[None]
) -> None:
    """One commit makes all of them last, and each sees what was done before it."""

    def raise_it(connection: Connection) -> int:
        raise_generation(connection, owner)
        return generation(connection, owner)

    assert await at_once(*[raise_it] * 20) == list(range(1, 21))
    assert len(commits) == 1
    assert await store.read(lambda c: generation(c, owner)) == 20


@pytest.mark.parametrize("place", [1, 2, 3])
async def test_one_that_fails_takes_nothing_of_others_with_it(
    store: Store, owner: int, at_once: Together, place: int
) -> None:
    """It is told its own error and leaves nothing behind; those before and after it take effect."""

    def raise_it(connection: Connection) -> str:
        raise_generation(connection, owner)
        return "raised"

    def fail_late(connection: Connection) -> None:
        change_person(connection, owner, {"name": "Nobody"})
        raise NotFound("There is no such thing.")

    changes: list[Change] = [raise_it] * 3
    changes.insert(place, fail_late)
    answers = await at_once(*changes)

    assert isinstance(answers.pop(place), NotFound)
    assert answers == ["raised"] * 3
    person = await store.read(lambda c: dict(get_person(c, owner)))
    assert (person["generation"], person["name"]) == (3, None)


async def test_the_first_that_fails_is_alone(store: Store, owner: int, at_once: Together) -> None:
    """Nothing of it stays, and the next ones are done."""

    def fail_late(connection: Connection) -> None:
        raise_generation(connection, owner)
        raise LookupError

    first, second = await at_once(fail_late, lambda c: generation(c, owner))

    assert isinstance(first, LookupError)
    assert second == 0


async def test_nobody_is_answered_before_the_commit(
    store: Store, owner: int, at_once: Together
) -> None:
    """Where the commit fails everybody is told so, and nothing has changed."""

    def refuse(_connection: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    event.listen(store._write_engine, "commit", refuse)
    answers = await at_once(*[lambda c: raise_generation(c, owner)] * 3)
    event.remove(store._write_engine, "commit", refuse)

    assert [type(answer) for answer in answers] == [StorageFull] * 3
    assert await store.read(lambda c: generation(c, owner)) == 0
    await store.write(lambda c: raise_generation(c, owner))
    assert await store.read(lambda c: generation(c, owner)) == 1


async def test_who_loses_the_transaction_loses_it_for_all(
    store: Store, owner: int, at_once: Together
) -> None:
    """When SQLite itself undoes the transaction nobody in it is told that a change was made."""

    def lose_it(connection: Connection) -> None:
        connection.exec_driver_sql("ROLLBACK")
        raise sqlite3.OperationalError("database or disk is full")

    first, second, third = await at_once(
        lambda c: raise_generation(c, owner), lose_it, lambda c: raise_generation(c, owner)
    )

    assert isinstance(first, StorageFull)
    assert isinstance(second, StorageFull)
    assert third is None
    assert await store.read(lambda c: generation(c, owner)) == 1


async def test_a_long_change_is_not_joined(
    store: Store,
    owner: int,
    at_once: Together,
    commits: list[None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once a transaction has taken long enough, whoever waits is done in the next one."""
    monkeypatch.setattr(writer, "LONGEST", 0.0)

    await at_once(*[lambda c: raise_generation(c, owner)] * 3)

    assert len(commits) == 3


async def test_who_hung_up_while_waiting_changes_nothing(store: Store, owner: int) -> None:
    """A change that has not begun is never made when nobody waits for it any more."""
    gate = threading.Event()
    holding = asyncio.create_task(store._writer.alone(lambda _engine: gate.wait(10)))
    asked = asyncio.create_task(store.write(lambda c: raise_generation(c, owner)))
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    gate.set()
    await holding

    assert await store.write(lambda c: generation(c, owner)) == 0


@pytest.mark.parametrize("beside", [False, True])
async def test_what_a_full_disk_put_off_is_done_before_the_next_change(
    store: Store, owner: int, tmp_path: Path, beside: bool
) -> None:
    """No change is made without it; it is done once, and again with the next one where that fails."""
    scratch = tmp_path / "scratch.db" if beside else None

    def refuse(_connection: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    def fail(connection: Connection) -> None:
        assert generation(connection, owner) == 1
        raise LookupError

    event.listen(store._write_engine, "commit", refuse)
    assert not await store.write_or_put_off(lambda c: raise_generation(c, owner))
    with pytest.raises(StorageFull):
        await store.write(lambda c: change_person(c, owner, {"name": "Ada"}), beside=scratch)
    event.remove(store._write_engine, "commit", refuse)

    assert await store.read(lambda c: generation(c, owner)) == 0
    with pytest.raises(LookupError):
        await store.write(fail, beside=scratch)
    assert await store.read(lambda c: generation(c, owner)) == 0
    for _ in range(2):
        assert await store.write(lambda c: generation(c, owner), beside=scratch) == 1
    assert await store.write_or_put_off(lambda c: raise_generation(c, owner))
    assert await store.read(lambda c: generation(c, owner)) == 2
