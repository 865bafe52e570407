"""The two doors to the database."""

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import OperationalError

from finplan.model.errors import StorageFull
from finplan.store import engine
from finplan.store.engine import PRAGMAS
from finplan.store.queries.people import get_person, is_there, raise_generation
from finplan.store.store import READERS, Store


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


async def test_a_full_disk_is_one_clear_error(store: Store, owner: int) -> None:
    """When the disk is full the change is refused with a sentence, and nothing is lost."""

    def grow(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        raise_generation(connection, owner)
        connection.exec_driver_sql("CREATE TABLE large AS SELECT zeroblob(10000000) AS blank")

    with pytest.raises(StorageFull, match="disk is full"):
        await store.write(grow)

    assert await store.read(lambda c: _generation(c, owner)) == 0


def test_the_file_is_the_owners_alone(store: Store) -> None:
    """Nobody else on the machine may read the store."""
    assert store.path.stat().st_mode & 0o777 == 0o600


async def test_beside_is_attached_for_one_call(store: Store, tmp_path: Path) -> None:
    """A scratch database is seen under `staged` during the call, and gone after it."""
    import sqlite3

    with sqlite3.connect(tmp_path / "scratch.db") as scratch:
        scratch.execute("CREATE TABLE seen AS SELECT 42 AS answer")
    scratch.close()
    query = "SELECT answer FROM staged.seen"

    def look(connection: Connection) -> object:
        return connection.exec_driver_sql(query).scalar_one()

    assert await store.write(look, beside=tmp_path / "scratch.db") == 42
    assert await store.read(look, beside=tmp_path / "scratch.db") == 42
    with pytest.raises(Exception, match="staged"):
        await store.write(look)


async def test_nothing_waits_until_the_disk_has_a_scratch_file(
    store: Store, tmp_path: Path
) -> None:
    """It is written without a journal in its folder and without waiting; what fails is taken back."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    with sqlite3.connect(folder / "scratch.db") as scratch:
        scratch.execute("CREATE TABLE seen AS SELECT 42 AS answer")
    scratch.close()

    def asked(connection: Connection, of: str) -> object:
        return connection.exec_driver_sql(of).scalar_one()

    def fail(connection: Connection) -> None:
        assert asked(connection, "PRAGMA staged.synchronous") == 0
        # Without any journal what fails could not be taken back.
        assert asked(connection, "PRAGMA staged.journal_mode") == "memory"
        assert asked(connection, "PRAGMA main.journal_mode") == "wal"
        connection.exec_driver_sql("UPDATE staged.seen SET answer = 7")
        assert [each.name for each in folder.iterdir()] == ["scratch.db"]
        raise LookupError

    with pytest.raises(LookupError):
        await store.write(fail, beside=folder / "scratch.db")
    look = "SELECT answer FROM staged.seen"
    assert await store.read(lambda c: asked(c, look), beside=folder / "scratch.db") == 42


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
async def test_at_rest_no_statement_is_kept_as_it_was_put_into_words(
    store: Store, owner: int
) -> None:
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
