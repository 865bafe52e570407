"""Importing statements: all or nothing, nothing twice, undone to the row."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.automation.running import end_unfinished
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.imports.imports import cancel_import, list_imports, undo_import
from finplan.service.transactions import list_transactions
from finplan.store.queries import imports as table
from tests.service.asked import open_question

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

MAY = """Date,Description,Amount
2026-05-01,RENT OAK STREET,-1200.00
2026-05-04,BLUE BOTTLE COFFEE,-4.50
2026-05-04,BLUE BOTTLE COFFEE,-4.50
2026-05-29,ACME PAYROLL,2500.00
"""
MAY_AND_JUNE = MAY + "2026-06-01,RENT OAK STREET,-1200.00\n2026-06-02,BLUE BOTTLE COFFEE,-4.50\n"
OTHER = """Date,Description,Amount
2026-05-05,CITY BOOKS,-31.20
"""


def _ofx(*rows: str) -> str:
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
        "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>"
        "<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>000111222<ACCTTYPE>CHECKING"
        "</BANKACCTFROM><BANKTRANLIST><DTSTART>20260501<DTEND>20260630"
        + "".join(rows)
        + "</BANKTRANLIST><LEDGERBAL><BALAMT>1500.25<DTASOF>20260630</LEDGERBAL>"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


def _row(day: str, amount: str, fitid: str, name: str) -> str:
    return f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{day}<TRNAMT>{amount}<FITID>{fitid}<NAME>{name}</STMTTRN>"


async def test_the_same_file_twice_adds_nothing(import_texts: Import, dump: Dump) -> None:
    """A second import of a file finds every row known and changes no row."""
    first = await import_texts({"checking.csv": MAY})
    held = await dump()
    second = await import_texts({"checking.csv": MAY})

    assert (first.files[0].new, first.files[0].known) == (4, 0)
    assert (second.files[0].new, second.files[0].known) == (0, 4)
    assert (await dump())["tx"] == held["tx"]


async def test_overlapping_files_keep_two_equal_coffees(
    context: Context, import_texts: Import
) -> None:
    """Equal rows of one file are two rows, and a file that overlaps adds only what is new."""
    await import_texts({"checking.csv": MAY})
    second = await import_texts({"checking.csv": MAY_AND_JUNE})

    page = await list_transactions(context, TransactionQuery())
    coffees = [row for row in page.transactions if row.amount == -450]
    assert (second.files[0].new, second.files[0].known) == (2, 4)
    assert len(coffees) == 3
    assert len(page.transactions) == 6


async def test_overlapping_files_of_one_batch_add_nothing_twice(import_texts: Import) -> None:
    """Files that are imported together are told apart from each other as well."""
    report = await import_texts({"a.csv": MAY, "b.csv": MAY_AND_JUNE}, account="Checking")

    assert [(file.new, file.known) for file in report.files] == [(4, 0), (2, 4)]


async def test_a_dry_run_changes_nothing_and_tells_what_the_import_does(
    import_texts: Import, dump: Dump
) -> None:
    """The dry run's figures are the import's, and after it the store is as before."""
    await import_texts({"checking.csv": MAY})
    held = await dump()

    dry = await import_texts({"checking.csv": MAY_AND_JUNE}, dry_run=True)
    assert await dump() == held
    real = await import_texts({"checking.csv": MAY_AND_JUNE}, digest=dry.digest)

    assert dry.files == real.files
    assert (dry.id, dry.dry_run) == (None, True)


async def test_a_stale_dry_run_is_refused(import_texts: Import, dump: Dump) -> None:
    """An import that follows a dry run is refused when the data have changed since."""
    dry = await import_texts({"checking.csv": MAY}, dry_run=True)
    await import_texts({"other.csv": OTHER})
    held = await dump()

    with pytest.raises(Conflict, match="changed since the dry run"):
        await import_texts({"checking.csv": MAY}, digest=dry.digest)

    assert await dump() == held


async def test_one_bad_file_refuses_the_batch(import_texts: Import, dump: Dump) -> None:
    """A batch is all or nothing, and the report says which file fails and why."""
    held = await dump()

    with pytest.raises(BadRequest) as failure:
        await import_texts({"checking.csv": MAY, "bad.csv": "\x00\x01\x02"})

    assert await dump() == held
    assert failure.value.data is not None
    errors = [file["error"] for file in failure.value.data["report"]["files"]]
    assert errors[0] is None
    assert errors[1]


async def test_undo_leaves_the_domain_as_it_was(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """After undo nothing of the import is left, accounts and payees included."""
    empty = await dump()
    first = await import_texts({"checking.csv": MAY})
    held = await dump()
    second = await import_texts({"checking.csv": MAY_AND_JUNE, "other.csv": OTHER})

    await undo_import(context, ImportId(id=second.id))
    assert await dump() == held
    await undo_import(context, ImportId(id=first.id))
    assert await dump() == empty


async def test_undo_keeps_rows_that_another_import_held(
    context: Context, import_texts: Import
) -> None:
    """A row that two imports held stays until both are undone."""
    first = await import_texts({"checking.csv": MAY})
    second = await import_texts({"checking.csv": MAY_AND_JUNE})

    await undo_import(context, ImportId(id=first.id))
    kept = await list_transactions(context, TransactionQuery())
    await undo_import(context, ImportId(id=second.id))
    gone = await list_transactions(context, TransactionQuery())

    assert len(kept.transactions) == 6
    assert gone.transactions == ()


async def test_undo_parts_transfers_and_lets_the_other_side_count(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """When one half of a transfer goes, the other half is an ordinary row again."""
    checking = "Date,Description,Amount\n2026-05-02,TRANSFER TO SAVINGS,-500.00\n"
    savings = "Date,Description,Amount\n2026-05-02,TRANSFER FROM CHECKING,500.00\n"
    await import_texts({"checking.csv": checking})
    held = await dump()
    second = await import_texts({"savings.csv": savings})
    paired = await list_transactions(context, TransactionQuery())

    await undo_import(context, ImportId(id=second.id))

    assert {row.transfer_id is not None for row in paired.transactions} == {True}
    assert {row.category for row in paired.transactions} == {"transfer"}
    assert await dump() == held


async def test_undo_twice_is_refused(context: Context, import_texts: Import) -> None:
    """An import can be undone once; an unknown one is not found."""
    report = await import_texts({"checking.csv": MAY})
    await undo_import(context, ImportId(id=report.id))

    with pytest.raises(Conflict, match="undone already"):
        await undo_import(context, ImportId(id=report.id))
    with pytest.raises(NotFound):
        await undo_import(context, ImportId(id="imp_unknown00"))
    (record,) = await list_imports(context, Nothing())
    assert record.undone_at is not None


async def test_a_cancelled_import_changes_nothing(
    context: Context, import_texts: Import, dump: Dump, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cancel before the commit point stops the import; afterwards it says how to undo."""
    held = await dump()
    started = table.start_import

    def start_and_cancel(connection: Any, values: Any) -> int:
        number = started(connection, values)
        table.change_status(connection, number, "running", "cancelled")
        return number

    monkeypatch.setattr(table, "start_import", start_and_cancel)
    with pytest.raises(Conflict, match="cancelled"):
        await import_texts({"checking.csv": MAY})
    assert await dump() == held
    monkeypatch.undo()

    await import_texts({"checking.csv": MAY}, id="imp_mayfile0001")
    with pytest.raises(Conflict, match="finplan imports undo imp_mayfile0001"):
        await cancel_import(context, ImportId(id="imp_mayfile0001"))
    with pytest.raises(NotFound):
        await cancel_import(context, ImportId(id="imp_nothing0001"))


