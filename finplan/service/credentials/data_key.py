"""The data key of the machine: what is sealed under it, and making it anew.

Whoever makes it anew writes the new key down first, beside the former one; seals everything anew in one
transaction; and then forgets the former. Killed in between, the next start goes on: until then what the
file has opens everything.
"""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import get_args

from sqlalchemy import Connection

from finplan import data_key
from finplan.data_key import changing, since_of, source_of
from finplan.model.base import Nothing
from finplan.model.credential import DataKeyRotation, DataKeyStatus, SealedCount, SealedKind
from finplan.model.errors import Conflict, Forbidden, SecretsUnreachable
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.people import owns_the_machine
from finplan.store import sealing
from finplan.store.store import Store


async def show_data_key(context: Context, _ask: Nothing) -> DataKeyStatus:
    """Where the data key is kept, what is sealed under it, and whether each of these opens."""
    file, owner = await _file_of(context), context.caller.owner
    pair = trouble = None
    try:
        pair = await asyncio.to_thread(data_key.keys_of, file)
    except (Conflict, SecretsUnreachable) as error:
        trouble = error.message
    sealer = None if pair is None else sealing.OpeningSealer(*pair)
    counts = await context.store.read(
        lambda c: tuple(_count_kinds(sealing.sealed_things(c, sealer), owner))
    )
    return DataKeyStatus(
        source=source_of(file),
        file=str(file),
        since=since_of(file),
        unfinished=data_key.is_rotation_unfinished(file),
        trouble=trouble,
        sealed=counts,
    )


async def rotate_data_key(context: Context, _ask: Nothing) -> DataKeyRotation:
    """Make a new data key and seal everything anew under it; the former one opens nothing then.

    Raises Conflict for a key that is given from outside or while another process changes it, and
    SecretsUnreachable where the keyring does not give or take one.
    """
    file, now = await _file_of(context), context.milliseconds()
    with changing(file):
        if data_key.is_rotation_unfinished(file):
            await _come_to_the_end(context.store, file)
        pair = await asyncio.to_thread(data_key.begin_rotation, file)
        since = since_of(file)

        def seal_all(connection: Connection) -> DataKeyRotation:
            resealed = _seal_all(connection, pair)
            text = f"Rotated the data key and encrypted {resealed.done} secrets with the new key."
            audit.note(connection, context.caller, "data_key.rotated", text, now)
            return DataKeyRotation(since=since, sealed=resealed.done, closed=resealed.lost)

        done = await context.commit(seal_all)
        await asyncio.to_thread(data_key.end_rotation, file)
    return done


async def finish_rotation(store: Store, file: Path) -> None:
    """Bring to its end what a daemon that died began. Raises SecretsUnreachable and Conflict."""
    if not data_key.is_rotation_unfinished(file):
        return
    with changing(file):
        await _come_to_the_end(store, file)


async def _come_to_the_end(store: Store, file: Path) -> None:
    pair = await asyncio.to_thread(data_key.keys_of, file)
    resealed = await store.write(partial(_seal_all, pair=pair))
    if resealed.lost and pair.former is None:
        raise SecretsUnreachable(
            "Rotating the data key was interrupted, and the keyring does not return the previous key"
            " that some secrets need. Unlock the keyring, then run `finplan secrets rotate` again."
        )
    await asyncio.to_thread(data_key.end_rotation, file)


def _seal_all(connection: Connection, pair: data_key.KeyPair) -> sealing.Resealed:
    return sealing.seal_anew(connection, sealing.OpeningSealer(*pair), sealing.Sealer(pair.newest))


async def _file_of(context: Context) -> Path:
    """The file of the choice. Raises Forbidden for whoever does not own the machine."""
    owner = context.caller.owner
    if not await context.store.read(lambda c: owns_the_machine(c, owner)):
        raise Forbidden(
            "The data key encrypts everyone's secrets on this machine. Only the machine's owner"
            " can see where the key is and rotate it."
        )
    if context.data_key is None:
        raise SecretsUnreachable("No data key here, so nothing can be sealed.")
    return context.data_key


def _count_kinds(things: Iterator[sealing.SealedThing], owner: int) -> Iterator[SealedCount]:
    listed = list(things)
    for kind in get_args(SealedKind):
        of_kind = [thing for thing in listed if thing.kind == kind]
        closed = [thing for thing in of_kind if thing.opens is False]
        is_known = all(thing.opens is not None for thing in of_kind)
        if of_kind:
            yield SealedCount(
                kind=kind,
                count=len(of_kind),
                closed=len(closed) if is_known else None,
                lost=tuple(thing.name for thing in closed if thing.name and thing.owner == owner),
            )
