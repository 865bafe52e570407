"""Tags on transactions: kept, found, added up, exported and restored."""

import csv
import io
import json
import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from finplan.categorise.catalogue import BUILT_IN
from finplan.model.errors import BadRequest
from finplan.model.transaction import (
    GROUP_KEYS,
    RowRemarks,
    SpendingMonthsQuery,
    SpendingQuery,
    TransactionQuery,
    tags_in,
)
from finplan.service.context import Context
from finplan.service.spending import query_spending, query_spending_months
from finplan.service.transactions import list_transactions
from tests.service.conftest import bring, dump
from tests.service.rich_household import exported
from tests.service.said import NOTHING, all_rows, drawn, say, spent, the_row
from tests.service.test_rows_again import camt

FILE = """Date,Description,Amount
2026-09-02,HYATT TOKYO,-100.00
2026-09-09,SAFEWAY STORE 12,-40.00
2026-10-11,HYATT KYOTO,-25.00
2026-10-12,HYATT KYOTO REFUND,5.00
2026-10-13,OTHER,-7.00
"""


@pytest.fixture
async def home(context: Context) -> Context:
    """Two nights of a journey, one of them for work, and a refund."""
    await bring(context, {"checking.csv": FILE})
    for text, tags in (("TOKYO", "japan work"), ("KYOTO", "japan"), ("REFUND", "japan")):
        (row,) = [each for each in await all_rows(context) if each.raw.endswith(text)]
        await say(context, row, category="travel", tags=tuple(tags.split()))
    return context


async def test_tags_are_set_as_a_whole_and_taken_back(home: Context) -> None:
    """What is given takes the place of the tags that there were; the rest of a word stays."""
    before = await the_row(home, "SAFEWAY")
    first = await say(home, before, tags=("food",), note="for the party")
    second = await say(home, first, tags=("home", "bulk"))
    assert (second.tags, second.note) == (("bulk", "home"), "for the party")
    assert second == await the_row(home, "SAFEWAY")
    assert (await say(home, second, note=None)).tags == ("bulk", "home")
    assert await say(home, second, tags=None) == before


async def test_taking_all_back_leaves_no_trace(home: Context) -> None:
    """A row without tags is as one that never had any."""
    row, before = await the_row(home, "SAFEWAY"), await dump(home)
    await say(home, row, tags=("food",))
    assert await dump(home) != before
    await say(home, row, **NOTHING, tags=None)
    assert await dump(home) == before


@pytest.mark.parametrize(
    ("asked", "texts"),
    [
        (("japan",), {"TOKYO", "KYOTO", "REFUND"}),
        (("#Japan",), {"TOKYO", "KYOTO", "REFUND"}),
        (("work japan",), {"TOKYO"}),
        (("work", "food"), {"TOKYO", "12"}),
        (("=japan",), {"KYOTO", "REFUND"}),
        (("=work Japan",), {"TOKYO"}),
        (("=work",), set()),
        (("=", "work"), {"TOKYO", "OTHER"}),
    ],
)
async def test_a_filter_names_tags_as_a_whole(
    home: Context, asked: tuple[str, ...], texts: set[str]
) -> None:
    """Of one text a row has all the tags, of several texts those of one; a part of a tag is none."""
    await say(home, await the_row(home, "SAFEWAY"), tags=("food",))
    found = await all_rows(home, tag=asked)
    assert {row.raw.split()[-1] for row in found} == texts
    for tag in asked[0].split() if "=" not in asked[0] and len(asked) == 1 else ():
        assert set(texts) <= {row.raw.split()[-1] for row in await all_rows(home, text=tag)}
    total = -sum(row.amount for row in found)
    assert sum((await spent(home, tag=asked)).values()) == total
    listed = json.loads(await exported(home, "json", tag=asked))["transactions"]
    assert {row["raw"] for row in listed} == {row.raw for row in found}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("", "the tag ''"),
        (" # ", "not ''"),
        ("fine no!", "not 'no!'"),
        ("x" * 31, "at most 30 letters"),
        ("-x", "not '-x'"),
        ("zzzz", "Your tags: japan, work."),
        (" ".join(map(str, range(21))), "at most 20 tags"),
        ("jpaan", "the tag 'jpaan'. Did you mean japan?"),
        ("japan wrok", "the tag 'wrok'. Did you mean work?"),
    ],
)
async def test_what_is_no_tag_is_refused(home: Context, asked: str, told: str) -> None:
    """A filter of what no row has says so, and what may be meant, instead of finding nothing."""
    query = TransactionQuery().model_copy(update={"tag": (asked,)})
    with pytest.raises(BadRequest, match=re.escape(told)):
        await list_transactions(home, query)


