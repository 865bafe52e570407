"""Exporting: every format comes back to the same rows of the same accounts, and adds nothing.

What the person said of single rows is taken along: every format tells it, and none loses it.
"""

import asyncio
import csv
import json
import os
import re
from asyncio.subprocess import PIPE, STDOUT
from collections import Counter
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import NewCategory
from finplan.model.detection import TransferQuery, TransferVerdict
from finplan.model.errors import BadRequest
from finplan.model.money import to_minor
from finplan.model.transaction import ExportFormat, ExportQuery, SpendingQuery
from finplan.service import export
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import list_connections
from finplan.service.categories import create_category
from finplan.service.context import Context
from finplan.service.export import export_transactions
from finplan.service.spending import query_spending
from finplan.service.verdicts.transfers import decide_transfer, list_transfers
from tests.judges import judge_named
from tests.service.conftest import bring, dump
from tests.service.household_tables import kept_tables
from tests.service.rich_household import answers, elsewhere, exported, rich, rich_home, taken
from tests.service.said import NOTHING, all_rows, say

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
async def household(context: Context) -> Context:
    """A person with eight accounts in four currencies, pending rows, and two that share a number."""
    await bring(context, {"checking.csv": CHECKING})
    await bring(context, {"several.csv": SEVERAL})
    await bring(context, CREDIT_UNION)
    return context


@pytest.mark.sampled(3)
@EVERY_FORMAT
async def test_an_export_returns_and_adds_nothing(household: Context, wanted: ExportFormat) -> None:
    """Importing an export leaves every table of the data as it was, pending rows and all."""
    held = await dump(household)
    text = await exported(household, wanted)
    report = await bring(household, {f"export.{ENDINGS[wanted]}": text})

    (file,) = report.files
    assert (file.transactions, file.new, file.known, file.ambiguous) == (17, 0, 17, 0)
    now = await dump(household)
    assert {name for name in held if now[name] != held[name]} <= {"account"}
    assert len(now["pending"]) == 1
    assert len(now["account"]) == len(held["account"])


@pytest.mark.sampled(3)
@EVERY_FORMAT
async def test_an_export_makes_no_bank_synced(household: Context, wanted: ExportFormat) -> None:
    """What finplan wrote itself is no news: the data stay as old as they were."""
    before = await list_connections(household, Nothing())
    await bring(household, {f"export.{ENDINGS[wanted]}": await exported(household, wanted)})
    assert await list_connections(household, Nothing()) == before


@pytest.mark.sampled(3)
@EVERY_FORMAT
async def test_a_renamed_account_is_found(household: Context, wanted: ExportFormat) -> None:
    """A file leads back to the accounts that it came from, whatever they are called by now."""
    text = await exported(household, wanted)
    for account in await list_accounts(household, Nothing()):
        await change_account(household, AccountChange(id=account.id, name="Same", kind="other"))
    report = await bring(household, {f"export.{ENDINGS[wanted]}": text})
    assert [file.new for file in report.files] == [0]

    report = await bring(household, {f"e.{ENDINGS[wanted]}": await exported(household, wanted)})
    assert [file.new for file in report.files] == [0]


@pytest.mark.sampled(3)
@EVERY_FORMAT
async def test_another_store_gets_the_same_rows(
    household: Context, elsewhere: Context, wanted: ExportFormat
) -> None:
    """An export imported into an empty store gives equal rows, payees and accounts, and leads back."""
    moved = f"moved.{ENDINGS[wanted]}"
    first = await taken(elsewhere, await exported(household, wanted), moved)
    again = await taken(elsewhere, await exported(household, wanted), moved)
    own = await taken(elsewhere, await exported(elsewhere, wanted), moved)
    back = await bring(household, {f"b.{ENDINGS[wanted]}": await exported(elsewhere, wanted)})

    assert [(f.files[0].new, f.files[0].known) for f in (first, again, own, back)] == [
        (17, 0), (0, 17), (0, 17), (0, 17),
    ]  # fmt: skip
    here, there = [
        sorted((r.date, r.amount, r.currency, r.raw, r.payee_key, r.category) for r in rows)
        for rows in (
            await all_rows(household, pending=False),
            await all_rows(elsewhere, pending=False),
        )
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
    household: Context, elsewhere: Context, wanted: ExportFormat
) -> None:
    """Accounts that are told apart by nothing but their ids are not mixed up elsewhere."""
    for account in await list_accounts(household, Nothing()):
        await change_account(household, AccountChange(id=account.id, name="Same"))
    text, name = await exported(household, wanted), f"moved.{ENDINGS[wanted]}"
    first = await taken(elsewhere, text, name)
    again = await taken(elsewhere, text, name)

    assert (first.files[0].new, again.files[0].new) == (17, 0)
    assert len(await list_accounts(elsewhere, Nothing())) == len(
        await list_accounts(household, Nothing())
    )


