"""Agents that came without an account, and the tries to have them claimed."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update

from finplan.store.tables.tables import agent as table
from finplan.store.tables.tables import claim_attempt as attempt


def add_agent(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add an agent."""
    connection.execute(insert(table).values(**values))


def agent_of_id(connection: Connection, public_id: str) -> RowMapping | None:
    """An agent by its id, whoever it belongs to."""
    return connection.execute(select(table).where(table.c.id == public_id)).mappings().first()


def agent_of_claim(connection: Connection, digest: str) -> RowMapping | None:
    """The agent whose claim token has a hash."""
    return connection.execute(select(table).where(table.c.claim_hash == digest)).mappings().first()


def get_agent(connection: Connection, no: int) -> RowMapping:
    """The agent of a number."""
    return connection.execute(select(table).where(table.c.no == no)).mappings().one()


def is_there(connection: Connection, no: int) -> bool:
    """Whether there is an agent of a number."""
    return connection.execute(select(table.c.no).where(table.c.no == no)).first() is not None


def list_agents(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """The agents that a person has claimed, the newest first."""
    query = select(table).where(table.c.owner_no == owner, table.c.claimed_at.is_not(None))
    return connection.execute(query.order_by(table.c.claimed_at.desc())).mappings().all()


def find_agent(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """An agent that a person has claimed, by its id."""
    query = select(table).where(
        table.c.owner_no == owner, table.c.id == public_id, table.c.claimed_at.is_not(None)
    )
    return connection.execute(query).mappings().first()


def change_agent(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of an agent."""
    connection.execute(update(table).where(table.c.no == no).values(**values))


def remove_agent(connection: Connection, no: int) -> None:
    """Remove an agent with its tokens and tries."""
    connection.execute(delete(table).where(table.c.no == no))


def begin_attempt(connection: Connection, values: Mapping[str, Any]) -> None:
    """Begin a try to have an agent claimed, which ends those before."""
    end_attempts(connection, values["agent_no"])
    connection.execute(insert(attempt).values(**values))


def end_attempts(connection: Connection, agent_no: int) -> None:
    """End every try to have an agent claimed."""
    connection.execute(delete(attempt).where(attempt.c.agent_no == agent_no))


def end_attempts_for(connection: Connection, email_key: str) -> None:
    """End every try to have an agent claimed by who has an address."""
    connection.execute(delete(attempt).where(attempt.c.email_key == email_key))


def attempt_of_view(connection: Connection, digest: str) -> RowMapping | None:
    """The try whose page has a hash."""
    return (
        connection.execute(select(attempt).where(attempt.c.view_hash == digest)).mappings().first()
    )


def attempt_of_id(connection: Connection, public_id: str) -> RowMapping | None:
    """A try by its id."""
    return connection.execute(select(attempt).where(attempt.c.id == public_id)).mappings().first()


def attempts_of_email(connection: Connection, email_key: str, now: int) -> Sequence[RowMapping]:
    """The tries that ask for who has an address and that are not over, the oldest first."""
    query = select(attempt).where(attempt.c.email_key == email_key, attempt.c.expires_at > now)
    return connection.execute(query.order_by(attempt.c.no)).mappings().all()


def attempt_of_agent(connection: Connection, agent_no: int) -> RowMapping | None:
    """The try that an agent waits for."""
    query = select(attempt).where(attempt.c.agent_no == agent_no)
    return connection.execute(query).mappings().first()


def note_try(connection: Connection, no: int) -> None:
    """Count a wrong code."""
    connection.execute(update(attempt).where(attempt.c.no == no).values(tries=attempt.c.tries + 1))


def unclaimed_until(connection: Connection, now: int) -> int | None:
    """The owner of an agent that nobody has claimed in time; None where there is no such agent."""
    query = select(table.c.owner_no).where(table.c.claimed_at.is_(None), table.c.expires_at <= now)
    return connection.execute(query.limit(1)).scalar()
