"""Backups: none replaces a good one unproven, rot in one is seen, and a restore loses nothing."""

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection

from finplan.daemon.maintenance import run_backup_tool
from finplan.model.errors import Conflict, NotFound, StorageFull, StoreDamaged
from finplan.service.automation.kinds import copy_whole_store, mend_indexes
from finplan.settings import Places
from finplan.store.backup import (
    BEFORE_MIGRATION,
    DAILY,
    copies_in,
    is_good,
    list_backups,
    newest_good_copy,
    prune_backups,
    read_digest,
    remove_backups,
    write_digest,
)
from finplan.store.engine import connect
from finplan.store.examination import examine, finds_nothing, integrity_faults, read_trees
from finplan.store.page_images import PageImages, page_owners
from finplan.store.page_sums import log_of, read_sound_log
from finplan.store.restoring import find_copy, finish_restore, restore
from finplan.store.store import Store
from tests.patience import LONG_ENOUGH
from tests.store.test_page_sums import PAGE, add


def flip(path: Path, page: int, byte: int = 3000) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE + byte)
        value = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes((value ^ 16,)))


def root_of(store: Path, name: str) -> int:
    return next(tree.root for tree in read_trees(store) if tree.name == name)


def dump(store: Path) -> list[str]:
    with closing(sqlite3.connect(store)) as connection:
        return list(connection.iterdump())


async def test_a_damaged_store_replaces_no_backup(store: Store) -> None:
    """Also not the one of the same day: the job fails, the store is known as damaged, the copy stays."""
    await store.write(add(1))
    await store.compact()
    copy = store.backups / "daily-2026-11-21.db"
    await copy_whole_store(store, copy)
    before = copy.read_bytes()
    flip(store.path, root_of(store.path, "person"))
    with pytest.raises(StoreDamaged, match="`finplan backup restore`"):
        await copy_whole_store(store, copy)
    assert store.damage is not None
    assert copy.read_bytes() == before
    assert is_good(copy)
    assert {path.suffix for path in store.backups.iterdir()} == {".db", ".digest"}


async def test_a_bit_that_flips_in_the_log_is_seen(store: Store) -> None:
    """A running SQLite reads the log without its checksums; the sums of the copy's pages tell."""
    for number in range(20):
        await store.write(add(number))
    copy = store.backups / "daily-2026-11-21.db"
    store.back_up(copy)
    log = read_sound_log(store.path)
    page = root_of(store.path, "person")
    with log_of(store.path).open("r+b") as file:
        file.seek(log.newest[page] + 3900)
        value = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes((value ^ 1,)))
    with pytest.raises(StoreDamaged):
        await copy_whole_store(store, copy)
    assert is_good(copy)


async def test_a_strange_row_is_in_no_backup(tmp_path: Path) -> None:
    """What no finplan could read would be in the way of a restore."""
    strange = ["row 1 of the table person (currency)"]
    path = tmp_path / "finplan.db"
    store = Store.open(path, tmp_path / "backups", find_strange=lambda _: strange)
    with pytest.raises(Conflict, match="a row that finplan cannot read: row 1"):
        store.back_up(store.backups / "copy.db")
    assert (list(store.backups.iterdir()), store.damage) == ([], None)
    store.close()


async def test_an_index_is_mended_and_nothing_else_changes(store: Store) -> None:
    """Damage in an index alone costs no data: it is made again, and the copy is proven after."""
    for number in range(40):
        await store.write(add(number))
    await store.compact()
    before = dump(store.path)
    flip(store.path, root_of(store.path, "sqlite_autoindex_person_1"), 4000)
    copy = store.backups / "daily-2026-11-21.db"
    assert await copy_whole_store(store, copy)
    assert store.damage is None
    assert dump(copy) == dump(store.path) == before
    assert not await copy_whole_store(store, copy)
    store.close()
    assert examine(store.path).is_whole


