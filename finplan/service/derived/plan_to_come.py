"""The plan that follows from news by itself, once they have settled."""

from sqlalchemy import Connection

from finplan.store.queries import jobs

SETTLING = 5 * 60_000
"""How long after news of a bank or a file a plan is built by itself, in ms: several make one plan."""


def let_plan_follow(connection: Connection, owner: int, now: int) -> None:
    """Let a plan be built by itself soon after news that came at an instant in ms."""
    jobs.bring_forward(connection, owner, "plan", now + SETTLING)
