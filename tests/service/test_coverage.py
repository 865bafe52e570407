"""Coverage and stated balances: kept with the import that brought them, told per account, taken back.

Restoring brings covered days, stated balances, and how files are read; a told balance can be taken
back.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.banks.base import BankAccount, Link, SyncPage
from finplan.model.account import AccountChange, AccountId, AccountRecord
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, LinkRequest
from finplan.model.statement import ImportId
from finplan.model.transaction import ExportQuery
from finplan.service.banking.accounts import (
    change_account,
    list_account_records,
    list_accounts,
    show_account,
)
from finplan.service.banking.connections import sync_connection
from finplan.service.banking.linking import link_connection
from finplan.service.categories import list_categories
from finplan.service.context import Context
from finplan.service.export import export_transactions
from finplan.service.imports.imports import undo_import
from finplan.service.imports.profiles import list_import_profiles
from finplan.service.planning.plans import build_plan
from finplan.store.queries.accounts import recorded_balances
from tests.service.conftest import bring, send
from tests.service.household_tables import kept_tables
from tests.service.rich_household import answers, elsewhere, exported, taken
from tests.service.said import make

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


async def test_rows_tell_what_a_file_covers(context: Context) -> None:
    """A file that states no days covers its first to its last row; its balance is an anchor."""
    await bring(context, {"a.csv": HEADER + FEBRUARY}, account="Giro")
    record = await _record(context)
    assert _spans(record) == [("2026-02-03", "2026-02-25")]
    assert _anchors(record) == {"2026-02-25": 7500}


async def test_a_hole_between_two_files_is_told(context: Context) -> None:
    """Months between two files stay missing, where the balances leave money unexplained."""
    await bring(context, {"a.csv": HEADER + FEBRUARY, "b.csv": HEADER + OTHER_JULY}, account="Giro")
    record = await _record(context)
    assert _spans(record) == [("2026-02-03", "2026-02-25"), ("2026-07-05", "2026-07-28")]
    assert _anchors(record) == {"2026-02-25": 7500, "2026-07-28": 65000}


async def test_balances_that_agree_close_a_pause(context: Context) -> None:
    """Where the rows explain the later balance from the earlier one, nothing is missing between."""
    await bring(context, {"a.csv": HEADER + FEBRUARY, "b.csv": HEADER + JULY}, account="Giro")
    assert _spans(await _record(context)) == [("2026-02-03", "2026-07-28")]


async def test_what_is_owed_agrees_with_its_sign(context: Context) -> None:
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
    await bring(context, files)
    record = await _record(context)
    assert _spans(record) == [("2026-02-01", "2026-07-28")]
    assert _anchors(record) == {"2026-02-28": 7500, "2026-07-28": 8000}


async def test_stated_days_are_those_of_the_balances(context: Context) -> None:
    """A statement covers the days from its opening to its closing balance, and all of a file's do."""
    statements = _mt940("C260131EUR100,00", "C260228EUR90,00", ":61:2602100210D10,00NMSC") + _mt940(
        "C260228EUR90,00", "C260331EUR80,00", ":61:2603100310D10,00NMSC"
    )
    await bring(context, {"a.sta": statements})
    record = await _record(context)
    assert _spans(record) == [("2026-01-31", "2026-03-31")]
    assert _anchors(record) == {"2026-02-28": 9000, "2026-03-31": 8000}


async def test_undo_takes_coverage_and_anchors_back(context: Context) -> None:
    """After an undo the account covers what the other imports say, in whichever order they came."""
    february = await bring(context, {"a.csv": HEADER + FEBRUARY}, account="Giro")
    await bring(context, {"b.csv": HEADER + OTHER_JULY}, account="Giro")
    await undo_import(context, ImportId(id=february.id))
    record = await _record(context)
    assert _spans(record) == [("2026-07-05", "2026-07-28")]
    assert _anchors(record) == {"2026-07-28": 65000}


async def test_an_import_that_brings_no_row_covers_its_days(context: Context) -> None:
    """The same days in a second file stay covered when the first one is undone."""
    first = await bring(context, {"a.csv": HEADER + FEBRUARY}, account="Giro")
    await bring(context, {"again.csv": HEADER + FEBRUARY}, account="Giro")
    await undo_import(context, ImportId(id=first.id))
    assert _spans(await _record(context)) == [("2026-02-03", "2026-02-25")]


async def test_pending_rows_cover_nothing(context: Context) -> None:
    """A row that waits says nothing of the days before it."""
    rows = "2026-02-03,Rent,-10.00,Booked\n2026-02-10,Shop,-9.00,Booked\n2026-03-20,Late,-1.00,Pending\n"
    await bring(context, {"a.csv": "Date,Description,Amount,Status\n" + rows}, account="Giro")
    assert _spans(await _record(context)) == [("2026-02-03", "2026-02-10")]


