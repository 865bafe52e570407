"""The ground to measure on: generated ledgers, new stores, stores with a ledger, and real daemons.

Everything lives in one scratch folder, which is deleted in the end.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from time import monotonic, perf_counter, sleep

from benchmarks.ledgers import WRITERS, LedgerRow, generate
from benchmarks.wire import Question, Wire
from finplan.banks.manual import Manual
from finplan.client.client import Client
from finplan.client.connect import Ready, probe
from finplan.client.request import SESSION_COOKIE
from finplan.model.statement import ImportRequest
from finplan.operation import UploadedFile
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files
from finplan.service.people.people import ensure_owner
from finplan.settings import LARGEST_RATE_LIMIT, Settings, load_settings
from finplan.store.store import Store

START_PATIENCE = 30.0
OWNER = 1
"""The number of a new store's owner."""


class Ground:
    """What the measurements of one run share."""

    def __init__(
        self, folder: Path, sizes: tuple[int, ...], rounds: int, seconds: float = 60.0
    ) -> None:
        self.folder = folder
        self.sizes = sizes
        self.rounds = rounds
        self.seconds = seconds
        self._ledgers: dict[int, list[LedgerRow]] = {}
        self._filled: dict[int, Path] = {}
        self._homes = 0

    def ledger(self, rows: int) -> list[LedgerRow]:
        """The ledger of so many rows; it ends yesterday, so that a plan finds it fresh."""
        if rows not in self._ledgers:
            self._ledgers[rows] = generate(rows, _yesterday())
        return self._ledgers[rows]

    def statement(self, rows: int, suffix: str) -> Path:
        """The same ledger as a file, by the suffix of its format."""
        path = self.folder / f"checking-{rows}.{suffix}"
        if not path.exists():
            WRITERS[suffix](self.ledger(rows), path)
        return path

    @cached_property
    def empty_store(self) -> Path:
        """The file of a store that knows its owner and nothing else."""
        path = self.folder / "empty.db"
        store = Store.open(path, self.folder / "backups")
        asyncio.run(ensure_owner(store, "ada", 0))
        store.close()
        return path

    def filled_store(self, rows: int) -> Path:
        """The file of a store into which the ledger of so many rows was imported."""
        if rows not in self._filled:
            path = self.new_store()
            time_import(path, self.statement(rows, "csv"))
            self._filled[rows] = path
        return self._filled[rows]

    def new_store(self, like: Path | None = None) -> Path:
        """A new copy of a store's file, else of an empty one, in a folder of its own."""
        return self.new_home(like).places.database

    def new_home(self, like: Path | None = None) -> Settings:
        """The settings of a profile in a folder of its own, with a copy of a store in it."""
        self._homes += 1
        home = self.folder / f"home-{self._homes}"
        settings = load_settings("default", {"FINPLAN_HOME": str(home)})
        settings.places.data.mkdir(parents=True)
        shutil.copyfile(like or self.empty_store, settings.places.database)
        return settings

    def forget(self, settings: Settings) -> None:
        """Delete a home, so that many rounds do not fill the disk."""
        shutil.rmtree(settings.places.data.parent)


@contextmanager
def opened(database: Path) -> Iterator[Context]:
    """The service on a store, as the daemon has it."""
    store = Store.open(database, database.parent / "backups")
    caller = Caller(OWNER, frozenset({"read", "write", "session"}), "session")
    try:
        yield Context(caller, store, {"manual": Manual()})
    finally:
        store.close()


def time_import(database: Path, statement: Path) -> float:
    """Import a file by the service; answers the seconds that it took."""

    async def run(context: Context) -> float:
        start = perf_counter()
        await import_files(context, ImportRequest(), (UploadedFile(statement.name, statement),))
        return perf_counter() - start

    with opened(database) as context:
        return asyncio.run(run(context))


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon's process, how to reach it, and the environment in which a command finds it."""

    process: subprocess.Popen[bytes]
    client: Client
    port: int
    cookie: str
    wire: Wire
    environment: dict[str, str]

    def get(self, path: str) -> bytes:
        """GET a path over a connection that stays open; the least that any client has to do."""
        self.wire.send(Question("GET", path))
        return self.wire.receive().body

    def wires(self, count: int) -> list[Wire]:
        """So many more of such connections, which stay open until they are closed."""
        return [Wire(self.port, self.cookie) for _ in range(count)]

    def resident(self) -> int:
        """How much memory the process and its workers occupy, in bytes (Linux)."""
        own = self.process.pid
        tasks = Path(f"/proc/{own}/task").iterdir()
        workers = [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
        return sum(map(_resident, (own, *workers)))


@contextmanager
def daemon(settings: Settings) -> Iterator[Daemon]:
    """A real daemon process on a home, which ends with the block; it refuses nobody for too much."""
    environment = {
        **os.environ,
        "FINPLAN_HOME": str(settings.places.data.parent),
        "FINPLAN_RATE_LIMIT": str(LARGEST_RATE_LIMIT),
        # Nothing is kept in the keyring of whoever measures.
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }
    # What is installed has been compiled before: to compile finplan in each run is nobody's use of it.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen([sys.executable, "-m", "finplan.daemon"], env=environment)
    try:
        found = _wait_for(settings, process)
        port, cookie = int(found.url.rpartition(":")[2]), f"{SESSION_COOKIE}={found.token}"
        wire = Wire(port, cookie)
        with Client(found.url, found.token) as client:
            yield Daemon(process, client, port, cookie, wire, environment)
        wire.close()
    finally:
        process.terminate()
        process.wait()


def _wait_for(settings: Settings, process: subprocess.Popen[bytes]) -> Ready:
    deadline = monotonic() + START_PATIENCE
    while monotonic() < deadline and process.poll() is None:
        found = probe(settings)
        if isinstance(found, Ready):
            return found
        sleep(0.02)
    raise RuntimeError(f"The daemon did not start; its log is {settings.places.log}.")


def _resident(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        name, _, value = line.partition(":")
        if name == "VmRSS":
            return int(value.split()[0]) * 1024
    raise RuntimeError("This system does not tell how much memory a process occupies.")


def _yesterday() -> date:
    return datetime.now(UTC).date() - timedelta(days=1)
