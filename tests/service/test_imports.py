"""Importing statements: all or nothing, nothing twice, undone to the row.

What a file leaves open is asked at once, with nothing stored, and answers are heeded. Of rows
booked on days to come the report says so, for their days may be read the wrong way round.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from finplan.intake.files import AccountInFile
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import FileReport, ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.automation.running import end_unfinished
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.imports.imports import cancel_import, list_imports, undo_import
from finplan.service.transactions import list_transactions
from finplan.statements.statement import (
    StatementAccount,
    StatementPart,
    StatementRow,
    StatementRows,
)
from finplan.store.queries import imports as table
from tests.present import present
from tests.service.conftest import bring, dump, send
from tests.service.said import open_question

Import = Callable[..., Awaitable[Any]]
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


async def test_the_same_file_twice_adds_nothing(context: Context) -> None:
    """A second import of a file finds every row known and changes no row."""
    first = await bring(context, {"checking.csv": MAY})
    held = await dump(context)
    second = await bring(context, {"checking.csv": MAY})

    assert (first.files[0].new, first.files[0].known) == (4, 0)
    assert (second.files[0].new, second.files[0].known) == (0, 4)
    assert (await dump(context))["tx"] == held["tx"]


async def test_overlapping_files_keep_two_equal_coffees(context: Context) -> None:
    """Equal rows of one file are two rows, and a file that overlaps adds only what is new."""
    await bring(context, {"checking.csv": MAY})
    second = await bring(context, {"checking.csv": MAY_AND_JUNE})

    page = await list_transactions(context, TransactionQuery())
    coffees = [row for row in page.transactions if row.amount == -450]
    assert (second.files[0].new, second.files[0].known) == (2, 4)
    assert len(coffees) == 3
    assert len(page.transactions) == 6


async def test_overlapping_files_of_one_batch_add_nothing_twice(context: Context) -> None:
    """Files that are imported together are told apart from each other as well."""
    report = await bring(context, {"a.csv": MAY, "b.csv": MAY_AND_JUNE}, account="Checking")

    assert [(file.new, file.known) for file in report.files] == [(4, 0), (2, 4)]


async def test_a_dry_run_changes_nothing_and_tells_what_the_import_does(context: Context) -> None:
    """The dry run's figures are the import's, and after it the store is as before."""
    await bring(context, {"checking.csv": MAY})
    held = await dump(context)

    dry = await bring(context, {"checking.csv": MAY_AND_JUNE}, dry_run=True)
    assert await dump(context) == held
    real = await bring(context, {"checking.csv": MAY_AND_JUNE}, digest=dry.digest)

    assert dry.files == real.files
    assert (dry.id, dry.dry_run) == (None, True)


async def test_a_stale_dry_run_is_refused(context: Context) -> None:
    """An import that follows a dry run is refused when the data have changed since."""
    dry = await bring(context, {"checking.csv": MAY}, dry_run=True)
    await bring(context, {"other.csv": OTHER})
    held = await dump(context)

    with pytest.raises(Conflict, match="changed since"):
        await bring(context, {"checking.csv": MAY}, digest=dry.digest)

    assert await dump(context) == held


async def test_one_bad_file_refuses_the_batch(context: Context) -> None:
    """A batch is all or nothing, and the report says which file fails and why."""
    held = await dump(context)

    with pytest.raises(BadRequest) as failure:
        await bring(context, {"checking.csv": MAY, "bad.csv": "\x00\x01\x02"})

    assert await dump(context) == held
    errors = [file["error"] for file in present(failure.value.data)["report"]["files"]]
    assert errors[0] is None
    assert errors[1]


async def test_undo_leaves_the_domain_as_it_was(context: Context) -> None:
    """After undo nothing of the import is left, accounts and payees included."""
    empty = await dump(context)
    first = await bring(context, {"checking.csv": MAY})
    held = await dump(context)
    second = await bring(context, {"checking.csv": MAY_AND_JUNE, "other.csv": OTHER})

    await undo_import(context, ImportId(id=second.id))
    assert await dump(context) == held
    await undo_import(context, ImportId(id=first.id))
    assert await dump(context) == empty


async def test_undo_keeps_rows_that_another_import_held(context: Context) -> None:
    """A row that two imports held stays until both are undone."""
    first = await bring(context, {"checking.csv": MAY})
    second = await bring(context, {"checking.csv": MAY_AND_JUNE})

    await undo_import(context, ImportId(id=first.id))
    kept = await list_transactions(context, TransactionQuery())
    await undo_import(context, ImportId(id=second.id))
    gone = await list_transactions(context, TransactionQuery())

    assert len(kept.transactions) == 6
    assert gone.transactions == ()


async def test_undo_parts_transfers_and_lets_the_other_side_count(context: Context) -> None:
    """When one half of a transfer goes, the other half is an ordinary row again."""
    checking = "Date,Description,Amount\n2026-05-02,TRANSFER TO SAVINGS,-500.00\n"
    savings = "Date,Description,Amount\n2026-05-02,TRANSFER FROM CHECKING,500.00\n"
    await bring(context, {"checking.csv": checking})
    held = await dump(context)
    second = await bring(context, {"savings.csv": savings})
    paired = await list_transactions(context, TransactionQuery())

    await undo_import(context, ImportId(id=second.id))

    assert {row.transfer_id is not None for row in paired.transactions} == {True}
    assert {row.category for row in paired.transactions} == {"transfer"}
    assert await dump(context) == held


async def test_undo_twice_is_refused(context: Context) -> None:
    """An import can be undone once; an unknown one is not found."""
    report = await bring(context, {"checking.csv": MAY})
    await undo_import(context, ImportId(id=report.id))

    with pytest.raises(Conflict, match="already undone"):
        await undo_import(context, ImportId(id=report.id))
    with pytest.raises(NotFound):
        await undo_import(context, ImportId(id="imp_unknown00"))
    (record,) = await list_imports(context, Nothing())
    assert record.undone_at is not None


async def test_a_cancel_changes_nothing(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cancel before the commit point stops the import; afterwards it says how to undo."""
    held = await dump(context)
    started = table.start_import

    def start_and_cancel(connection: Any, values: Any) -> int:
        number = started(connection, values)
        table.change_status(connection, number, "running", "cancelled")
        return number

    monkeypatch.setattr(table, "start_import", start_and_cancel)
    with pytest.raises(Conflict, match="canceled"):
        await bring(context, {"checking.csv": MAY})
    assert await dump(context) == held
    monkeypatch.undo()

    await bring(context, {"checking.csv": MAY}, id="imp_mayfile0001")
    with pytest.raises(Conflict, match="finplan imports undo imp_mayfile0001"):
        await cancel_import(context, ImportId(id="imp_mayfile0001"))
    with pytest.raises(NotFound):
        await cancel_import(context, ImportId(id="imp_nothing0001"))


