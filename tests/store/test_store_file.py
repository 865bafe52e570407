"""The store's file: what is not in it is acknowledged to nobody, and what is wrong with it is said.

What many equal rows take on the stage is counted in the steps of SQLite's own machine; what is
sealed opens under its key, about the same thing, unchanged, and in no other way.
"""

import errno
import os
import shutil
import sqlite3
import threading
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import Connection, event

from finplan.data_key import KEY_BYTES
from finplan.model.errors import Conflict, StorageFull, StoreDamaged, StoreLost
from finplan.model.installation import STORE_DAMAGED, sentence_of
from finplan.store import store_file
from finplan.store.backup import SPARE, back_up, copies_in, newest_good_copy
from finplan.store.engine import make_engine
from finplan.store.examination import integrity_faults
from finplan.store.offload import Answer, Computation, ReadDoor
from finplan.store.queries import imports
from finplan.store.sealing import CannotOpen, Sealer
from finplan.store.staging import ROWS_AT_ONCE, Stage, StagedColumns
from finplan.store.store import Store
from tests.damage import full_disk
from tests.store.kept import columns_of


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
async def test_what_is_acknowledged_is_saved(store: Store, harm: Callable[[Path], None]) -> None:
    """A change of the file by anybody else is told with the next write, once, and ever after."""
    told: list[str] = []
    store.file.when_lost = lambda lost: told.append(lost.code)
    await store.write(_add("ada"))
    harm(store.path)

    for name in ("bob", "cyd"):
        with pytest.raises(StoreLost, match="No good backup"):
            await store.write(_add(name))
    assert told == ["INTERNAL_SERVER_ERROR"]
    with pytest.raises(StoreLost):
        await store.read(lambda _: None)


@pytest.mark.parametrize("harm", HARMS)
async def test_what_a_harmed_log_takes_is_told(store: Store, harm: Callable[[Path], None]) -> None:
    """What was answered lately stands in the log alone, so its loss is told, and the store is kept."""
    await store.write(_add("ada"))
    harm(store.path)
    with pytest.raises(StoreLost) as told:
        await store.write(_add("bob"))

    is_log = harm in (_empty_log, _remove_log)
    for said in (store_file._LOG_HARMED, store_file._LATELY):
        assert (said in str(told.value)) == is_log
    assert store.file.can_be_closed == (harm is _remove_log)


async def test_what_was_in_a_removed_log_is_saved_by_closing(store: Store, tmp_path: Path) -> None:
    """The log is still open as long as the process runs; what was answered is in the file then."""
    await store.write(_add("ada"))
    _remove_log(store.path)
    with pytest.raises(StoreLost):
        await store.write(_add("bob"))
    assert store.file.can_be_closed
    store.close()

    assert _people(store.path) == ["ada@localhost"]
    assert integrity_faults(store.path) == []


def _begin_another_log(path: Path) -> None:
    _log(path).touch()


@pytest.mark.parametrize("then", [_begin_another_log, _lengthen])
async def test_beside_another_nothing_is_closed(store: Store, then: Callable[[Path], None]) -> None:
    """What another process writes beside the file or into it is not overwritten."""
    assert store.file.can_be_closed
    await store.write(_add("ada"))
    _remove_log(store.path)
    then(store.path)
    with pytest.raises(StoreLost, match="lost its log"):
        await store.write(_add("bob"))

    assert not store.file.can_be_closed


@pytest.mark.parametrize("harm", [_remove, _replace])
async def test_a_file_that_goes_takes_changes(store: Store, harm: Callable[[Path], None]) -> None:
    """What stands in the place of the file holds nothing of the change, nor does anybody believe so."""

    def change(connection: Connection) -> None:
        _add("ada")(connection)
        harm(store.path)

    with pytest.raises(StoreLost):
        await store.write(change)


@pytest.mark.parametrize("harm", [_remove, _replace])
async def test_reading_a_removed_file_is_told(store: Store, harm: Callable[[Path], None]) -> None:
    """Nobody reads on from a file that nobody else can find."""
    harm(store.path)
    with pytest.raises(StoreLost, match="gone" if harm is _remove else "replaced"):
        await store.read(lambda _: None)


class HereAsWell:
    """A pool of workers that do their computations where they are asked for."""

    async def run(self, computation: Computation[Answer], *, long: bool = False) -> Answer:
        assert not long
        return computation(cast("ReadDoor", None))

    def apply(self, work: Callable[[], Answer]) -> Answer:
        return work()

    async def forget(self) -> None:
        pass


