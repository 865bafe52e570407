"""The doors to the database: what they answer, always something, whatever was raised.

Readers take turns, so that many long downloads leave a reading thread for everybody else; look-ups
see what holds now, and are told what is wrong like any reader; a store that is gone is told once.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Lock, Semaphore, Thread
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import OperationalError

from finplan.model.errors import StorageFull, StoreLost
from finplan.store import engine
from finplan.store.engine import PRAGMAS
from finplan.store.offload import Turns
from finplan.store.queries.people import get_person, is_there, raise_generation
from finplan.store.store import READERS, Store
from finplan.store.store_file import LookUp, StoreFile
from tests.patience import LONG_ENOUGH


def _generation(connection: Connection, owner: int) -> int:
    return int(get_person(connection, owner)["generation"])


async def test_a_read_sees_one_snapshot(store: Store, owner: int) -> None:
    """What is written while a read runs stays unseen until the next read."""
    started, written = threading.Event(), threading.Event()

    def look_twice(connection: Connection) -> tuple[int, int]:
        before = _generation(connection, owner)
        started.set()
        assert written.wait(10)
        return before, _generation(connection, owner)

    reading = asyncio.create_task(store.read(look_twice))
    assert await asyncio.to_thread(started.wait, 10)
    await store.write(lambda c: raise_generation(c, owner))
    written.set()

    assert await reading == (0, 0)
    assert await store.read(lambda c: _generation(c, owner)) == 1


async def test_a_write_that_fails_changes_nothing(store: Store, owner: int) -> None:
    """All of a write happens, or nothing of it."""

    def fail_late(connection: Connection) -> None:
        raise_generation(connection, owner)
        raise LookupError

    with pytest.raises(LookupError):
        await store.write(fail_late)

    assert await store.read(lambda c: _generation(c, owner)) == 0


async def test_writes_go_one_after_the_other(store: Store, owner: int) -> None:
    """However many callers write at once, no write is lost."""
    await asyncio.gather(*(store.write(lambda c: raise_generation(c, owner)) for _ in range(50)))

    assert await store.read(lambda c: _generation(c, owner)) == 50


async def test_a_read_cannot_write(store: Store, owner: int) -> None:
    """The reading door refuses to change the store."""
    from sqlalchemy.exc import OperationalError

    with pytest.raises(OperationalError, match="readonly"):
        await store.read(lambda c: raise_generation(c, owner))


@pytest.fixture
def as_everybodys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections are set up as in a daemon, and not as for tests."""
    monkeypatch.setattr(engine, "PRAGMAS", PRAGMAS)


@pytest.mark.usefixtures("as_everybodys")
async def test_every_connection_keeps_the_laws(store: Store) -> None:
    """Foreign keys are checked and each commit reaches the disk, at both doors."""

    def pragmas(connection: Connection) -> tuple[object, ...]:
        return tuple(
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        )

    assert await store.read(pragmas) == ("wal", 2, 1)
    assert await store.write(pragmas) == ("wal", 2, 1)
    assert PRAGMAS


def _outgrow_the_disk(connection: Connection) -> None:
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    connection.exec_driver_sql("CREATE TABLE large AS SELECT zeroblob(10000000) AS blank")


async def test_a_full_disk_is_one_clear_error(store: Store, owner: int) -> None:
    """When the disk is full the change is refused with a sentence, and nothing is lost."""

    def grow(connection: Connection) -> None:
        raise_generation(connection, owner)
        _outgrow_the_disk(connection)

    with pytest.raises(StorageFull, match="disk is full"):
        await store.write(grow)

    assert await store.read(lambda c: _generation(c, owner)) == 0


def test_the_file_is_the_owners_alone(store: Store) -> None:
    """Nobody else on the machine may read the store."""
    assert store.path.stat().st_mode & 0o777 == 0o600


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """Another database, with one answer in it, in a folder of its own."""
    path = tmp_path / "scratch" / "scratch.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE seen AS SELECT 42 AS answer")
    return path


def _seen(connection: Connection) -> object:
    return connection.exec_driver_sql("SELECT answer FROM staged.seen").scalar_one()


def _change_what_is_seen(connection: Connection) -> None:
    connection.exec_driver_sql("UPDATE staged.seen SET answer = 7")


