"""What a daemon writes unasked; on a full disk that is put off, so that reading goes on."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

from finplan.model.errors import Fault, StorageFull, StoreDamaged
from finplan.service.automation.copying import mend_indexes
from finplan.service.banking.linking import link_demo_once
from finplan.service.context import Context
from finplan.service.credentials.data_key import finish_rotation
from finplan.service.ledger.rekeying import rekey_payees
from finplan.service.unfinished import end_unfinished
from finplan.store.store import Store

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
        return await _put_in_order(store, now, data_key)
    return None


async def _put_in_order(store: Store, now: int, data_key: Path | None) -> asyncio.Task[None] | None:
    if store.broken_indexes:
        await mend_indexes(store)
    if data_key is not None:
        await _finish_sealing(store, data_key)
    if not await store.write_or_put_off(lambda c: end_unfinished(c, now)):
        log.warning("The disk is full: what was left unfinished is ended with the next change.")
    try:
        await rekey_payees(store, now)
    except StorageFull:
        log.warning("The disk is full: payees are keyed again once there is room.")
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
        log.warning("The data key was not made anew to the end: %s", fault.message)


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
            log.warning("Payees are not keyed again yet: %s.", error)
            continue
        return
