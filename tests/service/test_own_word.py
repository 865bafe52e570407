"""One transaction's own word: its category, a note, or what its parts are for, before every rule.

It rests while the row is away, and is on it again when it returns; questions, categories and the
live view heed it.
"""

import re
from datetime import date

import pytest
from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.category import CategoryRemoval, RuleRequest
from finplan.model.errors import BadRequest, NotFound
from finplan.model.statement import ImportId
from finplan.model.task import TaskId
from finplan.model.transaction import SpendingQuery, SplitPart, Transaction
from finplan.model.user import SettingsChange
from finplan.service.categories import remove_category
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.ledger.reconciliation import find_rows_of_words
from finplan.service.people import change_settings
from finplan.service.planning.tasks import undo_answer
from finplan.service.planning.views import show_snapshot
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from tests.service.conftest import bring, dump
from tests.service.said import (
    NOTHING,
    all_rows,
    answered,
    give,
    make,
    mixed,
    questions,
    say,
    spent,
    the_question,
    the_row,
    totals,
)
from tests.service.test_rows_again import camt

FILE = """Date,Description,Amount
2026-09-02,SAFEWAY STORE 12,-100.00
2026-09-09,SAFEWAY STORE 12,-40.00
2026-09-11,TERRVIX,-25.00
2026-09-13,ACME CORP PAYROLL,5600.00
"""


@pytest.fixture
async def home(context: Context) -> Context:
    """A household with a few rows."""
    await bring(context, {"checking.csv": FILE})
    return context


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
    assert f" {told}. " in str(refused.value)
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
    with pytest.raises(BadRequest, match="cannot be 0"):
        await say(home, before, splits=[(-100_00, "groceries"), (0, "dining")])
    assert await big(home) == before


async def test_one_category_or_a_split(home: Context) -> None:
    """Both at once are refused; either takes the other's place, and what is left out stays."""
    row = await big(home)
    halves = [(-50_00, "groceries"), (-50_00, "dining")]
    with pytest.raises(BadRequest, match="either one category"):
        await say(home, row, category="dining", splits=halves)
    with pytest.raises(BadRequest, match="send null"):
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
    assert await say(home, row, note="Birthday") == row.model_copy(update={"note": "Birthday"})
    await set_rule(home, RuleRequest(payee_key=row.payee_key, category="pets", amount=100_00))
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
    with pytest.raises(NotFound):
        await say(home, row, note="x")


async def test_taking_a_word_back_leaves_no_trace(home: Context) -> None:
    """After a category, a note and a split, three nulls leave the store as it was."""
    before, row = await dump(home), await big(home)
    await say(home, row, category="dining", note="x")
    await say(home, row, splits=[(-50_00, "groceries"), (-50_00, "dining")])
    assert await dump(home) != before
    assert await say(home, row, **NOTHING) == row
    assert await dump(home) == before


async def test_a_word_on_a_row_of_unknown_payee_asks_no_more(home: Context) -> None:
    """The row of a payee that nothing is known of is what the person says it is."""
    row = await the_row(home, "TERRVIX")
    assert (await say(home, row, category="hobbies")).category == "hobbies"
    assert "uncategorized" not in await totals(home)


FILE_WITHOUT_TERRVIX = """Date,Description,Amount
2026-09-02,SAFEWAY STORE 12,-100.00
2026-09-09,SAFEWAY STORE 12,-40.00
2026-09-13,ACME CORP PAYROLL,5600.00
"""


async def test_an_undone_import_comes_back_with_its_words(context: Context) -> None:
    """After undo and a new import, category, split and note are on the same rows again."""
    report = await bring(context, {"checking.csv": FILE_WITHOUT_TERRVIX})
    rows = {row.amount: row for row in await all_rows(context)}
    await say(context, rows[-100_00], splits=[(-50_00, "dining"), (-50_00, "pets")], note="party")
    await say(context, rows[-40_00], category="hobbies")
    before = [row.model_dump(exclude={"id", "account_id"}) for row in await all_rows(context)]
    await undo_import(context, ImportId(id=report.id))
    assert await all_rows(context) == []
    await bring(context, {"checking.csv": FILE_WITHOUT_TERRVIX})
    after = [row.model_dump(exclude={"id", "account_id"}) for row in await all_rows(context)]
    assert after == before