async def test_a_reused_fitid_loses_no_row(context: Context) -> None:
    """Rows that share a FITID but not day and amount are different rows."""
    text = _ofx(
        _row("20260502", "-10.00", "7", "SHOP"),
        _row("20260502", "-12.00", "7", "SHOP FEE"),
        _row("20260503", "-10.00", "7", "SHOP"),
    )
    report = await bring(context, {"bank.ofx": text})
    again = await bring(context, {"bank.ofx": text})

    assert (report.files[0].new, again.files[0].new) == (3, 0)


async def test_two_formats_of_one_account_match(context: Context) -> None:
    """A row that another format brought is recognised by day and amount, and called ambiguous."""
    await bring(
        context,
        {
            "bank.ofx": _ofx(
                _row("20260501", "-1200.00", "1", "RENT"),
                _row("20260504", "-4.50", "2", "COFFEE"),
                _row("20260504", "-4.50", "3", "COFFEE"),
            )
        },
    )
    (account,) = await list_accounts(context, Nothing())

    report = await bring(context, {"download.csv": MAY}, account=account.id)

    file = report.files[0]
    assert (file.transactions, file.new, file.known, file.ambiguous) == (4, 1, 0, 3)


async def test_a_statement_brings_its_balance(context: Context) -> None:
    """The ledger balance of the newest statement is the account's."""
    await bring(context, {"bank.ofx": _ofx(_row("20260501", "-1200.00", "1", "RENT"))})
    (account,) = await list_accounts(context, Nothing())

    assert (account.balance, account.mask, account.subtype) == (150025, "1222", "checking")


