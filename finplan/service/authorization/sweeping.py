"""Forgetting what lets nobody in any more: what is over, and the guests of agents nobody claimed."""

from sqlalchemy import Connection

from finplan.service.authorization.agents import sweep as sweep_agents
from finplan.store.queries.access import audit, grants, sessions


def sweep(connection: Connection, now: int) -> None:
    """Forget it all, as of an instant in milliseconds."""
    sessions.sweep(connection, now)
    grants.sweep(connection, now)
    audit.sweep(connection, now)
    sweep_agents(connection, now)
