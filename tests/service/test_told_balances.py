"""A balance that a person told, and the way back from it."""

from pathlib import Path

import pytest

from finplan.model.account import AccountChange, AccountRecord
from finplan.model.base import Nothing
from finplan.model.statement import ImportRequest
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import change_account, list_account_records
from finplan.service.context import Context
from finplan.service.imports.imports import import_files

WITH_BALANCE = """\
Date,Description,Amount,Balance
2026-03-01,ACME PAYROLL,900.00,1000.00
2026-03-02,SHOP,-100.00,900.00
"""
WITHOUT = "Date,Description,Amount\n2026-03-01,ACME PAYROLL,900.00\n2026-03-02,SHOP,-100.00\n"


async def brought(context: Context, folder: Path, text: str) -> AccountRecord:
    path = folder / "checking.upload"
    path.write_text(text)
    await import_files(
        context,
        ImportRequest(account_kind="checking", currency="USD"),
        (UploadedFile("checking.csv", path),),
    )
    (record,) = await list_account_records(context, Nothing())
    return record


@pytest.mark.parametrize("text", [WITH_BALANCE, WITHOUT], ids=["stated", "unknown"])
async def test_a_told_balance_is_taken_back(context: Context, tmp_path: Path, text: str) -> None:
    """Null takes back what the person told: the account is as before, in its balances as well."""
    before = await brought(context, tmp_path, text)
    told = await change_account(context, AccountChange(id=before.account.id, balance=400_000))
    assert told.account.balance == 400_000

    for _ in range(2):
        after = await change_account(context, AccountChange(id=before.account.id, balance=None))
        assert after == before


async def test_a_balance_taken_back_follows_a_new_kind(context: Context, tmp_path: Path) -> None:
    """What holds again is signed as the kind that is said with it wants it."""
    before = await brought(context, tmp_path, WITH_BALANCE)
    await change_account(context, AccountChange(id=before.account.id, balance=400_000))
    after = await change_account(
        context, AccountChange(id=before.account.id, balance=None, kind="credit")
    )
    assert after.account.balance == -(before.account.balance or 0)
