"""Whatever moves the daily allowance is noted, and the live view says so."""

from collections.abc import Awaitable, Callable
from typing import Any

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId
from finplan.model.snapshot import Change
from finplan.service.accounts import change_account, list_accounts
from finplan.service.connections import list_connections, unlink_connection
from finplan.service.core import Context
from finplan.service.plans import build_plan
from finplan.service.snapshots import show_snapshot
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]

MONTHS = range(1, 12)
PAY = csv(*(f"2026-{month:02}-01,QUILLZWALD PAYROLL,3000.00" for month in MONTHS))
FUN = csv(*(f"2026-{month:02}-03,CINEMA,-{100 + month}.00" for month in MONTHS))


async def _planned(context: Context, import_texts: Import) -> int:
    """A household with a plan; answers its daily allowance."""
    await import_texts({"pay.csv": PAY, "fun.csv": FUN})
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