async def test_the_person_s_balance_is_an_anchor(context: Context) -> None:
    """What the person tells of today stands beside what statements stated."""
    await bring(context, {"a.csv": HEADER + FEBRUARY}, account="Giro")
    (account,) = await list_accounts(context, Nothing())
    record = await change_account(context, AccountChange(id=account.id, balance=4200))
    assert _anchors(record) == {"2026-02-25": 7500, "2026-11-21": 4200}


async def test_the_plan_leaves_the_hole_out(context: Context) -> None:
    """The plan names the hole and averages no month that it touches."""
    spring = "".join(
        f"2026-0{month}-{day},Pay,10.00,\n" for month in (1, 2) for day in ("02", "27")
    )
    autumn = spring.replace("-01-", "-07-").replace("-02-02", "-08-02").replace("-02-27", "-08-29")
    await bring(context, {"a.csv": HEADER + spring, "b.csv": HEADER + autumn}, account="Giro")
    stored = await build_plan(context, Nothing())
    assert stored.plan.window.months == 4
    assert stored.plan.window.days == 31 + 28 + 31 + 31
    assert any("28 February to 1 July" in note for note in stored.plan.notes)


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
    first = replace(context, banks={"demo": Growing(since)})
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


async def test_the_person_s_word_of_a_day_is_kept_before_a_statement_s(context: Context) -> None:
    """Of two balances of one day the person's holds, whichever came first."""
    await bring(context, {"a.csv": HEADER + FEBRUARY.replace("2026-02", "2026-11")}, account="Giro")
    (account,) = await list_accounts(context, Nothing())
    at_noon = replace(context, now=lambda: datetime(2026, 11, 25, 12, tzinfo=UTC))
    await change_account(at_noon, AccountChange(id=account.id, balance=4200))
    stored = await context.store.read(lambda c: recorded_balances(c, context.caller.owner))
    assert [(day, balance) for _, day, balance in stored] == [(20261125, 4200)]


async def test_an_export_closes_no_hole(context: Context) -> None:
    """Rows on both sides of a hole, brought back by an export of the account, cover no day between."""
    await bring(context, {"a.csv": HEADER + FEBRUARY, "b.csv": HEADER + OTHER_JULY}, account="Giro")
    before = await _record(context)
    exported = await export_transactions(context, ExportQuery(format="csv"))
    text = b"".join([piece async for piece in exported.content]).decode()
    report = await bring(context, {"export.csv": text})
    assert len(report.files[0].accounts[0].coverage) == 2
    assert await _record(context) == before


__all__ = ["elsewhere"]


FEBRUARY_WITH_BALANCES = HEADER + "2026-02-03,Rent,-10.00,90.00\n2026-02-25,Shop,-15.00,75.00\n"
JULY_WITHOUT_BALANCES = "Date,Description,Amount\n2026-07-05,Rent,-10.00\n2026-07-28,Shop,-15.00\n"
STATED = (
    ":20:S\n:25:10020030/1234567\n:28C:1/1\n:60F:C260901EUR100,00\n"
    ":61:2609100910D10,00NMSCNONREF//A1\n:86:Shop\n:62F:C260930EUR90,00\n-\n"
)
HIDDEN = "Gi\u202ero\u009b"

QUESTION = {
    "kind": "categorize_payee", "id": "task_1", "payeeKey": "shop", "payee": HIDDEN, "count": 1,
    "total": 100, "charges": [{"date": "2026-02-25", "amount": 100}], "suggested": "dining",
    "suggestedLabel": HIDDEN, "confidence": 0.5, "options": ["dining"], "lastDate": "2026-02-25",
    "alternatives": [{"category": "travel", "label": HIDDEN}], "answer": None,
}  # fmt: skip
"""A question that was dismissed, as an export holds it."""


def _spans_in_words(record: AccountRecord) -> list[str]:
    return [f"{span.since} {span.until}" for span in record.coverage]


def _balances(connection: Connection) -> Sequence[tuple[Any, ...]]:
    return kept_tables(connection)["balance_record"]


async def _with_a_hole(context: Context) -> None:
    """Two halves of an account, and a balance of the person that would explain the hole."""
    await bring(context, {"a.csv": FEBRUARY_WITH_BALANCES}, account="Giro", currency="EUR")
    await bring(context, {"b.csv": JULY_WITHOUT_BALANCES}, account="Giro", currency="EUR")
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, balance=50_00))


