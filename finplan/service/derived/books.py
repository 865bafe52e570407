"""A household on a day: its ledger and its books, and the plan that holds, as the data are now."""

from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.model.plan import Plan, StoredPlan
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, plan_of
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import Ledger
from finplan.service.context import Asker, Context
from finplan.service.derived.household import load_ledger
from finplan.store.derived import State, cache_of
from finplan.store.queries import people, plans

_BYTES_OF_A_ROW = 400
"""About what a row takes in a ledger and in its books."""

_BYTES_OF_A_PLAN = 100_000


class Household(NamedTuple):
    """A household on a day; never changed, since all who ask for the same one share it."""

    ledger: Ledger
    books: Books
    today: date


def household_of(connection: Connection, asker: Asker) -> Household:
    """A person's household today."""
    state = _state_of_data(connection, asker)
    cache = cache_of(connection)
    cached: Household | None = cache.get(state, Household)
    if cached is not None:
        return cached
    ledger = load_ledger(connection, asker.owner)
    household = Household(ledger, keep_books(ledger, state.today), state.today)
    cache.put(state, Household, household, _BYTES_OF_A_ROW * len(ledger.rows))
    return household


async def state_of_caller(context: Context) -> State:
    """The state that the caller's data are in: what is derived from them is kept under it.

    Raises Unauthorized where they are gone.
    """
    state = await context.store.look_up(people.STATE_OF_PERSON, context.caller.owner)
    generation, time_zone = state or people.gone()
    return State(context.caller.owner, generation, context.asker.today(time_zone))


def _state_of_data(connection: Connection, asker: Asker) -> State:
    """The state of what plans are built from, which is the same after one is built."""
    generation, time_zone = people.data_generation_of(connection, asker.owner)
    return State(asker.owner, generation, asker.today(time_zone))


def newest_plan(connection: Connection, owner: int) -> StoredPlan | None:
    """The plan of a person that was built last."""
    newest = plans.newest_plan(connection, owner)
    return None if newest is None else stored_plan(newest.created_at, newest.body)


def plan_that_holds(
    connection: Connection, asker: Asker, household: Household
) -> StoredPlan | None:
    """The plan built last, or one of today where something has changed since; None before the first.

    So averages never mix with rules or rows that they do not know. The day alone makes no plan stale.
    One that is worked out here is of the instant of the newest change, and is not stored.
    """
    newest = plans.newest_plan(connection, asker.owner)
    event = people.last_event(connection, asker.owner)
    if newest is None or newest.data_no == event.data_no:
        return newest and stored_plan(newest.created_at, newest.body)
    state, cache = _state_of_data(connection, asker), cache_of(connection)
    plan: Plan | None = cache.get(state, Plan)
    if plan is None:
        plan = plan_of(assess(*household))
        cache.put(state, Plan, plan, _BYTES_OF_A_PLAN)
    return StoredPlan(plan=plan, created_at=max(event.at, newest.created_at))


def first_plan_built(plan: StoredPlan | None) -> StoredPlan:
    """The plan that holds, for who has seen to it that there is one."""
    assert plan is not None, "The first plan was built before."
    return plan


def stored_plan(created_at: int, body: str) -> StoredPlan:
    """A plan as it was stored, from its instant in ms and its JSON."""
    return StoredPlan(plan=Plan.model_validate_json(body), created_at=created_at)
