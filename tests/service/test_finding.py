"""Finding rows: by words that stand in them, however written, in all letters, and by their amounts.

A page holds every row once; of cursors only what a page gave is taken, for the filters it was given
for.
"""

import base64
import re
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import Connection, event

from finplan.banks.base import BankAccount, BankTransaction
from finplan.categorise.tokens import tokens_of
from finplan.model.connection import ConnectionId
from finplan.model.detection import DuplicateQuery, DuplicateVerdict
from finplan.model.errors import BadRequest
from finplan.model.statement import ImportId
from finplan.model.transaction import SpendingQuery, SplitPart, Transaction, TransactionQuery
from finplan.service.banking.connections import sync_connection
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.lookup import near
from finplan.service.spending import query_spending
from finplan.service.transactions import (
    START,
    PagePosition,
    list_transactions,
    read_cursor,
    write_cursor,
)
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.store.folding import fold, fold_others
from finplan.store.queries import row_filters, transactions as table
from tests.service.conftest import bring, examples
from tests.service.own_money import Bank, Branch, csv, linked
from tests.service.rich_household import elsewhere, exported, taken
from tests.service.said import all_rows, listed, say

ROWS = (
    ("CAFÉ MÜLLER München", "-4.50"),
    ("Cafe Central", "-42.50"),
    ("STRASSENBAHN Wien", "-60.00"),
    ("KAPALI CARSI ISTANBUL", "-40.00"),
    ("Kapalı Çarşı İstanbul", "-39.99"),
    ("ΠΛΑΤΕΙΑ ΟΔΥΣΣΕΩΣ", "-60.01"),
    ("Пятёрочка Москва", "-12.00"),
    ("PAYPAL *100%_OFF", "-7.77"),
    ("Refund Cafe Central", "42.50"),
    ("東京ラーメン 渋谷", "-15.00"),
)


@pytest.fixture
async def household(context: Context) -> Context:
    rows = "".join(
        f"2026-03-{day:02d},{text},{amount}\n" for day, (text, amount) in enumerate(ROWS, 1)
    )
    await bring(context, {"rows.csv": f"Date,Description,Amount\n{rows}"}, account="Checking")
    return context


def texts(rows: Sequence[Transaction]) -> set[str]:
    return {row.raw for row in rows}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("cafe", (0, 1, 8)),
        ("CAFÉ", (0, 1, 8)),
        ("cafe\u0301 muller", (0,)),
        ("central cafe", (1, 8)),
        ("central  refund", (8,)),
        ("straßenbahn", (2,)),
        ("bahn", (2,)),
        ("kapalı", (3, 4)),
        ("istanbul carsi", (3, 4)),
        ("οδυσσεως", (5,)),
        ("пятерочка", (6,)),
        ("МОСКВА", (6,)),
        ("%", (7,)),
        ("_", (7,)),
        ("100%_o", (7,)),
        ("\\", ()),
        ("ｃａｆｅ　ｃｅｎｔｒａｌ", (1, 8)),
        ("渋谷", (9,)),
        ("cafe москва", ()),
        ("cen\u200btral", (1, 8)),
    ],
)
async def test_every_word_stands_in_the_row(
    household: Context, text: str, places: tuple[int, ...]
) -> None:
    """In any order, as parts of words, without case and accents; no sign of a word is a wildcard."""
    assert texts(await listed(household, text=text)) == {ROWS[place][0] for place in places}


async def test_a_payee_is_found_by_its_name(demo: Context) -> None:
    """A word may stand in the row's text or in its payee's name, each word in another of them."""
    rows = await listed(demo)
    named = next(
        row
        for row in rows
        if not row.pending
        and (word := fold(row.payee).split()[-1]) not in fold(row.raw)
        and word.isascii()
    )
    word = fold(named.payee).split()[-1]
    other = fold(named.raw).split()[0]
    assert named in await listed(demo, text=word)
    assert named in await listed(demo, text=f"{word} {other}")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", ["mcdonalds", "McDonald's", "mcdonald\u2019s lunch", "donalds"])