async def test_a_reused_fitid_loses_no_row(context: Context, import_texts: Import) -> None:
    """Rows that share a FITID but not day and amount are different rows."""
    text = _ofx(
        _row("20260502", "-10.00", "7", "SHOP"),
        _row("20260502", "-12.00", "7", "SHOP FEE"),
        _row("20260503", "-10.00", "7", "SHOP"),
    )
    report = await import_texts({"bank.ofx": text})
    again = await import_texts({"bank.ofx": text})

    assert (report.files[0].new, again.files[0].new) == (3, 0)


async def test_two_formats_of_one_account_match(context: Context, import_texts: Import) -> None:
    """A row that another format brought is recognised by day and amount, and called ambiguous."""
    await import_texts(
        {
            "bank.ofx": _ofx(
                _row("20260501", "-1200.00", "1", "RENT"),
                _row("20260504", "-4.50", "2", "COFFEE"),
                _row("20260504", "-4.50", "3", "COFFEE"),
            )
        }
    )
    (account,) = await list_accounts(context, Nothing())

    report = await import_texts({"download.csv": MAY}, account=account.id)

    file = report.files[0]
    assert (file.transactions, file.new, file.known, file.ambiguous) == (4, 1, 0, 3)


async def test_a_statement_brings_its_balance(context: Context, import_texts: Import) -> None:
    """The ledger balance of the newest statement is the account's."""
    await import_texts({"bank.ofx": _ofx(_row("20260501", "-1200.00", "1", "RENT"))})
    (account,) = await list_accounts(context, Nothing())

    assert (account.balance, account.mask, account.subtype) == (150025, "1222", "checking")


