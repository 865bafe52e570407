"""The job that forgets what is over."""

from sqlalchemy import Connection

from finplan.service.authorization.sweeping import sweep
from finplan.service.automation.outcome import DONE, JobRun, Outcome
from finplan.service.context import Context
from finplan.store.queries import replies


async def prune(context: Context, _run: JobRun) -> Outcome:
    """Forget sessions, tokens, guests, kept replies and audit events whose time is over."""
    now = context.milliseconds()

    def forget(connection: Connection) -> None:
        sweep(connection, now)
        replies.prune(connection, now)

    await context.store.write(forget)
    return DONE
