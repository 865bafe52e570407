"""Restoring how far accounts are known: covered days, stated balances, and how files are read."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from finplan.model.account import AccountChange, AccountId, AccountRecord
from finplan.model.base import Nothing
from finplan.model.statement import ImportId
from finplan.service.banking.accounts import change_account, list_accounts, show_account
from finplan.service.categories import list_categories
from finplan.service.context import Context
from finplan.service.imports.header_profiles import list_import_profiles
from finplan.service.imports.imports import undo_import
from tests.service.filing import make
from tests.service.homes import elsewhere
from tests.service.household_answers import answers, exported, taken
from tests.service.household_tables import kept_tables
from tests.service.rich_household import Import

__all__ = ["elsewhere"]

HEADER = "Date,Description,Amount,Balance\n"
FEBRUARY = HEADER + "2026-02-03,Rent,-10.00,90.00\n2026-02-25,Shop,-15.00,75.00\n"
JULY = "Date,Description,Amount\n2026-07-05,Rent,-10.00\n2026-07-28,Shop,-15.00\n"
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


async def _record(context: Context) -> AccountRecord:
    (account,) = await list_accounts(context, Nothing())
    return await show_account(context, AccountId(id=account.id))


def _spans(record: AccountRecord) -> list[str]:
    return [f"{span.since} {span.until}" for span in record.coverage]


def _balances(connection: Connection) -> Sequence[tuple[Any, ...]]:
    return kept_tables(connection)["balance_record"]


async def _with_a_hole(context: Context, import_texts: Import) -> None:
    """Two halves of an account, and a balance of the person that would explain the hole."""
    await import_texts({"a.csv": FEBRUARY}, account="Giro", currency="EUR")
    await import_texts({"b.csv": JULY}, account="Giro", currency="EUR")
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, balance=50_00))


async def test_a_hole_stays_a_hole(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """A balance that the person told proves nothing in the restored home either."""
    await _with_a_hole(context, import_texts)
    await taken(elsewhere, tmp_path / "home.json", await exported(context))
    assert _spans(await _record(elsewhere)) == ["2026-02-03 2026-02-25", "2026-07-05 2026-07-28"]
    assert await _record(elsewhere) == await _record(context)


async def test_ends_are_stated_as_they_were(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """Days that a statement states and days that only rows tell are kept apart."""
    await import_texts({"a.csv": FEBRUARY}, account="Giro", currency="EUR")
    await import_texts({"s.sta": STATED})
    await taken(elsewhere, tmp_path / "home.json", await exported(context))
    ours, theirs = await context.store.read(kept_tables), await elsewhere.store.read(kept_tables)
    assert theirs["coverage"] == ours["coverage"]
    stated = {interval[2:] for _, *intervals in ours["coverage"] for interval in intervals}
    assert stated == {(False, False), (True, True)}


async def test_the_same_days_of_two_imports_are_restored_once(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """An export names days once, however many imports told them."""
    for _ in range(2):
        await import_texts({"a.csv": FEBRUARY}, account="Giro", currency="EUR")
    (account,) = json.loads(await exported(context))["accounts"]
    assert account["coverage"] == [
        {"from": "2026-02-03", "to": "2026-02-25", "fromStated": False, "toStated": False}
    ]
    await taken(elsewhere, tmp_path / "home.json", await exported(context))
    assert _spans(await _record(elsewhere)) == ["2026-02-03 2026-02-25"]


async def test_a_statement_s_word_stands_beside_the_person_s(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """Both balances of one day come along, and the person's is the later word."""
    today = JULY.replace("Amount\n", "Amount,Balance\n").replace("-10.00\n", "-10.00,65.00\n")
    today = today.replace("2026-07-28,Shop,-15.00\n", "2026-11-21,Shop,-15.00,50.00\n")
    await import_texts({"a.csv": today}, account="Giro", currency="EUR")
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, balance=42_00))
    text = await exported(context)
    said = [
        (each["balance"], each["byStatement"])
        for each in json.loads(text)["accounts"][0]["balances"]
    ]
    assert said[-2:] == [(50_00, True), (42_00, False)]
    await taken(elsewhere, tmp_path / "home.json", text)
    assert await elsewhere.store.read(_balances) == await context.store.read(_balances)
    assert await _record(elsewhere) == await _record(context)