async def test_real_data_never_joins_the_demo_household(
    context: Context, import_texts: Import
) -> None:
    """A profile with the demo household refuses statements, and the other way round."""
    await import_texts({"checking.csv": MAY})

    with pytest.raises(Conflict, match="--demo"):
        await link_connection(context, LinkRequest(provider="demo"))


@pytest.mark.thorough
async def test_statements_never_join_a_demo_profile(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """In a profile with the demo household an import is refused and changes nothing."""
    await link_connection(context, LinkRequest(provider="demo"))
    held = await dump()

    with pytest.raises(Conflict, match="--profile"):
        await import_texts({"checking.csv": MAY})

    assert await dump() == held


async def test_an_import_that_a_crash_left_running_is_ended(
    context: Context, import_texts: Import
) -> None:
    """At the next start nothing runs any more, and the same id is not committed by anyone."""
    values = {"id": "imp_crashed0001", "owner_no": context.caller.owner, "started_at": 0}
    number = await context.store.write(lambda c: table.start_import(c, values))
    await context.store.write(lambda c: end_unfinished(c, 0))

    assert not await context.store.read(lambda c: table.is_running(c, number))
    assert await list_imports(context, Nothing()) == ()


async def test_what_a_file_leaves_open_is_asked(import_texts: Import, dump: Dump) -> None:
    """Two readings of a number are never guessed between; the answer decides."""
    text = "Date;Text;Amount\n2026-05-01;RENT;-1.200\n2026-05-04;SHOP;-3.400\n"
    held = await dump()
    with pytest.raises(Conflict) as failure:
        await import_texts({"checking.csv": text})
    assert await dump() == held
    assert failure.value.data is not None
    assert open_question(failure.value) == ("decimalSign", [".", ","])

    report = await import_texts({"checking.csv": text}, decimal_sign=",")
    assert report.files[0].new == 2


async def test_one_number_for_two_accounts_keeps_them_apart(
    context: Context, import_texts: Import
) -> None:
    """Checking and savings under one number are two accounts."""
    rows = _row("20260501", "-1200.00", "1", "RENT")
    checking = _ofx(rows)
    savings = _ofx(_row("20260502", "5.00", "2", "INTEREST")).replace("CHECKING", "SAVINGS")
    await import_texts({"a.ofx": checking, "b.ofx": savings})
    again = await import_texts({"a.ofx": checking, "b.ofx": savings})

    accounts = await list_accounts(context, Nothing())
    assert [account.subtype for account in accounts] == ["checking", "savings"]
    assert [file.new for file in again.files] == [0, 0]
