"""The doors to the database: `read` on a few threads, `write` and `compute` on one, `offload`.

Read, write and compute take a function of a connection and run it in one transaction. The file is
looked at in the same threads: who is told that it is lost is told the newest good backup, which
takes a while.

SQLite moves what the log of a store has into the file with the last connection that is closed,
unless that one only reads. So a store's log is held: a file that turns out to be damaged stays as
it is, and so does its log.
"""

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, NoReturn
from weakref import WeakValueDictionary

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError

from finplan.model.characters import visible
from finplan.model.errors import Conflict, Fault, StoreDamaged
from finplan.model.installation import STORE_DAMAGED, sentence_of
from finplan.store import store_file
from finplan.store.backup import BadCopy, back_up
from finplan.store.derived import DerivedCache, share
from finplan.store.engine import connect, driver_of, make_engine, reading_engine
from finplan.store.examination import (
    Examination,
    FindStrange,
    check_at_start,
    finds_nothing,
    make_sums,
    take_sums_of,
)
from finplan.store.migrate import Upgrade, bring_up_to_date, revision, upgrade
from finplan.store.offload import (
    Answer,
    Computation,
    ReadDoor,
    Turns,
    Work,
    WorkerPool,
    carried,
    in_one_read,
)
from finplan.store.page_sums import read_sums
from finplan.store.queries.transfers import newest_row
from finplan.store.restoring import finish_restore
from finplan.store.writer import CommitSignal, Computer, Writer


class LogHold:
    """A connection to the store's file that only reads; the last one to be closed, if it is damaged."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def begin(self) -> None:
        """Hold the log, once there is one; for a new file call it again. Raises sqlite3.DatabaseError.

        A file that cannot be opened is not held.
        """
        with suppress(sqlite3.OperationalError):
            if self._connection is None:
                location = f"{self._path.absolute().as_uri()}?mode=ro"
                self._connection = connect(
                    location, uri=True, isolation_level=None, check_same_thread=False
                )
            # A connection counts as one of the file's from its first look on.
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()

    def end(self) -> None:
        """Let go of the log; whatever it has stays there, if no other connection is open."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def give_up(self) -> None:
        """Let go of the log and have it moved into the file, if no other connection is open."""
        self.end()
        with suppress(sqlite3.Error):
            revision(self._path)


log = logging.getLogger(__name__)

READERS = 2
"""How many reading threads there are. One waits for the disk or sorts while another goes on; more would
only take turns at Python's lock, and hold up whoever writes."""

OFFLOADED = 2
"""How many computations in threads may hold a connection at once."""

LARGE_STORE = 20_000
"""How many rows are worth a process of their own, which must perhaps be started."""