async def test_an_index_that_rotted_at_rest_is_known_at_the_start(store: Store) -> None:
    """The start says which, so that it is made again before anybody is served."""
    await store.write(add(1))
    store.close()
    flip(store.path, root_of(store.path, "sqlite_autoindex_person_1"), 4000)
    again = Store.open(store.path, store.backups)
    assert (again.damage, again.broken_indexes) == (None, ("sqlite_autoindex_person_1",))
    await again.mend_indexes()
    again.close()
    assert examine(store.path).is_whole


def test_rot_in_a_backup_is_seen_without_looking_into_it(store: Store) -> None:
    """A page that no check of SQLite's minds differs from the digest all the same."""
    good, bad = store.backups / "good.db", store.backups / "bad.db"
    for copy in (good, bad):
        store.back_up(copy)
    os.utime(good, (1000, 1000))
    flip(bad, 3)
    assert copies_in(store.backups)[0] == bad
    assert newest_good_copy(store.backups) == good
    assert find_copy(store.backups, None) == good
    bad.with_suffix(".digest").unlink()
    bad.write_bytes(bytes(PAGE))
    assert not is_good(bad)


def make_copies(store: Store, names: Iterable[str]) -> None:
    first = store.backups / "first.db"
    store.back_up(first)
    for age, name in enumerate(names):
        copy = store.backups / f"{name}.db"
        shutil.copyfile(first, copy)
        write_digest(copy, read_digest(first) or "")
        os.utime(copy, (10**9 - age, 10**9 - age))
    first.unlink()


def test_good_copies_stay_as_long_as_newer_ones_are_bad(store: Store) -> None:
    """Bad ones take nobody's place: a week of them removes no good one."""
    days = [date(2026, 11, 21) - timedelta(days=age) for age in range(2 * DAILY)]
    make_copies(store, (f"daily-{day}" for day in days))
    for day in days[:DAILY]:
        flip(store.backups / f"daily-{day}.db", 2)
    prune_backups(store.backups)
    left = {copy.stem for copy in copies_in(store.backups)}
    assert left == {f"daily-{day}" for day in days}


def test_the_newest_few_from_before_updates_stay(store: Store) -> None:
    """Of those made before an update the three newest good ones, with their kinds told."""
    names = [f"before-00{number}-from-0001" for number in range(29, 23, -1)]
    make_copies(store, names)
    prune_backups(store.backups)
    left = list_backups(store.backups)
    assert [backup.id for backup in left] == names[:BEFORE_MIGRATION]
    assert {backup.kind for backup in left} == {"before_migration"}


async def restorable(store: Store) -> tuple[Path, Path, list[str]]:
    """A closed store that went on after its one backup; the backup, and what it holds."""
    await store.write(add(1))
    copy = store.backups / "daily-2026-11-21.db"
    store.back_up(copy)
    await store.write(add(2))
    store.close()
    return store.path, copy, dump(copy)


async def test_a_schema_that_is_no_text_any_more_is_damage_like_any_other(store: Store) -> None:
    """What SQLite says of it holds the damaged name, which Python cannot decode."""
    path, copy, held = await restorable(store)
    content = bytearray(path.read_bytes())
    content[content.index(b"CREATE TABLE account") + len("CREATE T")] ^= 0x80
    path.write_bytes(content)
    with closing(sqlite3.connect(path)) as connection, pytest.raises(UnicodeDecodeError):
        connection.execute("SELECT 1 FROM account")
    assert not examine(path).is_whole
    assert integrity_faults(path)
    assert list(read_trees(path)) == []
    with pytest.raises(sqlite3.DatabaseError) as damaged, closing(connect(path)) as connection:
        connection.execute("SELECT 1 FROM account")
    assert damaged.value.sqlite_errorcode == sqlite3.SQLITE_CORRUPT
    restore(path, copy, "then", finds_nothing)
    assert dump(path) == held


async def test_a_restore_keeps_the_former_store(store: Store) -> None:
    """The copy takes its place, and giving the former one its name back is the way back."""
    path, copy, held = await restorable(store)
    before = dump(path)
    restored = restore(path, copy, "then", finds_nothing)
    assert (restored.copy, restored.ended) == (copy, 0)
    assert restored.saved == path.with_name("finplan.db.before-restore-then")
    assert dump(path) == held
    assert dump(restored.saved) == before
    Store.open(path, store.backups).close()
    assert examine(path).is_whole
    # Whoever leaves is in the former store, too.
    kept = {entry.name for entry in path.parent.glob("*.before-restore-*")}
    assert kept == {restored.saved.name, f"{restored.saved.name}-sums"}
    assert set(remove_backups(store.backups)) == {copy.name, *kept}
    assert not list(path.parent.glob("*.before-restore-*"))


