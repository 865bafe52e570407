"""The authorization server: clients, what people granted them, agents, and the keys that sign.

OAuth clients are forgotten where nobody ever let one in. From grants follow codes and tokens.
Agents came without an account, and try to have themselves claimed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    RowMapping,
    Select,
    Table,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from finplan.store.queries.credentials import forget_some
from finplan.store.store_file import LookUp
from finplan.store.tables.tables import (
    agent,
    claim_attempt,
    oauth_client,
    oauth_code,
    oauth_grant,
    oauth_token,
    signing_key,
)


def add_client(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a client."""
    connection.execute(insert(oauth_client).values(**values))


def client_of_id(connection: Connection, public_id: str) -> RowMapping | None:
    """A client by its id, whoever it belongs to."""
    return (
        connection.execute(select(oauth_client).where(oauth_client.c.id == public_id))
        .mappings()
        .first()
    )


def list_clients(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """The clients that a person made or let in, the newest first."""
    return (
        connection.execute(_clients_of(owner).order_by(oauth_client.c.no.desc())).mappings().all()
    )


def find_client(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A client that a person made or let in, by its id."""
    return (
        connection.execute(_clients_of(owner).where(oauth_client.c.id == public_id))
        .mappings()
        .first()
    )


def note_client_use(connection: Connection, no: int, now: int) -> None:
    """Note when a client was last used."""
    connection.execute(update(oauth_client).where(oauth_client.c.no == no).values(last_used_at=now))


def remove_client(connection: Connection, no: int) -> None:
    """Remove a client with all that it was granted."""
    connection.execute(delete(oauth_client).where(oauth_client.c.no == no))


def sweep_clients(connection: Connection, before: int) -> bool:
    """Forget a batch of those that registered themselves before an instant and nobody ever let in.

    Answers whether more may be.
    """
    granted = exists().where(oauth_grant.c.client_no == oauth_client.c.no)
    never = (oauth_client.c.owner_no.is_(None), oauth_client.c.last_used_at.is_(None), ~granted)
    return forget_some(connection, oauth_client, and_(*never, oauth_client.c.created_at < before))


def _clients_of(owner: int) -> Any:
    granted = exists().where(
        oauth_grant.c.client_no == oauth_client.c.no, oauth_grant.c.owner_no == owner
    )
    return select(oauth_client).where(or_(oauth_client.c.owner_no == owner, granted))


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
        connection.execute(
            insert(oauth_grant).values(**values).returning(oauth_grant.c.no)
        ).scalar_one()
    )


def get_grant(connection: Connection, no: int) -> RowMapping:
    """The grant of a number."""
    return connection.execute(select(oauth_grant).where(oauth_grant.c.no == no)).mappings().one()


def client_of_grant(connection: Connection, no: int) -> str | None:
    """The id of the client that a grant is to; None where the grant was ended."""
    query = select(oauth_client.c.id).join(
        oauth_grant, oauth_grant.c.client_no == oauth_client.c.no
    )
    return connection.execute(query.where(oauth_grant.c.no == no)).scalar()


def holds_grants(connection: Connection, owner: int, client_no: int) -> bool:
    """Whether a client holds any grant of a person."""
    query = select(oauth_grant.c.no).where(
        oauth_grant.c.owner_no == owner, oauth_grant.c.client_no == client_no
    )
    return connection.execute(query.limit(1)).first() is not None


def end_grant(connection: Connection, no: int) -> None:
    """End a grant with every code and token that follows from it."""
    connection.execute(delete(oauth_grant).where(oauth_grant.c.no == no))


def end_grants(connection: Connection, owner: int, client_no: int) -> None:
    """End all that a person granted a client."""
    connection.execute(
        delete(oauth_grant).where(
            oauth_grant.c.owner_no == owner, oauth_grant.c.client_no == client_no
        )
    )


class HeldGrant(NamedTuple):
    """What a client still holds of one grant of a person, and when it last got something by it."""

    client_no: int
    scopes: str
    last_at: int | None


def held_of(connection: Connection, owner: int, now: int) -> Sequence[HeldGrant]:
    """What clients hold of a person: the grants of which a token or a code still lets them in."""
    lives = or_(
        oauth_grant.c.no.in_(_grants_of(oauth_token, now)),
        oauth_grant.c.no.in_(_grants_of(oauth_code, now)),
    )
    query = (
        select(oauth_grant.c.client_no, oauth_grant.c.scopes, func.max(oauth_token.c.created_at))
        .outerjoin(oauth_token, oauth_token.c.grant_no == oauth_grant.c.no)
        .where(oauth_grant.c.owner_no == owner, lives)
        .group_by(oauth_grant.c.no, oauth_grant.c.client_no, oauth_grant.c.scopes)
    )
    return [HeldGrant(*row) for row in connection.execute(query)]


def _grants_of(secret: Table, now: int) -> Select[tuple[int]]:
    """The grants of which there is a secret that holds."""
    return select(secret.c.grant_no).where(secret.c.used_at.is_(None), secret.c.expires_at > now)


def add_code(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a code."""
    connection.execute(insert(oauth_code).values(**values))


def code_of_hash(connection: Connection, digest: str) -> RowMapping | None:
    """The code with a hash, used or not."""
    return (
        connection.execute(select(oauth_code).where(oauth_code.c.hash == digest)).mappings().first()
    )


def use_code(connection: Connection, no: int, now: int, until: int) -> None:
    """Say that a code was exchanged; it is known as used until an instant."""
    connection.execute(
        update(oauth_code).where(oauth_code.c.no == no).values(used_at=now, expires_at=until)
    )


def add_token(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add an access or a refresh token."""
    connection.execute(insert(oauth_token).values(**values))


TOKEN_OF_HASH = LookUp(
    "SELECT t.no, t.owner_no, t.grant_no, t.agent_no, t.kind, t.scopes, t.resource, t.expires_at,"
    " t.used_at, t.agent_no IS NOT NULL AND a.claimed_at IS NULL"
    " FROM oauth_token t LEFT JOIN agent a ON a.no = t.agent_no WHERE t.hash = ?",
    lambda *row: StoredToken._make((*row[:-1], bool(row[-1]))),
)
"""The token with a hash, used or not."""


def use_token(connection: Connection, no: int, now: int) -> None:
    """Note that a token was used, a refresh token for the one time that it may be."""
    connection.execute(update(oauth_token).where(oauth_token.c.no == no).values(used_at=now))


def remove_token(connection: Connection, no: int) -> None:
    """End one token."""
    connection.execute(delete(oauth_token).where(oauth_token.c.no == no))


def end_agents_tokens(connection: Connection, agent_no: int) -> None:
    """End all tokens of an agent."""
    connection.execute(delete(oauth_token).where(oauth_token.c.agent_no == agent_no))


def end_agents_oldest(connection: Connection, agent_no: int, kept: int) -> None:
    """End the oldest tokens of an agent beyond as many as are kept."""
    mine = select(oauth_token.c.no).where(oauth_token.c.agent_no == agent_no)
    newest = mine.order_by(oauth_token.c.no.desc()).limit(kept)
    connection.execute(
        delete(oauth_token).where(
            oauth_token.c.agent_no == agent_no, oauth_token.c.no.not_in(newest)
        )
    )


def sweep_grants(connection: Connection, now: int) -> bool:
    """Forget a batch of the codes and tokens that are over, and of the grants nothing is left of.

    Answers whether more may be.
    """
    more = [
        forget_some(connection, each, each.c.expires_at <= now)
        for each in (oauth_token, oauth_code)
    ]
    lives = select(oauth_token.c.grant_no).where(oauth_token.c.grant_no.is_not(None))
    waits = select(oauth_code.c.grant_no)
    more.append(
        forget_some(
            connection,
            oauth_grant,
            and_(oauth_grant.c.no.not_in(lives), oauth_grant.c.no.not_in(waits)),
        )
    )
    return any(more)


def add_agent(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add an agent."""
    connection.execute(insert(agent).values(**values))


def agent_of_id(connection: Connection, public_id: str) -> RowMapping | None:
    """An agent by its id, whoever it belongs to."""
    return connection.execute(select(agent).where(agent.c.id == public_id)).mappings().first()


def agent_of_claim(connection: Connection, digest: str) -> RowMapping | None:
    """The agent whose claim token has a hash."""
    return connection.execute(select(agent).where(agent.c.claim_hash == digest)).mappings().first()


def get_agent(connection: Connection, no: int) -> RowMapping:
    """The agent of a number."""
    return connection.execute(select(agent).where(agent.c.no == no)).mappings().one()


def is_agent_there(connection: Connection, no: int) -> bool:
    """Whether there is an agent of a number."""
    return connection.execute(select(agent.c.no).where(agent.c.no == no)).first() is not None


def list_agents(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """The agents that a person has claimed, the newest first."""
    query = select(agent).where(agent.c.owner_no == owner, agent.c.claimed_at.is_not(None))
    return connection.execute(query.order_by(agent.c.claimed_at.desc())).mappings().all()


def find_agent(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """An agent that a person has claimed, by its id."""
    query = select(agent).where(
        agent.c.owner_no == owner, agent.c.id == public_id, agent.c.claimed_at.is_not(None)
    )
    return connection.execute(query).mappings().first()


def change_agent(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of an agent."""
    connection.execute(update(agent).where(agent.c.no == no).values(**values))


def remove_agent(connection: Connection, no: int) -> None:
    """Remove an agent with its tokens and tries."""
    connection.execute(delete(agent).where(agent.c.no == no))


def begin_attempt(connection: Connection, values: Mapping[str, Any]) -> None:
    """Begin a try to have an agent claimed, which ends those before."""
    end_attempts(connection, values["agent_no"])
    connection.execute(insert(claim_attempt).values(**values))


def end_attempts(connection: Connection, agent_no: int) -> None:
    """End every try to have an agent claimed."""
    connection.execute(delete(claim_attempt).where(claim_attempt.c.agent_no == agent_no))


def end_attempts_for(connection: Connection, email_key: str) -> None:
    """End every try to have an agent claimed by who has an address."""
    connection.execute(delete(claim_attempt).where(claim_attempt.c.email_key == email_key))


def attempt_of_view(connection: Connection, digest: str) -> RowMapping | None:
    """The try whose page has a hash."""
    return (
        connection.execute(select(claim_attempt).where(claim_attempt.c.view_hash == digest))
        .mappings()
        .first()
    )


def attempt_of_id(connection: Connection, public_id: str) -> RowMapping | None:
    """A try by its id."""
    return (
        connection.execute(select(claim_attempt).where(claim_attempt.c.id == public_id))
        .mappings()
        .first()
    )


def attempts_of_email(connection: Connection, email_key: str, now: int) -> Sequence[RowMapping]:
    """The tries that ask for who has an address and that are not over, the oldest first."""
    query = select(claim_attempt).where(
        claim_attempt.c.email_key == email_key, claim_attempt.c.expires_at > now
    )
    return connection.execute(query.order_by(claim_attempt.c.no)).mappings().all()


def attempt_of_agent(connection: Connection, agent_no: int) -> RowMapping | None:
    """The try that an agent waits for."""
    query = select(claim_attempt).where(claim_attempt.c.agent_no == agent_no)
    return connection.execute(query).mappings().first()


def note_claim_try(connection: Connection, no: int) -> None:
    """Count a wrong code."""
    connection.execute(
        update(claim_attempt)
        .where(claim_attempt.c.no == no)
        .values(tries=claim_attempt.c.tries + 1)
    )


def unclaimed_until(connection: Connection, now: int) -> int | None:
    """The owner of an agent that nobody has claimed in time; None where there is no such agent."""
    query = select(agent.c.owner_no).where(agent.c.claimed_at.is_(None), agent.c.expires_at <= now)
    return connection.execute(query.limit(1)).scalar()


def add_signing_key(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a key."""
    connection.execute(insert(signing_key).values(**values))


def list_signing_keys(connection: Connection, algorithms: Sequence[str]) -> Sequence[RowMapping]:
    """Every key of some algorithms that something may still be signed with, the newest first."""
    query = (
        select(signing_key)
        .where(signing_key.c.algorithm.in_(algorithms))
        .order_by(signing_key.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def count_signing_keys_from(connection: Connection, algorithms: Sequence[str], now: int) -> None:
    """Let the keys of some algorithms that were made in the future count as made now."""
    ahead = signing_key.c.algorithm.in_(algorithms) & (signing_key.c.created_at > now)
    connection.execute(update(signing_key).where(ahead).values(created_at=now))


def sweep_signing_keys(
    connection: Connection, algorithms: Sequence[str], before: int, but: str | None = None
) -> None:
    """Forget the keys of some algorithms made before an instant, but for one of them by its name."""
    old = signing_key.c.algorithm.in_(algorithms) & (signing_key.c.created_at < before)
    connection.execute(delete(signing_key).where(old, signing_key.c.kid.is_distinct_from(but)))