class Store:
    """One SQLite file, written by one thread and read by a few.

    `workers` runs large computations in other processes; without it, they all run in threads. `log` is
    held where the file may be damaged. `fence` runs before each `write`, in its transaction.
    """

    def __init__(
        self,
        path: Path,
        backups: Path,
        workers: WorkerPool | None = None,
        log: LogHold | None = None,
        find_strange: FindStrange = finds_nothing,
    ) -> None:
        self.path = path
        self._log = log or LogHold(path)
        self.backups = backups
        self._workers = workers
        self.file = store_file.StoreFile(path, backups)
        self._write_engine = make_engine(path, "BEGIN IMMEDIATE", 1, workers)
        self.deliveries_written = CommitSignal()
        self.deliveries_written.share(self._write_engine)
        self._writer = Writer(self._write_engine, self.file)
        self._read_engine = reading_engine(path, READERS, workers)
        self._offload_engine = reading_engine(path, OFFLOADED)
        self._compute_engine = reading_engine(path, 1)
        self._readers = ThreadPoolExecutor(READERS, "store-read")
        self._turns = Turns(READERS - 1)
        self._computer = Computer(self._compute_engine, self.file)
        self._turns_elsewhere: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()
        self._look_ups = store_file.LookUps(path, self.file)
        self.fence: Work[object] | None = None
        self.broken_indexes: tuple[str, ...] = ()
        self._find_strange = find_strange
        self.derived = DerivedCache()
        share(self.derived, self._compute_engine)

    @classmethod
    def open(
        cls,
        path: Path,
        backups: Path,
        workers: WorkerPool | None = None,
        *,
        data_key: Path | None = None,
        upgrade: Upgrade = upgrade,
        find_strange: FindStrange = finds_nothing,
    ) -> "Store":
        """Open a store, creating or migrating its file; a copy is kept in `backups` before a migration.

        The file is readable by its owner alone. A `data_key` that is there was made with a store, so
        that none is begun anew beside it. Raises model.errors.Fault when the store cannot be used.
        """
        finish_restore(path)
        is_new = not path.exists() or path.stat().st_size == 0
        if is_new and data_key is not None and data_key.exists():
            raise store_file.missing(path, backups, data_key)
        if is_new:
            path.touch(mode=0o600)
        log = LogHold(path)
        try:
            with store_file.telling_faults():
                # The file is read as it is only as long as this process has no connection to it.
                examination = check_at_start(path)
                log.begin()
                bring_up_to_date(path, backups, upgrade)
                if read_sums(path) is None and examination is None:
                    log.end()
                    make_sums(path)
                log.begin()
        except StoreDamaged:
            log.end()
            raise
        except BaseException:
            # What was not done leaves no log behind: on a full disk it would take the room for a word.
            log.give_up()
            raise
        store = cls(path, backups, workers, log, find_strange)
        if examination is None:
            store.file.look_for_damage()
        else:
            store._meet(examination)
        return store

    @property
    def damage(self) -> StoreDamaged | None:
        """The damage that was met first, which ended all writing; None while the store is whole."""
        return self.file.damage

    @property
    def notice(self) -> str | None:
        """The sentence that every face tells of the damage; None while the store is whole."""
        return None if self.damage is None else sentence_of(STORE_DAMAGED)

    def note_damage(self, damage: StoreDamaged) -> None:
        """Refuse every change from now on; reading goes on. For any thread; the first damage is kept."""
        self.file.note_damage(damage)

    async def read(self, work: Work[Answer], *, beside: Path | None = None) -> Answer:
        """Run a function that only reads; it sees one snapshot of the data.

        Raises StoreLost and StoreDamaged.
        """
        loop = asyncio.get_running_loop()
        run = partial(self._run, work=work, beside=beside)
        return await loop.run_in_executor(self._readers, carried, run, self._read_engine)

    async def look_up(
        self, look_up: store_file.LookUp[store_file.Found], *parameters: Any
    ) -> store_file.Found | None:
        """Find one row by an index; None when there is none. Raises StoreLost and StoreDamaged."""
        try:
            return self._look_ups.find(look_up, parameters)
        except (Fault, sqlite3.Error):
            self._look_ups.close()
            return await self.read(lambda connection: look_up.find(connection, *parameters))

    async def read_in_turn(self, work: Work[Answer], whose: Hashable = None) -> Answer:
        """As `read`, for a piece of a download: however many there are, a thread is left for others.

        Those who ask take turns, however many downloads each of them has; pieces of one are read in the
        order of asking, so that each download goes on.
        """
        async with self._turns.turn(whose):
            return await self.read(work)

    async def write(self, work: Work[Answer], *, beside: Path | None = None) -> Answer:
        """Run a function that writes: all of it happens, or nothing.

        `beside` is another database file that the function sees under the schema name `staged`.
        Raises StorageFull, StoreLost and StoreDamaged.
        """
        if self.fence is not None:
            work = partial(_behind, fence=self.fence, work=work)
        if beside is None:
            return await self._writer.ask(work)
        return await self._writer.write_by(partial(self._run, beside=beside, writes=True), work)

    async def write_or_put_off(self, work: Work[object]) -> bool:
        """Run a function that writes; answers False where the disk is full.

        Then it runs before the next change, in its transaction: no change is made without it.
        """
        return await self._writer.write_or_put_off(work)

    def fenced(self, must_hold: Work[object]) -> "Store":
        """The same store, of which no `write` happens where `must_hold`, run before it, raises."""
        fenced = copy(self)
        fenced.fence = must_hold
        return fenced

    async def compact(self) -> None:
        """Write the file anew, without what was deleted: until then it can be read from the disk.

        Raises StorageFull, StoreLost and StoreDamaged.
        """
        await self._writer.alone(self._compact)

    async def offload(
        self, computation: Computation[Answer], *, large: bool, long: bool = False
    ) -> Answer:
        """Run a computation, a large one in another process, so that it holds up no request.

        One that may take minutes is `long`.

        Raises what the computation raises, StorageFull, StoreLost and StoreDamaged.
        """
        if not large or self._workers is None:
            return await asyncio.to_thread(carried, self._run_here, computation)
        await asyncio.to_thread(self.file.check)
        try:
            return await self._workers.run(computation, long=long)
        except (DatabaseError, sqlite3.DatabaseError) as error:
            return await asyncio.to_thread(self._tell, error)

    async def elsewhere(self, work: Callable[[], Answer]) -> Answer:
        """Do in another process what reads no store, here where there is none; it can be pickled."""
        return await asyncio.to_thread(
            work if self._workers is None else partial(self._workers.apply, work)
        )

    async def compute(self, work: Work[Answer], whose: Hashable = None) -> Answer:
        """Run a function that works something out of much of the data; it sees one snapshot of them.

        All such work shares one thread and the cache of derived state. Over a large store it is done in
        another process, so the function and its answer can be pickled. What is asked of one household
        takes turns there, too: the next one finds what the first has read.

        Raises what the function raises, StorageFull, StoreLost and StoreDamaged.
        """
        done = await self._computer.ask(partial(_unless_large, work=work))
        if done is not None:
            return done.answer
        async with self._turns_elsewhere.setdefault(whose, asyncio.Lock()):
            return await self.offload(in_one_read(work), large=True)

    async def forget(self) -> None:
        """Keep nothing that was worked out of anybody's data: somebody was deleted."""
        self.derived.clear()
        if self._workers is not None:
            await self._workers.forget()

    def back_up(self, copy: Path) -> None:
        """Copy the file as it is now, once the copy is proven; for a thread, since it takes a while.

        Raises Conflict for rows that finplan cannot read, StorageFull and StoreDamaged; where only
        `broken_indexes` are damaged, these can be made again.
        """
        since = self.file.sums.size()
        try:
            with self.file.telling():
                examination = back_up(self.path, copy, self._find_strange)
            # Somebody may have removed the copy by now.
            with suppress(FileNotFoundError):
                take_sums_of(copy, self.file.sums, since, is_changed=examination.is_changed)
        except BadCopy as bad:
            if rows := bad.examination.strange:
                # Nothing is damaged, so that writing goes on; but no daemon could start on such a copy.
                fault = store_file.strange(
                    self.path, self.backups, rows, lambda c: not self._find_strange(c)
                )
                raise Conflict(fault.message) from bad
            raise self._meet(bad.examination) from bad

    def _meet(self, examination: Examination) -> StoreDamaged:
        """Note what an examination found, unless only indexes are damaged; answers the fault."""
        fault = StoreDamaged()
        self.broken_indexes = examination.indexes
        if not self.broken_indexes:
            log.error("The store is damaged: %s.", visible(examination.described[0]))
            self.note_damage(fault)
        return fault

    async def mend_indexes(self) -> None:
        """Make the damaged indexes again out of their tables, where nothing but indexes is damaged.

        Raises StoreDamaged where that cannot be done.
        """
        names, self.broken_indexes = self.broken_indexes, ()
        await self._writer.alone(partial(self._reindex, names=names))

    def _reindex(self, engine: Engine, names: tuple[str, ...]) -> None:
        with self.file.telling(), engine.connect() as connection, self.file.changing(connection):
            driver = driver_of(connection)
            for name in names:
                driver.execute('REINDEX "{}"'.format(name.replace('"', '""')))
            # A damaged index may lead to pages of a table, which are freed with its own.
            if driver.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise StoreDamaged

    async def rest(self) -> None:
        """Give back the memory that big answers needed; for a time when nothing is asked."""
        # The one connection that stays open, since SQLite removes its log with the last of them.
        await self._writer.alone(_shrink)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._readers, self._read_engine.dispose)
        self._offload_engine.dispose()
        self._look_ups.close()
        self.derived.clear()
        await self._computer.alone(Engine.dispose)
        for engine in self._engines():
            engine.clear_compiled_cache()

    def _engines(self) -> tuple[Engine, ...]:
        readers = (self._read_engine, self._offload_engine, self._compute_engine)
        return (self._write_engine, *readers)

    def close(self) -> None:
        """Finish what is running and close every connection; a damaged file stays as it is."""
        if self.damage is None:
            self._log.end()
        self._look_ups.close()
        self._writer.close()
        # The last connection that closes moves the log into the file.
        self.file.sums.sync()
        self._readers.shutdown()
        self._computer.close()
        self._read_engine.dispose()
        self._offload_engine.dispose()
        self._log.end()
        self.file.sums.close()

    def _run(
        self, engine: Engine, work: Work[Answer], beside: Path | None, *, writes: bool = False
    ) -> Answer:
        self.file.check()
        # Damage met with a scratch file attached may be that file's.
        telling = self.file.telling() if beside is None else store_file.telling_faults()
        with telling, engine.connect() as connection:
            attached = nullcontext() if beside is None else _attached(connection, beside)
            with attached, self.file.changing(connection) if writes else connection.begin():
                return work(connection)

    def _run_here(self, computation: Computation[Answer]) -> Answer:
        self.file.check()
        with self.file.telling():
            return computation(ReadDoor(self._offload_engine))

    def _tell(self, error: Exception) -> NoReturn:
        with self.file.telling():
            raise error

    def _compact(self, engine: Engine) -> None:
        self.file.check_writable()
        with self.file.telling(), engine.connect() as connection:
            driver, committed = driver_of(connection), False
            try:
                self.file.sums.begin_commit()
                driver.execute("VACUUM")
                committed = True
                self.file.sums.note_commit()
                self.file.sums.sync()
                driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                self.file.note(driver, committed=committed)


