"""A word is about what a row is: it rests while the row is away, and is on it again when it returns."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.model.statement import ImportId
from finplan.model.transaction import SpendingQuery, SplitPart, Transaction
from finplan.model.user import SettingsChange
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.ledger.reconciliation import find_rows_of_words
from finplan.service.people import change_settings
from finplan.service.spending import query_spending
from tests.service.own_words import NOTHING, all_rows, say, the_row
from tests.service.test_pending_rows import camt

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

FILE = """Date,Description,Amount
2026-09-02,SAFEWAY STORE 12,-100.00
2026-09-09,SAFEWAY STORE 12,-40.00
2026-09-13,ACME CORP PAYROLL,5600.00
"""


async def test_an_undone_import_comes_back_with_its_words(
    context: Context, import_texts: Import
) -> None:
    """After undo and a new import, category, split and note are on the same rows again."""
    report = await import_texts({"checking.csv": FILE})
    rows = {row.amount: row for row in await all_rows(context)}
    halves = [(-50_00, "dining"), (-50_00, "pets")]
    await say(context, rows[-100_00], splits=halves, note="party")
    await say(context, rows[-40_00], category="hobbies")
    before = [row.model_dump(exclude={"id", "account_id"}) for row in await all_rows(context)]
    await undo_import(context, ImportId(id=report.id))
    assert await all_rows(context) == []
    await import_texts({"checking.csv": FILE})
    after = [row.model_dump(exclude={"id", "account_id"}) for row in await all_rows(context)]
    assert after == before


def interim(*rows: tuple[int, int]) -> str:
    """A report of what waits."""
    return camt(*rows, until=5, message="052", status="PDNG")


@pytest.fixture
async def abroad(context: Context, import_texts: Import) -> Context:
    """A household with a charge of 2.50 that waits, and another one."""
    await import_texts({"interim.xml": interim((4, -250), (5, -2000))})
    return context


async def test_a_pending_row_takes_its_word_along(abroad: Context, import_texts: Import) -> None:
    """What is said of a pending row is on the row that is posted for it, days later, and only there."""
    row = await the_row(abroad, "Shop 250", pending=True)
    said = await say(abroad, row, splits=[(-100, "dining"), (-150, "pets")], note="tip")
    assert said.pending
    assert said == await the_row(abroad, "Shop 250")
    booked = await import_texts({"march.xml": camt((6, -250), (7, -2000), until=9)})
    posted = await the_row(abroad, "Shop 250")
    assert not posted.pending
    assert (posted.splits, posted.note, posted.category) == (said.splits, "tip", "pets")
    assert [row.note for row in await all_rows(abroad)] == [None, "tip"]
    await undo_import(abroad, ImportId(id=booked.id))
    again = await the_row(abroad, "Shop 250")
    assert (again.pending, again.splits, again.note) == (True, said.splits, "tip")


async def test_a_row_with_a_word_takes_no_other_from_a_pending_one(
    context: Context, import_texts: Import
) -> None:
    """What was said of a row stays on it, also where a pending one like it goes."""
    await import_texts({"march.xml": camt((6, -250), until=6)})
    await say(context, await the_row(context, "Shop 250"), note="mine")
    waits = camt((5, -250), until=8, message="052", status="PDNG")
    await import_texts({"interim.xml": waits})
    await say(context, await the_row(context, "Shop 250", pending=True), note="other")
    await import_texts({"later.xml": camt((9, -100), until=9)})
    assert {row.raw: row.note for row in await all_rows(context)} == {
        "Shop 250": "mine",
        "Shop 100": None,
    }


async def test_a_pending_row_that_something_else_follows_keeps_its_word(
    abroad: Context, import_texts: Import
) -> None:
    """A row of another size, another shop or of another week is not taken for the posted one."""
    for raw in ("Shop 250", "Shop 2000"):
        await say(abroad, await the_row(abroad, raw), note="tip")
    other = camt((6, -249), (6, -2000), (14, -250), until=20)
    await import_texts({"march.xml": other.replace("Shop 2000", "Kiosk 7")})
    assert {row.note for row in await all_rows(abroad, pending=False)} == {None}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("posted", "is_it"),
    [
        (((7, -325),), True),
        (((4, -251),), True),
        (((7, -326),), False),
        (((7, -249),), False),
        (((7, 300),), False),
        (((8, -300),), False),
        (((3, -300),), False),
        (((6, -300), (7, -310)), False),
        (((5, -310), (7, -250)), False),
    ],
)
async def test_a_charge_with_a_tip_takes_its_word_along(
    abroad: Context, import_texts: Import, posted: tuple[tuple[int, int], ...], is_it: bool
) -> None:
    """Up to 30 % larger and three days later, where no other may be it; category and note are kept."""
    await say(abroad, await the_row(abroad, "Shop 250"), category="gifts_donations", note="tip")
    booked = await import_texts({"march.xml": camt(*posted, (7, -2000), until=9)})
    first = await the_row(abroad, f"Shop {abs(posted[0][1])}", pending=False)
    assert (first.note == "tip", first.category == "gifts_donations") == (is_it, is_it)
    notes = [row.note for row in await all_rows(abroad) if row.note is not None]
    assert notes == ["tip"] * (is_it or (7, -250) in posted)
    await undo_import(abroad, ImportId(id=booked.id))
    assert (await the_row(abroad, "Shop 250")).note == "tip"


async def test_two_words_are_on_no_one_row(abroad: Context, import_texts: Import) -> None:
    """Of two waiting charges either may be the larger one, so that neither is taken for it."""
    waits = camt((4, -250), (4, -260), until=5, message="052", status="PDNG")
    await import_texts({"interim.xml": waits})
    for raw in ("Shop 250", "Shop 260"):
        await say(abroad, await the_row(abroad, raw), note=raw)
    await import_texts({"march.xml": camt((6, -300), until=9)})
    assert {row.note for row in await all_rows(abroad, pending=False)} == {None}


async def test_a_word_stays_where_it_is(abroad: Context, import_texts: Import) -> None:
    """A second charge that might have been the one that waited takes no word away from the first."""
    await say(abroad, await the_row(abroad, "Shop 250"), note="tip")
    await import_texts({"march.xml": camt((5, -300), until=5)})
    assert (await the_row(abroad, "Shop 300")).note == "tip"
    await import_texts({"later.xml": camt((6, -310), until=9)})
    assert [(row.raw, row.note) for row in await all_rows(abroad, pending=False)] == [
        ("Shop 310", None),
        ("Shop 300", "tip"),
    ]


async def test_a_split_that_adds_up_no_more_says_so(context: Context, import_texts: Import) -> None:
    """It files nothing and stays to be seen: why the row is where it is says what to do about it."""
    await change_settings(context, SettingsChange(currency="EUR"))
    await import_texts({"february.xml": camt((2, -700), until=3)})
    waits = camt((4, -250), until=5, message="052", status="PDNG")
    await import_texts({"interim.xml": waits})
    parts = [(-100, "pets"), (-150, "gifts_donations")]
    await say(context, await the_row(context, "Shop 250"), splits=parts, note="tip")
    booked = await import_texts({"march.xml": camt((6, -300), until=9)})
    row = await the_row(context, "Shop 300")
    assert (row.splits, row.note) == (None, "tip")
    assert row.category not in ("pets", "gifts_donations")
    assert "-€2.50" in row.why.text
    assert "-€3.00" in row.why.text
    assert f"`finplan transactions split {row.id}`" in row.why.text
    for category in ("pets", "gifts_donations"):
        assert await all_rows(context, category=(category,)) == []
        assert await spent_on(context, category) == 0
    assert await spent_on(context, row.category) == 1000
    noted = await say(context, row, note="with tip")
    assert (noted.note, noted.why) == ("with tip", row.why)
    again = await say(context, row, splits=[(-100, "pets"), (-200, "gifts_donations")])
    assert again.why.text == "You split this one."
    assert (await spent_on(context, "pets"), await spent_on(context, row.category)) == (100, 700)
    await undo_import(context, ImportId(id=booked.id))
    waiting = await the_row(context, "Shop 250")
    assert (waiting.splits, waiting.note) == (None, "with tip")


async def spent_on(context: Context, category: str) -> int:
    """What spending says of a category."""
    return (await query_spending(context, SpendingQuery(category=(category,)))).total


async def test_taking_a_pending_rows_word_back_leaves_no_trace(abroad: Context, dump: Dump) -> None:
    """Three nulls leave the store as it was before the word."""
    before, row = await dump(), await the_row(abroad, "Shop 250")
    await say(abroad, row, category="dining", note="tip")
    assert await dump() != before
    assert await say(abroad, row, **NOTHING) == row
    assert await dump() == before


async def test_a_row_is_found_by_its_note(abroad: Context, import_texts: Import) -> None:
    """Each word stands in the text, the payee or a note, whatever its case and accents."""
    await import_texts({"march.xml": camt((2, -700), until=3)})
    waiting = await say(abroad, await the_row(abroad, "Shop 250"), note="Café mit Zoë")
    row = await the_row(abroad, "Shop 700")
    dog = SplitPart(amount=-200, category="pets", note="Hund")
    posted = await say(abroad, row, splits=[(-500, "dining"), dog])
    for text, found in {
        "zoe": [waiting],
        "CAFE shop 250": [waiting],
        "hund": [posted],
        "hund zoe": [],
        "shop 0": [await the_row(abroad, "Shop 2000"), waiting, posted],
    }.items():
        assert await all_rows(abroad, text=text) == found, text


def waiting(*rows: tuple[int, int]) -> dict[str, str]:
    """A file of what waits."""
    return {"interim.xml": camt(*rows, until=5, message="052", status="PDNG")}


def notes(rows: list[Transaction]) -> dict[tuple[int, bool], list[str]]:
    """What is noted on the rows of each day, those that wait apart."""
    found: dict[tuple[int, bool], list[str]] = {}
    for row in rows:
        found.setdefault((row.date.day, row.pending), []).append(row.note or "")
    return {key: sorted(each) for key, each in found.items()}


async def test_equal_charges_keep_a_word_each(context: Context, import_texts: Import) -> None:
    """Two tickets of one price wait: another import and their posting take no word from either."""
    await import_texts(waiting((4, -250), (4, -250)))
    for row, note in zip(await all_rows(context), ("mine", "Zoë's"), strict=True):
        await say(context, row, note=note, category="travel")
    before = await all_rows(context)
    await import_texts({"february.xml": camt((2, -700), until=3)})
    assert await all_rows(context, pending=True) == before
    booked = await import_texts({"march.xml": camt((6, -250), (6, -250), until=9)})
    assert notes(await all_rows(context)) == {(6, False): ["Zoë's", "mine"], (2, False): [""]}
    await undo_import(context, ImportId(id=booked.id))
    assert notes(await all_rows(context)) == {(4, True): ["Zoë's", "mine"], (2, False): [""]}


@pytest.mark.parametrize("worded", [0, 1])
async def test_one_of_equal_charges_keeps_its_word_alone(
    context: Context, import_texts: Import, worded: int
) -> None:
    """A word on one of two stays on that one, and is on one of them once they are posted."""
    await import_texts(waiting((4, -250), (4, -250)))
    row = (await all_rows(context))[worded]
    await say(context, row, note="mine")
    before = await all_rows(context)
    await import_texts({"february.xml": camt((2, -700), until=3)})
    assert await all_rows(context, pending=True) == before
    await import_texts({"march.xml": camt((6, -250), (6, -250), until=9)})
    assert notes(await all_rows(context, pending=False))[6, False] == ["", "mine"]


async def test_charges_are_posted_in_the_order_in_which_they_waited(
    context: Context, import_texts: Import
) -> None:
    """Of two equal charges on two days the earlier is the one that is posted first."""
    await import_texts(waiting((4, -250), (5, -250)))
    for row in await all_rows(context):
        await say(context, row, note=f"of day {row.date.day}")
    await import_texts({"march.xml": camt((7, -250), (6, -250), until=9)})
    assert notes(await all_rows(context)) == {(6, False): ["of day 4"], (7, False): ["of day 5"]}


async def test_a_word_returns_to_the_earlier_row(context: Context, import_texts: Import) -> None:
    """Undone and imported again, a row has its word again, though a later one had it meanwhile."""
    await import_texts(waiting((4, -250)))
    await say(context, await the_row(context, "Shop 250"), note="mine")
    first = {"first.xml": camt((5, -250), until=5)}
    booked = await import_texts(first)
    await import_texts({"later.xml": camt((7, -250), until=7)})
    before = notes(await all_rows(context))
    assert before == {(5, False): ["mine"], (7, False): [""]}
    await undo_import(context, ImportId(id=booked.id))
    await import_texts(first)
    assert notes(await all_rows(context)) == before


async def test_a_word_stays_where_an_equal_charge_is_withdrawn(
    context: Context, import_texts: Import
) -> None:
    """Of two equal charges that wait one goes: the word on the other is on it all the same."""
    await import_texts(waiting((4, -250), (4, -250)))
    later, earlier = await all_rows(context)
    said = await say(context, later, note="mine")
    owner = context.caller.owner

    def withdraw(connection: Connection) -> None:
        number = earlier.id.removeprefix("pen_")
        connection.exec_driver_sql("DELETE FROM pending WHERE no = ?", (number,))
        find_rows_of_words(connection, owner)

    await context.store.write(withdraw)
    assert await all_rows(context) == [said]
