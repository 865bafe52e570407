"""The authorization server: clients, what people granted them, agents, and the keys that sign.

OAuth clients are forgotten where nobody ever let one in. From grants follow codes and tokens.
Agents came without an account, and try to have themselves claimed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from finplan.store.queries.credentials import forget_some
from finplan.store.store_file import LookUp
from finplan.store.tables import tables


def add_client(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add a client."""
    connection.execute(sa.insert(tables.oauth_client).values(**values))


def client_of_id(connection: sa.Connection, public_id: str) -> sa.RowMapping | None:
    """A client by its id, whoever it belongs to."""
    return (
        connection.execute(
            sa.select(tables.oauth_client).where(tables.oauth_client.c.id == public_id)
        )
        .mappings()
        .first()
    )


def list_clients(connection: sa.Connection, owner: int) -> Sequence[sa.RowMapping]:
    """The clients that a person made or let in, the newest first."""
    return (
        connection.execute(_clients_of(owner).order_by(tables.oauth_client.c.no.desc()))
        .mappings()
        .all()
    )


def find_client(connection: sa.Connection, owner: int, public_id: str) -> sa.RowMapping | None:
    """A client that a person made or let in, by its id."""
    return (
        connection.execute(_clients_of(owner).where(tables.oauth_client.c.id == public_id))
        .mappings()
        .first()
    )


def note_client_use(connection: sa.Connection, no: int, now: int) -> None:
    """Note when a client was last used."""
    connection.execute(
        sa.update(tables.oauth_client)
        .where(tables.oauth_client.c.no == no)
        .values(last_used_at=now)
    )


def remove_client(connection: sa.Connection, no: int) -> None:
    """Remove a client with all that it was granted."""
    connection.execute(sa.delete(tables.oauth_client).where(tables.oauth_client.c.no == no))


def sweep_clients(connection: sa.Connection, before: int) -> bool:
    """Forget a batch of those that registered themselves before an instant and nobody ever let in.

    Answers whether more may be.
    """
    granted = sa.exists().where(tables.oauth_grant.c.client_no == tables.oauth_client.c.no)
    never = (
        tables.oauth_client.c.owner_no.is_(None),
        tables.oauth_client.c.last_used_at.is_(None),
        ~granted,
    )
    return forget_some(
        connection, tables.oauth_client, sa.and_(*never, tables.oauth_client.c.created_at < before)
    )


def _clients_of(owner: int) -> Any:
    granted = sa.exists().where(
        tables.oauth_grant.c.client_no == tables.oauth_client.c.no,
        tables.oauth_grant.c.owner_no == owner,
    )
    return sa.select(tables.oauth_client).where(
        sa.or_(tables.oauth_client.c.owner_no == owner, granted)
    )


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


def add_grant(connection: sa.Connection, values: Mapping[str, Any]) -> int:
    """Add a grant and answer its number."""
    return int(
        connection.execute(
            sa.insert(tables.oauth_grant).values(**values).returning(tables.oauth_grant.c.no)
        ).scalar_one()
    )


def get_grant(connection: sa.Connection, no: int) -> sa.RowMapping:
    """The grant of a number."""
    return (
        connection.execute(sa.select(tables.oauth_grant).where(tables.oauth_grant.c.no == no))
        .mappings()
        .one()
    )


def client_of_grant(connection: sa.Connection, no: int) -> str | None:
    """The id of the client that a grant is to; None where the grant was ended."""
    query = sa.select(tables.oauth_client.c.id).join(
        tables.oauth_grant, tables.oauth_grant.c.client_no == tables.oauth_client.c.no
    )
    return connection.execute(query.where(tables.oauth_grant.c.no == no)).scalar()


def holds_grants(connection: sa.Connection, owner: int, client_no: int) -> bool:
    """Whether a client holds any grant of a person."""
    query = sa.select(tables.oauth_grant.c.no).where(
        tables.oauth_grant.c.owner_no == owner, tables.oauth_grant.c.client_no == client_no
    )
    return connection.execute(query.limit(1)).first() is not None


