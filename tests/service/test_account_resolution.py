"""Account resolution: rows go to the accounts they were in before, however their file names them."""

from collections.abc import Awaitable, Callable

import pytest

from finplan.model.base import Nothing
from finplan.model.statement import ImportReport
from finplan.service.banking.accounts import list_accounts
from finplan.service.context import Context

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


def _ofx(institution: str, number: str, *amounts: str) -> str:
    """A statement of an account with a charge on each day of June 2026."""
    rows = "".join(
        f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>202606{day:02d}<TRNAMT>{amount}<FITID>{day}<NAME>FEE</STMTTRN>"
        for day, amount in enumerate(amounts, 1)
    )
    return (
        f"OFXHEADER:100\n\n<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>{institution}</FI></SONRS>"
        "</SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM>"
        f"<ACCTID>{number}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>{rows}</BANKTRANLIST>"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
    )


async def test_a_short_number_is_another_account_at_another_bank(
    context: Context, import_texts: Import
) -> None:
    """Two banks may give one short number: each has its own account, and a note names the other."""
    first, second = _ofx("Alpha", "0001", "-5", "-7"), _ofx("Beta", "0001", "-5", "-8")
    await import_texts({"a.ofx": first})
    report = await import_texts({"b.ofx": second})
    assert (report.files[0].new, report.files[0].accounts[0].new) == (2, True)
    assert "at Alpha has the number 0001 too" in report.files[0].notes[0]
    for text in (first, second):
        again = await import_texts({"again.ofx": text})
        assert (again.files[0].known, again.files[0].notes) == (2, ())
    held = await list_accounts(context, Nothing())
    assert sorted(account.institution_name for account in held) == ["Alpha", "Beta"]


async def test_a_short_number_at_two_banks_is_two_accounts_also_in_one_import(
    context: Context, import_texts: Import
) -> None:
    """Files of two institutions that come together lose no row that both have."""
    files = {"a.ofx": _ofx("Alpha", "0001", "-5", "-7"), "b.ofx": _ofx("Beta", "0001", "-5", "-8")}
    report = await import_texts(files)
    assert [(file.new, file.known) for file in report.files] == [(2, 0), (2, 0)]
    held = await list_accounts(context, Nothing())
    assert sorted(account.institution_name for account in held) == ["Alpha", "Beta"]


@pytest.mark.parametrize(
    ("number", "amounts"), [("123456789", ("-5", "-7")), ("0001", ("-5", "-7", "-9"))]
)
async def test_one_bank_may_be_spelt_in_two_ways(
    context: Context, import_texts: Import, number: str, amounts: tuple[str, ...]
) -> None:
    """A long number, or the same rows, are one account however its institution is spelt."""
    await import_texts({"a.ofx": _ofx("Alpha", number, *amounts)})
    report = await import_texts({"a.qfx": _ofx("Alpha Bank", number, *amounts)})
    assert report.files[0].known == len(amounts)
    assert len(await list_accounts(context, Nothing())) == 1


async def test_a_file_without_rows_goes_to_no_account(
    context: Context, import_texts: Import
) -> None:
    """A table whose every row is declined holds nothing, also where the person names an account."""
    declined = "Date,Description,Amount,Status\n2026-01-02,A,-1.00,declined\n"
    report = await import_texts({"a.csv": declined}, account="Everyday")
    assert (report.files[0].transactions, report.files[0].accounts) == (0, ())
    assert await list_accounts(context, Nothing()) == ()
