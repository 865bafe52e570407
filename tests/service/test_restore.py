"""Restoring: an export of a household gives a home without accounts the same household."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.intake.files import ImportRun
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.errors import Conflict
from finplan.model.statement import ImportAnswer, ImportId, RestoredHousehold
from finplan.model.user import SettingsChange
from finplan.service.banking.accounts import list_accounts
from finplan.service.categories import list_categories
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.people import change_settings, show_settings
from finplan.service.rules import list_rules, set_rule
from tests.service.conftest import NOW, bring, send
from tests.service.household_tables import kept_tables
from tests.service.own_money import csv, second_person
from tests.service.rich_household import (
    answers,
    checking,
    elsewhere,
    exported,
    rich,
    rich_home,
    taken,
)
from tests.service.said import make

__all__ = ["elsewhere", "rich", "rich_home"]


async def _same(here: Context, there: Context) -> None:
    ours, theirs = await answers(here), await answers(there)
    assert ours["plan"]["incomeSources"]
    for name, value in ours.items():
        assert theirs[name] == value, name


@pytest.mark.thorough
@pytest.mark.usefixtures("demo")
async def test_the_demo_household_is_restored(context: Context, elsewhere: Context) -> None:
    """The whole made-up household answers the same in an empty home."""
    await taken(elsewhere, await exported(context))
    await _same(context, elsewhere)


@pytest.mark.thorough
async def test_everything_said_is_restored(rich: Context, elsewhere: Context) -> None:
    """Rules, own categories, answers, decisions, corrections and settings answer the same."""
    report = await taken(elsewhere, await exported(rich))
    await _same(rich, elsewhere)

    (file,) = report.files
    assert file.restored == RestoredHousehold(
        currency="USD", categories=3, rules=4, answers=4, decisions=6, words=4
    )
    assert file.notes == ()
    assert [account.name for account in file.accounts] == [
        account.name for account in await list_accounts(rich, Nothing())
    ]


@pytest.mark.thorough
async def test_what_is_kept_is_the_same(rich: Context, elsewhere: Context) -> None:
    """Rows, payees, verdicts and balances are kept just as they were, whatever their numbers are."""
    await taken(elsewhere, await exported(rich))
    ours, theirs = await rich.store.read(kept_tables), await elsewhere.store.read(kept_tables)
    for name, rows in ours.items():
        assert rows, name
        assert theirs[name] == rows, name


@pytest.mark.thorough
async def test_a_restored_home_exports_the_same(rich: Context, elsewhere: Context) -> None:
    """The export of a restored home is the file that it was restored from."""
    text = await exported(rich)
    await taken(elsewhere, text)
    assert json.loads(await exported(elsewhere)) == json.loads(text)


@pytest.mark.thorough
async def test_the_same_file_again_adds_nothing(rich: Context, elsewhere: Context) -> None:
    """Every row is known for certain, and the report says what else of the file is left out."""
    text = await exported(rich)
    first = await taken(elsewhere, text)
    before = await elsewhere.store.read(kept_tables)
    (again,) = (await taken(elsewhere, text)).files

    assert (again.new, again.known, again.ambiguous) == (0, first.files[0].new, 0)
    assert again.restored is None
    (note,) = again.notes
    assert note.startswith("finplan imports only")
    assert re.findall(r"\d+ [a-z]+", note) == [
        *("3 own", "4 rules", "4 answers", "6 decisions", "4 edited")
    ]
    after = await elsewhere.store.read(kept_tables)
    assert {name for name in after if after[name] != before[name]} <= {"account"}


@pytest.mark.thorough
async def test_life_goes_on_in_the_restored_home(rich: Context, elsewhere: Context) -> None:
    """A statement that overlaps is known there as it is at home, and ends what is pending."""
    await taken(elsewhere, await exported(rich))
    later = checking().replace("Pending", "Posted") + "2026-11-21,NEW SHOP,-7.00,Posted\n"
    reports = [
        (await taken(home, later, f"{place}.csv", account="Everyday")).files[0]
        for place, home in enumerate((rich, elsewhere))
    ]

    assert reports[0].model_copy(update={"file": ""}) == reports[1].model_copy(update={"file": ""})
    assert (reports[0].new, reports[0].ambiguous) == (4, 0)
    await _same(rich, elsewhere)
    assert (await rich.store.read(kept_tables))["pending"] == []


async def test_a_home_with_accounts_takes_rows_alone(rich: Context, elsewhere: Context) -> None:
    """Settings, rules and categories that are there stay, and none comes."""
    said = {"currency": "BRL", "account_kind": "checking"}
    await taken(elsewhere, csv("2026-05-05,KIOSK,-3.00"), "own.csv", **said)
    settings = await show_settings(elsewhere, Nothing())
    categories = await list_categories(elsewhere, Nothing())
    (file,) = (await taken(elsewhere, await exported(rich))).files

    assert (file.restored, file.new) == (None, 189)
    assert len(file.notes) == 1
    assert await show_settings(elsewhere, Nothing()) == settings
    assert await list_categories(elsewhere, Nothing()) == categories
    assert not [rule for rule in await list_rules(elsewhere, Nothing()) if rule.source == "user"]


@pytest.mark.parametrize("how", [{"account": "Everyday"}, {"account_kind": "depository"}])
async def test_who_says_what_it_is_gets_rows_alone(
    context: Context, elsewhere: Context, how: dict[str, str]
) -> None:
    """What the person says of the file goes before what it holds of accounts, and the report says so."""
    await bring(
        context, {"a.csv": csv("2026-05-05,KIOSK,-3.00")}, account="Everyday", currency="EUR"
    )
    await make(context, "Books")
    (file,) = (await taken(elsewhere, await exported(context), **how)).files

    assert (file.new, file.restored) == (1, None)
    (note,) = file.notes
    assert note.startswith("finplan imports only")
    assert "1 own category" in note
    assert "--account and --kind" in note
    assert not any(each.custom for each in await list_categories(elsewhere, Nothing()))


async def test_beside_other_files_it_gives_rows_alone(context: Context, elsewhere: Context) -> None:
    """Which words hold for a household of several files, nobody can tell, so none comes."""
    await bring(context, {"a.csv": csv("2026-05-05,KIOSK,-3.00")}, account="Everyday")
    await make(context, "Books")
    texts = {"home.json": await exported(context), "b.csv": csv("2026-05-06,BAKER,-4.00")}
    checking = ImportAnswer(file=1, about="accountKind", value="checking")
    report = await send(elsewhere, texts, currency="EUR", answers=(checking,))
    assert [file.new for file in report.files] == [1, 1]
    assert report.files[0].restored is None
    assert report.files[0].notes[0].startswith("finplan imports only")


async def test_a_dry_run_tells_and_changes_nothing(rich: Context, elsewhere: Context) -> None:
    """The preview says what would be restored; committing it with its digest does that."""
    text = await exported(rich)
    preview = await taken(elsewhere, text, dry_run=True)
    assert await list_accounts(elsewhere, Nothing()) == ()
    done = await taken(elsewhere, text, digest=preview.digest)
    assert preview.files == done.files
    assert done.files[0].restored is not None


async def test_undo_leaves_an_empty_home(rich: Context, elsewhere: Context) -> None:
    """Nothing of the household stays, in any table."""
    before = await elsewhere.store.read(kept_tables)
    report = await taken(elsewhere, await exported(rich))
    await undo_import(elsewhere, ImportId(id=str(report.id)))
    assert await elsewhere.store.read(kept_tables) == before
    assert not any(rows for name, rows in before.items() if name != "person")


async def test_undo_brings_back_what_gave_way(rich: Context, elsewhere: Context) -> None:
    """Words of earlier accounts that the export overruled hold again, and categories keep their ids."""
    said = {"account": "Everyday", "currency": "USD", "direction": "in"}
    earlier = await taken(elsewhere, checking(), "own.csv", **said)
    await make(elsewhere, "garden club", "discretionary", "oak street rental")
    await set_rule(elsewhere, RuleRequest(payee_key="blue bottle coffee", category="travel"))
    await set_rule(elsewhere, RuleRequest(payee_key="acme", category="wages"))
    await change_settings(elsewhere, SettingsChange(currency="BRL", target_months=2))
    await undo_import(elsewhere, ImportId(id=str(earlier.id)))
    before = await elsewhere.store.read(kept_tables)
    assert len(before["rule"]) == 3

    report = await taken(elsewhere, await exported(rich))
    ruled = {
        rule.payee_key: rule.category
        for rule in await list_rules(elsewhere, Nothing())
        if rule.source == "user" and rule.amount is None
    }
    assert ruled["blue bottle coffee"] == "groceries"
    assert ruled["acme"] == "wages"
    (garden,) = [c for c in await list_categories(elsewhere, Nothing()) if c.label == "garden club"]
    assert ruled["oak street rental"] == garden.category
    await undo_import(elsewhere, ImportId(id=str(report.id)))
    assert await elsewhere.store.read(kept_tables) == before


async def test_undo_leaves_what_was_said_since(rich: Context, elsewhere: Context) -> None:
    """A rule and a setting of later stay, and the category that the rule needs with them."""
    report = await taken(elsewhere, await exported(rich))
    (garden,) = [c for c in await list_categories(elsewhere, Nothing()) if c.label == "Garden Club"]
    await set_rule(elsewhere, RuleRequest(payee_key="meridian books", category=garden.category))
    await change_settings(elsewhere, SettingsChange(target_months=9))
    await undo_import(elsewhere, ImportId(id=str(report.id)))

    settings = await show_settings(elsewhere, Nothing())
    assert (settings.target_months, settings.budget_shares) == (9, None)
    own = [each.label for each in await list_categories(elsewhere, Nothing()) if each.custom]
    assert own == ["Garden Club"]
    rules = [each for each in await list_rules(elsewhere, Nothing()) if each.source == "user"]
    assert [(rule.payee_key, rule.category) for rule in rules] == [
        ("meridian books", garden.category)
    ]


async def test_undo_leaves_a_restored_rule_changed_since(rich: Context, elsewhere: Context) -> None:
    """The person's last word on a payee outlives the household, and what held before that."""
    said = {"account": "Everyday", "currency": "USD", "direction": "in"}
    earlier = await taken(elsewhere, checking(), "own.csv", **said)
    await set_rule(elsewhere, RuleRequest(payee_key="blue bottle coffee", category="dining"))
    await undo_import(elsewhere, ImportId(id=str(earlier.id)))
    report = await taken(elsewhere, await exported(rich))
    later = replace(elsewhere, now=lambda: NOW + timedelta(hours=1))
    await set_rule(later, RuleRequest(payee_key="blue bottle coffee", category="travel"))
    await undo_import(later, ImportId(id=str(report.id)))
    rules = [each for each in await list_rules(elsewhere, Nothing()) if each.source == "user"]
    assert [(rule.payee_key, rule.category) for rule in rules] == [("blue bottle coffee", "travel")]


