"""What agents have asked over A2A: each person's newest, until its time is over."""

from typing import Any, NamedTuple

import sqlalchemy as sa

from finplan.store.queries import rows
from finplan.store.tables.tables import agent_task as table

MOST_KEPT = 500
"""How many tasks of a person are kept; those that have stood longest go."""

KEPT_FOR = 30 * 24 * 60 * 60 * 1000
"""How long a task is kept after it last changed, in milliseconds."""


class AgentTaskPosition(NamedTuple):
    """A task in the order of the pages: by when it last changed and by number, downwards."""

    status_at: int
    no: int


class AgentTaskFilter(NamedTuple):
    """Which tasks: of a context, in a state, and changed at an instant or after it."""

    context_id: str | None
    state: str | None
    since: int | None


def find(connection: sa.Connection, owner: int, task_id: str) -> sa.RowMapping | None:
    """A person's task by id."""
    return rows.find(connection, table, owner_no=owner, id=task_id)


def add(connection: sa.Connection, owner: int, **values: Any) -> None:
    """Add a task, and forget those of the person that are too many, of which it is none.

    A clock that was set back puts it behind others that stood before it.
    """
    rows.add(connection, table, {"owner_no": owner, **values})
    newest = (
        sa.select(table.c.no)
        .filter_by(owner_no=owner)
        .order_by(table.c.status_at.desc(), table.c.no.desc())
        .limit(MOST_KEPT)
    )
    too_many = sa.and_(table.c.no.not_in(newest.scalar_subquery()), table.c.id != values["id"])
    connection.execute(sa.delete(table).filter_by(owner_no=owner).where(too_many))


def go_on(connection: sa.Connection, owner: int, task_id: str, turns: int, **values: Any) -> bool:
    """Change a task that has had so many turns; answers whether it was still so."""
    query = sa.update(table).filter_by(owner_no=owner, id=task_id, turns=turns)
    return connection.execute(query.values(turns=turns + 1, **values)).rowcount == 1


def count(connection: sa.Connection, owner: int, which: AgentTaskFilter) -> int:
    """How many tasks of a person pass a filter."""
    query = sa.select(sa.func.count()).select_from(table).where(_passes(owner, which))
    return int(connection.execute(query).scalar_one())


def page(
    connection: sa.Connection,
    owner: int,
    which: AgentTaskFilter,
    after: AgentTaskPosition | None,
    limit: int,
) -> list[sa.RowMapping]:
    """The tasks of a person that pass a filter and stand after a position, what changed last first."""
    query = sa.select(table).where(_passes(owner, which))
    if after is not None:
        query = query.where(sa.tuple_(table.c.status_at, table.c.no) < after)
    ordered = query.order_by(table.c.status_at.desc(), table.c.no.desc()).limit(limit)
    return list(connection.execute(ordered).mappings())


def prune(connection: sa.Connection, now: int) -> None:
    """Forget the tasks whose time is over."""
    connection.execute(sa.delete(table).where(table.c.status_at <= now - KEPT_FOR))


def _passes(owner: int, which: AgentTaskFilter) -> sa.ColumnElement[bool]:
    conditions = [table.c.owner_no == owner]
    if which.context_id is not None:
        conditions.append(table.c.context_id == which.context_id)
    if which.state is not None:
        conditions.append(table.c.state == which.state)
    if which.since is not None:
        conditions.append(table.c.status_at >= which.since)
    return sa.and_(*conditions)
