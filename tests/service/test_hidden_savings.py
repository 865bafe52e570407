"""Money to a savings account that the person hides stays saving; to a hidden duplicate it never does."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from finplan.banks.base import BankAccount, BankTransaction
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.snapshot import ForecastQuery
from finplan.model.transaction import TransactionQuery
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Context
from finplan.service.planning.plans import build_plan
from finplan.service.planning.views import show_forecast
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from tests.service.own_money import Bank, Branch, csv, linked, transfers

Import = Callable[..., Awaitable[Any]]


def monthly(day: int, text: str, amount: int) -> list[str]:
    return [f"2026-{month:02d}-{day:02d},{text},{amount}.00" for month in range(1, 12)]


FILES = {
    "checking.csv": csv(
        *monthly(1, "NORTHLIGHT STUDIOS PAYROLL", 2500),
        *monthly(3, "TRANSFER TO SAVINGS", -500),
        *monthly(7, "CORNER GROCER", -200),
    ),
    "savings.csv": csv(*monthly(4, "TRANSFER FROM CHECKING", 500), *monthly(9, "INTEREST", 1)),
}


async def _accounts(context: Context) -> dict[str, str]:
    return {account.name: account.id for account in await list_accounts(context, Nothing())}


async def _categories(context: Context) -> set[str]:
    page = await list_transactions(context, TransactionQuery(text="TRANSFER TO SAVINGS"))
    return {row.category for row in page.transactions}


async def test_transfers_to_hidden_savings_stay_saving(
    context: Context, import_texts: Import
) -> None:
    """In the plan, in the list of transactions and in the forecast, and back once it is shown."""
    await import_texts(FILES)
    ids = await _accounts(context)
    await change_account(context, AccountChange(id=ids["checking"], balance=4000_00))
    await change_account(context, AccountChange(id=ids["savings"], subtype="savings"))
    saved = (await build_plan(context, Nothing())).plan.monthly.saved
    assert saved in (500_00, 501_00)
    assert await _categories(context) == {"transfer"}

    await change_account(context, AccountChange(id=ids["savings"], hidden=True))
    assert (await build_plan(context, Nothing())).plan.monthly.saved == 500_00
    assert await _categories(context) == {"savings"}
    forecast = await show_forecast(context, ForecastQuery(days=40))
    leaving = [item.amount for day in forecast.days for item in day.items if item.amount == -500_00]
    assert leaving

    await change_account(context, AccountChange(id=ids["savings"], hidden=False))
    assert (await build_plan(context, Nothing())).plan.monthly.saved == saved


CHECKING = BankAccount("chk", "Everyday", "1111", "depository", "checking", "USD", 500_00)
SAVINGS = BankAccount("sav", "Saver", "2222", "depository", "savings", "USD", 900_00)


def _saved(account: str) -> list[BankTransaction]:
    return [
        BankTransaction(
            account, f"{account}{day}", 20260900 + day, 10_00 * day, "TRANSFER RECEIVED"
        )
        for day in range(1, 21)
    ]


async def test_a_hidden_duplicate_is_no_savings(context: Context) -> None:
    """Of one account under two ids the hidden one has no transfer, whichever is hidden."""
    sent = [
        BankTransaction("chk", f"c{day}", 20260900 + day, -10_00 * day, "TRANSFER TO SAVINGS")
        for day in range(1, 21)
    ]
    bank = Bank(Larkmoor=Branch((CHECKING, SAVINGS), [*sent, *_saved("sav")]))
    known, _ = await linked(context, bank, "Larkmoor")
    again = replace(SAVINGS, external_id="sav-2")
    known, _ = await linked(known, Bank(Larkmoor=Branch((again,), _saved("sav-2"))), "Larkmoor")
    (same,) = await list_duplicates(known, DuplicateQuery())
    assert same.kind == "accounts"

    decided = await decide_duplicate(known, DuplicateVerdict(id=same.id, verdict="same"))
    pairs = [pair for pair in await transfers(known) if pair.status == "paired"]
    assert len(pairs) == 20
    assert {pair.into.account_id for pair in pairs} == {decided.kept.account_id}
    assert await _categories(known) == {"transfer"}

    await decide_duplicate(known, DuplicateVerdict(id=same.id, verdict="different"))
    assert {pair.status for pair in await transfers(known)} == {"candidate"}