async def test_two_people_of_one_store_may_restore_one_file(rich: Context) -> None:
    """Ids that another person has are made anew, and everything refers to the new ones."""
    other = await second_person(rich)
    await taken(other, await exported(rich))
    ours, theirs = await answers(rich), await answers(other)

    def anonymous(value: Any) -> str:
        ids: dict[str, str] = {}
        text = json.dumps(value)
        for word in text.split('"'):
            if word.startswith(("acc_", "con_", "cat_", "rule_", "trf_", "dup_", "ser_")):
                ids.setdefault(word, f"{word[:4]}{len(ids)}")
        for known, numbered in ids.items():
            text = text.replace(known, numbered)
        return text

    # The transfers of one day and amount, and the options of an answered question, go by their ids.
    for name in ours.keys() - {"transfers", "answered"}:
        assert anonymous(theirs[name]) == anonymous(ours[name]), name
    statuses = [sorted(each["status"] for each in all_["transfers"]) for all_ in (ours, theirs)]
    assert statuses[0] == statuses[1]
    shared = {account["id"] for account in ours["accounts"]}
    assert not shared & {account["id"] for account in theirs["accounts"]}


async def test_an_export_of_version_1_gives_rows(rich: Context, elsewhere: Context) -> None:
    """What older versions wrote, accounts and rows alone, is read as by them."""
    whole = json.loads(await exported(rich))
    names = ("id", "name", "number", "institutionName", "kind", "subtype", "currency", "balances")
    old = {
        "finplan": 1,
        "accounts": [{name: each[name] for name in names} for each in whole["accounts"]],
        "transactions": [
            {
                name: value
                for name, value in row.items()
                if name not in ("source", "ordinal", "transferId", "spends", "code")
            }
            for row in whole["transactions"]
        ],
    }
    (file,) = (await taken(elsewhere, json.dumps(old), "old.json")).files

    assert (file.new, file.restored, file.notes) == (189, None, ())
    assert (await show_settings(elsewhere, Nothing())).currency == "USD"
    back = await taken(rich, json.dumps(old), "old.json")
    assert back.files[0].new == 0


