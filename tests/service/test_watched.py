"""Whatever moves the daily allowance is noted, and the live view says so."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date
from itertools import pairwise
from typing import Any

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.connection import ConnectionId
from finplan.model.snapshot import Change, IncomeRequest
from finplan.model.user import SettingsChange
from finplan.plan.live.allowance import live_snapshot
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.categories.rules import set_rule
from finplan.service.context import Context
from finplan.service.derived import allowance
from finplan.service.derived.allowances import Daily, KeptAllowances
from finplan.service.people.people import change_settings
from finplan.service.planning.plans import build_plan
from finplan.service.planning.snapshots import set_income, show_snapshot
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]

OWNER = 1
MONTHS = range(1, 12)
PAY = csv(*(f"2026-{month:02}-01,QUILLZWALD PAYROLL,3000.00" for month in MONTHS))
FUN = csv(*(f"2026-{month:02}-03,CINEMA,-{100 + month}.00" for month in MONTHS))


FUNS = ("CINEMA", "STARBUCKS", "CHIPOTLE", "PANERA BREAD", "TACO BELL")


async def _planned_with_funs(context: Context, import_texts: Import) -> int:
    """A household that has several kinds of fun, with a plan; answers its daily allowance."""
    rows = [
        f"2026-{month:02}-{day:02},{fun},-{100 + month}.00"
        for month in MONTHS
        for day, fun in enumerate(FUNS, start=3)
    ]
    return await _planned(context, import_texts, csv(*rows))


async def _planned(context: Context, import_texts: Import, fun: str = FUN) -> int:
    """A household with a plan; answers its daily allowance."""
    await import_texts({"pay.csv": PAY, "fun.csv": fun})
    await build_plan(context, Nothing())
    return (await show_snapshot(context, Nothing())).allowance.daily


async def _changed(context: Context) -> tuple[Change | None, int]:
    seen = await show_snapshot(context, Nothing())
    return seen.change, seen.allowance.daily


async def test_unlinking_a_bank_is_noted(context: Context, import_texts: Import) -> None:
    """What was spent there is in no figure any more, so the allowance moves and the view says so."""
    before = await _planned(context, import_texts)
    for record in await list_connections(context, Nothing()):
        await unlink_connection(context, ConnectionId(id=record.connection.id))
    change, after = await _changed(context)

    assert change is not None
    assert (change.before, change.after) == (before, after)


async def test_hiding_an_account_is_noted(context: Context, import_texts: Import) -> None:
    """A correction of an account moves the allowance as a sync does."""
    before = await _planned(context, import_texts)
    fun = next(each for each in await list_accounts(context, Nothing()) if "fun" in each.name)
    await change_account(context, AccountChange(id=fun.id, hidden=True))
    change, after = await _changed(context)

    assert change is not None
    assert (change.before, change.after) == (before, after)
    assert before != after


async def _rule(context: Context, number: int) -> None:
    """File one of the payees under savings, which is no spending; it moves the allowance."""
    await set_rule(context, RuleRequest(payee_key=FUNS[number].lower(), category="savings"))


async def _moves(context: Context) -> list[tuple[int, int]]:
    """All moves that were noted, in their order."""
    query = 'SELECT "before", "after" FROM allowance_change ORDER BY no'
    return await context.store.read(lambda c: [tuple(row) for row in c.exec_driver_sql(query)])


async def test_an_event_is_worked_out_once(
    context: Context, import_texts: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What held after one event holds before the next, so that it is not worked out again."""
    worked_out = []

    def counted(*asked: Any) -> Any:
        worked_out.append(asked)
        return live_snapshot(*asked)

    await _planned_with_funs(context, import_texts)
    monkeypatch.setattr(allowance, "live_snapshot", counted)
    for number in range(3):
        await _rule(context, number)

    assert len(worked_out) == 1 + 3
    assert len(await _moves(context)) == 3


async def test_a_change_that_is_no_event_is_blamed_on_none(
    context: Context, import_texts: Import
) -> None:
    """In another currency nothing counts, which moves the allowance; the next event moves nothing."""
    await _planned_with_funs(context, import_texts)
    await _rule(context, 0)
    moves = await _moves(context)
    before = (await show_snapshot(context, Nothing())).allowance.daily
    await change_settings(context, SettingsChange(currency="EUR"))
    await _rule(context, 1)

    assert (await show_snapshot(context, Nothing())).allowance.daily != before
    assert await _moves(context) == moves
    assert len(moves) == 1


async def test_events_side_by_side_are_noted_once(context: Context, import_texts: Import) -> None:
    """Each move is noted by one of the events, from where the one before it ended."""
    before = await _planned_with_funs(context, import_texts)
    await asyncio.gather(*(_rule(context, number) for number in range(len(FUNS))))
    after = (await show_snapshot(context, Nothing())).allowance.daily

    moves = await _moves(context)
    assert moves[0][0] == before
    assert moves[-1][1] == after
    assert all(one[1] == other[0] for one, other in pairwise(moves))
    assert before != after


def test_a_look_before_an_event_hides_no_move_of_another() -> None:
    """Who begins while an event goes on may see its effect, which that event is still to note."""
    kept = KeptAllowances()
    before = Daily(generation=1, time_zone="UTC", today=date(2026, 11, 21), plan=1, amount=100)
    after = before._replace(generation=2, amount=90)
    kept.learn(OWNER, before)
    with kept.event(OWNER):
        kept.learn(OWNER, after)
        assert kept.moved(OWNER, after) == (100, 90)
    assert kept.moved(OWNER, after) is None


@pytest.mark.parametrize("otherwise", ["income", "currency", "plan"])
async def test_what_changes_otherwise_during_an_event_is_blamed_on_none(
    context: Context, import_texts: Import, otherwise: str
) -> None:
    """An event that begins after it, while a longer one goes on, is told from what held then."""
    await _planned_with_funs(context, import_texts)
    async with allowance.watched(context):
        match otherwise:
            case "income":
                await set_income(context, IncomeRequest(monthly=250_000))
            case "currency":
                await change_settings(context, SettingsChange(currency="EUR"))
            case "plan":
                await build_plan(context, Nothing())
        noted = await _moves(context)
        held = (await show_snapshot(context, Nothing())).allowance.daily
        await _rule(context, 0)
        after = (await show_snapshot(context, Nothing())).allowance.daily

    assert await _moves(context) == noted + [(held, after)] * (held != after)
