"""A household is read once for a state of its data, and is never that of another state."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.recurring import RecurringQuery, RecurringVerdict
from finplan.model.task import TaskQuery
from finplan.plan.bookkeeping import keep_books
from finplan.service.context import Asker, Context
from finplan.service.derived import books as room
from finplan.service.derived.books import Household, household_of
from finplan.service.derived.household import load_ledger
from finplan.service.people import new_owner
from finplan.service.planning.tasks import list_tasks
from finplan.service.planning.views import show_snapshot, show_wealth
from finplan.service.rules import list_rules, set_rule
from finplan.service.verdicts.recurring import decide_recurring, list_recurring
from finplan.store.queries import people


@pytest.fixture
def household(planned: Context) -> Context:
    """The demo household with a plan."""
    return planned


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Whose ledger was read, each time that one was."""
    seen: list[int] = []

    def load(connection: Connection, owner: int) -> object:
        seen.append(owner)
        return load_ledger(connection, owner)

    monkeypatch.setattr(room, "load_ledger", load)
    return seen


def afresh(asker: Asker) -> Callable[[Connection], Household]:
    def read(connection: Connection) -> Household:
        ledger = load_ledger(connection, asker.owner)
        today = asker.today(ledger.settings.time_zone)
        return Household(ledger, keep_books(ledger, today), today)

    return read


async def test_what_several_ask_for_is_read_once(household: Context, loads: list[int]) -> None:
    """Tasks, snapshot, wealth and what recurs begin with the same ledger while nothing changes."""
    await list_tasks(household, TaskQuery())
    await show_snapshot(household, Nothing())
    await show_wealth(household, Nothing())
    await list_recurring(household, RecurringQuery())

    assert len(loads) == 1


async def test_a_change_is_seen_at_once(household: Context) -> None:
    """After a rule, and after a verdict, ledger and books are those of the data as they are now."""
    compute, asker = household.store.compute, household.asker
    before = await compute(lambda c: household_of(c, asker))
    rule = (await list_rules(household, Nothing()))[0]
    await set_rule(household, RuleRequest(payee_key=rule.payee_key, category="travel"))
    ruled = await compute(lambda c: household_of(c, asker))
    series = (await list_recurring(household, RecurringQuery()))[0]
    await decide_recurring(household, RecurringVerdict(id=series.id, verdict="dismiss"))

    assert ruled != before
    assert await compute(lambda c: household_of(c, asker)) == await household.store.read(
        afresh(asker)
    )


async def test_another_day_has_other_books(household: Context) -> None:
    """What was kept of one day is not what the next one is told."""
    later = replace(household.asker, now=household.asker.now + timedelta(days=40))
    await household.store.compute(lambda c: household_of(c, household.asker))

    found = await household.store.compute(lambda c: household_of(c, later))

    assert found == await household.store.read(afresh(later))


async def test_nobody_is_shown_anothers_household(household: Context) -> None:
    """Of two people in one store each is told of the own household."""
    mine = household.asker
    other = await household.store.write(lambda c: people.add_person(c, new_owner("bob", 0)))
    theirs = replace(mine, owner=other)

    def both(connection: Connection) -> tuple[int, int]:
        return tuple(len(household_of(connection, each).ledger.rows) for each in (mine, theirs))  # type: ignore[return-value]

    rows, none = await household.store.compute(both)

    assert rows > 1000
    assert none == 0
