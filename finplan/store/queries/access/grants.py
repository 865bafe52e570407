"""What people granted clients: grants, and the codes and tokens that follow from them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    RowMapping,
    Select,
    Table,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from finplan.store.look_up import LookUp
from finplan.store.queries.access.sweeping import forget
from finplan.store.tables.tables import oauth_client as client
from finplan.store.tables.tables import oauth_code as code
from finplan.store.tables.tables import oauth_grant as table
from finplan.store.tables.tables import oauth_token as token


class StoredToken(NamedTuple):
    """What decides whether a token lets somebody in, and as whom; times are in milliseconds."""

    no: int
    owner: int
    grant_no: int | None
    agent_no: int | None
    kind: str
    scopes: str
    resource: str
    expires_at: int
    used_at: int | None
    guest: bool
    """Whether it is of an agent that nobody has claimed."""


def add_grant(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a grant and answer its number."""
    return int(
        connection.execute(insert(table).values(**values).returning(table.c.no)).scalar_one()
    )


def get_grant(connection: Connection, no: int) -> RowMapping:
    """The grant of a number."""
    return connection.execute(select(table).where(table.c.no == no)).mappings().one()


def client_of_grant(connection: Connection, no: int) -> str | None:
    """The id of the client that a grant is to; None where the grant was ended."""
    query = select(client.c.id).join(table, table.c.client_no == client.c.no)
    return connection.execute(query.where(table.c.no == no)).scalar()


def holds_grants(connection: Connection, owner: int, client_no: int) -> bool:
    """Whether a client holds any grant of a person."""
    query = select(table.c.no).where(table.c.owner_no == owner, table.c.client_no == client_no)
    return connection.execute(query.limit(1)).first() is not None


def end_grant(connection: Connection, no: int) -> None:
    """End a grant with every code and token that follows from it."""
    connection.execute(delete(table).where(table.c.no == no))


def end_grants(connection: Connection, owner: int, client_no: int) -> None:
    """End all that a person granted a client."""
    connection.execute(
        delete(table).where(table.c.owner_no == owner, table.c.client_no == client_no)
    )


class HeldGrant(NamedTuple):
    """What a client still holds of one grant of a person, and when it last got something by it."""

    client_no: int
    scopes: str
    last_at: int | None


def held_of(connection: Connection, owner: int, now: int) -> Sequence[HeldGrant]:
    """What clients hold of a person: the grants of which a token or a code still lets them in."""
    lives = or_(
        table.c.no.in_(_grants_of(token, now)),
        table.c.no.in_(_grants_of(code, now)),
    )
    query = (
        select(table.c.client_no, table.c.scopes, func.max(token.c.created_at))
        .outerjoin(token, token.c.grant_no == table.c.no)
        .where(table.c.owner_no == owner, lives)
        .group_by(table.c.no, table.c.client_no, table.c.scopes)
    )
    return [HeldGrant(*row) for row in connection.execute(query)]


def _grants_of(secret: Table, now: int) -> Select[tuple[int]]:
    """The grants of which there is a secret that holds."""
    return select(secret.c.grant_no).where(secret.c.used_at.is_(None), secret.c.expires_at > now)


def add_code(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a code."""
    connection.execute(insert(code).values(**values))


def code_of_hash(connection: Connection, digest: str) -> RowMapping | None:
    """The code with a hash, used or not."""
    return connection.execute(select(code).where(code.c.hash == digest)).mappings().first()


def use_code(connection: Connection, no: int, now: int, until: int) -> None:
    """Say that a code was exchanged; it is known as used until an instant."""
    connection.execute(update(code).where(code.c.no == no).values(used_at=now, expires_at=until))


def add_token(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add an access or a refresh token."""
    connection.execute(insert(token).values(**values))


TOKEN_OF_HASH = LookUp(
    "SELECT t.no, t.owner_no, t.grant_no, t.agent_no, t.kind, t.scopes, t.resource, t.expires_at,"
    " t.used_at, t.agent_no IS NOT NULL AND a.claimed_at IS NULL"
    " FROM oauth_token t LEFT JOIN agent a ON a.no = t.agent_no WHERE t.hash = ?",
    lambda *row: StoredToken._make((*row[:-1], bool(row[-1]))),
)
"""The token with a hash, used or not."""


def use_token(connection: Connection, no: int, now: int) -> None:
    """Note that a token was used, a refresh token for the one time that it may be."""
    connection.execute(update(token).where(token.c.no == no).values(used_at=now))


def remove_token(connection: Connection, no: int) -> None:
    """End one token."""
    connection.execute(delete(token).where(token.c.no == no))


def end_agents_tokens(connection: Connection, agent_no: int) -> None:
    """End all tokens of an agent."""
    connection.execute(delete(token).where(token.c.agent_no == agent_no))


def end_agents_oldest(connection: Connection, agent_no: int, kept: int) -> None:
    """End the oldest tokens of an agent beyond as many as are kept."""
    mine = select(token.c.no).where(token.c.agent_no == agent_no)
    newest = mine.order_by(token.c.no.desc()).limit(kept)
    connection.execute(delete(token).where(token.c.agent_no == agent_no, token.c.no.not_in(newest)))


def sweep(connection: Connection, now: int) -> bool:
    """Forget a batch of the codes and tokens that are over, and of the grants nothing is left of.

    Answers whether more may be.
    """
    more = [forget(connection, each, each.c.expires_at <= now) for each in (token, code)]
    lives = select(token.c.grant_no).where(token.c.grant_no.is_not(None))
    waits = select(code.c.grant_no)
    more.append(forget(connection, table, and_(table.c.no.not_in(lives), table.c.no.not_in(waits))))
    return any(more)