async def test_real_data_never_joins_the_demo_household(context: Context) -> None:
    """A profile with the demo household refuses statements, and the other way round."""
    await bring(context, {"checking.csv": MAY})

    with pytest.raises(Conflict, match="--demo"):
        await link_connection(context, LinkRequest(provider="demo"))


@pytest.mark.thorough
async def test_statements_never_join_a_demo_profile(context: Context) -> None:
    """In a profile with the demo household an import is refused and changes nothing."""
    await link_connection(context, LinkRequest(provider="demo"))
    held = await dump(context)

    with pytest.raises(Conflict, match="--profile"):
        await bring(context, {"checking.csv": MAY})

    assert await dump(context) == held


async def test_an_import_that_a_crash_left_running_is_ended(context: Context) -> None:
    """At the next start nothing runs any more, and the same id is not committed by anyone."""
    values = {"id": "imp_crashed0001", "owner_no": context.caller.owner, "started_at": 0}
    number = await context.store.write(lambda c: table.start_import(c, values))
    await context.store.write(lambda c: end_unfinished(c, 0))

    assert not await context.store.read(lambda c: table.is_running(c, number))
    assert await list_imports(context, Nothing()) == ()


async def test_what_a_file_leaves_open_is_asked(context: Context) -> None:
    """Two readings of a number are never guessed between; the answer decides."""
    text = "Date;Text;Amount\n2026-05-01;RENT;-1.200\n2026-05-04;SHOP;-3.400\n"
    held = await dump(context)
    with pytest.raises(Conflict) as failure:
        await bring(context, {"checking.csv": text})
    assert await dump(context) == held
    assert failure.value.data is not None
    assert open_question(failure.value) == ("decimalSign", [".", ","])

    report = await bring(context, {"checking.csv": text}, decimal_sign=",")
    assert report.files[0].new == 2


async def test_one_number_for_two_accounts_keeps_them_apart(context: Context) -> None:
    """Checking and savings under one number are two accounts."""
    checking = _ofx(_row("20260501", "-1200.00", "1", "RENT"))
    savings = _ofx(_row("20260502", "5.00", "2", "INTEREST")).replace("CHECKING", "SAVINGS")
    await bring(context, {"a.ofx": checking, "b.ofx": savings})
    again = await bring(context, {"a.ofx": checking, "b.ofx": savings})

    accounts = await list_accounts(context, Nothing())
    assert [account.subtype for account in accounts] == ["checking", "savings"]
    assert [file.new for file in again.files] == [0, 0]


OPEN_WAY = "Date,Description,Amount\n2026-03-13,SHOP,4.50\n2026-03-14,CAFE,2.00\n"
OPEN_DAYS = "Date,Text,Debit,Credit\n03/04/2026,SHOP,4.50,\n05/04/2026,PAY,,9.00\n"
CLEAR = "Date,Text,Debit,Credit\n2026-03-13,SHOP,4.50,\n2026-03-14,PAY,,9.00\n"


async def run(context: Context, files: dict[str, str], **said: Any) -> list[tuple[int, int]]:
    """Import files as a program does that says only what is given; the new rows and pending of each."""
    report = await send(context, files, **{"account_kind": "checking", **said})
    return [(file.new, file.pending) for file in report.files]


async def asked(context: Context, files: dict[str, str], **said: Any) -> list[Any]:
    with pytest.raises(Conflict) as refusal:
        await run(context, files, **said)
    return [(each["file"], each["about"]) for each in present(refusal.value.data)["questions"]]


async def test_all_questions_of_a_batch_come_at_once(context: Context) -> None:
    """Each file that leaves something open is asked about, and no file of the batch is stored."""
    before = await dump(context)
    files = {"a.csv": OPEN_WAY, "b.csv": CLEAR, "c.csv": OPEN_DAYS}
    for dry_run in (True, False):
        assert await asked(context, files, dry_run=dry_run) == [(0, "direction"), (2, "dateOrder")]
    assert await dump(context) == before


