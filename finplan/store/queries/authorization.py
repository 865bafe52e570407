"""The authorization server: clients, what people granted them, agents, and the keys that sign.

OAuth clients are forgotten where nobody ever let one in. From grants follow codes and tokens.
Agents came without an account, and try to have themselves claimed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from finplan.store.queries.rows import (
    add,
    change,
    every,
    find,
    first,
    forget_some,
    get,
    is_there,
    remove,
)
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


def add_client(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add a client."""
    add(connection, oauth_client, values)


def client_of_id(connection: sa.Connection, public_id: str) -> sa.RowMapping | None:
    """A client by its id, whoever it belongs to."""
    return find(connection, oauth_client, id=public_id)


def list_clients(connection: sa.Connection, owner: int) -> Sequence[sa.RowMapping]:
    """The clients that a person made or let in, the newest first."""
    return every(connection, _clients_of(owner).order_by(oauth_client.c.no.desc()))


def find_client(connection: sa.Connection, owner: int, public_id: str) -> sa.RowMapping | None:
    """A client that a person made or let in, by its id."""
    return first(connection, _clients_of(owner).where(oauth_client.c.id == public_id))


def note_client_use(connection: sa.Connection, no: int, now: int) -> None:
    """Note when a client was last used."""
    change(connection, oauth_client, no, last_used_at=now)


def remove_client(connection: sa.Connection, no: int) -> None:
    """Remove a client with all that it was granted."""
    remove(connection, oauth_client, no=no)


def sweep_clients(connection: sa.Connection, before: int) -> bool:
    """Forget a batch of those that registered themselves before an instant and nobody ever let in.

    Answers whether more may be.
    """
    never = sa.and_(
        oauth_client.c.owner_no.is_(None),
        oauth_client.c.last_used_at.is_(None),
        ~sa.exists().where(oauth_grant.c.client_no == oauth_client.c.no),
        oauth_client.c.created_at < before,
    )
    return forget_some(connection, oauth_client, never)


def _clients_of(owner: int) -> sa.Select[Any]:
    granted = sa.exists().where(
        oauth_grant.c.client_no == oauth_client.c.no, oauth_grant.c.owner_no == owner
    )
    return sa.select(oauth_client).where(sa.or_(oauth_client.c.owner_no == owner, granted))


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
    return add(connection, oauth_grant, values)


def get_grant(connection: sa.Connection, no: int) -> sa.RowMapping:
    """The grant of a number."""
    return get(connection, oauth_grant, no)


def client_of_grant(connection: sa.Connection, no: int) -> str | None:
    """The id of the client that a grant is to; None where the grant was ended."""
    query = sa.select(oauth_client.c.id).join(
        oauth_grant, oauth_grant.c.client_no == oauth_client.c.no
    )
    return connection.execute(query.where(oauth_grant.c.no == no)).scalar()


def holds_grants(connection: sa.Connection, owner: int, client_no: int) -> bool:
    """Whether a client holds any grant of a person."""
    return is_there(connection, oauth_grant, owner_no=owner, client_no=client_no)


def end_grant(connection: sa.Connection, no: int) -> None:
    """End a grant with every code and token that follows from it."""
    remove(connection, oauth_grant, no=no)


def end_grants(connection: sa.Connection, owner: int, client_no: int) -> None:
    """End all that a person granted a client."""
    remove(connection, oauth_grant, owner_no=owner, client_no=client_no)


class HeldGrant(NamedTuple):
    """What a client still holds of one grant of a person, and when it last got something by it."""

    client_no: int
    scopes: str
    last_at: int | None


def held_of(connection: sa.Connection, owner: int, now: int) -> Sequence[HeldGrant]:
    """What clients hold of a person: the grants of which a token or a code still lets them in."""
    lives = sa.or_(
        oauth_grant.c.no.in_(_grants_of(oauth_token, now)),
        oauth_grant.c.no.in_(_grants_of(oauth_code, now)),
    )
    query = (
        sa.select(
            oauth_grant.c.client_no, oauth_grant.c.scopes, sa.func.max(oauth_token.c.created_at)
        )
        .outerjoin(oauth_token, oauth_token.c.grant_no == oauth_grant.c.no)
        .where(oauth_grant.c.owner_no == owner, lives)
        .group_by(oauth_grant.c.no, oauth_grant.c.client_no, oauth_grant.c.scopes)
    )
    return [HeldGrant(*row) for row in connection.execute(query)]


