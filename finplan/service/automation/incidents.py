"""What needs the person: a bank that waits for them, cash that does not last, a price that rose.

The owner of the machine is told of it by a job, of each thing once.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, RowMapping

from finplan.model.connection import ConnectionStatus, access_ends_soon, consent_ends
from finplan.model.plan import Action
from finplan.service.automation.job import DONE, SKIPPED, JobRun, Outcome
from finplan.service.context import Asker, Context
from finplan.service.derived.books import household_of, plan_that_holds
from finplan.service.ledger.categorisation import compute_inferred
from finplan.store.queries import connections, jobs, people

IncidentKind = Literal["reconnect", "consent_ends", "cash_gap", "price_rise"]

_HOUR = 3_600_000
HELD: Mapping[IncidentKind, int] = {
    "reconnect": _HOUR,
    "consent_ends": 365 * 24 * _HOUR,
    "cash_gap": 7 * 24 * _HOUR,
    "price_rise": 365 * 24 * _HOUR,
}
"""How long after a person was told an incident is one and the same, in ms, though it be over meanwhile:
a gap that closes and opens with each booking is told once a week."""

HEADLINES: Mapping[IncidentKind, str] = {
    "reconnect": "A bank wants you to sign in again: finplan connections",
    "consent_ends": "Your consent at a bank ends soon: finplan connections",
    "cash_gap": "Cash may not last until payday: finplan plan",
    "price_rise": "A recurring charge went up: finplan plan",
}
"""What is said where others may read along: no name and no amount."""

_ADVICE: Mapping[str, IncidentKind] = {"cover_cash_gap": "cash_gap", "price_rise": "price_rise"}
"""Which advice of a plan is worth telling unasked."""

_WAITS: ConnectionStatus = "login_required"


class Incident(NamedTuple):
    """Something that needs the person: its kind, what makes it this one, and all of it in words."""

    kind: IncidentKind
    which: str
    text: str

    @property
    def name(self) -> str:
        """By which it is remembered."""
        return f"{self.kind}:{self.which}"

    @property
    def headline(self) -> str:
        """The same without a name or an amount."""
        return HEADLINES[self.kind]


def incidents_of(connection: Connection, asker: Asker) -> tuple[Incident, ...]:
    """What needs a person now; of the demo household, whose money is made up, nothing does."""
    links = connections.list_connections(connection, asker.owner)
    if not links or any(link["provider"] == "demo" for link in links):
        return ()
    waiting = tuple(
        Incident(
            "reconnect",
            link["id"],
            f"{link['institution_name']} wants you to sign in again. Until you do, finplan "
            "cannot sync this bank. `finplan connections` shows details.",
        )
        for link in links
        if link["status"] == _WAITS
    )
    ending = tuple(_ending(connection, asker, links))
    stored = plan_that_holds(connection, asker, household_of(connection, asker))
    advice = () if stored is None else stored.plan.actions
    return (*waiting, *ending, *_advised(advice))


def kind_of(name: str) -> IncidentKind | None:
    """The kind of a remembered incident; None of one that this version does not know."""
    prefix = name.partition(":")[0]
    return next((kind for kind in HELD if kind == prefix), None)


def _ending(
    connection: Connection, asker: Asker, links: Iterable[RowMapping]
) -> Iterator[Incident]:
    """Consents that end within a week; a bank that waits already is told as that."""
    time_zone = people.get_person(connection, asker.owner)["time_zone"]
    zone, today = ZoneInfo(time_zone), asker.today(time_zone)
    for link in links:
        ends = link["access_ends_at"]
        if ends is not None and link["status"] != _WAITS and access_ends_soon(ends, today, zone):
            text = (
                f"{link['institution_name']}: {consent_ends(ends, today, zone)}. After that, "
                "finplan cannot sync this bank. `finplan connections` says how to renew your "
                "consent."
            )
            yield Incident("consent_ends", f"{link['id']} {ends}", text)


def _advised(actions: tuple[Action, ...]) -> Iterator[Incident]:
    for action in actions:
        kind = _ADVICE.get(action.kind)
        if kind is not None:
            # The sum of a gap moves every day; a price that rose is told by its two prices.
            which = "" if kind == "cash_gap" else sha256(action.title.encode()).hexdigest()[:16]
            yield Incident(kind, which, f"{action.title}. {action.detail}")


async def tell_what_needs_the_person(context: Context, run: JobRun) -> Outcome:
    """Tell what is new of what needs the person; what could not be told is told next time."""
    owner, tell = context.caller.owner, context.tell
    if tell is None:
        return SKIPPED
    incidents = await compute_inferred(context, partial(incidents_of, asker=context.asker))
    notices = await context.store.read(lambda c: jobs.notices_of(c, owner))
    await _forget_what_is_over(context, incidents)
    new = [incident for incident in incidents if incident.name not in notices]
    for incident in new:
        # A machine that slept may have let another daemon take over, and a thing is told once.
        if not await run.is_held():
            return SKIPPED
        failed = await tell(incident.kind, incident.headline, incident.text)
        if failed is not None:
            return Outcome("failed", failed)
        now = context.milliseconds()
        await context.store.write(
            partial(jobs.add_notice, owner=owner, incident=incident.name, told_at=now)
        )
    return DONE if new else SKIPPED


async def _forget_what_is_over(context: Context, incidents: tuple[Incident, ...]) -> None:
    owner, now = context.caller.owner, context.milliseconds()
    present = {incident.name for incident in incidents}

    def is_over(name: str, told_at: int) -> bool:
        kind = kind_of(name)
        return name not in present and (kind is None or told_at + HELD[kind] <= now)

    def forget(connection: Connection) -> None:
        notices = jobs.notices_of(connection, owner)
        over = [name for name, told_at in notices.items() if is_over(name, told_at)]
        if over:
            jobs.forget_notices(connection, owner, over)

    await context.store.write(forget)
