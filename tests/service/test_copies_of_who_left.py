"""Copies of the store that are made while somebody leaves: none holds a row of theirs in the end."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection, select

from finplan.model.base import Nothing
from finplan.model.errors import Conflict
from finplan.service.automation.kinds import copy_when_changed
from finplan.service.context import Context
from finplan.service.credentials import membership
from finplan.service.credentials.membership import delete_me
from finplan.store.backup import back_up, remove_backups
from finplan.store.tables.tables import person
from tests.patience import LONG_ENOUGH
from tests.service.test_automation import NOTHING_SEEN


@pytest.fixture
def released() -> Iterator[Event]:
    """What the writing thread waits for, and is told of at the latest when the test is over."""
    event = Event()
    yield event
    event.set()


def _people_in(copy: Path) -> set[str]:
    with closing(sqlite3.connect(copy)) as store:
        return {row[0] for row in store.execute("SELECT id FROM person")}


async def test_a_copy_made_before_the_deletion_took_effect_goes_too(
    newcomer: Context, released: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daily copy, made after the first copies went and before the rows did."""
    folder, owner = newcomer.store.backups, newcomer.caller.owner
    first = folder / "first.db"
    await asyncio.to_thread(newcomer.store.back_up, first)

    def left(connection: Connection) -> str:
        return str(connection.execute(select(person.c.id).where(person.c.no == owner)).scalar_one())

    gone = await newcomer.store.read(left)
    removed, loop = asyncio.Event(), asyncio.get_running_loop()

    def remove_and_tell(folder: Path) -> tuple[str, ...]:
        names = remove_backups(folder)
        loop.call_soon_threadsafe(removed.set)
        return names

    monkeypatch.setattr(membership, "remove_backups", remove_and_tell)
    busy = asyncio.create_task(newcomer.store.write(lambda _: released.wait()))
    leaving = asyncio.create_task(delete_me(newcomer, Nothing()))
    async with asyncio.timeout(LONG_ENOUGH):
        await removed.wait()
        made = await copy_when_changed(newcomer, NOTHING_SEEN)
        (daily,) = folder.glob("*.db")
        assert (made.result, _people_in(daily)) == ("ok", {gone})
        released.set()
        answer = await leaving
        await busy
    assert answer.backups == ("first.db", daily.name)
    assert list(folder.iterdir()) == []


def test_a_copy_that_is_removed_while_it_is_made_is_none(
    tmp_path: Path, empty_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes it is told so, and nothing of it is left."""
    folder = tmp_path / "backups"
    connect = sqlite3.connect

    def connect_then_remove(path: Path, **options: Any) -> sqlite3.Connection:
        opened: sqlite3.Connection = connect(path, **options)
        if path.suffix == ".part":
            assert remove_backups(folder) == ("daily.part",)
        return opened

    monkeypatch.setattr(sqlite3, "connect", connect_then_remove)
    with pytest.raises(Conflict, match="Somebody has left while the store was copied"):
        back_up(empty_store, folder / "daily.db")
    assert list(folder.iterdir()) == []


def test_a_copy_that_becomes_whole_while_copies_are_removed_goes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What gets its name between one look and the next is found by the next."""
    part, whole = tmp_path / "daily.part", tmp_path / "daily.db"
    part.touch()
    glob = Path.glob

    def glob_then_finish(folder: Path, pattern: str) -> list[Path]:
        found = list(glob(folder, pattern))
        if part.exists():
            part.rename(whole)
        return found

    monkeypatch.setattr(Path, "glob", glob_then_finish)
    remove_backups(tmp_path)
    assert list(tmp_path.iterdir()) == []
