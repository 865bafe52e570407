"""Coverage and stated balances: kept with the import that brought them, told per account, taken back."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from finplan.banks.base import BankAccount, Link, SyncPage
from finplan.model.account import AccountChange, AccountId, AccountRecord
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, LinkRequest
from finplan.model.statement import ImportId
from finplan.model.transaction import ExportQuery
from finplan.service.banking.accounts import change_account, list_accounts, show_account
from finplan.service.banking.connections import (
    sync_connection,
)
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.export import export_transactions
from finplan.service.imports.imports import undo_import
from finplan.service.planning.plans import build_plan
from finplan.store.queries.accounts import recorded_balances

Import = Callable[..., Awaitable[Any]]
HEADER = "Date,Description,Amount,Balance\n"
FEBRUARY = (
    "2026-02-03,Rent,-10.00,90.00\n2026-02-10,Shop,-10.00,80.00\n2026-02-25,Shop,-5.00,75.00\n"
)
JULY = "2026-07-05,Rent,-10.00,65.00\n2026-07-10,Shop,-10.00,55.00\n2026-07-28,Shop,-5.00,50.00\n"
OTHER_JULY = JULY.replace("65.00", "665.00").replace("55.00", "655.00").replace(",50.00", ",650.00")


def _mt940(opened: str, closed: str, *lines: str) -> str:
    return (
        f":20:STARTUMS\n:25:10020030/1234567\n:28C:1/1\n:60F:{opened}\n"
        + "".join(f"{line}\n" for line in lines)
        + f":62F:{closed}\n-\n"
    )


async def _record(context: Context) -> AccountRecord:
    (account,) = await list_accounts(context, Nothing())
    return await show_account(context, AccountId(id=account.id))


def _spans(record: AccountRecord) -> list[tuple[str, str]]:
    return [(f"{span.since}", f"{span.until}") for span in record.coverage]


def _anchors(record: AccountRecord) -> dict[str, int]:
    return {f"{anchor.date}": anchor.balance for anchor in record.anchors}


async def test_rows_tell_what_a_file_covers(context: Context, import_texts: Import) -> None:
    """A file that states no days covers its first to its last row; its balance is an anchor."""
    await import_texts({"a.csv": HEADER + FEBRUARY}, account="Giro")
    record = await _record(context)
    assert _spans(record) == [("2026-02-03", "2026-02-25")]
    assert _anchors(record) == {"2026-02-25": 7500}


async def test_a_hole_between_two_files_is_told(context: Context, import_texts: Import) -> None:
    """Months between two files stay missing, where the balances leave money unexplained."""
    await import_texts({"a.csv": HEADER + FEBRUARY, "b.csv": HEADER + OTHER_JULY}, account="Giro")
    record = await _record(context)
    assert _spans(record) == [("2026-02-03", "2026-02-25"), ("2026-07-05", "2026-07-28")]
    assert _anchors(record) == {"2026-02-25": 7500, "2026-07-28": 65000}


async def test_balances_that_agree_close_a_pause(context: Context, import_texts: Import) -> None:
    """Where the rows explain the later balance from the earlier one, nothing is missing between."""
    await import_texts({"a.csv": HEADER + FEBRUARY, "b.csv": HEADER + JULY}, account="Giro")
    assert _spans(await _record(context)) == [("2026-02-03", "2026-07-28")]


async def test_what_is_owed_agrees_with_its_sign(context: Context, import_texts: Import) -> None:
    """On a card the balances go up when money goes out, and close a pause all the same."""
    header = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><CREDITCARDMSGSRSV1>"
    files = {}
    for name, month, owed in (("a.ofx", "02", "-75.00"), ("b.ofx", "07", "-80.00")):
        files[name] = (
            f"{header}<CCSTMTTRNRS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>4111</CCACCTFROM>"
            f"<BANKTRANLIST><DTSTART>2026{month}01<DTEND>2026{month}28<STMTTRN><TRNTYPE>DEBIT"
            f"<DTPOSTED>2026{month}10<TRNAMT>-5.00<FITID>{month}<NAME>SHOP</STMTTRN></BANKTRANLIST>"
            f"<LEDGERBAL><BALAMT>{owed}<DTASOF>2026{month}28</LEDGERBAL></CCSTMTRS></CCSTMTTRNRS>"
            "</CREDITCARDMSGSRSV1></OFX>\n"
        )
    await import_texts(files)
    record = await _record(context)
    assert _spans(record) == [("2026-02-01", "2026-07-28")]
    assert _anchors(record) == {"2026-02-28": 7500, "2026-07-28": 8000}


async def test_stated_days_are_those_of_the_balances(
    context: Context, import_texts: Import
) -> None:
    """A statement covers the days from its opening to its closing balance, and all of a file's do."""
    statements = _mt940("C260131EUR100,00", "C260228EUR90,00", ":61:2602100210D10,00NMSC") + _mt940(
        "C260228EUR90,00", "C260331EUR80,00", ":61:2603100310D10,00NMSC"
    )
    await import_texts({"a.sta": statements})
    record = await _record(context)
    assert _spans(record) == [("2026-01-31", "2026-03-31")]
    assert _anchors(record) == {"2026-02-28": 9000, "2026-03-31": 8000}


