"""The plans that were built, and the events that moved the daily allowance."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select

from finplan.store.tables.tables import allowance_change
from finplan.store.tables.tables import plan as table

KEPT = 400
"""How many plans of a person are kept; the oldest go."""


def save_plan(connection: Connection, owner: int, created_at: int, body: str) -> int:
    """Keep a plan; answers when it was created, which no two plans of a person share."""
    newest = connection.exec_driver_sql(
        "SELECT coalesce(max(created_at), 0) FROM plan WHERE owner_no = ?", (owner,)
    ).scalar_one()
    created_at = max(created_at, int(newest) + 1)
    connection.execute(insert(table).values(owner_no=owner, created_at=created_at, body=body))
    connection.exec_driver_sql(
        "DELETE FROM plan WHERE owner_no = ? AND no NOT IN"
        " (SELECT no FROM plan WHERE owner_no = ? ORDER BY created_at DESC LIMIT ?)",
        (owner, owner, KEPT),
    )
    return created_at


def list_plans(connection: Connection, owner: int, limit: int) -> Sequence[tuple[int, str]]:
    """When each plan was created and its JSON, newest first."""
    query = (
        select(table.c.created_at, table.c.body)
        .where(table.c.owner_no == owner)
        .order_by(table.c.created_at.desc())
        .limit(limit)
    )
    return [(created_at, body) for created_at, body in connection.execute(query)]


def plan_body(connection: Connection, owner: int, created_at: int) -> str:
    """The JSON of the plan that was created at an instant."""
    query = select(table.c.body).where(table.c.owner_no == owner, table.c.created_at == created_at)
    return str(connection.execute(query).scalar_one())


def save_change(connection: Connection, values: Mapping[str, Any]) -> None:
    """Keep an event that moved the daily allowance."""
    connection.execute(insert(allowance_change).values(**values))


def last_change(connection: Connection, owner: int, since: int) -> tuple[str, int, int, int] | None:
    """Id, time, before and after of the last event that moved the allowance since an instant."""
    query = (
        select(
            allowance_change.c.id,
            allowance_change.c.at,
            allowance_change.c.before,
            allowance_change.c.after,
        )
        .where(allowance_change.c.owner_no == owner, allowance_change.c.at >= since)
        .order_by(allowance_change.c.at.desc(), allowance_change.c.no.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return None if row is None else (row[0], row[1], row[2], row[3])