def _damaged(_: object) -> None:
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    raise error


DOORS: tuple[Callable[[Store], Awaitable[None]], ...] = (
    lambda store: store.read(_damaged),
    lambda store: store.write(_damaged),
    lambda store: store.compute(_damaged),
    lambda store: store.offload(_damaged, large=False),
    lambda store: store.offload(_damaged, large=True),
)


@pytest.mark.parametrize("ask", DOORS)
async def test_all_doors_note_it(tmp_path: Path, ask: Callable[[Store], Awaitable[None]]) -> None:
    """Whichever door meets it, whoever listens is called once, and nothing is written from then on."""
    store = Store.open(tmp_path / "finplan.db", tmp_path / "backups", HereAsWell())
    told = list[StoreDamaged]()
    store.file.when_damaged = told.append
    for _ in range(2):
        with pytest.raises(StoreDamaged):
            await ask(store)
    with pytest.raises(StoreDamaged):
        await store.write(lambda _: None)
    assert told == [store.damage]
    store.close()


async def test_backups_are_read_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever door tells of a lost store, the loop goes on while backups are checked."""
    threads = list[str]()

    def look(_: Path) -> None:
        threads.append(threading.current_thread().name)

    monkeypatch.setattr(store_file, "newest_good_copy", look)

    for ask in DOORS:
        store = Store.open(tmp_path / "finplan.db", tmp_path / "backups", HereAsWell())
        _replace(store.path)
        with pytest.raises(StoreLost):
            await ask(store)
        store.close()

    assert len(threads) == len(DOORS)
    assert threading.main_thread().name not in threads


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


def _enlarge(other: sqlite3.Connection) -> None:
    other.execute("CREATE TABLE other AS SELECT zeroblob(500000) AS bytes")


async def test_a_log_that_another_process_moves_into_the_file_is_no_harm(store: Store) -> None:
    """It commits, this one takes note of that, and only then its pages go from the log into the file."""
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        _enlarge(other)
        await store.write(_add("ada"))
        before = store.path.stat().st_size
        other.execute("PRAGMA wal_checkpoint(PASSIVE)")
        assert store.path.stat().st_size > before
        await store.write(_add("bob"))
    assert _people(store.path) == ["ada@localhost", "bob@localhost"]


async def test_what_another_process_undoes_is_no_harm(store: Store) -> None:
    """What did not fit into its memory stays in the log, which is larger without a change."""
    await store.write(_add("ada"))
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("PRAGMA cache_size = 5")
        other.execute("BEGIN IMMEDIATE")
        before = _log(store.path).stat().st_size
        _enlarge(other)
        other.execute("ROLLBACK")
        assert _log(store.path).stat().st_size > before
        await store.write(_add("bob"))
    assert _people(store.path) == ["ada@localhost", "bob@localhost"]


async def test_a_log_that_grows_by_no_frame_is_anothers(store: Store) -> None:
    """SQLite writes whole frames into it, and nothing else."""
    await store.write(_add("ada"))
    with _log(store.path).open("ab") as log:
        log.write(b"x")
    with pytest.raises(StoreLost, match="another program"):
        await store.write(_add("bob"))


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


async def test_a_large_change_that_fails_is_no_harm(store: Store) -> None:
    """What did not fit into memory has been written already, and is no other program's change."""

    def failing(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA cache_size = 10")
        for place in range(3000):
            _add(f"{place}")(connection)
        raise ValueError("no")

    await store.write(_add("ada"))
    before = _log(store.path).stat().st_size
    with pytest.raises(ValueError, match="no"):
        await store.write(failing)
    assert _log(store.path).stat().st_size > before
    await store.write(_add("bob"))
    assert _people(store.path) == ["ada@localhost", "bob@localhost"]


async def test_a_log_that_goes_while_it_is_empty_is_told(store: Store) -> None:
    """Rows would be written into a log that nobody finds again."""
    await store.write(_add("ada"))
    await store.compact()
    assert _log(store.path).stat().st_size == 0
    _log(store.path).unlink()
    with pytest.raises(StoreLost):
        await store.write(_add("bob"))


async def test_a_file_that_goes_during_the_commit_is_acknowledged_to_nobody(store: Store) -> None:
    """The commit waits for the disk, and meanwhile anything may happen."""
    event.listen(store._write_engine, "commit", lambda _: store.path.unlink())
    with pytest.raises(StoreLost):
        await store.write(_add("ada"))


@pytest.mark.parametrize("harm", [_remove, _replace])
async def test_the_way_back_leads_back(
    store: Store, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """A backup that is copied to the place of a lost store is whole there, without the former log."""
    path, backup = store.path, tmp_path / "backups" / "before.db"
    back_up(path, backup)
    for place in range(300):
        await store.write(_add(f"{place}"))
    harm(path)
    with pytest.raises(StoreLost, match="restore before`"):
        await store.write(_add("bob"))
    shutil.copyfile(backup, path)
    assert not _log(path).exists()
    assert integrity_faults(path) == []
    restored = Store.open(path, tmp_path / "backups")
    await restored.write(_add("cyd"))
    restored.close()
    assert _people(path) == ["cyd@localhost"]


def test_what_hinders_opening_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told to move a whole store away because another program holds it."""
    path, backups = tmp_path / "finplan.db", tmp_path / "backups"
    Store.open(path, backups).close()
    # The other program lets nobody in, however long one waits.
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0))
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            integrity_faults(path)
        with pytest.raises(Conflict, match="cannot open"):
            Store.open(path, backups)


def test_half_a_copy_goes_when_it_cannot_be_made(tmp_path: Path) -> None:
    """A copy that failed takes no room from the store."""
    (tmp_path / "finplan.db").write_bytes(b"no store" * 999)
    with pytest.raises(sqlite3.DatabaseError):
        back_up(tmp_path / "finplan.db", tmp_path / "backups" / "copy.db")
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_copy_needs_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store and its log may both go into it, and something is left; else the sizes are said."""
    path, copy = tmp_path / "finplan.db", tmp_path / "backups" / "copy.db"
    Store.open(path, tmp_path / "backups").close()
    with closing(sqlite3.connect(path)) as user, user:
        user.execute("DELETE FROM person")
        _log(path).write_bytes(bytes(1_000_000))
        size = path.stat().st_size + 1_000_000
        room = [size + SPARE - 1]
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=room[0]))
        with pytest.raises(StorageFull, match=r"2\.\d MB.*backups has only 2\.\d MB"):
            back_up(path, copy)
        assert list(copy.parent.iterdir()) == []
        room[0] += 1
        back_up(path, copy)
    assert {path.name for path in copy.parent.iterdir()} == {"copy.db", "copy.digest"}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EACCES])