async def test_beside_is_attached_for_one_call(store: Store, scratch: Path) -> None:
    """A scratch database is seen under `staged` during the call, and gone after it."""
    assert await store.write(_seen, beside=scratch) == 42
    assert await store.read(_seen, beside=scratch) == 42
    with pytest.raises(Exception, match="staged"):
        await store.write(_seen)


async def test_nothing_waits_for_a_full_scratch_file(store: Store, scratch: Path) -> None:
    """It is written without a journal in its folder and without waiting; what fails is taken back."""

    def set_to(connection: Connection, of: str) -> object:
        return connection.exec_driver_sql(f"PRAGMA {of}").scalar_one()

    def fail(connection: Connection) -> None:
        assert set_to(connection, "staged.synchronous") == 0
        # Without any journal what fails could not be taken back.
        assert set_to(connection, "staged.journal_mode") == "memory"
        assert set_to(connection, "main.journal_mode") == "wal"
        _change_what_is_seen(connection)
        assert [*scratch.parent.iterdir()] == [scratch]
        raise LookupError

    with pytest.raises(LookupError):
        await store.write(fail, beside=scratch)
    assert await store.read(_seen, beside=scratch) == 42


async def test_at_rest_every_connection_gives_its_memory_back(store: Store, owner: int) -> None:
    """Rest shrinks the writer and ends each reader, and both doors work as before."""
    shrunk: list[object] = []
    ended: list[object] = []

    def watch(connection: sqlite3.Connection, _record: object) -> None:
        connection.set_trace_callback(
            lambda statement: shrunk.append(engine) if "shrink_memory" in statement else None
        )

    engine = store._write_engine
    engine.dispose()
    event.listen(engine, "connect", watch)
    event.listen(store._read_engine, "close", lambda driver, _record: ended.append(id(driver)))
    await store.write(lambda c: get_person(c, owner))
    # As many at once as there are readers, so that each of them has a connection.
    barrier = threading.Barrier(READERS)
    await asyncio.gather(*(store.read(lambda _c: barrier.wait(10)) for _ in range(READERS)))

    await store.rest()

    assert shrunk == [engine]
    assert len(ended) == len(set(ended)) == READERS
    await store.write(lambda c: raise_generation(c, owner))
    assert await store.read(lambda c: _generation(c, owner)) == 1


@pytest.fixture
def statements_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store keeps the SQL of its statements for itself, as it does outside of tests."""
    monkeypatch.setattr(engine, "create_engine", create_engine)


@pytest.mark.usefixtures("statements_of_its_own")
async def test_at_rest_no_statement_is_kept_as_it_was_made(store: Store, owner: int) -> None:
    """What was compiled of statements for either door is forgotten, and is compiled again."""

    def kept() -> int:
        return sum(len(engine._compiled_cache or ()) for engine in store._engines())

    await store.write(lambda c: is_there(c, owner))
    await store.read(lambda c: is_there(c, owner))
    assert kept() > 1
    await store.rest()
    assert kept() == 0
    await store.read(lambda c: is_there(c, owner))
    assert kept() == 1


async def test_an_error_of_the_database_is_raised_as_it_is(store: Store) -> None:
    """What the database refuses comes out as its own error, and an error is never its own cause."""
    with pytest.raises(OperationalError, match="no such table") as raised:
        await store.read(lambda c: c.exec_driver_sql("SELECT * FROM nowhere"))

    assert raised.value.__cause__ is not raised.value


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


class Named(NamedTuple):
    """A person as these tests look for one."""

    no: int
    email: str


PERSON = LookUp("SELECT no, email FROM person WHERE id = ?", Named)


def add(path: Path, public_id: str, email: str) -> None:
    """Add a person in another process's way."""
    with sqlite3.connect(path) as other:
        other.execute(
            "INSERT INTO person (id, email, created_at, time_zone) VALUES (?, ?, 0, 'UTC')",
            (public_id, email),
        )
    other.close()


async def test_what_was_written_just_now_is_found(store: Store) -> None:
    """By another process too, and so is that it is gone again."""
    assert await store.look_up(PERSON, "usr_ada") is None
    add(store.path, "usr_ada", "ada@localhost")
    assert await store.look_up(PERSON, "usr_ada") == Named(1, "ada@localhost")
    with sqlite3.connect(store.path) as other:
        other.execute("DELETE FROM person")
    other.close()
    assert await store.look_up(PERSON, "usr_ada") is None


