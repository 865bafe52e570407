"""Requests that run once: claimed before they run, answered from here when they come again.

A claim is held for a while and can be renewed; when its holder has died, another run may take its place.
Only the holder can keep a reply. It does so in the transaction of the effect, so that a run which lost
its claim meanwhile fails with everything it did: of all runs of one request, one takes effect.
"""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select, update

from finplan.store.queries import people
from finplan.store.tables.tables import kept_reply as table

KEPT_FOR = 24 * 60 * 60 * 1000
"""How long a reply is kept after its request first came, in milliseconds."""


class Asked(NamedTuple):
    """A request that carries a key; `fingerprint` tells another question under the same key."""

    owner: int
    method: str
    path: str
    key: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to run a request: its row, and the name of the run that holds it."""

    no: int
    holder: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The request ran; this is its sealed reply."""

    sealed: bytes


@dataclass(frozen=True, slots=True)
class Running:
    """The request runs now."""


@dataclass(frozen=True, slots=True)
class AnotherQuestion:
    """Something else was asked under this key."""


def claim(
    connection: Connection, asked: Asked, now: int, until: int
) -> Claim | Kept | Running | AnotherQuestion:
    """Claim a request until an instant, or tell why it need not or may not run.

    Raises Unauthorized when the person was deleted meanwhile.
    """
    prune(connection, now)
    people.generation_of(connection, asked.owner)
    holder = uuid4().hex
    query = select(table).where(
        table.c.owner_no == asked.owner,
        table.c.method == asked.method,
        table.c.path == asked.path,
        table.c.key == asked.key,
    )
    row = connection.execute(query).mappings().first()
    if row is None:
        return Claim(_add(connection, asked, now, holder, until), holder)
    if row["fingerprint"] != asked.fingerprint:
        return AnotherQuestion()
    if row["holder"] is not None and row["held_until"] > now:
        return Running()
    if row["reply"] is not None:
        return Kept(row["reply"])
    taken = update(table).where(table.c.no == row["no"]).values(holder=holder, held_until=until)
    connection.execute(taken)
    return Claim(row["no"], holder)


def _add(connection: Connection, asked: Asked, now: int, holder: str, until: int) -> int:
    values = {
        "owner_no": asked.owner,
        "method": asked.method,
        "path": asked.path,
        "key": asked.key,
        "fingerprint": asked.fingerprint,
        "created_at": now,
        "holder": holder,
        "held_until": until,
    }
    return int(
        connection.execute(insert(table).values(**values).returning(table.c.no)).scalar_one()
    )


def keep(connection: Connection, held: Claim, sealed: bytes, *, final: bool) -> bool:
    """Keep a reply; answers whether the claim still held. A final one ends the claim."""
    values: dict[str, object] = {"reply": sealed}
    if final:
        values["holder"] = None
    return _change(connection, held, values)


def belongs_to_somebody(connection: Connection, asked: Asked) -> bool:
    """Whether who asked is still there."""
    return people.is_there(connection, asked.owner)


def renew(connection: Connection, held: Claim, until: int) -> bool:
    """Hold a claim until a later instant; answers whether it still held."""
    return _change(connection, held, {"held_until": until})


def release(connection: Connection, held: Claim) -> None:
    """Give a claim up, as if the request had never come."""
    connection.execute(delete(table).where(table.c.no == held.no, table.c.holder == held.holder))


def prune(connection: Connection, now: int) -> None:
    """Forget the replies whose time is over."""
    connection.execute(delete(table).where(table.c.created_at <= now - KEPT_FOR))


def _change(connection: Connection, held: Claim, values: dict[str, object]) -> bool:
    query = update(table).where(table.c.no == held.no, table.c.holder == held.holder)
    return connection.execute(query.values(**values)).rowcount == 1