def test_a_folder_that_cannot_be_made_for_want_of_room_is_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """What is put off on a full disk is put off; any other failure is its own."""

    def make(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", make)
    with pytest.raises(OSError if number == errno.EACCES else StorageFull):
        back_up(tmp_path / "finplan.db", tmp_path / "backups" / "copy.db")


def test_a_store_is_never_begun_anew_beside_a_data_key(tmp_path: Path) -> None:
    """Where a key is, a store was: a missing or empty one is refused with the way back."""
    path, backups, key = tmp_path / "finplan.db", tmp_path / "backups", tmp_path / "data_key.json"
    Store.open(path, backups, data_key=key).close()
    back_up(path, backups / "before.db")
    key.write_text("{}")
    for harm in (_empty, _remove):
        harm(path)
        with pytest.raises(StoreLost, match=r"gone or empty.*restore before`"):
            Store.open(path, backups, data_key=key)
    assert not path.exists()
    shutil.copyfile(backups / "before.db", path)
    Store.open(path, backups, data_key=key).close()
    path.unlink()
    key.unlink()
    Store.open(path, backups, data_key=key).close()


JOINED = "SELECT * FROM person JOIN tx USING (no)"


async def test_a_damaged_store_says_so_and_has_a_good_copy(store: Store, tmp_path: Path) -> None:
    """Whichever door meets it, it is one sentence with the words damaged and backup."""
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
    assert integrity_faults(store.path)
    assert [copy.name for copy in copies_in(backups)] == ["newest.db", "good.db", "old.db"]
    assert newest_good_copy(backups) == backups / "good.db"

    spoilt = Store(store.path, backups)

    def look(connection: Connection) -> list[object]:
        return list(connection.exec_driver_sql(JOINED))

    for ask in (spoilt.read(look), spoilt.compute(look), spoilt.write(_add("bob"))):
        with pytest.raises(StoreDamaged) as told:
            await ask
        assert told.value.message == sentence_of(STORE_DAMAGED)
    spoilt.close()


def _table_and_index(path: Path) -> dict[str, int]:
    """The pages of a new table with an index and some rows, both by what they are."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE kept (no INTEGER PRIMARY KEY, text)")
        connection.execute("CREATE INDEX kept_text ON kept (text)")
        connection.executemany("INSERT INTO kept (text) VALUES (?)", [("row",)] * 5)
    return dict(columns_of(path, "sqlite_master", "type", "rootpage"))


@pytest.mark.parametrize("what", ["table", "index"])
def test_damage_that_still_lets_a_store_be_opened_is_found(tmp_path: Path, what: str) -> None:
    """A page that holds nothing any more is a fault, though the other pages can be read."""
    path = tmp_path / "finplan.db"
    page = _table_and_index(path)[what]
    assert integrity_faults(path) == []
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(bytes(4096))
    assert len(columns_of(path, "sqlite_master", "type")) == 2
    assert integrity_faults(path) != []


async def test_other_failures_of_the_database_are_their_own(store: Store) -> None:
    """A mistake in a statement is no damage, and a full disk is told as that."""

    def wrong(connection: Connection) -> None:
        connection.exec_driver_sql("SELECT * FROM elsewhere")

    with pytest.raises(Exception, match="no such table"):
        await store.read(wrong)

    def fill(_: Connection) -> None:
        raise full_disk()

    with pytest.raises(StorageFull):
        await store.write(fill)


STEPS_AT_ONCE = 1000


def arranging(folder: Path, rows: int, patch: pytest.MonkeyPatch) -> int:
    """Count the steps that SQLite takes to arrange so many equal rows, in thousands."""
    counted = [0]

    def count() -> int:
        counted[0] += 1
        return 0

    def connect(path: Path, **how: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = usual(path, **how)
        connection.set_progress_handler(count, STEPS_AT_ONCE)
        return connection

    usual: Any = sqlite3.connect
    patch.setattr(sqlite3, "connect", connect)
    stage = Stage(folder / f"{rows}.db")
    try:
        stage.add(0, 0, staged_columns(["Shop"] * rows))
        stage.finish()
    finally:
        stage.close()
        patch.undo()
    return counted[0]


def staged_columns(raws: list[str]) -> StagedColumns:
    """The columns of some rows of one day, amount and payee."""
    each = len(raws)
    return {"day": [20260304] * each, "amount": [-150] * each, "raw": raws, "payee": [0] * each}


def test_equal_rows_take_few_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of one row again and again is arranged as soon as any other."""
    few, many = (arranging(tmp_path, rows, monkeypatch) for rows in (1000, 4000))

    assert many < 6 * few


def test_equal_rows_are_numbered_in_their_order(tmp_path: Path) -> None:
    """Rows that differ in nothing have the numbers 0, 1, 2 and so on; others have 0."""
    stage = Stage(tmp_path / "stage.db")
    stage.add(0, 0, staged_columns(["Shop", "Cafe", "Shop", "Shop"]))
    stage.finish()
    stage.close()

    found = sorted(columns_of(tmp_path / "stage.db", "arranged", "seq", "ordinal"))
    assert [ordinal for _, ordinal in found] == [0, 0, 1, 2]


def test_rows_are_staged_as_they_are_added(tmp_path: Path) -> None:
    """Rows keep their order, values and account, however many come at once and whatever they have."""
    sizes = (1, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, 0, 2 * ROWS_AT_ONCE + 1)
    stage = Stage(tmp_path / "stage.db")
    expected = list[tuple[object, ...]]()
    for account, size in enumerate(sizes):
        raws = [f"Shop {account} {place}" for place in range(size)]
        columns = {**staged_columns(raws), "amount": list(range(size))}
        if account % 2:
            columns |= {"pending": [place % 2 for place in range(size)], "code": raws}
        stage.add(7, account, columns)
        expected += [
            (7, account, place, raw, place % 2 if account % 2 else 0, raw if account % 2 else None)
            for place, raw in enumerate(raws)
        ]
    stage.finish()
    stage.close()

    names = ("seq", "file", "account", "amount", "raw", "pending", "code")
    found = sorted(columns_of(tmp_path / "stage.db", "arrived", *names))
    assert found == [(place, *row) for place, row in enumerate(expected, start=1)]


@pytest.mark.parametrize("size", [2, ROWS_AT_ONCE])
def test_columns_of_unequal_length_are_refused(tmp_path: Path, size: int) -> None:
    """A reader that loses a value loses no row in silence."""
    stage = Stage(tmp_path / "stage.db")
    columns = staged_columns(["Shop"] * size)
    with pytest.raises(ValueError, match=r"shorter|attempt to assign"):
        stage.add(1, 1, {**columns, "raw": ["Shop"] * (size - 1)})
    stage.close()


ROWS = 20_000
POINTER = 8
"""Bytes that whatever is held of a row takes at least."""


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """A store in which import 1 has many rows of seven payees, and import 2 has three of two others."""
    path = tmp_path / "finplan.db"
    Store.open(path, tmp_path / "backups").close()
    # Rows alone, without the accounts and payees that a store looks for.
    with closing(sqlite3.connect(path)) as plain:
        plain.executemany(
            "INSERT INTO tx (no, owner_no, account_no, payee_no, day, amount, raw, ordinal, source,"
            " counts, import_no, transfer_no) VALUES (?, 1, 1, ?, 20260101, -1, '', 0, 'CSV', 1, ?, ?)",
            [
                *((no, 1 + no % 7, 1, 5 if no in (17, 19) else None) for no in range(1, ROWS + 1)),
                *((ROWS + no, 10 + no % 2, 2, 6 if no == 3 else None) for no in (1, 2, 3)),
            ],
        )
        plain.execute(
            "INSERT INTO pending (owner_no, account_no, payee_no, day, amount, raw, import_no)"
            " VALUES (1, 1, 9, 20260101, -1, '', 1)"
        )
        plain.commit()
    engine = make_engine(path, begin="BEGIN", size=1)
    with engine.connect() as opened:
        yield opened
    engine.dispose()


def test_the_payees_and_pairs_are_those_of_its_own_rows(connection: Connection) -> None:
    """Each payee once, those of pending rows too, in their order; and the rows that have a pair."""
    assert imports.payees_of_import(connection, 1) == [1, 2, 3, 4, 5, 6, 7, 9]
    assert imports.payees_of_import(connection, 2) == [10, 11]
    assert imports.paired_rows(connection, 1) == [17, 19]
    assert imports.paired_rows(connection, 2) == [ROWS + 3]


@pytest.mark.parametrize("ask", [imports.payees_of_import, imports.paired_rows])
def test_nothing_is_held_of_the_other_rows(
    connection: Connection, ask: Callable[[Connection, int], list[int]]
) -> None:
    """A daemon that has undone a large import is as large as one that has undone a small one."""
    ask(connection, 2)
    tracemalloc.start()
    try:
        ask(connection, 1)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < ROWS * POINTER


some_key = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)


