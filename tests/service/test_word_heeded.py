"""What follows from rows heeds the person's words on them: questions, categories, and the live view."""

from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.category import CategoryRemoval
from finplan.model.task import TaskId
from finplan.service.categories import remove_category
from finplan.service.context import Context
from finplan.service.planning.tasks import undo_answer
from finplan.service.planning.views import show_snapshot
from tests.service.filing import make, spent
from tests.service.own_words import NOTHING, all_rows, say, the_row
from tests.service.partial_answers import (
    answered,
    give,
    mixed,
    questions,
    the_question,
)
from tests.service.test_pending_rows import camt

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

ZORBLAX = "Zorblax Unlimited"
DAY = date(2026, 9, 2)


@pytest.mark.thorough
async def test_rows_with_words_are_not_asked_about(context: Context, import_texts: Import) -> None:
    """A row that is filed by itself is in no question, whatever it is filed under, parts as well."""
    await import_texts({"checking.csv": mixed()})
    whole = await the_question(context)
    rows = [row for row in await all_rows(context) if row.payee == ZORBLAX]
    await say(context, rows[0], category="rent")
    await say(context, rows[1], category="uncategorized")
    rest = rows[2].amount + 1_00
    await say(context, rows[2], splits=[(-1_00, "dining"), (rest, "uncategorized")])
    await say(context, rows[3], note="who was this?")
    left = await the_question(context)
    assert (left.id, left.count) == (whole.id, whole.count - 3)
    assert left.total == whole.total + sum(row.amount for row in rows[:3])
    for row in rows:
        await say(context, row, category="unknown_inflow" if row.amount > 0 else "uncategorized")
    assert await questions(context, ZORBLAX) == []


async def test_of_equal_rows_those_without_a_word_are_asked_about(
    context: Context, import_texts: Import
) -> None:
    """A word on one of several equal rows takes that one out of the question, and no other."""
    twins = "2026-09-05,ZORBLAX UNLIMITED,-77.00\n" * 3
    await import_texts({"checking.csv": mixed() + twins})
    before = await the_question(context)
    twin = next(row for row in await all_rows(context) if row.amount == -77_00)
    await say(context, twin, category="uncategorized")
    assert (await the_question(context)).count == before.count - 1


async def test_a_note_outlives_an_answer_and_its_undoing(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """A row that is asked about by itself keeps its note when it is answered and when that is undone."""
    await import_texts({"checking.csv": mixed()})
    await give(context, await the_question(context), each=True)
    row = await the_row(context, "ZORBLAX", since=DAY, until=DAY)
    await say(context, row, note="hers")
    before = await dump()
    task = next(each for each in await questions(context, ZORBLAX) if each.last_date == DAY)
    await give(context, task, answer="rent")
    said = await the_row(context, "ZORBLAX", since=DAY, until=DAY)
    assert (said.category, said.note) == ("rent", "hers")
    await undo_answer(context, TaskId(id=task.id))
    again = await the_row(context, "ZORBLAX", since=DAY, until=DAY)
    assert (again.category, again.note) == ("uncategorized", "hers")
    after = await dump()
    assert [row[:6] for row in after["single_word"]] == [row[:6] for row in before["single_word"]]


async def test_an_answered_row_may_be_filed_anew(context: Context, import_texts: Import) -> None:
    """Another category is the answer then; a split is none, and once it goes the row is asked about."""
    await import_texts({"checking.csv": mixed()})
    await give(context, await the_question(context), each=True)
    task = (await questions(context, ZORBLAX))[0]
    await give(context, task, answer="rent")
    row = next(row for row in await all_rows(context) if row.category == "rent")
    await say(context, row, category="pets")
    assert (task.id, 1, -row.amount, "pets") in await answered(context)
    await say(context, row, splits=[(row.amount - 1, "pets"), (1, "dining")])
    assert task.id not in {each[0] for each in await answered(context)}
    assert task.id not in {each.id for each in await questions(context, ZORBLAX)}
    await say(context, row, **NOTHING)
    assert task.id in {each.id for each in await questions(context, ZORBLAX)}


async def test_a_merged_category_takes_words_and_parts_along(
    context: Context, import_texts: Import
) -> None:
    """Rows and parts in a category go where it is merged into; both are counted as being in it."""
    await import_texts({"checking.csv": mixed()})
    kites = (await make(context, "Kites")).category
    shop = await the_row(context, "SAFEWAY", since=date(2026, 9, 12), until=date(2026, 9, 12))
    rent = await the_row(context, "ZORBLAX", since=DAY, until=DAY)
    await say(context, rent, category=kites)
    await say(context, shop, splits=[(-50_00, kites), (shop.amount + 50_00, "dining")])
    assert (await spent(context))["Kites"] == 50_00 - rent.amount
    removed = await remove_category(context, CategoryRemoval(category=kites, merge_into="hobbies"))
    assert removed.charges == 2
    named = {row.id: row for row in await all_rows(context)}
    assert named[rent.id].category == "hobbies"
    assert [part.category for part in named[shop.id].splits or ()] == ["hobbies", "dining"]
    await assert_one_truth_of_parts(context)


async def test_a_removed_category_gives_its_rows_back_and_keeps_notes(
    context: Context, import_texts: Import
) -> None:
    """Where nothing takes its place, its words and the splits with a part in it are taken back."""
    await import_texts({"checking.csv": mixed()})
    kites = (await make(context, "Kites")).category
    before = {row.id: row for row in await all_rows(context)}
    one, other = [row for row in before.values() if row.payee == ZORBLAX][:2]
    await say(context, one, category=kites, note="hers")
    await say(context, other, splits=[(other.amount - 1, "dining"), (1, kites)])
    await remove_category(context, CategoryRemoval(category=kites))
    after = {row.id: row for row in await all_rows(context)}
    assert after == {**before, one.id: before[one.id].model_copy(update={"note": "hers"})}


async def assert_one_truth_of_parts(context: Context) -> None:
    """All groupings of spending are one sum of the parts of rows."""
    parts = [
        (part.category, part.amount)
        for row in await all_rows(context)
        for part in row.splits or (row,)
        if row.transfer_id is None
    ]
    sums: dict[str, int] = {}
    for category, amount in parts:
        sums[category] = sums.get(category, 0) - amount
    assert (await spent(context))["Sport and hobbies"] == sums["hobbies"]


async def test_what_waits_is_spent_by_its_parts(context: Context, import_texts: Import) -> None:
    """Of a pending charge of today that is split, the discretionary parts alone are spent today."""
    booked = camt((2, -700), until=3)
    waits = camt((21, -20_00), until=21, message="052", status="PDNG")
    for name, text in (("booked.xml", booked), ("interim.xml", waits)):
        await import_texts({name: text.replace("2026-03", "2026-11").replace("EUR", "USD")})
    row = await the_row(context, "Shop 2000", pending=True)
    await say(context, row, category="groceries")
    assert (await show_snapshot(context, Nothing())).allowance.spent_today == 0
    parts = [(-25_00, "dining"), (2_00, "gifts_donations"), (3_00, "groceries")]
    await say(context, row, splits=parts)
    assert (await show_snapshot(context, Nothing())).allowance.spent_today == 23_00