async def test_payees_of_old_rules_are_keyed_again(rich: Context, elsewhere: Context) -> None:
    """A household of an older version of finplan is restored as an upgrade would have left it."""
    whole = json.loads(await exported(rich))
    whole["household"]["keyRules"] = 1
    text = json.dumps(whole, ensure_ascii=False).replace(
        '"blue bottle coffee"', '"blue bottle cof"'
    )
    await taken(elsewhere, text)
    here, there = await answers(rich), await answers(elsewhere)
    for home in (here, there):
        # Answers of one instant come in any order.
        home["answered"].sort(key=lambda task: str(task["id"]))
    assert there == here


async def test_a_filtered_export_holds_no_household(rich: Context) -> None:
    """Whoever asks for some rows gets these, and nothing that was said."""
    some = json.loads(await exported(rich, category=("groceries",)))
    assert set(some) == {"finplan", "accounts", "transactions"}
    assert 0 < len(some["transactions"]) < 100


async def test_nothing_secret_is_exported(rich: Context) -> None:
    """The names in the file are these and no others: no plan, key or bank's token is among them."""
    whole = json.loads(await exported(rich))
    assert set(whole) == {
        "finplan", "exportVersion", "household", "payees", "accounts", "transactions",
    }  # fmt: skip
    assert set(whole["household"]) == {
        "keyRules", "settings", "connections", "categories", "dismissedSuggestions", "rules", "answers",
        "transfers", "recurring", "duplicates", "singleWords", "files", "pending", "planned",
    }  # fmt: skip
    assert set(whole["household"]["connections"][0]) == {
        "id", "institutionName", "createdAt", "lastSyncedAt",
    }  # fmt: skip


