"""A row that the person says is spent or earned is no leg of a transfer; a confirmed one stays a leg."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.errors import Conflict
from finplan.model.spending import SpendingQuery
from finplan.model.transfer import Transfer, TransferQuery, TransferVerdict
from finplan.service.context import Context
from finplan.service.spending.spending import query_spending
from finplan.service.verdicts.transfers import decide_transfer, list_transfers
from tests.service.own_words import NOTHING, all_rows, say, the_row

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

HEAD = "Date,Description,Amount\n"
OUT = HEAD + "2026-09-02,TRANSFER TO SAVINGS,-500.00\n2026-09-20,SAFEWAY,-40.00\n"
INTO = HEAD + "2026-09-03,TRANSFER FROM CHECKING,500.00\n2026-09-21,INTEREST,1.00\n"


@pytest.fixture
async def home(context: Context, import_texts: Import) -> Context:
    """A household with one transfer between two accounts."""
    await import_texts({"a.csv": OUT}, account="Checking")
    await import_texts({"b.csv": INTO}, account="Savings")
    return context


async def pairs(context: Context, *status: str) -> list[Transfer]:
    """The transfers, or those of a status."""
    return list(await list_transfers(context, TransferQuery(status=status)))


async def spent(context: Context) -> dict[str, int]:
    """Spending by category."""
    report = await query_spending(context, SpendingQuery(group_by="category"))
    return {group.key: group.total for group in report.groups}


@pytest.mark.parametrize(
    "word",
    [{"category": "rent"}, {"splits": [(-400_00, "rent"), (-100_00, "savings")]}],
    ids=["category", "split"],
)
async def test_what_is_spent_is_no_transfer(
    home: Context, dump: Dump, word: dict[str, Any]
) -> None:
    """The pair comes apart and is not offered, the other row is on its own, and all of it comes back."""
    before, row = await dump(), await the_row(home, "TO SAVINGS")
    assert row.transfer_id is not None
    said = await say(home, row, **word)
    assert (said.transfer_id, said.category) == (None, "rent")
    assert await pairs(home) == []
    assert (await the_row(home, "FROM CHECKING")).transfer_id is None
    assert (await spent(home))["rent"] == -sum(
        part.amount for part in said.splits or (said,) if part.category == "rent"
    )
    assert await say(home, row, **NOTHING) == row
    assert await dump() == before


async def test_a_word_holds_before_the_other_leg_comes(
    context: Context, import_texts: Import
) -> None:
    """A row that is filed before its other leg is imported is not paired with it."""
    await import_texts({"a.csv": OUT}, account="Checking")
    await say(context, await the_row(context, "TO SAVINGS"), category="rent")
    await import_texts({"b.csv": INTO}, account="Savings")
    assert await pairs(context) == []
    assert (await spent(context))["rent"] == 500_00


async def test_what_is_saved_may_be_a_transfer(home: Context) -> None:
    """A word that says saving, or a note, leaves the pair as it is, and the pair says what it is."""
    row = await the_row(home, "TO SAVINGS")
    said = await say(home, row, category="savings", note="holiday")
    assert (said.transfer_id, said.category, said.splits) == (row.transfer_id, row.category, None)
    assert said.note == "holiday"
    assert len(await pairs(home, "paired")) == 1


async def test_a_confirmed_transfer_is_nothing_else(home: Context) -> None:
    """A category on a confirmed leg is refused with what parts them; a note is kept all the same."""
    (pair,) = await pairs(home)
    await decide_transfer(home, TransferVerdict(id=pair.id, verdict="confirm"))
    row = await the_row(home, "TO SAVINGS")
    with pytest.raises(Conflict, match=f"`finplan transfers reject {pair.id}`"):
        await say(home, row, category="rent")
    assert (await say(home, row, note="holiday")).note == "holiday"
    await decide_transfer(home, TransferVerdict(id=pair.id, verdict="reject"))
    assert (await say(home, row, category="rent")).category == "rent"
    await decide_transfer(home, TransferVerdict(id=pair.id, verdict="confirm"))
    confirmed = await the_row(home, "TO SAVINGS")
    assert (confirmed.transfer_id, confirmed.line) == (pair.id, "not_spending")
    assert "rent" not in await spent(home)


async def test_the_other_leg_finds_another(context: Context, import_texts: Import) -> None:
    """Where a row is no leg any more, its rival is paired, and parted again on the way back."""
    twice = OUT + "2026-09-02,TRANSFER TO SAVINGS 2,-500.00\n"
    await import_texts({"a.csv": twice}, account="Checking")
    await import_texts({"b.csv": INTO}, account="Savings")
    before = await all_rows(context)
    row = await the_row(context, "TO SAVINGS 2")
    await say(context, row, category="rent")
    assert (await the_row(context, "FROM CHECKING")).transfer_id is not None
    await say(context, row, **NOTHING)
    assert await all_rows(context) == before