async def test_sets_of_tags_add_up(home: Context) -> None:
    """A row is in the group of all its tags, without one in that of none; they add up to all."""
    assert await spent(home, group_by="tag") == {
        "#japan #work": 100_00,
        "No tag": 47_00,
        "#japan": 20_00,
    }
    assert await spent(home, group_by="tag", tag=("work",)) == {"#japan #work": 100_00}
    travel = await spent(home, group_by="tag", category=("travel",))
    assert travel == {"#japan #work": 100_00, "#japan": 20_00}
    table = await query_spending_months(home, SpendingMonthsQuery(group_by="tag"))
    assert {each.key: each.totals for each in table.groups} == {
        "=japan work": (100_00, 0),
        "=": (40_00, 7_00),
        "=japan": (0, 20_00),
    }


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
async def test_each_group_is_the_sum_of_its_rows(context: Context, seed: int) -> None:
    """Whatever is split, filed and tagged, a group is what its rows come to, and its key names them."""
    dice = Random(seed)
    await bring(context, {"checking.csv": drawn(dice)})
    for row in dice.sample([each for each in await all_rows(context) if each.amount < -2], 40):
        word: dict[str, Any] = {"tags": tuple(dice.sample(["a", "b", "c"], dice.randint(0, 3)))}
        if dice.random() < 0.3:
            parts = [(-1, "groceries"), (row.amount + 2, "savings"), (-1, "gifts_donations")]
            word["splits"] = parts
        elif dice.random() < 0.3:
            word["category"] = dice.choice(["groceries", "transfer", "wages"])
        await say(context, row, **word)
    expected: Counter[str] = Counter()
    for row in await all_rows(context):
        for part in row.splits or (row,):
            if BUILT_IN[part.category].flow == "spending":
                expected[GROUP_KEYS["tag"](row)] -= part.amount
    report = await query_spending(context, SpendingQuery(group_by="tag"))
    assert {group.key: group.total for group in report.groups} == expected
    for group in report.groups:
        alone = await query_spending(context, SpendingQuery(tag=(group.key,)))
        assert (alone.total, alone.count) == (group.total, group.count)
    await spent(context, group_by="tag", flow="income")


async def test_a_pending_row_takes_its_tags_along(context: Context) -> None:
    """What is tagged while it waits has its tags once it is posted, and is found in both states."""
    await bring(context, {"a.xml": camt((2, -700), until=3)})
    waits = camt((21, -20_00), until=21, message="052", status="PDNG")
    await bring(context, {"b.xml": waits})
    await say(context, await the_row(context, "Shop 2000", pending=True), tags=("gift",))
    assert [row.pending for row in await all_rows(context, tag=("gift",))] == [True]
    await bring(context, {"c.xml": camt((21, -20_00), until=25)})
    assert [row.pending for row in await all_rows(context, tag=("gift",))] == [False]


async def test_tags_are_in_every_export(home: Context) -> None:
    """The whole household in JSON, its rows, CSV and the journals all tell of tags."""
    whole = json.loads(await exported(home, "json"))
    words = whole["household"]["singleWords"]
    assert sorted(word["tags"] for word in words) == [["japan"], ["japan"], ["japan", "work"]]
    rows = {row["raw"]: row.get("tags") for row in whole["transactions"]}
    assert rows["HYATT TOKYO"] == ["japan", "work"]
    assert rows["SAFEWAY STORE 12"] is None
    cells = csv.DictReader(io.StringIO(await exported(home, "csv")))
    assert {row["description"]: row["tags"] for row in cells}["HYATT TOKYO"] == "#japan #work"
    for form in ("hledger", "beancount"):
        assert 'finplan-tags: "#japan #work"' in await exported(home, form)


TYPED = st.text("aZ9é_-./# हि", max_size=40)


@given(TYPED)
def test_tags_are_kept_in_one_way(typed: str) -> None:
    """What is kept of a text is kept of itself again, sorted, each once; all else is refused."""
    try:
        kept = tags_in(typed)
    except BadRequest:
        return
    assert kept == tuple(sorted(set(kept))) == tags_in(" ".join(kept))
    assert kept == tags_in(" ".join(f"#{tag}" for tag in kept))
    assert RowRemarks.model_validate({"tags": [*kept]}).tags == kept
    assert not any(set(tag) & set(" #Z") for tag in kept)
