"""What agents ask for a person over A2A, as it is kept: each task is seen by its person alone."""

from typing import NamedTuple

from sqlalchemy import Connection, RowMapping

from finplan.model.errors import StoreDamaged
from finplan.service.context import Context
from finplan.store.queries import agent_tasks
from finplan.store.queries.agent_tasks import AgentTaskFilter, AgentTaskPosition


class AgentTaskNow(NamedTuple):
    """How a task stands: `asked` is what is still unclear, `said` all that was said, in JSON."""

    context_id: str
    state: str
    asked: str | None
    said: str


class KeptAgentTask(NamedTuple):
    """A task as it is kept, with its place among the person's and how many turns it has had."""

    id: str
    turns: int
    position: AgentTaskPosition
    now: AgentTaskNow


class AgentTaskPage(NamedTuple):
    """Some tasks in their order, whether others follow, and how many there are in all."""

    tasks: list[KeptAgentTask]
    more: bool
    total: int


async def find_task(context: Context, task_id: str) -> KeptAgentTask | None:
    """The caller's task of an id; None where there is none of theirs."""
    owner = context.caller.owner
    row = await context.store.read(lambda c: agent_tasks.find(c, owner, task_id))
    return None if row is None else _read_task(row)


async def keep_new(context: Context, now: AgentTaskNow, task_id: str) -> KeptAgentTask:
    """Keep a new task of the caller; the ones that have stood longest go where there are too many.

    In a damaged store nothing is kept.
    """
    owner, at = context.caller.owner, context.milliseconds()

    def keep(connection: Connection) -> RowMapping:
        agent_tasks.add(connection, owner, id=task_id, turns=1, status_at=at, **now._asdict())
        row = agent_tasks.find(connection, owner, task_id)
        assert row is not None, "the newest is never one too many"
        return row

    try:
        return _read_task(await context.store.write(keep))
    except StoreDamaged:
        # Its answer was only read, so it is given, though nobody can ask for the task again.
        return KeptAgentTask(task_id, 1, AgentTaskPosition(at, 0), now)


async def keep_next(
    context: Context, before: KeptAgentTask, now: AgentTaskNow
) -> KeptAgentTask | None:
    """Keep how a task stands after another turn; None where it went on, or was forgotten, meanwhile."""
    owner, at = context.caller.owner, context.milliseconds()

    def keep(connection: Connection) -> RowMapping | None:
        went_on = agent_tasks.go_on(
            connection, owner, before.id, before.turns, status_at=at, **now._asdict()
        )
        return agent_tasks.find(connection, owner, before.id) if went_on else None

    row = await context.store.write(keep)
    return None if row is None else _read_task(row)


async def list_tasks(
    context: Context, which: AgentTaskFilter, after: AgentTaskPosition | None, limit: int
) -> AgentTaskPage:
    """A page of the caller's tasks, what changed last first."""
    owner = context.caller.owner

    def read(connection: Connection) -> AgentTaskPage:
        rows = agent_tasks.page(connection, owner, which, after, limit + 1)
        return AgentTaskPage(
            [_read_task(row) for row in rows[:limit]],
            len(rows) > limit,
            agent_tasks.count(connection, owner, which),
        )

    return await context.store.read(read)


def _read_task(row: RowMapping) -> KeptAgentTask:
    now = AgentTaskNow(row["context_id"], row["state"], row["asked"], row["said"])
    position = AgentTaskPosition(row["status_at"], row["no"])
    return KeptAgentTask(row["id"], row["turns"], position, now)