async def test_a_filter_names_the_rows(household: Context) -> None:
    """An export holds exactly the rows that its filters name, and comes back all the same."""
    account = next(a for a in await list_accounts(household, Nothing()) if a.name == "checking")
    text = await exported(
        household, "csv", account=(account.id,), since=date(2026, 5, 4), until=date(2026, 5, 5)
    )
    assert [line.split(",")[0] for line in text.splitlines()[1:]] == [
        "2026-05-04", "2026-05-04", "2026-05-05",
    ]  # fmt: skip
    report = await bring(household, {"some.csv": text})
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
    whole = [await exported(household, wanted) for wanted in FORMATS]
    for size in (1, 2, 17):
        monkeypatch.setattr(export, "PAGE", size)
        assert [await exported(household, wanted) for wanted in FORMATS] == whole


@EVERY_FORMAT
async def test_nothing_is_exported_and_imported(context: Context, wanted: ExportFormat) -> None:
    """A store without rows gives a file that can be imported, with nothing in it."""
    report = await bring(context, {f"empty.{ENDINGS[wanted]}": await exported(context, wanted)})
    assert [(file.transactions, file.error) for file in report.files] == [(0, None)]


@pytest.mark.thorough
@pytest.mark.sampled(4)
@EVERY_FORMAT
@pytest.mark.usefixtures("demo")
async def test_the_demo_household_moves(
    context: Context, elsewhere: Context, wanted: ExportFormat
) -> None:
    """The whole made-up household comes over, to the cent, and a second time adds nothing."""
    text, name = await exported(context, wanted), f"demo.{ENDINGS[wanted]}"
    first = await taken(elsewhere, text, name)
    again = await taken(elsewhere, text, name)
    assert first.files[0].new == first.files[0].transactions > 2000
    assert (again.files[0].new, again.files[0].known) == (0, first.files[0].new)
    assert await exported(elsewhere, "csv") != ""


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
    path.write_text(await exported(context, wanted), encoding="utf-8")
    run = await asyncio.create_subprocess_exec(
        program, *arguments, path, stdout=PIPE, stderr=STDOUT, env={**os.environ, "LANG": "C.UTF-8"}
    )
    said, _ = await run.communicate()
    assert run.returncode == 0, said.decode()


async def test_the_balances_come_along(context: Context, elsewhere: Context) -> None:
    """JSON carries every recorded balance, in the sign of its account's kind, and none comes twice."""
    for day in ("20260630", "20260731"):
        for kind in ("CHECKING", "CREDITLINE"):
            text = _ofx("77", kind, _row("20260502", "-9.99", "1", "FEE"))
            text = text.replace("1500.25<DTASOF>20260630", f"-{day[4:]}.25<DTASOF>{day}")
            await bring(context, {f"{kind}.ofx": text})
    held = await dump(context)
    text = await exported(context, "json")
    accounts = {each["subtype"]: each for each in json.loads(text)["accounts"]}
    assert [account["kind"] for account in accounts.values()] == ["depository", "credit"]
    for account, sign in zip(accounts.values(), (-1, 1), strict=True):
        assert account["balances"] == [
            {"date": "2026-06-30", "balance": sign * 63025, "byStatement": True},
            {"date": "2026-07-31", "balance": sign * 73125, "byStatement": True},
        ]

    await bring(context, {"export.json": text})
    assert (await dump(context))["balance_record"] == held["balance_record"]

    await taken(elsewhere, text, "export.json")
    there = json.loads(await exported(elsewhere, "json"))["accounts"]
    assert [each["balances"] for each in there] == [each["balances"] for each in accounts.values()]
    theirs = {row.name: row.balance for row in await list_accounts(elsewhere, Nothing())}
    assert theirs == {row.name: row.balance for row in await list_accounts(context, Nothing())}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("named", get_args(ExportFormat))