async def test_a_hole_stays_a_hole(context: Context, elsewhere: Context) -> None:
    """A balance that the person told proves nothing in the restored home either."""
    await _with_a_hole(context)
    await taken(elsewhere, await exported(context))
    assert _spans_in_words(await _record(elsewhere)) == [
        "2026-02-03 2026-02-25",
        "2026-07-05 2026-07-28",
    ]
    assert await _record(elsewhere) == await _record(context)


async def test_ends_are_stated_as_they_were(context: Context, elsewhere: Context) -> None:
    """Days that a statement states and days that only rows tell are kept apart."""
    await bring(context, {"a.csv": FEBRUARY_WITH_BALANCES}, account="Giro", currency="EUR")
    await bring(context, {"s.sta": STATED})
    await taken(elsewhere, await exported(context))
    ours, theirs = await context.store.read(kept_tables), await elsewhere.store.read(kept_tables)
    assert theirs["coverage"] == ours["coverage"]
    stated = {interval[2:] for _, *intervals in ours["coverage"] for interval in intervals}
    assert stated == {(False, False), (True, True)}


async def test_days_of_two_imports_are_restored_once(context: Context, elsewhere: Context) -> None:
    """An export names days once, however many imports told them."""
    for _ in range(2):
        await bring(context, {"a.csv": FEBRUARY_WITH_BALANCES}, account="Giro", currency="EUR")
    (account,) = json.loads(await exported(context))["accounts"]
    assert account["coverage"] == [
        {"from": "2026-02-03", "to": "2026-02-25", "fromStated": False, "toStated": False}
    ]
    await taken(elsewhere, await exported(context))
    assert _spans_in_words(await _record(elsewhere)) == ["2026-02-03 2026-02-25"]


async def test_a_statements_word_is_beside_the_person(context: Context, elsewhere: Context) -> None:
    """Both balances of one day come along, and the person's is the later word."""
    today = JULY_WITHOUT_BALANCES.replace("Amount\n", "Amount,Balance\n").replace(
        "-10.00\n", "-10.00,65.00\n"
    )
    today = today.replace("2026-07-28,Shop,-15.00\n", "2026-11-21,Shop,-15.00,50.00\n")
    await bring(context, {"a.csv": today}, account="Giro", currency="EUR")
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, balance=42_00))
    text = await exported(context)
    said = [
        (each["balance"], each["byStatement"])
        for each in json.loads(text)["accounts"][0]["balances"]
    ]
    assert said[-2:] == [(50_00, True), (42_00, False)]
    await taken(elsewhere, text)
    assert await elsewhere.store.read(_balances) == await context.store.read(_balances)
    assert await _record(elsewhere) == await _record(context)


async def test_the_preview_tells_what_will_be_covered(context: Context, elsewhere: Context) -> None:
    """The days in the report are those that the restored account then has."""
    await bring(context, {"s.sta": STATED})
    report = await taken(elsewhere, await exported(context), dry_run=True)
    assert report.files[0].accounts[0].coverage == (await _record(context)).coverage


async def test_undo_leaves_what_another_import_knows(context: Context, elsewhere: Context) -> None:
    """Where the account stays for a later file, covered days and balances of the export go."""
    await _with_a_hole(context)
    report = await taken(elsewhere, await exported(context))
    later = HEADER + "2026-10-03,Rent,-1.00,9.00\n2026-10-09,Shop,-2.00,7.00\n"
    await taken(elsewhere, later, "c.csv", account="Giro", currency="EUR")
    assert len(_spans_in_words(await _record(elsewhere))) == 3
    await undo_import(elsewhere, ImportId(id=str(report.id)))
    record = await _record(elsewhere)
    assert _spans_in_words(record) == ["2026-10-03 2026-10-09"]
    assert {(f"{each.date}", each.balance) for each in record.anchors} == {("2026-10-09", 7_00)}


async def test_undo_leaves_a_balance_of_later(context: Context, elsewhere: Context) -> None:
    """What the person has said of the same day since is the person's, and stays."""
    await _with_a_hole(context)
    report = await taken(elsewhere, await exported(context))
    await taken(elsewhere, JULY_WITHOUT_BALANCES, "b.csv", account="Giro", currency="EUR")
    (account,) = await list_accounts(elsewhere, Nothing())
    await change_account(elsewhere, AccountChange(id=account.id, balance=51_00))
    await undo_import(elsewhere, ImportId(id=str(report.id)))
    assert [each.balance for each in (await _record(elsewhere)).anchors] == [51_00]


