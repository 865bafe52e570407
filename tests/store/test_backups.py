"""Backups: none replaces a good one unproven, rot in one is seen, and a restore loses nothing.

A flipped bit of a page is seen wherever it is, and nothing whole is called damaged.
"""

import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest
from sqlalchemy import Connection

from benchmarks.flips import draw_flips
from finplan.daemon.maintenance import run_backup_tool
from finplan.model.errors import Conflict, NotFound, StorageFull, StoreDamaged
from finplan.service.automation.kinds import copy_whole_store, mend_indexes
from finplan.settings import Places
from finplan.store import page_sums, store_file
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
from finplan.store.examination import (
    MOST_RECORDS,
    examine,
    finds_nothing,
    integrity_faults,
    read_trees,
)
from finplan.store.page_images import FEW_PAGES, PageImages, page_owners
from finplan.store.restoring import find_copy, finish_restore, restore
from finplan.store.store import Store
from tests.patience import LONG_ENOUGH
from tests.store.kept import claim, columns_of

PAGE = 4096


def add(number: int, name: str = "Ada") -> Callable[[Connection], None]:
    def insert(connection: Connection) -> None:
        connection.exec_driver_sql(
            "INSERT INTO person (id, email, name, created_at, time_zone, row_generation)"
            " VALUES (?, ?, ?, 0, 'UTC', 0)",
            (f"usr_{number}", f"{number}@localhost", name * 9),
        )

    return insert


@pytest.fixture
async def filled(store: Store) -> Path:
    """The path of a closed store with some rows."""
    for number in range(60):
        await store.write(add(number, "Ada " * 300))
    store.close()
    return store.path


def meddle(path: Path, change: str) -> None:
    """Change a row from outside, and move the change into the file."""
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute(f"UPDATE person SET {change} WHERE no = 7")
        stranger.commit()
        stranger.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def begin(*words: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        (sys.executable, "-m", "tests.store.mortal_store", *map(str, words)),
        cwd=Path(__file__).parents[2],
        stderr=subprocess.PIPE,
    )


def end(process: subprocess.Popen[bytes], *codes: int) -> None:
    _, said = process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode in codes, said.decode()


@pytest.mark.thorough
def test_a_flipped_bit_is_seen_in_every_kind_of_page(filled: Path) -> None:
    """Each of them by the sum of its page, most of them by nothing else."""
    assert examine(filled).is_whole
    kinds = set()
    for flip in draw_flips(filled, 25, seed=5):
        flip.apply(filled, PAGE)
        found = examine(filled)
        flip.apply(filled, PAGE)
        # A page of the schema has no table to be named by where it cannot be read.
        assert any(f"page {flip.page} " in fault for fault in found.faults), flip
        assert bool(found.indexes) == flip.kind.startswith("index"), flip
        kinds.add(flip.kind)
    assert {"index leaf", "table leaf"} <= kinds
    assert examine(filled).is_whole


@pytest.mark.parametrize("size", [512, PAGE])
def test_one_bit_is_told_from_two_by_sums_alone(size: int) -> None:
    """Of a sum and the one that is right, whatever the pages hold."""
    dice = Random(1)
    image = bytearray(dice.randbytes(size))
    right = crc32(image)
    for flipped, bit in enumerate(dice.sample(range(size * 8), 2)):
        image[bit // 8] ^= 1 << bit % 8
        assert page_sums.is_one_bit(right, crc32(image), size) == (flipped == 0)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_nothing_whole_is_called_damaged_after_kills(tmp_path: Path, seed: int) -> None:
    """Whatever was committed, undone or moved, whoever read it, and however it ended."""
    path, dice = tmp_path / "finplan.db", Random(seed)
    for life in range(4):
        killed = dice.uniform(0.5, 2.5) if life % 2 else 0
        end(begin(path, dice.getrandbits(32), killed), 0, -signal.SIGKILL)
        if dice.random() < 0.5:
            with closing(sqlite3.connect(path)) as stranger:
                stranger.execute("SELECT * FROM person").fetchone()
        found = examine(path)
        sums = page_sums.read_sums(path)
        # A commit that nobody lived to note, and that a stranger moved, is the one excuse.
        assert not found.faults, found
        assert found.is_whole or (sums is not None and sums.is_open), found


@pytest.mark.thorough
def test_two_processes_on_one_store_know_each_others_pages(tmp_path: Path) -> None:
    """Each appends its own, and neither calls the other's damage."""
    path = tmp_path / "finplan.db"
    Store.open(path, tmp_path / "backups").close()
    for process in [begin(path, seed, 0) for seed in (1, 2)]:
        end(process, 0)
    assert examine(path).is_whole


async def test_a_log_that_was_damaged_is_told_once(store: Store, tmp_path: Path) -> None:
    """SQLite passes over what it cannot prove, without a word; what is left goes on after a restart."""
    for number in range(5):
        await store.write(add(number))
    home = tmp_path / "killed"
    home.mkdir()
    path = home / "finplan.db"
    for source in (store.path, page_sums.log_of(store.path), page_sums.sums_file_of(store.path)):
        (home / source.name).write_bytes(source.read_bytes())
    with page_sums.log_of(path).open("r+b") as file:
        file.seek(page_sums.HEADER + 2 * (PAGE + page_sums.FRAME_HEADER) + 900)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes((byte[0] ^ 4,)))
    assert examine(path).log_is_cut

    first = Store.open(path, home / "backups")
    assert first.damage is not None
    with pytest.raises(StoreDamaged):
        await first.write(add(9))
    first.close()
    second = Store.open(path, home / "backups")
    assert second.damage is None
    await second.write(add(9))
    second.close()