async def test_a_name_is_found_without_its_apostrophe(context: Context, text: str) -> None:
    """However the bank writes a shop, and however it is typed."""
    rows = ("MCDONALDS 1234 LUNCH", "MCDONALD'S F77 LUNCH", "DON ALDS LUNCH")
    lines = "".join(f"2026-03-{day:02d},{text},-5.00\n" for day, text in enumerate(rows, 1))
    await bring(context, {"rows.csv": f"Date,Description,Amount\n{lines}"}, account="Checking")
    assert texts(await listed(context, text=text)) == set(rows[:2])
    assert texts(await listed(context, text=text, limit=1)) == set(rows[:2])


@pytest.mark.parametrize("of_part", [False, True])
async def test_the_only_note_is_found(household: Context, of_part: bool) -> None:
    """Whether it stands on a row or on one part of it, and nobody else noted anything."""
    row = (await listed(household, text="bahn"))[0]
    assert await listed(household, text="grandma") == []
    if of_part:
        rest = SplitPart(amount=row.amount + 10_00, category="hobbies", note="Ours")
        noted = SplitPart(amount=-10_00, category="pets", note="For Grandma")
        await say(household, row, splits=[noted, rest])
    else:
        await say(household, row, note="For Grandma")
    assert texts(await listed(household, text="grandma bahn")) == {row.raw}


async def test_notes_are_looked_through_only_where_there_are_some(household: Context) -> None:
    """Each word is looked for in the payees' names; of notes that nobody wrote it is asked once."""

    def questions(connection: Connection) -> int:
        asked: list[str] = []

        def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
            asked.append(statement)

        event.listen(connection, "before_cursor_execute", note)
        row_filters.sought(connection, household.caller.owner, ("cafe", "central", "wien"))
        event.remove(connection, "before_cursor_execute", note)
        return len(asked)

    assert await household.store.read(questions) == 1 + 3
    await say(household, (await listed(household, text="bahn"))[0], note="Wien")
    assert await household.store.read(questions) == 1 + 3 + 3


TEXTS = st.sampled_from(("a", "giant eagle", "MARKET", "netflix", "zzz", "pay", "é", "on li"))
FILTERS = st.fixed_dictionaries(
    {"limit": st.sampled_from((7, 90, 500))},
    optional={
        "text": TEXTS,
        "min_amount": st.sampled_from((0, 1, 1549, 50_00, 10**13)),
        "max_amount": st.sampled_from((10**13, 1549 * 10**6, 60_00_00)),
        "since": st.just(date(2026, 9, 3)),
        "until": st.just(date(2026, 11, 12)),
        "pending": st.booleans(),
        "category": st.just(("groceries", "wages")),
    },
)


@pytest.mark.thorough
@examples(20)
@given(filters=FILTERS)
async def test_pages_hold_exactly_what_is_looked_for(
    demo: Context, filters: dict[str, Any]
) -> None:
    """With any other filters, on pages of any size, pending rows too, and in the order of all rows."""
    least, most = filters.get("min_amount", 0), filters.get("max_amount", 10**13)
    if least > most:
        return
    words = fold(filters.get("text", "")).split()
    looked_for = {"text", "min_amount", "max_amount", "limit"}
    rest = {name: value for name, value in filters.items() if name not in looked_for}
    expected = [
        row
        for row in await listed(demo, **rest)
        if least <= abs(row.amount) <= most
        and all(word in fold(row.raw) or word in fold(row.payee) for word in words)
    ]
    assert await listed(demo, **filters) == expected


