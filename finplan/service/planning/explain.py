"""Explaining a section of the plan, with the data of now."""

from functools import partial

from sqlalchemy import Connection

from finplan.model.errors import NoConnections, NotFound
from finplan.model.explain import SECTIONS, Explanation, SectionName
from finplan.plan.build import assess
from finplan.plan.explain.sections import explain, find_section, section_names
from finplan.plan.ledger.ledger import Ledger
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.derived.books import household_of, newest_plan, plan_that_holds
from finplan.service.ledger.inference import compute_inferred
from finplan.service.lookup import near
from finplan.store.queries import connections


async def explain_plan(context: Context, ask: SectionName) -> Explanation:
    """How a section, or what a category comes to, follows from the data.

    Raises NoConnections, and NotFound with near matches.
    """
    return await compute_inferred(
        context, partial(_explained, asker=context.asker, wanted=ask.section)
    )


def _explained(connection: Connection, asker: Asker, wanted: str) -> Explanation:
    if not connections.list_connections(connection, asker.owner):
        raise NoConnections(
            "There is nothing to explain yet. Import a statement with `finplan import FILE`, or"
            " try the demo household with `finplan --demo plan explain`."
        )
    ledger, books, today = household = household_of(connection, asker)
    latest = newest_plan(connection, asker.owner)
    holding = plan_that_holds(connection, asker, household)
    section = find_section(ledger.catalogue, wanted)
    if section is None:
        raise _unknown(ledger, wanted)
    return explain(
        assess(ledger, books, today),
        latest.plan if latest else None,
        section,
        holding.plan if holding else None,
    )


def _unknown(ledger: Ledger, wanted: str) -> NotFound:
    spelt = section_names(ledger.catalogue)
    close = list(dict.fromkeys(spelt[each] for each in near(wanted.casefold(), spelt)))
    hint = (
        f"Did you mean {' or '.join(close[:3])}?"
        if close
        else f"The sections are {', '.join(SECTIONS)}; any category can be explained, too."
    )
    return NotFound(f"There is nothing called {wanted!r} to explain. {hint}", {"near": close})
