"""The job that forgets what is over."""

from finplan.service.authorization.agents import forget_what_is_over
from finplan.service.automation.outcome import DONE, JobRun, Outcome
from finplan.service.banking.page_links import KEPT
from finplan.service.context import Context
from finplan.service.webhooks.delivering import prune_deliveries
from finplan.store.queries import agent_tasks, connections, replies


async def prune(context: Context, _run: JobRun) -> Outcome:
    """Forget sessions, tokens, guests, replies, audit events, deliveries, tasks, links that are over."""
    now = context.milliseconds()
    await forget_what_is_over(context.store, now)
    await context.store.write(lambda c: replies.prune(c, now))
    await context.store.write(lambda c: prune_deliveries(c, now))
    await context.store.write(lambda c: agent_tasks.prune(c, now))
    await context.store.write(lambda c: connections.prune_links(c, now - KEPT))
    return DONE
