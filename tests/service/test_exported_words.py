"""What the person said of single rows, taken along: every format tells it, and none loses it."""

import csv
import json
import re
from collections import Counter
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import pytest

from finplan.model.detection import TransferQuery, TransferVerdict
from finplan.model.money import to_minor
from finplan.model.transaction import ExportFormat, SpendingQuery
from finplan.service.context import Context
from finplan.service.spending import query_spending
from finplan.service.verdicts.transfers import decide_transfer, list_transfers
from tests.service.homes import elsewhere, rich, rich_home
from tests.service.household_answers import answers, exported, taken
from tests.service.household_tables import kept_tables
from tests.service.own_words import NOTHING, all_rows, say

__all__ = ["elsewhere", "rich", "rich_home"]

FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
ENDINGS = {"json": "json", "csv": "csv", "hledger": "journal", "beancount": "beancount"}
POSTING = re.compile(r" +(?:Expenses|expenses):(\S[^:]*?)  (-?[0-9.]+) USD(?:  ;.*)?")


async def _worded(context: Context) -> dict[str, Any]:
    """What is said of each row of which anything is, by what it is and not by its number."""
    said = {
        f"{row.date} {row.raw} {row.amount}": (row.note, row.splits, row.category, row.why.text)
        for row in await all_rows(context)
        if row.note is not None or row.splits or "by itself" in row.why.text
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


@pytest.mark.sampled(3)
@pytest.mark.parametrize("wanted", FORMATS)
async def test_a_file_of_its_own_loses_no_word(
    rich: Context, tmp_path: Path, wanted: ExportFormat
) -> None:
    """Importing its own export again adds nothing, and every word stays on its row."""
    said, held = await _worded(rich), await rich.store.read(kept_tables)
    text = await exported(rich, wanted)
    (file,) = (await taken(rich, tmp_path / f"own.{ENDINGS[wanted]}", text)).files
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
async def test_a_transfer_is_in_no_parts(
    context: Context, import_texts: Any, wanted: ExportFormat
) -> None:
    """What the person confirms to be a transfer is one in every file, whatever was said before."""
    head = "Date,Description,Amount\n"
    out, into = "02,TRANSFER TO SAVINGS,-500.00", "03,TRANSFER FROM CHECKING,500.00"
    await import_texts({"a.csv": f"{head}2026-09-{out}\n"}, account="Checking")
    await import_texts({"b.csv": f"{head}2026-09-{into}\n"}, account="Savings")
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


async def test_a_file_of_the_version_before_is_restored(
    rich: Context, elsewhere: Context, tmp_path: Path
) -> None:
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
    await taken(elsewhere, tmp_path / "home.json", json.dumps(whole))
    theirs = {row.raw for row in await all_rows(elsewhere, category=("travel",))}
    assert theirs == {"OAK STREET RENTALS 4711"}
    assert (await answers(elsewhere))["answered"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("wanted", FORMATS)
async def test_what_was_set_aside_stays_away(
    rich: Context, tmp_path: Path, wanted: ExportFormat
) -> None:
    """The household's own file changes nothing of what waits, nor of what is the copy of a row."""
    held = await rich.store.read(kept_tables)
    await taken(rich, tmp_path / f"own.{ENDINGS[wanted]}", await exported(rich, wanted))
    now = await rich.store.read(kept_tables)
    assert {name for name in held if now[name] != held[name]} <= {"account"}