async def test_which_column_and_direction_come_along(context: Context, elsewhere: Context) -> None:
    """What was said of a table's amounts reads the next file in the restored home."""
    text = "Date,Description,Amount\n" + "2026-05-05,Kiosk,3.00\n2026-05-06,Baker,4.00\n"
    said = {"account": "Giro", "currency": "EUR", "direction": "out", "amount_column": "Amount"}
    await bring(context, {"a.csv": text}, **said)
    await taken(elsewhere, await exported(context))
    (ours,), (theirs,) = [
        await list_import_profiles(each, Nothing()) for each in (context, elsewhere)
    ]
    assert (theirs.direction, theirs.amount_column) == ("out", "Amount")
    assert theirs.model_copy(update={"id": ours.id}) == ours
    more = text + "2026-05-07,Baker,5.00\n"
    (file,) = (await taken(elsewhere, more, "b.csv")).files
    assert (file.new, file.accounts[0].money_out) == (1, 12_00)


async def test_no_restored_text_hides_anything(context: Context, elsewhere: Context) -> None:
    """Names of accounts, payees and categories and texts of rows are those that a person sees."""
    await bring(context, {"a.csv": FEBRUARY_WITH_BALANCES}, account="Giro", currency="EUR")
    await make(context, "Giro", "essential", "shop")
    whole = json.loads(await exported(context))
    whole["household"]["connections"][0]["institutionName"] = HIDDEN
    whole["household"]["categories"][0]["name"] = HIDDEN
    whole["household"]["dismissedSuggestions"] = [HIDDEN]
    whole["household"]["rules"][0]["payeeKey"] += "\u202e"
    whole["household"]["answers"] = [{"task": QUESTION, "ruleId": None, "answeredAt": 1}]
    for payee in whole["payees"]:
        payee.update(key=f"{payee['key']}\u202e", name=HIDDEN, raw=HIDDEN)
        payee["judged"]["why"] = HIDDEN
    for account in whole["accounts"]:
        account.update(name=HIDDEN, institutionName=HIDDEN, mask="\u202e", subtype=HIDDEN)
        account["externalId"] += "\u202e"
    for row in whole["transactions"]:
        row.update(payeeKey=f"{row['payeeKey']}\u202e", raw=HIDDEN, externalId="\u202e")
    await taken(elsewhere, json.dumps(whole))

    kept = await elsewhere.store.read(kept_tables)
    texts = [
        each for rows in kept.values() for row in rows for each in row if isinstance(each, str)
    ]
    assert all(text.isprintable() and "\\u" not in text for text in texts)
    assert {row[2] for row in kept["payee"]} == {"Giro"}
    assert {row[3:5] for row in kept["account"]} == {("Giro", None)}
    assert {row[5] for row in kept["tx"]} == {None}
    (own,) = [each for each in await list_categories(elsewhere, Nothing()) if each.custom]
    assert own.label == "Giro"
    found = await answers(elsewhere)
    assert {rule["payeeKey"] for rule in found["rules"] if rule["source"] == "user"} == {"shop"}


async def test_an_account_that_shows_no_name_gets_one(context: Context, elsewhere: Context) -> None:
    """A name of hidden characters alone is none, so the account is called what any such one is."""
    await bring(context, {"a.csv": FEBRUARY_WITH_BALANCES}, account="Giro", currency="EUR")
    whole = json.loads(await exported(context))
    whole["accounts"][0]["name"] = "\u202e"
    await taken(elsewhere, json.dumps(whole))
    assert [each.name for each in await list_accounts(elsewhere, Nothing())] == ["Account"]


WITH_BALANCE = """\
Date,Description,Amount,Balance
2026-03-01,ACME PAYROLL,900.00,1000.00
2026-03-02,SHOP,-100.00,900.00
"""
WITHOUT = "Date,Description,Amount\n2026-03-01,ACME PAYROLL,900.00\n2026-03-02,SHOP,-100.00\n"


async def brought(context: Context, text: str) -> AccountRecord:
    await send(context, {"checking.csv": text}, account_kind="checking", currency="USD")
    (record,) = await list_account_records(context, Nothing())
    return record


@pytest.mark.parametrize("text", [WITH_BALANCE, WITHOUT], ids=["stated", "unknown"])
async def test_a_told_balance_is_taken_back(context: Context, text: str) -> None:
    """Null takes back what the person told: the account is as before, in its balances as well."""
    before = await brought(context, text)
    told = await change_account(context, AccountChange(id=before.account.id, balance=400_000))
    assert told.account.balance == 400_000

    for _ in range(2):
        after = await change_account(context, AccountChange(id=before.account.id, balance=None))
        assert after == before


async def test_a_balance_taken_back_follows_a_new_kind(context: Context) -> None:
    """What holds again is signed as the kind that is said with it wants it."""
    before = await brought(context, WITH_BALANCE)
    await change_account(context, AccountChange(id=before.account.id, balance=400_000))
    after = await change_account(
        context, AccountChange(id=before.account.id, balance=None, kind="credit")
    )
    assert after.account.balance == -(before.account.balance or 0)