async def test_the_preview_tells_what_will_be_covered(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """The days in the report are those that the restored account then has."""
    await import_texts({"s.sta": STATED})
    report = await taken(elsewhere, tmp_path / "home.json", await exported(context), dry_run=True)
    assert report.files[0].accounts[0].coverage == (await _record(context)).coverage


async def test_undo_leaves_what_another_import_knows(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """Where the account stays for a later file, covered days and balances of the export go."""
    await _with_a_hole(context, import_texts)
    report = await taken(elsewhere, tmp_path / "home.json", await exported(context))
    later = HEADER + "2026-10-03,Rent,-1.00,9.00\n2026-10-09,Shop,-2.00,7.00\n"
    await taken(elsewhere, tmp_path / "c.csv", later, account="Giro", currency="EUR")
    assert len(_spans(await _record(elsewhere))) == 3
    await undo_import(elsewhere, ImportId(id=str(report.id)))
    record = await _record(elsewhere)
    assert _spans(record) == ["2026-10-03 2026-10-09"]
    assert {(f"{each.date}", each.balance) for each in record.anchors} == {("2026-10-09", 7_00)}


async def test_undo_leaves_a_balance_of_later(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """What the person has said of the same day since is the person's, and stays."""
    await _with_a_hole(context, import_texts)
    report = await taken(elsewhere, tmp_path / "home.json", await exported(context))
    await taken(elsewhere, tmp_path / "b.csv", JULY, account="Giro", currency="EUR")
    (account,) = await list_accounts(elsewhere, Nothing())
    await change_account(elsewhere, AccountChange(id=account.id, balance=51_00))
    await undo_import(elsewhere, ImportId(id=str(report.id)))
    assert [each.balance for each in (await _record(elsewhere)).anchors] == [51_00]


async def test_which_column_and_direction_come_along(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """What was said of a table's amounts reads the next file in the restored home."""
    rows = "2026-05-05,Kiosk,3.00\n2026-05-06,Baker,4.00\n"
    text = "Date,Description,Amount\n" + rows
    said = {"account": "Giro", "currency": "EUR", "direction": "out", "amount_column": "Amount"}
    await import_texts({"a.csv": text}, **said)
    await taken(elsewhere, tmp_path / "home.json", await exported(context))
    (ours,), (theirs,) = [
        await list_import_profiles(each, Nothing()) for each in (context, elsewhere)
    ]
    assert (theirs.direction, theirs.amount_column) == ("out", "Amount")
    assert theirs.model_copy(update={"id": ours.id}) == ours
    more = text + "2026-05-07,Baker,5.00\n"
    (file,) = (await taken(elsewhere, tmp_path / "b.csv", more)).files
    assert (file.new, file.accounts[0].money_out) == (1, 12_00)


async def test_no_restored_text_hides_anything(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """Names of accounts, payees and categories and texts of rows are those that a person sees."""
    await import_texts({"a.csv": FEBRUARY}, account="Giro", currency="EUR")
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
    await taken(elsewhere, tmp_path / "home.json", json.dumps(whole))

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


async def test_an_account_that_shows_no_name_gets_one(
    context: Context, elsewhere: Context, import_texts: Import, tmp_path: Path
) -> None:
    """A name of hidden characters alone is none, so the account is called what any such one is."""
    await import_texts({"a.csv": FEBRUARY}, account="Giro", currency="EUR")
    whole = json.loads(await exported(context))
    whole["accounts"][0]["name"] = "\u202e"
    await taken(elsewhere, tmp_path / "home.json", json.dumps(whole))
    assert [each.name for each in await list_accounts(elsewhere, Nothing())] == ["Account"]