async def test_undo_takes_coverage_and_anchors_back(context: Context, import_texts: Import) -> None:
    """After an undo the account covers what the other imports say, in whichever order they came."""
    february = await import_texts({"a.csv": HEADER + FEBRUARY}, account="Giro")
    await import_texts({"b.csv": HEADER + OTHER_JULY}, account="Giro")
    await undo_import(context, ImportId(id=february.id))
    record = await _record(context)
    assert _spans(record) == [("2026-07-05", "2026-07-28")]
    assert _anchors(record) == {"2026-07-28": 65000}


async def test_an_import_that_brings_no_row_covers_its_days(
    context: Context, import_texts: Import
) -> None:
    """The same days in a second file stay covered when the first one is undone."""
    first = await import_texts({"a.csv": HEADER + FEBRUARY}, account="Giro")
    await import_texts({"again.csv": HEADER + FEBRUARY}, account="Giro")
    await undo_import(context, ImportId(id=first.id))
    assert _spans(await _record(context)) == [("2026-02-03", "2026-02-25")]


async def test_pending_rows_cover_nothing(context: Context, import_texts: Import) -> None:
    """A row that waits says nothing of the days before it."""
    rows = "2026-02-03,Rent,-10.00,Booked\n2026-02-10,Shop,-9.00,Booked\n2026-03-20,Late,-1.00,Pending\n"
    await import_texts({"a.csv": "Date,Description,Amount,Status\n" + rows}, account="Giro")
    assert _spans(await _record(context)) == [("2026-02-03", "2026-02-10")]


async def test_the_person_s_balance_is_an_anchor(context: Context, import_texts: Import) -> None:
    """What the person tells of today stands beside what statements stated."""
    await import_texts({"a.csv": HEADER + FEBRUARY}, account="Giro")
    (account,) = await list_accounts(context, Nothing())
    record = await change_account(context, AccountChange(id=account.id, balance=4200))
    assert _anchors(record) == {"2026-02-25": 7500, "2026-11-21": 4200}


async def test_the_plan_leaves_the_hole_out(context: Context, import_texts: Import) -> None:
    """The plan names the hole and averages no month that it touches."""
    spring = "".join(
        f"2026-0{month}-{day},Pay,10.00,\n" for month in (1, 2) for day in ("02", "27")
    )
    autumn = spring.replace("-01-", "-07-").replace("-02-02", "-08-02").replace("-02-27", "-08-29")
    await import_texts({"a.csv": HEADER + spring, "b.csv": HEADER + autumn}, account="Giro")
    stored = await build_plan(context, Nothing())
    assert stored.plan.window.months == 4
    assert stored.plan.window.days == 31 + 28 + 31 + 31
    assert any("has no data from 28 February to 1 July" in note for note in stored.plan.notes)


class Growing:
    """A bank with one account and no rows; it tells from which day it has any, or does not."""

    def __init__(self, since: int | None) -> None:
        self.since = since

    async def sync(self, _link: Link, cursor: str | None, _today: date) -> SyncPage:
        account = BankAccount(
            "chk", "Checking", "1", "depository", "checking", "USD", 100, covered_since=self.since
        )
        return SyncPage((account,), (), (), (), cursor=f"{cursor}+")


async def _synced_twice(context: Context, since: int | None) -> AccountRecord:
    banks = {"demo": Growing(since)}
    first = replace(context, banks=banks)
    made = await link_connection(first, LinkRequest(provider="demo"))
    later = replace(first, now=lambda: datetime(2026, 12, 24, 9, tzinfo=UTC))
    await sync_connection(later, ConnectionId(id=made.answer.connection.id))
    return await _record(later)


async def test_a_bank_covers_its_days_up_to_the_latest_sync(context: Context) -> None:
    """A sync brings all that came since the one before, so that its days are one interval."""
    record = await _synced_twice(context, 20260101)
    assert _spans(record) == [("2026-01-01", "2026-12-24")]
    assert _anchors(record) == {"2026-11-21": 100, "2026-12-24": 100}


async def test_a_bank_that_tells_no_first_day_covers_from_the_first_sync(context: Context) -> None:
    """Without a word of the bank the account is covered from the day on which it was linked."""
    assert _spans(await _synced_twice(context, None)) == [("2026-11-21", "2026-12-24")]


async def test_the_person_s_word_of_a_day_is_kept_before_a_statement_s(
    context: Context, import_texts: Import
) -> None:
    """Of two balances of one day the person's holds, whichever came first."""
    await import_texts({"a.csv": HEADER + FEBRUARY.replace("2026-02", "2026-11")}, account="Giro")
    (account,) = await list_accounts(context, Nothing())
    at_noon = replace(context, now=lambda: datetime(2026, 11, 25, 12, tzinfo=UTC))
    await change_account(at_noon, AccountChange(id=account.id, balance=4200))
    stored = await context.store.read(lambda c: recorded_balances(c, context.caller.owner))
    assert [(day, balance) for _, day, balance in stored] == [(20261125, 4200)]


async def test_an_export_closes_no_hole(context: Context, import_texts: Import) -> None:
    """Rows on both sides of a hole, brought back by an export of the account, cover no day between."""
    await import_texts({"a.csv": HEADER + FEBRUARY, "b.csv": HEADER + OTHER_JULY}, account="Giro")
    before = await _record(context)
    exported = await export_transactions(context, ExportQuery(format="csv"))
    text = b"".join([piece async for piece in exported.content]).decode()
    report = await import_texts({"export.csv": text})
    assert len(report.files[0].accounts[0].coverage) == 2
    assert await _record(context) == before