@pytest.mark.thorough
@pytest.mark.parametrize(
    "query", [{"text": "a"}, {"text": "e a"}, {"text": "a", "category": ("groceries",)}]
)
async def test_many_rows_are_found_as_few_are(
    demo: Context, monkeypatch: pytest.MonkeyPatch, query: dict[str, Any]
) -> None:
    """Words of many rows, or of many payees, are looked for in another way and find the same."""
    # Several pages of them: what a page costs is not the matter here.
    expected = await listed(demo, limit=500, **query)
    page = min(90, len(expected) // 3)
    for name in ("_FEW", "_FEW_LOOKED_UP", "_FEW_WALKED", "_FEW_PAYEES"):
        monkeypatch.setattr(row_filters, name, 1)
        assert await listed(demo, limit=page, **query) == expected


@pytest.mark.thorough
@examples(10)
@given(filters=FILTERS)
async def test_a_total_is_of_all_pages(demo: Context, filters: dict[str, Any]) -> None:
    """It counts and adds up what the pages hold together, and what is pending enters no sum."""
    if filters.get("min_amount", 0) > filters.get("max_amount", 10**13):
        return
    asked = TransactionQuery.model_validate({**filters, "total": True, "limit": 2})
    total = (await list_transactions(demo, asked)).total
    assert total is not None
    rows = await listed(demo, **filters)
    assert (total.rows, total.pending) == (len(rows), sum(row.pending for row in rows))
    assert {each.currency: each.amount for each in total.sums} == added_up(rows)


def added_up(rows: Sequence[Transaction]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for row in rows:
        if not row.pending:
            sums[row.currency] = sums.get(row.currency, 0) + row.amount
    return sums


HALVES = "Date,Description,Amount\n" + "".join(
    f"2026-03-{day:02d},Shop {day},-{day}.00\n" for day in range(1, 8)
)


async def test_a_total_of_a_category_has_parts_alone(context: Context) -> None:
    """A split row is one row on one page, and what is added is its parts in what is asked for."""
    await bring(context, {"march.csv": HALVES})
    rows = sorted(await listed(context), key=lambda row: row.date)
    for row in rows[:3]:
        third = (row.amount // 3, "pets"), (row.amount // 6, "pets")
        rest = row.amount - sum(amount for amount, _ in third)
        await say(context, row, splits=[*third, (rest, "dining")])
    await say(context, rows[3], category="pets")
    await say(context, rows[4], splits=[(100, "pets"), (rows[4].amount - 100, "hobbies")])
    for asked, number in (
        (("pets",), 5),
        (("dining",), 3),
        (("pets", "dining"), 5),
        (("pets", "hobbies"), 5),
        ((), 7),
    ):
        held = await listed(context, limit=2, category=asked)
        assert len({row.id for row in held}) == len(held) == number
        page = await list_transactions(
            context, TransactionQuery(category=asked, total=True, limit=1)
        )
        assert page.total is not None
        assert page.total.rows == number
        told = sum(each.amount for each in page.total.sums)
        parts = [
            part.amount
            for row in held
            for part in row.splits or (row,)
            if not asked or part.category in asked
        ]
        assert told == sum(parts)
        report = await query_spending(context, SpendingQuery(category=asked))
        assert told == -report.total


async def test_each_currency_has_a_sum(context: Context) -> None:
    """That of the most rows is the first; without being asked no page has a total."""
    for currency, amounts in (("EUR", (5,)), ("JPY", (39, 40)), ("CHF", (7,))):
        rows = "".join(f"2026-03-0{n},Shop,-{each}\n" for n, each in enumerate(amounts, 1))
        await bring(
            context,
            {f"{currency}.csv": f"Date,Description,Amount\n{rows}"},
            account=currency,
            currency=currency,
        )
    asked = TransactionQuery(text="shop", total=True, limit=1)
    page = await list_transactions(context, asked)
    assert page.total is not None
    assert [(each.currency, each.amount) for each in page.total.sums] == [
        ("JPY", -79),
        ("CHF", -7_00),
        ("EUR", -5_00),
    ]
    further = await list_transactions(
        context, TransactionQuery(text="shop", cursor=page.next_cursor)
    )
    assert further.total is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("walked", [0, 4, 10**6])
async def test_what_is_bought_often_is_found_to_the_last_page(
    context: Context, monkeypatch: pytest.MonkeyPatch, walked: int
) -> None:
    """Pages of one payee's rows are full until none is left, and rows that name it only are among them.

    So it is however many of the rows are read day by day.
    """
    monkeypatch.setattr(row_filters, "_FEW_WALKED", walked)
    rows = "".join(
        f"2026-03-{day:02d},{'GIFT CARD FOR NETFLIX' if day == 5 else 'NETFLIX.COM'},-{day}.99\n"
        f"2026-03-{day:02d},NETFLIX.COM,-{day}.00\n2026-03-{day:02d},OTHER SHOP,-1.00\n"
        for day in range(1, 12)
    )
    await bring(context, {"rows.csv": f"Date,Description,Amount\n{rows}"}, account="Checking")
    everything = await listed(context)
    for days in ({}, {"since": date(2026, 3, 3)}, {"until": date(2026, 3, 9)}):
        first, last = days.get("since", date.min), days.get("until", date.max)
        expected = [row for row in everything if "NETFLIX" in row.raw and first <= row.date <= last]
        assert await listed(context, limit=3, text="netflix", **days) == expected
        only = [row for row in expected if row.raw.startswith("GIFT")]
        assert await listed(context, limit=1, text="netflix gift", **days) == only


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("netflix", 0),
        # The payee of the rows is called NETFLIX alone.
        ("netflix gift", 40 * 2),
    ],
)
@pytest.mark.parametrize("walked", [10, 10**6])
async def test_no_old_texts_are_read_for_what_is_bought_often(
    context: Context, monkeypatch: pytest.MonkeyPatch, text: str, most: int, walked: int
) -> None:
    """Of a thousand days, the newest fill the page; for a word that stands nowhere all are read.

    It is so where the page's days are read one by one, and where all rows are passed.
    """
    monkeypatch.setattr(row_filters, "_FEW_WALKED", walked)
    monkeypatch.setattr(row_filters, "_NEWEST_OF_PAYEES", 20)
    first = date(2023, 1, 1)
    rows = "".join(
        f"{first + timedelta(day)},{'NETFLIX.COM GIFT' if day % 10 == 0 else 'OTHER SHOP'},-{day}.99\n"
        for day in range(1000)
    )
    await bring(context, {"rows.csv": f"Date,Description,Amount\n{rows}"}, account="Checking")

    async def texts_read(text: str) -> int:
        def look(connection: Connection) -> int:
            driver: Any = connection.connection.driver_connection
            read: list[str] = []

            def like(pattern: str, value: str, _escape: str | None = None) -> bool:
                read.append(value)
                return pattern.strip("%").upper() in value.upper()

            owner = context.caller.owner
            which = row_filters.Filter(
                owner, words=row_filters.sought(connection, owner, text.split())
            )
            driver.create_function("like", -1, like)
            table.newest_first(connection, which, None, 4)
            return sum(value in {"NETFLIX.COM GIFT", "OTHER SHOP"} for value in read)

        return await context.store.read(look)

    assert await texts_read("zzz") == 1000
    newest = 40
    assert await texts_read(text) <= newest + most


async def test_a_size_is_of_both_directions(household: Context) -> None:
    """40 to 60 is what a person sees as such: both ends count, and money in as well as out."""
    rows = await listed(household, min_amount=40_00, max_amount=60_00)
    assert sorted(row.amount for row in rows) == [-60_00, -42_50, -40_00, 42_50]


async def test_a_size_is_a_number_in_any_currency(context: Context) -> None:
    """A row in yen of 50 is found by 40 to 60, and one of 5,000 is not, though it has as many units."""
    for currency, amounts in (
        ("JPY", (39, 40, 60, 61, 5_000)),
        ("KWD", ("40.001", "39.999", "60")),
    ):
        rows = "".join(
            f"2026-03-0{day},Shop {currency},-{amount}\n" for day, amount in enumerate(amounts, 1)
        )
        await bring(
            context,
            {f"{currency}.csv": f"Date,Description,Amount\n{rows}"},
            account=currency,
            currency=currency,
        )
    sized = await listed(context, min_amount=40_00, max_amount=60_00)
    assert sorted((row.currency, -row.amount) for row in sized) == [
        ("JPY", 40),
        ("JPY", 60),
        ("KWD", 40_001),
        ("KWD", 60_000),
    ]
    between = await listed(context, min_amount=39_50, max_amount=39_60)
    assert between == []


async def test_a_search_that_finds_nothing_is_refused_where_it_is_none(household: Context) -> None:
    """A text without a word, and a least amount above the most, are told."""
    for text in (" ", "\u0301", "\u200b"):
        with pytest.raises(BadRequest, match="no word"):
            await listed(household, text=text)
    with pytest.raises(BadRequest, match="more than"):
        await listed(household, min_amount=2, max_amount=1)
    assert len(await listed(household, min_amount=4_50, max_amount=4_50)) == 1


@pytest.mark.parametrize("change", [{"text": "an"}, {"min_amount": 2}, {"max_amount": 10**9}])
async def test_a_cursor_is_of_one_search(demo: Context, change: dict[str, Any]) -> None:
    """The place in the pages of one search is none in those of another."""
    asked = {"limit": 2, "text": "a", "min_amount": 1, "max_amount": 10**10}
    page = await list_transactions(demo, TransactionQuery.model_validate(asked))
    assert page.next_cursor is not None
    other = {**asked, **change, "cursor": page.next_cursor}
    with pytest.raises(BadRequest, match="cursor"):
        await list_transactions(demo, TransactionQuery.model_validate(other))


__all__ = ["elsewhere"]

CAFE = "CAFÉ MÜLLER 12"
PLUMBER = "PLOMBIER FORÊT 88"
INVOICE = "PLOMBIER REÇU"
BAKERY = "BAKERY NORTH"
BOUGHT = csv(f"2026-09-01,{BAKERY},-3.10", f"2026-09-05,{PLUMBER},-120.00", f"2026-09-09,{CAFE},-4")
AGAIN = csv(f"2026-09-01,{BAKERY},-3.10", f"2026-09-06,{INVOICE},-120.00", f"2026-09-09,{CAFE},-4")
CHECKING = BankAccount("chk", "Checking", "1111", "depository", "checking", "USD", 100_00)


async def texts_found(context: Context, text: str) -> list[str]:
    """The texts of the rows that are found, pending ones too."""
    return sorted(row.raw for row in await all_rows(context, text=text))


def unlike(connection: Connection) -> list[tuple[str, str | None]]:
    """The posted rows that keep something else to be looked for by than their texts folded."""
    rows = connection.exec_driver_sql("SELECT raw, folded FROM tx").all()
    assert rows
    return [(raw, folded) for raw, folded in rows if folded != fold_others(raw)]


async def test_imported_and_again_after_undo(context: Context) -> None:
    """An import's rows are found, and those of the same file after it was undone."""
    first = await bring(context, {"a.csv": BOUGHT}, account="checking")
    for _ in range(2):
        assert await texts_found(context, "muller cafe") == [CAFE]
        assert await texts_found(context, "МÜLLER") == []
        assert await texts_found(context, "foret") == [PLUMBER]
        assert await texts_found(context, "north") == [BAKERY]
        assert await context.store.read(unlike) == []
        assert first.id is not None
        await undo_import(context, ImportId(id=first.id))
        assert await texts_found(context, "cafe") == []
        first = await bring(context, {"a.csv": BOUGHT}, account="checking")


async def test_set_aside_and_brought_back(context: Context) -> None:
    """Of two rows that are one the other is not found, and is again once they are two."""
    await bring(context, {"a.csv": BOUGHT}, account="checking")
    await bring(context, {"b.csv": AGAIN}, account="checking")
    (pair,) = await list_duplicates(context, DuplicateQuery())
    for verdict, told in (("same", [PLUMBER]), ("different", sorted([PLUMBER, INVOICE]))):
        await decide_duplicate(
            context, DuplicateVerdict.model_validate({"id": pair.id, "verdict": verdict})
        )
        both = [*await texts_found(context, "foret"), *await texts_found(context, "recu")]
        assert sorted(both) == told
        assert await context.store.read(unlike) == []


async def test_restored(context: Context, elsewhere: Context) -> None:
    """A household that was taken along finds what it found."""
    await bring(context, {"a.csv": BOUGHT}, account="checking")
    await taken(elsewhere, await exported(context))
    assert await texts_found(elsewhere, "muller cafe") == [CAFE]
    assert await texts_found(elsewhere, "foret") == [PLUMBER]
    assert await elsewhere.store.read(unlike) == []


async def test_pending_posted_and_changed_by_the_bank(context: Context) -> None:
    """While it waits, once it is posted, and under the text that the bank gives it afterwards."""
    waiting = BankTransaction("chk", "p1", 20261118, -4_00, CAFE, pending=True)
    posted = BankTransaction("chk", "t1", 20261118, -4_00, CAFE, replaces="p1")
    branch = Branch((CHECKING,), [waiting])
    there, connection = await linked(context, Bank(north=branch), "north")
    assert await texts_found(there, "muller") == [CAFE]

    branch.rows.append(posted)
    await sync_connection(there, ConnectionId(id=connection))
    assert await texts_found(there, "muller") == [CAFE]
    assert await there.store.read(unlike) == []

    branch.modified.append(posted._replace(raw=PLUMBER))
    await sync_connection(there, ConnectionId(id=connection))
    assert await texts_found(there, "muller") == []
    assert await texts_found(there, "foret") == [PLUMBER]
    assert await there.store.read(unlike) == []


@pytest.mark.thorough
async def test_any_letters_are_found_as_they_fold(context: Context) -> None:
    """Of rows and words put together by lot, those are found in whose text or payee the word stands."""
    draw = Random(26)
    letters = "aAeEiIkKsSß% éÉıİøæœﬁΣςσЙй̈がか-_"
    texts = ["".join(draw.choices(letters, k=9)) for _ in range(300)]
    rows = [
        f'2026-09-{1 + place % 28:02d},"x{each}",-{place}.25' for place, each in enumerate(texts)
    ]
    await bring(context, {"a.csv": csv(*rows)}, account="checking")
    everything = await list_transactions(context, TransactionQuery(limit=500))
    words = [fold(each)[2:4] for each in texts[:60]]
    hits = 0
    for word in words:
        if not word.split():
            continue
        page = await list_transactions(context, TransactionQuery(text=word, limit=500))
        expected = [
            row
            for row in everything.transactions
            if all(each in fold(row.raw) or each in fold(row.payee) for each in word.split())
        ]
        assert list(page.transactions) == expected, word
        hits += len(expected)
    assert len(everything.transactions) == 300
    assert 60 < hits < 300 * 30
    assert await context.store.read(unlike) == []


PLACE = PagePosition(pending=False, day=20260318, no=5)
PLACES = st.builds(
    PagePosition,
    st.booleans(),
    st.dates(date(1900, 1, 1), date(2199, 12, 31)).map(lambda day: int(f"{day:%Y%m%d}")),
    st.integers(1, 2**53 - 1),
)
FILTERS_OF_PAGES: tuple[dict[str, Any], ...] = (
    {},
    {"since": date(2026, 1, 1)},
    {"until": date(2026, 1, 1)},
    {"category": ("dining",)},
    {"category": ("dining", "groceries")},
    {"merchant": ("dining",)},
    {"account": ("acc_1",)},
    {"pending": True},
    {"pending": False},
)


def _page(cursor: str | None, **filters: Any) -> TransactionQuery:
    return TransactionQuery(cursor=cursor, **filters)


@given(place=PLACES, filters=st.sampled_from(FILTERS_OF_PAGES), limit=st.integers(1, 500))
def test_a_cursor_is_read_as_it_was_written(
    place: PagePosition, filters: dict[str, Any], limit: int
) -> None:
    """A cursor gives its place back to the question with its filters, whatever the pages' length."""
    cursor = write_cursor(place, TransactionQuery(**filters))

    assert read_cursor(_page(cursor, limit=limit, **filters)) == place


def test_without_a_cursor_the_pages_begin() -> None:
    """No cursor is the place before every row."""
    assert read_cursor(TransactionQuery()) == START


def test_filters_are_the_same_in_any_order() -> None:
    """Repeated values ask the same question in whatever order they stand."""
    one = TransactionQuery(category=("dining", "groceries"))
    other = TransactionQuery(category=("groceries", "dining"))

    assert write_cursor(PLACE, one) == write_cursor(PLACE, other)


@given(place=PLACES, data=st.data())
def test_a_cursor_that_was_cut_is_refused(place: PagePosition, data: st.DataObject) -> None:
    """Wherever a cursor is cut off, it would skip rows in silence, so it is refused."""
    cursor = write_cursor(place, TransactionQuery())
    kept = data.draw(st.integers(0, len(cursor) - 1))

    with pytest.raises(BadRequest, match="cursor"):
        read_cursor(_page(cursor[:kept]))


@pytest.mark.parametrize("given_for", FILTERS_OF_PAGES)
def test_a_cursor_of_other_filters_is_refused(given_for: dict[str, Any]) -> None:
    """A place in the pages of one question is none in those of another."""
    cursor = write_cursor(PLACE, TransactionQuery(**given_for))
    for asked in FILTERS_OF_PAGES:
        if asked != given_for:
            with pytest.raises(BadRequest, match="cursor"):
                read_cursor(_page(cursor, **asked))


@pytest.mark.parametrize(
    "place",
    [
        "0.99999999.5",
        "0.20260230.5",
        "0.-5.5",
        "0.20260318.-5",
        "0.20260318.٥",
        "2.20260318.5",
        "+0.20260318.5",
        "00.20260318.5",
        "0.20260318.9007199254740992000000",
        "0.20260318",
        "0.20260318.5.",
    ],
)
def test_a_place_that_no_row_has_is_refused(place: str) -> None:
    """A day that no calendar has, a sign, digits of another script and a third flag are no place."""
    check = base64.urlsafe_b64decode(write_cursor(PLACE, TransactionQuery()) + "==")[-6:].decode()
    for written in (place, f"{place}.{check}"):
        cursor = base64.urlsafe_b64encode(written.encode()).decode().rstrip("=")
        with pytest.raises(BadRequest, match="cursor"):
            read_cursor(_page(cursor))


def test_a_day_is_looked_at_before_the_check() -> None:
    """Even with a check that is right, a day that no calendar has is refused."""
    cursor = write_cursor(PagePosition(pending=False, day=99999999, no=5), TransactionQuery())

    with pytest.raises(BadRequest, match="cursor"):
        read_cursor(_page(cursor))


def test_the_closest_come_first_then_those_that_hold_the_word() -> None:
    """A mistyped name is near to its like, a single word to the names it is in; five at most."""
    known = ["gifts and donations", "groceries", "gift shop", "rent"]
    assert near("gifts", known) == ["gift shop", "gifts and donations"]
    assert near("grocries", known) == ["groceries"]
    assert near("and", known) == ["gifts and donations"]
    assert near("an", known) == []
    assert near("shop", [f"shop {n}" for n in range(9)]) == [
        *sorted((f"shop {n}" for n in range(9)), reverse=True)[:5]
    ]
    assert near("corner", [f"the corner of Main-Street {n}" for n in range(9)]) == [
        f"the corner of Main-Street {n}" for n in range(5)
    ]


async def _pages(context: Context, limit: int, **query: object) -> list[tuple[Transaction, ...]]:
    pages, cursor = [], None
    while True:
        ask = TransactionQuery.model_validate({"limit": limit, "cursor": cursor, **query})
        page = await list_transactions(context, ask)
        pages.append(page.transactions)
        cursor = page.next_cursor
        if cursor is None:
            return pages


@pytest.mark.sampled(3)
@pytest.mark.parametrize("limit", [1, 3, 50])
@pytest.mark.usefixtures("demo")
async def test_pages_hold_every_row_once(context: Context, limit: int) -> None:
    """However small the pages, together they hold what one large page holds, in its order."""
    since = date(2026, 11, 1)
    pages = await _pages(context, limit, since=since)
    (whole,) = await _pages(context, 500, since=since)

    assert [row for page in pages for row in page] == list(whole)
    assert max(len(page) for page in pages) <= limit
    assert any(row.pending for row in whole)


@pytest.mark.usefixtures("demo")
async def test_posted_rows_come_newest_first(context: Context) -> None:
    """Pending rows stand before the posted ones, and each part is ordered by day."""
    ((*rows,), *_) = await _pages(context, 500)
    posted = [row.date for row in rows if not row.pending]

    assert [row.pending for row in rows] == sorted((row.pending for row in rows), reverse=True)
    assert posted == sorted(posted, reverse=True)


@pytest.mark.usefixtures("demo")
async def test_a_reason_quotes_only_words_of_its_row(context: Context) -> None:
    """Words that a row's reason quotes stand in that row's descriptor."""
    rows = [row for page in await _pages(context, 500) for row in page]
    quoted = [
        (phrase, tokens_of(row.raw))
        for row in rows
        for phrase in re.findall(r"“([^”]+)”", row.why.text)
    ]
    assert len(quoted) > 20
    assert [pair for pair in quoted if f" {pair[0]} " not in f" {' '.join(pair[1])} "] == []


@pytest.mark.usefixtures("demo")
async def test_a_filter_and_its_category_agree(context: Context) -> None:
    """Filtering by a category answers exactly the rows that show it, moves included."""
    rows = [row for page in await _pages(context, 500) for row in page]
    for category in ("groceries", "transfer", "card_payment", "wages", "uncategorized"):
        expected = [row for row in rows if row.category == category]
        found = [row for page in await _pages(context, 500, category=(category,)) for row in page]
        assert found == expected
        assert found


@pytest.mark.parametrize("cursor", ["", "?", "MTIz", "bm90LmEuY3Vyc29y"])
async def test_a_cursor_that_is_none_is_refused(context: Context, cursor: str) -> None:
    """A cursor that no page has given is a clear error."""
    with pytest.raises(BadRequest, match="cursor"):
        await list_transactions(context, TransactionQuery(cursor=cursor))
