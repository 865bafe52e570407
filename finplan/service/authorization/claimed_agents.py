"""Agents as the person sees them who has claimed them."""

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.credential import Agent, AgentId
from finplan.model.errors import NotFound
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.credentials.silencing import silence
from finplan.store.queries import authorization as table


async def list_agents(context: Context, _ask: Nothing) -> tuple[Agent, ...]:
    """The agents that the person has claimed, the newest first."""
    rows = await context.store.read(lambda c: table.list_agents(c, context.caller.owner))
    return tuple(_shown(row) for row in rows)


async def revoke_agent(context: Context, ask: AgentId) -> Agent:
    """Take an agent's access back: its tokens and its assertion are dead from now on."""
    owner, now = context.caller.owner, context.milliseconds()

    def revoke(connection: Connection) -> Agent:
        row = table.find_agent(connection, owner, ask.id)
        if row is None:
            raise NotFound(f"There is no agent {ask.id}. `finplan agents list` shows them.")
        table.remove_agent(connection, row["no"])
        said = f"Took the access of the agent {row['id']} back."
        audit.note(connection, context.caller, "agent.revoked", said, now)
        why = f"The access of the agent {row['id']}, which chose its address, was taken back."
        silence(connection, f"agent:{row['no']}", why, now)
        return _shown(row)

    return await context.commit(revoke)


def _shown(row: RowMapping) -> Agent:
    return Agent(
        id=row["id"],
        address=row["address"],
        scopes=tuple(row["scopes"].split()),
        created_at=row["created_at"],
        claimed_at=row["claimed_at"],
        last_used_at=row["last_used_at"],
    )
