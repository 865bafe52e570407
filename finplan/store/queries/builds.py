"""Builds: those that wait, the one that runs, and those that have ended."""

from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select, update

from finplan.store.tables.tables import build as table

KEPT = 100
"""How many builds of a person are kept; the oldest go."""

_UNFINISHED = ("queued", "running")


def find_build(connection: Connection, owner: int, build_id: str) -> RowMapping | None:
    """A person's build by id."""
    query = select(table).where(table.c.owner_no == owner, table.c.id == build_id)
    return connection.execute(query).mappings().first()


def waiting_build(connection: Connection, owner: int) -> RowMapping | None:
    """A person's build that waits to begin; there is at most one."""
    query = select(table).where(table.c.owner_no == owner, table.c.status == "queued")
    return connection.execute(query).mappings().first()


def add_build(connection: Connection, owner: int, build_id: str, now: int) -> RowMapping:
    """Add a build that waits to begin."""
    values = {"owner_no": owner, "id": build_id, "status": "queued", "started_at": now}
    connection.execute(insert(table).values(**values))
    connection.exec_driver_sql(
        "DELETE FROM build WHERE owner_no = ? AND no NOT IN"
        " (SELECT no FROM build WHERE owner_no = ? ORDER BY no DESC LIMIT ?)",
        (owner, owner, KEPT),
    )
    return connection.execute(select(table).where(table.c.id == build_id)).mappings().one()


def begin_waiting(connection: Connection, owner: int) -> int | None:
    """Let a person's waiting build run; answers its number, None when none waits."""
    waiting = waiting_build(connection, owner)
    if waiting is None:
        return None
    connection.execute(update(table).where(table.c.no == waiting["no"]).values(status="running"))
    return int(waiting["no"])


def finish_build(connection: Connection, no: int, status: str, now: int, **outcome: Any) -> None:
    """Note what came of a build: `plan_created_at` or `error`."""
    values = {"status": status, "finished_at": now, **outcome}
    connection.execute(update(table).where(table.c.no == no).values(**values))


def fail_unfinished(connection: Connection, now: int, error: str) -> None:
    """Note of all builds that have not ended that they never will."""
    connection.execute(
        update(table)
        .where(table.c.status.in_(_UNFINISHED))
        .values(status="failed", finished_at=now, error=error)
    )