def interim(*rows: tuple[int, int]) -> str:
    """A report of what waits."""
    return camt(*rows, until=5, message="052", status="PDNG")


@pytest.fixture
async def abroad(context: Context) -> Context:
    """A household with a charge of 2.50 that waits, and another one."""
    await bring(context, {"interim.xml": interim((4, -250), (5, -2000))})
    return context


async def test_a_pending_row_takes_its_word_along(abroad: Context) -> None:
    """What is said of a pending row is on the row that is posted for it, days later, and only there."""
    row = await the_row(abroad, "Shop 250", pending=True)
    said = await say(abroad, row, splits=[(-100, "dining"), (-150, "pets")], note="tip")
    assert said.pending
    assert said == await the_row(abroad, "Shop 250")
    booked = await bring(abroad, {"march.xml": camt((6, -250), (7, -2000), until=9)})
    posted = await the_row(abroad, "Shop 250")
    assert not posted.pending
    assert (posted.splits, posted.note, posted.category) == (said.splits, "tip", "pets")
    assert [row.note for row in await all_rows(abroad)] == [None, "tip"]
    await undo_import(abroad, ImportId(id=booked.id))
    again = await the_row(abroad, "Shop 250")
    assert (again.pending, again.splits, again.note) == (True, said.splits, "tip")


async def test_a_row_with_a_word_takes_no_other_from_a_pending_one(context: Context) -> None:
    """What was said of a row stays on it, also where a pending one like it goes."""
    await bring(context, {"march.xml": camt((6, -250), until=6)})
    await say(context, await the_row(context, "Shop 250"), note="mine")
    await bring(context, {"interim.xml": camt((5, -250), until=8, message="052", status="PDNG")})
    await say(context, await the_row(context, "Shop 250", pending=True), note="other")
    await bring(context, {"later.xml": camt((9, -100), until=9)})
    assert {row.raw: row.note for row in await all_rows(context)} == {
        "Shop 250": "mine",
        "Shop 100": None,
    }


async def test_a_pending_row_that_something_else_follows_keeps_its_word(abroad: Context) -> None:
    """A row of another size, another shop or of another week is not taken for the posted one."""
    for raw in ("Shop 250", "Shop 2000"):
        await say(abroad, await the_row(abroad, raw), note="tip")
    other = camt((6, -249), (6, -2000), (14, -250), until=20)
    await bring(abroad, {"march.xml": other.replace("Shop 2000", "Kiosk 7")})
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
    abroad: Context, posted: tuple[tuple[int, int], ...], is_it: bool
) -> None:
    """Up to 30 % larger and three days later, where no other may be it; category and note are kept."""
    await say(abroad, await the_row(abroad, "Shop 250"), category="gifts_donations", note="tip")
    booked = await bring(abroad, {"march.xml": camt(*posted, (7, -2000), until=9)})
    first = await the_row(abroad, f"Shop {abs(posted[0][1])}", pending=False)
    assert (first.note == "tip", first.category == "gifts_donations") == (is_it, is_it)
    notes = [row.note for row in await all_rows(abroad) if row.note is not None]
    assert notes == ["tip"] * (is_it or (7, -250) in posted)
    await undo_import(abroad, ImportId(id=booked.id))
    assert (await the_row(abroad, "Shop 250")).note == "tip"


async def test_two_words_are_on_no_one_row(abroad: Context) -> None:
    """Of two waiting charges either may be the larger one, so that neither is taken for it."""
    waits = camt((4, -250), (4, -260), until=5, message="052", status="PDNG")
    await bring(abroad, {"interim.xml": waits})
    for raw in ("Shop 250", "Shop 260"):
        await say(abroad, await the_row(abroad, raw), note=raw)
    await bring(abroad, {"march.xml": camt((6, -300), until=9)})
    assert {row.note for row in await all_rows(abroad, pending=False)} == {None}


async def test_a_word_stays_where_it_is(abroad: Context) -> None:
    """A second charge that might have been the one that waited takes no word away from the first."""
    await say(abroad, await the_row(abroad, "Shop 250"), note="tip")
    await bring(abroad, {"march.xml": camt((5, -300), until=5)})
    assert (await the_row(abroad, "Shop 300")).note == "tip"
    await bring(abroad, {"later.xml": camt((6, -310), until=9)})
    assert [(row.raw, row.note) for row in await all_rows(abroad, pending=False)] == [
        ("Shop 310", None),
        ("Shop 300", "tip"),
    ]