async def test_half_a_transfer_is_matched_again(rich: Context, elsewhere: Context) -> None:
    """Where the file has lost how two rows belong together, they are looked at as new ones are."""
    whole = json.loads(await exported(rich))
    for row in whole["transactions"]:
        if row["amount"] > 0:
            row.pop("transferId", None)
    await taken(elsewhere, json.dumps(whole))
    here, there = await answers(rich), await answers(elsewhere)
    assert there["spending"] == here["spending"]
    assert len(there["transfers"]) == len(here["transfers"])


async def test_a_home_without_rows_is_restored(context: Context, elsewhere: Context) -> None:
    """Settings and categories come along though there is nothing else."""
    await make(context, "Books", "essential")
    await change_settings(context, SettingsChange(currency="CHF", time_zone="Europe/Zurich"))
    (file,) = (await taken(elsewhere, await exported(context))).files
    assert file.restored == RestoredHousehold(
        currency="CHF", categories=1, rules=0, answers=0, decisions=0, words=0
    )
    assert await show_settings(elsewhere, Nothing()) == await show_settings(context, Nothing())
    assert await list_categories(elsewhere, Nothing()) == await list_categories(context, Nothing())


async def test_accounts_that_come_meanwhile_stop_it(
    rich: Context, elsewhere: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A household that was read for an empty home goes into no other one."""
    from finplan.service.imports import imports

    text, read = await exported(rich), imports._read
    await taken(
        elsewhere,
        csv("2026-05-05,KIOSK,-3.00"),
        "own.csv",
        account="Own",
        currency="EUR",
        account_kind="checking",
    )

    async def read_as_if_empty(context: Context, run: Any) -> Any:
        with monkeypatch.context() as patched:
            patched.setattr(ImportRun, "restores", True)
            return await read(context, run)

    monkeypatch.setattr(imports, "_read", read_as_if_empty)
    with pytest.raises(Conflict, match="not restored"):
        await taken(elsewhere, text)
    assert len(await list_accounts(elsewhere, Nothing())) == 1


async def test_the_currency_of_most_rows_is_the_household_s(context: Context) -> None:
    """Where a first import brings several currencies, the first account does not decide alone."""
    rows = ["2026-05-01,A,Urlaub,-1.00,BRL"]
    rows += [f"2026-05-{day:02d},B,Home,-2.00,USD" for day in range(2, 5)]
    await bring(context, {"a.csv": "\n".join(["Date,Description,Account,Amount,Currency", *rows])})
    assert (await show_settings(context, Nothing())).currency == "USD"


async def test_undo_leaves_other_accounts_currency(rich: Context, elsewhere: Context) -> None:
    """Where accounts stay that came since, the currency that the household brought is theirs."""
    report = await taken(elsewhere, await exported(rich))
    said = {"account": "Own", "account_kind": "checking"}
    await taken(elsewhere, csv("2026-05-05,KIOSK,-3.00"), "own.csv", **said)
    await undo_import(elsewhere, ImportId(id=str(report.id)))
    assert await elsewhere.store.read(_currency) == "USD"
    assert [account.name for account in await list_accounts(elsewhere, Nothing())] == ["Own"]


def _currency(connection: Connection) -> object:
    return connection.exec_driver_sql("SELECT currency FROM person").scalar()
