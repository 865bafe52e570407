"""The plans that were built."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from finplan.store.tables.tables import plan as table

KEPT = 400
"""How many plans of a person are kept; the oldest go."""


class NewestPlan(NamedTuple):
    """The plan built last: its instant in ms, its JSON, and the data that it was worked out with."""

    created_at: int
    body: str
    data_no: int | None


def save_plan(connection: Connection, owner: int, created_at: int, body: str, data_no: int) -> int:
    """Keep a plan; answers when it was created, which no two plans of a person share."""
    newest = connection.exec_driver_sql(
        "SELECT coalesce(max(created_at), 0) FROM plan WHERE owner_no = ?", (owner,)
    ).scalar_one()
    created_at = max(created_at, int(newest) + 1)
    values = {"created_at": created_at, "body": body, "data_no": data_no}
    connection.execute(insert(table).values(owner_no=owner, **values))
    connection.exec_driver_sql(
        "DELETE FROM plan WHERE owner_no = ? AND no NOT IN"
        " (SELECT no FROM plan WHERE owner_no = ? ORDER BY created_at DESC LIMIT ?)",
        (owner, owner, KEPT),
    )
    return created_at


def is_planned(connection: Connection, owner: int) -> bool:
    """Whether a person has a plan."""
    query = select(table.c.no).where(table.c.owner_no == owner).limit(1)
    return connection.execute(query).first() is not None


def newest_plan(connection: Connection, owner: int) -> NewestPlan | None:
    """The plan that was built last; None before the first."""
    query = (
        select(table.c.created_at, table.c.body, table.c.data_no)
        .where(table.c.owner_no == owner)
        .order_by(table.c.created_at.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return None if row is None else NewestPlan(*row)


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
