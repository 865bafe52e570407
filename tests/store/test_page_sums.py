"""Page sums: a flipped bit is seen wherever it is, and nothing whole is called damaged."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest
from sqlalchemy import Connection

from benchmarks.flips import draw_flips
from finplan.model.errors import StoreDamaged
from finplan.store import store_file
from finplan.store.examination import MOST_RECORDS, examine
from finplan.store.page_images import FEW_PAGES, PageImages
from finplan.store.page_sums import (
    FRAME_HEADER,
    HEADER,
    is_one_bit,
    log_of,
    read_sums,
    sums_file_of,
)
from finplan.store.store import Store
from tests.patience import LONG_ENOUGH

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


def begin(*words: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        (sys.executable, "-m", "tests.store.mortal_store", *map(str, words)),
        cwd=Path(__file__).parents[2],
        stderr=subprocess.PIPE,
    )


def end(process: subprocess.Popen[bytes], *codes: int) -> None:
    _, said = process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode in codes, said.decode()


def test_a_flipped_bit_is_seen_in_every_kind_of_page(filled: Path) -> None:
    """Each of them by the sum of its page, most of them by nothing else."""
    assert examine(filled).is_whole
    kinds = set()
    for flip in draw_flips(filled, 25, seed=5):
        flip.apply(filled, PAGE)
        found = examine(filled)
        flip.apply(filled, PAGE)
        assert any(f"page {flip.page} (" in fault for fault in found.faults), flip
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
    bits = dice.sample(range(size * 8), 2)
    for flipped, bit in enumerate(bits):
        image[bit // 8] ^= 1 << bit % 8
        assert is_one_bit(right, crc32(image), size) == (flipped == 0)


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
                stranger.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        found = examine(path)
        sums = read_sums(path)
        # A commit that nobody lived to note, and that a stranger moved, is the one excuse.
        assert not found.faults, found
        assert found.is_whole or (sums is not None and sums.is_open), found


def test_two_processes_on_one_store_know_each_others_pages(tmp_path: Path) -> None:
    """Each appends its own, and neither calls the other's damage."""
    path = tmp_path / "finplan.db"
    Store.open(path, tmp_path / "backups").close()
    both = [begin(path, seed, 0) for seed in (1, 2)]
    for process in both:
        end(process, 0)
    assert examine(path).is_whole


async def test_a_log_that_was_damaged_is_told_once(store: Store, tmp_path: Path) -> None:
    """SQLite passes over what it cannot prove, without a word; what is left goes on after a restart."""
    for number in range(5):
        await store.write(add(number))
    home = tmp_path / "killed"
    home.mkdir()
    path = home / "finplan.db"
    for source in (store.path, log_of(store.path), sums_file_of(store.path)):
        (home / source.name).write_bytes(source.read_bytes())
    with log_of(path).open("r+b") as file:
        file.seek(HEADER + 2 * (PAGE + FRAME_HEADER) + 900)
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


async def test_another_programs_change_is_accepted(
    filled: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Doctor warns of it, the next start says so and takes the pages as they are."""
    with closing(sqlite3.connect(filled)) as stranger, stranger:
        stranger.execute("UPDATE person SET name = 'Somebody else' WHERE no = 7")
    assert (examine(filled).faults, examine(filled).is_changed) == ((), True)
    store = Store.open(filled, filled.parent / "backups")
    assert store.damage is None
    store.close()
    assert "Another program changed" in caplog.text
    assert examine(filled).is_whole


async def test_one_bit_is_damage_until_the_sums_are_deleted(filled: Path) -> None:
    """Who changed it on purpose has a way: without sums, what SQLite finds whole is taken."""
    with closing(sqlite3.connect(filled)) as stranger, stranger:
        stranger.execute("UPDATE person SET created_at = 1 WHERE no = 7")
    assert examine(filled).faults
    damaged = Store.open(filled, filled.parent / "backups")
    assert damaged.damage is not None
    damaged.close()
    sums_file_of(filled).unlink()
    store = Store.open(filled, filled.parent / "backups")
    assert store.damage is None
    await store.write(add(999))
    store.close()
    assert examine(filled).is_whole


async def test_sums_that_the_disk_has_no_room_for_are_made_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change itself is saved, and no page is called damaged for want of its sum."""

    def write(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    await store.write(add(1))
    monkeypatch.setattr(os, "write", write)
    await store.write(add(2))
    monkeypatch.undo()
    await store.write(add(3))
    assert not sums_file_of(store.path).exists()
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
    before = sums_file_of(store.path).stat().st_size
    with closing(PageImages(store.path)) as images:
        assert before > MOST_RECORDS * 12 * (images.pages + 1)
    store.back_up(store.backups / "copy.db")
    assert sums_file_of(store.path).stat().st_size < before / 2
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
    sums = read_sums(store.path)
    store.close()
    assert sums is not None
    assert not sums.is_open
    next(iter(draw_flips(store.path, 1, seed=3))).apply(store.path, PAGE)
    assert examine(store.path).faults


async def test_a_log_is_moved_though_its_sums_cannot_be_noted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever removes the sums, or fills the disk, lets no log grow without end."""
    monkeypatch.setattr(store_file, "CHECKPOINT_AT", 20)
    await store.write(add(0))
    sums_file_of(store.path).unlink()
    for number in range(1, 60):
        await store.write(add(number))
    assert log_of(store.path).stat().st_size < HEADER + 40 * (PAGE + FRAME_HEADER)


async def test_a_torn_record_hides_none_that_follow(filled: Path) -> None:
    """What a loss of power left of a record is cut off before more is appended."""
    with sums_file_of(filled).open("ab") as file:
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
    with closing(sqlite3.connect(store.path)) as stranger:
        stranger.execute("UPDATE person SET name = 'Somebody else altogether' WHERE no = 7")
        stranger.commit()
        stranger.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.back_up(store.backups / "first.db")
    assert store.damage is None
    store.back_up(store.backups / "second.db")
    assert store.damage is None
