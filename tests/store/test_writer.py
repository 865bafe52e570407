"""Changes that wait for the writer share a transaction: each whole or not at all.

What waits to be worked out shares a snapshot of the data, no older than anyone's asking, and the
cache of derived state finds a value in its own state alone, and never exceeds its room.
"""

import asyncio
import errno
import gc
import sqlite3
import threading
import weakref
from collections.abc import Awaitable, Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import Connection, event

from finplan.model.errors import NotFound, StorageFull
from finplan.store import store_file, writer
from finplan.store.derived import DerivedCache, State, cache_of
from finplan.store.queries.people import change_person, generation_of, get_person, raise_generation
from finplan.store.staging import Stage
from finplan.store.store import Store
from finplan.store.store_file import StoreFile
from tests.damage import full_disk

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
        raise NotFound("nowhere")

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


async def test_nobody_is_answered_too_early(store: Store, owner: int, at_once: Together) -> None:
    """Where the commit fails everybody is told so, and nothing has changed."""

    def refuse(_connection: object) -> None:
        raise full_disk()

    event.listen(store._write_engine, "commit", refuse)
    answers = await at_once(*[lambda c: raise_generation(c, owner)] * 3)
    event.remove(store._write_engine, "commit", refuse)

    assert [type(answer) for answer in answers] == [StorageFull] * 3
    assert await store.read(lambda c: generation(c, owner)) == 0
    await store.write(lambda c: raise_generation(c, owner))
    assert await store.read(lambda c: generation(c, owner)) == 1


async def test_all_lose_a_lost_transaction(store: Store, owner: int, at_once: Together) -> None:
    """When SQLite itself undoes the transaction nobody in it is told that a change was made."""

    def lose_it(connection: Connection) -> None:
        connection.exec_driver_sql("ROLLBACK")
        raise full_disk()

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
        raise full_disk()

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


@pytest.mark.parametrize("is_alone", [False, True])
async def test_nobody_waits_for_a_long_log(
    store: Store, owner: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_alone: bool
) -> None:
    """A change is answered before its log is moved into the store, and the next one comes behind it."""
    gate, moved = threading.Event(), list[None]()

    def move_later(file: StoreFile, connection: sqlite3.Connection) -> None:
        gate.wait(10)
        usual(file, connection)
        moved.append(None)

    usual = StoreFile.move_log
    await store._writer.alone(lambda _engine: None)
    monkeypatch.setattr(store_file, "CHECKPOINT_AT", 1)
    monkeypatch.setattr(StoreFile, "move_log", move_later)
    stage = Stage(tmp_path / "stage.db")
    stage.finish()
    stage.close()
    await store.write(
        partial(raise_generation, owner=owner), beside=tmp_path / "stage.db" if is_alone else None
    )
    assert not moved
    gate.set()
    await store.write(lambda _connection: None)
    assert moved


