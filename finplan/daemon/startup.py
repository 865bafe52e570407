"""What a start takes, what it makes up for, and what it leaves for later.

A little room is kept on the disk, and given up so that a daemon starts where the disk is full: reading a
store takes files beside it (SQLite's log and its index), and being found takes one more. What a daemon
writes unasked is put off on a full disk, so that reading goes on. The sealer is made when something is
first sealed: a keyring may be locked, or take long.
"""

import asyncio
import logging
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from finplan.model.characters import visible
from finplan.model.errors import Fault, StorageFull, StoreDamaged
from finplan.service.automation.kinds import mend_indexes
from finplan.service.automation.running import end_unfinished
from finplan.service.banking.linking import link_demo_once
from finplan.service.context import Context
from finplan.service.credentials.data_key import finish_rotation
from finplan.service.ledger.payee_keys import rekey_payees
from finplan.store.backup import megabytes
from finplan.store.sealing import Sealer
from finplan.store.store import Store

RESERVE = 256 * 1024
"""How much room is kept, in bytes: several times what a start takes."""

PLENTY = 4 * RESERVE
"""How much must be free until a daemon that goes on working takes room for the reserve, in bytes."""


NEW_STORE = 2 * 2**20
"""How much room a first start takes, in bytes: a new store with its log, and the reserve."""


def must_have_room_for_a_store(database: Path) -> None:
    """Raise StorageFull where a store has yet to be made and the disk has no room for it."""
    free = _free_room(database)
    if free >= NEW_STORE or database.exists():
        return
    raise StorageFull(
        f"The disk of {visible(str(database.parent))} is full: a new store needs"
        f" {megabytes(NEW_STORE)}, but {megabytes(free)} are free. Free some space, then try"
        " again."
    )


def give_up_reserve_if_needed(reserve: Path) -> bool:
    """Give the room back where hardly any is left, else take it; answers whether the disk is full."""
    free = _free_room(reserve)
    if free < RESERVE:
        reserve.unlink(missing_ok=True)
    elif free >= PLENTY:
        _take_reserve(reserve)
    return free < RESERVE


def take_back_reserve(reserve: Path) -> None:
    """Take the room for the next start, which a daemon that ends has just left."""
    if _free_room(reserve) >= RESERVE:
        _take_reserve(reserve)


def _free_room(reserve: Path) -> int:
    return shutil.disk_usage(reserve.parent).free


def _take_reserve(reserve: Path) -> None:
    if reserve.exists():
        return
    descriptor = os.open(reserve, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        # A file of zeros takes no room on some disks.
        file.write(os.urandom(RESERVE))


TRIED_EVERY = 60.0
"""How often it is tried to key payees again while there is no room for it, in seconds."""

log = logging.getLogger(__name__)


async def put_in_order(
    store: Store, now: int, data_key: Path | None = None
) -> asyncio.Task[None] | None:
    """End what a daemon that died left unfinished, and key payees by the rules of this version.

    What a daemon that died left sealed under the former data key is sealed anew. Answers who goes on
    trying where the disk is full. `now` is the instant in ms. A damaged store is left as it is.
    """
    with suppress(StoreDamaged):
        if store.broken_indexes:
            await mend_indexes(store)
        if data_key is not None:
            await _finish_sealing(store, data_key)
        if not await store.write_or_put_off(lambda c: end_unfinished(c, now)):
            log.warning("The disk is full. finplan completes unfinished work at the next change.")
        try:
            await rekey_payees(store, now)
        except StorageFull:
            log.warning("The disk is full. finplan updates payees once there is enough space.")
            return asyncio.create_task(_key_when_there_is_room(store, now))
    return None


async def link_demo_household(context: Context) -> None:
    """Link the demo household at the first start of its profile; on a full disk the next start does."""
    try:
        if await link_demo_once(context):
            log.info("Linked the demo household.")
    except Fault as fault:
        log.warning("Could not link the demo household yet: %s", fault.message)


async def _finish_sealing(store: Store, data_key: Path) -> None:
    """Seal anew what is sealed under the former key, if it can be done now: both open until then."""
    try:
        await finish_rotation(store, data_key)
    except Fault as fault:
        log.warning("Rotating the data key did not finish: %s", fault.message)


async def _key_when_there_is_room(store: Store, now: int) -> None:
    while True:
        await asyncio.sleep(TRIED_EVERY)
        try:
            await rekey_payees(store, now)
        except StorageFull:
            continue
        except StoreDamaged:
            return
        except OSError as error:
            # Whatever is wrong with the folder of backups may be mended while the daemon runs.
            log.warning("Payees are not updated yet: %s.", error)
            continue
        return


WORTH_REMEMBERING = 1.0
"""How long a refusal took if it is remembered, in seconds: a person may have seen a prompt."""


@dataclass(slots=True)
class LateSealer:
    """Answers one sealer; until there is one, the key is asked for again, by one request at a time.

    `key` may take seconds and raises a Fault where there is none, so it is asked in a thread of its own,
    which holds up no other work. A refusal that took long holds as long again. `sealing` makes the
    sealer of the first key that there is.
    """

    key: Callable[[], bytes]
    sealer: Sealer | None = None
    clock: Callable[[], float] = time.monotonic
    sealing: Callable[[bytes], Sealer] = Sealer
    _refusal: Fault | None = None
    _refused_until: float = 0.0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _thread: ThreadPoolExecutor = field(
        default_factory=partial(ThreadPoolExecutor, 1, "data-key"), repr=False
    )

    async def __call__(self) -> Sealer:
        """The sealer. Raises what asking for the key raises."""
        if self.sealer is not None:
            return self.sealer
        async with self._turn:
            if self.sealer is None:
                if self._refusal is not None and self.clock() < self._refused_until:
                    # Else each who is refused would leave where they asked in what the next one is told.
                    raise self._refusal.with_traceback(None)
                loop = asyncio.get_running_loop()
                self.sealer = self.sealing(await loop.run_in_executor(self._thread, self._ask))
                self._thread.shutdown(wait=False)
        return self.sealer

    def _ask(self) -> bytes:
        begun = self.clock()
        try:
            return self.key()
        except Fault as refusal:
            now = self.clock()
            took = now - begun
            if took >= WORTH_REMEMBERING:
                self._refusal, self._refused_until = refusal, now + took
            raise
