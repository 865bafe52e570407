"""One transaction's own word: its category, a note, or what its parts are for, before every rule."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.category import RuleRequest
from finplan.model.errors import BadRequest, NotFound
from finplan.model.transaction import SpendingQuery, Transaction
from finplan.service.context import Context
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from tests.service.own_words import NOTHING, all_rows, say, the_row

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

FILE = """Date,Description,Amount
2026-09-02,SAFEWAY STORE 12,-100.00
2026-09-09,SAFEWAY STORE 12,-40.00
2026-09-11,TERRVIX,-25.00
2026-09-13,ACME CORP PAYROLL,5600.00
"""


@pytest.fixture
async def home(context: Context, import_texts: Import) -> Context:
    """A household with a few rows."""
    await import_texts({"checking.csv": FILE})
    return context


async def totals(context: Context) -> dict[str, int]:
    """Spending by category."""
    report = await query_spending(context, SpendingQuery(group_by="category"))
    return {group.key: group.total for group in report.groups}


async def big(context: Context) -> Transaction:
    """The row that the tests speak of."""
    return next(row for row in await all_rows(context) if row.amount == -100_00)


async def test_a_category_wins_over_every_rule(home: Context) -> None:
    """A row's own category holds before its payee's rule, and says so; other rows stay."""
    await set_rule(home, RuleRequest(payee_key=(await big(home)).payee_key, category="pets"))
    said = await say(home, await big(home), category="dining")
    assert (said.category, said.line, said.why.source, said.why.rule_id) == (
        "dining",
        "discretionary",
        "user",
        None,
    )
    assert said == await big(home)
    assert await totals(home) == {"dining": 100_00, "pets": 40_00, "uncategorized": 25_00}


async def test_a_split_counts_each_part_by_its_line(home: Context) -> None:
    """Each part of a row is on its own line; a part that is no spending leaves the totals."""
    said = await say(
        home,
        await big(home),
        splits=[(-30_00, "groceries"), (-50_00, "savings"), (-20_00, "gifts_donations")],
    )
    assert (said.category, said.line) == ("savings", "not_spending")
    assert said.splits is not None
    assert [(part.amount, part.category) for part in said.splits] == [
        (-30_00, "groceries"),
        (-50_00, "savings"),
        (-20_00, "gifts_donations"),
    ]
    assert said == await big(home)
    assert await totals(home) == {
        "groceries": 70_00,
        "gifts_donations": 20_00,
        "uncategorized": 25_00,
    }
    for category in ("groceries", "savings", "gifts_donations"):
        assert said in await all_rows(home, category=(category,))
    assert said not in await all_rows(home, category=("dining",))


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (-50_00, "-$80.00, but the transaction is -$100.00: $20.00 is missing"),
        (-77_50, "-$107.50, but the transaction is -$100.00: $7.50 is too much"),
        (+40_00, "$10.00, but the transaction is -$100.00: $110.00 is missing"),
    ],
)
async def test_a_split_adds_up_to_its_row(home: Context, second: int, told: str) -> None:
    """Parts that do not add up are refused with how much is missing or too much; nothing changes."""
    before = await big(home)
    with pytest.raises(BadRequest) as refused:
        await say(home, before, splits=[(-30_00, "groceries"), (second, "dining")])
    assert str(refused.value).startswith(f"The parts add up to {told}. ")
    assert await big(home) == before


async def test_parts_of_money_in_are_counted_its_way(home: Context) -> None:
    """Of a row that comes in, too much is what its parts bring beyond it."""
    row = next(each for each in await all_rows(home) if each.amount > 0)
    for second, told in ((1_00, "$2.00 is too much"), (-3_00, "$2.00 is missing")):
        parts = [(row.amount + 1_00, "wages"), (second, "wages")]
        with pytest.raises(BadRequest, match=re.escape(f": {told}. ")):
            await say(home, row, splits=parts)


async def test_a_part_is_something(home: Context) -> None:
    """A part of nothing is refused, and nothing changes."""
    before = await big(home)
    with pytest.raises(BadRequest, match="other than 0"):
        await say(home, before, splits=[(-100_00, "groceries"), (0, "dining")])
    assert await big(home) == before


async def test_one_category_or_a_split(home: Context) -> None:
    """Both at once are refused; either takes the other's place, and what is left out stays."""
    row = await big(home)
    halves = [(-50_00, "groceries"), (-50_00, "dining")]
    with pytest.raises(BadRequest, match="either one category for the whole of it or splits"):
        await say(home, row, category="dining", splits=halves)
    with pytest.raises(BadRequest, match="null takes one of them back"):
        await say(home, row)
    await say(home, row, category="pets", note="for the  dog")
    split = await say(home, row, splits=halves)
    assert (split.note, split.category) == ("for the dog", "groceries")
    whole = await say(home, row, category="pets")
    assert (whole.note, whole.category, whole.splits) == ("for the dog", "pets", None)
    ruled = await say(home, row, category=None)
    assert (ruled.note, ruled.category, ruled.why) == ("for the dog", row.category, row.why)


async def test_a_note_leaves_the_category_to_rules(home: Context) -> None:
    """A note alone changes no category, and an amount's rule files its row all the same."""
    row = await big(home)
    said = await say(home, row, note="Birthday")
    assert said == row.model_copy(update={"note": "Birthday"})
    rule = RuleRequest(payee_key=row.payee_key, category="pets", amount=100_00)
    await set_rule(home, rule)
    assert (await big(home)).category == "pets"
    assert (await totals(home))["pets"] == 100_00


async def test_an_unknown_category_names_near_ones(home: Context) -> None:
    """A category that is not there is refused with near matches, for a part as well."""
    row = await big(home)
    with pytest.raises(BadRequest) as refused:
        await say(home, row, category="grocery")
    assert refused.value.data == {"near": ["groceries"]}
    with pytest.raises(BadRequest, match="Groceries"):
        await say(home, row, splits=[(-50_00, "grocery"), (-50_00, "dining")])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("known", ["tx_99", "pen_1", "tx_0", "tx_x", "acc_1", "tx_1 "])
async def test_there_is_no_such_transaction(home: Context, known: str) -> None:
    """An id of no row of the person's is not found, whatever it looks like."""
    row = (await big(home)).model_copy(update={"id": known})
    with pytest.raises(NotFound, match="There is no transaction"):
        await say(home, row, note="x")


async def test_taking_a_word_back_leaves_no_trace(home: Context, dump: Dump) -> None:
    """After a category, a note and a split, three nulls leave the store as it was."""
    before, row = await dump(), await big(home)
    await say(home, row, category="dining", note="x")
    await say(home, row, splits=[(-50_00, "groceries"), (-50_00, "dining")])
    assert await dump() != before
    assert await say(home, row, **NOTHING) == row
    assert await dump() == before


async def test_a_word_on_a_row_of_unknown_payee_asks_no_more(home: Context) -> None:
    """The row of a payee that nothing is known of is what the person says it is."""
    row = await the_row(home, "TERRVIX")
    assert (await say(home, row, category="hobbies")).category == "hobbies"
    assert "uncategorized" not in await totals(home)