class _Done(NamedTuple, Generic[Answer]):
    answer: Answer


def _behind(connection: Connection, fence: Work[object], work: Work[Answer]) -> Answer:
    fence(connection)
    return work(connection)


def _unless_large(connection: Connection, work: Work[Answer]) -> _Done[Answer] | None:
    return _Done(work(connection)) if newest_row(connection) < LARGE_STORE else None


@contextmanager
def _attached(connection: Connection, beside: Path) -> Iterator[None]:
    # SQLite attaches a database only outside a transaction, so the driver is asked directly.
    driver = driver_of(connection)
    (reads_only,) = driver.execute("PRAGMA query_only").fetchone()
    # The scratch file is worked on even by a read, and the guard knows no difference of files.
    driver.execute("PRAGMA query_only = OFF")
    # Bytes, because the name of a folder need not be text that can be encoded.
    driver.execute("ATTACH DATABASE ? AS staged", (os.fsencode(beside),))
    # What a crash leaves of a scratch file nobody reads, so nothing waits until the disk has it.
    driver.execute("PRAGMA staged.synchronous = OFF")
    driver.execute("PRAGMA staged.journal_mode = MEMORY")
    try:
        yield
    finally:
        # A commit that failed may leave its transaction open, and what it failed of is to be told.
        driver.rollback()
        driver.execute(f"PRAGMA query_only = {reads_only}")
        driver.execute("DETACH DATABASE staged")
        driver.execute("PRAGMA shrink_memory")


def _shrink(engine: Engine) -> None:
    with engine.connect() as connection:
        driver_of(connection).execute("PRAGMA shrink_memory")
