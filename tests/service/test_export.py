"""Exporting: every format comes back to the same rows of the same accounts, and adds nothing."""

import asyncio
import json
import os
import re
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from pathlib import Path
from shutil import copyfile
from typing import Any, get_args

import pytest

from finplan.banks.base import Manual
from finplan.banks.demo.bank import Demo
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import NewCategory
from finplan.model.errors import BadRequest
from finplan.model.statement import ImportReport, ImportRequest
from finplan.model.transaction import ExportFormat, ExportQuery, Transaction, TransactionQuery
from finplan.operation import UploadedFile
from finplan.service import export
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import list_connections
from finplan.service.categories import create_category
from finplan.service.context import Caller, Context
from finplan.service.export import export_transactions
from finplan.service.imports.imports import import_files
from finplan.service.people import ensure_owner
from finplan.service.transactions import list_transactions
from finplan.store.store import Store
from tests.judges import judge_named
from tests.service.own_words import all_rows, say

Import = Callable[..., Awaitable[ImportReport]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
ENDINGS = {"json": "json", "csv": "csv", "hledger": "journal", "beancount": "beancount"}
EVERY_FORMAT = pytest.mark.parametrize("wanted", FORMATS)

CHECKING = """Date,Description,Amount,Status
2026-05-01,RENT OAK STREET,-1200.00,Posted
2026-05-04,BLUE BOTTLE COFFEE,-4.50,Posted
2026-05-04,BLUE BOTTLE COFFEE,-4.50,Posted
2026-05-05,"Café “Zoë”; 2 × crème | *half* (off) = 10%",-7.10,Posted
2026-05-06,"=HYPERLINK(""x"") \\back 'tick",-1.00,Posted
2026-05-07,-5 OFF,-0.10,Posted
2026-05-08,TRANSFER TO SAVINGS,-500.00,Posted
2026-05-29,ACME PAYROLL,2500.00,Posted
2026-05-30,BOOKSHOP,-20.00,Pending
"""
SEVERAL = """Date,Account,Description,Amount,Currency
2026-05-08,Our Savings,TRANSFER FROM CHECKING,500.00,USD
2026-05-09,東京の口座,コンビニ,-1250,JPY
2026-05-09,東京の口座,コンビニ,-1250,JPY
2026-05-10,Kuwait,SOUQ,-1.250,KWD
2026-05-11,Kuwait,SALARY,1234.567,KWD
2026-05-12,Girokonto (Müller),Bäckerei Jäger,-3.20,EUR
"""


def _ofx(account: str, kind: str, *rows: str) -> str:
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:UTF-8\nCHARSET:NONE\n"
        "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>"
        f"<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>{account}<ACCTTYPE>{kind}"
        "</BANKACCTFROM><BANKTRANLIST><DTSTART>20260501<DTEND>20260630"
        + "".join(rows)
        + "</BANKTRANLIST><LEDGERBAL><BALAMT>1500.25<DTASOF>20260630</LEDGERBAL>"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


def _row(day: str, amount: str, fitid: str, name: str) -> str:
    return f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{day}<TRNAMT>{amount}<FITID>{fitid}<NAME>{name}</STMTTRN>"


CREDIT_UNION = {
    "a.ofx": _ofx("77", "CHECKING", _row("20260502", "-9.99", "1, 'a' \"b\"", "NETFLIX.COM")),
    "b.ofx": _ofx(
        "77",
        "SAVINGS",
        _row("20260502", "-9.99", "0", "FEE"),
        _row("20260503", "-9.99", "0", "FEE"),
    ),
}


@pytest.fixture
async def household(context: Context, import_texts: Import) -> Context:
    """A person with eight accounts in four currencies, pending rows, and two that share a number."""
    await import_texts({"checking.csv": CHECKING})
    await import_texts({"several.csv": SEVERAL})
    await import_texts(CREDIT_UNION)
    return context


@pytest.fixture
async def elsewhere(tmp_path: Path, empty_store: Path) -> AsyncIterator[Context]:
    """Another machine, with an empty store."""
    copyfile(empty_store, tmp_path / "other.db")
    store = Store.open(tmp_path / "other.db", tmp_path / "backups")
    caller = Caller(await ensure_owner(store, "ada", 0), frozenset({"read", "write"}), "session")
    yield Context(caller, store, {"demo": Demo(), "manual": Manual()})
    store.close()


async def _exported(context: Context, wanted: ExportFormat, **filters: Any) -> str:
    file = await export_transactions(context, ExportQuery(format=wanted, **filters))
    return b"".join([piece async for piece in file.content]).decode()


async def _posted(context: Context) -> list[Transaction]:
    page = await list_transactions(context, TransactionQuery(limit=500, pending=False))
    return list(page.transactions)


@pytest.mark.sampled(3)
@EVERY_FORMAT
async def test_an_export_comes_back_and_adds_nothing(
    household: Context, import_texts: Import, dump: Dump, wanted: ExportFormat
) -> None:
    """Importing an export leaves every table of the data as it was, pending rows and all."""
    held = await dump()
    text = await _exported(household, wanted)
    report = await import_texts({f"export.{ENDINGS[wanted]}": text})

    (file,) = report.files
    assert (file.transactions, file.new, file.known, file.ambiguous) == (17, 0, 17, 0)
    now = await dump()
    assert {name for name in held if now[name] != held[name]} <= {"account"}
    assert len(now["pending"]) == 1
    assert len(now["account"]) == len(held["account"])


@pytest.mark.sampled(3)
@EVERY_FORMAT
async def test_an_export_makes_no_bank_look_synced(
    household: Context, import_texts: Import, wanted: ExportFormat
) -> None:
    """What finplan wrote itself is no news: the data stay as old as they were."""
    before = await list_connections(household, Nothing())
    await import_texts({f"export.{ENDINGS[wanted]}": await _exported(household, wanted)})
    assert await list_connections(household, Nothing()) == before


@pytest.mark.sampled(3)
@EVERY_FORMAT
async def test_an_account_that_was_renamed_is_found(
    household: Context, import_texts: Import, wanted: ExportFormat
) -> None:
    """A file leads back to the accounts that it came from, whatever they are called by now."""
    text = await _exported(household, wanted)
    for account in await list_accounts(household, Nothing()):
        await change_account(household, AccountChange(id=account.id, name="Same", kind="other"))
    report = await import_texts({f"export.{ENDINGS[wanted]}": text})
    assert [file.new for file in report.files] == [0]

    report = await import_texts({f"e.{ENDINGS[wanted]}": await _exported(household, wanted)})
    assert [file.new for file in report.files] == [0]


@pytest.mark.sampled(3)
@EVERY_FORMAT
async def test_another_store_gets_the_same_rows(
    household: Context,
    elsewhere: Context,
    import_texts: Import,
    wanted: ExportFormat,
    tmp_path: Path,
) -> None:
    """An export imported into an empty store gives equal rows, payees and accounts, and leads back."""

    async def take(text: str) -> ImportReport:
        path = tmp_path / f"moved.{ENDINGS[wanted]}"
        path.write_text(text, encoding="utf-8", newline="")
        return await import_files(elsewhere, ImportRequest(), (UploadedFile(path.name, path),))

    first = await take(await _exported(household, wanted))
    again = await take(await _exported(household, wanted))
    own = await take(await _exported(elsewhere, wanted))
    back = await import_texts({f"b.{ENDINGS[wanted]}": await _exported(elsewhere, wanted)})

    assert [(f.files[0].new, f.files[0].known) for f in (first, again, own, back)] == [
        (17, 0), (0, 17), (0, 17), (0, 17),
    ]  # fmt: skip
    here, there = [
        sorted((r.date, r.amount, r.currency, r.raw, r.payee_key, r.category) for r in rows)
        for rows in (await _posted(household), await _posted(elsewhere))
    ]
    assert here == there
    ours, theirs = [
        sorted(
            (a.name, a.kind, a.subtype or "", a.institution_name, a.mask or "") for a in accounts
        )
        for accounts in (
            await list_accounts(household, Nothing()),
            await list_accounts(elsewhere, Nothing()),
        )
    ]
    assert ours == theirs


@pytest.mark.sampled(3)
@EVERY_FORMAT
async def test_two_accounts_of_one_name_stay_two(
    household: Context, elsewhere: Context, wanted: ExportFormat, tmp_path: Path
) -> None:
    """Accounts that are told apart by nothing but their ids are not mixed up elsewhere."""
    for account in await list_accounts(household, Nothing()):
        await change_account(household, AccountChange(id=account.id, name="Same"))
    path = tmp_path / f"moved.{ENDINGS[wanted]}"
    path.write_text(await _exported(household, wanted), encoding="utf-8", newline="")
    files = (UploadedFile(path.name, path),)
    first = await import_files(elsewhere, ImportRequest(), files)
    again = await import_files(elsewhere, ImportRequest(), files)

    assert (first.files[0].new, again.files[0].new) == (17, 0)
    assert len(await list_accounts(elsewhere, Nothing())) == len(
        await list_accounts(household, Nothing())
    )


async def test_a_filter_names_the_rows(household: Context, import_texts: Import) -> None:
    """An export holds exactly the rows that its filters name, and comes back all the same."""
    account = next(a for a in await list_accounts(household, Nothing()) if a.name == "checking")
    text = await _exported(
        household, "csv", account=(account.id,), since=date(2026, 5, 4), until=date(2026, 5, 5)
    )
    assert [line.split(",")[0] for line in text.splitlines()[1:]] == [
        "2026-05-04", "2026-05-04", "2026-05-05",
    ]  # fmt: skip
    report = await import_texts({"some.csv": text})
    assert (report.files[0].new, report.files[0].known) == (0, 3)
    for wrong in ({"account": ("acc_none",)}, {"category": ("nonsense",)}):
        with pytest.raises(BadRequest):
            await export_transactions(household, ExportQuery(**wrong))  # type: ignore[arg-type]
    query = ExportQuery(since=date(2026, 5, 2), until=date(2026, 5, 1))
    with pytest.raises(BadRequest, match="after the last"):
        await export_transactions(household, query)


@pytest.mark.thorough
async def test_pages_change_nothing(household: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few rows are read at once, the file is the same."""
    whole = [await _exported(household, wanted) for wanted in FORMATS]
    for size in (1, 2, 17):
        monkeypatch.setattr(export, "PAGE", size)
        assert [await _exported(household, wanted) for wanted in FORMATS] == whole


@EVERY_FORMAT
async def test_nothing_is_exported_and_imported(
    context: Context, import_texts: Import, wanted: ExportFormat
) -> None:
    """A store without rows gives a file that can be imported, with nothing in it."""
    report = await import_texts({f"empty.{ENDINGS[wanted]}": await _exported(context, wanted)})
    assert [(file.transactions, file.error) for file in report.files] == [(0, None)]


@pytest.mark.sampled(4)
@EVERY_FORMAT
@pytest.mark.usefixtures("demo")
async def test_the_demo_household_moves(
    context: Context, elsewhere: Context, tmp_path: Path, wanted: ExportFormat
) -> None:
    """The whole made-up household comes over, to the cent, and a second time adds nothing."""
    path = tmp_path / f"demo.{ENDINGS[wanted]}"
    path.write_text(await _exported(context, wanted), encoding="utf-8", newline="")
    files = (UploadedFile(path.name, path),)
    first = await import_files(elsewhere, ImportRequest(), files)
    again = await import_files(elsewhere, ImportRequest(), files)
    assert first.files[0].new == first.files[0].transactions > 2000
    assert (again.files[0].new, again.files[0].known) == (0, first.files[0].new)
    assert await _exported(elsewhere, "csv") != ""


JUDGES = {"hledger": ["hledger", "check", "--strict", "-f"], "beancount": ["bean-check"]}


JOURNALS = pytest.mark.parametrize("wanted", JUDGES)


@pytest.mark.thorough
@JOURNALS
async def test_the_programs_accept_their_journals(
    household: Context, tmp_path: Path, wanted: ExportFormat
) -> None:
    """`hledger check --strict` and `bean-check` find nothing wrong with any text or currency."""
    await _judge(household, tmp_path, wanted)


@pytest.mark.thorough
@JOURNALS
@pytest.mark.usefixtures("demo")
async def test_the_programs_accept_the_demo_household(
    context: Context, tmp_path: Path, wanted: ExportFormat
) -> None:
    """Nor with two years of a whole household."""
    await _judge(context, tmp_path, wanted)


async def _judge(context: Context, folder: Path, wanted: ExportFormat) -> None:
    judge, *arguments = JUDGES[wanted]
    program = judge_named(judge)
    path = folder / f"journal.{ENDINGS[wanted]}"
    path.write_text(await _exported(context, wanted), encoding="utf-8")
    run = await asyncio.create_subprocess_exec(
        program, *arguments, path, stdout=PIPE, stderr=STDOUT, env={**os.environ, "LANG": "C.UTF-8"}
    )
    said, _ = await run.communicate()
    assert run.returncode == 0, said.decode()


async def test_the_balances_come_along(
    context: Context, import_texts: Import, dump: Dump, elsewhere: Context, tmp_path: Path
) -> None:
    """JSON carries every recorded balance, in the sign of its account's kind, and none comes twice."""
    for day in ("20260630", "20260731"):
        for kind in ("CHECKING", "CREDITLINE"):
            text = _ofx("77", kind, _row("20260502", "-9.99", "1", "FEE"))
            text = text.replace("1500.25<DTASOF>20260630", f"-{day[4:]}.25<DTASOF>{day}")
            await import_texts({f"{kind}.ofx": text})
    held = await dump()
    text = await _exported(context, "json")
    accounts = {each["subtype"]: each for each in json.loads(text)["accounts"]}
    assert [account["kind"] for account in accounts.values()] == ["depository", "credit"]
    for account, sign in zip(accounts.values(), (-1, 1), strict=True):
        assert account["balances"] == [
            {"date": "2026-06-30", "balance": sign * 63025, "byStatement": True},
            {"date": "2026-07-31", "balance": sign * 73125, "byStatement": True},
        ]

    await import_texts({"export.json": text})
    assert (await dump())["balance_record"] == held["balance_record"]

    path = tmp_path / "export.json"
    path.write_text(text)
    await import_files(elsewhere, ImportRequest(), (UploadedFile("export.json", path),))
    there = json.loads(await _exported(elsewhere, "json"))["accounts"]
    assert [each["balances"] for each in there] == [each["balances"] for each in accounts.values()]
    theirs = {row.name: row.balance for row in await list_accounts(elsewhere, Nothing())}
    assert theirs == {row.name: row.balance for row in await list_accounts(context, Nothing())}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("named", get_args(ExportFormat))
async def test_a_category_that_is_made_meanwhile_breaks_no_file(
    context: Context,
    import_texts: Import,
    monkeypatch: pytest.MonkeyPatch,
    named: ExportFormat,
) -> None:
    """Rows that are filed in it, whole or in part, stand as not yet known, as the head would have it."""
    monkeypatch.setattr(export, "PAGE", 1)
    days = "".join(f"2026-09-0{day},SHOP {day},{day - 4}.00\n" for day in (1, 2, 5))
    await import_texts({"checking.csv": f"Date,Description,Amount\n{days}"})
    content = (await export_transactions(context, ExportQuery(format=named))).content
    written = [await anext(content)]
    bees = (await create_category(context, NewCategory(name="Bees", line="discretionary"))).answer
    rows = {row.amount: row for row in await all_rows(context)}
    made = bees.category.category
    await say(context, rows[-3_00], category=made)
    await say(context, rows[-2_00], splits=[(-1_50, made), (-50, "pets")])
    await say(context, rows[1_00], category=made)
    written += [piece async for piece in content]
    text = b"".join(written).decode()
    assert made not in text
    assert all(f"SHOP {day}" in text for day in (1, 2, 5))
    if named in ("hledger", "beancount"):
        assert len(re.findall("(?i)expenses:uncategorized +[0-9]", text)) == 2
        assert len(re.findall("(?i)income:unknown.inflow +-1.00", text)) == 1
