"""The job that tells the owner of the machine what needs them, each thing once."""

from functools import partial

from sqlalchemy import Connection

from finplan.service.automation.incidents import HELD, Incident, incidents_of, kind_of
from finplan.service.automation.outcome import DONE, SKIPPED, JobRun, Outcome
from finplan.service.context import Context
from finplan.service.ledger.inference import compute_inferred
from finplan.store.queries import jobs


async def tell_what_needs_the_person(context: Context, run: JobRun) -> Outcome:
    """Tell what is new of what needs the person; what could not be told is told next time."""
    owner, tell = context.caller.owner, context.tell
    if tell is None:
        return SKIPPED
    found = await compute_inferred(context, partial(incidents_of, asker=context.asker))
    known = await context.store.read(lambda c: jobs.notices_of(c, owner))
    await _forget_what_is_over(context, found)
    new = [each for each in found if each.name not in known]
    for each in new:
        # A machine that slept may have let another daemon take over, and a thing is told once.
        if not await run.is_held():
            return SKIPPED
        failed = await tell(each.kind, each.headline, each.text)
        if failed is not None:
            return Outcome("failed", failed)
        await context.store.write(partial(_remember, context=context, incident=each))
    return DONE if new else SKIPPED


async def _forget_what_is_over(context: Context, found: tuple[Incident, ...]) -> None:
    owner, now = context.caller.owner, context.milliseconds()
    present = {each.name for each in found}

    def is_over(name: str, told_at: int) -> bool:
        kind = kind_of(name)
        return name not in present and (kind is None or told_at + HELD[kind] <= now)

    def forget(connection: Connection) -> None:
        known = jobs.notices_of(connection, owner)
        over = [name for name, told_at in known.items() if is_over(name, told_at)]
        if over:
            jobs.forget_notices(connection, owner, over)

    await context.store.write(forget)


def _remember(connection: Connection, context: Context, incident: Incident) -> None:
    jobs.add_notice(connection, context.caller.owner, incident.name, context.milliseconds())
