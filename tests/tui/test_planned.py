"""Planned money by keys: each thing that can be done, and the way back from it."""

from collections.abc import AsyncIterator

import pytest

from finplan.model.base import Nothing
from finplan.model.planned import NewPlanned, PlannedRecord
from finplan.operations.plan import ADD_PLANNED, LIST_PLANNED
from tests.daemon.running import RunningDaemon
from tests.tui.opening import Opened, open_screens

TRIP = NewPlanned(name="Trip", amount=2_000_00, month="2190-07", category="travel")


@pytest.fixture
async def planning(household: RunningDaemon) -> AsyncIterator[Opened]:
    """The program before a household that plans a trip, at its planned money."""
    await household.client.call(ADD_PLANNED, TRIP)
    async with open_screens(household, opens="planned") as opened:
        yield opened


async def listed(daemon: RunningDaemon) -> tuple[PlannedRecord, ...]:
    return await daemon.client.call(LIST_PLANNED, Nothing())


@pytest.mark.thorough
async def test_planned_money_is_added_by_keys(planning: Opened, household: RunningDaemon) -> None:
    """A refund is asked for step by step; u removes it again."""
    before = await listed(household)
    await planning.press("a", "down", "enter", *"Refund", "enter", *"640", "enter")
    await planning.press(*"2190", "minus", *"03", "minus", *"15", "enter", "enter")
    (refund,) = [each for each in await listed(household) if each not in before]
    assert (refund.name, refund.amount, refund.direction) == ("Refund", 640_00, "in")
    assert (str(refund.date), refund.every) == ("2190-03-15", None)
    assert "Refund added" in planning.said
    await planning.press("u")
    assert await listed(household) == before


CHANGES = [
    ("y", (), {"status": "happened"}),
    ("b", (*"1500", "enter"), {"amount": 1_500_00}),
    ("d", ("ctrl+u", *"2190", "minus", *"08", "enter"), {"month": "2190-08"}),
    ("k", ("enter",), {"category": None}),
]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "then", "after"), CHANGES, ids=["happened", "amount", "date", "category"]
)
async def test_a_change_is_kept_and_undone(
    planning: Opened,
    household: RunningDaemon,
    key: str,
    then: tuple[str, ...],
    after: dict[str, object],
) -> None:
    """Each key changes one thing, and u makes it what it was."""
    (before,) = await listed(household)
    await planning.press(key, *then)
    (changed,) = await listed(household)
    assert {name: getattr(changed, name) for name in after} == after
    assert "Press u to undo." in planning.said
    await planning.press("u")
    assert await listed(household) == (before,)


@pytest.mark.thorough
async def test_what_is_removed_comes_back(planning: Opened, household: RunningDaemon) -> None:
    """X removes the marked one; u adds it again as it was."""
    (before,) = await listed(household)
    await planning.press("x")
    assert await listed(household) == ()
    await planning.press("y")
    assert "No planned money yet" in planning.said
    await planning.press("u", "u")
    (again,) = await listed(household)
    assert again.model_dump(exclude={"id"}) == before.model_dump(exclude={"id"})
    assert "Nothing to undo" in planning.said


async def test_what_is_no_date_is_asked_for_once_more(
    planning: Opened, household: RunningDaemon
) -> None:
    """The question stays open, and nothing changes."""
    before = await listed(household)
    await planning.press("d", "ctrl+u", *"soon", "enter")
    assert "is not a date" in planning.text
    await planning.press("escape")
    assert await listed(household) == before
