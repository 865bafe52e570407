"""A little room that is kept on the disk, and given up so that a daemon starts where the disk is full.

Reading a store takes files beside it (SQLite's log and its index), and being found takes one more.
"""

import os
import shutil
from pathlib import Path

from finplan.model.characters import visible
from finplan.model.errors import StorageFull
from finplan.store.backup import megabytes

RESERVE = 256 * 1024
"""How much room is kept, in bytes: several times what a start takes."""

PLENTY = 4 * RESERVE
"""How much must be free until a daemon that goes on working takes room for the reserve, in bytes."""


NEW_STORE = 2 * 2**20
"""How much room a first start takes, in bytes: a new store with its log, and the reserve."""


def must_have_room_for_a_store(database: Path) -> None:
    """Raise StorageFull where a store has yet to be made and the disk has no room for it."""
    free = _free(database)
    if free >= NEW_STORE or database.exists():
        return
    raise StorageFull(
        f"The disk of {visible(str(database.parent))} is full: a new store takes {megabytes(NEW_STORE)},"
        f" and {megabytes(free)} are left. Make some room, then try again."
    )


def give_up_if_needed(reserve: Path) -> bool:
    """Give the room back where hardly any is left, else take it; answers whether the disk is full."""
    free = _free(reserve)
    if free < RESERVE:
        reserve.unlink(missing_ok=True)
    elif free >= PLENTY:
        _take(reserve)
    return free < RESERVE


def take_back(reserve: Path) -> None:
    """Take the room for the next start, which a daemon that ends has just left."""
    if _free(reserve) >= RESERVE:
        _take(reserve)


def _free(reserve: Path) -> int:
    return shutil.disk_usage(reserve.parent).free


def _take(reserve: Path) -> None:
    if reserve.exists():
        return
    descriptor = os.open(reserve, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        # A file of zeros takes no room on some disks.
        file.write(os.urandom(RESERVE))
