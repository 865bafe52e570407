"""Look-ups see what holds now, whoever wrote it, and are told what is wrong like any reader."""

import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from finplan.model.errors import StoreLost
from finplan.store.store import Store
from finplan.store.store_file import LookUp


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


async def test_nobody_is_waited_for(store: Store) -> None:
    """While another process writes, a look-up sees what was before."""
    add(store.path, "usr_ada", "ada@localhost")
    writing = sqlite3.connect(store.path, isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    writing.execute("UPDATE person SET email = 'bob@localhost'")
    assert await store.look_up(PERSON, "usr_ada") == Named(1, "ada@localhost")
    writing.execute("COMMIT")
    writing.close()
    assert await store.look_up(PERSON, "usr_ada") == Named(1, "bob@localhost")


async def test_what_fails_is_done_by_a_reader(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
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


async def test_a_look_up_writes_nothing(store: Store) -> None:
    """Its connection refuses to, as those of readers do."""
    with pytest.raises(Exception, match="readonly"):
        await store.look_up(LookUp("DELETE FROM person RETURNING no, email", Named))


async def test_who_looks_into_a_lost_store_is_told(store: Store) -> None:
    """A file that is gone is told as such, and nothing is found in what is left of it."""
    add(store.path, "usr_ada", "ada@localhost")
    assert await store.look_up(PERSON, "usr_ada") is not None
    store.path.unlink()
    with pytest.raises(StoreLost):
        await store.look_up(PERSON, "usr_ada")
