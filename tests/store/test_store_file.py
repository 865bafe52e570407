"""The store's file: what is not in it is acknowledged to nobody, and what is wrong with it is said."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from finplan.model.errors import StorageFull, StoreDamaged, StoreLost
from finplan.store.backup import back_up, copies_in, faults_in, newest_good_copy
from finplan.store.store import Store


def _add(name: str) -> Callable[[Connection], None]:
    def add(connection: Connection) -> None:
        connection.exec_driver_sql(
            "INSERT INTO person (id, email, created_at, time_zone, row_generation)"
            " VALUES (?, ?, 0, 'UTC', 0)",
            (f"usr_{name}", f"{name}@localhost"),
        )

    return add


def _people(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [row[0] for row in database.execute("SELECT email FROM person ORDER BY no")]


def _log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _remove(path: Path) -> None:
    path.unlink()


def _replace(path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copyfile(path, copy)
    copy.replace(path)


def _empty(path: Path) -> None:
    os.truncate(path, 0)


def _lengthen(path: Path) -> None:
    with path.open("ab") as file:
        file.write(bytes(4096))


def _empty_log(path: Path) -> None:
    os.truncate(_log(path), 0)


def _remove_log(path: Path) -> None:
    _log(path).unlink()


HARMS = (_remove, _replace, _empty, _lengthen, _empty_log, _remove_log)


@pytest.mark.parametrize("harm", HARMS)
async def test_nothing_is_acknowledged_that_is_not_in_the_file(
    store: Store, harm: Callable[[Path], None]
) -> None:
    """A change of the file by anybody else is told with the next write, once, and ever after."""
    told: list[str] = []
    store.file.when_lost = lambda lost: told.append(lost.code)
    await store.write(_add("ada"))
    harm(store.path)

    for name in ("bob", "cyd"):
        with pytest.raises(
            StoreLost, match=r"not saved, and the daemon stops\. There is no backup"
        ):
            await store.write(_add(name))
    assert told == ["INTERNAL_SERVER_ERROR"]
    with pytest.raises(StoreLost):
        await store.read(lambda _: None)


@pytest.mark.parametrize("harm", [_remove, _replace])
async def test_a_file_that_goes_during_a_change_takes_it_along_unacknowledged(
    store: Store, harm: Callable[[Path], None]
) -> None:
    """What stands in the place of the file holds nothing of the change, nor does anybody believe so."""

    def change(connection: Connection) -> None:
        _add("ada")(connection)
        harm(store.path)

    with pytest.raises(StoreLost):
        await store.write(change)


@pytest.mark.parametrize("harm", [_remove, _replace])
async def test_reading_a_file_that_is_gone_is_told(
    store: Store, harm: Callable[[Path], None]
) -> None:
    """Nobody reads on from a file that nobody else can find."""
    harm(store.path)
    with pytest.raises(StoreLost, match="gone" if harm is _remove else "replaced"):
        await store.read(lambda _: None)


async def test_what_belongs_to_the_store_is_no_harm(store: Store, tmp_path: Path) -> None:
    """Writing anew, backing up, reading and writing by another process of finplan change nothing."""
    await store.write(_add("ada"))
    await store.compact()
    await store.write(_add("bob"))
    back_up(store.path, tmp_path / "backups" / "copy.db")
    other = Store.open(store.path, tmp_path / "backups")
    for turn in range(3):
        await other.write(_add(f"other{turn}"))
        await store.write(_add(f"here{turn}"))
    await other.compact()
    other.close()
    await store.write(_add("cyd"))
    assert len(_people(store.path)) == 9


async def test_a_change_that_fails_is_no_harm(store: Store) -> None:
    """What is undone leaves the file as it was noted, or noted anew."""

    def failing(connection: Connection) -> None:
        for place in range(2000):
            _add(f"{place}")(connection)
        raise ValueError("no")

    await store.write(_add("ada"))
    with pytest.raises(ValueError, match="no"):
        await store.write(failing)
    await store.write(_add("bob"))
    assert _people(store.path) == ["ada@localhost", "bob@localhost"]


def test_a_store_is_never_begun_anew_beside_a_data_key(tmp_path: Path) -> None:
    """Where a key is, a store was: a missing or empty one is refused with the way back."""
    path, backups, key = tmp_path / "finplan.db", tmp_path / "backups", tmp_path / "data_key.json"
    Store.open(path, backups, data_key=key).close()
    back_up(path, backups / "before.db")
    key.write_text("{}")
    for harm in (_empty, _remove):
        harm(path)
        with pytest.raises(StoreLost, match=r"is gone or empty.*before\.db: copy it to"):
            Store.open(path, backups, data_key=key)
    assert not path.exists()
    shutil.copyfile(backups / "before.db", path)
    Store.open(path, backups, data_key=key).close()
    path.unlink()
    key.unlink()
    Store.open(path, backups, data_key=key).close()


async def test_a_damaged_store_says_so_with_the_newest_good_copy(
    store: Store, tmp_path: Path
) -> None:
    """Whichever door meets it, it is one sentence with the words damaged and backup, and the path."""
    for place in range(300):
        await store.write(_add(f"{place}"))
    await store.compact()
    backups = tmp_path / "backups"
    for age, name in enumerate(("newest.db", "good.db", "old.db")):
        back_up(store.path, backups / name)
        os.utime(backups / name, (1000 - age, 1000 - age))
    (backups / "newest.db").write_bytes(b"no store" * 4096)
    os.utime(backups / "newest.db", (1000, 1000))
    store.close()
    with store.path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(store.path.stat().st_size - 4096))
    assert faults_in(store.path)
    assert [copy.name for copy in copies_in(backups)] == ["newest.db", "good.db", "old.db"]
    assert newest_good_copy(backups) == backups / "good.db"

    spoilt = Store(store.path, backups)
    said = rf"damaged.*newest good backup is {backups / 'good.db'}"

    def look(connection: Connection) -> list[object]:
        return list(connection.exec_driver_sql("SELECT * FROM person JOIN tx USING (no)"))

    for ask in (spoilt.read(look), spoilt.compute(look), spoilt.write(_add("bob"))):
        with pytest.raises(StoreDamaged, match=said):
            await ask
    spoilt.close()


async def test_other_failures_of_the_database_are_their_own(store: Store) -> None:
    """A mistake in a statement is no damage, and a full disk is told as that."""

    def wrong(connection: Connection) -> None:
        connection.exec_driver_sql("SELECT * FROM elsewhere")

    with pytest.raises(Exception, match="no such table"):
        await store.read(wrong)

    def fill(_: Connection) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(StorageFull):
        await store.write(fill)