async def test_an_answer_is_for_its_file_alone(context: Context) -> None:
    """Answers name a file by place or name and go before the field for all files."""
    files = {"a.csv": OPEN_WAY, "b.csv": OPEN_WAY.replace("SHOP", "BAR")}
    first = [{"file": "a.csv", "about": "direction", "value": "out"}]
    assert await asked(context, files, answers=first) == [(1, "direction")]
    both = [*first, {"file": 1, "about": "direction", "value": "in"}]
    said = {"answers": both, "direction": "out", "same_account": "new"}
    assert await run(context, files, **said) == [(2, 0), (2, 0)]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"file": 1, "about": "direction", "value": "out"}, "has only a.csv"),
        ({"file": "b.csv", "about": "direction", "value": "out"}, "has only a.csv"),
        ({"file": 0, "about": "direction", "value": "up"}, "Use in, out, "),
        ({"file": 0, "about": "dateOrder", "value": "dym"}, "dateOrder. Use 'dmy', 'mdy'"),
        ({"file": 0, "about": "currency", "value": "euro"}, "Use three capital letters"),
        ({"file": 0, "about": "currency", "value": "XBT"}, "currency XBT"),
    ],
)
async def test_nonsense_is_refused(context: Context, answer: dict[str, Any], told: str) -> None:
    """An answer on a file that did not come, or that no question has, is told as such."""
    with pytest.raises(BadRequest, match=told):
        await run(context, {"a.csv": OPEN_WAY}, answers=[answer])


async def test_an_unknown_currency_is_refused(context: Context) -> None:
    """A code that ISO 4217 does not know is never taken for one with two decimals."""
    with pytest.raises(BadRequest, match="currency XBT"):
        await run(context, {"a.csv": OPEN_WAY}, currency="XBT")


async def test_what_was_answered_is_known_of_the_next_file(context: Context) -> None:
    """An answer is remembered for the layout, and only an answer to what the file leaves open."""
    await run(context, {"a.csv": OPEN_WAY}, direction="out")
    report = await send(context, {"a.csv": OPEN_WAY.replace("2026-03", "2026-04")})
    assert present(report.files[0].remembered).direction == "out"


@pytest.mark.parametrize("dry_run", [True, False])
async def test_an_unneeded_answer_is_told_in_the_report(context: Context, dry_run: bool) -> None:
    """Of a batch, only the files that tell it by themselves say that it was not needed."""
    files, said = {"open.csv": OPEN_WAY, "clear.csv": CLEAR}, {"account_kind": "checking"}
    report = await send(context, files, **said, direction="in", dry_run=dry_run)
    told = [[note for note in file.notes if "--direction" in note] for file in report.files]
    assert told[0] == []
    assert [note.partition(" was")[0] for note in told[1]] == ["--direction in"]


async def test_a_file_that_cannot_be_read_comes_before_questions(context: Context) -> None:
    """A batch with an unreadable file is refused for it, whatever else is open."""
    with pytest.raises(BadRequest, match=r"^b\.csv: "):
        await run(context, {"a.csv": OPEN_WAY, "b.csv": "no statement"})


ON_TIME = "2026-11-14,SHOP,-3.00\n"
A_WEEK_AHEAD = "2026-11-28,RENT,-1200.00\n"
"""Seven days after the day on which these tests take place."""
EIGHT_DAYS_AHEAD = "2026-11-29,SHOP,-4.00\n"

_OPTION = ". If the day and the month are swapped, set --date-order."


def _table(*rows: str, header: str = "Date,Description,Amount\n") -> str:
    return header + "".join(rows)


def _said(report: FileReport) -> list[tuple[str, str, str]]:
    """Of each note on days to come: how many they are, the last day, and how it ends."""
    notes = [note for note in report.notes if "in the future" in note]
    return [told for note in notes for told in re.findall(r"(\w+) .*?(\d+ \w+ \d{4})(.+)", note)]


