"""Computations that a worker process can be sent, in a module since pickle sends their names."""

import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import cast
from unittest.mock import patch

from sqlalchemy import Connection

from finplan.model.errors import BankProviderError, NotFound
from finplan.service.context import Asker
from finplan.service.derived import books
from finplan.service.derived.household import load_ledger
from finplan.store.offload import ReadDoor


def _count(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT count(*) FROM person").scalar_one())


def process_and_people(reader: ReadDoor) -> tuple[int, int]:
    """The number of the process that works, and how many people the store knows."""
    return os.getpid(), reader.read(_count)


def readings_of_household(connection: Connection) -> tuple[int, int, int | None]:
    """The process, how often it reads the ledger to know the owner's household, and their income."""
    asker = Asker(1, datetime(2026, 11, 21, tzinfo=UTC))
    with patch.object(books, "load_ledger", wraps=load_ledger) as read:
        household = books.household_of(connection, asker)
    return os.getpid(), read.call_count, household.ledger.monthly_income


def stay_with(_connection: Connection, path: Path) -> None:
    """Write the number of the process, then work for longer than any test."""
    say_and_stay(cast("ReadDoor", None), path)


def wait_for(_connection: Connection, path: Path) -> int:
    """Note that it has begun, and work until there is a file; answers the number of the process."""
    path.with_suffix(".begun").touch()
    while not path.exists():
        time.sleep(0.01)
    return os.getpid()


def chatter(_reader: ReadDoor) -> str:
    """Print something on the way."""
    print("a word between the answers")
    return "answered"


def find_nothing(_reader: ReadDoor) -> None:
    """Tell the person that there is nothing."""
    raise NotFound("There is no such thing.", {"near": ["thong"]})


def ask_a_bank(_reader: ReadDoor) -> None:
    """Tell what a bank said."""
    raise BankProviderError("The bank is away.", "demo", "rate_limited")


def write(reader: ReadDoor) -> None:
    """Try to write."""
    reader.read(lambda c: c.exec_driver_sql("DELETE FROM person"))


def die(_reader: ReadDoor) -> None:
    """End as a process ends that the system kills."""
    os.kill(os.getpid(), signal.SIGKILL)


def say_and_stay(_reader: ReadDoor, path: Path) -> None:
    """Write the number of the process, then work for longer than any test."""
    path.write_text(str(os.getpid()))
    while True:
        time.sleep(60)


def answer_a_lot(_reader: ReadDoor) -> bytes:
    """Answer more than a pipe and its reader hold."""
    return bytes(16 * 1024 * 1024)


def answer_the_unspeakable(_reader: ReadDoor) -> object:
    """Answer what cannot be sent."""
    return lambda: None


def die_unless_in(pid: int) -> str:
    """End as a process ends that the system kills, unless it is a certain one."""
    if os.getpid() != pid:
        os.kill(os.getpid(), signal.SIGKILL)
    return "survived"


def refuse() -> None:
    """Tell the person that there is nothing."""
    raise NotFound("There is no such thing.")


left_behind: list[bytearray] = []
"""What outlives the computation that made it."""


def leave_behind(_reader: ReadDoor, size: int) -> None:
    """Take so many bytes in small pieces, and keep the last one."""
    pieces = [bytearray(1000) for _ in range(size // 1000)]
    left_behind.append(pieces.pop())


def memory(_reader: ReadDoor) -> int:
    """How many bytes of memory this process occupies (Linux)."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def take_memory(size: int) -> int:
    """Take so many bytes at once."""
    return len(bytearray(size))


def on_a_store(_reader: ReadDoor, work: Callable[[], int]) -> int:
    """Do work that reads no store, as a computation."""
    return work()


def take_forever() -> None:
    """Work until the process is ended."""
    while True:
        time.sleep(1)
