"""`python -m tests.store.mortal_store STORE SEED KILLED`: work on a store until it is killed, or done.

Commits of a few rows and of many, changes that are undone after they went to the log, and the file made
again; `KILLED` is after how many seconds the process ends as by `kill -9`, 0 where it ends in order.
"""

import asyncio
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from random import Random

from sqlalchemy import Connection

from finplan.store.store import Store


class Undone(Exception):
    """A change that does not want to stay."""


def _add(connection: Connection, dice: Random, rows: int) -> None:
    connection.exec_driver_sql("PRAGMA cache_size = 10")
    for _ in range(rows):
        name = f"{dice.getrandbits(120):x}"
        connection.exec_driver_sql(
            "INSERT INTO person (id, email, name, created_at, time_zone, row_generation)"
            " VALUES (?, ?, ?, 0, 'UTC', 0)",
            (f"usr_{name}", f"{name}@localhost", name * dice.randrange(1, 60)),
        )


def _add_and_undo(connection: Connection, dice: Random) -> None:
    _add(connection, dice, 200)
    raise Undone


async def work(path: Path, seed: int) -> None:
    """Do forty things that a seed draws."""
    dice = Random(seed)
    store = Store.open(path, path.parent / "backups")
    assert store.damage is None
    for _ in range(40):
        match dice.randrange(10):
            case 0:
                with suppress(Undone):
                    await store.write(lambda c: _add_and_undo(c, dice))
            case 1:
                await store.write(lambda c: _add(c, dice, 400))
            case 2:
                await store.compact()
            case 3:
                removed = "DELETE FROM person WHERE no % 3 = 0"
                await store.write(lambda c, s=removed: c.exec_driver_sql(s))  # type: ignore[misc]
            case _:
                await store.write(lambda c: _add(c, dice, 2))
    store.close()


def main() -> None:
    """Begin the work, and the clock that ends it."""
    path, seed, killed = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    if killed:
        threading.Timer(killed, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
    asyncio.run(work(path, seed))
    if killed:
        os._exit(0)


if __name__ == "__main__":
    main()
