"""Forgetting what lets nobody in any more: what is over, and the guests of agents nobody claimed."""

from sqlalchemy import Connection

from finplan.service.authorization.agents import sweep as sweep_agents
from finplan.store.queries import authorization, credentials
from finplan.store.store import Store


def sweep(connection: Connection, now: int) -> bool:
    """Forget a batch of it, as of an instant in milliseconds; answers whether more may be left.

    Each batch is little enough for one transaction, so that nobody waits long behind it.
    """
    more = [
        each(connection, now)
        for each in (
            credentials.sweep_sessions,
            authorization.sweep_grants,
            credentials.sweep_audit_events,
        )
    ]
    more.append(sweep_agents(connection, now))
    return any(more)


async def forget_what_is_over(store: Store, now: int) -> None:
    """Forget all of it, as of an instant in milliseconds; other changes come in between its batches.

    Raises StorageFull.
    """
    while await store.write(lambda c: sweep(c, now)):
        pass