def restore_and_die(store: Path, copy: Path, step: int) -> int:
    ended = subprocess.run(
        (sys.executable, "-m", "tests.store.mortal_restore", store, copy, str(step)),
        cwd=Path(__file__).parents[2],
        check=False,
        timeout=LONG_ENOUGH,
    )
    return ended.returncode


@pytest.mark.thorough
async def test_a_restore_that_is_killed_leaves_one_or_the_other(
    store: Store, tmp_path: Path
) -> None:
    """At each step: the next start has the former store or the copy, whole, and nothing half done."""
    path, copy, held = await restorable(store)
    before, home = dump(path), tmp_path / "home"
    reached = set()
    for step in range(60):
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        for name in ("finplan.db", "finplan.db-sums"):
            shutil.copyfile(path.with_name(name), home / name)
        code = restore_and_die(home / path.name, copy, step)
        opened = Store.open(home / path.name, home / "backups")
        assert opened.damage is None
        opened.close()
        now = dump(home / path.name)
        assert now in (before, held), step
        assert not [entry for entry in home.iterdir() if ".restor" in entry.suffix], step
        reached.add(now == held)
        if code == 0:
            break
        assert code == 9
    assert (reached, code) == ({True, False}, 0)


async def test_a_damaged_backup_is_not_restored(store: Store) -> None:
    """It is proven where it is to go, and nothing is changed."""
    path, copy, _ = await restorable(store)
    before = path.read_bytes()
    flip(copy, 2)
    with pytest.raises(Conflict, match=r"Nothing was changed: .* damaged"):
        restore(path, copy, "then", finds_nothing)
    with pytest.raises(NotFound, match="No good backup"):
        find_copy(store.backups, None)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.restor*"))


async def test_a_backup_of_a_newer_version_is_refused(store: Store) -> None:
    """An older one is restored, and brought up to date by the next start."""
    path, copy, _ = await restorable(store)
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    copy.with_suffix(".digest").unlink()
    with pytest.raises(Conflict, match="newer finplan"):
        restore(path, copy, "then", finds_nothing)