def end_grant(connection: sa.Connection, no: int) -> None:
    """End a grant with every code and token that follows from it."""
    connection.execute(sa.delete(tables.oauth_grant).where(tables.oauth_grant.c.no == no))


def end_grants(connection: sa.Connection, owner: int, client_no: int) -> None:
    """End all that a person granted a client."""
    connection.execute(
        sa.delete(tables.oauth_grant).where(
            tables.oauth_grant.c.owner_no == owner, tables.oauth_grant.c.client_no == client_no
        )
    )


class HeldGrant(NamedTuple):
    """What a client still holds of one grant of a person, and when it last got something by it."""

    client_no: int
    scopes: str
    last_at: int | None


def held_of(connection: sa.Connection, owner: int, now: int) -> Sequence[HeldGrant]:
    """What clients hold of a person: the grants of which a token or a code still lets them in."""
    lives = sa.or_(
        tables.oauth_grant.c.no.in_(_grants_of(tables.oauth_token, now)),
        tables.oauth_grant.c.no.in_(_grants_of(tables.oauth_code, now)),
    )
    query = (
        sa.select(
            tables.oauth_grant.c.client_no,
            tables.oauth_grant.c.scopes,
            sa.func.max(tables.oauth_token.c.created_at),
        )
        .outerjoin(tables.oauth_token, tables.oauth_token.c.grant_no == tables.oauth_grant.c.no)
        .where(tables.oauth_grant.c.owner_no == owner, lives)
        .group_by(
            tables.oauth_grant.c.no, tables.oauth_grant.c.client_no, tables.oauth_grant.c.scopes
        )
    )
    return [HeldGrant(*row) for row in connection.execute(query)]


def _grants_of(secret: sa.Table, now: int) -> sa.Select[tuple[int]]:
    """The grants of which there is a secret that holds."""
    return sa.select(secret.c.grant_no).where(secret.c.used_at.is_(None), secret.c.expires_at > now)


