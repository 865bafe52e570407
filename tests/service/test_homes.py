"""Homes: a file's rows go to the accounts they were in before, however the file names them."""

from collections.abc import Awaitable, Callable

import pytest

from finplan.model.base import Nothing
from finplan.model.statement import ImportReport
from finplan.service.accounts import list_accounts
from finplan.service.core import Context

Import = Callable[..., Awaitable[ImportReport]]

MINT = (
    '"Date","Description","Original Description","Amount","Transaction Type","Category",'
    '"Account Name","Labels","Notes"\n'
    '"8/30/2016","Starbucks","STARBUCKS STORE 12345","2.45","debit","Coffee","My Credit Card","",""\n'
    '"8/29/2016","Transfer","TRANSFER","66.88","credit","Transfer","My Checking","",""\n'
)
YNAB = (
    "Account,Flag,Date,Payee,Category Group/Category,Category Group,Category,Memo,Outflow,Inflow,"
    "Cleared\n"
    "My Visa 2,,11/20/2025,Shop,,,,,$2.00,$0.00,Cleared\n"
    "My Visa,,11/20/2025,Shop,,,,,$1.00,$0.00,Cleared\n"
)
JOURNAL = "2024-01-02 x\n    assets:bank of ada:checking  1 USD\n    income:y\n"


@pytest.mark.parametrize(
    ("name", "text", "accounts"),
    [("m.csv", MINT, 2), ("y.csv", YNAB, 2), ("j.journal", JOURNAL, 1)],
)
async def test_names_with_blanks_are_found_again(
    context: Context, import_texts: Import, name: str, text: str, accounts: int
) -> None:
    """An app's accounts go by their names, which may hold blanks and begin with one another."""
    first = await import_texts({name: text})
    again = await import_texts({name: text})
    held = await list_accounts(context, Nothing())

    rows = first.files[0].transactions
    assert (first.files[0].new, again.files[0].known) == (rows, rows)
    assert len(held) == accounts


async def test_a_name_is_no_number_to_show(context: Context, import_texts: Import) -> None:
    """The last four letters of a name are no mask; the last four digits of a number are."""
    await import_texts({"m.csv": MINT})
    await import_texts(
        {"o.csv": "Date,Account number,Text,Amount\n2026-01-02,DE00123456,A,-1.00\n"}
    )
    masks = {account.name: account.mask for account in await list_accounts(context, Nothing())}
    assert masks == {"My Credit Card": None, "My Checking": None, "DE00123456": "3456"}


async def test_an_assumed_currency_is_marked(import_texts: Import) -> None:
    """A new account whose currency neither file nor person named says so; no other one does."""
    bare = "Date,Text,Amount\n2026-01-02,A,-1.00\n"
    named = "Date,Text,Amount (EUR)\n2026-01-02,A,-1.00\n"
    qif = "!Type:Bank\nD01/13/2026\nT-1.00\nPA\n^\n"
    files = {"a.csv": bare, "b.csv": named, "c.qif": qif}
    dry = await import_texts(files, dry_run=True)
    told = await import_texts({"a.csv": bare}, dry_run=True, currency="CHF")
    await import_texts({"a.csv": bare})
    again = await import_texts({"a.csv": bare}, dry_run=True)

    def marks(report: ImportReport) -> list[tuple[str, bool, bool]]:
        accounts = [account for file in report.files for account in file.accounts]
        return [(each.currency, each.currency_assumed, each.new) for each in accounts]

    assert marks(dry) == [("USD", True, True), ("EUR", False, True), ("USD", True, True)]
    assert marks(told) == [("CHF", False, True)]
    assert marks(again) == [("USD", False, False)]
