"""The ground to measure on: generated ledgers, new stores, stores with a ledger, and real daemons.

Everything lives in one scratch folder, which is deleted in the end. A daemon is asked from outside, as
any client asks, so that the same measurements fit another version of the product.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from time import monotonic, sleep

from benchmarks.ledgers import WRITERS, LedgerRow, generate
from benchmarks.wire import Question, Wire, saying, uploading
from finplan.setting_values import LARGEST_RATE_LIMIT
from finplan.settings import Settings, load_settings

START_PATIENCE = 120.0
SESSION_COOKIE = "finplan_session"
"""The cookie's published name."""

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
        self._filled: dict[Path, Path] = {}
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
        """The file of a store that knows its owner and their currency, and nothing else."""
        home = self._home("empty")
        with daemon(home) as running:
            # Some formats do not say their currency, and nobody is here to be asked.
            running.ask(saying("PATCH", "/settings", {"currency": "USD"}))
        return whole_store(home)

    def filled_store(self, rows: int) -> Path:
        """The file of a store into which the ledger of so many rows was imported."""
        return self.holding(self.statement(rows, "csv"))

    def holding(self, statement: Path) -> Path:
        """The file of a store into which a statement was imported."""
        if statement not in self._filled:
            home = self.new_home()
            with daemon(home) as running:
                running.bring(statement)
            self._filled[statement] = whole_store(home)
        return self._filled[statement]

    def planned_store(self, rows: int) -> Path:
        """The same as a filled store, with a plan, and the allowance shown."""
        home = self.new_home(like=self.filled_store(rows))
        with daemon(home) as running:
            running.ask(saying("POST", "/plan", {}))
            running.get("/snapshot")
        return whole_store(home)

    def new_store(self, like: Path | None = None) -> Path:
        """A new copy of a store's file, else of an empty one, in a folder of its own."""
        return self.new_home(like).places.database

    def new_home(self, like: Path | None = None) -> Settings:
        """The settings of a profile in a folder of its own, with a copy of a store in it."""
        like = like or self.empty_store
        self._homes += 1
        settings = self._home(f"home-{self._homes}")
        shutil.copyfile(like, settings.places.database)
        return settings

    def forget(self, settings: Settings) -> None:
        """Delete a home, so that many rounds do not fill the disk."""
        shutil.rmtree(settings.places.data.parent)

    def _home(self, name: str) -> Settings:
        settings = load_settings("default", {"FINPLAN_HOME": str(self.folder / name)})
        settings.places.data.mkdir(parents=True)
        return settings


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon's process, how to reach it, and the environment in which a command finds it."""

    process: subprocess.Popen[bytes]
    port: int
    cookie: str
    wire: Wire
    environment: dict[str, str]

    def get(self, path: str) -> bytes:
        """GET a path over a connection that stays open; the least that any client has to do."""
        return self.ask(Question("GET", path))

    def ask(self, question: Question) -> bytes:
        """Ask over the same connection; the body of the answer. Raises RuntimeError when refused."""
        return self.wire.ask(question)

    def bring(self, statement: Path) -> bytes:
        """Import a statement file."""
        return self.ask(uploading("/imports", statement))

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
    with daemon_of(settings, [sys.executable, "-m", "finplan.daemon"], {}) as running:
        yield running


@contextmanager
def daemon_of(
    settings: Settings, command: Sequence[str], more: Mapping[str, str]
) -> Iterator[Daemon]:
    """The same by another command, with more in its environment."""
    environment = {
        **os.environ,
        "FINPLAN_HOME": str(settings.places.data.parent),
        "FINPLAN_RATE_LIMIT": str(LARGEST_RATE_LIMIT),
        # A ledger of a million rows is larger in most formats than what the default lets through.
        "FINPLAN_UPLOAD_LIMIT": str(2 * 2**30),
        # Nothing is kept in the keyring of whoever measures.
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        **more,
    }
    # What is installed has been compiled before: to compile finplan in each run is nobody's use of it.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(command, env=environment)
    try:
        port, token = _announced(settings, process)
        cookie = f"{SESSION_COOKIE}={token}"
        wire = Wire(port, cookie)
        yield Daemon(process, port, cookie, wire, environment)
        wire.close()
    finally:
        process.terminate()
        process.wait()


def _announced(settings: Settings, process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """The port and the token of a daemon that has just been started."""
    deadline = monotonic() + START_PATIENCE
    while monotonic() < deadline and process.poll() is None:
        with suppress(FileNotFoundError):
            said = json.loads(settings.places.daemon_file.read_text("utf-8"))
            if said["pid"] == process.pid:
                return said["port"], said["token"]
        sleep(0.02)
    raise RuntimeError(f"The daemon did not start; its log is {settings.places.log}.")


def whole_store(settings: Settings) -> Path:
    """The file of a store that no daemon has open, with what still waited in its journal."""
    connection = sqlite3.connect(settings.places.database)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return settings.places.database


def _resident(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        name, _, value = line.partition(":")
        if name == "VmRSS":
            return int(value.split()[0]) * 1024
    raise RuntimeError("This system does not tell how much memory a process occupies.")


def _yesterday() -> date:
    return datetime.now(UTC).date() - timedelta(days=1)