async def test_a_category_that_is_made_meanwhile_breaks_no_file(
    context: Context, monkeypatch: pytest.MonkeyPatch, named: ExportFormat
) -> None:
    """Rows that are filed in it, whole or in part, stand as not yet known, as the head would have it."""
    monkeypatch.setattr(export, "PAGE", 1)
    days = "".join(f"2026-09-0{day},SHOP {day},{day - 4}.00\n" for day in (1, 2, 5))
    await bring(context, {"checking.csv": f"Date,Description,Amount\n{days}"})
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


__all__ = ["elsewhere", "rich", "rich_home"]


POSTING = re.compile(r" +(?:Expenses|expenses):(\S[^:]*?)  (-?[0-9.]+) USD(?:  ;.*)?")


async def _worded(context: Context) -> dict[str, Any]:
    """What is said of each row of which anything is, by what it is and not by its number."""
    said = {
        f"{row.date} {row.raw} {row.amount}": (row.note, row.splits, row.category, row.why.text)
        for row in await all_rows(context)
        if row.note is not None or row.splits or "You set this" in row.why.text
    }
    assert len(said) == 5
    return said


def _parts_in_csv(text: str) -> Counter[str]:
    """What each category adds up to, by the cells of a table."""
    sums: Counter[str] = Counter()
    for row in csv.DictReader(StringIO(text)):
        parts = re.findall(r"(\S+) (-?[0-9.]+)(?: \([^)]*\))?(?:; |$)", row["splits"])
        for category, amount in parts or [(row["category"], row["amount"])]:
            sums[category] += -to_minor(Decimal(amount), "USD") if row["currency"] == "USD" else 0
    return sums


def _parts_in_json(text: str) -> Counter[str]:
    """What each category adds up to, by the rows of the file."""
    sums: Counter[str] = Counter()
    for row in json.loads(text)["transactions"]:
        for part in row.get("splits", [row]):
            sums[part["category"]] += -part["amount"] if row["currency"] == "USD" else 0
    return sums


@pytest.mark.thorough
async def test_a_recount_of_a_file_is_what_was_spent(rich: Context) -> None:
    """The parts in a table and in JSON add up to the spending of their categories, to the cent."""
    spent = await query_spending(rich, SpendingQuery(group_by="category"))
    said = {group.key: group.total for group in spent.groups}
    hidden = {row.account_id for row in await all_rows(rich) if row.raw == "OLD SHOP"}
    assert len(hidden) == 1
    whole = {each["id"] for each in json.loads(await exported(rich))["accounts"]} - hidden
    for wanted, recount in (("csv", _parts_in_csv), ("json", _parts_in_json)):
        text = await exported(rich, wanted, account=tuple(whole))  # type: ignore[arg-type]
        sums = recount(text)
        assert {each: sums[each] for each in said} == said, wanted
    assert {"gifts_donations", "interest_fees", "travel", "groceries"} & said.keys()


@pytest.mark.thorough
@pytest.mark.parametrize("wanted", ["hledger", "beancount"])
async def test_a_journal_books_each_part(rich: Context, wanted: ExportFormat) -> None:
    """The accounts of a journal hold what the parts of rows are, beside the rows that are whole."""
    text = await exported(rich, wanted)
    assert re.search(r"finplan-note: \"with Grace\"", text)
    assert re.search(r"finplan-note: \"seeds\"|; seeds$", text, re.MULTILINE)
    sums: Counter[str] = Counter()
    for line in text.splitlines():
        if found := POSTING.fullmatch(line):
            sums[found[1].casefold().replace("-", " ")] += to_minor(Decimal(found[2]), "USD")
    recount = _parts_in_json(await exported(rich))
    for category in ("groceries", "travel", "interest_fees"):
        assert sums[category.replace("_", " ")] == recount[category], category


