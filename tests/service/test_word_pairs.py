"""A row that the person says is spent or earned is no leg of a transfer; a confirmed one stays a leg."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.category import CategoryRemoval
from finplan.model.detection import Transfer, TransferQuery, TransferVerdict
from finplan.model.errors import Conflict
from finplan.model.task import TaskId
from finplan.model.transaction import SpendingQuery
from finplan.service.categories import remove_category
from finplan.service.context import Context
from finplan.service.planning.tasks import undo_answer
from finplan.service.spending import query_spending
from finplan.service.verdicts.transfers import decide_transfer, list_transfers
from tests.service.filing import make
from tests.service.own_words import NOTHING, all_rows, say, the_row
from tests.service.partial_answers import give, questions

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


@pytest.mark.thorough
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


async def test_a_removed_category_keeps_no_row_from_its_pair(home: Context, dump: Dump) -> None:
    """Once a row is not filed by itself any more, because its category went, the pair is there again."""
    before, row = await dump(), await the_row(home, "TO SAVINGS")
    for target in (None, "savings"):
        made = await make(home, "Kites")
        await say(home, row, category=made.category)
        assert await pairs(home) == []
        ask = CategoryRemoval(category=made.category, merge_into=target)
        await remove_category(home, ask)
        assert len(await pairs(home, "paired")) == 1
        await say(home, row, **NOTHING)
        assert await dump() == before


async def test_an_answer_taken_back_gives_the_pair_back(
    context: Context, import_texts: Import
) -> None:
    """A row that was answered as spent is paired again once that answer is undone."""
    out = HEAD + "2026-09-02,ZORBLAX,-500.00\n2026-09-05,ZORBLAX,-20.00\n"
    await import_texts({"a.csv": out}, account="Checking")
    await give(context, (await questions(context))[0], each=True)
    task = next(each for each in await questions(context) if each.total == 500_00)
    await give(context, task, answer="rent")
    into = HEAD + "2026-09-03,TRANSFER FROM CHECKING,500.00\n2026-09-21,INTEREST,1.00\n"
    await import_texts({"b.csv": into}, account="Savings")
    assert await pairs(context, "paired", "candidate") == []
    await undo_answer(context, TaskId(id=task.id))
    assert len(await pairs(context, "paired", "candidate")) == 1


async def test_a_pair_with_a_fee_comes_back(context: Context, import_texts: Import) -> None:
    """A transfer of which a fee was kept is paired again after a word on either row."""
    await import_texts({"a.csv": OUT}, account="Checking")
    await import_texts({"b.csv": INTO.replace("500.00", "499.00")}, account="Savings")
    before = await all_rows(context)
    for raw in ("TO SAVINGS", "FROM CHECKING"):
        row = await the_row(context, raw)
        assert row.transfer_id is not None
        assert (await say(context, row, category="dining")).transfer_id is None
        assert await say(context, row, **NOTHING) == row
    assert await all_rows(context) == before