async def test_a_log_that_cannot_be_moved_is_told_and_moved_later(
    store: Store, owner: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A disk that fails behind an answer harms no change, and is tried again behind the next one."""
    await store._writer.alone(lambda _engine: None)
    monkeypatch.setattr(store_file, "CHECKPOINT_AT", 1)
    tried = list[str]()

    def move(_file: StoreFile, _connection: sqlite3.Connection) -> None:
        tried.append(caplog.text)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(StoreFile, "move_log", move)
    for _ in range(2):
        await store.write(partial(raise_generation, owner=owner))
        await store._writer.alone(lambda _engine: None)
    first, second = tried
    assert ("Input/output error" in first, "Input/output error" in second) == (False, True)


Work = Callable[[Connection], Any]
AtOnce = Callable[..., Awaitable[list[Any]]]


@pytest.fixture
def snapshots(store: Store) -> list[None]:
    """One entry for each transaction in which something is worked out."""
    seen: list[None] = []
    event.listen(store._compute_engine, "begin", lambda _connection: seen.append(None))
    return seen


@pytest.fixture
def worked_at_once(store: Store) -> AtOnce:
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
    store: Store, owner: int, worked_at_once: AtOnce, snapshots: list[None]
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
    assert await worked_at_once(first, second) == [0, 0]
    assert len(snapshots) == 1
    assert await store.compute(second) == 1
    assert len(snapshots) == 2


async def test_one_that_fails_takes_nothing_from_others(owner: int, worked_at_once: AtOnce) -> None:
    """It is told its own error; those before and after it are answered."""

    def fail(_connection: Connection) -> None:
        raise NotFound("nowhere")

    def see(connection: Connection) -> int:
        return generation_of(connection, owner)[0]

    first, failed, last = await worked_at_once(see, fail, see)

    assert (first, last) == (0, 0)
    assert isinstance(failed, NotFound)


async def test_without_a_snapshot_all_are_told(store: Store, worked_at_once: AtOnce) -> None:
    """Nobody waits for ever, and what comes afterwards is worked out."""

    def refuse(_connection: object) -> None:
        raise OSError("no file")

    event.listen(store._compute_engine, "begin", refuse)
    answers = await worked_at_once(*[lambda _connection: "seen"] * 3)
    event.remove(store._compute_engine, "begin", refuse)

    assert [type(answer) for answer in answers] == [OSError] * 3
    assert await store.compute(lambda _connection: "seen") == "seen"


async def test_hanging_up_ends_the_work(worked_at_once: AtOnce, snapshots: list[None]) -> None:
    """Those who still wait are answered; where nobody does, no snapshot is taken."""
    done = []
    answers = await worked_at_once(lambda _: done.append(0), lambda _: done.append(1), hung_up=0)

    assert isinstance(answers[0], asyncio.CancelledError)
    assert done == [1]
    await worked_at_once(lambda _: done.append(2), hung_up=0)
    assert done == [1]
    assert len(snapshots) == 1


async def test_where_the_disk_undoes_a_snapshot_the_next_one_gets_another(
    store: Store, owner: int, worked_at_once: AtOnce, snapshots: list[None]
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
    first, lost, last = await worked_at_once(look_twice, lose, look_twice)

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


STATE = State(1, 5, date(2026, 3, 18))
ROOM = 30_000

STATES = st.builds(
    State,
    st.integers(1, 2),
    st.integers(1, 3),
    st.sampled_from([date(2026, 3, 18), date(2026, 3, 19)]),
)
ENTRIES = st.tuples(STATES, st.integers(0, 4), st.integers(0, 9000))


@given(st.lists(ENTRIES))
def test_what_is_found_is_what_was_kept_last(entries: list[tuple[State, int, int]]) -> None:
    """A value is found in just the state that it was kept in, and the room is never exceeded."""
    cache = DerivedCache(ROOM)
    last: dict[tuple[State, int], tuple[State, int, int]] = {}
    for state, question, size in entries:
        last[state, question] = state, question, size
        cache.put(state, question, last[state, question], size)
        assert cache.bytes_used <= ROOM

    for (state, question), value in last.items():
        assert cache.get(state, question) in (None, value)


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    """One that is asked for again and again stays, however many come after it."""
    cache = DerivedCache(ROOM)
    cache.put(STATE, "kept", "kept", 1000)
    cache.put(STATE, "dropped", "dropped", 1000)
    for number in range(20):
        cache.put(STATE, number, number, 1000)
        assert cache.get(STATE, "kept") == "kept"

    assert cache.get(STATE, "dropped") is None


def test_what_takes_half_of_the_room_is_not_kept() -> None:
    """One value drives out no many others; the older one of its question is gone all the same."""
    cache = DerivedCache(ROOM)
    cache.put(STATE, "question", "small", 10)
    cache.put(STATE._replace(generation=6), "question", "huge", ROOM // 2)

    assert cache.get(STATE._replace(generation=6), "question") is None
    assert cache.get(STATE, "question") is None
    assert cache.bytes_used == 0


def test_an_older_value_takes_no_newer_ones_place() -> None:
    """Who read before a change, and is slow, takes nothing away from who read after it."""
    cache = DerivedCache(ROOM)
    cache.put(STATE, "question", "newer", 10)
    cache.put(STATE._replace(generation=4), "question", "older", 10)

    assert cache.get(STATE, "question") == "newer"


def test_cleared_it_takes_nothing() -> None:
    """Everything is given back."""
    cache = DerivedCache(ROOM)
    cache.put(STATE, "question", "value", 1000)
    assert cache.bytes_used > 1000
    cache.clear()

    assert cache.bytes_used == 0
    assert cache.get(STATE, "question") is None


async def test_only_what_computes_shares_the_cache(store: Store) -> None:
    """A writer, whose work may never come to be, finds nothing and leaves nothing; nor does a rest."""
    assert await store.compute(cache_of) is store.derived
    assert await store.write(cache_of) is not store.derived
    store.derived.put(STATE, "question", "value", 10)
    await store.rest()

    assert store.derived.bytes_used == 0
    assert await store.compute(cache_of) is store.derived