def _grants_of(secret: sa.Table, now: int) -> sa.Select[tuple[int]]:
    """The grants of which there is a secret that holds."""
    return sa.select(secret.c.grant_no).where(secret.c.used_at.is_(None), secret.c.expires_at > now)


def add_code(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add a code."""
    add(connection, oauth_code, values)


def code_of_hash(connection: sa.Connection, digest: str) -> sa.RowMapping | None:
    """The code with a hash, used or not."""
    return find(connection, oauth_code, hash=digest)


def use_code(connection: sa.Connection, no: int, now: int, until: int) -> None:
    """Say that a code was exchanged; it is known as used until an instant."""
    change(connection, oauth_code, no, used_at=now, expires_at=until)


def add_token(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add an access or a refresh token."""
    add(connection, oauth_token, values)


TOKEN_OF_HASH = LookUp(
    "SELECT t.no, t.owner_no, t.grant_no, t.agent_no, t.kind, t.scopes, t.resource, t.expires_at,"
    " t.used_at, t.agent_no IS NOT NULL AND a.claimed_at IS NULL"
    " FROM oauth_token t LEFT JOIN agent a ON a.no = t.agent_no WHERE t.hash = ?",
    lambda *row: StoredToken._make((*row[:-1], bool(row[-1]))),
)
"""The token with a hash, used or not."""


def use_token(connection: sa.Connection, no: int, now: int) -> None:
    """Note that a token was used, a refresh token for the one time that it may be."""
    change(connection, oauth_token, no, used_at=now)


def remove_token(connection: sa.Connection, no: int) -> None:
    """End one token."""
    remove(connection, oauth_token, no=no)


def end_agents_tokens(connection: sa.Connection, agent_no: int) -> None:
    """End all tokens of an agent."""
    remove(connection, oauth_token, agent_no=agent_no)


def end_agents_oldest(connection: sa.Connection, agent_no: int, most: int) -> None:
    """End the oldest tokens of an agent beyond as many as are kept."""
    mine = sa.select(oauth_token.c.no).where(oauth_token.c.agent_no == agent_no)
    newest = mine.order_by(oauth_token.c.no.desc()).limit(most)
    connection.execute(
        sa.delete(oauth_token).where(
            oauth_token.c.agent_no == agent_no, oauth_token.c.no.not_in(newest)
        )
    )


def sweep_grants(connection: sa.Connection, now: int) -> bool:
    """Forget a batch of the codes and tokens that are over, and of the grants nothing is left of.

    Answers whether more may be.
    """
    unfinished = [
        forget_some(connection, table, table.c.expires_at <= now)
        for table in (oauth_token, oauth_code)
    ]
    lives = sa.select(oauth_token.c.grant_no).where(oauth_token.c.grant_no.is_not(None))
    waits = sa.select(oauth_code.c.grant_no)
    over = sa.and_(oauth_grant.c.no.not_in(lives), oauth_grant.c.no.not_in(waits))
    return any((*unfinished, forget_some(connection, oauth_grant, over)))


def add_agent(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add an agent."""
    add(connection, agent, values)


def agent_of_id(connection: sa.Connection, public_id: str) -> sa.RowMapping | None:
    """An agent by its id, whoever it belongs to."""
    return find(connection, agent, id=public_id)


def agent_of_claim(connection: sa.Connection, digest: str) -> sa.RowMapping | None:
    """The agent whose claim token has a hash."""
    return find(connection, agent, claim_hash=digest)


def get_agent(connection: sa.Connection, no: int) -> sa.RowMapping:
    """The agent of a number."""
    return get(connection, agent, no)


def is_agent_there(connection: sa.Connection, no: int) -> bool:
    """Whether there is an agent of a number."""
    return is_there(connection, agent, no=no)


def list_agents(connection: sa.Connection, owner: int) -> Sequence[sa.RowMapping]:
    """The agents that a person has claimed, the newest first."""
    return every(connection, _claimed_by(owner).order_by(agent.c.claimed_at.desc()))


def find_agent(connection: sa.Connection, owner: int, public_id: str) -> sa.RowMapping | None:
    """An agent that a person has claimed, by its id."""
    return first(connection, _claimed_by(owner).where(agent.c.id == public_id))


def _claimed_by(owner: int) -> sa.Select[Any]:
    return sa.select(agent).where(agent.c.owner_no == owner, agent.c.claimed_at.is_not(None))


def change_agent(connection: sa.Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of an agent."""
    change(connection, agent, no, **values)


def remove_agent(connection: sa.Connection, no: int) -> None:
    """Remove an agent with its tokens and tries."""
    remove(connection, agent, no=no)


def begin_attempt(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Begin a try to have an agent claimed, which ends those before."""
    end_attempts(connection, values["agent_no"])
    add(connection, claim_attempt, values)


def end_attempts(connection: sa.Connection, agent_no: int) -> None:
    """End every try to have an agent claimed."""
    remove(connection, claim_attempt, agent_no=agent_no)


def end_attempts_for(connection: sa.Connection, email_key: str) -> None:
    """End every try to have an agent claimed by who has an address."""
    remove(connection, claim_attempt, email_key=email_key)


def attempt_of_view(connection: sa.Connection, digest: str) -> sa.RowMapping | None:
    """The try whose page has a hash."""
    return find(connection, claim_attempt, view_hash=digest)


def attempt_of_id(connection: sa.Connection, public_id: str) -> sa.RowMapping | None:
    """A try by its id."""
    return find(connection, claim_attempt, id=public_id)


def attempts_of_email(
    connection: sa.Connection, email_key: str, now: int
) -> Sequence[sa.RowMapping]:
    """The tries that ask for who has an address and that are not over, the oldest first."""
    query = sa.select(claim_attempt).where(
        claim_attempt.c.email_key == email_key, claim_attempt.c.expires_at > now
    )
    return every(connection, query.order_by(claim_attempt.c.no))


def attempt_of_agent(connection: sa.Connection, agent_no: int) -> sa.RowMapping | None:
    """The try that an agent waits for."""
    return find(connection, claim_attempt, agent_no=agent_no)


def note_claim_try(connection: sa.Connection, no: int) -> None:
    """Count a wrong code."""
    change(connection, claim_attempt, no, tries=claim_attempt.c.tries + 1)


def unclaimed_until(connection: sa.Connection, now: int) -> int | None:
    """The owner of an agent that nobody has claimed in time; None where there is no such agent."""
    query = sa.select(agent.c.owner_no).where(
        agent.c.claimed_at.is_(None), agent.c.expires_at <= now
    )
    return connection.execute(query.limit(1)).scalar()


def add_signing_key(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add a key."""
    add(connection, signing_key, values)


def list_signing_keys(
    connection: sa.Connection, algorithms: Sequence[str]
) -> Sequence[sa.RowMapping]:
    """Every key of some algorithms that something may still be signed with, the newest first."""
    query = sa.select(signing_key).where(signing_key.c.algorithm.in_(algorithms))
    return every(connection, query.order_by(signing_key.c.no.desc()))


def count_signing_keys_from(connection: sa.Connection, algorithms: Sequence[str], now: int) -> None:
    """Let the keys of some algorithms that were made in the future count as made now."""
    ahead = signing_key.c.algorithm.in_(algorithms) & (signing_key.c.created_at > now)
    connection.execute(sa.update(signing_key).where(ahead).values(created_at=now))


def sweep_signing_keys(
    connection: sa.Connection, algorithms: Sequence[str], before: int, but: str | None = None
) -> None:
    """Forget the keys of some algorithms made before an instant, but for one of them by its name."""
    old = signing_key.c.algorithm.in_(algorithms) & (signing_key.c.created_at < before)
    connection.execute(sa.delete(signing_key).where(old, signing_key.c.kid.is_distinct_from(but)))