async def test_a_full_disk_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The half that was copied goes."""
    path, copy, _ = await restorable(store)
    before = path.read_bytes()

    def fill(_: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", fill)
    with pytest.raises(StorageFull, match="Nothing was changed"):
        restore(path, copy, "then", finds_nothing)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.restor*"))


KEY = (
    "INSERT INTO api_key (id, owner_no, name, hash, prefix, scopes, created_at)"
    " SELECT ?1, min(no), ?1, ?1, '', '', 0 FROM person"
)


async def test_what_was_revoked_since_stays_revoked(store: Store) -> None:
    """As long as the former store can be read; a key that stands in both goes on."""
    await store.write(add(1))
    for name in ("kept", "revoked", "deleted"):
        await store.write(lambda c, key=name: c.exec_driver_sql(KEY, (key,)))  # type: ignore[misc]
    copy = store.backups / "copy.db"
    store.back_up(copy)
    revoke = "UPDATE api_key SET revoked_at = 1 WHERE id = 'revoked'"
    await store.write(lambda c: c.exec_driver_sql(revoke))
    await store.write(lambda c: c.exec_driver_sql("DELETE FROM api_key WHERE id = 'deleted'"))
    store.close()
    assert restore(store.path, copy, "then", finds_nothing).ended == 2
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("SELECT id FROM api_key").fetchall() == [("kept",)]

    store.path.write_bytes(b"not a store" * 999)
    restored = restore(store.path, copy, "later", finds_nothing)
    assert restored.ended is None
    with closing(sqlite3.connect(store.path)) as connection:
        assert len(connection.execute("SELECT id FROM api_key").fetchall()) == 3


def test_a_store_that_is_gone_can_be_restored(store: Store) -> None:
    """There is nothing to keep then."""
    copy = store.backups / "copy.db"
    store.back_up(copy)
    store.close()
    store.path.unlink()
    assert restore(store.path, copy, "then", finds_nothing).saved is None
    finish_restore(store.path)
    assert examine(store.path).faults == ()


async def test_an_index_that_leads_into_a_table_is_not_mended(store: Store) -> None:
    """To make it again would free pages of the table, so that is undone: no row is lost."""

    def fill(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE held (no INTEGER PRIMARY KEY, text TEXT)")
        connection.exec_driver_sql("CREATE TABLE keyed (no INTEGER PRIMARY KEY, key TEXT)")
        for table, rows in (("held", 3000), ("keyed", 1500)):
            texts = [(f"{number * 7919 % rows} {'x' * 200}",) for number in range(rows)]
            column = "text" if table == "held" else "key"
            connection.exec_driver_sql(f"INSERT INTO {table} ({column}) VALUES (?)", texts)
        connection.exec_driver_sql("CREATE INDEX by_key ON keyed (key)")

    await store.write(fill)
    store.close()
    lead_astray(store.path, "by_key", "held")
    opened = Store.open(store.path, store.backups)
    assert opened.broken_indexes == ("by_key",)
    with pytest.raises(StoreDamaged):
        await mend_indexes(opened)
    assert opened.damage is not None
    count = "SELECT count(*), count(text) FROM held"
    assert await opened.read(lambda c: c.exec_driver_sql(count).one()) == (3000, 3000)
    opened.close()


def lead_astray(path: Path, index: str, table: str) -> None:
    """Flip one bit, so that an inner page of an index leads to a page of a table."""
    with closing(PageImages(path)) as images:
        owners = page_owners(images, read_trees(path))
        inner = [n for n, o in owners.items() if (o.name, o.kind) == (index, "interior")]
        leaves = {n for n, o in owners.items() if (o.name, o.kind) == (table, "leaf")}
        for number in inner:
            image = images.image(number)
            for cell in range(int.from_bytes(image[3:5])):
                at = int.from_bytes(image[12 + 2 * cell : 14 + 2 * cell])
                child = int.from_bytes(image[at : at + 4])
                for bit in range(12):
                    if child ^ 1 << bit in leaves:
                        with path.open("r+b") as file:
                            file.seek((number - 1) * PAGE + at)
                            file.write((child ^ 1 << bit).to_bytes(4))
                        return
    raise AssertionError("No page of the index is one bit away from a page of the table.")


async def test_what_a_killed_restore_left_is_in_no_later_one(store: Store) -> None:
    """SQLite would take its log for the next copy's."""
    path, copy, held = await restorable(store)
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(f"{path.name}.restoring{ending}").write_bytes(b"left " * 2000)
    restore(path, copy, "then", finds_nothing)
    assert dump(path) == held
    assert not list(path.parent.glob("*.restoring*"))


async def test_a_copy_of_ones_own_is_restored_with_its_log(store: Store) -> None:
    """Whoever copies the files of a running store has its last commits in the log."""
    await store.write(add(1))
    own = store.backups / "own.db"
    own.parent.mkdir(exist_ok=True)
    for source, target in ((store.path, own), (log_of(store.path), log_of(own))):
        shutil.copyfile(source, target)
    store.close()
    restore(store.path, own, "then", finds_nothing)
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("SELECT count(*) FROM person").fetchone() == (1,)


async def test_what_is_verified_stays_good(tmp_path: Path, store: Store) -> None:
    """To look into a copy in another mode of SQLite's changes it, and is no damage."""
    await store.write(add(1))
    store.close()
    home = tmp_path / "home"
    places = Places(home, home, home)
    places.data.mkdir(parents=True)
    places.backups.mkdir()
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("VACUUM INTO ?", (str(places.backups / "own.db"),))
    assert json.loads(run_backup_tool(places, "verify", "own"))["state"] == "good"
    assert json.loads(run_backup_tool(places, "list", None))[0]["state"] == "good"
