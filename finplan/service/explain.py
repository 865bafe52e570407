"""Explaining a section of the plan, with the data of now."""

import asyncio

from sqlalchemy import Connection

from finplan.model.errors import NoConnections, NotFound
from finplan.model.explain import SECTIONS, Explanation, SectionName
from finplan.model.plan import StoredPlan
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess
from finplan.plan.explain import explain, find, names
from finplan.plan.ledger import Ledger
from finplan.service.core import Context
from finplan.service.household import load_ledger
from finplan.service.lookup import near
from finplan.service.plans import latest_plan
from finplan.store import connections


async def explain_plan(context: Context, ask: SectionName) -> Explanation:
    """How a section, or what a category comes to, follows from the data.

    Raises NoConnections, and NotFound with near matches.
    """
    owner = context.caller.owner

    def load(connection: Connection) -> tuple[Ledger, StoredPlan | None]:
        if not connections.list_connections(connection, owner):
            raise NoConnections(
                "There is nothing to explain yet. Import a statement with `finplan import FILE`, or"
                " try the demo household with `finplan --demo plan explain`."
            )
        return load_ledger(connection, owner), latest_plan(connection, owner)

    ledger, stored = await context.store.read(load)
    section = find(ledger.catalogue, ask.section)
    if section is None:
        raise _unknown(ledger, ask.section)
    today = context.today(ledger.settings.time_zone)

    def compute() -> Explanation:
        household = assess(ledger, keep_books(ledger, today), today)
        return explain(household, stored.plan if stored else None, section)

    return await asyncio.to_thread(compute)


def _unknown(ledger: Ledger, wanted: str) -> NotFound:
    spelt = names(ledger.catalogue)
    close = list(dict.fromkeys(spelt[each] for each in near(wanted.casefold(), spelt)))
    hint = (
        f"Did you mean {' or '.join(close[:3])}?"
        if close
        else f"The sections are {', '.join(SECTIONS)}; any category can be explained, too."
    )
    return NotFound(f"There is nothing called {wanted!r} to explain. {hint}", {"near": close})
