"""Requests that run once: claimed before they run, answered from here when they come again.

A claim is held for a while and can be renewed; when its holder has died, another run may take its place.
No run outlives its daemon, so the next daemon lets all claims go. Only the holder can keep a reply. It
does so in the transaction of the effect, so that a run which lost its claim meanwhile fails with all
that it did: of all runs of one request, one takes effect.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, delete, update

from finplan.store.queries import people
from finplan.store.queries.rows import add, change, find, remove
from finplan.store.tables.tables import kept_reply as table

KEPT_FOR = 24 * 60 * 60 * 1000
"""How long a reply is kept after its request first came, in milliseconds."""


class KeyedRequest(NamedTuple):
    """A request that carries a key; `fingerprint` is of its content."""

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
class SavedReply:
    """The request ran; this is its sealed reply."""

    sealed: bytes


@dataclass(frozen=True, slots=True)
class InProgress:
    """The request runs now."""


@dataclass(frozen=True, slots=True)
class KeyReused:
    """Another request came under this key."""


def claim(
    connection: Connection, request: KeyedRequest, now: int, until: int
) -> Claim | SavedReply | InProgress | KeyReused:
    """Claim a request until an instant, or tell why it need not or may not run.

    Raises Unauthorized when the person was deleted meanwhile.
    """
    prune(connection, now)
    people.generation_of(connection, request.owner)
    holder = uuid4().hex
    key = {
        "owner_no": request.owner,
        "method": request.method,
        "path": request.path,
        "key": request.key,
    }
    row = find(connection, table, **key)
    if row is None:
        begun = {"created_at": now, "holder": holder, "held_until": until}
        values = {**key, "fingerprint": request.fingerprint, **begun}
        return Claim(add(connection, table, values), holder)
    if row["fingerprint"] != request.fingerprint:
        return KeyReused()
    if row["holder"] is not None and _is_claim_alive(row["held_until"], now, until):
        return InProgress()
    if row["reply"] is not None:
        return SavedReply(row["reply"])
    change(connection, table, row["no"], holder=holder, held_until=until)
    return Claim(row["no"], holder)


def _is_claim_alive(held_until: int, now: int, until: int) -> bool:
    # A claim that reaches further than two leases was made under a clock that has been set back, and a
    # run that lives would have renewed it since. What is within is what clocks correct all the time.
    return now < held_until <= until + (until - now)


def save_reply(connection: Connection, claim: Claim, sealed: bytes, *, final: bool) -> bool:
    """Keep a reply; answers whether the claim still held. A final one ends the claim."""
    return _change_claim(connection, claim, reply=sealed, **({"holder": None} if final else {}))


def belongs_to_somebody(connection: Connection, request: KeyedRequest) -> bool:
    """Whether the person of a request is still there."""
    return people.is_there(connection, request.owner)


def renew(connection: Connection, claim: Claim, until: int) -> bool:
    """Hold a claim until a later instant; answers whether it still held."""
    return _change_claim(connection, claim, held_until=until)


def release(connection: Connection, claim: Claim) -> None:
    """Give a claim up, as if the request had never come."""
    remove(connection, table, no=claim.no, holder=claim.holder)


def release_dead(connection: Connection) -> None:
    """Let every claim be taken over at once; for a start, when no run can be alive.

    Rows stay, so that a reply which was kept before the crash is replayed and another question refused.
    """
    connection.execute(update(table).where(table.c.holder.is_not(None)).values(held_until=0))


def prune(connection: Connection, now: int) -> None:
    """Forget the replies whose time is over."""
    connection.execute(delete(table).where(table.c.created_at <= now - KEPT_FOR))


def _change_claim(connection: Connection, claim: Claim, **values: Any) -> bool:
    query = update(table).filter_by(no=claim.no, holder=claim.holder)
    return connection.execute(query.values(**values)).rowcount == 1