async def test_rows_more_than_a_week_ahead_are_told(context: Context) -> None:
    """Day and month the wrong way round make days to come, which nobody has booked."""
    text = "Date,Description,Amount\n" + "".join(
        f"{month:02}/10/2026,SHOP {month},-{month}.50\n" for month in range(3, 13)
    )
    report = await bring(context, {"checking.csv": text}, date_order="mdy")
    assert _said(report.files[0]) == [("One", "10 Dec 2026", _OPTION)]


@pytest.mark.parametrize(("day", "option"), [(12, _OPTION), (13, ".")])
async def test_a_day_beyond_twelve_is_in_order(context: Context, day: int, option: str) -> None:
    """The option that turns day and month is named only where it could turn them."""
    report = await bring(context, {"checking.csv": _table(ON_TIME, f"2026-12-{day},SHOP,-5.00\n")})
    assert _said(report.files[0]) == [("One", f"{day} Dec 2026", option)]


async def test_each_file_says_how_many_and_the_last(context: Context) -> None:
    """Only the rows of a file itself count, and a preview says the same."""
    ahead = _table(ON_TIME, A_WEEK_AHEAD, EIGHT_DAYS_AHEAD, "2027-01-02,SHOP,-5.00\n")
    files = {"checking.csv": ahead, "card.csv": _table(ON_TIME.replace("3.00", "8.00"))}
    for dry_run in (True, False):
        first, second = (await bring(context, files, dry_run=dry_run)).files
        assert _said(first) == [("2", "2 Jan 2027", _OPTION)]
        assert _said(second) == []


async def test_a_week_ahead_is_nothing_to_tell(context: Context) -> None:
    """Banks date what is booked over holidays a few days ahead."""
    report = await bring(context, {"checking.csv": _table(ON_TIME, A_WEEK_AHEAD)})
    assert _said(report.files[0]) == []


async def test_pending_rows_may_lie_ahead(context: Context) -> None:
    """A standing order that waits for its day is nothing to look at."""
    header = "Date,Description,Amount,Status\n"
    rows = ("2026-11-14,SHOP,-3.00,booked\n", "2026-12-14,RENT,-1200.00,pending\n")
    report = await bring(context, {"checking.csv": _table(*rows, header=header)})
    assert (_said(report.files[0]), report.files[0].pending) == ([], 1)


async def test_a_format_of_one_order_of_dates_names_no_option(context: Context) -> None:
    """OFX writes the year first, so that no answer changes its days."""
    text = (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
        "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>"
        "<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>000111222<ACCTTYPE>CHECKING"
        "</BANKACCTFROM><BANKTRANLIST><DTSTART>20261101<DTEND>20261130"
        "<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20261129<TRNAMT>-5.00<FITID>1<NAME>SHOP</STMTTRN>"
        "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )
    report = await bring(context, {"one.ofx": text})
    assert _said(report.files[0]) == [("One", "29 Nov 2026", ".")]


ACCOUNT = StatementAccount(None, "everyday", "USD")
ROWS = st.lists(
    st.builds(
        StatementRow,
        day=st.integers(20260101, 20260128),
        amount=st.integers(-3, 3),
        raw=st.just("SHOP"),
        pending=st.booleans(),
    ),
    max_size=8,
)


@given(st.lists(ROWS, max_size=4), st.integers(0, 4))
def test_booked_rows_are_counted_and_summed(parts: list[list[StatementRow]], cut: int) -> None:
    """Whatever the parts are, and under whichever names they come, only booked rows count."""
    one, other = AccountInFile(), AccountInFile()
    for place, rows in enumerate(parts):
        days = [row.day for row in rows if not row.pending]
        part = StatementPart(ACCOUNT, StatementRows.of(rows))
        (one if place < cut else other).include(part, days)
    one.merge(other)

    booked = [row for rows in parts for row in rows if not row.pending]
    days = [row.day for row in booked]
    assert (one.first, one.last) == ((min(days), max(days)) if days else (None, None))
    assert one.booked == len(booked)
    assert one.money_in == sum(row.amount for row in booked if row.amount > 0)
    assert one.money_out == -sum(row.amount for row in booked if row.amount < 0)