def add_code(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add a code."""
    connection.execute(sa.insert(tables.oauth_code).values(**values))


def code_of_hash(connection: sa.Connection, digest: str) -> sa.RowMapping | None:
    """The code with a hash, used or not."""
    return (
        connection.execute(sa.select(tables.oauth_code).where(tables.oauth_code.c.hash == digest))
        .mappings()
        .first()
    )


def use_code(connection: sa.Connection, no: int, now: int, until: int) -> None:
    """Say that a code was exchanged; it is known as used until an instant."""
    connection.execute(
        sa.update(tables.oauth_code)
        .where(tables.oauth_code.c.no == no)
        .values(used_at=now, expires_at=until)
    )


def add_token(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add an access or a refresh token."""
    connection.execute(sa.insert(tables.oauth_token).values(**values))


TOKEN_OF_HASH = LookUp(
    "SELECT t.no, t.owner_no, t.grant_no, t.agent_no, t.kind, t.scopes, t.resource, t.expires_at,"
    " t.used_at, t.agent_no IS NOT NULL AND a.claimed_at IS NULL"
    " FROM oauth_token t LEFT JOIN agent a ON a.no = t.agent_no WHERE t.hash = ?",
    lambda *row: StoredToken._make((*row[:-1], bool(row[-1]))),
)
"""The token with a hash, used or not."""


def use_token(connection: sa.Connection, no: int, now: int) -> None:
    """Note that a token was used, a refresh token for the one time that it may be."""
    connection.execute(
        sa.update(tables.oauth_token).where(tables.oauth_token.c.no == no).values(used_at=now)
    )


def remove_token(connection: sa.Connection, no: int) -> None:
    """End one token."""
    connection.execute(sa.delete(tables.oauth_token).where(tables.oauth_token.c.no == no))


def end_agents_tokens(connection: sa.Connection, agent_no: int) -> None:
    """End all tokens of an agent."""
    connection.execute(
        sa.delete(tables.oauth_token).where(tables.oauth_token.c.agent_no == agent_no)
    )


def end_agents_oldest(connection: sa.Connection, agent_no: int, kept: int) -> None:
    """End the oldest tokens of an agent beyond as many as are kept."""
    mine = sa.select(tables.oauth_token.c.no).where(tables.oauth_token.c.agent_no == agent_no)
    newest = mine.order_by(tables.oauth_token.c.no.desc()).limit(kept)
    connection.execute(
        sa.delete(tables.oauth_token).where(
            tables.oauth_token.c.agent_no == agent_no, tables.oauth_token.c.no.not_in(newest)
        )
    )


def sweep_grants(connection: sa.Connection, now: int) -> bool:
    """Forget a batch of the codes and tokens that are over, and of the grants nothing is left of.

    Answers whether more may be.
    """
    more = [
        forget_some(connection, each, each.c.expires_at <= now)
        for each in (tables.oauth_token, tables.oauth_code)
    ]
    lives = sa.select(tables.oauth_token.c.grant_no).where(
        tables.oauth_token.c.grant_no.is_not(None)
    )
    waits = sa.select(tables.oauth_code.c.grant_no)
    more.append(
        forget_some(
            connection,
            tables.oauth_grant,
            sa.and_(tables.oauth_grant.c.no.not_in(lives), tables.oauth_grant.c.no.not_in(waits)),
        )
    )
    return any(more)


def add_agent(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add an agent."""
    connection.execute(sa.insert(tables.agent).values(**values))


def agent_of_id(connection: sa.Connection, public_id: str) -> sa.RowMapping | None:
    """An agent by its id, whoever it belongs to."""
    return (
        connection.execute(sa.select(tables.agent).where(tables.agent.c.id == public_id))
        .mappings()
        .first()
    )


def agent_of_claim(connection: sa.Connection, digest: str) -> sa.RowMapping | None:
    """The agent whose claim token has a hash."""
    return (
        connection.execute(sa.select(tables.agent).where(tables.agent.c.claim_hash == digest))
        .mappings()
        .first()
    )


def get_agent(connection: sa.Connection, no: int) -> sa.RowMapping:
    """The agent of a number."""
    return (
        connection.execute(sa.select(tables.agent).where(tables.agent.c.no == no)).mappings().one()
    )


def is_agent_there(connection: sa.Connection, no: int) -> bool:
    """Whether there is an agent of a number."""
    return (
        connection.execute(sa.select(tables.agent.c.no).where(tables.agent.c.no == no)).first()
        is not None
    )


def list_agents(connection: sa.Connection, owner: int) -> Sequence[sa.RowMapping]:
    """The agents that a person has claimed, the newest first."""
    query = sa.select(tables.agent).where(
        tables.agent.c.owner_no == owner, tables.agent.c.claimed_at.is_not(None)
    )
    return connection.execute(query.order_by(tables.agent.c.claimed_at.desc())).mappings().all()


def find_agent(connection: sa.Connection, owner: int, public_id: str) -> sa.RowMapping | None:
    """An agent that a person has claimed, by its id."""
    query = sa.select(tables.agent).where(
        tables.agent.c.owner_no == owner,
        tables.agent.c.id == public_id,
        tables.agent.c.claimed_at.is_not(None),
    )
    return connection.execute(query).mappings().first()


def change_agent(connection: sa.Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of an agent."""
    connection.execute(sa.update(tables.agent).where(tables.agent.c.no == no).values(**values))


def remove_agent(connection: sa.Connection, no: int) -> None:
    """Remove an agent with its tokens and tries."""
    connection.execute(sa.delete(tables.agent).where(tables.agent.c.no == no))


def begin_attempt(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Begin a try to have an agent claimed, which ends those before."""
    end_attempts(connection, values["agent_no"])
    connection.execute(sa.insert(tables.claim_attempt).values(**values))


def end_attempts(connection: sa.Connection, agent_no: int) -> None:
    """End every try to have an agent claimed."""
    connection.execute(
        sa.delete(tables.claim_attempt).where(tables.claim_attempt.c.agent_no == agent_no)
    )


def end_attempts_for(connection: sa.Connection, email_key: str) -> None:
    """End every try to have an agent claimed by who has an address."""
    connection.execute(
        sa.delete(tables.claim_attempt).where(tables.claim_attempt.c.email_key == email_key)
    )


def attempt_of_view(connection: sa.Connection, digest: str) -> sa.RowMapping | None:
    """The try whose page has a hash."""
    return (
        connection.execute(
            sa.select(tables.claim_attempt).where(tables.claim_attempt.c.view_hash == digest)
        )
        .mappings()
        .first()
    )


def attempt_of_id(connection: sa.Connection, public_id: str) -> sa.RowMapping | None:
    """A try by its id."""
    return (
        connection.execute(
            sa.select(tables.claim_attempt).where(tables.claim_attempt.c.id == public_id)
        )
        .mappings()
        .first()
    )


def attempts_of_email(
    connection: sa.Connection, email_key: str, now: int
) -> Sequence[sa.RowMapping]:
    """The tries that ask for who has an address and that are not over, the oldest first."""
    query = sa.select(tables.claim_attempt).where(
        tables.claim_attempt.c.email_key == email_key, tables.claim_attempt.c.expires_at > now
    )
    return connection.execute(query.order_by(tables.claim_attempt.c.no)).mappings().all()


def attempt_of_agent(connection: sa.Connection, agent_no: int) -> sa.RowMapping | None:
    """The try that an agent waits for."""
    query = sa.select(tables.claim_attempt).where(tables.claim_attempt.c.agent_no == agent_no)
    return connection.execute(query).mappings().first()


def note_claim_try(connection: sa.Connection, no: int) -> None:
    """Count a wrong code."""
    connection.execute(
        sa.update(tables.claim_attempt)
        .where(tables.claim_attempt.c.no == no)
        .values(tries=tables.claim_attempt.c.tries + 1)
    )


def unclaimed_until(connection: sa.Connection, now: int) -> int | None:
    """The owner of an agent that nobody has claimed in time; None where there is no such agent."""
    query = sa.select(tables.agent.c.owner_no).where(
        tables.agent.c.claimed_at.is_(None), tables.agent.c.expires_at <= now
    )
    return connection.execute(query.limit(1)).scalar()


def add_signing_key(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add a key."""
    connection.execute(sa.insert(tables.signing_key).values(**values))


def list_signing_keys(
    connection: sa.Connection, algorithms: Sequence[str]
) -> Sequence[sa.RowMapping]:
    """Every key of some algorithms that something may still be signed with, the newest first."""
    query = (
        sa.select(tables.signing_key)
        .where(tables.signing_key.c.algorithm.in_(algorithms))
        .order_by(tables.signing_key.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def count_signing_keys_from(connection: sa.Connection, algorithms: Sequence[str], now: int) -> None:
    """Let the keys of some algorithms that were made in the future count as made now."""
    ahead = tables.signing_key.c.algorithm.in_(algorithms) & (tables.signing_key.c.created_at > now)
    connection.execute(sa.update(tables.signing_key).where(ahead).values(created_at=now))


def sweep_signing_keys(
    connection: sa.Connection, algorithms: Sequence[str], before: int, but: str | None = None
) -> None:
    """Forget the keys of some algorithms made before an instant, but for one of them by its name."""
    old = tables.signing_key.c.algorithm.in_(algorithms) & (
        tables.signing_key.c.created_at < before
    )
    connection.execute(
        sa.delete(tables.signing_key).where(old, tables.signing_key.c.kid.is_distinct_from(but))
    )