def opens(sealer: Sealer, sealed: bytes, about: bytes) -> bool:
    try:
        sealer.open(sealed, about)
    except CannotOpen:
        return False
    return True


@given(key=some_key, content=st.binary(), about=st.binary())
def test_what_is_sealed_opens(key: bytes, content: bytes, about: bytes) -> None:
    """Any content comes back as it was."""
    sealer = Sealer(key)

    assert sealer.open(sealer.seal(content, about), about) == content


@given(
    key=some_key,
    other=some_key,
    content=st.binary(min_size=1),
    about=st.binary(),
    elsewhere=st.binary(),
    place=st.integers(min_value=0),
    flip=st.integers(1, 255),
)
def test_nothing_else_opens(
    key: bytes, other: bytes, content: bytes, about: bytes, elsewhere: bytes, place: int, flip: int
) -> None:
    """Another key, another subject, a changed byte or a missing end is refused."""
    sealer = Sealer(key)
    sealed = sealer.seal(content, about)
    changed = bytearray(sealed)
    changed[place % len(sealed)] ^= flip

    assert opens(Sealer(other), sealed, about) == (other == key)
    assert opens(sealer, sealed, elsewhere) == (elsewhere == about)
    assert not opens(sealer, bytes(changed), about)
    assert not opens(sealer, sealed[: place % len(sealed)], about)


def test_equal_contents_are_sealed_differently() -> None:
    """What is sealed twice cannot be told to be the same, and the key is in no representation."""
    sealer = Sealer(b"k" * KEY_BYTES)

    assert sealer.seal(b"secret", b"") != sealer.seal(b"secret", b"")
    assert "kkkk" not in repr(sealer)