MOVE = "UPDATE person SET email = ?"


async def test_nobody_is_waited_for(store: Store) -> None:
    """While another process writes, a look-up sees what was before."""
    add(store.path, "usr_ada", "ada@localhost")
    writing = sqlite3.connect(store.path, isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    writing.execute(MOVE, ("bob@localhost",))
    assert await store.look_up(PERSON, "usr_ada") == Named(1, "ada@localhost")
    writing.execute("COMMIT")
    writing.close()
    assert await store.look_up(PERSON, "usr_ada") == Named(1, "bob@localhost")


async def test_a_reader_does_what_fails(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look-up that cannot be made in place is made anew, and the next one in place again."""
    add(store.path, "usr_ada", "ada@localhost")
    read = store.read
    asked: list[object] = []

    async def count(work: Any, **options: Any) -> Any:
        asked.append(work)
        return await read(work, **options)

    monkeypatch.setattr(store, "read", count)
    assert await store.look_up(PERSON, "usr_ada") is not None
    assert asked == []
    connection = store._look_ups._connection
    assert connection is not None
    connection.close()

    assert await store.look_up(PERSON, "usr_ada") == Named(1, "ada@localhost")
    assert len(asked) == 1
    assert await store.look_up(PERSON, "usr_ada") == Named(1, "ada@localhost")
    assert len(asked) == 1


WRITING = LookUp("DELETE FROM person RETURNING no, email", Named)


async def test_a_look_up_writes_nothing(store: Store) -> None:
    """Its connection refuses to, as those of readers do."""
    with pytest.raises(Exception, match="readonly"):
        await store.look_up(WRITING)


async def test_who_looks_into_a_lost_store_is_told(store: Store) -> None:
    """A file that is gone is told as such, and nothing is found in what is left of it."""
    add(store.path, "usr_ada", "ada@localhost")
    assert await store.look_up(PERSON, "usr_ada") is not None
    store.path.unlink()
    with pytest.raises(StoreLost):
        await store.look_up(PERSON, "usr_ada")


class ToldLock:
    """A lock that tells when somebody is about to ask for it."""

    def __init__(self) -> None:
        self.asked = Semaphore(0)
        self._lock = Lock()

    def __enter__(self) -> None:
        self.asked.release()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_one_of_two_threads_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first sets the log aside the second waits; it raises the same and tells nobody."""
    path = tmp_path / "finplan.db"
    path.touch()
    file = StoreFile(path, tmp_path / "backups")
    told: list[StoreLost] = []
    raised: list[StoreLost] = []
    lock = ToldLock()
    file.when_lost = told.append
    monkeypatch.setattr(file, "_losing", lock)

    def find_out() -> None:
        # Both have looked already, before either of them has told.
        with pytest.raises(StoreLost) as caught:
            file._lose("is gone")
        raised.append(caught.value)

    second = Thread(target=find_out)

    def set_aside() -> None:
        second.start()
        # The first one's own asking, then the second one's.
        assert lock.asked.acquire(timeout=LONG_ENOUGH)
        assert lock.asked.acquire(timeout=LONG_ENOUGH)

    monkeypatch.setattr(file, "_set_log_aside", set_aside)
    find_out()
    second.join(LONG_ENOUGH)
    assert told == raised[:1] == raised[1:]
    assert len(raised) == 2


DOORS: dict[str, Callable[[Store, Callable[[Any], Any]], Awaitable[Any]]] = {
    "read": lambda store, work: store.read(work),
    "write": lambda store, work: store.write(work),
    "compute": lambda store, work: store.compute(work),
    "offload": lambda store, work: store.offload(work, large=False),
    "alone": lambda store, work: store._writer.alone(work),
}


@pytest.mark.parametrize("door", DOORS)
async def test_who_asks_for_one_more_than_there_is_is_told(store: Store, door: str) -> None:
    """A StopIteration, which no future carries, ends no wait unless it is raised as another error."""

    def take_from_nothing(_given: object) -> object:
        return next(iter(()))

    async with asyncio.timeout(LONG_ENOUGH):
        with pytest.raises(RuntimeError) as told:
            await DOORS[door](store, take_from_nothing)

    assert isinstance(told.value.__cause__, StopIteration)