@pytest.mark.thorough
async def test_foreign_changes_are_taken(filled: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Doctor warns of it, the next start says so and takes the pages as they are."""
    meddle(filled, "name = 'Somebody else'")
    assert (examine(filled).faults, examine(filled).is_changed) == ((), True)
    store = Store.open(filled, filled.parent / "backups")
    assert store.damage is None
    store.close()
    assert "Another program changed" in caplog.text
    assert examine(filled).is_whole


async def test_one_bit_is_damage_until_the_sums_are_deleted(filled: Path) -> None:
    """Who changed it on purpose has a way: without sums, what SQLite finds whole is taken."""
    meddle(filled, "created_at = 1")
    assert examine(filled).faults
    damaged = Store.open(filled, filled.parent / "backups")
    assert damaged.damage is not None
    damaged.close()
    page_sums.sums_file_of(filled).unlink()
    store = Store.open(filled, filled.parent / "backups")
    assert store.damage is None
    await store.write(add(999))
    store.close()
    assert examine(filled).is_whole


async def test_sums_without_room_are_remade(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The change itself is saved, and no page is called damaged for want of its sum."""

    def write(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "full")

    await store.write(add(1))
    monkeypatch.setattr(os, "write", write)
    await store.write(add(2))
    monkeypatch.undo()
    await store.write(add(3))
    assert not page_sums.sums_file_of(store.path).exists()
    store.close()
    again = Store.open(store.path, store.backups)
    assert again.damage is None
    await again.write(add(4))
    again.close()
    found = examine(store.path)
    assert (found.is_whole, found.has_sums) == (True, True)


async def test_sums_do_not_grow_for_ever(store: Store) -> None:
    """A proven copy leaves one sum of each page, and a later change is still known."""
    for number in range(300):
        await store.write(add(number))
    before = page_sums.sums_file_of(store.path).stat().st_size
    with closing(PageImages(store.path)) as images:
        assert before > MOST_RECORDS * 12 * (images.pages + 1)
    store.back_up(store.backups / "copy.db")
    assert page_sums.sums_file_of(store.path).stat().st_size < before / 2
    await store.write(add(300))
    store.back_up(store.backups / "copy.db")
    store.close()
    assert examine(store.path).is_whole


@pytest.mark.parametrize("refuses", [False, True])
async def test_a_write_without_a_change_excuses_no_damage(store: Store, refuses: bool) -> None:
    """A commit that was begun is known as ended, also where nothing came of it."""

    def write(_: Connection) -> None:
        if refuses:
            raise ValueError

    await store.write(add(1))
    await store.compact()
    if refuses:
        with pytest.raises(ValueError, match=r"^$"):
            await store.write(write)
    else:
        await store.write(write)
    sums = page_sums.read_sums(store.path)
    store.close()
    assert sums is not None
    assert not sums.is_open
    next(iter(draw_flips(store.path, 1, seed=3))).apply(store.path, PAGE)
    assert examine(store.path).faults


async def test_a_log_moves_without_its_sums(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever removes the sums, or fills the disk, lets no log grow without end."""
    monkeypatch.setattr(store_file, "CHECKPOINT_AT", 20)
    await store.write(add(0))
    page_sums.sums_file_of(store.path).unlink()
    for number in range(1, 60):
        await store.write(add(number))
    assert page_sums.log_of(store.path).stat().st_size < page_sums.HEADER + 40 * (
        PAGE + page_sums.FRAME_HEADER
    )


async def test_a_torn_record_hides_none_that_follow(filled: Path) -> None:
    """What a loss of power left of a record is cut off before more is appended."""
    with page_sums.sums_file_of(filled).open("ab") as file:
        file.write(b"torn!")
    store = Store.open(filled, filled.parent / "backups")
    await store.write(add(999))
    store.back_up(store.backups / "copy.db")
    store.close()
    assert examine(filled).is_whole


@pytest.mark.parametrize(("bits", "is_damage"), [(FEW_PAGES, True), (FEW_PAGES + 1, False)])
def test_many_pages_are_a_programs_work(filled: Path, bits: int, is_damage: bool) -> None:
    """Hardware spoils single bits of few pages; of many pages no bit is looked for."""
    flips = {flip.page: flip for flip in draw_flips(filled, 900, seed=8) if "over" in flip.kind}
    for flip in list(flips.values())[:bits]:
        flip.apply(filled, PAGE)
    found = examine(filled)
    assert (bool(found.faults), found.is_changed) == (is_damage, not is_damage)


async def test_a_change_beside_a_running_store_is_no_damage(store: Store) -> None:
    """A backup accepts what another program committed, as a start does, and the next one is quiet."""
    for number in range(20):
        await store.write(add(number))
    await store.compact()
    meddle(store.path, "name = 'Somebody else'")
    store.back_up(store.backups / "first.db")
    assert store.damage is None
    store.back_up(store.backups / "second.db")
    assert store.damage is None


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
    log = page_sums.read_sound_log(store.path)
    page = root_of(store.path, "person")
    with page_sums.log_of(store.path).open("r+b") as file:
        file.seek(log.newest[page] + 3900)
        value = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes((value ^ 1,)))
    with pytest.raises(StoreDamaged):
        await copy_whole_store(store, copy)
    assert is_good(copy)


async def test_a_strange_row_is_in_no_backup(tmp_path: Path) -> None:
    """What no finplan could read would be in the way of a restore."""
    strange = ["row 1 of person"]
    path = tmp_path / "finplan.db"
    store = Store.open(path, tmp_path / "backups", find_strange=lambda _: strange)
    with pytest.raises(Conflict, match=strange[0]):
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
    assert restored.saved == path.with_name(f"{path.name}.before-restore-then")
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
    with pytest.raises(Conflict, match="damaged"):
        restore(path, copy, "then", finds_nothing)
    with pytest.raises(NotFound, match="No good backup"):
        find_copy(store.backups, None)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.restor*"))


async def test_a_backup_of_a_newer_version_is_refused(store: Store) -> None:
    """An older one is restored, and brought up to date by the next start."""
    path, copy, _ = await restorable(store)
    claim(copy, "9999")
    copy.with_suffix(".digest").unlink()
    with pytest.raises(Conflict, match="newer finplan"):
        restore(path, copy, "then", finds_nothing)


async def test_a_full_disk_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The half that was copied goes."""
    path, copy, _ = await restorable(store)
    before = path.read_bytes()

    def fill(_: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(shutil, "copyfile", fill)
    with pytest.raises(StorageFull, match="Nothing was changed"):
        restore(path, copy, "then", finds_nothing)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.restor*"))


KEY = (
    "INSERT INTO api_key (id, owner_no, name, hash, prefix, scopes, created_at)"
    " SELECT ?1, min(no), ?1, ?1, '', '', 0 FROM person"
)
REVOKE = "UPDATE api_key SET revoked_at = 1 WHERE id = 'revoked'"
DELETE = "DELETE FROM api_key WHERE id = 'deleted'"


async def test_what_was_revoked_since_stays_revoked(store: Store) -> None:
    """As long as the former store can be read; a key that stands in both goes on."""
    await store.write(add(1))
    for name in ("kept", "revoked", "deleted"):
        await store.write(lambda c, key=name: c.exec_driver_sql(KEY, (key,)))  # type: ignore[misc]
    copy = store.backups / "copy.db"
    store.back_up(copy)
    await store.write(lambda c: c.exec_driver_sql(REVOKE))
    await store.write(lambda c: c.exec_driver_sql(DELETE))
    store.close()
    assert restore(store.path, copy, "then", finds_nothing).ended == 2
    assert columns_of(store.path, "api_key", "id") == [("kept",)]

    store.path.write_bytes(b"not a store" * 999)
    assert restore(store.path, copy, "later", finds_nothing).ended is None
    assert len(columns_of(store.path, "api_key", "id")) == 3


def test_a_store_that_is_gone_can_be_restored(store: Store) -> None:
    """There is nothing to keep then."""
    copy = store.backups / "copy.db"
    store.back_up(copy)
    store.close()
    store.path.unlink()
    assert restore(store.path, copy, "then", finds_nothing).saved is None
    finish_restore(store.path)
    assert examine(store.path).faults == ()


def fill_two_tables(connection: Connection) -> None:
    for table, rows in (("held", 3000), ("keyed", 1500)):
        connection.exec_driver_sql(f"CREATE TABLE {table} (no INTEGER PRIMARY KEY, text TEXT)")
        texts = [(f"{number * 7919 % rows} {'x' * 200}",) for number in range(rows)]
        connection.exec_driver_sql(f"INSERT INTO {table} (text) VALUES (?)", texts)
    connection.exec_driver_sql("CREATE INDEX by_key ON keyed (text)")


async def test_an_index_that_leads_into_a_table_is_not_mended(store: Store) -> None:
    """To make it again would free pages of the table, so that is undone: no row is lost."""
    await store.write(fill_two_tables)
    store.close()
    lead_astray(store.path, "by_key", "held")
    opened = Store.open(store.path, store.backups)
    assert opened.broken_indexes == ("by_key",)
    with pytest.raises(StoreDamaged):
        await mend_indexes(opened)
    assert opened.damage is not None
    held = await opened.read(lambda c: c.exec_driver_sql("SELECT * FROM held").all())
    assert len([text for _, text in held if text is not None]) == 3000
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
    for source, target in (
        (store.path, own),
        (page_sums.log_of(store.path), page_sums.log_of(own)),
    ):
        shutil.copyfile(source, target)
    store.close()
    restore(store.path, own, "then", finds_nothing)
    assert len(columns_of(store.path, "person", "no")) == 1


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