async def test_a_split_that_adds_up_no_more_says_so(context: Context) -> None:
    """It files nothing and stays to be seen: why the row is where it is says what to do about it."""
    await change_settings(context, SettingsChange(currency="EUR"))
    await bring(context, {"february.xml": camt((2, -700), until=3)})
    await bring(context, {"interim.xml": camt((4, -250), until=5, message="052", status="PDNG")})
    parts = [(-100, "pets"), (-150, "gifts_donations")]
    await say(context, await the_row(context, "Shop 250"), splits=parts, note="tip")
    booked = await bring(context, {"march.xml": camt((6, -300), until=9)})
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
    assert again.why.source == "user"
    assert again.why.text != row.why.text
    assert (await spent_on(context, "pets"), await spent_on(context, row.category)) == (100, 700)
    await undo_import(context, ImportId(id=booked.id))
    waiting = await the_row(context, "Shop 250")
    assert (waiting.splits, waiting.note) == (None, "with tip")


async def spent_on(context: Context, category: str) -> int:
    """What spending says of a category."""
    return (await query_spending(context, SpendingQuery(category=(category,)))).total


async def test_taking_a_pending_rows_word_back_leaves_no_trace(abroad: Context) -> None:
    """Three nulls leave the store as it was before the word."""
    before, row = await dump(abroad), await the_row(abroad, "Shop 250")
    await say(abroad, row, category="dining", note="tip")
    assert await dump(abroad) != before
    assert await say(abroad, row, **NOTHING) == row
    assert await dump(abroad) == before


async def test_a_row_is_found_by_its_note(abroad: Context) -> None:
    """Each word stands in the text, the payee or a note, whatever its case and accents."""
    await bring(abroad, {"march.xml": camt((2, -700), until=3)})
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


async def test_equal_charges_keep_a_word_each(context: Context) -> None:
    """Two tickets of one price wait: another import and their posting take no word from either."""
    await bring(context, waiting((4, -250), (4, -250)))
    for row, note in zip(await all_rows(context), ("mine", "Zoë's"), strict=True):
        await say(context, row, note=note, category="travel")
    before = await all_rows(context)
    await bring(context, {"february.xml": camt((2, -700), until=3)})
    assert await all_rows(context, pending=True) == before
    booked = await bring(context, {"march.xml": camt((6, -250), (6, -250), until=9)})
    assert notes(await all_rows(context)) == {(6, False): ["Zoë's", "mine"], (2, False): [""]}
    await undo_import(context, ImportId(id=booked.id))
    assert notes(await all_rows(context)) == {(4, True): ["Zoë's", "mine"], (2, False): [""]}


@pytest.mark.parametrize("worded", [0, 1])
async def test_one_of_equal_charges_keeps_its_word_alone(context: Context, worded: int) -> None:
    """A word on one of two stays on that one, and is on one of them once they are posted."""
    await bring(context, waiting((4, -250), (4, -250)))
    await say(context, (await all_rows(context))[worded], note="mine")
    before = await all_rows(context)
    await bring(context, {"february.xml": camt((2, -700), until=3)})
    assert await all_rows(context, pending=True) == before
    await bring(context, {"march.xml": camt((6, -250), (6, -250), until=9)})
    assert notes(await all_rows(context, pending=False))[6, False] == ["", "mine"]


async def test_charges_are_posted_in_the_order_in_which_they_waited(context: Context) -> None:
    """Of two equal charges on two days the earlier is the one that is posted first."""
    await bring(context, waiting((4, -250), (5, -250)))
    for row in await all_rows(context):
        await say(context, row, note=f"of day {row.date.day}")
    await bring(context, {"march.xml": camt((7, -250), (6, -250), until=9)})
    assert notes(await all_rows(context)) == {(6, False): ["of day 4"], (7, False): ["of day 5"]}


async def test_a_word_returns_to_the_earlier_row(context: Context) -> None:
    """Undone and imported again, a row has its word again, though a later one had it meanwhile."""
    await bring(context, waiting((4, -250)))
    await say(context, await the_row(context, "Shop 250"), note="mine")
    first = {"first.xml": camt((5, -250), until=5)}
    booked = await bring(context, first)
    await bring(context, {"later.xml": camt((7, -250), until=7)})
    before = notes(await all_rows(context))
    assert before == {(5, False): ["mine"], (7, False): [""]}
    await undo_import(context, ImportId(id=booked.id))
    await bring(context, first)
    assert notes(await all_rows(context)) == before


