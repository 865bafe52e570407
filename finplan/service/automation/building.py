"""The job that builds a plan when there is something new to say."""

from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.service.automation.outcome import DONE, SKIPPED, JobRun, Outcome
from finplan.service.context import Context
from finplan.service.derived.books import stored_plan
from finplan.service.planning.plans import build_plan
from finplan.store.queries import connections, people, plans


async def build_when_needed(context: Context, run: JobRun) -> Outcome:
    """Build a plan where there is a bank, and its data or the day are not those of the last plan."""
    owner = context.caller.owner

    def is_needed(connection: Connection) -> bool:
        if not connections.list_connections(connection, owner):
            return False
        newest = plans.newest_plan(connection, owner)
        if run.asked or newest is None:
            return True
        today = context.today(people.get_person(connection, owner)["time_zone"])
        last = stored_plan(newest.created_at, newest.body).plan
        return (
            last.generated_on != today
            or newest.data_no != people.last_event(connection, owner).data_no
        )

    if not await context.store.read(is_needed):
        return SKIPPED
    await build_plan(context, Nothing())
    return DONE