@pytest.mark.thorough
@pytest.mark.sampled(3)
@pytest.mark.parametrize("wanted", FORMATS)
async def test_a_file_of_its_own_loses_no_word(rich: Context, wanted: ExportFormat) -> None:
    """Importing its own export again adds nothing, and every word stays on its row."""
    said, held = await _worded(rich), await rich.store.read(kept_tables)
    (file,) = (await taken(rich, await exported(rich, wanted), f"own.{ENDINGS[wanted]}")).files
    assert (file.new, file.ambiguous) == (0, 0)
    assert await _worded(rich) == said
    now = await rich.store.read(kept_tables)
    for name in ("tx", "single_word", "word_part", "remembered_row"):
        assert now[name] == held[name], name


async def test_a_filtered_export_tells_of_its_rows(rich: Context) -> None:
    """Some rows by themselves have their notes and parts, though the household is not among them."""
    (row,) = json.loads(await exported(rich, text="meridian books", since=date(2026, 11, 1)))[
        "transactions"
    ]
    assert (row["note"], [part["note"] for part in row["splits"]]) == (
        "a party",
        [None, "seeds", None],
    )
    assert sum(part["amount"] for part in row["splits"]) == row["amount"]


async def test_a_word_that_is_taken_back_is_in_no_file(rich: Context) -> None:
    """An export tells what holds now."""
    before = [await exported(rich, wanted) for wanted in FORMATS]
    (row,) = [row for row in await all_rows(rich) if row.note == "with Grace"]
    await say(rich, row, **NOTHING)
    for text, wanted in zip(before, FORMATS, strict=True):
        assert ("with Grace" in text, "with Grace" in await exported(rich, wanted)) == (True, False)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("wanted", FORMATS)
async def test_a_transfer_is_in_no_parts(context: Context, wanted: ExportFormat) -> None:
    """What the person confirms to be a transfer is one in every file, whatever was said before."""
    head = "Date,Description,Amount\n"
    out, into = "02,TRANSFER TO SAVINGS,-500.00", "03,TRANSFER FROM CHECKING,500.00"
    await bring(context, {"a.csv": f"{head}2026-09-{out}\n"}, account="Checking")
    await bring(context, {"b.csv": f"{head}2026-09-{into}\n"}, account="Savings")
    rows = [await exported(context, wanted)]
    (pair,) = await list_transfers(context, TransferQuery())
    await decide_transfer(context, TransferVerdict(id=pair.id, verdict="reject"))
    (row,) = [row for row in await all_rows(context) if row.amount < 0]
    said = await say(context, row, splits=[(-400_00, "rent"), (-100_00, "savings")])
    assert said.splits is not None
    await decide_transfer(context, TransferVerdict(id=pair.id, verdict="confirm"))
    rows.append(await exported(context, wanted))
    listed = [text.partition('"transactions": [')[2] or text for text in rows]
    assert listed[0] == listed[1]


async def test_a_file_of_the_version_before_is_restored(rich: Context, elsewhere: Context) -> None:
    """Words had neither note nor parts then, and each named a category."""
    whole = json.loads(await exported(rich))
    household = whole["household"]
    whole["exportVersion"] = 2
    household["singleWords"] = [
        {name: each[name] for name in ("id", "row", "category", "saidAt")}
        for each in household["singleWords"]
        if each["category"] is not None
    ]
    assert household["singleWords"]
    await taken(elsewhere, json.dumps(whole))
    theirs = {row.raw for row in await all_rows(elsewhere, category=("travel",))}
    assert theirs == {"OAK STREET RENTALS 4711"}
    assert (await answers(elsewhere))["answered"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("wanted", FORMATS)
async def test_what_was_set_aside_stays_away(rich: Context, wanted: ExportFormat) -> None:
    """The household's own file changes nothing of what waits, nor of what is the copy of a row."""
    held = await rich.store.read(kept_tables)
    await taken(rich, await exported(rich, wanted), f"own.{ENDINGS[wanted]}")
    now = await rich.store.read(kept_tables)
    assert {name for name in held if now[name] != held[name]} <= {"account"}