WITHDRAW = "DELETE FROM pending WHERE no = ?"


async def test_a_word_stays_where_an_equal_charge_is_withdrawn(context: Context) -> None:
    """Of two equal charges that wait one goes: the word on the other is on it all the same."""
    await bring(context, waiting((4, -250), (4, -250)))
    later, earlier = await all_rows(context)
    said = await say(context, later, note="mine")
    owner = context.caller.owner

    def withdraw(connection: Connection) -> None:
        number = earlier.id.removeprefix("pen_")
        connection.exec_driver_sql(WITHDRAW, (number,))
        find_rows_of_words(connection, owner)

    await context.store.write(withdraw)
    assert await all_rows(context) == [said]


ZORBLAX = "Zorblax Unlimited"
DAY = date(2026, 9, 2)


@pytest.mark.thorough
async def test_rows_with_words_are_not_asked_about(context: Context) -> None:
    """A row that is filed by itself is in no question, whatever it is filed under, parts as well."""
    await bring(context, {"checking.csv": mixed()})
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


async def test_of_equal_rows_those_without_a_word_are_asked_about(context: Context) -> None:
    """A word on one of several equal rows takes that one out of the question, and no other."""
    twins = "2026-09-05,ZORBLAX UNLIMITED,-77.00\n" * 3
    await bring(context, {"checking.csv": mixed() + twins})
    before = await the_question(context)
    twin = next(row for row in await all_rows(context) if row.amount == -77_00)
    await say(context, twin, category="uncategorized")
    assert (await the_question(context)).count == before.count - 1


async def test_a_note_outlives_an_answer_and_its_undoing(context: Context) -> None:
    """A row that is asked about by itself keeps its note when it is answered and when that is undone."""
    await bring(context, {"checking.csv": mixed()})
    await give(context, await the_question(context), each=True)
    row = await the_row(context, "ZORBLAX", since=DAY, until=DAY)
    await say(context, row, note="hers")
    before = await dump(context)
    task = next(each for each in await questions(context, ZORBLAX) if each.last_date == DAY)
    await give(context, task, answer="rent")
    said = await the_row(context, "ZORBLAX", since=DAY, until=DAY)
    assert (said.category, said.note) == ("rent", "hers")
    await undo_answer(context, TaskId(id=task.id))
    again = await the_row(context, "ZORBLAX", since=DAY, until=DAY)
    assert (again.category, again.note) == ("uncategorized", "hers")
    after = await dump(context)
    assert [row[:6] for row in after["single_word"]] == [row[:6] for row in before["single_word"]]


async def test_an_answered_row_may_be_filed_anew(context: Context) -> None:
    """Another category is the answer then; a split is none, and once it goes the row is asked about."""
    await bring(context, {"checking.csv": mixed()})
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


async def test_a_merged_category_takes_words_and_parts_along(context: Context) -> None:
    """Rows and parts in a category go where it is merged into; both are counted as being in it."""
    await bring(context, {"checking.csv": mixed()})
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


async def test_a_removed_category_gives_its_rows_back_and_keeps_notes(context: Context) -> None:
    """Where nothing takes its place, its words and the splits with a part in it are taken back."""
    await bring(context, {"checking.csv": mixed()})
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


async def test_what_waits_is_spent_by_its_parts(context: Context) -> None:
    """Of a pending charge of today that is split, the discretionary parts alone are spent today."""
    booked = camt((2, -700), until=3)
    waits = camt((21, -20_00), until=21, message="052", status="PDNG")
    for name, text in (("booked.xml", booked), ("interim.xml", waits)):
        await bring(context, {name: text.replace("2026-03", "2026-11").replace("EUR", "USD")})
    row = await the_row(context, "Shop 2000", pending=True)
    await say(context, row, category="groceries")
    assert (await show_snapshot(context, Nothing())).allowance.spent_today == 0
    parts = [(-25_00, "dining"), (2_00, "gifts_donations"), (3_00, "groceries")]
    await say(context, row, splits=parts)
    assert (await show_snapshot(context, Nothing())).allowance.spent_today == 23_00
