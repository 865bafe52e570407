"""The largest amounts that may be typed: every reading bears them, and they can be corrected."""

from collections.abc import Awaitable, Callable
from typing import Any, get_args

import pytest
from sqlalchemy import Connection

from finplan.model.account import AccountChange, AccountKind
from finplan.model.base import LARGEST, Nothing
from finplan.model.category import RuleRequest
from finplan.model.explain import SECTIONS, SectionName
from finplan.model.money import LARGEST_AMOUNT
from finplan.model.snapshot import IncomeRequest
from finplan.model.task import TaskQuery
from finplan.model.transaction import SpendingQuery
from finplan.model.user import SettingsChange
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import sync_all
from finplan.service.context import Context
from finplan.service.people import change_settings
from finplan.service.planning.plans import build_plan, view_plan
from finplan.service.planning.tasks import list_tasks
from finplan.service.planning.views import explain_plan, set_income, show_snapshot, show_wealth
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from finplan.store.queries import accounts as table

Import = Callable[..., Awaitable[Any]]
ROW = "Date,Description,Amount\n2026-11-01,CINEMA,-10.00\n"


async def _read_everything(context: Context) -> None:
    await build_plan(context, Nothing())
    await view_plan(context, Nothing())
    await show_snapshot(context, Nothing())
    await show_wealth(context, Nothing())
    await list_tasks(context, TaskQuery())
    await query_spending(context, SpendingQuery())
    for section in SECTIONS:
        await explain_plan(context, SectionName(section=section))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", [None, *get_args(AccountKind)])
@pytest.mark.parametrize("balance", [LARGEST_AMOUNT, -LARGEST_AMOUNT])
@pytest.mark.usefixtures("demo")
async def test_the_largest_amounts_can_be_read_and_corrected(
    context: Context, kind: AccountKind | None, balance: int
) -> None:
    """With the largest amounts on all accounts every reading works, and so does a correction."""
    held = await list_accounts(context, Nothing())
    for account in held:
        largest: dict[str, Any] = {} if kind is None else {"kind": kind}
        largest |= {"balance": balance, "apr": 10.0}
        largest |= {"credit_limit": LARGEST_AMOUNT, "minimum_payment": LARGEST_AMOUNT}
        await change_account(context, AccountChange(id=account.id, **largest))
    await change_settings(context, SettingsChange(target_months=60))
    await _read_everything(context)
    await set_income(context, IncomeRequest(monthly=LARGEST_AMOUNT))
    await _read_everything(context)

    corrected = await change_account(context, AccountChange(id=held[0].id, balance=5_00))

    assert corrected.account.balance == 5_00
    await _read_everything(context)


async def test_what_cannot_be_worked_out_keeps_nobody_from_mending_it(
    context: Context, import_texts: Import
) -> None:
    """Where sums are too large for any figure, each event is still accepted, the mending one too."""
    await import_texts({"one.csv": ROW, "other.csv": ROW.replace("CINEMA", "BAKERY")})
    await build_plan(context, Nothing())
    held = await list_accounts(context, Nothing())

    def let_sums_overflow(connection: Connection) -> None:
        for row in table.list_accounts(connection, context.caller.owner):
            values = {"balance": LARGEST, "kind": "depository"}
            table.change_account(connection, row["no"], values)

    await context.store.write(let_sums_overflow)
    await set_rule(context, RuleRequest(payee_key="cinema", category="hobbies"))
    await sync_all(context, Nothing())
    for account in held:
        await change_account(context, AccountChange(id=account.id, balance=5_00))

    await _read_everything(context)
